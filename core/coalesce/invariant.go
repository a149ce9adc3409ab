package coalesce

import (
	"math/bits"
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
	HasSchema                         // whole persist: every part carries a schema id
	OwnMetrics                        // whole persist: a shard's metrics carry its own name
	FewRuns                           // whole persist with max_runs: a batch has so many runs at most
	InvariantCount
)

// Invariants lists those that mean something for this model's mode and persist side.
func (m *Model) Invariants() []Invariant {
	var list []Invariant
	for i := range InvariantCount {
		if m.Lists(i) {
			list = append(list, i)
		}
	}
	return list
}

// Lists tells whether [Model.Invariants] has i.
func (m *Model) Lists(i Invariant) bool {
	switch {
	case i < OneReport:
		return true
	case i < HasSchema:
		return m.Mode == Barrier
	}
	return m.Persist == WholePersist && (i != FewRuns || m.MaxRuns >= 2)
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
		"Every part carries a schema id",
		"A shard’s metrics carry its own name",
		"A batch has max_runs runs at most",
	}[i]
}

// Holds tells whether the invariant holds in s.
func (m *Model) Holds(s *State, i Invariant) bool { return m.Violations(s)>>i&1 == 0 }

// Violations is the set of invariants that do not hold in s, as a bit set. It
// allocates nothing: a search asks it of every state.
func (m *Model) Violations(s *State) (broken uint32) {
	if m.undelivered(s) >= 0 {
		broken |= 1 << Delivered
	}
	puts := 0
	for _, b := range m.blobs {
		k := &s.Blobs[b.task][b.interval]
		if k.Status == NoBlob {
			continue
		}
		n, stored := m.objects(s, b)
		puts += n
		switch k.Status {
		case Leaked, Abandoned:
			if stored {
				broken |= 1 << NoLeak
			}
			// Of an abandoned one there is no batch to deliver: its task panicked.
			if k.Status == Leaked && k.Given == 0 && s.Torn == 0 {
				broken |= 1 << Delivered
			}
		case Deleted:
			if k.Given == 0 && s.Torn == 0 {
				broken |= 1 << Delivered
			}
		}
		if k.Given > 1 {
			broken |= 1 << Once
		}
	}
	if puts != int(s.Puts) {
		broken |= 1 << Balance
	}
	// The others are in the append of their interval, or it is still to come.
	for lost := m.LostParts(s); lost != 0; lost &= lost - 1 {
		p := bits.TrailingZeros32(uint32(lost))
		k := &m.parts[p]
		from, to := m.missing(s, p)
		if max(from, m.Sinks[k.sink].Since) < min(to, m.Sinks[k.sink].Bounds[s.Sinks[k.sink].Upper]) {
			broken |= 1 << ViewTrue
			break
		}
	}
	if m.Mode == Barrier {
		broken |= m.barrierViolations(s)
	}
	if m.Persist == WholePersist {
		more, _, _ := m.persistViolations(s)
		broken |= more
	}
	return broken
}

func (m *Model) barrierViolations(s *State) (broken uint32) {
	if s.Faults&ReportedTwice != 0 {
		broken |= 1 << OneReport
	}
	if s.Faults&PendingBelow != 0 {
		broken |= 1 << PendingLeft
	}
	if s.Faults&PushAfterFinish != 0 {
		broken |= 1 << PushesFirst
	}
	if m.unwoken(s) >= 0 {
		broken |= 1 << AllWoken
	}
	if m.incapable(s) >= 0 {
		broken |= 1 << CapableDeliverer
	}
	if m.doubled(s) >= 0 {
		broken |= 1 << OneBatch
	}
	return broken
}

// SecondBatch tells whether two batches of one process were handed to one append.
// Without the barrier that is allowed: it costs a part more, and loses nothing.
func (m *Model) SecondBatch(s *State) bool { return m.doubled(s) >= 0 }

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
		if len(keys) > 1 {
			return strings.Join(keys, ", ") + " are stored, and nothing refers to them."
		}
		return keys[0] + " is stored, and nothing refers to it."
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
	case HasSchema, OwnMetrics, FewRuns:
		return m.persistBroken(s, i)
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
	for _, slot := range m.slots {
		b := &s.Batches[slot]
		if b.Holders|b.Owner == 0 && b.Id != 0 && b.HasData() && b.Panic == NoPanic {
			return int(slot)
		}
	}
	return -1
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

// tally counts objects by status.
func (m *Model) tally(s *State) (n [blobStatusCount]int) {
	for _, o := range m.Pieces(s) {
		if !o.Inline {
			n[o.Status]++
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
		if k := s.Sinks[sink].Staged; k&(k-1) == 0 {
			continue
		}
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
