package coalesce

import (
	"flag"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
)

var updateRows = flag.Bool("update-rows", false, "rewrite testdata/rows.golden")

// variants are small set-ups, one for each rule and hazard that counting can decide.
func variants() (list []variant) {
	parts := []PartConfig{{At: 1500, Updates: 512, Bytes: 16384}}
	y := SinkConfig{Name: 'Y', Bounds: []int64{1000, 2000}}
	x := SinkConfig{Name: 'X', Bounds: []int64{1000, 2000}}
	superseded, short := y, y
	superseded.Superseded = []int{0}
	short.Participants = 3
	write := func(worker, sink int) TaskConfig { return TaskConfig{Worker: worker, Sink: sink, Parts: parts} }
	skip := TaskConfig{Worker: 2, Skips: []int{0}}
	twice := TaskConfig{Parts: parts, Skips: []int{0}, Writes: true}
	one := []SinkConfig{y}
	ab := []TaskConfig{write(0, 0), write(1, 0)}
	add := func(name string, c Config) { list = append(list, variant{name, c}) }
	for _, p := range []Probe{Upgrade, StrongCount} {
		add(fmt.Sprintf("%s, A and B on Y", p), Config{Probe: p, Sinks: one, Tasks: ab})
		add(fmt.Sprintf("%s, A on Y, B on X", p), Config{Probe: p, Sinks: []SinkConfig{y, x}, Tasks: []TaskConfig{write(0, 0), write(1, 1)}})
		add(fmt.Sprintf("%s, A on Y and X", p), Config{Probe: p, Sinks: []SinkConfig{y, x}, Tasks: []TaskConfig{write(0, 0), write(0, 1)}})
		add(fmt.Sprintf("%s, A on Y, bare sweeper", p), Config{Probe: p, Sinks: one, Tasks: []TaskConfig{write(0, 0)}, Sweeper: true})
		add(fmt.Sprintf("%s, try_unwrap", p), Config{Probe: p, Finish: TryUnwrap, Sinks: one, Tasks: ab})
		add(fmt.Sprintf("%s, teardown", p), Config{Probe: p, Teardown: true, Sinks: one, Tasks: ab})
		add(fmt.Sprintf("%s, barrier", p), Config{Probe: p, Mode: Barrier, Sinks: one, Tasks: ab})
		add(fmt.Sprintf("%s, barrier, two sinks", p), Config{Probe: p, Mode: Barrier, Sinks: []SinkConfig{y, x}, Tasks: []TaskConfig{write(0, 0), write(1, 1)}})
		add(fmt.Sprintf("%s, barrier, C skips", p), Config{Probe: p, Mode: Barrier, Sinks: []SinkConfig{superseded}, Tasks: append(ab[:2:2], skip)})
		add(fmt.Sprintf("%s, barrier, two processes", p), Config{Probe: p, Mode: Barrier, Processes: 2, Sinks: one, Tasks: ab})
		add(fmt.Sprintf("%s, barrier but into_inner", p), Config{Probe: p, Mode: Barrier, Finish: IntoInner, Sinks: one, Tasks: ab})
		add(fmt.Sprintf("%s, barrier but into_inner, C skips unasked", p), Config{Probe: p, Mode: Barrier, Finish: IntoInner, Reports: ReportUnchecked, Sinks: one, Tasks: append(ab[:2:2], skip)})
	}
	two, replica, late := y, y, y
	two.Bounds = []int64{1000, 2000, 3000}
	replica.Replica = 1
	late = two
	late.Replica = 1
	for _, p := range []Probe{Upgrade, StrongCount} {
		add(fmt.Sprintf("%s, whole sink", p), Config{Probe: p, Whole: WholeSink, Sinks: one, Tasks: ab})
		add(fmt.Sprintf("%s, whole sink, another replica", p), Config{Probe: p, Whole: WholeSink, Sinks: []SinkConfig{replica}, Tasks: ab})
		add(fmt.Sprintf("%s, whole sink, two intervals, another replica, A alone", p), Config{Probe: p, Whole: WholeSink, Sinks: []SinkConfig{late}, Tasks: ab[:1], Sweeper: true})
	}
	add("barrier, whole sink", Config{Mode: Barrier, Whole: WholeSink, Sinks: one, Tasks: ab})
	add("barrier, whole sink, two intervals, another replica, B writes nothing", Config{Mode: Barrier, Whole: WholeSink, Sinks: []SinkConfig{late}, Tasks: []TaskConfig{write(0, 0), {Worker: 1}}})
	add("per worker", Config{Mode: PerWorker, Sinks: one, Tasks: ab})
	add("per worker, whole sink, two intervals, another replica", Config{Mode: PerWorker, Whole: WholeSink, Sinks: []SinkConfig{late}, Tasks: ab})
	// A's two parts do not fit into one window, and B's makes no PUT of its own.
	persist := func(c Config) Config {
		c.Persist, c.Target, c.Outstanding, c.Sinks = WholePersist, 20000, 1, one
		c.Tasks = []TaskConfig{{Parts: []PartConfig{{At: 1500, Updates: 512, Bytes: 16384}, {At: 1500, Updates: 512, Bytes: 16384}}}, {Worker: 1, Parts: []PartConfig{{At: 1500, Updates: 1, Bytes: 1000}}}}
		return c
	}
	for _, p := range []Probe{Upgrade, StrongCount} {
		add(fmt.Sprintf("%s, whole persist", p), persist(Config{Probe: p}))
		add(fmt.Sprintf("%s, whole persist, cleaner", p), persist(Config{Probe: p, Cleaner: true}))
		add(fmt.Sprintf("%s, cleaner", p), Config{Probe: p, Cleaner: true, Sinks: one, Tasks: ab})
	}
	add("barrier, whole persist", persist(Config{Mode: Barrier}))
	add("barrier, whole persist, whole sink", persist(Config{Mode: Barrier, Whole: WholeSink}))
	add("per worker, whole persist", persist(Config{Mode: PerWorker}))
	add("barrier, whole persist, teardown, cleaner", persist(Config{Mode: Barrier, Teardown: true, Cleaner: true}))
	add("whole persist, broken rules", persist(Config{Probe: StrongCount, Goodbytes: Recompute, Schema: NoSchema, Label: PeekStash, MaxRuns: 2}))
	late3 := persist(Config{Probe: StrongCount, Descriptions: Unchecked, Schema: FromHandle, Cleaner: true})
	late3.Tasks[1].Parts[0].At, late3.Tasks[1].Upper = 2500, 3000
	add("whole persist, a time beyond the upper", late3)
	add("barrier, teardown", Config{Mode: Barrier, Teardown: true, Sinks: one, Tasks: ab})
	add("barrier, check first", Config{Mode: Barrier, Wait: CheckFirst, Sinks: one, Tasks: ab})
	add("barrier, a report is missing", Config{Mode: Barrier, Reports: ReportUnchecked, Sinks: []SinkConfig{short}, Tasks: ab})
	add("barrier, A reports twice, debug", Config{Mode: Barrier, Reports: ReportUnchecked, Sinks: one, Tasks: []TaskConfig{twice, write(1, 0)}})
	add("barrier, A reports twice, release", Config{Mode: Barrier, Asserts: Release, Reports: ReportUnchecked, Sinks: one, Tasks: []TaskConfig{twice, write(1, 0)}})
	add("barrier, B best effort", Config{Mode: Barrier, Modes: MixedModes, Sinks: one, Tasks: []TaskConfig{write(0, 0), {Worker: 1, Parts: parts, BestEffort: true}}})
	return list
}

type variant struct {
	name   string
	config Config
}

// verdicts counts all maximal runs by plain recursion with a memo, by how they end.
type verdicts struct {
	m      *Model
	seen   map[State][4]*big.Int
	broken [InvariantCount]bool
}

func (v *verdicts) runs(s State) [4]*big.Int {
	if r, ok := v.seen[s]; ok {
		return r
	}
	for _, i := range v.m.Invariants() {
		v.broken[i] = v.broken[i] || v.m.Broken(&s, i) != ""
	}
	var sum [4]*big.Int
	for i := range sum {
		sum[i] = new(big.Int)
	}
	moved := false
	for _, t := range v.m.Threads() {
		next := s
		if v.m.Step(&next, t, nil).Kind != Free {
			continue
		}
		moved = true
		for i, n := range v.runs(next) {
			sum[i].Add(sum[i], n)
		}
	}
	if !moved {
		sum[v.m.Classify(&s)].SetInt64(1)
	}
	v.seen[s] = sum
	return sum
}

// TestRows pins, for each variant, how many schedules end how and which invariants
// some state breaks.
func TestRows(t *testing.T) {
	var b strings.Builder
	for _, c := range variants() {
		m, err := New(c.config)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		v := &verdicts{m: m, seen: map[State][4]*big.Int{}}
		r := v.runs(m.Start())
		fmt.Fprintf(&b, "%s: %d states; safe %d, losing %d, deadlocked %d, panicked %d\n", c.name, len(v.seen), r[Safe], r[Losing], r[Deadlocked], r[Crashed])
		for i, broken := range v.broken {
			if broken {
				fmt.Fprintf(&b, "\tbroken: %s\n", Invariant(i).Name())
			}
		}
	}
	const file = "testdata/rows.golden"
	if *updateRows {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("rows differ from %s (-update-rows rewrites it):\n%s", file, b.String())
	}
}
