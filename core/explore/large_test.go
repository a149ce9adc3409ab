package explore

import (
	"math/big"
	"slices"
	"testing"
)

// A grid is threads that each take steps of their own and never meet: (threads * steps)! / steps!^threads schedules.
type grid struct{ threads, steps int }

func (g grid) Start() [4]uint16          { return [4]uint16{} }
func (g grid) Threads() int              { return g.threads }
func (g grid) End(*[4]uint16) Verdict    { return Safe }
func (g grid) Marks(s *[4]uint16) uint32 { return 0 }

func (g grid) Hash(s *[4]uint16) uint64 {
	return Mix(1, uint64(s[0])|uint64(s[1])<<16|uint64(s[2])<<32|uint64(s[3])<<48)
}

func (g grid) Next(from *[4]uint16, thread int, to *[4]uint16) bool {
	*to = *from
	to[thread]++
	return int(to[thread]) <= g.steps
}

func (g grid) want() *big.Int {
	n := factorial(int64(g.threads * g.steps))
	for range g.threads {
		n.Div(n, factorial(int64(g.steps)))
	}
	return n
}

type symmetricGrid struct{ grid }

func (g symmetricGrid) Canon(s *[4]uint16, perm []int) {
	was := [4]int{0, 1, 2, 3}
	slices.SortStableFunc(was[:g.threads], func(a, b int) int { return int(s[a]) - int(s[b]) })
	old := *s
	for i, w := range was[:g.threads] {
		s[i] = old[w]
		if perm != nil {
			perm[w] = i
		}
	}
}

// Counts of one to eighteen limbs: past 2^64, 2^128, 2^256, and past the range of the float64 estimate.
func TestLargeCounts(t *testing.T) {
	for _, c := range []struct {
		grid
		bits  int
		plain bool
	}{
		{grid{2, 32}, 60, true}, {grid{2, 33}, 62, true}, {grid{2, 34}, 64, true}, {grid{2, 35}, 66, true},
		{grid{2, 36}, 68, true}, {grid{2, 70}, 136, true}, {grid{3, 40}, 183, true}, {grid{4, 36}, 277, false},
		{grid{2, 520}, 1035, true}, {grid{2, 560}, 1115, false},
	} {
		want := c.want()
		if got := want.BitLen(); got < c.bits-2 || got > c.bits+2 {
			t.Errorf("%v: %d bits", c.grid, got)
		}
		spaces := []Space[[4]uint16]{symmetricGrid{c.grid}}
		if c.plain {
			spaces = append(spaces, c.grid)
		}
		for _, space := range spaces {
			s := searched(space, Limits{})
			end := [4]uint16{}
			for i := range c.threads {
				end[i] = uint16(c.steps)
			}
			if got := s.Result().Schedules.Total(); got.Cmp(want) != 0 || s.Into(end).Cmp(want) != 0 {
				t.Errorf("%T %v: %v, into the end %v, want %v", space, c.grid, got, s.Into(end), want)
			}
		}
	}
}

// A width that turns out too small is noticed by its carry and the counts are made again.
func TestTooFewLimbs(t *testing.T) {
	s := New[[4]uint16](grid{2, 140}, Limits{})
	s.counts.limbs = 1
	for !s.Run(1000) {
	}
	if got := s.Result().Schedules.Total(); got.Cmp(grid{2, 140}.want()) != 0 || s.counts.limbs < 5 {
		t.Errorf("%v with %d limbs", got, s.counts.limbs)
	}
}
