package coalesce_test

import (
	"fmt"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

// TestFlags: what each setting of the flags renders to.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		flags coalesce.Flags
		mode  coalesce.Mode
		err   string
	}{
		{coalesce.Flags{}, 0, "v1 sink"},
		{coalesce.Flags{SharedBatches: true, Barrier: true}, 0, "enable_compute_sync_mv_sink is off"},
		{coalesce.Flags{Sync: true}, coalesce.PerWorker, ""},
		{coalesce.Flags{Sync: true, Barrier: true}, coalesce.PerWorker, ""},
		{coalesce.Flags{Sync: true, SharedBatches: true}, coalesce.BestEffort, ""},
		{coalesce.Flags{Sync: true, SharedBatches: true, Barrier: true}, coalesce.Barrier, ""},
	} {
		mode, err := c.flags.Mode()
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%+v: %v, want an error with %q", c.flags, err, c.err)
			}
		case err != nil || mode != c.mode:
			t.Errorf("%+v: mode %d, %v, want %d", c.flags, mode, err, c.mode)
		default:
			if again, err := mode.Flags().Mode(); err != nil || again != mode {
				t.Errorf("mode %d: its flags render to %d, %v", mode, again, err)
			}
		}
	}
	equal(t, "text", coalesce.BestEffort.Flags().String(), "enable_compute_sync_mv_sink = true\n"+
		"enable_compute_sync_mv_sink_shared_batches = true\nenable_compute_sync_mv_sink_shared_batches_barrier = false")
}

// rendered is p after a render of c, with nothing answered.
func (p *play) rerender(c coalesce.Config) ([]coalesce.Object, error) {
	r, err := coalesce.Rerender(p.m, &p.s, c)
	if err != nil {
		return nil, err
	}
	p.m, p.s, p.answers = r.Model, r.State, nil
	return r.Left, nil
}

func twoIntervals(mode coalesce.Mode) coalesce.Config {
	b := writes(1, 0, 1600)
	b.Parts = append(b.Parts, coalesce.PartConfig{Interval: 1, At: 2500, Updates: 512, Bytes: 16384})
	return coalesce.Config{Probe: coalesce.StrongCount, Mode: mode, Teardown: true,
		Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000)}, Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), b}}
}

// TestRerenderBetween: between two intervals the shard carries over, and the next
// dataflow goes on in another mode. Its batch joins no dead entry of the first.
func TestRerenderBetween(t *testing.T) {
	p := start(t, twoIntervals(coalesce.BestEffort))
	p.run("A4 B7 A B2 Ka3 B Py")
	equal(t, "answers", strings.Join(p.answers, ", "), "A None, B [0 1]")
	left, err := p.rerender(twoIntervals(coalesce.PerWorker))
	if err != nil || left != nil {
		t.Fatal(left, err)
	}
	equal(t, "upper", p.m.Upper(&p.s, 0), 2000)
	equal(t, "store", p.status(), "sY/wa/p1 referenced [0 1]")
	equal(t, "entry", p.entry(0, 0), "dead")
	p.run("A2 B2 Py")
	equal(t, "answers", strings.Join(p.answers, ", "), "A None, B [2]")
	equal(t, "PUTs", p.s.Puts, 2)
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Safe)
	equal(t, "violations", p.m.Violations(&p.s), 0)
}

// TestRerenderTorn: a dataflow is dropped while A's handle holds a part and the
// builder task has not received it. The part is uploaded for nobody; the next dataflow,
// with the barrier, writes it again under another id, with nothing lost.
func TestRerenderTorn(t *testing.T) {
	p := start(t, twoIntervals(coalesce.BestEffort))
	p.run("A4 B3 Z2")
	if _, err := p.rerender(twoIntervals(coalesce.Barrier)); err == nil || !strings.Contains(err.Error(), "registry lock held by B") {
		t.Fatal(err)
	}
	p.run("B3")
	if _, err := p.rerender(twoIntervals(coalesce.Barrier)); err == nil || !strings.Contains(err.Error(), "A has not stopped") {
		t.Fatal(err)
	}
	p.run("A2")
	if _, err := p.rerender(twoIntervals(coalesce.Barrier)); err == nil || !strings.Contains(err.Error(), "B has not stopped") {
		t.Fatal(err)
	}
	p.run("B")
	left, err := p.rerender(twoIntervals(coalesce.Barrier))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 || left[0].Key != "sY/wa/p1" || left[0].Status != coalesce.Leaked || fmt.Sprint(left[0].Parts.List()) != "[0]" {
		t.Errorf("left: %+v", left)
	}
	equal(t, "PUTs", p.s.Puts, 0)
	equal(t, "store", p.status(), "")
	equal(t, "entry", p.entry(0, 0), "-")
	equal(t, "map length", registry(&p.s).Size(), 1)
	equal(t, "due", fmt.Sprint(p.m.Due(&p.s, 0), p.m.Due(&p.s, 1)), "[0] [1]")
	p.run("A3")
	equal(t, "map length with the new id", registry(&p.s).Size(), 2)
	p.run("A2 B8 Ka3 B A3 Py")
	equal(t, "answers", strings.Join(p.answers, ", "), "B [0 1], A None")
	equal(t, "lost", p.m.LostParts(&p.s), 0)
}

// TestRerenderLost: what an append has sealed without a part stays a hole; the part
// is a correction of the next dataflow.
func TestRerenderLost(t *testing.T) {
	c := twoIntervals(coalesce.BestEffort)
	c.Probe, c.Sweeper = coalesce.Upgrade, true
	p := start(t, c)
	p.run("A4 S2 A S2 Ka2")
	equal(t, "store", p.status(), "sY/wa/p1 leaked [0]")
	p.run("B6 Kb2 B Py")
	equal(t, "answers", strings.Join(p.answers, ", "), "A None, B [1]")
	fixed := twoIntervals(coalesce.PerWorker)
	if left, err := p.rerender(fixed); err != nil || left != nil {
		t.Fatal(left, err)
	}
	equal(t, "store", p.status(), "sY/wa/p1 leaked [0], sY/wb/p1 referenced [1]")
	equal(t, "due", fmt.Sprint(p.m.Due(&p.s, 0)), "[0]")
	p.run("A2 B2 Py")
	equal(t, "PUTs", p.s.Puts, 4)
	from, to, ok := p.m.FirstHole(&p.s, 0)
	equal(t, "hole", fmt.Sprint(from, to, ok), "1500 2000 true")
}

// TestRerenderRefused: what does not fit is refused, with the place.
func TestRerenderRefused(t *testing.T) {
	between := start(t, twoIntervals(coalesce.BestEffort))
	between.run("A4 B7 A B2 Ka3 B Py")
	for name, c := range map[string]struct {
		change func(*coalesce.Config)
		want   string
	}{
		"processes": {func(c *coalesce.Config) { c.Processes = 2 }, "processes: 2: the replica has 1"},
		"bounds":    {func(c *coalesce.Config) { c.Sinks[0].Bounds[2] = 4000 }, "sinks[0]: its name, since and intervals"},
		"sinks":     {func(c *coalesce.Config) { c.Sinks = nil }, "sinks: there are 0: there were 1"},
		"tasks":     {func(c *coalesce.Config) { c.Tasks = c.Tasks[:1] }, "tasks: there are 1: there were 2"},
		"workers":   {func(c *coalesce.Config) { c.Tasks[1].Worker = 3 }, "tasks[1]: its worker and sink"},
		"parts":     {func(c *coalesce.Config) { c.Tasks[0].Parts[0].At++ }, "tasks[0]: its parts"},
		"a rule":    {func(c *coalesce.Config) { c.Mode = 7 }, "mode: unknown rule 7"},
	} {
		cfg := twoIntervals(coalesce.Barrier)
		c.change(&cfg)
		if _, err := coalesce.Rerender(between.m, &between.s, cfg); err == nil || !strings.HasPrefix(err.Error(), "rerender: "+c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, c := range []struct{ schedule, want string }{
		{"A", "registry lock held by A"},
		{"A4", "A is in interval 1"},
		{"A6 Ka2 A", "interval 1 of sink Y has begun"},
		{"A4 B7 A Z2 A", "B has not stopped"},
	} {
		p := start(t, twoIntervals(coalesce.BestEffort))
		p.run(c.schedule)
		before := p.s
		if _, err := p.rerender(twoIntervals(coalesce.Barrier)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.schedule, err, c.want)
		}
		if p.s != before {
			t.Errorf("%s: the state was changed", c.schedule)
		}
	}
	conflict := twoIntervals(coalesce.BestEffort)
	conflict.Tasks[0].Upper = 2500
	p := start(t, conflict)
	p.run("A3 B6")
	if _, err := p.rerender(twoIntervals(coalesce.Barrier)); err == nil || !strings.Contains(err.Error(), "a thread has panicked") {
		t.Error(err)
	}
	whole := twoIntervals(coalesce.BestEffort)
	whole.Whole = coalesce.WholeSink
	w := start(t, whole)
	w.run("My")
	if _, err := w.rerender(twoIntervals(coalesce.Barrier)); err == nil || !strings.Contains(err.Error(), "interval 1 of sink Y has begun") {
		t.Error(err)
	}
	w.run("Ta")
	if _, err := w.rerender(twoIntervals(coalesce.Barrier)); err == nil || !strings.Contains(err.Error(), "the Timely side of A has a description") {
		t.Error(err)
	}
}
