package explore

import (
	"fmt"
	"math/big"
	"testing"
)

// A row of the oracle's table.
type row struct {
	race
	states, transitions, sym int
	schedules, orphaning     string
	shortest                 int // 0 where there is none
}

var table = []row{
	{race{n: 2, upgrade: true}, 35, 55, 22, "44", "8", 6},
	{race{n: 3, upgrade: true}, 75, 148, 31, "384", "66", 7},
	{race{n: 4, upgrade: true}, 153, 373, 41, "3912", "624", 8},
	{race{n: 2}, 20, 31, 12, "20", "0", 0},
	{race{n: 3}, 40, 78, 16, "120", "0", 0},
	{race{n: 4}, 76, 185, 20, "840", "0", 0},
	{race{n: 2, push: true, upgrade: true}, 67, 132, 41, "810", "126", 8},
	{race{n: 3, push: true, upgrade: true}, 204, 534, 71, "50796", "6570", 10},
	{race{n: 4, push: true, upgrade: true}, 619, 2046, 111, "4798440", "551952", 12},
	{race{n: 4, push: true}, 336, 1116, 60, "415800", "0", 0},
	{race{n: 3, push: true, list: true, upgrade: true}, 663, 1508, 0, "50796", "6570", 10},
	{race{n: 4, push: true, list: true, upgrade: true}, 5506, 15181, 0, "4798440", "551952", 12},
	{race{n: 3, wait: true, upgrade: true}, 246, 641, 89, "1274616", "122040", 13},
	{race{n: 3, wait: true}, 144, 372, 52, "118800", "0", 0},
	{race{n: 2, push: true, wait: true, upgrade: true}, 115, 244, 71, "48264", "4572", 12},
	{race{n: 3, push: true, wait: true, upgrade: true}, 360, 988, 125, "56387340", "4022460", 16},
	{race{n: 4, push: true, wait: true, upgrade: true}, 1099, 3742, 195, "163921907520", "10556058240", 20},
	{race{n: 4, push: true, wait: true}, 656, 2220, 116, "6153537600", "0", 0},
}

func (r race) String() string {
	name, rule := "", "strong_count"
	if r.push {
		name += "push,"
	}
	if r.list {
		name += "list,"
	}
	if r.wait {
		name += "wait,"
	}
	if r.upgrade {
		rule = "upgrade"
	}
	return fmt.Sprintf("%s%s,%d", name, rule, r.n)
}

// searched runs a search to its end.
func searched[S comparable](space Space[S], limits Limits) *Search[S] {
	s := New(space, limits)
	for !s.Run(100) {
	}
	return s
}

// verify compares a search of a race with its row; the first difference is the error.
func verify(r row, s *Search[raceState]) error {
	got := s.Result()
	if !got.Exhaustive || !got.Counted || got.StoppedBy != "" {
		return fmt.Errorf("not exhaustive: %s", got.String())
	}
	switch {
	case got.Symmetry && got.States != r.sym:
		return fmt.Errorf("%d states up to symmetry, want %d", got.States, r.sym)
	case !got.Symmetry && got.States != r.states:
		return fmt.Errorf("%d states, want %d", got.States, r.states)
	case !got.Symmetry && got.Transitions != r.transitions:
		return fmt.Errorf("%d transitions, want %d", got.Transitions, r.transitions)
	}
	if t := got.Schedules.Total().String(); t != r.schedules {
		return fmt.Errorf("%s schedules, want %s", t, r.schedules)
	}
	if l := got.Schedules.Losing().String(); l != r.orphaning {
		return fmt.Errorf("%s orphaning, want %s", l, r.orphaning)
	}
	if safe := new(big.Int).Add(got.Schedules[Safe], got.Schedules.Losing()).String(); safe != r.schedules {
		return fmt.Errorf("safe and orphaning are %s, want %s", safe, r.schedules)
	}
	shortest := s.ToMark(0)
	if len(shortest) != r.shortest || (shortest == nil) != (r.shortest == 0) || max(0, got.Marks[0].Depth) != r.shortest {
		return fmt.Errorf("shortest orphaning %d at depth %d, want %d", len(shortest), got.Marks[0].Depth, r.shortest)
	}
	if got.Safe() != (r.orphaning == "0") {
		return fmt.Errorf("safe is %v", got.Safe())
	}
	return nil
}

func TestTable(t *testing.T) {
	for _, r := range table {
		t.Run(r.String(), func(t *testing.T) {
			if err := verify(r, searched[raceState](r.race, Limits{})); err != nil {
				t.Error(err)
			}
			if r.sym == 0 {
				return
			}
			if err := verify(r, searched[raceState](symmetricRace{r.race}, Limits{})); err != nil {
				t.Errorf("symmetry: %v", err)
			}
			if err := verify(r, searched[raceState](symmetricRace{r.race}, Limits{NoSymmetry: true})); err != nil {
				t.Errorf("symmetry off: %v", err)
			}
		})
	}
}

// The race of 8 pushing handles, as design.md states it.
func TestEightHandles(t *testing.T) {
	r := race{n: 8, push: true, upgrade: true}
	plain, sym := searched[raceState](r, Limits{}).Result(), searched[raceState](symmetricRace{r}, Limits{}).Result()
	if plain.States != 56947 || sym.States != 391 {
		t.Errorf("%d states, %d up to symmetry; want 56947 and 391", plain.States, sym.States)
	}
	total := plain.Schedules.Total()
	if total.Cmp(sym.Schedules.Total()) != 0 || len(total.String()) != 16 || total.String()[:2] != "95" {
		t.Errorf("%v schedules, %v with symmetry; want 9.5 * 10^15", total, sym.Schedules.Total())
	}
}

func factorial(n int64) *big.Int { return new(big.Int).MulRange(1, n) }

// With strong_count a schedule is an interleaving of a sweeper of three steps with n finishers of one or two:
// (n+3)!/3! and (2n+3)!/(2^n 3!).
func TestClosedForms(t *testing.T) {
	for n := range int64(maxFinishers + 1) {
		plain := new(big.Int).Div(factorial(n+3), factorial(3))
		push := new(big.Int).Div(factorial(2*n+3), new(big.Int).Lsh(factorial(3), uint(n)))
		for _, c := range []struct {
			race
			want *big.Int
		}{
			{race{n: int(n)}, plain},
			{race{n: int(n), push: true}, push},
		} {
			spaces := []Space[raceState]{symmetricRace{c.race}}
			if !c.push || n <= 9 {
				spaces = append(spaces, c.race)
			}
			for _, space := range spaces {
				got := searched(space, Limits{}).Result()
				if got.Schedules.Total().Cmp(c.want) != 0 || !got.Safe() {
					t.Errorf("%v: %s, want 0 of %v", c.race, got.String(), c.want)
				}
			}
		}
	}
}
