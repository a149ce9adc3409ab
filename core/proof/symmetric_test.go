package proof

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// alikeConfig is a small set-up of any mode, sink, persist side and rules, in which some
// workers are alike and others may not be.
func alikeConfig(r *schedule.Random) coalesce.Config {
	c := coalesce.Config{
		Probe: coalesce.Probe(r.Pick(2)), Mode: coalesce.Mode(r.Pick(3)), Whole: coalesce.Around(r.Pick(2)), Persist: coalesce.Persist(r.Pick(2)),
		Finish: coalesce.Finish(r.Pick(6) % 3), Wait: coalesce.WaitOrder(r.Pick(2)), Asserts: coalesce.Asserts(r.Pick(2)),
		Reports: coalesce.Reports(r.Pick(2)), Descriptions: coalesce.Descriptions(r.Pick(2)), Modes: coalesce.Modes(r.Pick(2)),
		Sweeper: r.Pick(4) == 0, Processes: 1 + r.Pick(6)/5,
	}
	k := coalesce.SinkConfig{Name: 'Y', Bounds: []int64{1000, 2000}, Replica: r.Pick(2) * int(c.Whole)}
	if r.Pick(4) == 0 {
		k.Bounds = append(k.Bounds, 3000)
	}
	if c.Whole == coalesce.ShortSink && r.Pick(2) == 0 {
		k.Superseded = []int{0}
	}
	if c.Reports == coalesce.ReportUnchecked && r.Pick(4) == 0 {
		k.Participants = 1 + r.Pick(4)
	}
	c.Sinks = []coalesce.SinkConfig{k}
	if c.Persist == coalesce.WholePersist {
		c.Target = 8192
	}
	kinds := [2]coalesce.TaskConfig{}
	for i := range kinds {
		for range r.Pick(3) {
			p := coalesce.PartConfig{Interval: r.Pick(len(k.Bounds) - 1), Updates: 1, Bytes: 4096}
			p.At = k.Bounds[p.Interval] + 100*int64(r.Pick(3))
			if c.Persist == coalesce.WholePersist {
				p.Bytes = []int{1000, 4096, 8192, 9000}[r.Pick(4)]
			}
			if r.Pick(3) == 0 {
				p.Error = fmt.Sprintf("error %d", r.Pick(100))
			}
			kinds[i].Parts = append(kinds[i].Parts, p)
		}
		if r.Pick(6) == 0 {
			kinds[i].Upper = 2500
		}
		if c.Mode == coalesce.Barrier && c.Whole == coalesce.ShortSink {
			for range r.Pick(3) {
				kinds[i].Skips = append(kinds[i].Skips, 0)
			}
			kinds[i].Writes = r.Pick(2) == 0 && c.Reports == coalesce.ReportUnchecked
			kinds[i].BestEffort = r.Pick(3) == 0 && c.Modes == coalesce.MixedModes
		}
	}
	for w := range 2 + r.Pick(2) {
		t := kinds[r.Pick(4)/3]
		t.Worker, t.Parts = w, slices.Clone(t.Parts)
		for i := range t.Parts {
			if t.Parts[i].Error != "" {
				t.Parts[i].Error += fmt.Sprintf(" of %d", w)
			}
		}
		c.Tasks = append(c.Tasks, t)
	}
	return c
}

// TestSymmetryAnywhere compares searches with and without symmetry on random set-ups:
// every count and every shortest length is the same.
func TestSymmetryAnywhere(t *testing.T) {
	most, want := 30_000, 250
	if testing.Short() {
		most, want = 5_000, 40
	}
	r := schedule.NewRandom(16807)
	compared, folded := 0, 0
	met := map[string]int{}
	for compared < want {
		c := alikeConfig(r)
		m, err := coalesce.New(c)
		if err != nil || len(m.Interchangeable()) == 0 {
			continue
		}
		plain := answer(t, Question{Config: c, NoSymmetry: true, MaxStates: most})
		if !plain.Exhaustive {
			continue
		}
		compared++
		a := answer(t, Question{Config: c})
		if !a.Symmetry || a.States > plain.States {
			t.Fatalf("symmetry %v, %d states with it, %d without\n%+v", a.Symmetry, a.States, plain.States, c)
		}
		if a.States < plain.States {
			folded++
		}
		for _, n := range []struct {
			what      string
			got, want *big.Int
		}{
			{"schedules", a.Schedules, plain.Schedules}, {"losing all", a.LosingAll, plain.LosingAll}, {"losing part", a.LosingPart, plain.LosingPart},
			{"deadlocked", a.Deadlocked, plain.Deadlocked}, {"panicked", a.Panicked, plain.Panicked}, {"safe", a.Safe, plain.Safe},
		} {
			if n.got.Cmp(n.want) != 0 {
				t.Fatalf("%s: %d with symmetry, %d without\n%+v", n.what, n.got, n.want, c)
			}
			if n.want.Sign() > 0 {
				met[n.what]++
			}
		}
		if length(a.Orphaning) != length(plain.Orphaning) || length(a.WrongSeal) != length(plain.WrongSeal) || length(a.Deadlock) != length(plain.Deadlock) ||
			!slices.Equal(a.Broken, plain.Broken) || a.SecondSeal != plain.SecondSeal {
			t.Fatalf("with symmetry %v, %v, %v, broken %v; without %v, %v, %v, broken %v\n%+v", a.Orphaning, a.WrongSeal, a.Deadlock, a.Broken,
				plain.Orphaning, plain.WrongSeal, plain.Deadlock, plain.Broken, c)
		}
		met[fmt.Sprint("mode ", c.Mode, c.Whole, c.Persist)]++
	}
	t.Log(compared, "compared,", folded, "folded,", met)
	if !testing.Short() && (folded < compared/2 || len(met) < 6+3*2*2) {
		t.Errorf("%d of %d were folded; met %v", folded, compared, met)
	}
}
