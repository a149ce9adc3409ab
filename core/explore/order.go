package explore

import "unsafe" // for Sizeof alone

// sorting is what is kept of a state while the states are put into topological order. Beside the number of
// predecessors that are not in the order yet, it carries sums over the ways from the start, which cost little here: an
// estimate of their number, which tells how wide exact counts have to be; the number modulo 2^64, which is the exact
// one where it fits; and the chance that a uniformly picking scheduler comes by.
type sorting struct {
	estimate float64
	chance   float64
	ways     uint64
	before   uint32
}

const sortingBytes = int64(unsafe.Sizeof(sorting{}))

// sortStates takes the states without predecessors in order, releasing their successors.
func (s *Search[S]) sortStates(budget int) int {
	if s.sorting == nil {
		if s.exceeds(int64(s.arena.n) * (sortingBytes + 4)) {
			return budget
		}
		s.beginOrder()
	}
	for ; budget > 0 && s.cursor < len(s.order); budget-- {
		i := int(s.order[s.cursor])
		s.cursor++
		from := s.sorting[i]
		next := s.successorsOf(i)
		if len(next) == 0 {
			v := s.endOf(i)
			s.counts.estimate += from.estimate
			s.counts.chance[v] += from.chance
			s.counts.present[v] = true
			continue
		}
		chance := from.chance / float64(len(next))
		for _, j := range next {
			to := &s.sorting[j]
			to.estimate += from.estimate
			to.ways += from.ways
			to.chance += chance
			to.before--
			if to.before == 0 {
				s.order = append(s.order, j)
			}
		}
	}
	if s.cursor < len(s.order) {
		return budget
	}
	if len(s.order) < s.arena.n {
		s.cycle = s.findCycle()
		s.dropCounts()
		s.enter(done)
		return budget
	}
	s.planCounts()
	s.sorting = nil
	s.enter(backward)
	return budget
}

// beginOrder makes room. The start alone can be without predecessors: every other state was found as a successor.
func (s *Search[S]) beginOrder() {
	s.sorting = make([]sorting, s.arena.n)
	for i := range s.sorting {
		s.sorting[i].before = s.arena.node(i).before
	}
	s.sorting[0].estimate, s.sorting[0].chance, s.sorting[0].ways = 1, 1, 1
	s.order = make([]uint32, 0, s.arena.n)
	if s.sorting[0].before == 0 {
		s.order = append(s.order, 0)
	}
}

// endOf is the verdict of a state without edges; Open if the search did not expand it.
func (s *Search[S]) endOf(i int) Verdict {
	if i >= s.expanded {
		return Open
	}
	return Verdict(s.arena.node(i).at)
}

func (s *Search[S]) enter(p phase) { s.phase, s.cursor = p, 0 }

// exceeds reports whether need more bytes would pass the limit; then it gives up the counts.
func (s *Search[S]) exceeds(need int64) bool {
	if s.limits.Bytes == 0 || s.bytes()+need <= s.limits.Bytes {
		return false
	}
	if s.stoppedBy == "" {
		s.stoppedBy = StoppedByBytes
	}
	s.dropCounts()
	s.enter(done)
	return true
}

// A Cycle is a schedule that can be repeated for ever. The number of schedules is then infinite.
type Cycle struct {
	Into   []int // leads from the start to a state of the cycle
	Around []int // leads from that state back to it
}

// findCycle names a cycle among the states that have no place in the order, as a schedule of concrete threads.
func (s *Search[S]) findCycle() *Cycle {
	at, around := s.quotientCycle()
	into, ok := s.nearest(func(i int) bool { return i == at })
	if !ok {
		panic("explore: a visited state has no path to it")
	}
	w := s.walk()
	for _, t := range into {
		w.step(t)
	}
	// With symmetry, once round may have renamed threads. The renamings are finitely many: after some more rounds the
	// state is one that a round began with, though not always the first.
	var began []S
	var steps []int
	for {
		for round, x := range began {
			if x == w.state {
				first := round * len(around)
				return &Cycle{Into: append(into, steps[:first]...), Around: steps[first:]}
			}
		}
		began = append(began, w.state)
		for _, t := range around {
			thread := w.concrete(t)
			w.step(thread)
			steps = append(steps, thread)
		}
	}
}

// quotientCycle is a cycle of the stored graph: a state on it and the stored threads that lead round. Depth-first,
// with a stack of its own, over the states that wait for a predecessor in vain.
func (s *Search[S]) quotientCycle() (at int, around []int) {
	const (
		unseen = iota
		onPath
		left
	)
	colour := make([]uint8, s.arena.n)
	for root := range s.arena.n {
		if s.sorting[root].before == 0 || colour[root] != unseen {
			continue
		}
		type frame struct{ state, edge int }
		path := []frame{{state: root}}
		colour[root] = onPath
		for len(path) > 0 {
			top := &path[len(path)-1]
			next := s.successorsOf(top.state)
			if top.edge == len(next) {
				colour[top.state] = left
				path = path[:len(path)-1]
				continue
			}
			j := int(next[top.edge])
			top.edge++
			switch colour[j] {
			case unseen:
				colour[j] = onPath
				path = append(path, frame{state: j})
			case onPath:
				for k := len(path) - 1; ; k-- {
					if path[k].state == j {
						for _, f := range path[k:] {
							around = append(around, nthThread(s.arena.node(f.state).enabled(), f.edge-1))
						}
						return j, around
					}
				}
			}
		}
	}
	panic("explore: states without an order and without a cycle")
}
