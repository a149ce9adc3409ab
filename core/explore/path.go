package explore

import "math/bits"

// ToMark is the shortest schedule into a state where mark k holds, nil if none was reached: fewest steps, among those
// fewest switches of thread, among those smallest thread numbers. The empty schedule is not nil.
// Like the other schedules, it is complete once the search phase is over, and takes 12 bytes a state while it is looked for.
func (s *Search[S]) ToMark(k int) []int {
	if k < 0 || k >= len(s.marks) || s.marks[k].Depth < 0 {
		return nil
	}
	path, _ := s.nearest(func(i int) bool { return s.space.Marks(s.arena.state(i))>>k&1 != 0 })
	return path
}

// ToEnd is the shortest schedule that ends in one of the given verdicts, nil if none was reached.
func (s *Search[S]) ToEnd(verdicts ...Verdict) []int {
	path, _ := s.nearest(func(i int) bool {
		if i >= s.expanded || s.arena.node(i).enabled() != 0 {
			return false
		}
		for _, v := range verdicts {
			if s.endOf(i) == v {
				return true
			}
		}
		return false
	})
	return path
}

// ToFate is the shortest schedule into a state of the given fate, nil if there is none or fates were not counted. The
// one to Always is the shortest schedule past a point of no return.
func (s *Search[S]) ToFate(f Fate) []int {
	if !s.counts.ready {
		return nil
	}
	path, _ := s.nearest(func(i int) bool { return s.fate(i) == f })
	return path
}

// nearest is the best schedule into any state for which is holds, as ToMark describes it.
func (s *Search[S]) nearest(is func(i int) bool) ([]int, bool) {
	depth, goals := s.firstLevel(is)
	if goals == nil {
		return nil, false
	}
	base := s.levels[depth]
	p := &pathTable{cost: make([]int32, base), first: make([]uint64, base), goals: goals, base: base}
	for d := depth - 1; d >= 0; d-- {
		for i := s.levels[d]; i < s.levels[d+1]; i++ {
			p.cost[i] = -1
			s.switchesFrom(p, i, s.levels[d+1], s.levels[d+2])
		}
	}
	path := make([]int, 0, depth)
	w := s.walk()
	for d := range depth {
		best, choice := int32(-1), 0
		for thread := range s.k {
			cost := s.switchesBy(p, w.index, w.at[thread], s.levels[d+1], s.levels[d+2])
			if cost < 0 {
				continue
			}
			if d > 0 && thread != path[d-1] {
				cost++
			}
			if best < 0 || cost < best {
				best, choice = cost, thread
			}
		}
		w.step(choice)
		path = append(path, choice)
	}
	if !is(w.index) {
		panic("explore: a shortest schedule does not lead to its goal: Canon returns a wrong permutation")
	}
	return path, true
}

// firstLevel is the first depth with a state for which is holds, and which of its states those are.
func (s *Search[S]) firstLevel(is func(i int) bool) (depth int, goals []bool) {
	for d := range len(s.levels) - 1 {
		for i := s.levels[d]; i < s.levels[d+1] && i < s.arena.n; i++ {
			if is(i) {
				if goals == nil {
					goals = make([]bool, s.levels[d+1]-s.levels[d])
				}
				goals[i-s.levels[d]] = true
			}
		}
		if goals != nil {
			return d, goals
		}
	}
	return 0, nil
}

// A pathTable holds, for the states above the goals, the fewest switches on a shortest way from there to a goal, or
// -1 where no shortest way leads, and the set of threads that can make the first step of such a way. The set is all
// that a predecessor has to know: a thread outside it costs one more switch, either at once or later.
type pathTable struct {
	cost  []int32
	first []uint64
	goals []bool
	base  int // index of the first state of the goals' level
}

// switchesFrom fills the row of state i, whose successors of interest have indexes from lo to hi.
func (s *Search[S]) switchesFrom(p *pathTable, i, lo, hi int) {
	for enabled := s.arena.node(i).enabled(); enabled != 0; enabled &= enabled - 1 {
		t := bits.TrailingZeros64(enabled)
		cost := s.switchesBy(p, i, t, lo, hi)
		switch {
		case cost < 0 || p.cost[i] >= 0 && cost > p.cost[i]:
		case p.cost[i] < 0 || cost < p.cost[i]:
			p.cost[i], p.first[i] = cost, 1<<t
		default:
			p.first[i] |= 1 << t
		}
	}
}

// switchesBy is the fewest switches on a shortest way from state i that begins with thread t, or -1.
func (s *Search[S]) switchesBy(p *pathTable, i, t, lo, hi int) int32 {
	j := s.edge(i, t)
	if j < lo || j >= hi {
		return -1
	}
	if lo == p.base {
		if p.goals[j-lo] {
			return 0
		}
		return -1
	}
	cost := p.cost[j]
	if cost < 0 {
		return -1
	}
	if s.canon != nil {
		t = s.renamed(i, t)
	}
	if p.first[j]>>t&1 == 0 {
		cost++
	}
	return cost
}

// renamed is what thread t of state i is called in its successor by t.
func (s *Search[S]) renamed(i, t int) int {
	perm := identity(s.perm[:s.k])
	s.space.Next(s.arena.state(i), t, &s.scratch)
	s.canon.Canon(&s.scratch, perm)
	return perm[t]
}

// edge is the successor of state i by thread t, or -1.
func (s *Search[S]) edge(i, t int) int {
	enabled := s.arena.node(i).enabled()
	if enabled>>t&1 == 0 {
		return -1
	}
	return int(s.arena.successors(s.arena.node(i))[bits.OnesCount64(enabled&(1<<t-1))])
}

// nthThread is the n-th smallest thread of a set.
func nthThread(set uint64, n int) int {
	for range n {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}
