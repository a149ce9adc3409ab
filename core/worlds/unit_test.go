package worlds_test

import (
	"reflect"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

var both = []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount}

// part is one push of 512 updates.
func part(at int64) coalesce.PartConfig {
	return coalesce.PartConfig{At: at, Updates: 512, Bytes: 16384}
}

// threeOnY has workers A, B and C on Y, and a sweeper.
func threeOnY() coalesce.Config {
	return coalesce.Config{Sweeper: true,
		Sinks: []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000, 3000}}},
		Tasks: []coalesce.TaskConfig{
			{Worker: 0, Parts: []coalesce.PartConfig{part(1500), part(1500), part(1500), part(1500), part(1500)}},
			{Worker: 1, Parts: []coalesce.PartConfig{part(1600)}},
			{Worker: 2},
		}}
}

// idleX has A on Y for four intervals and B, without rows, on X.
func idleX() coalesce.Config {
	return coalesce.Config{
		Sinks: []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000, 3000, 4000}}, {Name: 'X', Bounds: []int64{1000, 2000}}},
		Tasks: []coalesce.TaskConfig{{Worker: 0, Parts: []coalesce.PartConfig{part(1500)}}, {Worker: 1, Sink: 1}},
	}
}

// TestUnit: a whole call ends as soon as the call returns or blocks in either
// world; for a builder task when it is blocked or done; for the append after its
// line (design.md 4). A sweep's lines are a unit of their own.
func TestUnit(t *testing.T) {
	const ka = "Ka of an earlier interval still runs (limit of the model: two batches a spawner)"
	for _, c := range []struct {
		name   string
		config coalesce.Config
		before string
		thread string
		grain  worlds.Grain
		labels string // of the lines that it performed, as the first world in which it moved has them
		why    string
	}{
		{"atomic", sweepConfig(), "", "A", worlds.Atomic, "lock registry", ""},
		{"builder() on an empty map", sweepConfig(), "", "A", worlds.Call, "lock registry, sweep test, join or create, unlock", ""},
		{"the rest of builder()", sweepConfig(), "A", "A", worlds.Call, "sweep test, join or create, unlock", ""},
		{"builder() with a sweep", sweepConfig(), "A4", "B", worlds.Call, "lock registry, sweep test, probe begin, probe end, remove dead entries, join or create, unlock", ""},
		{"one push of several", threeOnY(), "A3", "A", worlds.Call, "push part", ""},
		{"the last push", sweepConfig(), "A3", "A", worlds.Call, "push part", ""},
		{"finish that blocks", sweepConfig(), "A4", "A", worlds.Call, "finish: into_inner, finish: close channel", "Ka has not finished"},
		{"finish that goes on", sweepConfig(), "A6 Ka2", "A", worlds.Call, "finish: await task, answer", ""},
		{"finish without blocking", sweepConfig(), "A5 Ka A Ka", "A", worlds.Call, "finish: await task, answer", ""},
		{"finish that others end", threeOnY(), "A3 B7", "B", worlds.Call, "finish: into_inner", ""},
		{"finish that returns in one world", sweepConfig(), "A4 B3", "A", worlds.Call, "finish: into_inner", ""},
		{"finish of the other world only", sweepConfig(), "A4 B3 A B", "A", worlds.Call, "finish: close channel", "Ka has not finished"},
		{"builder task that blocks", sweepConfig(), "A4", "Ka", worlds.Call, "receive part, add it", "channel is empty and still open"},
		{"builder task that receives twice", threeOnY(), "A5", "Ka", worlds.Call, "receive part, add it, receive part, add it", "channel is empty and still open"},
		{"builder task that is done", sweepConfig(), "A6", "Ka", worlds.Call, "receive part, add it, channel closed: finish, upload", ""},
		{"builder task that blocks in one world", sweepConfig(), "A4 B3 A B", "Ka", worlds.Call, "receive part, add it", "channel is empty and still open"},
		{"append", sweepConfig(), "A4 B3 A B A Ka2 A B5 Kb2 B", "Px", worlds.Call, "append: seal, read back", ""},
		{"bare sweep", threeOnY(), "A3", "S", worlds.Call, "lock registry, probe begin, probe end, remove dead entries, unlock", ""},
		{"builder() that the model's limit blocks", idleX(), "A4 B3 A B5 Kb B Px Py A6 La2 A Py", "A", worlds.Call,
			"lock registry, sweep test, probe begin, probe end, probe begin, probe end, probe begin, probe end, remove dead entries", ka},

		{"sweep: a line outside", sweepConfig(), "A4", "B", worlds.Sweep, "lock registry", ""},
		{"sweep: test and all probes", sweepConfig(), "A4 B", "B", worlds.Sweep, "sweep test, probe begin, probe end, remove dead entries", ""},
		{"sweep: from its middle", sweepConfig(), "A4 B3", "B", worlds.Sweep, "probe end, remove dead entries", ""},
		{"sweep: that is not due", sweepConfig(), "A", "A", worlds.Sweep, "sweep test", ""},
		{"sweep: of the bare sweeper", threeOnY(), "A3 S", "S", worlds.Sweep, "probe begin, probe end, remove dead entries, unlock", ""},
		{"sweep: on another program", sweepConfig(), "A3", "A", worlds.Sweep, "push part", ""},
	} {
		probes := both
		if c.why == ka {
			probes = both[:1] // the orphan whose task does not run is upgrade's
		}
		t.Run(c.name, func(t *testing.T) {
			r := play(t, c.config, c.before, probes...)
			from := r.Cursor()
			th, ok := r.Models[0].ByName(c.thread)
			if !ok {
				t.Fatalf("no thread %q", c.thread)
			}
			before := *r.Now()
			ms, _, err := r.Unit(r.Now(), th, c.grain)
			if err != nil {
				t.Fatal(err)
			}
			if r.Cursor() != from || !reflect.DeepEqual(*r.Now(), before) {
				t.Error("Unit changed the run")
			}
			letters, why, err := r.Do(th, c.grain)
			if err != nil {
				t.Fatal(err)
			}
			if letters != len(ms) || r.Cursor() != from+letters {
				t.Errorf("Do made %d letters and went from %d to %d, Unit lists %d", letters, from, r.Cursor(), len(ms))
			}
			var labels []string
			for n := from + 1; n <= r.Cursor(); n++ {
				m := r.At(n)
				for i := range r.Models {
					if m.Sides[i].Line >= 0 {
						labels = append(labels, r.Models[i].Program(th)[m.Sides[i].Line].Label)
						break
					}
				}
			}
			if got := strings.Join(labels, ", "); got != c.labels || why != c.why {
				t.Errorf("performed %q, stopped at %q\nwant %q, %q", got, why, c.labels, c.why)
			}
		})
	}
}

// TestBlockedEverywhere: a letter that is enabled in no world is an error with
// step, thread and the reason, or a reason for each world, and changes nothing.
func TestBlockedEverywhere(t *testing.T) {
	for _, c := range []struct {
		config               coalesce.Config
		before, thread, want string
	}{
		{threeOnY(), "C5 A", "B", "step 7: thread B is blocked: registry lock held by A"},
		{threeOnY(), "", "Ka", "step 1: thread Ka is blocked: not spawned"},
		{threeOnY(), "A7", "A", "step 8: thread A is blocked: 4 pushes are queued, Ka must receive one"},
		{threeOnY(), "", "Py", "step 1: thread Py is blocked: A, B, C have not answered for Y"},
		{sweepConfig(), "A4 B3 A B A", "A", "step 11: thread A is blocked: upgrade: interval opens at upper 2000; strong_count: Ka has not finished"},
		{sweepConfig(), "A4 B3 A B A Ka2", "Ka", "step 13: thread Ka is blocked: finished"},
	} {
		r := play(t, c.config, c.before, both...)
		th, _ := r.Models[0].ByName(c.thread)
		before, at := *r.Now(), r.Cursor()
		for _, g := range []worlds.Grain{worlds.Atomic, worlds.Sweep, worlds.Call} {
			n, why, err := r.Do(th, g)
			if err == nil || err.Error() != c.want || n != 0 || why != "" {
				t.Errorf("%q then %s: %d letters, %q, %v, want %q", c.before, c.thread, n, why, err, c.want)
			}
		}
		if !reflect.DeepEqual(*r.Now(), before) || r.Cursor() != at || r.Len() != at {
			t.Errorf("%q then %s changed the run", c.before, c.thread)
		}
		if _, err := r.Next(r.Now(), th); err == nil || err.Error() != c.want {
			t.Errorf("Next: %v", err)
		}
	}
}

// TestSkips: where the thread is not enabled, the letter counts and is marked.
func TestSkips(t *testing.T) {
	r := play(t, sweepConfig(), "A4 B3 A B A", both...)
	m := r.Now()
	up, sc := m.Sides[0], m.Sides[1]
	if m.Step != 10 || up.Line != -1 || up.Events != nil || up.Skip.Kind != coalesce.NotOpen || up.Skip.A != 2000 {
		t.Errorf("the skip: step %d, %d, %v, %+v", m.Step, up.Line, up.Events, up.Skip)
	}
	if sc.Line != coalesce.LineClose || sc.Skip.Kind != coalesce.Free || len(sc.Events) == 0 {
		t.Errorf("the move: %d, %v, %+v", sc.Line, sc.Events, sc.Skip)
	}
	if before := r.At(9).Sides[0]; before.State != up.State || before.Since != up.Since {
		t.Error("the skip changed its world")
	}
	lines := strings.Split(r.Trace(), "\n")
	if got, want := lines[18], "  10  A    upgrade       skip: interval opens at upper 2000"; got != want {
		t.Errorf("trace %q, want %q", got, want)
	}
	if !strings.Contains(lines[19], "finish: close channel") {
		t.Errorf("trace %q", lines[19])
	}
}

// TestMarks: the first different state and the first different outcome.
func TestMarks(t *testing.T) {
	for _, c := range []struct {
		name            string
		schedule        string
		probes          []coalesce.Probe
		differ, outcome int
	}{
		{"nothing differs yet", "A4 B2", both, 0, 0},
		{"the probe: one holds, one has looked", "A4 B3", both, 7, 0},
		{"the state is equal again, the mark stays", "A4 B4", both, 7, 0},
		{"None against the state", "A4 B3 A", both, 7, 8},
		{"later steps change no mark", "A4 B3 A B A Ka2 A", both, 7, 8},
		{"a dead entry's probe looks and misses", "A5 B3", both, 8, 0},
		{"an undisturbed probe makes no other outcome", "A4 B6 B3 Kb2 B A2 Ka2 A", both, 7, 0},
		{"one world has no marks", "A4 B3 A", both[:1], 0, 0},
		{"equal rules never differ", "A4 B3 A B", []coalesce.Probe{coalesce.Upgrade, coalesce.Upgrade}, 0, 0},
	} {
		m := play(t, sweepConfig(), c.schedule, c.probes...).Now()
		if m.Differ != c.differ || m.Outcome != c.outcome {
			t.Errorf("%s: states differ from %d, outcomes from %d, want %d, %d", c.name, m.Differ, m.Outcome, c.differ, c.outcome)
		}
	}
}

// TestNew refuses what is no pair of worlds.
func TestNew(t *testing.T) {
	for _, c := range []struct {
		probes []coalesce.Probe
		sinks  bool
		want   string
	}{
		{nil, true, "worlds: there are 0: allowed are 1 to 2"},
		{[]coalesce.Probe{0, 1, 0}, true, "worlds: there are 3: allowed are 1 to 2"},
		{both, false, "sinks: there are 0: allowed are 1 to 4"},
	} {
		conf := sweepConfig()
		if !c.sinks {
			conf.Sinks = nil
		}
		if _, err := worlds.New(conf, c.probes...); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %q", c.probes, err, c.want)
		}
	}
}

// TestPlayErrors: what came before the letter at fault stays played.
func TestPlayErrors(t *testing.T) {
	for _, c := range []struct {
		letters []string
		want    string
		at      int
	}{
		{[]string{"A", "A", "D"}, `step 3: thread "D": not in this set-up, which has A, B, By, Ka, La, Kb, Kby, Lby, Px, Py`, 0},
		{[]string{"A", "K"}, `step 2: thread "K": more than one thread begins with it: Ka, Kb, Kby`, 0},
		{[]string{"A", "B", "A"}, `step 2: thread B is blocked: registry lock held by A`, 1},
	} {
		r := play(t, sweepConfig(), "", both...)
		if err := r.Play(c.letters); err == nil || err.Error() != c.want || r.Cursor() != c.at {
			t.Errorf("%q: %v at %d, want %q at %d", c.letters, err, r.Cursor(), c.want, c.at)
		}
	}
}

// TestOver: over is when no thread is enabled in any world.
func TestOver(t *testing.T) {
	r := play(t, sweepConfig(), sweepSchedule, both...)
	for n := range r.Len() {
		if r.Over(r.At(n)) {
			t.Fatalf("over at step %d of %d", n, r.Len())
		}
	}
	if !r.Over(r.Now()) {
		t.Error("not over at the end")
	}
}
