package coalesce

import (
	"strings"

	"sharedbatches/core/brief"
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

// Holds tells whether the invariant holds in s. It allocates nothing.
func (m *Model) Holds(s *State, i Invariant) bool {
	switch i {
	case Delivered:
		return m.undelivered(s) < 0 && !m.forNobody(s)
	case Once:
		for t := range m.tasks {
			for n := range m.Intervals(m.tasks[t].sink) {
				if s.Blobs[t][n].Given > 1 {
					return false
				}
			}
		}
	case NoLeak:
		return !m.anyBlob(s, func(b Blob) bool { return b.Status == Leaked })
	case Balance:
		n := m.tally(s)
		return n[InFlight]+n[Referenced]+n[Leaked]+n[Deleted] == int(s.Puts)
	case ViewTrue:
		for sink := range m.Sinks {
			if _, _, wrong := m.FirstHole(s, sink); wrong {
				return false
			}
		}
	case OneReport:
		return s.Faults&ReportedTwice == 0
	case PendingLeft:
		return s.Faults&PendingBelow == 0
	case PushesFirst:
		return s.Faults&PushAfterFinish == 0
	case AllWoken:
		return m.unwoken(s) < 0
	case CapableDeliverer:
		return m.incapable(s) < 0
	case OneBatch:
		return m.doubled(s) < 0
	}
	return true
}

// Broken is why the invariant does not hold in s, or "" when it does.
func (m *Model) Broken(s *State, i Invariant) string {
	if m.Holds(s, i) {
		return ""
	}
	switch i {
	case Delivered:
		return m.whyUndelivered(s)
	case Once:
		for t := range m.tasks {
			for n := range m.Intervals(m.tasks[t].sink) {
				if g := s.Blobs[t][n].Given; g > 1 {
					return brief.Sprintf("%d workers received the batch that %s opened.", g, m.names[t])
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
		return brief.Sprintf("%s is stored, and nothing refers to it.", strings.Join(keys, ", "))
	case Balance:
		n := m.tally(s)
		return brief.Sprintf("%d PUTs, but %d referenced, %d in flight, %d leaked, %d deleted.", s.Puts, n[Referenced], n[InFlight], n[Leaked], n[Deleted])
	case ViewTrue:
		for sink := range m.Sinks {
			if from, to, wrong := m.FirstHole(s, sink); wrong {
				return brief.Sprintf("View %s answers wrong from %d to %d: an update was not in the append that sealed those times.", m.SinkName(sink), from, to-1)
			}
		}
	case OneReport:
		return "A worker reported the same id twice, so the barrier was short of another’s report."
	case PendingLeft:
		return "A report came to a barrier that expected none."
	case PushesFirst:
		return "A part was queued behind Finish; it is dropped with the receiver."
	case AllWoken:
		return m.names[m.unwoken(s)] + " waits for a wakeup that has already been given."
	case CapableDeliverer:
		return m.names[m.incapable(s)] + " is the deliverer of a batch that it no longer holds."
	}
	return "Two batches of one process reached the append of view " + m.SinkName(m.doubled(s)) + "."
}

// undelivered finds a slot whose batch has data while no handle, owner or answer is
// left, or -1. A sweep's temporary does not count: it delivers to nobody. A teardown
// is excepted: then nobody is left to want the batch.
func (m *Model) undelivered(s *State) int {
	if s.Torn != 0 {
		return -1
	}
	for slot := range 2 * len(m.tasks) {
		b := &s.Batches[slot]
		if b.Id != 0 && b.Holders == 0 && b.Owner == 0 && b.HasData() && b.Panic == NoPanic {
			return slot
		}
	}
	return -1
}

// forNobody tells whether some blob was made that no handle received.
func (m *Model) forNobody(s *State) bool {
	return s.Torn == 0 && m.anyBlob(s, func(b Blob) bool {
		return b.Given == 0 && (b.Status == Leaked || b.Status == Deleted)
	})
}

func (m *Model) whyUndelivered(s *State) string {
	slot := m.undelivered(s)
	if slot < 0 {
		for t := range m.tasks {
			for n := range m.Intervals(m.tasks[t].sink) {
				if b := s.Blobs[t][n]; b.Given == 0 && (b.Status == Leaked || b.Status == Deleted) {
					return brief.Sprintf("The batch of sink %s, interval %d, was finished for nobody.", m.SinkName(m.tasks[t].sink), n+1)
				}
			}
		}
	}
	b := &s.Batches[slot]
	sink, _ := EntryInterval(int(b.Id - 1))
	if b.Temp != 0 {
		return brief.Sprintf("No handle on batch %s is left. The sweep’s temporary still holds it, and a sweep delivers to nobody.", m.SinkName(sink))
	}
	return brief.Sprintf("Batch %s has data, and no handle, owner or answer is left to deliver it.", m.SinkName(sink))
}

func (m *Model) anyBlob(s *State, is func(Blob) bool) bool {
	for t := range m.tasks {
		for n := range m.Intervals(m.tasks[t].sink) {
			if is(s.Blobs[t][n]) {
				return true
			}
		}
	}
	return false
}

// tally counts blobs by status.
func (m *Model) tally(s *State) (n [5]int) {
	for t := range m.tasks {
		for i := range m.Intervals(m.tasks[t].sink) {
			n[s.Blobs[t][i].Status]++
		}
	}
	return n
}

// unwoken finds a write task that waits for a notify which came before, or -1.
func (m *Model) unwoken(s *State) int {
	for t := range m.tasks {
		if k := &s.Tasks[t]; k.Line == LineWait && k.Handle != 0 && s.Torn == 0 && readyWait(m, s, Thread(t)).Kind == NotWoken {
			return t
		}
	}
	return -1
}

// incapable finds a deliverer that has let go of its batch before the task answered
// Finish, or -1.
func (m *Model) incapable(s *State) int {
	for slot := range 2 * len(m.tasks) {
		b := &s.Batches[slot]
		if !b.Finalized || b.Deliverer == 0 || b.Gone || s.Torn != 0 {
			continue
		}
		if d := int(b.Deliverer - 1); s.Tasks[d].Panic == NoPanic && int(s.Tasks[d].Handle) != slot+1 {
			return d
		}
	}
	return -1
}

// doubled finds a sink to whose append two batches of one process came, or -1.
func (m *Model) doubled(s *State) int {
	for sink := range m.Sinks {
		var seen [MaxProcesses]bool
		for t := range m.tasks {
			if s.Sinks[sink].Staged>>t&1 == 0 {
				continue
			}
			if p := m.tasks[t].process; seen[p] {
				return sink
			}
			seen[m.tasks[t].process] = true
		}
	}
	return -1
}
