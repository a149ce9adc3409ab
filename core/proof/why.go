package proof

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// Pair is two steps of a losing schedule, of different threads, whose order alone
// decides: exchanged, with nothing else changed, the batch is not lost. Numbers are
// those of the schedule, from 1.
type Pair struct {
	First, Second int
	Before, After schedule.Letter // the threads of the two steps
	Lines         [2]string       // labels of the two lines
}

// Why finds the pairs that decide in a schedule which orphans a batch. Steps between
// the two that are independent of the first are moved aside: exchanged with it, they
// lead to the same state. A schedule that orphans nothing has no pairs.
func Why(m *coalesce.Model, letters []schedule.Letter) []Pair {
	threads := make([]coalesce.Thread, len(letters))
	for i, l := range letters {
		t, ok := m.ByName(l)
		if !ok {
			return nil
		}
		threads[i] = t
	}
	if end, ok := play(m, m.Start(), threads); !ok || !m.Orphaned(&end) {
		return nil
	}
	var pairs []Pair
	before := m.Start()
	for i := range threads {
		if p, ok := decides(m, before, threads[i:]); ok {
			p.First += i
			p.Second += i
			pairs = append(pairs, p)
		}
		m.Step(&before, threads[i], nil)
	}
	return pairs
}

// decides moves the first of the threads to the right past steps that are
// independent of it, up to one that is not, and tells whether exchanging those two
// saves the batch.
func decides(m *coalesce.Model, s coalesce.State, threads []coalesce.Thread) (Pair, bool) {
	first := threads[0]
	at := s // the state before the moved step
	for j := 1; j < len(threads); j++ {
		second := threads[j]
		if second == first {
			return Pair{}, false
		}
		one, ok := play(m, at, []coalesce.Thread{first, second})
		if !ok {
			return Pair{}, false
		}
		other, ok := play(m, at, []coalesce.Thread{second, first})
		if ok && one == other {
			m.Step(&at, second, nil)
			continue
		}
		if !ok {
			// The second cannot go first: the order was not a choice.
			return Pair{}, false
		}
		end, ok := play(m, other, threads[j+1:])
		if ok && m.Orphaned(&end) {
			return Pair{}, false
		}
		p := Pair{First: 1, Second: j + 1, Before: m.Name(first), After: m.Name(second)}
		p.Lines[0] = m.Program(first)[m.Line(&at, first)].Label
		m.Step(&at, first, nil)
		p.Lines[1] = m.Program(second)[m.Line(&at, second)].Label
		return p, true
	}
	return Pair{}, false
}

// play steps threads on a state; ok is false when one is blocked.
func play(m *coalesce.Model, s coalesce.State, threads []coalesce.Thread) (coalesce.State, bool) {
	for _, t := range threads {
		if m.Step(&s, t, nil).Kind != coalesce.Free {
			return s, false
		}
	}
	return s, true
}
