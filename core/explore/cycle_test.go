package explore

import (
	"slices"
	"testing"
)

// 0 -a-> 1 -a-> 2 -a-> 3 -a-> 1, with an end at -b-> 4 from 3 and a state 5 behind the end's side.
func TestCycle(t *testing.T) {
	g := graph{threads: 2, next: map[int][]int{0: {1, -1}, 1: {2, -1}, 2: {3, 5}, 3: {1, 4}, 5: {4, -1}}}
	s := searched[int](g, Limits{})
	r := s.Result()
	if r.Cycle == nil || r.Counted || r.Safe() || !r.Exhaustive || r.Schedules[Safe] != nil {
		t.Fatalf("%+v", r)
	}
	if !slices.Equal(r.Cycle.Into, []int{0}) || !slices.Equal(r.Cycle.Around, []int{0, 0, 0}) {
		t.Errorf("cycle %+v", *r.Cycle)
	}
	if got := r.String(); got != "infinitely many schedules: a cycle of 3 steps" {
		t.Errorf("%q", got)
	}
	if _, ok := s.Ways(1); ok {
		t.Error("ways on from a cycle")
	}
	if got := s.ToEnd(Safe); !slices.Equal(got, []int{0, 0, 0, 1}) {
		t.Errorf("shortest end %v", got)
	}
	if _, _, err := s.NoReturn(nil); err == nil {
		t.Error("a point of no return without counts")
	}
	// A step that changes nothing, at the start itself.
	r = searched[int](graph{threads: 1, next: map[int][]int{0: {0}}}, Limits{}).Result()
	if r.Cycle == nil || len(r.Cycle.Into) != 0 || !slices.Equal(r.Cycle.Around, []int{0}) {
		t.Errorf("cycle %+v", r.Cycle)
	}
}

// A seesaw: a thread that is down pushes itself up and the other down, for ever.
type seesaw struct{}

func (seesaw) Start() [2]bool             { return [2]bool{false, true} }
func (seesaw) Threads() int               { return 2 }
func (seesaw) End(*[2]bool) Verdict       { return Safe }
func (seesaw) Marks(*[2]bool) uint32      { return 0 }
func (seesaw) Hash(s *[2]bool) (h uint64) { return 7 }

func (seesaw) Next(from *[2]bool, thread int, to *[2]bool) bool {
	if from[thread] {
		return false
	}
	*to = [2]bool{thread == 0, thread == 1}
	return true
}

func (seesaw) Canon(s *[2]bool, perm []int) {
	if s[0] && !s[1] {
		s[0], s[1] = s[1], s[0]
		if perm != nil {
			perm[0], perm[1] = 1, 0
		}
	}
}

// Up to symmetry once round is one step; of concrete threads it takes two.
func TestCycleUpToSymmetry(t *testing.T) {
	r := searched[[2]bool](seesaw{}, Limits{}).Result()
	if r.States != 1 || r.Cycle == nil || !slices.Equal(r.Cycle.Around, []int{0, 1}) {
		t.Errorf("%+v, cycle %+v", r, r.Cycle)
	}
	r = searched[[2]bool](seesaw{}, Limits{NoSymmetry: true}).Result()
	if r.States != 2 || r.Cycle == nil || !slices.Equal(r.Cycle.Around, []int{0, 1}) {
		t.Errorf("%+v, cycle %+v", r, r.Cycle)
	}
}
