package coalesce_test

import (
	"fmt"
	"slices"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// The view against the one-shot aggregation. A base table gets inserts, deletes and
// updates; each view counts its rows by a column. What the views change at a time goes
// to the workers by a hash of the group, as the original exchanges rows. The dataflow
// is rendered several times under other flags. After every append the view is read at
// every time and held to a query over the log of the table, which knows nothing of the
// model.

// viewRun is one run of a workload over several renders.
type viewRun struct {
	*workload
	r     *schedule.Random
	flags coalesce.Flags
	// What the test breaks: the probe of every render, and one part that an append loses.
	probe   coalesce.Probe
	drop    bool
	dropped bool

	m *coalesce.Model
	s coalesce.State

	flips, reads int
	failed       int       // reads that had to fail
	torn         [2][2]int // renders after a teardown, by sink and whether it was torn
	appends      [2][3]int // by sink and mode
	replica      int
}

// render chooses other flags, the rules around them, and starts over the shard so far.
func (v *viewRun) render() error {
	c := v.config
	c.Sinks, c.Tasks = slices.Clone(c.Sinks), slices.Clone(c.Tasks)
	for old := v.flags; v.flags == old; {
		v.flags = coalesce.Flags{Sync: true, SharedBatches: v.r.Pick(4) > 0, Barrier: v.r.Pick(2) == 0}
		if v.probe == coalesce.Upgrade {
			v.flags.Barrier = v.flags.Barrier && !v.flags.SharedBatches
		}
	}
	var err error
	if c.Mode, err = v.flags.Mode(); err != nil {
		return err
	}
	c.Probe = v.probe
	c.Whole = coalesce.Around(v.r.Pick(2))
	for i := range c.Sinks {
		k := &c.Sinks[i]
		if c.Whole == coalesce.WholeSink {
			k.Replica = v.r.Pick(3)
			continue
		}
		for n := range len(k.Bounds) - 1 {
			if v.r.Pick(5) == 0 {
				k.Superseded = append(k.Superseded, n)
			}
		}
		for t := range c.Tasks {
			if c.Tasks[t].Sink == i && c.Mode == coalesce.Barrier && v.r.Pick(2) == 0 {
				c.Tasks[t].Skips = k.Superseded
			}
		}
	}
	if v.m == nil {
		if v.m, err = coalesce.New(c); err == nil {
			v.s = v.m.Start()
		}
		return err
	}
	again, err := coalesce.Rerender(v.m, &v.s, c)
	if err != nil {
		return err
	}
	torn := 0
	if v.s.Torn != 0 {
		torn = 1
	}
	v.torn[v.m.Whole][torn]++
	v.m, v.s = again.Model, again.State
	v.flips++
	return nil
}

// play runs under flags that are flipped at least twice. It returns where the view
// differs from the one-shot query, or "" when it never does; an error is a fault of the
// machinery.
func (v *viewRun) play() (wrong string, err error) {
	if err := v.render(); err != nil {
		return "", err
	}
	for range 2 + v.r.Pick(2) {
		// The dataflow ends between two intervals, or some steps after an append or the start.
		tear := 1 + v.r.Pick(25)
		if v.r.Pick(2) == 0 {
			tear = 400
		}
		first := v.uppers()
		for {
			if tear--; tear <= 0 {
				v.s, err = v.tornDown()
				if err != nil {
					return "", err
				}
			}
			if tear <= 0 || v.uppers() > first {
				before, flags := v.m, v.flags
				if err := v.render(); err == nil {
					break
				} else if tear <= 0 {
					return "", err
				}
				v.m, v.flags = before, flags
			}
			if moved, wrong, err := v.step(); wrong != "" || err != nil {
				return wrong, err
			} else if !moved {
				tear = 1
			}
		}
		if wrong := v.compare(); wrong != "" {
			return "after a render: " + wrong, nil
		}
	}
	for {
		moved, wrong, err := v.step()
		if wrong != "" || err != nil {
			return wrong, err
		}
		if !moved {
			break
		}
	}
	if v.probe == coalesce.StrongCount && !v.drop {
		if got := v.m.Classify(&v.s); got != coalesce.Safe {
			return "", fmt.Errorf("the last dataflow ends %v", got)
		}
		if b := v.m.Violations(&v.s); b != 0 {
			return "", fmt.Errorf("invariants broken: %b", b)
		}
	}
	for sink := range v.m.Sinks {
		if int(v.s.Sinks[sink].Upper) != v.m.Intervals(sink) {
			return "", fmt.Errorf("sink %s ends at upper %d", v.m.SinkName(sink), v.m.Upper(&v.s, sink))
		}
	}
	return "", nil
}

func (v *viewRun) uppers() (sum int) {
	for i := range v.m.Sinks {
		sum += int(v.s.Sinks[i].Upper)
	}
	return sum
}

// tornDown drops the dataflow and goes on until all its write tasks have stopped.
func (v *viewRun) tornDown() (coalesce.State, error) {
	s := v.s
	z, _ := v.m.ByName("Z")
	for v.m.Step(&s, z, nil).Kind == coalesce.Free {
	}
	for range 1000 {
		if _, err := coalesce.Rerender(v.m, &s, v.m.Config); err == nil {
			return s, nil
		}
		free := v.free(&s)
		if len(free) == 0 {
			break
		}
		v.m.Step(&s, free[v.r.Pick(len(free))], nil)
	}
	_, err := coalesce.Rerender(v.m, &s, v.m.Config)
	return s, fmt.Errorf("the dataflow does not come down: %w", err)
}

// free lists the threads that can move, without the teardown.
func (v *viewRun) free(s *coalesce.State) (list []coalesce.Thread) {
	for _, t := range v.m.Threads() {
		if t.Role() != coalesce.Teardown && v.m.Blocked(s, t).Kind == coalesce.Free {
			list = append(list, t)
		}
	}
	return list
}

// step takes one random step; when it moved an upper, all times are read.
func (v *viewRun) step() (moved bool, wrong string, err error) {
	free := v.free(&v.s)
	if len(free) == 0 {
		return false, "", nil
	}
	t := free[v.r.Pick(len(free))]
	if v.drop && !v.dropped && t.Role() == coalesce.Append {
		v.dropOne(t)
	}
	before := v.uppers()
	var es coalesce.Events
	v.m.Step(&v.s, t, &es)
	if v.uppers() == before {
		return true, "", nil
	}
	switch {
	case t.Role() == coalesce.Replica:
		v.replica++
	case es[0].Kind == coalesce.Sealed:
		v.appends[v.m.Whole][v.m.Mode]++
	}
	return true, v.compare(), nil
}

// dropOne takes a part out of a batch that the append is about to seal: one of errors,
// if the workload has some, because while a view fails nothing else is seen to be missing.
func (v *viewRun) dropOne(t coalesce.Thread) {
	try := v.s
	var es coalesce.Events
	v.m.Step(&try, t, &es)
	e, ok := find(es, coalesce.Sealed)
	if !ok || e.Parts == 0 {
		return
	}
	i := 0
	if v.errors > 0 {
		i = slices.IndexFunc(e.Parts.List(), func(p int) bool {
			pc, _ := v.m.Part(p)
			return pc.Error != ""
		})
		if i < 0 {
			return
		}
	}
	part := e.Parts.List()[i]
	for spawner := range v.s.Blobs {
		if b := &v.s.Blobs[spawner][e.A]; b.Parts.Has(part) && b.Status == coalesce.InFlight {
			b.Parts &^= 1 << part
			v.dropped = true
			return
		}
	}
}

// compare reads every view at every time, and before and after.
func (v *viewRun) compare() string {
	for sink := range v.m.Sinks {
		since, upper := v.m.Sinks[sink].Since, v.m.Upper(&v.s, sink)
		last := v.m.Sinks[sink].Bounds[v.m.Intervals(sink)]
		keys := v.m.Keys(sink)
		var before map[string]int
		for at := int64(0); at <= last; at++ {
			want := oneShot(v.log, sink, at)
			for _, g := range groupsOf(before, want) {
				if before != nil && before[g] != want[g] && !slices.Contains(keys, g) && !(sink == 0 && g == bad) {
					return fmt.Sprintf("view %s: group %q changes at %d, and no part says so", v.m.SinkName(sink), g, at)
				}
			}
			before = want
			failure := v.failure(sink, at)
			for _, g := range keys {
				count, ok := want[g]
				if !ok || failure != "" {
					count = coalesce.Absent
				}
				got := v.m.ReadAsOf(&v.s, sink, g, at)
				status := coalesce.Answers
				switch {
				case at < since:
					status = coalesce.Refused
				case at >= upper:
					status = coalesce.Waits
				}
				if got.Status != status || got.Truth != count || got.TruthError != failure ||
					status == coalesce.Answers && (got.View != count || got.ViewError != failure) {
					return fmt.Sprintf("view %s: %q AS OF %d: %+v, the one-shot query says %d (absent: %d), %q", v.m.SinkName(sink), g, at, got, count, coalesce.Absent, failure)
				}
				if failure != "" && status == coalesce.Answers {
					v.failed++
				}
				v.reads++
			}
		}
	}
	return ""
}

// TestViewEqualsOneShot is the oracle of the view: at every time in [since, upper) it
// equals the one-shot aggregation, over inserts, deletes and updates, which fails while
// some row cannot be grouped, on 1 x 4 and 2 x 2 workers, with flags flipped between renders. The same machinery finds the hole that
// the upgrading probe leaves, and a part that an append drops.
func TestViewEqualsOneShot(t *testing.T) {
	t.Parallel()
	seeds := max(fewer(120), 40)
	for _, processes := range []int{1, 2} {
		var sum viewRun
		var seen [3]int
		for seed := range seeds {
			r := schedule.NewRandom(uint64(seed))
			v := &viewRun{workload: makeWorkload(r, processes, 1+r.Pick(2), r.Pick(2) == 0), r: r, probe: coalesce.StrongCount}
			wrong, err := v.play()
			if err != nil || wrong != "" {
				t.Fatalf("%d processes, seed %d: %s, %v", processes, seed, wrong, err)
			}
			if v.flips < 2 {
				t.Fatalf("%d processes, seed %d: flags were flipped %d times", processes, seed, v.flips)
			}
			sum.flips += v.flips
			sum.reads += v.reads
			sum.failed += v.failed
			sum.replica += v.replica
			for i := range v.torn {
				for k, n := range v.torn[i] {
					sum.torn[i][k] += n
				}
				for mode, n := range v.appends[i] {
					sum.appends[i][mode] += n
				}
			}
			for i, n := range v.seen {
				seen[i] += n
			}
		}
		t.Logf("%d processes: %d runs, %d flips, appends %v, renders %v, %d appends of another replica, %d reads, %d of which had to fail, changes %v",
			processes, seeds, sum.flips, sum.appends, sum.torn, sum.replica, sum.reads, sum.failed, seen)
		for i := range sum.appends {
			for mode, n := range sum.appends[i] {
				if n <= seeds/20 {
					t.Errorf("sink %d, mode %d: only %d appends", i, mode, n)
				}
			}
			for torn, n := range sum.torn[i] {
				if n <= seeds/20 {
					t.Errorf("sink %d, torn %d: only %d renders", i, torn, n)
				}
			}
		}
		for i, n := range seen {
			if n < seeds {
				t.Errorf("change %d: only %d", i, n)
			}
		}
		if sum.replica == 0 || sum.failed == 0 {
			t.Errorf("the other replica appended %d times, and %d reads had to fail", sum.replica, sum.failed)
		}

		holes, drops, errors := 0, 0, 0
		for seed := range seeds {
			r := schedule.NewRandom(uint64(seed))
			v := &viewRun{workload: makeWorkload(r, processes, 1+r.Pick(2), r.Pick(2) == 0), r: r, probe: coalesce.Upgrade}
			wrong, err := v.play()
			if err != nil {
				t.Fatalf("upgrade, %d processes, seed %d: %v", processes, seed, err)
			}
			if wrong != "" {
				if holes == 0 {
					t.Logf("upgrade, seed %d: %s", seed, wrong)
				}
				holes++
			}
			r = schedule.NewRandom(uint64(seed))
			v = &viewRun{workload: makeWorkload(r, processes, 1+r.Pick(2), seed%3 == 0), r: r, probe: coalesce.StrongCount, drop: true}
			wrong, err = v.play()
			if err != nil {
				t.Fatalf("drop, %d processes, seed %d: %v", processes, seed, err)
			}
			if v.dropped {
				drops++
				if v.errors > 0 {
					errors++
				}
				if wrong == "" {
					t.Errorf("drop, %d processes, seed %d: a part was dropped, and the view is right", processes, seed)
				}
			}
		}
		t.Logf("%d processes: upgrade left a hole in %d of %d runs, a dropped part was seen in %d, one of errors in %d", processes, holes, seeds, drops, errors)
		if holes == 0 || drops < seeds/2 || errors == 0 {
			t.Errorf("%d processes: %d holes, %d drops, %d of errors: the test sees nothing", processes, holes, drops, errors)
		}
	}
}
