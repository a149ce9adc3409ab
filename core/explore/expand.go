package explore

import "math/bits"

// search expands up to budget states and returns what is left of budget.
func (s *Search[S]) search(budget int) int {
	for ; budget > 0; budget-- {
		if s.expanded == s.levels[len(s.levels)-1] {
			if s.expanded == s.arena.n {
				s.endSearch()
				return budget
			}
			s.levels = append(s.levels, s.arena.n)
		}
		if why := s.exceeded(); why != "" {
			s.stoppedBy = why
			s.endSearch()
			return budget
		}
		s.arena.reserve(s.k)
		s.expand(s.expanded)
		s.expanded++
	}
	return 0
}

// exceeded says which limit the expansion of the next state would pass, and makes room in the table if none.
func (s *Search[S]) exceeded() string {
	if s.arena.edgeNext+s.k > maxEdges {
		return StoppedByTransitions
	}
	// Near the limit the successors are looked up first: half an expansion would leave states without a path to them.
	if n := s.arena.n; n+s.k > s.limits.States && n+s.unseen(s.expanded) > s.limits.States {
		return StoppedByStates
	}
	grow := s.visited.full(s.k)
	if s.limits.Bytes > 0 {
		need := s.bytes() + s.arena.growth(s.k)
		if grow {
			need += 2 * s.visited.bytes() // beside the old table
		}
		if !s.limits.NoCounts {
			need += int64(s.arena.n) * countReserve
		}
		if need > s.limits.Bytes {
			return StoppedByBytes
		}
	}
	if grow {
		s.visited.grow()
	}
	return ""
}

// expand finds the successors of state i. They are written straight to the end of the arena, where the new ones stay.
func (s *Search[S]) expand(i int) {
	from, n := s.arena.state(i), s.arena.node(i)
	enabled, k := s.step(from)
	if enabled == 0 {
		s.end(from, n)
		return
	}
	first, room := s.arena.n, s.arena.edgeRoom(s.k)
	for e := range k {
		x := s.arena.state(first + e)
		j, slot := s.find(x, s.tags[e])
		if j < 0 {
			j = s.arena.n
			if j != first+e {
				*s.arena.state(j) = *x
			}
			s.keep(x, s.tags[e], slot)
		}
		s.arena.node(j).before++
		room[e] = uint32(j)
	}
	s.arena.setEdges(n, enabled)
}

// step writes the k successors of a state behind the last state of the arena and their tags to s.tags. It touches
// each one's place in the table, so that the processor fetches them all while the rest is computed.
func (s *Search[S]) step(from *S) (enabled uint64, k int) {
	next, slots, shift := s.arena.n, s.visited.slots, s.visited.shift&31
	var touched uint64
	for t := range s.k {
		to := s.arena.state(next + k)
		if !s.space.Next(from, t, to) {
			continue
		}
		if s.canon != nil {
			s.canon.Canon(to, nil)
		}
		tag := tag(s.space.Hash(to))
		touched += slots[int(tag>>shift)&(len(slots)-1)]
		s.tags[k] = tag
		k++
		enabled |= 1 << t
	}
	s.touched = touched // or the compiler would leave it out
	return enabled, k
}

// end ends the expansion of a state without enabled threads.
func (s *Search[S]) end(x *S, n *node) {
	v := s.space.End(x)
	if v == Open || v >= Verdicts {
		panic("explore: End returned no verdict")
	}
	s.ends[v]++
	n.at = uint32(v)
}

// keep makes *x, which lies at the end of the arena or was copied there, the next state.
func (s *Search[S]) keep(x *S, tag uint32, slot int) {
	s.arena.n++
	s.visited.slots[slot] = uint64(tag)<<32 | uint64(s.arena.n)
	s.visited.used++
	if m := s.space.Marks(x); m != 0 {
		s.mark(m)
	}
}

func (s *Search[S]) mark(m uint32) {
	for ; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(m)
		s.marks[k].States++
		if s.marks[k].Depth < 0 {
			s.marks[k].Depth = len(s.levels) - 1
		}
	}
}

// lookup is the index of the state equal to *x, or -1.
func (s *Search[S]) lookup(x *S) int {
	i, _ := s.find(x, tag(s.space.Hash(x)))
	return i
}

// unseen is the number of different successors of state i that were not visited yet.
func (s *Search[S]) unseen(i int) int {
	var found []S
	for t := range s.k {
		var to S
		if !s.space.Next(s.arena.state(i), t, &to) {
			continue
		}
		if s.canon != nil {
			s.canon.Canon(&to, nil)
		}
		fresh := s.lookup(&to) < 0
		for _, f := range found {
			fresh = fresh && f != to
		}
		if fresh {
			found = append(found, to)
		}
	}
	return len(found)
}

func (s *Search[S]) endSearch() {
	if n := s.arena.n; n > s.levels[len(s.levels)-1] {
		s.levels = append(s.levels, n)
	}
	s.phase = ordering
	if s.limits.NoCounts {
		s.phase = done
	}
}
