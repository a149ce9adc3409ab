package coalesce

import (
	"fmt"
	"testing"
)

// alikeVariants are set-ups whose three workers may exchange their names, one for each
// part of the mechanism that names tasks in its state.
func alikeVariants() (list []variant) {
	two := []PartConfig{{At: 1500, Updates: 512, Bytes: 16384}, {At: 2500, Interval: 1, Updates: 512, Bytes: 16384}}
	config := func(bounds ...int64) Config {
		c := Config{Sinks: []SinkConfig{{Name: 'Y', Bounds: bounds}}}
		for w := range 3 {
			c.Tasks = append(c.Tasks, TaskConfig{Worker: w, Parts: two[:len(bounds)-1]})
		}
		return c
	}
	for _, mode := range []Mode{BestEffort, Barrier} {
		for _, sink := range []Around{ShortSink, WholeSink} {
			c := config(1000, 2000, 3000)
			c.Mode, c.Whole = mode, sink
			list = append(list, variant{fmt.Sprintf("mode %d, sink %d, two intervals", mode, sink), c})
		}
		c := config(1000, 2000)
		c.Mode, c.Persist, c.Target, c.Outstanding = mode, WholePersist, 20000, 1
		list = append(list, variant{fmt.Sprintf("mode %d, whole persist", mode), c})
	}
	skips := config(1000, 2000)
	skips.Mode, skips.Sinks[0].Superseded = Barrier, []int{0}
	for w := range skips.Tasks {
		skips.Tasks[w] = TaskConfig{Worker: w, Skips: []int{0}}
	}
	return append(list, variant{"all skip", skips})
}

// TestRename checks on states of random runs that renaming tasks and stepping may change
// places, that the way back leads back, and that a sketch goes with its task.
func TestRename(t *testing.T) {
	perms := [][2][]int{{{0, 2, 1}, {0, 2, 1}}, {{2, 1, 0}, {2, 1, 0}}, {{1, 2, 0}, {2, 0, 1}}, {{2, 0, 1}, {1, 2, 0}}}
	all := []int{0, 1, 2}
	for _, v := range alikeVariants() {
		m, err := New(v.config)
		if err != nil {
			t.Fatal(err)
		}
		if g := m.Interchangeable(); len(g) != 1 || len(g[0]) != 3 {
			t.Fatalf("%s: interchangeable are %v", v.name, g)
		}
		changed := 0
		for _, run := range randomRuns(m, 100) {
			s := m.Start()
			for _, th := range run {
				for _, perm := range perms {
					there := s
					m.Rename(&there, perm[0])
					if there != s {
						changed++
					}
					var keys, renamed [MaxTasks]uint64
					m.Sketch(&s, all, &keys)
					m.Sketch(&there, all, &renamed)
					for i, to := range perm[0] {
						if keys[i] != renamed[to] {
							t.Fatalf("%s: the sketch of task %d does not go with it\n%+v", v.name, i, s)
						}
					}
					back := there
					m.Rename(&back, perm[1])
					if back != s {
						t.Fatalf("%s: %v and back made\n%+v of\n%+v", v.name, perm[0], back, s)
					}
					stepped, want := there, s
					m.Step(&stepped, m.RenameThread(th, perm[0]), nil)
					m.Step(&want, th, nil)
					m.Rename(&want, perm[0])
					if stepped != want {
						t.Fatalf("%s: %s after %v led to\n%+v, want\n%+v", v.name, m.Name(th), perm[0], stepped, want)
					}
				}
				m.Step(&s, th, nil)
			}
		}
		if changed == 0 {
			t.Errorf("%s: no state has a name", v.name)
		}
	}
}
