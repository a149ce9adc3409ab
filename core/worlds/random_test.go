package worlds_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

var update = flag.Bool("update", false, "rewrite testdata/random.hashes")

// randomConfig makes a valid set-up of one to three workers on one or two sinks.
func randomConfig(r *schedule.Random) coalesce.Config {
	c := coalesce.Config{Sweeper: r.Pick(3) == 0, Descriptions: coalesce.Descriptions(r.Pick(2))}
	for i := range 1 + r.Pick(2) {
		s := coalesce.SinkConfig{Name: "YX"[i], Bounds: []int64{1000}, Since: int64(r.Pick(1001))}
		for n := range 1 + r.Pick(3) {
			s.Bounds = append(s.Bounds, int64(2000+1000*n))
		}
		c.Sinks = append(c.Sinks, s)
	}
	workers := 1 + r.Pick(3)
	for w := range workers {
		for sink := range c.Sinks {
			// Worker A serves each sink; who else does is drawn.
			if w > 0 && r.Pick(2) == 0 {
				continue
			}
			k := coalesce.TaskConfig{Worker: w, Sink: sink}
			if r.Pick(8) == 0 {
				k.Upper = 3000
			}
			for range r.Pick(6) {
				n := r.Pick(len(c.Sinks[sink].Bounds) - 1)
				p := coalesce.PartConfig{Interval: n, At: int64(1000 + 1000*n + r.Pick(1000)), Updates: 1 + r.Pick(1000), Bytes: coalesce.InlineLimit + r.Pick(20000)}
				if r.Pick(2) == 0 {
					p.Changes = []coalesce.Change{{Key: fmt.Sprint(w, len(k.Parts)), From: r.Pick(3), To: 3 + r.Pick(3)}}
				}
				k.Parts = append(k.Parts, p)
			}
			c.Tasks = append(c.Tasks, k)
		}
	}
	return c
}

func randomRun(t *testing.T, c coalesce.Config, r *schedule.Random) *worlds.Run {
	t.Helper()
	w, err := worlds.New(c, both...)
	if err != nil {
		t.Fatalf("%v\n%+v", err, c)
	}
	run := w.NewRun()
	_, err = r.Run(func() []schedule.Letter { return movable(run) }, func(name schedule.Letter) error {
		return run.Play([]schedule.Letter{name})
	})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// movable lists the threads that can move in some world.
func movable(r *worlds.Run) (names []schedule.Letter) {
	for _, th := range r.Models[0].Threads() {
		if _, all := r.Blocked(r.Now(), th); !all {
			names = append(names, r.Models[0].Name(th))
		}
	}
	return names
}

// TestRandomTraces holds the traces of 1,000 random schedules in random set-ups to
// hashes, one for 50 schedules. It runs natively and under js/wasm, so equal hashes
// mean traces that are equal byte for byte.
func TestRandomTraces(t *testing.T) {
	const schedules, block = 1000, 50
	const file = "testdata/random.hashes"
	var got strings.Builder
	hash := fnv.New64a()
	letters, bytes := 0, 0
	for seed := range schedules {
		r := schedule.NewRandom(uint64(seed))
		run := randomRun(t, randomConfig(r), r)
		trace := run.Trace()
		letters, bytes = letters+run.Len(), bytes+len(trace)
		hash.Write([]byte(trace))
		if (seed+1)%block == 0 {
			fmt.Fprintf(&got, "%03d-%03d %016x\n", seed+1-block, seed, hash.Sum64())
			hash.Reset()
		}
	}
	t.Logf("%d letters, %d bytes of traces", letters, bytes)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	if len(g) != len(w) {
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
	for i := range g {
		if g[i] != w[i] {
			t.Errorf("schedules and hash: got %s, want %s", g[i], w[i])
		}
	}
}

// recorded is what the test itself found when it stepped forward to a place.
type recorded struct {
	states [2]coalesce.State
	differ int
}

// TestRandomWalk goes back and forward, jumps, steps and chooses branches in runs of
// two worlds. Wherever the cursor stands, the states are those that the test
// recorded on its own way forward to the same path of letters.
func TestRandomWalk(t *testing.T) {
	runs, operations := 20, 5000
	if testing.Short() || runtime.GOOS == "js" {
		operations /= 10
	}
	done := map[string]int{}
	for seed := range runs {
		r := schedule.NewRandom(uint64(seed) + 1<<32)
		w, err := worlds.New(randomConfig(r), both...)
		if err != nil {
			t.Fatal(err)
		}
		run := w.NewRun()
		paths := map[string]*recorded{"": {states: [2]coalesce.State{w.Models[0].Start(), w.Models[1].Start()}}}
		path := func(n int) string {
			names := make([]string, n)
			for i := range names {
				names[i] = run.Letter(i + 1)
			}
			return strings.Join(names, " ")
		}
		// forward records the way to step n of the current line, by the models alone.
		forward := func(n int) {
			from := paths[path(n-1)]
			if from == nil {
				t.Fatal("the test came to a place without a way to it")
			}
			if paths[path(n)] != nil {
				return
			}
			next := *from
			moved := false
			for i, m := range w.Models {
				th, _ := m.ByName(run.Letter(n))
				moved = m.Step(&next.states[i], th, nil).Kind == coalesce.Free || moved
			}
			if !moved {
				t.Fatalf("%s: nobody moved", path(n))
			}
			if next.differ == 0 && next.states[0] != next.states[1] {
				next.differ = n
			}
			paths[path(n)] = &next
		}
		check := func(what string) {
			t.Helper()
			at := run.Cursor()
			want, now := paths[path(at)], run.Now()
			if want == nil {
				t.Fatalf("seed %d, %s: never been at %q", seed, what, path(at))
			}
			for i := range w.Models {
				if now.Sides[i].State != want.states[i] {
					t.Fatalf("seed %d, %s: the state of world %d at %q is not the one recorded", seed, what, i, path(at))
				}
			}
			if now.Step != at || now.Differ != want.differ {
				t.Fatalf("seed %d, %s at %q: step %d, states differ from %d, want %d, %d", seed, what, path(at), now.Step, now.Differ, at, want.differ)
			}
		}
		for range operations {
			at, length := run.Cursor(), run.Len()
			what := []string{"step", "step", "step", "call", "back", "forward", "jump", "first", "last", "choose"}[r.Pick(10)]
			switch what {
			case "step", "call":
				names := movable(run)
				if len(names) == 0 {
					what = "end"
					break
				}
				th, _ := w.Models[0].ByName(names[r.Pick(len(names))])
				g := worlds.Atomic
				if what == "call" {
					g = worlds.Sweep + worlds.Grain(r.Pick(2))
				}
				n, _, err := run.Do(th, g)
				if err != nil {
					t.Fatal(err)
				}
				if n < 1 || run.Cursor() != at+n {
					t.Fatalf("%s of %d letters went from %d to %d", what, n, at, run.Cursor())
				}
				for i := at + 1; i <= run.Cursor(); i++ {
					forward(i)
				}
			case "back":
				if run.Back() != (at > 0) || run.Cursor() != max(at-1, 0) {
					t.Fatalf("back from %d came to %d", at, run.Cursor())
				}
			case "forward":
				if run.Forward() != (at < length) || run.Cursor() != min(at+1, length) {
					t.Fatalf("forward from %d of %d came to %d", at, length, run.Cursor())
				}
			case "jump":
				to := r.Pick(length + 1)
				if err := run.Jump(to); err != nil || run.Cursor() != to {
					t.Fatalf("jump to %d came to %d, %v", to, run.Cursor(), err)
				}
			case "first":
				run.First()
			case "last":
				run.Last()
			case "choose":
				branches := run.Branches(at)
				if len(branches) < 2 {
					what = "no branch"
					break
				}
				b := branches[r.Pick(len(branches))]
				if err := run.Choose(at, b.Letter); err != nil {
					t.Fatal(err)
				}
				if run.Letter(at+1) != b.Letter || run.Len() != at+b.Len || run.Cursor() != at {
					t.Fatalf("chose %+v at %d: the line has %d steps, the next is %s", b, at, run.Len(), run.Letter(at+1))
				}
			}
			done[what]++
			check(what)
		}
	}
	t.Log(done)
	for _, what := range []string{"step", "call", "back", "forward", "jump", "first", "last", "choose"} {
		if done[what] < 2*runs {
			t.Errorf("%s was hardly tried: %v", what, done)
		}
	}
}
