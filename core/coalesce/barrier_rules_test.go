package coalesce_test

import (
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

// found is everything that any schedule of a set-up reaches: invariants that break
// and verdicts.
func found(t *testing.T, c coalesce.Config) string {
	t.Helper()
	m, err := coalesce.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var broken [coalesce.InvariantCount]bool
	var verdicts [4]bool
	start := m.Start()
	seen := map[coalesce.State]bool{start: true}
	todo := []coalesce.State{start}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, i := range m.Invariants() {
			if !m.Holds(&s, i) {
				broken[i] = true
			}
		}
		moved := false
		for _, th := range m.Threads() {
			next := s
			if m.Step(&next, th, nil).Kind != coalesce.Free {
				continue
			}
			moved = true
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
		if !moved {
			verdicts[m.Classify(&s)] = true
		}
	}
	var words []string
	for v, is := range verdicts {
		if is {
			words = append(words, coalesce.Verdict(v).String())
		}
	}
	for i, is := range broken {
		if is {
			words = append(words, coalesce.Invariant(i).Name())
		}
	}
	return strings.Join(words, "; ")
}

// with changes a configuration.
func with(c coalesce.Config, change func(c *coalesce.Config)) coalesce.Config {
	c.Sinks = slices.Clone(c.Sinks)
	c.Tasks = slices.Clone(c.Tasks)
	change(&c)
	return c
}

// Of the invariants three are broken by no rule that the model has: at most one
// worker receives a batch, PUTs are accounted for, and the deliverer holds a
// capability. They guard the model itself; batch_test.go and TestDeliverer break them by hand.

// TestDeliverer takes the handle away from a deliverer by hand.
func TestDeliverer(t *testing.T) {
	p := start(t, barrierOf(1, 1))
	p.run("A5")
	equal(t, "before", p.m.Broken(&p.s, coalesce.CapableDeliverer), "")
	p.s.Tasks[0].Handle = 0
	equal(t, "after", p.m.Broken(&p.s, coalesce.CapableDeliverer), "A is the deliverer of a batch that it no longer holds.")
}

// TestBrokenRules searches every schedule of a small set-up under the fixed rules,
// where nothing is found, and with one broken rule switched on, where the invariant
// or the verdict that names it is.
func TestBrokenRules(t *testing.T) {
	best := coalesce.Config{Probe: coalesce.StrongCount, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)}, Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0, 1500)}}
	one, two, three := barrierOf(2, 1), barrierOf(2, 2), barrierOf(3, 1)
	skip := with(barrierOf(2, 1), func(c *coalesce.Config) {
		c.Sinks[0].Superseded = []int{0}
		c.Tasks[1].Skips = []int{0}
	})
	unchecked := func(skips []int, writes bool, a coalesce.Asserts) func(c *coalesce.Config) {
		return func(c *coalesce.Config) {
			c.Reports, c.Asserts = coalesce.ReportUnchecked, a
			c.Tasks[len(c.Tasks)-1].Skips, c.Tasks[len(c.Tasks)-1].Writes = skips, writes
		}
	}
	lost := "A batch that got data is delivered; No upload is leaked; "
	view := "Sealed times: the view equals the truth"
	once := "Each worker reports once for an id; "
	pending := "No report comes when none is pending"
	pushes := "; Every push comes before Finish"
	for _, c := range []struct {
		name   string
		fixed  coalesce.Config
		broken func(c *coalesce.Config)
		want   string
	}{
		{"probe: upgrade", best, func(c *coalesce.Config) { c.Probe = coalesce.Upgrade }, "safe; losing; " + lost + view},
		{"finish: try_unwrap", best, func(c *coalesce.Config) { c.Finish = coalesce.TryUnwrap }, "safe; losing; " + lost + view},
		{"finish: into_inner, two write", two, func(c *coalesce.Config) { c.Finish = coalesce.IntoInner }, "safe; One batch for an id and process"},
		// Superseded intervals are sealed by the other replica, so the view is right.
		{"finish: into_inner, one skips", skip, func(c *coalesce.Config) { c.Finish = coalesce.IntoInner }, "safe; A batch that got data is delivered; No upload is leaked"},
		{"wait: check_first", two, func(c *coalesce.Config) { c.Wait = coalesce.CheckFirst }, "safe; deadlocked; Every waiter is woken"},
		{"participants: 3 of 2", two, func(c *coalesce.Config) { c.Reports, c.Sinks[0].Participants = coalesce.ReportUnchecked, 3 }, "deadlocked"},
		{"participants: 1 of 2", two, func(c *coalesce.Config) {
			c.Reports, c.Sinks[0].Participants, c.Asserts = coalesce.ReportUnchecked, 1, coalesce.Release
		}, "safe; panicked; " + pending + pushes + "; One batch for an id and process"},
		{"reports: a skip and a write, debug", two, unchecked([]int{0}, true, coalesce.Debug), "safe; deadlocked; panicked; " + lost + once + pending + pushes},
		{"reports: a skip and a write, release", two, unchecked([]int{0}, true, coalesce.Release), "safe; deadlocked; panicked; " + once + pending + pushes},
		{"reports: a skip and a write of three, release", three, unchecked([]int{0}, true, coalesce.Release), "safe; deadlocked; panicked; " + once + pending + pushes},
		{"reports: two skips, debug", one, unchecked([]int{0, 0}, false, coalesce.Debug), "safe; deadlocked; panicked; " + lost + once + pending},
		{"reports: two skips, release", one, unchecked([]int{0, 0}, false, coalesce.Release), "safe; deadlocked; " + once + pending},
		{"modes: mixed, debug", two, func(c *coalesce.Config) { c.Modes, c.Tasks[1].BestEffort = coalesce.MixedModes, true }, "deadlocked; panicked; " + lost + pending},
		// The part that is dropped behind Finish is lost without a sound: nobody asks for it.
		{"modes: mixed, release", two, func(c *coalesce.Config) {
			c.Modes, c.Tasks[1].BestEffort, c.Asserts = coalesce.MixedModes, true, coalesce.Release
		}, "safe; losing; deadlocked; panicked; " + view + "; " + pending + pushes},
		// Losing: a wider description opens, and the append cuts its times beyond the upper.
		{"descriptions: unchecked", best, func(c *coalesce.Config) {
			c.Descriptions = coalesce.Unchecked
			c.Tasks[1] = writes(1, 0, 2500)
			c.Tasks[1].Upper = 3000
		}, "losing; panicked"},
	} {
		if got := found(t, c.fixed); got != "safe" {
			t.Errorf("%s, without it: %s", c.name, got)
		}
		if got := found(t, with(c.fixed, c.broken)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
