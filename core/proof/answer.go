package proof

import (
	"math/big"
	"sharedbatches/core/coalesce"
	"sharedbatches/core/explore"
	"sharedbatches/core/schedule"
)

// Answer is what a search found about a set-up. Its fields are those of the command
// line's JSON.
type Answer struct {
	Probe       string
	Grain       string
	Free, Last  []string // threads that move at any time, and only when no free one can
	Symmetry    bool
	Exhaustive  bool
	StoppedBy   string // the limit that stopped it, or ""
	States      int
	Transitions int
	Depth       int

	Schedules  *big.Int // lower bounds unless Exhaustive
	Losing     *big.Int
	LosingAll  *big.Int
	LosingPart *big.Int
	Deadlocked *big.Int
	Panicked   *big.Int
	Safe       *big.Int
	Counted    bool
	Chance     float64 // that a scheduler picking uniformly among enabled threads loses

	Orphaning  *Path  // shortest to the orphaning
	WrongSeal  *Path  // shortest to the wrong seal
	NoReturn   *Path  // prefix of WrongSeal after which every way on loses
	Deadlock   *Path  // shortest to a deadlock
	Missing    string // why nobody moves at its end
	Broken     []coalesce.Invariant
	SecondSeal bool // some state hands two batches of one process to one append
	Levels     []explore.Level

	Bytes                       int64
	BytesPerState, BytesPerEdge float64
}

// Path is a schedule found by the search.
type Path struct {
	Letters []schedule.Letter
	Text    string
}

// Answer reads the result of the search.
func (s *search[K]) Answer() *Answer {
	a, rest := s.Begin()
	for _, part := range rest {
		part()
	}
	return a
}

// Begin reads what is at hand. The rest are the schedules: each part passes over all
// states once.
func (s *search[K]) Begin() (a *Answer, rest []func()) {
	r := s.Search.Result()
	m := s.sp.m
	a = &Answer{
		Probe: m.Probe.String(), Grain: s.q.Grain.String(),
		Symmetry: r.Symmetry, Exhaustive: r.Exhaustive, StoppedBy: r.StoppedBy,
		States: r.States, Transitions: r.Transitions, Depth: r.Depth,
		Counted: r.Counted, Chance: r.Losing(), Levels: r.Levels,
		Bytes: r.Bytes, BytesPerState: r.BytesPerState, BytesPerEdge: r.BytesPerEdge,
	}
	for i, t := range s.sp.threads {
		if s.sp.last[i] {
			a.Last = append(a.Last, m.Name(t))
		} else {
			a.Free = append(a.Free, m.Name(t))
		}
	}
	if r.Counted {
		a.Schedules, a.Losing = r.Schedules.Total(), r.Schedules.Losing()
		a.LosingAll, a.LosingPart = r.Schedules[explore.LosingAll], r.Schedules[explore.LosingPart]
		a.Deadlocked, a.Panicked, a.Safe = r.Schedules[explore.Deadlocked], r.Schedules[explore.Panicked], r.Schedules[explore.Safe]
	}
	for i := range coalesce.InvariantCount {
		if r.Marks[markInvariants+i].Reached() {
			a.Broken = append(a.Broken, i)
		}
	}
	a.SecondSeal = r.Marks[MarkSecondBatch].Reached()
	return a, []func(){func() {
		a.Orphaning = s.path(s.Search.ToMark(MarkOrphaned))
	}, func() {
		if threads := s.Search.ToMark(MarkWrongSeal); threads != nil {
			a.WrongSeal = s.path(threads)
			if lost, _, err := s.Search.NoReturn(threads); err == nil && lost >= 0 {
				a.NoReturn = s.path(threads[:lost])
			}
		}
	}, func() {
		if threads := s.Search.ToEnd(explore.Deadlocked); threads != nil {
			a.Deadlock = s.path(threads)
			a.Missing = s.missing(threads)
		}
	}}
}

// path names the threads of a schedule of the search. Under the grain of whole
// calls each of them stands for as many letters as its call had lines.
func (s *search[K]) path(threads []int) *Path {
	if threads == nil {
		return nil
	}
	p := &Path{Letters: []schedule.Letter{}}
	k := s.sp.Start()
	for _, t := range threads {
		for range s.lines(&k, t) {
			p.Letters = append(p.Letters, s.sp.m.Name(s.sp.threads[t]))
		}
	}
	p.Text = schedule.Print(p.Letters)
	return p
}

// lines performs one transition on k and tells how many lines it was.
func (s *search[K]) lines(k *K, thread int) int {
	if s.q.Grain == Atomic {
		return 1
	}
	var to K
	if !s.sp.Next(k, thread, &to) {
		return 0
	}
	state, t, n := *s.sp.look(k), s.sp.threads[thread], 0
	for s.sp.pack(&state) != to {
		s.sp.m.Step(&state, t, nil)
		n++
	}
	*k = to
	return n
}

// missing says why the unfinished threads cannot move at the end of a schedule.
func (s *search[K]) missing(threads []int) string {
	m := s.sp.m
	state := m.Start()
	k := s.sp.pack(&state)
	for _, t := range threads {
		var to K
		if !s.sp.Next(&k, t, &to) {
			return ""
		}
		k = to
	}
	state = *s.sp.look(&k)
	for _, t := range m.Threads() {
		if b := m.Blocked(&state, t); b.Kind == coalesce.Unreported || b.Kind == coalesce.NotWoken {
			return m.Name(t) + " is blocked: " + m.Reason(t, b)
		}
	}
	for _, t := range m.Threads() {
		if b := m.Blocked(&state, t); !b.Over() && b.Kind != coalesce.NotSpawned {
			return m.Name(t) + " is blocked: " + m.Reason(t, b)
		}
	}
	return ""
}
