package coalesce_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// TestOwnSweepLosesOwnBatch: one worker with two sinks. Its write task for X sweeps
// while its write task for Y finishes. Random schedules find the loss under
// upgrade; the very schedule that lost is then played under strong_count.
func TestOwnSweepLosesOwnBatch(t *testing.T) {
	c := coalesce.Config{
		Sinks: []coalesce.SinkConfig{sink('X', 1000, 2000), sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(0, 1, 1500)},
	}
	random := schedule.NewRandom(1)
	lost := ""
	for range 10_000 {
		p := start(t, under(coalesce.Upgrade, c))
		letters := p.random(random)
		if p.m.Classify(&p.s) == coalesce.Losing {
			lost = schedule.Print(letters)
			break
		}
	}
	if lost == "" {
		t.Fatal("no schedule of 10,000 random ones loses the batch")
	}
	t.Log(lost)
	for seed := range uint64(10_000) {
		p := start(t, under(coalesce.StrongCount, c))
		p.random(schedule.NewRandom(seed))
		if v := p.m.Classify(&p.s); v != coalesce.Safe {
			t.Fatalf("seed %d under strong_count: %v", seed, v)
		}
	}
	// By hand: Ay has pushed, A sweeps, Ay gives back while A's temporary holds on.
	p := start(t, under(coalesce.Upgrade, c))
	p.run("Ay4 A3")
	equal(t, "Ay's batch in the window", p.batch("Kay"), "2 Ay ~A q1")
	p.run("Ay A")
	equal(t, "Ay's batch after it", p.batch("Kay"), "0 q1 closed")
	equal(t, "answers", strings.Join(p.answers, ", "), "Ay None")
	p = start(t, under(coalesce.StrongCount, c))
	p.run("Ay4 A3 Ay A")
	equal(t, "Ay's batch under strong_count", p.batch("Kay"), "0 =Ay q1")
}

// random steps random threads until none can move.
func (p *play) random(r *schedule.Random) []schedule.Letter {
	p.t.Helper()
	letters, err := r.Run(p.enabled, func(name schedule.Letter) error { p.step(name); return nil })
	if err != nil {
		p.t.Fatal(err)
	}
	return letters
}

func (p *play) enabled() (names []schedule.Letter) {
	for _, th := range p.m.Threads() {
		if p.m.Blocked(&p.s, th).Kind == coalesce.Free {
			names = append(names, p.m.Name(th))
		}
	}
	return names
}

// TestBareSweeper: the loss needs no second sink and no second worker.
func TestBareSweeper(t *testing.T) {
	c := coalesce.Config{Sweeper: true,
		Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500)}}
	verdicts := map[string]string{}
	for _, probe := range []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount} {
		p := start(t, under(probe, c))
		p.run("A4 S2 A S2")
		equal(t, "entry", p.entry(0, 0), "dead")
		equal(t, "last_retained_len: the probe found it alive", registry(&p.s).LastRetained, 1)
		p.blocked("S", "finished")
		p.random(schedule.NewRandom(1))
		verdicts[probe.String()] = p.m.Classify(&p.s).String() + ", " + p.status()
		k := &verdictCounter{m: p.m, seen: map[coalesce.State]counts{}}
		n := k.count(p.m.Start())
		if losing := n[coalesce.Losing].Sign() > 0; losing != (probe == coalesce.Upgrade) {
			t.Errorf("%s: %d of all schedules lose", probe, n[coalesce.Losing])
		}
	}
	equal(t, "upgrade", verdicts["upgrade"], "losing, sY/wa/p1 leaked [0]")
	equal(t, "strong_count", verdicts["strong_count"], "safe, sY/wa/p1 referenced [0]")
}

// TestSweeperOnEmptyMap: nothing to probe, so it goes from the lock to the retain.
func TestSweeperOnEmptyMap(t *testing.T) {
	p := start(t, coalesce.Config{Sweeper: true,
		Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)}, Tasks: []coalesce.TaskConfig{writes(0, 0, 1500)}})
	p.run("S2")
	p.blocked("S", "finished")
	p.run("A4")
	equal(t, "batch", p.batch("Ka"), "1 A q0")
}

// TestAmortisedSweep follows the map over eight opens of one worker on one sink and
// then another: the test runs before the caller's id goes in, counts dead entries,
// and sweeps when there are more than twice as many as the last sweep left.
func TestAmortisedSweep(t *testing.T) {
	bounds := []int64{1000, 2000, 3000, 4000, 5000}
	for _, probe := range []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount} {
		c := coalesce.Config{Probe: probe,
			Sinks: []coalesce.SinkConfig{sink('X', bounds...), sink('Y', bounds...)},
			Tasks: []coalesce.TaskConfig{writes(0, 0), writes(1, 1)}}
		p := start(t, c)
		var got []string
		open := func(name string) { // up to the line after join, and tells what the test saw
			p.t.Helper()
			p.step(name)
			es := p.step(name)
			e, _ := find(es, coalesce.SweepTested)
			swept := ""
			for p.m.Program(p.thread(name))[p.m.Line(&p.s, p.thread(name))].InSweep {
				if r, ok := find(p.step(name), coalesce.Retained); ok {
					swept = fmt.Sprintf(" kept %d removed %d", r.A, r.B)
				}
			}
			p.step(name)
			got = append(got, fmt.Sprintf("%s: %d > 2*%d%s, map %d, last %d", name, e.A, e.B, swept, registry(&p.s).Size(), registry(&p.s).LastRetained))
		}
		next := func(name, builder, appends string) { // finishes, seals
			p.t.Helper()
			p.run(name + "2 " + builder + " " + name + " " + appends)
		}
		open("A") // X1
		open("B") // Y1, sweeps: X1 is alive
		next("A", "Ka", "Px")
		open("A") // X2: X1 dead, Y1 alive: 2 > 2*1 is false
		next("A", "La", "Px")
		open("A") // X3: X1, X2 dead, Y1 alive: 3 > 2
		next("B", "Kb", "Py")
		next("A", "Ka", "Px")
		open("A") // X4: Y1, X3 dead: 2 > 2 is false
		open("B") // Y2: Y1, X3 dead, X4 alive: 3 > 2
		want := []string{
			"A: 0 > 2*0, map 1, last 0",
			"B: 1 > 2*0 kept 1 removed 0, map 2, last 1",
			"A: 2 > 2*1, map 3, last 1",
			"A: 3 > 2*1 kept 1 removed 2, map 2, last 1",
			"A: 2 > 2*1, map 3, last 1",
			"B: 3 > 2*1 kept 1 removed 2, map 2, last 1",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", probe, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestDeadEntryStays: finish never touches the map, so a finished id stays as a
// dangling weak until some later sweep, and a sweep with nothing alive leaves 0.
func TestDeadEntryStays(t *testing.T) {
	for _, probe := range []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount} {
		p := start(t, coalesce.Config{Probe: probe,
			Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000)},
			Tasks: []coalesce.TaskConfig{writes(0, 0, 1500)}})
		p.run("A4 Ka A2 Ka A Py")
		equal(t, "Y1 after the append", p.entry(0, 0), "dead")
		p.run("A2")
		equal(t, "Y1 at the probe", p.entry(0, 0), "dead")
		kind := coalesce.ProbeMissed
		if probe == coalesce.StrongCount {
			kind = coalesce.ProbeLoaded
		}
		// A dead entry's probe has its two lines too.
		es := p.step("A")
		if e, ok := find(es, kind); !ok || e.A != 0 {
			t.Errorf("%s, begin of the probe of a dead entry: %v", probe, es)
		}
		es = p.step("A")
		if _, ok := find(es, coalesce.ProbeDead); !ok {
			t.Errorf("%s, its end: %v", probe, es)
		}
		equal(t, "Y1 before the retain", p.entry(0, 0), "dead")
		p.run("A")
		equal(t, "Y1 after it", p.entry(0, 0), "-")
		equal(t, "last_retained_len", registry(&p.s).LastRetained, 0)
	}
}

// TestKilledByItsOwnProbe: the entry was alive when its probe began, so the sweep
// that killed it keeps it and counts it; a later sweep removes it.
func TestKilledByItsOwnProbe(t *testing.T) {
	p := start(t, coalesce.Config{Sweeper: true,
		Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000), sink('X', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 1)}})
	p.run("A4 B3 A")
	es := p.step("B")
	if len(es) != 3 || es[0].Kind != coalesce.ProbeDropped || es[1].Kind != coalesce.Destroyed || es[2].Kind != coalesce.ProbeKept {
		t.Errorf("the drop that destroys: %v, want dropped, destroyed, kept", es)
	}
	e, _ := find(p.step("B"), coalesce.Retained)
	equal(t, "kept", e.A, 1)
	equal(t, "Y1", p.entry(0, 0), "dead")
	p.run("B") // creates X1
	p.run("S6")
	equal(t, "Y1 after the later sweep", p.entry(0, 0), "-")
	equal(t, "X1 after it", p.entry(1, 0), "Kb")
	equal(t, "last_retained_len", registry(&p.s).LastRetained, 1)
}
