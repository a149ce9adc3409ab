package meter

import (
	"testing"

	"sharedbatches/core/coalesce"
)

func run(t testing.TB, w Workload) Cost {
	t.Helper()
	c, err := Run(w)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestShape pins what the published figures have in common with these: a part for
// each worker without sharing, exactly one with the barrier, between them at best
// effort; as many consensus commands in all modes.
func TestShape(t *testing.T) {
	const workers, intervals = 8, 40
	for seed := range uint64(5) {
		w := Workload{Workers: workers, Sinks: 1, Intervals: intervals, Probe: coalesce.StrongCount, Seed: seed}
		costs := map[coalesce.Mode]Cost{}
		for _, mode := range []coalesce.Mode{coalesce.PerWorker, coalesce.BestEffort, coalesce.Barrier} {
			w.Mode = mode
			costs[mode] = run(t, w)
		}
		own, best, barrier := costs[coalesce.PerWorker], costs[coalesce.BestEffort], costs[coalesce.Barrier]
		// The last window is played to its end, which is one window more.
		appends := intervals + coalesce.Window
		for mode, c := range costs {
			if c.Appends != appends {
				t.Errorf("seed %d, mode %d: %d appends, want %d", seed, mode, c.Appends, appends)
			}
			if c.Puts != c.Parts || c.Leaked != 0 {
				t.Errorf("seed %d, mode %d: %d PUTs, %d parts, %d leaked", seed, mode, c.Puts, c.Parts, c.Leaked)
			}
		}
		if own.Parts != workers*appends {
			t.Errorf("seed %d: %d parts with a batch for each worker, want %d", seed, own.Parts, workers*appends)
		}
		if barrier.Parts != appends {
			t.Errorf("seed %d: %d parts with the barrier, want %d", seed, barrier.Parts, appends)
		}
		if best.Parts <= barrier.Parts || best.Parts >= own.Parts {
			t.Errorf("seed %d: %d parts at best effort, want between %d and %d", seed, best.Parts, barrier.Parts, own.Parts)
		}
		if own.DiffBytes <= best.DiffBytes || best.DiffBytes <= barrier.DiffBytes {
			t.Errorf("seed %d: state diffs %d, %d, %d do not shrink", seed, own.DiffBytes, best.DiffBytes, barrier.DiffBytes)
		}
	}
}

// TestRepeats holds that a seed decides everything.
func TestRepeats(t *testing.T) {
	w := Workload{Workers: 4, Sinks: 2, Intervals: 20, Seed: 7}
	if a, b := run(t, w), run(t, w); a != b {
		t.Errorf("%+v, then %+v", a, b)
	}
	other := w
	other.Seed++
	if run(t, w) == run(t, other) {
		t.Error("two seeds give the same run")
	}
}

// TestUpgradeLeaks holds that the broken probe is seen here too: some seed leaks.
func TestUpgradeLeaks(t *testing.T) {
	leaked := 0
	for seed := range uint64(20) {
		leaked += run(t, Workload{Workers: 4, Sinks: 2, Intervals: 20, Probe: coalesce.Upgrade, Seed: seed}).Leaked
	}
	if leaked == 0 {
		t.Error("no seed of 20 leaks")
	}
}

// TestFlat holds that ten thousand intervals need no more memory at a time than a
// thousand: as much is allocated for each, and the map does not grow.
func TestFlat(t *testing.T) {
	w := Workload{Workers: 8, Sinks: 1, Probe: coalesce.StrongCount}
	perInterval := func(intervals int) float64 {
		w.Intervals = intervals
		return testing.AllocsPerRun(1, func() { run(t, w) }) / float64(intervals)
	}
	few, many := perInterval(1000), perInterval(10000)
	if many > 1.1*few {
		t.Errorf("%.1f allocations an interval in 1000 intervals, %.1f in 10000", few, many)
	}
	if c := run(t, w); c.Longest > 8 {
		t.Errorf("the map grew to %d entries", c.Longest)
	}
}

func BenchmarkInterval(b *testing.B) {
	w := Workload{Workers: 8, Sinks: 1, Intervals: 2, Probe: coalesce.StrongCount}
	w.Intervals = max(b.N/coalesce.Window*coalesce.Window, 2)
	run(b, w)
}
