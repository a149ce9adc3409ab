package coalesce_test

import (
	"testing"

	"sharedbatches/core/coalesce"
)

// TestConfigErrors breaks each rule of a set-up in turn and reads the whole message.
func TestConfigErrors(t *testing.T) {
	type config = coalesce.Config
	big := 1<<31 - 1
	for _, c := range []struct {
		name   string
		change func(c *config)
		want   string
	}{
		{"nothing", func(c *config) {}, ""},
		{"probe", func(c *config) { c.Probe = 2 }, "probe: unknown rule 2: allowed are upgrade, strong_count"},
		{"descriptions", func(c *config) { c.Descriptions = 2 }, "descriptions: unknown rule 2: allowed are asserted, unchecked"},
		{"no sinks", func(c *config) { c.Sinks = nil }, "sinks: there are 0: allowed are 1 to 4"},
		{"five sinks", func(c *config) {
			c.Sinks = []coalesce.SinkConfig{sink('V', 0, 1), sink('W', 0, 1), sink('X', 0, 1), sink('Y', 0, 1), sink('U', 0, 1)}
		}, "sinks: there are 5: allowed are 1 to 4"},
		{"no tasks", func(c *config) { c.Tasks = nil }, "tasks: there are 0: allowed are 1 to 8"},
		{"nine tasks", func(c *config) { c.Tasks = make([]coalesce.TaskConfig, 9) }, "tasks: there are 9: allowed are 1 to 8"},
		{"target", func(c *config) { c.Target = -1 }, "target: -1 bytes: allowed is 0 (the default) or more"},
		{"sink's name, lower", func(c *config) { c.Sinks[0].Name = 'y' }, `sinks[0]: name: "y": sinks are named V to Y`},
		{"sink's name, before", func(c *config) { c.Sinks[1].Name = 'U' }, `sinks[1]: name: "U": sinks are named V to Y`},
		{"sink's name, after", func(c *config) { c.Sinks[1].Name = 'Z' }, `sinks[1]: name: "Z": sinks are named V to Y`},
		{"sink's name, taken", func(c *config) { c.Sinks[1].Name = 'X' }, "sinks[1]: name: X is taken: sinks have different names"},
		{"no bounds", func(c *config) { c.Sinks[0].Bounds = nil }, "sinks[0]: intervals: there are 0: allowed are 1 to 4"},
		{"one bound", func(c *config) { c.Sinks[0].Bounds = []int64{1} }, "sinks[0]: intervals: there are 0: allowed are 1 to 4"},
		{"six bounds", func(c *config) { c.Sinks[0].Bounds = []int64{1, 2, 3, 4, 5, 6} }, "sinks[0]: intervals: there are 5: allowed are 1 to 4"},
		{"empty interval", func(c *config) { c.Sinks[1].Bounds[2] = 2000 }, "sinks[1]: intervals: [2000, 2000) is empty: a lower is below its upper"},
		{"backward interval", func(c *config) { c.Sinks[1].Bounds[2] = 1999 }, "sinks[1]: intervals: [2000, 1999) is empty: a lower is below its upper"},
		{"since below 0", func(c *config) { c.Sinks[0].Since = -1 }, "sinks[0]: since: -1: allowed is 0 to the first lower, 1000"},
		{"since beyond lower", func(c *config) { c.Sinks[0].Since = 1001 }, "sinks[0]: since: 1001: allowed is 0 to the first lower, 1000"},
		{"since at lower", func(c *config) { c.Sinks[0].Since = 1000 }, ""},
		{"worker below A", func(c *config) { c.Tasks[0].Worker = -1 }, "tasks[0]: worker: -1: workers are A to H"},
		{"worker beyond H", func(c *config) { c.Tasks[2].Worker = 8 }, "tasks[2]: worker: 8: workers are A to H"},
		{"sink below 0", func(c *config) { c.Tasks[0].Sink = -1 }, "tasks[0]: sink: -1: this set-up has 2 sinks"},
		{"sink beyond", func(c *config) { c.Tasks[0].Sink = 2 }, "tasks[0]: sink: 2: this set-up has 2 sinks"},
		{"conflicting upper at lower", func(c *config) { c.Tasks[0].Upper = 1000 }, "tasks[0]: upper: 1000: a conflicting upper is above 1000 and not 2000"},
		{"conflicting upper that conflicts with none", func(c *config) { c.Tasks[0].Upper = 2000 }, "tasks[0]: upper: 2000: a conflicting upper is above 1000 and not 2000"},
		{"conflicting upper", func(c *config) { c.Tasks[0].Upper = 1600 }, ""},
		{"interval below", func(c *config) { c.Tasks[0].Parts[0].Interval = -1 }, "tasks[0]: parts[0]: interval: 0: this sink has intervals 1 to 2"},
		{"interval beyond", func(c *config) { c.Tasks[0].Parts[0].Interval = 2 }, "tasks[0]: parts[0]: interval: 3: this sink has intervals 1 to 2"},
		{"time below", func(c *config) { c.Tasks[0].Parts[0].At = 999 }, "tasks[0]: parts[0]: at: 999: allowed is 1000 to 1999"},
		{"time beyond", func(c *config) { c.Tasks[0].Parts[0].At = 2000 }, "tasks[0]: parts[0]: at: 2000: allowed is 1000 to 1999"},
		{"time beyond the conflicting upper", func(c *config) { c.Tasks[0].Upper = 1400 }, "tasks[0]: parts[0]: at: 1500: allowed is 1000 to 1399"},
		{"no updates", func(c *config) { c.Tasks[0].Parts[0].Updates = 0 }, "tasks[0]: parts[0]: updates: 0: allowed is 1 to 2147483647 (a push without updates sends nothing: leave the part out)"},
		{"too many updates", func(c *config) { c.Tasks[0].Parts[0].Updates = big + 1 }, "tasks[0]: parts[0]: updates: 2147483648: allowed is 1 to 2147483647 (a push without updates sends nothing: leave the part out)"},
		{"inline", func(c *config) { c.Tasks[0].Parts[0].Bytes = 4095 }, "tasks[0]: parts[0]: bytes: 4095: allowed is 4096 (below it a part would be inline) to 2147483647"},
		{"too big", func(c *config) { c.Tasks[0].Parts[0].Bytes = big + 1 }, "tasks[0]: parts[0]: bytes: 2147483648: allowed is 4096 (below it a part would be inline) to 2147483647"},
		{"no key", func(c *config) { c.Tasks[0].Parts[0].Changes[0].Key = "" }, `tasks[0]: parts[0]: changes[0]: key: "": allowed are 1 to 64 bytes`},
		{"no change", func(c *config) { c.Tasks[0].Parts[0].Changes[0].To = 5 }, "tasks[0]: parts[0]: changes[0]: from and to are both 5: that is no change"},
		{"a task twice", func(c *config) { c.Tasks[1].Sink = 1 }, "tasks[2]: worker B has a write task for sink Y already"},
		{"workers out of order", func(c *config) { c.Tasks[0].Worker = 2 }, "tasks[1]: worker B comes after C: list tasks in the order of workers"},
		{"unserved sink", func(c *config) { c.Tasks = c.Tasks[:1] }, "sinks[0]: no worker has a write task for sink X"},
		{"too many parts", func(c *config) {
			for range 31 {
				c.Tasks[0].Parts = append(c.Tasks[0].Parts, c.Tasks[1].Parts[0])
			}
		}, "parts: there are 33 over all tasks: allowed are 32 at most"},
		{"outgrows the target", func(c *config) { c.Target = 16383 }, "parts: those of sink X are 16384 bytes together: allowed is the target, 16383"},
		{"outgrows the default target", func(c *config) { c.Tasks[0].Parts[0].Bytes = coalesce.TargetBytes + 1 }, "parts: those of sink Y are 134217729 bytes together: allowed is the target, 134217728"},
	} {
		k := writes(0, 1, 1500)
		k.Parts[0].Changes = []coalesce.Change{{Key: "7", From: 5, To: 6}}
		conf := config{
			Sinks: []coalesce.SinkConfig{sink('X', 1000, 2000), sink('Y', 1000, 2000, 3000)},
			Tasks: []coalesce.TaskConfig{k, writes(1, 0, 1500), writes(1, 1)},
		}
		c.change(&conf)
		got := ""
		if _, err := coalesce.New(conf); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNames: threads are named by worker and, from its second task on, sink.
func TestNames(t *testing.T) {
	p := start(t, coalesce.Config{Sweeper: true,
		Sinks: []coalesce.SinkConfig{sink('X', 1000, 2000), sink('Y', 1000, 2000, 3000)},
		Tasks: []coalesce.TaskConfig{writes(0, 1), writes(1, 0), writes(1, 1)}})
	want := []string{"A", "B", "By", "Ka", "La", "Kb", "Kby", "Lby", "Px", "Py", "S"}
	got := p.m.Names()
	if len(got) != len(want) {
		t.Fatalf("names %q, want %q", got, want)
	}
	for i, th := range p.m.Threads() {
		if got[i] != want[i] || p.m.Name(th) != want[i] || p.thread(want[i]) != th {
			t.Errorf("thread %d: %q, want %q", i, got[i], want[i])
		}
	}
	for name, want := range map[string]struct {
		role         coalesce.Role
		sink, worker int
	}{"A": {coalesce.WriteTask, 1, 0}, "By": {coalesce.WriteTask, 1, 1}, "Kb": {coalesce.BuilderTask, 0, 1}, "Lby": {coalesce.BuilderTask, 1, 1}, "Px": {coalesce.Append, 0, -1}, "S": {coalesce.Sweeper, -1, -1}} {
		th := p.thread(name)
		if th.Role() != want.role || p.m.Sink(th) != want.sink || p.m.Worker(th) != want.worker {
			t.Errorf("%s: %v, sink %d, worker %d, want %+v", name, th.Role(), p.m.Sink(th), p.m.Worker(th), want)
		}
	}
}
