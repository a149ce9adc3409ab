package explore

import (
	"math/bits"
	"unsafe" // to touch the first byte of a state
)

// search expands up to budget states and returns what is left of budget.
func (s *Search[S]) search(budget int) int {
	for budget > 0 {
		if s.expanded == s.levels[len(s.levels)-1] {
			if s.expanded == s.arena.n {
				s.endSearch()
				return budget
			}
			s.levels = append(s.levels, s.arena.n)
		}
		m := min(s.together, budget, s.levels[len(s.levels)-1]-s.expanded)
		why := s.exceeded(m)
		if why != "" && m > 1 {
			m = 1
			why = s.exceeded(m)
		}
		if why != "" {
			s.stoppedBy = why
			s.endSearch()
			return budget
		}
		s.arena.reserve(m * s.k)
		s.expand(s.expanded, m)
		s.expanded += m
		budget -= m
	}
	return 0
}

// exceeded says which limit the expansion of the next m states would pass, and makes room in the table if none.
func (s *Search[S]) exceeded(m int) string {
	k := m * s.k
	if s.arena.edgeNext+k > maxEdges {
		return StoppedByTransitions
	}
	// Near the limit the successors are looked up first: half an expansion would leave states without a path to them.
	if n := s.arena.n; n+k > s.limits.States && (m > 1 || n+s.unseen(s.expanded) > s.limits.States) {
		return StoppedByStates
	}
	grow := s.visited.full(k)
	if s.limits.Bytes > 0 {
		need := s.bytes() + s.arena.growth(k)
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

// expand finds the successors of m states from state i on. Each one's place in the table, and the state found there,
// lie anywhere in memory; to look them all up before any is compared lets the processor fetch them at the same time.
func (s *Search[S]) expand(i, m int) {
	all := 0
	for b := range m {
		from := s.arena.state(i + b)
		enabled, marks := s.successors(from, all)
		s.enabled[b] = enabled
		all += bits.OnesCount64(enabled)
		if marks != 0 {
			s.mark(i+b, marks)
		}
	}
	words := s.words
	slots, shift, mask := s.visited.slots, s.visited.shift&31, len(s.visited.slots)-1
	places := s.places[:all]
	for e, h := range s.hash[:all] {
		places[e] = uint32(slots[int(tag(h)>>shift)&mask])
	}
	var touched uint64
	for _, j := range places {
		touched += uint64(*(*byte)(unsafe.Pointer(s.arena.state(max(int(j)-1, 0)))))
	}
	s.touched = touched // or the compiler would leave it out
	all = 0
	for b := range m {
		n := s.arena.node(i + b)
		enabled := s.enabled[b]
		if enabled == 0 {
			s.end(s.arena.state(i+b), n)
			continue
		}
		k := bits.OnesCount64(enabled)
		room := s.arena.edgeRoom(k)
		next, hash := s.next[all:all+k], s.hash[all:all+k]
		for e := range room {
			x, tag := &next[e], tag(hash[e])
			var j int
			// As find and keep do; they are too long to be inlined.
			for at := int(tag>>shift) & mask; ; at = (at + 1) & mask {
				entry := slots[at]
				if entry == 0 {
					j = s.arena.n
					*s.arena.state(j) = *x
					s.keep(tag, at)
					break
				}
				if uint32(entry>>32) == tag {
					j = int(uint32(entry)) - 1
					if words == 0 && *s.arena.state(j) == *x || words != 0 && sameWords(unsafe.Pointer(s.arena.state(j)), unsafe.Pointer(x), words) {
						break
					}
				}
			}
			s.arena.node(j).before++
			room[e] = uint32(j)
		}
		s.arena.setEdges(n, enabled)
		all += k
	}
}

// sameWords compares n words. It is inlined, where == of a long array is two calls.
func sameWords(a, b unsafe.Pointer, n uintptr) bool {
	for i := uintptr(0); i < n*8; i += 8 {
		if *(*uint64)(unsafe.Add(a, i)) != *(*uint64)(unsafe.Add(b, i)) {
			return false
		}
	}
	return true
}

// successors writes the successors of a state to s.next and their hashes to s.hash, from the given index on.
func (s *Search[S]) successors(from *S, at int) (enabled uint64, marks uint32) {
	if s.expander != nil {
		return s.expander.Expand(from, s.next[at:at+s.k], s.hash[at:at+s.k])
	}
	for t := range s.k {
		to := &s.next[at]
		if !s.space.Next(from, t, to) {
			continue
		}
		if s.canon != nil {
			s.canon.Canon(to, nil)
		}
		s.hash[at] = s.space.Hash(to)
		at++
		enabled |= 1 << t
	}
	return enabled, s.space.Marks(from)
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

// keep counts the state that was written behind the last one.
func (s *Search[S]) keep(tag uint32, slot int) {
	s.arena.n++
	s.visited.slots[slot] = uint64(tag)<<32 | uint64(s.arena.n)
	s.visited.used++
}

// mark notes the marks of state i.
func (s *Search[S]) mark(i int, m uint32) {
	for ; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(m)
		s.marks[k].States++
		if s.marks[k].Depth < 0 {
			s.marks[k].Depth = s.Node(i).Depth
		}
	}
}

// markRest notes the marks of the states that were found and not expanded.
func (s *Search[S]) markRest(budget int) int {
	for ; budget > 0 && s.cursor < s.arena.n; budget-- {
		s.mark(s.cursor, s.space.Marks(s.arena.state(s.cursor)))
		s.cursor++
	}
	if s.cursor == s.arena.n {
		s.enter(ordering)
		if s.limits.NoCounts {
			s.enter(done)
		}
	}
	return budget
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
	s.enter(marking)
	s.cursor = s.expanded
	s.markRest(0)
}
