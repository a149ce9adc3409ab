package scenario_test

import (
	"slices"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
)

func lesson() *scenario.Scenario {
	return &scenario.Scenario{
		Setup: coalesce.Config{
			Mode:  coalesce.Barrier,
			Sinks: []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000}}},
			Tasks: []coalesce.TaskConfig{{Worker: 0}, {Worker: 1}},
		},
		Schedule: "A3 B3",
	}
}

// TestChange: a rule that all worlds share changes in all; one in which they differ
// leaves one of them.
func TestChange(t *testing.T) {
	wait := func(name, value string) scenario.World {
		return scenario.World{Name: name, Rules: []scenario.RuleValue{{Key: "wait", Value: value}}}
	}
	for _, c := range []struct {
		name       string
		probes     []coalesce.Probe
		variants   []scenario.World
		key, value string
		want       []string // names of the worlds that are left
		rules      []string // values of that rule there
	}{
		{"a probe", []coalesce.Probe{0, 1}, nil, "probe", "strong_count", []string{"strong_count"}, []string{"strong_count"}},
		{"another rule beside probes", []coalesce.Probe{0, 1}, nil, "asserts", "release", []string{"upgrade", "strong_count"}, []string{"release", "release"}},
		{"a rule in which no world differs", nil, []scenario.World{wait("early", "check_first"), wait("late", "register_first")}, "asserts", "release", []string{"early", "late"}, []string{"release", "release"}},
		{"the rule in which they differ", nil, []scenario.World{wait("early", "check_first"), wait("late", "register_first")}, "wait", "register_first", []string{"late"}, []string{"register_first"}},
		{"a value that none has", nil, []scenario.World{wait("early", "check_first"), {Name: "plain", Rules: []scenario.RuleValue{{Key: "asserts", Value: "release"}}}}, "wait", "register_first", []string{"register_first"}, []string{"register_first"}},
		{"the probe beside variants", nil, []scenario.World{wait("early", "check_first"), wait("late", "register_first")}, "probe", "strong_count", []string{"early", "late"}, []string{"strong_count", "strong_count"}},
	} {
		s := lesson()
		s.Worlds, s.Variants = c.probes, c.variants
		if err := s.Change(c.key, c.value); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r, err := s.Open()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		rule, err := coalesce.FindRule(c.key)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range r.Models {
			got = append(got, rule.Value(&m.Config))
		}
		if !slices.Equal(r.Names, c.want) || !slices.Equal(got, c.rules) {
			t.Errorf("%s: worlds %q with %q, want %q with %q", c.name, r.Names, got, c.want, c.rules)
		}
	}
}

func TestChangeRefuses(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"node", "barrier", `rule "node": allowed are probe, mode, sink, finish, wait, reports, modes, asserts, descriptions, persist, goodbytes, schema, label, runs`},
		{"mode", "gate", `rule mode: "gate": allowed are best_effort, barrier, per_worker`},
	} {
		if err := lesson().Change(c.key, c.value); err == nil || err.Error() != c.want {
			t.Errorf("%s=%s: %v, want %q", c.key, c.value, err, c.want)
		}
	}
}

// TestOpenRefuses names the part of the scenario at fault.
func TestOpenRefuses(t *testing.T) {
	s := lesson()
	if _, err := s.Open(); err == nil || err.Error() != "worlds: there are 0: allowed are 1 to 2" {
		t.Error(err)
	}
	s.Worlds = []coalesce.Probe{0}
	s.Setup.Sinks = nil
	if _, err := s.Open(); err == nil || err.Error() != "setup: sinks: there are 0: allowed are 1 to 4" {
		t.Error(err)
	}
}
