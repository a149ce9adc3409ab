package coalesce_test

import (
	"slices"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// fixedConfig makes a valid configuration under the fixed rules, in any mode, with
// the short or the whole sink.
func fixedConfig(r *schedule.Random) coalesce.Config {
	c := anyConfig(r, false)
	if c.Mode == coalesce.BestEffort {
		c.Probe = coalesce.StrongCount
	}
	c.Asserts = coalesce.Asserts(r.Pick(2))
	c.Teardown = r.Pick(8) == 0
	if r.Pick(2) == 0 {
		return c
	}
	return wholeConfig(r, c)
}

// TestRandomAllModes takes random steps over random configurations under the fixed
// rules: no invariant ever breaks, and no end loses, deadlocks or panics. A teardown
// may leak an upload, which is open in the original (facts.md D10).
func TestRandomAllModes(t *testing.T) {
	t.Parallel()
	steps := fewer(1_000_000)
	r := schedule.NewRandom(36979)
	var taken, ends [2][3]int // by sink and mode
	var seen [64]int          // events
	for done := 0; done < steps; {
		c := fixedConfig(r)
		m, err := coalesce.New(c)
		if err != nil {
			t.Fatalf("%v\n%+v", err, c)
		}
		invariants := m.Invariants()
		lines := map[coalesce.Thread][]int{}
		for _, th := range m.Threads() {
			lines[th] = m.Lines(th)
		}
		s := m.Start()
		var letters []schedule.Letter
		var free []coalesce.Thread
		var es coalesce.Events
		for {
			free = free[:0]
			for _, th := range m.Threads() {
				if m.Blocked(&s, th).Kind == coalesce.Free {
					free = append(free, th)
				}
			}
			if len(free) == 0 {
				break
			}
			th := free[r.Pick(len(free))]
			letters = append(letters, m.Name(th))
			if line := m.Line(&s, th); !slices.Contains(lines[th], line) {
				t.Fatalf("%s: %s runs its line %d, which is not in its program\n%+v", schedule.Print(letters), m.Name(th), line, c)
			}
			es = es[:0]
			m.Step(&s, th, &es)
			for _, e := range es {
				seen[e.Kind]++
			}
			done++
			taken[c.Whole][c.Mode]++
			for _, inv := range invariants {
				if m.Holds(&s, inv) || inv == coalesce.NoLeak && s.Torn != 0 {
					continue
				}
				t.Fatalf("%s: %s: %s\n%+v", schedule.Print(letters), inv.Name(), m.Broken(&s, inv), c)
			}
			for p := range m.Processes {
				g := &s.Registries[p]
				for i := range g.Entries {
					if _, live := g.Entries[i].Slot(); live && g.Skips[i] != 0 {
						t.Fatalf("%s: a live batch has pending skips (facts.md O8)\n%+v", schedule.Print(letters), c)
					}
				}
			}
		}
		ends[c.Whole][c.Mode]++
		if v := m.Classify(&s); v != coalesce.Safe {
			t.Fatalf("%s ends %v\n%+v", schedule.Print(letters), v, c)
		}
	}
	t.Log("steps", taken, "runs", ends)
	for whole := range taken {
		for mode, n := range taken[whole] {
			if n < steps/50 {
				t.Errorf("%v, mode %d: only %d steps", coalesce.Around(whole), mode, n)
			}
		}
	}
	for _, k := range []coalesce.EventKind{
		coalesce.SkipNoted, coalesce.SkipDropped, coalesce.Woke, coalesce.NotifiedAll, coalesce.Aborted, coalesce.Superseded,
		coalesce.Mismatched, coalesce.Outdated, coalesce.ReplicaSealed, coalesce.WroteOwn, coalesce.Destroyed, coalesce.Discarded,
	} {
		if seen[k] == 0 {
			t.Errorf("event %d has never happened", k)
		}
	}
	for _, k := range []coalesce.EventKind{coalesce.Lost, coalesce.Panicked} {
		if seen[k] != 0 {
			t.Errorf("event %d has happened %d times", k, seen[k])
		}
	}
}
