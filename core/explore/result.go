package explore

import (
	"math/big"
	"strconv"
)

// A Result is what a search found. It shares nothing with the search.
type Result struct {
	States      int // up to symmetry, if Symmetry
	Transitions int // enabled threads over all expanded states; the same edge counted once for each interchangeable thread
	Depth       int // of the deepest state
	Symmetry    bool

	// Exhaustive says that every reachable state was expanded. StoppedBy is the limit or the caller's reason that
	// stopped the search, or its counting; empty when nothing did.
	Exhaustive bool
	StoppedBy  string

	Ends  [Verdicts]int // states in which no thread is enabled, by verdict; Open are those not expanded
	Marks [32]Mark      // by bit of Space.Marks

	// Counted says that Schedules, Chance and Levels are filled. Not so with a Cycle, with NoCounts, or when counting
	// was stopped.
	Counted   bool
	Schedules Counts            // lower bounds unless Exhaustive
	Chance    [Verdicts]float64 // that a scheduler picking uniformly among the enabled threads ends so
	Levels    []Level           // by depth
	Cycle     *Cycle            // nil if there is none, or if it was not looked for

	Bytes         int64   // held by the search
	BytesPerState float64 // state, edges' place and visited entry, as allocated; without edges and counts
	BytesPerEdge  float64 // as allocated
	BytesPerCount float64 // counts, a state
}

// A Mark tells of one condition whether it was ever reached.
type Mark struct {
	States int // in which it holds
	Depth  int // fewest steps to it, -1 if it was not reached
}

// Reached reports whether some visited state has the mark.
func (m Mark) Reached() bool { return m.Depth >= 0 }

// A Level counts the states of one depth by their fate.
type Level struct{ Always, Sometimes, Never, Unknown int }

// Counts are numbers of schedules by verdict. The numbers are the receiver's own and not nil.
type Counts [Verdicts]*big.Int

// Total is the number of all schedules; one that is Open counts as one.
func (c Counts) Total() *big.Int {
	sum := new(big.Int)
	for _, n := range c {
		if n != nil {
			sum.Add(sum, n)
		}
	}
	return sum
}

// Losing is the number of schedules that lose all or a part.
func (c Counts) Losing() *big.Int {
	sum := new(big.Int)
	if c[LosingAll] != nil {
		sum.Add(c[LosingAll], c[LosingPart])
	}
	return sum
}

// Losing is the chance to lose all or a part.
func (r Result) Losing() float64 { return r.Chance[LosingAll] + r.Chance[LosingPart] }

// Safe reports whether the whole space was searched and counted and every schedule in it is safe. It is about ends;
// a mark may be reached all the same.
func (r Result) Safe() bool {
	if !r.Exhaustive || !r.Counted || r.StoppedBy != "" {
		return false
	}
	for v, n := range r.Ends {
		if Verdict(v) != Safe && n != 0 {
			return false
		}
	}
	return true
}

// String is one sentence with the claim that r supports: "8 of 44 schedules lose", "at least 44 schedules, none of
// them losing so far; stopped by states".
func (r Result) String() string {
	stopped := ""
	if r.StoppedBy != "" {
		stopped = "; stopped by " + r.StoppedBy
	}
	switch {
	case r.Cycle != nil:
		return "infinitely many schedules: a cycle of " + strconv.Itoa(len(r.Cycle.Around)) + " steps" + stopped
	case !r.Counted && r.Exhaustive:
		return strconv.Itoa(r.States) + " states, schedules not counted" + stopped
	case !r.Counted:
		return "at least " + strconv.Itoa(r.States) + " states, schedules not counted" + stopped
	}
	total, losing := r.Schedules.Total(), r.Schedules.Losing()
	if r.Exhaustive {
		return losing.String() + " of " + total.String() + " schedules lose" + stopped
	}
	lose := ", none of them losing so far"
	if losing.Sign() > 0 {
		lose = ", at least " + losing.String() + " of them losing"
	}
	return "at least " + total.String() + " schedules" + lose + stopped
}

// Result reports what was found so far; it is complete when Run has reported true.
func (s *Search[S]) Result() Result {
	n := s.arena.n
	r := Result{
		States:      n,
		Transitions: s.arena.edges,
		Depth:       s.depth(),
		Symmetry:    s.canon != nil,
		Exhaustive:  s.expanded == n && s.phase != searching,
		StoppedBy:   s.stoppedBy,
		Ends:        s.ends,
		Marks:       s.marks,
		Cycle:       s.cycle,
		Bytes:       s.bytes(),
	}
	r.Ends[Open] = n - s.expanded
	edgeBytes := int64(len(s.arena.edgeChunks)) * edgeChunk * 4
	r.BytesPerState = float64(s.arena.bytes-edgeBytes+s.visited.bytes()) / float64(n)
	if s.arena.edges > 0 {
		r.BytesPerEdge = float64(edgeBytes) / float64(s.arena.edges)
	}
	if s.counts.ready {
		r.Counted = true
		r.Schedules = s.countsOf(0)
		r.Chance = s.counts.chance
		r.Levels = append(r.Levels, s.fates...)
		r.BytesPerCount = float64(s.countBytes()) / float64(n)
	}
	return r
}
