package coalesce

import (
	"math/bits"
	"slices"
)

// The append of one sink: it waits for every participant's answer and seals.

func readyAppend(m *Model, s *State, t Thread) Block {
	sink := int(t - firstAppend)
	k := &s.Sinks[sink]
	if m.Whole == WholeSink {
		return m.readyFrontier(s, sink)
	}
	missing := m.sinkTask[sink] &^ k.Answered
	// A worker that superseded the description has dropped its capability too.
	for i := range m.tasks {
		if n := k.Upper; m.tasks[i].passes>>n&1 != 0 && s.Timely[i].reported(n, m.Tasks[i].Skips) {
			missing &^= 1 << i
		}
	}
	if missing != 0 {
		return Block{Unanswered, int64(missing)}
	}
	return Block{}
}

// reported tells whether the skip of interval n is over, the unlock included.
func (k *TimelySide) reported(n uint8, skips []int) bool {
	for i := range int(k.Done) {
		if skips[i] == int(n) {
			return true
		}
	}
	return false
}

// doAppend seals the open interval with whatever batches were handed over, lets
// the read-back reach every worker and raises the corrections that are still
// held. All of it is one line: the append is a single compare-and-set in the
// original, and what follows from it can be seen only through the next interval,
// which opens with the new upper.
func doAppend(m *Model, s *State, t Thread, es *Events) {
	sink := int(t - firstAppend)
	k := &s.Sinks[sink]
	n := int(k.Upper)
	if m.Persist == WholePersist {
		// The write handle of each process's operator is opened in this line; the original
		// opens handles in other places too, some of them before any batch.
		for p := range m.Processes {
			m.touch(s, t, sink, p, OwnLabel, es)
		}
	}
	if m.Whole == WholeSink {
		n = int(k.Desc) - 1
		k.Desc, k.Stash = 0, 0
		if n != int(k.Upper) {
			m.deleteStaged(s, t, n, Mismatched, es)
			return
		}
	} else if slices.Contains(m.Sinks[sink].Superseded, n) {
		m.mismatch(s, t, es)
		return
	}
	upper := m.Sinks[sink].Bounds[n+1]
	var in, late Parts
	for spawner := range m.tasks {
		if k.Staged>>spawner&1 == 0 {
			continue
		}
		b := &s.Blobs[spawner][n]
		b.Status = Referenced
		in |= b.Parts
	}
	for ps := in; ps != 0; ps &= ps - 1 {
		p := bits.TrailingZeros32(uint32(ps))
		// Times at or beyond the upper are cut by the batch's bounds.
		if m.timeIn(p, n) < upper {
			s.Sealed[p] = uint8(n) + 1
		}
	}
	for p := range m.parts {
		if m.tasks[m.parts[p].task].sink == sink && m.parts[p].interval <= n && s.Sealed[p] == 0 {
			late |= 1 << p
		}
	}
	e := event(Sealed, t)
	e.A, e.Parts = int32(n), in
	if es != nil { // a search has no use for it
		e.B = int32(m.stagedDiff(s, sink, n))
	}
	k.Upper++
	k.Answered, k.Staged = 0, 0
	es.add(e)
	if late != 0 {
		e.Kind, e.B, e.Parts = Lost, 0, late
		es.add(e)
		e.Kind, e.A = Raised, int32(upper)
		es.add(e)
	}
	if int(k.Upper) == m.Intervals(sink) {
		es.add(event(Done, t))
	}
}

// mismatch is the append of an interval that another replica has sealed first, with
// the right contents, corrections of earlier intervals included: the staged batches
// are deleted, and the read-back brings what the other replica wrote, so no
// correction is left.
func (m *Model) mismatch(s *State, t Thread, es *Events) {
	sink := int(t - firstAppend)
	k := &s.Sinks[sink]
	n := int(k.Upper)
	m.deleteStaged(s, t, n, Mismatched, es)
	for p := range m.parts {
		if m.tasks[m.parts[p].task].sink == sink && m.parts[p].interval <= n && s.Sealed[p] == 0 {
			s.Sealed[p] = uint8(n) + 1
		}
	}
	k.Upper++
	k.Answered = 0
	if int(k.Upper) == m.Intervals(sink) {
		es.add(event(Done, t))
	}
}

// deleteStaged deletes the batches that the append has staged for interval n.
func (m *Model) deleteStaged(s *State, t Thread, n int, why EventKind, es *Events) {
	sink := m.Sink(t)
	k := &s.Sinks[sink]
	var deleted Parts
	for spawner := range m.tasks {
		if k.Staged>>spawner&1 != 0 {
			deleted |= s.Blobs[spawner][n].Parts
			s.Blobs[spawner][n].Status = Deleted
		}
	}
	k.Staged = 0
	e := event(why, t)
	e.A, e.Parts = int32(n), deleted
	es.add(e)
}
