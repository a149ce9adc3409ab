package coalesce

import (
	"fmt"
	"strings"
)

// Invariant is a predicate that must hold in every state.
type Invariant uint8

const (
	Delivered        Invariant = iota // a batch that got data is delivered
	Once                              // at most one worker receives it
	NoLeak                            // no upload is leaked
	Balance                           // PUTs = referenced + in flight + leaked + deleted
	ViewTrue                          // at every time in [since, upper) the view equals the truth
	OneReport                         // barrier: each worker reports once for an id
	PendingLeft                       // barrier: no report comes when none is pending
	PushesFirst                       // barrier: every push is before Finish
	AllWoken                          // barrier: every waiter is woken
	CapableDeliverer                  // barrier: the deliverer holds a capability
	OneBatch                          // barrier: one batch for an id and process
	InvariantCount
)

// Invariants lists those that mean something for this model's mode.
func (m *Model) Invariants() []Invariant {
	n := OneReport
	if m.Mode == Barrier {
		n = InvariantCount
	}
	list := make([]Invariant, n)
	for i := range list {
		list[i] = Invariant(i)
	}
	return list
}

// Name is the invariant in words.
func (i Invariant) Name() string {
	return [InvariantCount]string{
		"A batch that got data is delivered",
		"At most one worker receives it",
		"No upload is leaked",
		"PUTs = referenced + in flight + leaked + deleted",
		"Sealed times: the view equals the truth",
		"Each worker reports once for an id",
		"No report comes when none is pending",
		"Every push comes before Finish",
		"Every waiter is woken",
		"The deliverer still has to answer",
		"One batch for an id and process",
	}[i]
}

// Broken is why the invariant does not hold in s, or "" when it does.
func (m *Model) Broken(s *State, i Invariant) string {
	switch i {
	case Delivered:
		return m.undelivered(s)
	case Once:
		for t := range m.tasks {
			for n := range s.Blobs[t] {
				if g := s.Blobs[t][n].Given; g > 1 {
					return fmt.Sprintf("%d workers received the batch that %s opened.", g, m.names[t])
				}
			}
		}
	case NoLeak:
		var keys []string
		for _, o := range m.List(s) {
			if o.Status == Leaked {
				keys = append(keys, o.Key)
			}
		}
		if len(keys) > 0 {
			return fmt.Sprintf("%s is stored, and nothing refers to it.", strings.Join(keys, ", "))
		}
	case Balance:
		var n [5]int
		for t := range m.tasks {
			for i := range s.Blobs[t] {
				n[s.Blobs[t][i].Status]++
			}
		}
		if sum := n[InFlight] + n[Referenced] + n[Leaked] + n[Deleted]; sum != int(s.Puts) {
			return fmt.Sprintf("%d PUTs, but %d referenced, %d in flight, %d leaked, %d deleted.", s.Puts, n[Referenced], n[InFlight], n[Leaked], n[Deleted])
		}
	case ViewTrue:
		for sink := range m.Sinks {
			if from, to, wrong := m.FirstHole(s, sink); wrong {
				return fmt.Sprintf("View %s answers wrong from %d to %d: an update was not in the append that sealed those times.", m.SinkName(sink), from, to-1)
			}
		}
	default:
		return m.brokenBarrier(s, i)
	}
	return ""
}

func (m *Model) brokenBarrier(s *State, i Invariant) string {
	switch i {
	case OneReport:
		if s.Faults&ReportedTwice != 0 {
			return "A worker reported the same id twice, so the barrier was short of another’s report."
		}
	case PendingLeft:
		if s.Faults&PendingBelow != 0 {
			return "A report came to a barrier that expected none."
		}
	case PushesFirst:
		if s.Faults&PushAfterFinish != 0 {
			return "A part was queued behind Finish; it is dropped with the receiver."
		}
	case AllWoken:
		for t := range m.tasks {
			if m.Line(s, Thread(t)) == LineWait && m.outside(s, Thread(t)).Kind == Free {
				if b := readyWait(m, s, Thread(t)); b.Kind == NotWoken {
					return m.names[t] + " waits for a wakeup that has already been given."
				}
			}
		}
	case CapableDeliverer:
		for slot := range s.Batches {
			b := &s.Batches[slot]
			if !b.Finalized || b.Deliverer == 0 || b.Gone || s.Torn != 0 {
				continue
			}
			d := int(b.Deliverer - 1)
			if s.Tasks[d].Panic == NoPanic && int(s.Tasks[d].Handle) != slot+1 {
				return m.names[d] + " is the deliverer of a batch that it no longer holds."
			}
		}
	case OneBatch:
		for sink := range m.Sinks {
			var seen [MaxProcesses]bool
			for t := range m.tasks {
				if s.Sinks[sink].Staged>>t&1 == 0 {
					continue
				}
				if p := m.tasks[t].process; seen[p] {
					return "Two batches of one process reached the append of view " + m.SinkName(sink) + "."
				} else {
					seen[p] = true
				}
			}
		}
	}
	return ""
}

// undelivered breaks as soon as data exists and no handle, owner or answer is
// left. A sweep's temporary does not count: it delivers to nobody. A teardown is
// excepted: then nobody is left to want the batch.
func (m *Model) undelivered(s *State) string {
	if s.Torn != 0 {
		return ""
	}
	for i := range s.Batches {
		b := &s.Batches[i]
		if b.Id == 0 || b.Holders != 0 || b.Owner != 0 || !b.HasData() || b.Panic != NoPanic {
			continue
		}
		sink, _ := EntryInterval(int(b.Id - 1))
		if b.Temp != 0 {
			return fmt.Sprintf("No handle on batch %s is left. The sweep’s temporary still holds it, and a sweep delivers to nobody.", m.SinkName(sink))
		}
		return fmt.Sprintf("Batch %s has data, and no handle, owner or answer is left to deliver it.", m.SinkName(sink))
	}
	for t := range m.tasks {
		for n := range s.Blobs[t] {
			if b := s.Blobs[t][n]; b.Given == 0 && (b.Status == Leaked || b.Status == Deleted) {
				return fmt.Sprintf("The batch of sink %s, interval %d, was finished for nobody.", m.SinkName(m.tasks[t].sink), n+1)
			}
		}
	}
	return ""
}
