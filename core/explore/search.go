package explore

import "unsafe" // for Sizeof alone

// Limits bound a search. The zero value searches everything that 32-bit indexes can name, with symmetry and counts.
type Limits struct {
	States     int   // most states to store; 0 is no limit
	Bytes      int64 // most bytes to hold at a time, counting included, beyond the first quarter megabyte; 0 is no limit
	NoSymmetry bool  // do not use Canon even if the Space has it
	NoCounts   bool  // only which states are reached: no counts, chances, levels or ways, and a cycle is not noticed
}

// What stopped a search, besides the reasons that the caller gives to Stop.
const (
	StoppedByStates      = "states"
	StoppedByBytes       = "bytes"
	StoppedByTransitions = "transitions" // 2^32, the most that can be indexed
)

// A Search is one exhaustive search of a Space, from New through calls of Run to Result. It is not for concurrent use.
type Search[S comparable] struct {
	space    Space[S]
	canon    Symmetric[S] // nil without symmetry
	expander Expander[S]  // nil if the space has none
	words    uintptr      // of a state that may be compared by words, or 0
	limits   Limits
	k        int // threads

	arena    arena[S]
	visited  visited
	levels   []int // index of the first state of each depth; after the search, one more that is the end of the last
	expanded int   // states before this index have edges or a verdict
	ends     [Verdicts]int
	marks    [32]Mark

	phase     phase
	stoppedBy string
	order     []uint32
	sorting   []sorting
	cursor    int // how far the present phase is
	counts    counts
	fates     []Level
	cycle     *Cycle

	// Scratch room; in locals it would be allocated anew for each call through the interface.
	together int                 // states expanded at a time
	enabled  [maxTogether]uint64 // of each
	next     []S                 // their successors
	hash     []uint64            // and the hashes of those
	places   []uint32
	touched  uint64
	scratch  S
	perm     [MaxThreads]int
}

// maxTogether is how many states are expanded at a time; fewer, when there are many threads. Their successors should
// fit into the fastest cache.
const maxTogether = 8

// A phase is a stage of the search, in order.
type phase uint8

const (
	searching phase = iota
	marking
	ordering
	backward
	forward
	summing
	done
)

var phaseNames = [...]string{"search", "search", "order", "count", "count", "count", "done"}

// New prepares a search of space; it computes the start state and no more.
func New[S comparable](space Space[S], limits Limits) *Search[S] {
	s := &Search[S]{space: space, limits: limits, k: space.Threads()}
	if s.k < 0 || s.k > MaxThreads {
		panic("explore: a Space has 0 to 64 threads")
	}
	if c, ok := space.(Symmetric[S]); ok && !limits.NoSymmetry {
		s.canon = c
	}
	if e, ok := space.(Expander[S]); ok && e.Expands(s.canon != nil) {
		s.expander = e
		s.words = unsafe.Sizeof(s.scratch) / 8
	}
	s.together = max(1, maxTogether*8/max(8, s.k))
	room := s.together*s.k + 1
	s.next, s.hash, s.places = make([]S, room), make([]uint64, room), make([]uint32, room)
	if limits.States <= 0 || limits.States > maxStates {
		s.limits.States = maxStates
	}
	s.arena.init()
	s.visited.init()
	for k := range s.marks {
		s.marks[k].Depth = -1
	}
	s.levels = []int{0}
	s.arena.reserve(1)
	start := s.arena.state(0)
	*start = space.Start()
	if s.canon != nil {
		s.canon.Canon(start, nil)
	}
	tag := tag(s.space.Hash(start))
	_, slot := s.find(start, tag)
	s.keep(tag, slot)
	s.levels = append(s.levels, 1)
	return s
}

// Run goes on for at most budget states, in whatever phase the search is, and reports whether all is done. Its time is
// proportional to budget, but for the moments when the table of visited states doubles and when a phase begins.
func (s *Search[S]) Run(budget int) bool {
	for budget > 0 && s.phase != done {
		var left int
		switch s.phase {
		case searching:
			left = s.search(budget)
		case marking:
			left = s.markRest(budget)
		case ordering:
			left = s.sortStates(budget)
		case backward:
			left = s.countBackward(budget)
		case forward:
			left = s.countForward(budget)
		case summing:
			left = s.sumLevels(budget)
		}
		budget = left
	}
	return s.phase == done
}

// Stop ends the search for a reason of the caller's, such as "time"; Run then counts what was reached, as lower
// bounds. A Stop while counting gives up the counts.
func (s *Search[S]) Stop(reason string) {
	if s.phase == done {
		return
	}
	if reason == "" {
		reason = "the caller"
	}
	if s.stoppedBy == "" {
		s.stoppedBy = reason
	}
	switch s.phase {
	case searching:
		s.endSearch()
	case marking:
	default:
		s.dropCounts()
		s.phase = done
	}
}

// Progress is where a search stands.
type Progress struct {
	Phase       string // search, order, count or done
	States      int
	Transitions int
	Depth       int   // of the states being expanded
	Frontier    int   // states found and not yet expanded
	Bytes       int64 // held now
}

// Progress reports where the search stands; it takes no time.
func (s *Search[S]) Progress() Progress {
	return Progress{
		Phase:       phaseNames[s.phase],
		States:      s.arena.n,
		Transitions: s.arena.edges,
		Depth:       s.depth(),
		Frontier:    s.arena.n - s.expanded,
		Bytes:       s.bytes(),
	}
}

// depth is that of the deepest state expanded or being expanded.
func (s *Search[S]) depth() int { return len(s.levels) - 2 }

func (s *Search[S]) bytes() int64 { return s.arena.bytes + s.visited.bytes() + s.countBytes() }
