package coalesce

import (
	"fmt"
	"strings"
)

// Invariant is a predicate that must hold in every state.
type Invariant uint8

const (
	Delivered Invariant = iota // a batch that got data is delivered
	Once                       // at most one worker receives it
	NoLeak                     // no upload is leaked
	Balance                    // PUTs = referenced + in flight + leaked + deleted
	ViewTrue                   // at every time in [since, upper) the view equals the truth
	InvariantCount
)

// Name is the invariant in words.
func (i Invariant) Name() string {
	return [InvariantCount]string{
		"A batch that got data is delivered",
		"At most one worker receives it",
		"No upload is leaked",
		"PUTs = referenced + in flight + leaked + deleted",
		"Sealed times: the view equals the truth",
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
	}
	return ""
}

// undelivered breaks as soon as data exists and no handle, owner or answer is
// left. A sweep's temporary does not count: it delivers to nobody.
func (m *Model) undelivered(s *State) string {
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
