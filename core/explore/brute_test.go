package explore

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// A brute enumerates every schedule by plain recursion over Next: no visited set, no canonical form, nothing shared
// with the search.
type brute[S comparable] struct {
	space   Space[S]
	ends    [Verdicts]int64
	chance  [Verdicts]float64
	best    [32][]int // by mark, the best schedule to it
	steps   []int
	room    S
	visited map[S]int64 // ways into each state, if not nil
}

func (b *brute[S]) run(s S, chance float64) {
	if b.visited != nil {
		b.visited[s]++
	}
	if m := b.space.Marks(&s); m != 0 {
		for k := range b.best {
			if m>>k&1 != 0 && (b.best[k] == nil || better(b.steps, b.best[k])) {
				b.best[k] = append([]int{}, b.steps...)
			}
		}
	}
	enabled := 0
	for t := range b.space.Threads() {
		if b.space.Next(&s, t, &b.room) {
			enabled++
		}
	}
	for t := range b.space.Threads() {
		if b.space.Next(&s, t, &b.room) {
			b.steps = append(b.steps, t)
			b.run(b.room, chance/float64(enabled))
			b.steps = b.steps[:len(b.steps)-1]
		}
	}
	if enabled == 0 {
		b.ends[b.space.End(&s)]++
		b.chance[b.space.End(&s)] += chance
	}
}

// better orders schedules by length, then switches of thread, then thread numbers.
func better(a, b []int) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	if x, y := switches(a), switches(b); x != y {
		return x < y
	}
	return slices.Compare(a, b) < 0
}

func switches(schedule []int) int {
	n := 0
	for i := 1; i < len(schedule); i++ {
		if schedule[i] != schedule[i-1] {
			n++
		}
	}
	return n
}

// agrees compares a finished search with the enumeration of the same space.
func agrees[S comparable](b *brute[S], s *Search[S]) error {
	r := s.Result()
	if !r.Exhaustive || !r.Counted {
		return fmt.Errorf("not exhaustive: %s", r.String())
	}
	for v := range Verdicts {
		if got := r.Schedules[v]; !got.IsInt64() || got.Int64() != b.ends[v] {
			return fmt.Errorf("%v schedules %v, brute force %d", got, v, b.ends[v])
		}
		if math.Abs(r.Chance[v]-b.chance[v]) > 1e-9 {
			return fmt.Errorf("chance of %v %v, brute force %v", v, r.Chance[v], b.chance[v])
		}
	}
	for k, want := range b.best {
		if got := s.ToMark(k); !slices.Equal(got, want) || (got == nil) != (want == nil) {
			return fmt.Errorf("shortest to mark %d is %v, brute force %v", k, got, want)
		}
	}
	w, ok := s.Ways(b.space.Start())
	if !ok || w.Counts.Total().Cmp(r.Schedules.Total()) != 0 || math.Abs(w.Losing-r.Losing()) > 1e-9 {
		return fmt.Errorf("ways from the start: %v, %v, total %v, %v", w.Counts, w.Losing, r.Schedules.Total(), r.Losing())
	}
	return nil
}

func enumerate[S comparable](space Space[S]) *brute[S] {
	b := &brute[S]{space: space}
	b.run(space.Start(), 1)
	return b
}

func TestBruteForce(t *testing.T) {
	for _, r := range table {
		if len(r.schedules) > 7 || testing.Short() && len(r.schedules) > 5 {
			continue
		}
		b := enumerate[raceState](r.race)
		if err := agrees(b, searched[raceState](r.race, Limits{})); err != nil {
			t.Errorf("%v: %v", r.race, err)
		}
		if r.list {
			continue
		}
		if err := agrees(b, searched[raceState](symmetricRace{r.race}, Limits{})); err != nil {
			t.Errorf("%v, symmetry: %v", r.race, err)
		}
	}
}

// Every state that a schedule reaches is asked for its ways; each must be what enumerating from there gives.
func TestWaysEverywhere(t *testing.T) {
	for _, r := range []race{{n: 3, upgrade: true}, {n: 2, push: true, upgrade: true}, {n: 2, push: true}} {
		all := &brute[raceState]{space: r, visited: map[raceState]int64{}}
		all.run(r.Start(), 1)
		plain := searched[raceState](r, Limits{})
		sym := searched[raceState](symmetricRace{r}, Limits{})
		orbits := map[int]int64{}
		for state, into := range all.visited {
			node, _ := sym.Find(state)
			orbits[node.Index] += into
			if got := plain.Into(state); got.Int64() != into {
				t.Errorf("%v: %v ways into %v, brute force %d", r, got, state, into)
			}
			for _, s := range []*Search[raceState]{plain, sym} {
				if err := sameWays(r, s, state); err != nil {
					t.Errorf("%v, symmetry %v: %v: %v", r, s.Result().Symmetry, state, err)
				}
			}
		}
		for state := range all.visited {
			node, _ := sym.Find(state)
			if got := sym.Into(state); got.Int64() != orbits[node.Index] {
				t.Errorf("%v: %v ways into all renamings of %v, brute force %d", r, got, state, orbits[node.Index])
			}
		}
		if len(all.visited) != plain.Result().States || len(orbits) != sym.Result().States {
			t.Errorf("%v: %d states and %d up to symmetry, searched %d and %d", r, len(all.visited), len(orbits), plain.Result().States, sym.Result().States)
		}
	}
}

func sameWays(r race, s *Search[raceState], state raceState) error {
	from := func(x raceState) *brute[raceState] {
		b := &brute[raceState]{space: r}
		b.run(x, 1)
		return b
	}
	same := func(c Counts, losing float64, f Fate, b *brute[raceState]) error {
		for v := range Verdicts {
			if c[v].Int64() != b.ends[v] {
				return fmt.Errorf("%v ways are %v, brute force %d", c[v], v, b.ends[v])
			}
		}
		if math.Abs(losing-b.chance[LosingAll]) > 1e-9 {
			return fmt.Errorf("chance of losing %v, brute force %v", losing, b.chance[LosingAll])
		}
		want := Sometimes
		if b.ends[LosingAll] == 0 {
			want = Never
		} else if b.ends[Safe] == 0 {
			want = Always
		}
		if f != want {
			return fmt.Errorf("loses %v, brute force %v", f, want)
		}
		return nil
	}
	w, ok := s.Ways(state)
	if !ok {
		return fmt.Errorf("not found")
	}
	if err := same(w.Counts, w.Losing, w.Fate, from(state)); err != nil {
		return err
	}
	after := w.After
	for t := range r.Threads() {
		var to raceState
		if !r.Next(&state, t, &to) {
			continue
		}
		if len(after) == 0 || after[0].Thread != t {
			return fmt.Errorf("thread %d has no ways", t)
		}
		if err := same(after[0].Counts, after[0].Losing, after[0].Fate, from(to)); err != nil {
			return fmt.Errorf("after thread %d: %w", t, err)
		}
		after = after[1:]
	}
	if len(after) != 0 {
		return fmt.Errorf("thread %d is not enabled", after[0].Thread)
	}
	return nil
}
