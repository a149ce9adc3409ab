package worlds_test

import (
	"slices"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// sweepSchedule is the key scenario's schedule, worked out by hand in design.md section 4.
const sweepSchedule = "A4 B3 A B A Ka2 A B5 Kb2 B Px By5 Kby By Py A5 La A La A By12 Lby By Py"

func sweepConfig() coalesce.Config {
	return coalesce.Config{
		Target: 64 << 10,
		Sinks: []coalesce.SinkConfig{
			{Name: 'X', Bounds: []int64{1000, 2000}},
			{Name: 'Y', Bounds: []int64{1000, 2000, 3000}},
		},
		Tasks: []coalesce.TaskConfig{
			{Worker: 0, Sink: 1, Parts: []coalesce.PartConfig{{At: 1500, Updates: 512, Bytes: 16384, Changes: []coalesce.Change{{Key: "7", From: 5, To: 6}}}}},
			{Worker: 1, Sink: 0, Parts: []coalesce.PartConfig{{At: 1500, Updates: 512, Bytes: 16384}}},
			{Worker: 1, Sink: 1},
		},
	}
}

func play(t *testing.T, c coalesce.Config, text string, probes ...coalesce.Probe) *worlds.Run {
	t.Helper()
	w, err := worlds.New(c, probes...)
	if err != nil {
		t.Fatal(err)
	}
	letters, err := schedule.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r := w.NewRun()
	if err := r.Play(letters); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSweepSchedule meets every number that design.md section 4 gives for it.
func TestSweepSchedule(t *testing.T) {
	r := play(t, sweepConfig(), sweepSchedule, coalesce.Upgrade, coalesce.StrongCount)
	const up, sc = 0, 1
	if got := r.Len(); got != 54 {
		t.Errorf("%d letters, want 54", got)
	}
	var skips [2][]int
	for n := 1; n <= r.Len(); n++ {
		for i := range skips {
			if r.At(n).Sides[i].Line < 0 {
				skips[i] = append(skips[i], n)
			}
		}
	}
	if !slices.Equal(skips[up], []int{10, 13}) || !slices.Equal(skips[sc], []int{38, 39}) {
		t.Errorf("skips %v, want [[10 13] [38 39]]", skips)
	}
	if m := r.Now(); m.Differ != 7 || m.Outcome != 8 {
		t.Errorf("first different state %d and outcome %d, want 7 and 8", m.Differ, m.Outcome)
	}
	for _, c := range []struct {
		step, world int
		kind        coalesce.EventKind
		a, b        int32 // where the kind has them; -1: not asked
	}{
		{7, up, coalesce.ProbeTook, 1, 2},
		{7, sc, coalesce.ProbeLoaded, 1, -1},
		{8, up, coalesce.Decremented, 2, 1},
		{8, up, coalesce.AnsweredNone, int32(coalesce.OnlySweep), -1},
		{8, sc, coalesce.Took, 1, 0},
		{9, up, coalesce.Destroyed, -1, -1},
		{12, up, coalesce.Discarded, -1, -1},
		{13, sc, coalesce.AnsweredSome, -1, -1},
		{29, up, coalesce.AnsweredNone, int32(coalesce.NothingToWrite), -1},
		{29, sc, coalesce.AnsweredNone, int32(coalesce.NothingToWrite), -1},
		{30, up, coalesce.Lost, 0, -1},
		{34, up, coalesce.Pushed, -1, 1},
		{37, sc, coalesce.AnsweredNone, int32(coalesce.NothingToWrite), -1},
		{39, up, coalesce.AnsweredSome, -1, -1},
	} {
		found := false
		for _, e := range r.At(c.step).Sides[c.world].Events {
			found = found || e.Kind == c.kind && (c.a < 0 || e.A == c.a) && (c.b < 0 || e.B == c.b)
		}
		if !found {
			t.Errorf("step %d, world %d: %v, want kind %d with %d, %d", c.step, c.world, r.At(c.step).Sides[c.world].Events, c.kind, c.a, c.b)
		}
	}
	if r.At(29).Sides[sc].Events[0] != r.At(29).Sides[up].Events[0] {
		t.Error("By's normal None differs between the worlds")
	}
	const y = 1
	for _, c := range []struct {
		step, world int
		asOf        int64
		status      coalesce.ReadStatus
		view, truth int
	}{
		{29, up, 1500, coalesce.Waits, 5, 6},
		{30, up, 1499, coalesce.Answers, 5, 5},
		{30, up, 1500, coalesce.Answers, 5, 6},
		{30, up, 1999, coalesce.Answers, 5, 6},
		{30, sc, 1500, coalesce.Answers, 6, 6},
		{30, up, 2000, coalesce.Waits, 5, 6},
		{54, up, 1500, coalesce.Answers, 5, 6},
		{54, up, 1999, coalesce.Answers, 5, 6},
		{54, up, 2000, coalesce.Answers, 6, 6},
		{54, sc, 1500, coalesce.Answers, 6, 6},
		{54, sc, 2999, coalesce.Answers, 6, 6},
	} {
		got := r.Models[c.world].ReadAsOf(&r.At(c.step).Sides[c.world].State, y, "7", c.asOf)
		if got.Status != c.status || got.Truth != c.truth || got.Status == coalesce.Answers && got.View != c.view {
			t.Errorf("step %d, world %d, AS OF %d: %+v, want status %d, %d against %d", c.step, c.world, c.asOf, got, c.status, c.view, c.truth)
		}
	}
	for i, want := range []struct{ puts, leaked int }{{3, 1}, {2, 0}} {
		s := r.Now().Sides[i].State
		leaked := 0
		for _, o := range r.Models[i].List(&s) {
			if o.Status == coalesce.Leaked {
				leaked++
			}
		}
		if int(s.Puts) != want.puts || leaked != want.leaked {
			t.Errorf("world %d: %d PUTs, %d leaked, want %+v", i, s.Puts, leaked, want)
		}
		if got := r.Models[i].Upper(&s, y); got != 3000 {
			t.Errorf("world %d: upper %d, want 3000", i, got)
		}
	}
	since := r.Now().Sides[up].Since
	if want := [coalesce.InvariantCount]int{8, 0, 12, 0, 30}; since != want {
		t.Errorf("invariants broken since %v, want %v", since, want)
	}
	if since := r.Now().Sides[sc].Since; since != [coalesce.InvariantCount]int{} {
		t.Errorf("strong_count breaks invariants since %v", since)
	}
	if !r.Over(r.Now()) {
		t.Error("some thread is still enabled at the end of a shipped schedule")
	}
}
