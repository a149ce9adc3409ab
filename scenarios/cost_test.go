package scenarios

import (
	"testing"

	"sharedbatches/core/coalesce"
)

// TestCosts holds the meter to figures worked out by hand from the schedules. A state
// diff is 256 bytes for an append, 1,476 for an object and 16 more than its data for an
// inline part.
func TestCosts(t *testing.T) {
	for id, want := range map[string][]coalesce.Cost{
		// A and B sweep once, over Y1; the last sweep finds X1, Y1 and Y2 dead.
		"sweep": {
			{Steps: 52, Appends: 3, Parts: 2, Puts: 3, Leaked: 1, DiffBytes: 3*256 + 2*1476, Builders: 5, Sweeps: 2, Probes: 4, Foreign: 1, Longest: 3},
			{Steps: 52, Appends: 3, Parts: 2, Puts: 2, DiffBytes: 3*256 + 2*1476, Builders: 5, Sweeps: 2, Probes: 4, Foreign: 1, Longest: 3},
		},
		// Two inline parts of 2,720 bytes, against one object of both.
		"crossover": {
			{Steps: 5, Appends: 1, Parts: 2, DiffBytes: 256 + 2*(16+2720)},
			{Steps: 29, Appends: 1, Parts: 1, Puts: 1, DiffBytes: 256 + 1476, Evaluations: 2, Builders: 2, Sweeps: 1, Probes: 1, Longest: 1},
		},
		// Four parts into one window: 2 + 4 + 6 + 8 looks, or 1 each.
		"goodbytes": {
			{Steps: 25, Appends: 1, Parts: 1, Puts: 1, DiffBytes: 256 + 1476, Evaluations: 20, Builders: 2, Sweeps: 1, Probes: 1, Longest: 1},
			{Steps: 25, Appends: 1, Parts: 1, Puts: 1, DiffBytes: 256 + 1476, Evaluations: 4, Builders: 2, Sweeps: 1, Probes: 1, Longest: 1},
		},
		// A batch flushed as four objects.
		"uploads": {
			{Steps: 44, Appends: 1, Parts: 4, Puts: 4, DiffBytes: 256 + 4*1476, Evaluations: 9, Builders: 2, Sweeps: 1, Probes: 1, Longest: 1},
		},
	} {
		s, err := Load(id)
		if err != nil {
			t.Fatal(err)
		}
		run, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		run.First()
		for i := range want {
			if got := run.Now().Sides[i].Cost; got != (coalesce.Cost{}) {
				t.Errorf("%s, %s: at the start %+v", id, run.Names[i], got)
			}
		}
		run.Last()
		for i := range want {
			if got := run.Now().Sides[i].Cost; got != want[i] {
				t.Errorf("%s, %s: %+v, want %+v", id, run.Names[i], got, want[i])
			}
		}
	}
}

// TestLeaksCounted holds the leaks that were counted, in every lesson and in random runs
// of it, to the objects that nobody refers to now and those that the cleaner took.
func TestLeaksCounted(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	late, err := Load("uploads") // with a builder task that panics while uploads are out
	if err != nil {
		t.Fatal(err)
	}
	late.ID, late.Schedule, late.Start = "a late time", "B3 A10 Kb4 A2 Kb4 Ub Kb2 A B A2 Kb4 Ub2", 0
	c := &late.Setup
	c.Descriptions, c.Cleaner, c.Sinks[0].Bounds[1] = coalesce.Unchecked, true, 1535 // of which B, who opens first, knows
	c.Tasks[0].Upper, c.Tasks[1].Upper, c.Tasks[1].Parts = 2000, 0, nil
	all = append(all, late)
	seen, warned := 0, 0
	for _, s := range all {
		for seed := range uint64(12) {
			run, err := s.Open()
			if err != nil {
				t.Fatal(err)
			}
			run.Last()
			if seed > 0 && s != late {
				run = run.NewRun()
			}
			if seed > 0 {
				randomLetters(t, run, seed)
			}
			for i, model := range run.Models {
				now := run.Now().Sides[i]
				want := 0
				for _, o := range model.List(&now.State) {
					if o.Status == coalesce.Leaked {
						want++
					}
				}
				for n := 1; n <= run.Cursor(); n++ {
					for _, e := range run.At(n).Sides[i].Events {
						switch e.Kind {
						case coalesce.Cleaned:
							want++
						case coalesce.Discarded:
							warned++
						}
					}
				}
				if now.Cost.Leaked != want {
					t.Errorf("%s, seed %d, %s: %d leaks counted, %d objects leaked", s.ID, seed, run.Names[i], now.Cost.Leaked, want)
				}
				seen += want
			}
		}
	}
	if seen == 0 || seen == warned {
		t.Errorf("%d leaks and %d warnings: leaks of another kind were not compared", seen, warned)
	}
}
