package coalesce

import "math/bits"

// State is the whole world at one moment, as a comparable value. Locals that are
// dead are zero, so two states are equal exactly if nothing can tell them apart.
type State struct {
	Sealed     [MaxParts]uint8 // per part: 0, or 1 + the interval in which it reached the shard
	Blobs      [MaxTasks][MaxIntervals]Blob
	Flushed    [MaxTasks][MaxIntervals]Flushes
	Batches    [2 * MaxTasks]Batch // by slot, see [Thread.Slot]
	Registries [MaxProcesses]Registry
	Tasks      [MaxTasks]Task
	Timely     [MaxTasks]TimelySide
	Sinks      [MaxSinks]Sink
	Puts       uint8 // uploads ever made
	Sweeper    uint8 // line of the bare sweeper; past its last line when it is done
	Torn       uint8 // write tasks that the teardown has asked to stop
	Faults     Faults
}

// Faults is a set of things that must never happen and did.
type Faults uint8

const (
	ReportedTwice   Faults = 1 << iota // a worker reported an id twice
	PendingBelow                       // a report came when none was pending
	PushAfterFinish                    // a push was accepted behind Finish
)

// TimelySide is where a worker's Timely side is with its skips.
type TimelySide struct {
	Line    uint8 // from skipPanicked on: it panicked, with the [Panic] added
	Done    uint8 // skips reported
	Skipped uint8 // intervals reported as skipped, as a bit set

	// The whole sink; zero otherwise.
	Absorbed uint8 // descriptions up to this interval have been absorbed
	Held     uint8 // 0, or 1 + the interval of the description not yet started, with its capability
	InFlight uint8 // 0, or 1 + the interval that the write task was told to write, with its capability
	Skip     uint8 // 0, or 1 + the superseded interval whose skip is being reported
	Response uint8 // 0, or an answer not yet taken: 1 for None, 2 + the spawner of its batch
}

// Task is where a write task is.
type Task struct {
	Line     uint8 // index into its program
	Interval uint8
	Handle   uint8 // 0, or 1 + the slot of the batch it holds or owns
	Pushed   uint8 // pushes made in this interval
	Panic    Panic
	Command  uint8 // the whole sink: 0, or 1 + the interval of a WriteBatch not yet begun
	Due      Parts // the whole sink: what it has to push, as read when it began
}

// Batch is the shared state behind the handles of one batch, together with its
// builder task. A slot is free when Id is 0.
type Batch struct {
	batch
	barrier
	Hand uint8 // whole persist: 0, or 1 + the part received that waits for a flush
}

type batch struct {
	Id      uint8               // 0, or 1 + the registry entry it was created under
	Holders uint8               // write tasks that hold a handle, as a bit set
	Temp    uint8               // 0, or 1 + the thread whose sweep holds a temporary
	Owner   uint8               // 0, or 1 + the write task that took the state by value
	Queue   [ChannelSlots]uint8 // queued commands in order: 1 + a part id, or a [FinishCommand]
	Closed  bool
	Done    bool // the builder task has its answer ready
	Gone    bool // the builder task has returned, so sends fail
	Panic   Panic
	Got     Parts // parts that the builder task has received
}

// barrier is zero in best-effort mode.
type barrier struct {
	Pending    uint8 // reports still expected
	Deliverer  uint8 // 0, or 1 + the last write task that arrived
	Finalized  bool  // all expected reports have come
	Reported   uint8 // who has reported, as a bit set of write tasks
	Registered uint8 // who has a future that a notify would complete
	Notified   uint8 // whose future is complete
	ReplyTo    uint8 // 0, or 1 + the write task whose Finish was answered
	Poisoned   bool  // a thread panicked while it held the barrier mutex
}

// FinishCommand is the queued form of the barrier's Finish: this bit and the sender.
const FinishCommand = 0x80

// Parts is a set of part ids.
type Parts uint32

// Has tells whether part p is in the set.
func (ps Parts) Has(p int) bool { return ps>>p&1 != 0 }

// Len is the number of parts in the set.
func (ps Parts) Len() int { return bits.OnesCount32(uint32(ps)) }

// List is the set in ascending order of ids.
func (ps Parts) List() []int {
	var list []int
	for v := uint32(ps); v != 0; v &= v - 1 {
		list = append(list, bits.TrailingZeros32(v))
	}
	return list
}

// Registry is the process-wide map from batch id to weak reference, with its mutex.
type Registry struct {
	Entries      [MaxSinks * MaxIntervals]Weak
	Skips        [MaxSinks * MaxIntervals]uint8 // pending skips: reported before any builder
	Alive        uint16                         // entries that this sweep found alive, as a bit set
	Lock         uint8                          // 0, or 1 + the thread that holds the mutex
	LastRetained uint8
	Old          uint8 // dead entries of intervals that a [Model.Rebase] has forgotten
	Cursor       uint8 // entry that the sweep is at
	Loaded       uint8 // 0, or 1 + the strong count that a probe has loaded and not yet compared
	Poisoned     bool  // a thread panicked while it held the mutex
}

// Weak is one entry of the registry: 0 is absent, 1 a dangling weak reference,
// 2 + a slot a weak reference to the batch in that slot.
type Weak uint8

// DeadWeak is an entry whose batch is gone.
const DeadWeak Weak = 1

// Slot is the slot that the reference leads to; ok is false for none.
func (w Weak) Slot() (slot int, ok bool) { return int(w) - 2, w >= 2 }

// Sink is the append side of one sink.
type Sink struct {
	Upper    uint8 // intervals sealed
	Answered uint8 // write tasks that have answered in the open interval, as a bit set
	Staged   uint8 // spawners whose batch was handed to the append, as a bit set

	// The whole sink; zero otherwise.
	Minted  uint8 // intervals with a description, as a bit set
	Taken   uint8 // descriptions up to this interval have reached the append
	Desc    uint8 // 0, or 1 + the interval of the description that the append holds
	Stash   uint8 // 0, or 1 + the interval that the staged batches are for
	Replica uint8 // appends of the other replica

	Labels [MaxProcesses]MetricsLabel // whole persist: the name of the shard's metrics in each process
}

// Panic is why a thread panicked, or 0.
type Panic uint8

const (
	NoPanic         Panic = iota
	TaskFailed            // push, or await, found the builder task dead
	Conflict              // joined under another description
	BadUpper              // a time at or beyond the batch's upper
	PoisonedLock          // the registry mutex is poisoned
	SurplusReport         // debug assertion: no report was pending
	PoisonedBarrier       // the batch's barrier mutex is poisoned
	panicKindCount  = iota
)

func (p Panic) String() string {
	return [panicKindCount]string{"", "task failed", "descriptions differ", "valid upper bound", "poisoned registry mutex", "assertion failed: pending > 0", "poisoned barrier mutex"}[p]
}

// entryOf is the registry entry of interval n of a sink.
func entryOf(sink, n int) int { return sink*MaxIntervals + n }

// EntryInterval tells which sink and interval an entry of the registry stands for.
func EntryInterval(entry int) (sink, n int) { return entry / MaxIntervals, entry % MaxIntervals }

// Start is the state before any step.
func (m *Model) Start() State {
	var s State
	for t := range m.tasks {
		s.Tasks[t].Interval = m.writes(t, 0)
		s.Tasks[t].Line = m.tasks[t].first
	}
	return s
}

// Count is the strong count: handles, and the sweep's temporary. An owner that
// took the state by value left the count at 0.
func (b *Batch) Count() int {
	n := bits.OnesCount8(b.Holders)
	if b.Temp != 0 {
		n++
	}
	return n
}

// Registry is the registry of the process that a thread runs in.
func (m *Model) Registry(s *State, t Thread) *Registry { return &s.Registries[m.process(t)] }

func (m *Model) process(t Thread) int { return int(m.processOf[t]) }

// Queued is how many pushes wait in the channel.
func (b *Batch) Queued() int {
	n := 0
	for n < ChannelSlots && b.Queue[n] != 0 {
		n++
	}
	return n
}

// HasData tells whether a push was accepted that has not left through an answer.
func (b *Batch) HasData() bool { return b.Got != 0 || b.Queue[0] != 0 }

// Destroyed tells whether the shared state is gone: no reference is left and
// nobody took it by value, so that nobody can receive what its task makes.
func (b *Batch) Destroyed() bool { return b.Id != 0 && b.Holders|b.Temp|b.Owner == 0 }

// Size is the number of entries in the map, dead ones included.
func (r *Registry) Size() int {
	n := int(r.Old)
	for _, e := range r.Entries {
		if e != 0 {
			n++
		}
	}
	return n
}

// due lists the parts that task t still has to write in its interval: its own of
// this interval, and those of earlier intervals that never reached the shard. The
// latter are the corrections, raised to the interval's lower. Each travels in a
// part of its own, where the original may encode them together. They are in the order
// of ids, which puts rows before errors.
func (m *Model) due(s *State, t int) (list [MaxParts]uint8, n int) {
	at := int(s.Tasks[t].Interval)
	if at == m.Intervals(m.tasks[t].sink) {
		return list, 0
	}
	if k := &s.Tasks[t]; m.Whole == WholeSink && k.Line != m.tasks[t].first {
		// What was read when the turn began; a read-back that comes meanwhile waits.
		for ps := k.Due; ps != 0; ps &= ps - 1 {
			list[n] = uint8(bits.TrailingZeros32(uint32(ps)))
			n++
		}
		return list, n
	}
	for _, p := range m.tasks[t].parts {
		if m.parts[p].interval <= at && s.Sealed[p] == 0 && m.timeIn(p, at) < m.opens(t, uint8(at)) {
			list[n] = uint8(p)
			n++
		}
	}
	return list, n
}

// Due lists the parts that write task t still holds for its interval: rows before errors,
// and of either the corrections of earlier intervals first.
func (m *Model) Due(s *State, t Thread) []int {
	list, n := m.due(s, int(t))
	ids := make([]int, n)
	for i := range n {
		ids[i] = int(list[i])
	}
	return ids
}

// timeIn is the time that part p's updates carry in interval n of its sink.
func (m *Model) timeIn(p, n int) int64 {
	part := &m.parts[p]
	if n > part.interval {
		return max(part.At, m.Sinks[m.tasks[part.task].sink].Bounds[n])
	}
	return part.At
}
