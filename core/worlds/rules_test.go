package worlds_test

import (
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

func rules(name string, keysAndValues ...string) worlds.World {
	w := worlds.World{Name: name}
	for i := 0; i < len(keysAndValues); i += 2 {
		w.Rules = append(w.Rules, worlds.RuleValue{Key: keysAndValues[i], Value: keysAndValues[i+1]})
	}
	return w
}

// TestNewRules: worlds that differ in any rule run one schedule.
func TestNewRules(t *testing.T) {
	c := sweepConfig()
	c.Mode = coalesce.Barrier
	w, err := worlds.NewRules(c, []worlds.World{rules("early", "wait", "check_first"), rules("late", "probe", "strong_count", "asserts", "release")})
	if err != nil {
		t.Fatal(err)
	}
	if a := w.Models[0]; w.Names[0] != "early" || a.Wait != coalesce.CheckFirst || a.Probe != c.Probe || a.Asserts != coalesce.Debug {
		t.Errorf("%s: %+v", w.Names[0], a.Config)
	}
	if b := w.Models[1]; w.Names[1] != "late" || b.Wait != coalesce.RegisterFirst || b.Probe != coalesce.StrongCount || b.Asserts != coalesce.Release {
		t.Errorf("%s: %+v", w.Names[1], b.Config)
	}
	r := w.NewRun()
	if err := r.Play([]string{"A", "A", "A", "A", "A", "A"}); err != nil {
		t.Fatal(err)
	}
	if d := r.Now().Differ; d != 5 && d != 6 {
		t.Errorf("the orders of the wait differ from step %d", d)
	}
}

func TestNewRulesRefuses(t *testing.T) {
	for _, c := range []struct {
		worlds []worlds.World
		want   string
	}{
		{nil, "worlds: there are 0: allowed are 1 to 2"},
		{[]worlds.World{rules("a"), rules("b"), rules("c")}, "worlds: there are 3: allowed are 1 to 2"},
		{[]worlds.World{rules("a", "node", "barrier")}, `worlds: a: rule "node": allowed are probe, mode, sink, finish, wait, reports, modes, asserts, descriptions, persist, goodbytes, schema, label, runs`},
		{[]worlds.World{rules("a", "mode", "gate")}, `worlds: a: rule mode: "gate": allowed are best_effort, barrier, per_worker`},
		{[]worlds.World{rules("a"), rules("b", "sink", "whole")}, "worlds: a and b have different threads, so no schedule fits both"},
	} {
		if _, err := worlds.NewRules(sweepConfig(), c.worlds); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %q", c.worlds, err, c.want)
		}
	}
}
