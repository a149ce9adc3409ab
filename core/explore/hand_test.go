package explore

import (
	"slices"
	"testing"
)

// A graph is a space written down: next[state][thread] is the successor, or -1; a state that is missing is an end.
type graph struct {
	threads int
	next    map[int][]int
	ends    map[int]Verdict // Safe where missing
	marks   map[int]uint32
}

func (g graph) Start() int          { return 0 }
func (g graph) Threads() int        { return g.threads }
func (g graph) Marks(s *int) uint32 { return g.marks[*s] }
func (g graph) Hash(s *int) uint64  { return uint64(*s) }

func (g graph) Next(from *int, thread int, to *int) bool {
	next, ok := g.next[*from]
	if !ok || next[thread] < 0 {
		return false
	}
	*to = next[thread]
	return true
}

func (g graph) End(s *int) Verdict {
	if v, ok := g.ends[*s]; ok {
		return v
	}
	return Safe
}

// The start is an end: one schedule, the empty one.
func TestEmptySpace(t *testing.T) {
	for _, threads := range []int{0, 3} {
		s := searched[int](graph{threads: threads, marks: map[int]uint32{0: 1 << 31}}, Limits{})
		r := s.Result()
		if r.States != 1 || r.Transitions != 0 || r.Depth != 0 || !r.Safe() || r.Schedules[Safe].Int64() != 1 || r.Chance[Safe] != 1 {
			t.Errorf("%d threads: %+v", threads, r)
		}
		for _, path := range [][]int{s.ToEnd(Safe), s.ToMark(31), s.ToFate(Never)} {
			if path == nil || len(path) != 0 {
				t.Errorf("%d threads: schedule %v, want the empty one", threads, path)
			}
		}
		if s.ToEnd(Panicked) != nil || s.ToMark(0) != nil || r.Marks[31] != (Mark{States: 1}) || r.Marks[0].Reached() {
			t.Errorf("%d threads: reached what is not there", threads)
		}
	}
}

// A diamond whose two sides differ in length:
//
//	0 -a-> 1 -a-> 3 (loses all)     0 -b-> 2 -a-> 1
//	       1 -b-> 4 (safe)                 2 -b-> 5 (loses a part)
//
// Schedules: aa, ab; baa, bab; bb. Two lose all, two are safe, one loses a part. State 1 is found at depth 1, before
// state 2, but the ways into it are complete only after state 2: a and ba. Chances: state 1 is reached by 1/2 + 1/4.
var diamond = graph{
	threads: 2,
	next:    map[int][]int{0: {1, 2}, 1: {3, 4}, 2: {1, 5}},
	ends:    map[int]Verdict{3: LosingAll, 5: LosingPart},
	marks:   map[int]uint32{3: 1, 5: 3},
}

func TestDiamond(t *testing.T) {
	s := searched[int](diamond, Limits{})
	r := s.Result()
	if r.States != 6 || r.Transitions != 6 || r.Depth != 2 {
		t.Errorf("%d states, %d transitions, depth %d", r.States, r.Transitions, r.Depth)
	}
	if r.Schedules[LosingAll].Int64() != 2 || r.Schedules[Safe].Int64() != 2 || r.Schedules[LosingPart].Int64() != 1 {
		t.Errorf("schedules %v", r.Schedules)
	}
	if r.Chance[LosingAll] != 0.375 || r.Chance[LosingPart] != 0.25 || r.Losing() != 0.625 {
		t.Errorf("chances %v", r.Chance)
	}
	if s.Into(1).Int64() != 2 || s.Into(4).Int64() != 2 || s.Into(5).Int64() != 1 || s.Into(6) != nil {
		t.Error("ways into states")
	}
	want := []Level{{Sometimes: 1}, {Sometimes: 2}, {Always: 2, Never: 1}}
	if !slices.Equal(r.Levels, want) {
		t.Errorf("levels %v, want %v", r.Levels, want)
	}
	if got := r.String(); got != "3 of 5 schedules lose" {
		t.Errorf("%q", got)
	}
	if lost, saved, err := s.NoReturn([]int{1, 0, 0}); lost != 3 || saved != -1 || err != nil {
		t.Errorf("no return %d, %d, %v", lost, saved, err)
	}
	if lost, saved, err := s.NoReturn([]int{0, 1}); lost != -1 || saved != 2 || err != nil {
		t.Errorf("no return %d, %d, %v", lost, saved, err)
	}
	if _, _, err := s.NoReturn([]int{0, 0, 0}); err == nil || err.Error() != "schedule: step 3: thread 0: not enabled, or past what the search reached" {
		t.Errorf("no return past the end: %v", err)
	}
	if n, ok := s.Find(5); !ok || n != (Node{Index: n.Index, Depth: 2, Place: n.Place, Fate: Always}) || s.State(n.Index) != 5 || s.Node(n.Index) != n {
		t.Errorf("node %+v", n)
	}
}

// Every verdict once, and none hides another: 0 -a-> panicked, -b-> deadlocked, -c-> 3, which -a-> loses a part, -b-> is safe.
func TestVerdicts(t *testing.T) {
	g := graph{
		threads: 3,
		next:    map[int][]int{0: {1, 2, 3}, 3: {4, 5, -1}},
		ends:    map[int]Verdict{1: Panicked, 2: Deadlocked, 4: LosingPart},
	}
	s := searched[int](g, Limits{})
	r := s.Result()
	for v, want := range map[Verdict]int64{Open: 0, Panicked: 1, Deadlocked: 1, LosingAll: 0, LosingPart: 1, Safe: 1} {
		if r.Schedules[v].Int64() != want || int64(r.Ends[v]) != want {
			t.Errorf("%v: %v schedules, %d ends, want %d", v, r.Schedules[v], r.Ends[v], want)
		}
	}
	for v, want := range map[Verdict][]int{Panicked: {0}, Deadlocked: {1}, LosingAll: nil, LosingPart: {2, 0}, Safe: {2, 1}} {
		if got := s.ToEnd(v); !slices.Equal(got, want) {
			t.Errorf("shortest to %v is %v, want %v", v, got, want)
		}
	}
	if n, _ := s.Find(1); n.Fate != Never {
		t.Errorf("a state that panicked loses %v", n.Fate)
	}
	if r.Safe() {
		t.Error("a space with a panic is safe")
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		panicked, deadlocked, loses, all bool
		want                             Verdict
	}{
		{true, true, true, true, Panicked},
		{false, true, true, true, Deadlocked},
		{false, false, true, true, LosingAll},
		{false, false, true, false, LosingPart},
		{false, false, false, true, Safe},
	} {
		if got := Classify(c.panicked, c.deadlocked, c.loses, c.all); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// All three ways to 9 take four steps. 0101 has three switches, 1001 two, 1100 one; 0110 leads elsewhere.
func TestFewestSwitches(t *testing.T) {
	g := graph{
		threads: 2,
		next: map[int][]int{
			0: {1, 2}, 1: {-1, 3}, 2: {4, 5}, 3: {6, 10}, 4: {7, -1}, 5: {8, -1},
			6: {-1, 9}, 7: {-1, 9}, 8: {9, -1}, 10: {11, -1},
		},
		marks: map[int]uint32{9: 1},
	}
	s := searched[int](g, Limits{})
	if got := s.ToMark(0); !slices.Equal(got, []int{1, 1, 0, 0}) {
		t.Errorf("shortest %v", got)
	}
	// Without state 5, 1001 is left with two switches.
	g.next[2] = []int{4, -1}
	if got := searched[int](g, Limits{}).ToMark(0); !slices.Equal(got, []int{1, 0, 0, 1}) {
		t.Errorf("shortest %v", got)
	}
	// Two goals at one depth: the better one counts, and of equals the smaller thread.
	g = graph{threads: 3, next: map[int][]int{0: {1, 2, 2}, 1: {-1, 3, -1}, 2: {-1, 4, 4}}, marks: map[int]uint32{3: 1, 4: 1}}
	if got := searched[int](g, Limits{}).ToMark(0); !slices.Equal(got, []int{1, 1}) {
		t.Errorf("shortest %v", got)
	}
}
