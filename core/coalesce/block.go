package coalesce

import (
	"strconv"
	"strings"

	"sharedbatches/core/brief"
)

// Block is why a thread cannot move. The zero value is no reason: it can.
type Block struct {
	Kind BlockKind
	A    int64 // depends on Kind
}

// BlockKind is the sort of reason.
type BlockKind uint8

const (
	Free          BlockKind = iota
	LockHeld                // the registry mutex is held by thread A
	NotOpen                 // the sink's next interval opens at upper A
	ChannelFull             // 4 pushes are queued for builder task A
	ChannelEmpty            // nothing is queued and the channel is open
	TaskRunning             // builder task A has no answer yet
	Unanswered              // A is the set of write tasks that have not answered
	NotSpawned              // this builder task does not exist; no upload is in flight; no object is leaked
	SlotTaken               // builder task A of this spawner still runs: a limit of the model
	HasPanicked             // it panicked with [Panic] A
	HasFinished             // nothing is left to do
	Unreported              // A is the set of write tasks that have not reported; 0: participants that do not exist
	NotWoken                // the barrier is finalized, and the notify came before this thread registered
	TornDown                // the dataflow was dropped
	NoCommand               // a write task has no WriteBatch to begin
	NothingNew              // a Timely side has no description, no answer and nothing to start
	Described               // the description of interval A is out
	NoDescription           // the append holds no description
	UploadsOut              // A uploads of its batch are in flight, as many as may be
	UploadsRun              // upload thread A has an upload of its batch to complete
	Capability              // A is the set of write tasks whose Timely side still holds a capability
)

// Over tells whether the thread will never move again, whatever others do.
func (b Block) Over() bool {
	return b.Kind == HasFinished || b.Kind == HasPanicked || b.Kind == TornDown
}

// list names a set of write tasks, with the verb.
func (m *Model) list(set int64) string {
	var names []string
	for i := range m.tasks {
		if set>>i&1 != 0 {
			names = append(names, m.names[i])
		}
	}
	if len(names) > 1 {
		return strings.Join(names, ", ") + " have"
	}
	return strings.Join(names, ", ") + " has"
}

// Reason is the block in words, without the word "blocked"; sink is that of the thread.
func (m *Model) Reason(t Thread, b Block) string {
	switch b.Kind {
	case Free:
		return ""
	case LockHeld:
		return "registry lock held by " + m.names[b.A]
	case NotOpen:
		return "interval opens at upper " + strconv.FormatInt(b.A, 10)
	case ChannelFull:
		return strconv.Itoa(ChannelSlots) + " pushes are queued, " + m.names[b.A] + " must receive one"
	case ChannelEmpty:
		return "channel is empty and still open"
	case TaskRunning:
		return m.names[b.A] + " has not finished"
	case Unanswered:
		return m.list(b.A) + " not answered for " + m.SinkName(m.Sink(t))
	case Unreported:
		if b.A == 0 {
			return "a participant that does not exist has not reported"
		}
		return m.list(b.A) + " not reported"
	case NotWoken:
		return "finalized, but the wakeup came before it registered"
	case TornDown:
		return "the dataflow was dropped"
	case NoCommand:
		return "no command from its Timely side"
	case NothingNew:
		return "no new description and no answer"
	case Described:
		lower, upper := m.Interval(m.Sink(t), int(b.A))
		return brief.Sprintf("the description [%d, %d) is out; the upper has to pass %d", lower, upper, lower)
	case NoDescription:
		return "no description has come"
	case Capability:
		return "a capability is still held by the Timely side of " + strings.TrimSuffix(strings.TrimSuffix(m.list(b.A), " has"), " have")
	case UploadsOut:
		if b.A == 1 {
			return "1 upload is outstanding"
		}
		return brief.Sprintf("%d uploads are outstanding", b.A)
	case UploadsRun:
		return m.names[b.A] + " has an upload of its batch to complete"
	case NotSpawned:
		switch t.Role() {
		case Uploads:
			return "no upload is in flight"
		case Cleaner:
			return "no object is leaked"
		}
		return "not spawned"
	case SlotTaken:
		return m.names[b.A] + " of an earlier interval still runs (limit of the model: two batches a spawner)"
	case HasPanicked:
		return "panicked: " + Panic(b.A).String()
	}
	return "finished"
}
