package coalesce_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// counts is the number of maximal runs for each verdict.
type counts [4]*big.Int

func (c counts) String() string {
	return fmt.Sprintf("%d safe, %d losing, %d deadlocked, %d panicked", c[0], c[1], c[2], c[3])
}

// verdictCounter counts all maximal runs by plain recursion with a memo of states.
type verdictCounter struct {
	m    *coalesce.Model
	seen map[coalesce.State]counts
}

func (k *verdictCounter) count(s coalesce.State) counts {
	if r, ok := k.seen[s]; ok {
		return r
	}
	var sum counts
	for i := range sum {
		sum[i] = new(big.Int)
	}
	moved := false
	for _, t := range k.m.Threads() {
		next := s
		if k.m.Step(&next, t, nil).Kind != coalesce.Free {
			continue
		}
		moved = true
		for i, n := range k.count(next) {
			sum[i].Add(sum[i], n)
		}
	}
	if !moved {
		sum[k.m.Classify(&s)].SetInt64(1)
	}
	k.seen[s] = sum
	return sum
}

func countAll(t *testing.T, c coalesce.Config) (counts, int) {
	t.Helper()
	m, err := coalesce.New(c)
	if err != nil {
		t.Fatal(err)
	}
	k := &verdictCounter{m: m, seen: map[coalesce.State]counts{}}
	return k.count(m.Start()), len(k.seen)
}

// small are set-ups whose runs can all be counted in a moment.
var small = map[string]coalesce.Config{
	"A on Y, B on X": {Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000), sink('X', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 1, 1500)}},
	"A and B on Y": {Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0, 1500)}},
	"A and B on Y, B has nothing": {Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0)}},
	"A, B and C on Y": {Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0, 1600), writes(2, 0)}},
	"A on X and Y": {Sinks: []coalesce.SinkConfig{sink('X', 1000, 2000), sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(0, 1, 1500)}},
	"A on Y, a sweeper": {Sweeper: true, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500)}},
	"A and B on Y, a sweeper": {Sweeper: true, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0, 1500)}},
	"A and B on Y, two intervals": {Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0, 1500)}},
	"A and B on Y, five parts against the channel of four": {Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500, 1500, 1500, 1500, 1500), writes(1, 0)}},
}

// TestStrongCountLosesNothing counts every run of the small set-ups: no end state
// loses under strong_count, and some does under upgrade.
func TestStrongCountLosesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range small {
		n, states := countAll(t, under(coalesce.StrongCount, c))
		if n[1].Sign() != 0 || n[2].Sign() != 0 || n[3].Sign() != 0 || n[0].Sign() == 0 {
			t.Errorf("%s, strong_count: %v in %d states", name, n, states)
		}
		n, states = countAll(t, under(coalesce.Upgrade, c))
		if n[1].Sign() == 0 || n[2].Sign() != 0 || n[3].Sign() != 0 || n[0].Sign() == 0 {
			t.Errorf("%s, upgrade: %v in %d states", name, n, states)
		}
	}
}

// TestRenamedWorkers: exchanging what workers do changes no verdict's count. Parts
// and descriptions move with the worker, so only the names differ.
func TestRenamedWorkers(t *testing.T) {
	t.Parallel()
	type job struct {
		sink  int
		parts []int64
		upper int64
	}
	jobs := map[string][][]job{ // of each worker
		"with and without rows": {{{0, []int64{1500}, 0}}, {{0, nil, 0}}},
		"two parts and one":     {{{0, []int64{1500, 1600}, 0}}, {{0, []int64{1700}, 0}}},
		"on X and on Y":         {{{0, []int64{1500}, 0}}, {{1, []int64{1600}, 0}}},
		"both and one":          {{{0, []int64{1500}, 0}, {1, nil, 0}}, {{1, []int64{1600}, 0}}},
		"three":                 {{{0, []int64{1500}, 0}}, {{0, nil, 0}}, {{1, nil, 0}}},
		"conflicting":           {{{0, []int64{1500}, 0}}, {{0, []int64{2500}, 3000}}},
	}
	for name, workers := range jobs {
		for _, probe := range []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount} {
			for _, d := range []coalesce.Descriptions{coalesce.Asserted, coalesce.Unchecked} {
				var first counts
				permutations(len(workers), func(order []int) {
					c := coalesce.Config{Probe: probe, Descriptions: d}
					both := false
					for at, w := range order {
						for _, j := range workers[w] {
							k := writes(at, j.sink, j.parts...)
							k.Upper = j.upper
							c.Tasks = append(c.Tasks, k)
							both = both || j.sink == 1
						}
					}
					c.Sinks = []coalesce.SinkConfig{sink('X', 1000, 2000)}
					if both {
						c.Sinks = append(c.Sinks, sink('Y', 1000, 2000))
					}
					n, _ := countAll(t, c)
					switch {
					case first[0] == nil:
						first = n
					case n.String() != first.String():
						t.Errorf("%s, %s, %s, order %v: %v, want %v", name, probe, d, order, n, first)
					}
				})
			}
		}
	}
}

// permutations calls f with every order of 0 to n-1.
func permutations(n int, f func([]int)) {
	var rec func(order []int)
	rec = func(order []int) {
		if len(order) == n {
			f(order)
			return
		}
		for i := range n {
			if !slices.Contains(order, i) {
				rec(append(slices.Clone(order), i))
			}
		}
	}
	rec(nil)
}

// randomConfig makes a valid best-effort configuration. Conflicting descriptions
// come only when asked for, because they panic.
func randomConfig(r *schedule.Random, conflicts bool) coalesce.Config {
	c := coalesce.Config{Probe: coalesce.Probe(r.Pick(2)), Sweeper: r.Pick(3) == 0}
	if conflicts {
		c.Descriptions = coalesce.Descriptions(r.Pick(2))
	}
	letters := []byte("VWXY")
	for range 1 + r.Pick(coalesce.MaxSinks) {
		i := r.Pick(len(letters))
		s := sink(letters[i], int64(1000*r.Pick(3)))
		letters = slices.Delete(letters, i, i+1)
		for range 1 + r.Pick(coalesce.MaxIntervals) {
			s.Bounds = append(s.Bounds, s.Bounds[len(s.Bounds)-1]+int64(1+r.Pick(4))*250)
		}
		s.Since = int64(r.Pick(int(s.Bounds[0]) + 1))
		c.Sinks = append(c.Sinks, s)
	}
	workers := 1 + r.Pick(4)
	taken := map[[2]int]bool{}
	for sink := range c.Sinks { // each sink is served
		taken[[2]int{r.Pick(workers), sink}] = true
	}
	for range r.Pick(coalesce.MaxTasks - len(c.Sinks) + 1) {
		taken[[2]int{r.Pick(workers), r.Pick(len(c.Sinks))}] = true
	}
	parts := 0
	for w := range workers {
		for sink := range c.Sinks {
			if !taken[[2]int{w, sink}] {
				continue
			}
			k := coalesce.TaskConfig{Worker: w, Sink: sink}
			bounds := c.Sinks[sink].Bounds
			if conflicts && r.Pick(4) == 0 {
				if up := bounds[0] + int64(1+r.Pick(2000)); up != bounds[1] {
					k.Upper = up
				}
			}
			for range r.Pick(7) {
				if parts == coalesce.MaxParts {
					break
				}
				parts++
				n := r.Pick(len(bounds) - 1)
				upper := bounds[n+1]
				if n == 0 && k.Upper != 0 {
					upper = k.Upper
				}
				p := coalesce.PartConfig{Interval: n, At: bounds[n] + int64(r.Pick(int(upper-bounds[n]))), Updates: 1 + r.Pick(9), Bytes: coalesce.InlineLimit + r.Pick(100)}
				if r.Pick(4) == 0 {
					p.Error, p.Gone = fmt.Sprint("error ", parts), r.Pick(3) == 0
				}
				k.Parts = append(k.Parts, p)
			}
			c.Tasks = append(c.Tasks, k)
		}
	}
	return c
}

// TestRandomRuns takes random steps over random configurations. A blocked thread
// that is stepped changes nothing. Under strong_count no invariant ever breaks;
// under upgrade "delivered" is caught, so the check is alive.
func TestRandomRuns(t *testing.T) {
	t.Parallel()
	steps := fewer(1_000_000)
	r := schedule.NewRandom(35411)
	var caught [coalesce.InvariantCount]int
	configs, deepest := 0, 0
	for done := 0; done < steps; {
		c := randomConfig(r, false)
		m, err := coalesce.New(c)
		if err != nil {
			t.Fatalf("%v\n%+v", err, c)
		}
		configs++
		s := m.Start()
		var letters []schedule.Letter
		var free []coalesce.Thread
		var broken [coalesce.InvariantCount]bool
		for {
			free = free[:0]
			for _, th := range m.Threads() {
				if m.Blocked(&s, th).Kind == coalesce.Free {
					free = append(free, th)
				}
			}
			// Any thread, enabled or not.
			any := m.Threads()[r.Pick(len(m.Threads()))]
			if !slices.Contains(free, any) {
				before := s
				var es coalesce.Events
				if b := m.Step(&s, any, &es); b != m.Blocked(&before, any) || s != before || es != nil {
					t.Fatalf("%s: stepping %s, which is blocked, changed something: %+v", schedule.Print(letters), m.Name(any), c)
				}
			}
			if len(free) == 0 {
				break
			}
			th := free[r.Pick(len(free))]
			letters = append(letters, m.Name(th))
			m.Step(&s, th, nil)
			done++
			for _, inv := range []coalesce.Invariant{coalesce.Delivered, coalesce.Once, coalesce.NoLeak, coalesce.Balance, coalesce.ViewTrue} {
				why := m.Broken(&s, inv)
				if why == "" {
					continue
				}
				if c.Probe == coalesce.StrongCount || inv == coalesce.Once || inv == coalesce.Balance {
					t.Fatalf("%s: %s: %s\n%+v", schedule.Print(letters), inv.Name(), why, c)
				}
				if !broken[inv] {
					broken[inv] = true
					caught[inv]++
				}
			}
		}
		deepest = max(deepest, len(letters))
		v := m.Classify(&s)
		if v != coalesce.Safe && (c.Probe == coalesce.StrongCount || v != coalesce.Losing) {
			t.Fatalf("%s ends %v\n%+v", schedule.Print(letters), v, c)
		}
		if lost := m.LostParts(&s) != 0; lost != (v == coalesce.Losing) || lost && !broken[coalesce.Delivered] {
			t.Fatalf("%s ends %v with parts %v lost, delivered broken: %v\n%+v", schedule.Print(letters), v, m.LostParts(&s).List(), broken[coalesce.Delivered], c)
		}
	}
	t.Logf("%d configurations, longest run %d; under upgrade %d lost a batch, %d leaked, %d views were wrong",
		configs, deepest, caught[coalesce.Delivered], caught[coalesce.NoLeak], caught[coalesce.ViewTrue])
	if caught[coalesce.Delivered] == 0 || caught[coalesce.NoLeak] == 0 || caught[coalesce.ViewTrue] == 0 {
		t.Errorf("under upgrade nothing was caught: %v", caught)
	}
}

// TestReplay plays each random schedule a second time: equal events, equal states.
func TestReplay(t *testing.T) {
	r := schedule.NewRandom(37591)
	for range 300 {
		c := randomConfig(r, true)
		p := start(t, c)
		var first []string
		var states []coalesce.State
		letters, err := r.Run(p.enabled, func(name schedule.Letter) error {
			first = append(first, fmt.Sprint(p.step(name)))
			states = append(states, p.s)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		again := start(t, c)
		for i, name := range letters {
			if got := fmt.Sprint(again.step(name)); got != first[i] || again.s != states[i] {
				t.Fatalf("%s: step %d: %s, want %s", schedule.Print(letters), i+1, got, first[i])
			}
		}
	}
}
