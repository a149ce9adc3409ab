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
	c.Cleaner = r.Pick(8) == 0
	if r.Pick(3) == 0 {
		c = persistConfig(r, c, false)
	}
	if r.Pick(2) == 0 {
		return c
	}
	return wholeConfig(r, c)
}

// TestRandomAllModes takes random steps over random configurations under the fixed
// rules, with either persist side: no invariant ever breaks, no end loses, deadlocks or panics, no batch
// has more uploads in flight or more runs than may be. A teardown
// may leak an upload, which is open in the original (facts.md D10).
func TestRandomAllModes(t *testing.T) {
	t.Parallel()
	steps := fewer(1_000_000)
	r := schedule.NewRandom(36979)
	var taken, ends [2][3]int // by sink and mode
	var seen [64]int          // events
	var persists [2]int       // steps by persist side
	uploads := 0              // of one batch at a time
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
			persists[c.Persist]++
			if c.Persist == coalesce.WholePersist {
				uploads = max(uploads, checkUploads(t, m, &s))
			}
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
	t.Log("steps", taken, "runs", ends, "by persist side", persists, "uploads in flight", uploads)
	if persists[coalesce.WholePersist] < steps/10 || uploads < 2 {
		t.Errorf("%d steps with the whole persist side, at most %d uploads in flight", persists[coalesce.WholePersist], uploads)
	}
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
		coalesce.Flushed, coalesce.Added, coalesce.Labelled, coalesce.Cleaned,
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

// checkUploads holds every batch of a state to its limits and counts the most uploads
// in flight for one. Parts of one batch are flushed once each.
func checkUploads(t *testing.T, m *coalesce.Model, s *coalesce.State) (most int) {
	type batch struct {
		spawner coalesce.Thread
		n       int
	}
	flying, flushed := map[batch]int{}, map[batch]coalesce.Parts{}
	for _, o := range m.Pieces(s) {
		at := batch{o.Spawner, o.N}
		if o.Status == coalesce.Uploading {
			flying[at]++
		}
		if flushed[at]&o.Parts != 0 || o.Parts == 0 {
			t.Fatalf("flush %d of %v has %v", o.Flush, at, o.Parts.List())
		}
		flushed[at] |= o.Parts
		if o.Inline != (o.Bytes < coalesce.InlineLimit) || o.Bytes > m.Target && o.Parts.Len() > 1 {
			t.Fatalf("%v: %d bytes, inline %v, target %d", o.Parts.List(), o.Bytes, o.Inline, m.Target)
		}
		if m.MaxRuns >= 2 && m.RunsOf(s, o.Spawner, o.N) > m.MaxRuns {
			t.Fatalf("%v has %d runs", at, m.RunsOf(s, o.Spawner, o.N))
		}
	}
	for at, n := range flying {
		if n > m.Outstanding {
			t.Fatalf("%v has %d uploads in flight, %d may be", at, n, m.Outstanding)
		}
		most = max(most, n)
	}
	return most
}
