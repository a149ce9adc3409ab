package coalesce_test

import (
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

// TestChannelOfFour: the fifth push is blocked until the builder task receives.
func TestChannelOfFour(t *testing.T) {
	p := start(t, coalesce.Config{Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1100, 1200, 1300, 1400, 1500, 1600)}})
	p.run("A7")
	e, _ := find(p.step("Ka"), coalesce.Received)
	equal(t, "first received", e.Parts, 1<<0)
	p.step("A")
	equal(t, "batch", p.batch("Ka"), "1 A q1,2,3,4 got0")
	p.blocked("A", "4 pushes are queued, Ka must receive one")
	p.step("Ka")
	p.step("A")
	equal(t, "batch", p.batch("Ka"), "1 A q2,3,4,5 got0,1")
	p.run("A2") // into_inner, close: what is queued stays readable
	p.blocked("A", "Ka has not finished")
	p.run("Ka5 A Py")
	equal(t, "answers", strings.Join(p.answers, ""), "A [0 1 2 3 4 5]")
	equal(t, "store", p.status(), "sY/wa/p1 referenced [0 1 2 3 4 5]")
}

// TestBackPressureKeepsHandle: who waits to push holds a handle, so the batch
// cannot die meanwhile (S11), not even to a sweep that upgrades.
func TestBackPressureKeepsHandle(t *testing.T) {
	p := start(t, coalesce.Config{Sweeper: true, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500, 1500, 1500, 1500), writes(1, 0, 1600)}})
	p.run("A3 B6 A4") // both hold the batch, A's four are queued
	p.blocked("B", "4 pushes are queued, Ka must receive one")
	p.run("S2 A S2")
	equal(t, "batch", p.batch("Ka"), "1 B q0,1,2,3")
	p.run("Ka B3 Ka5 B Py")
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Safe)
}

// TestEqualNones: a worker with nothing to push opens and finishes all the same,
// and three kinds of None come of it. The state of the append's side
// after each differs in nothing but who answered, and so does the event, once what
// only the page shows (which batch, why) is taken out.
func TestEqualNones(t *testing.T) {
	none := map[string]coalesce.Event{}
	sinks := map[string]coalesce.Sink{}
	play := func(name string, c coalesce.Config, before string) {
		p := start(t, c)
		p.run(before)
		e, ok := find(p.step("A"), coalesce.AnsweredNone)
		if !ok {
			t.Fatalf("%s: no None", name)
		}
		why := coalesce.NoneReason(e.A)
		if want := map[string]coalesce.NoneReason{"lost": coalesce.OnlySweep, "nothing": coalesce.NothingToWrite, "others": coalesce.OthersDeliver}[name]; why != want {
			t.Errorf("%s: reason %d, want %d", name, why, want)
		}
		if e.Parts != 0 || e.B != 0 || e.Entry != -1 {
			t.Errorf("%s: the event says more than who: %+v", name, e)
		}
		e.A = 0 // for the page only
		none[name], sinks[name] = e, p.s.Sinks[0]
		p.blocked("Py", "B has not answered for Y")
	}
	play("lost", s2(coalesce.Upgrade), "A4 B3")
	play("others", s2(coalesce.Upgrade), "A4 B7")
	idle := s2(coalesce.Upgrade)
	idle.Tasks[0].Parts = nil
	play("nothing", idle, "A5 Ka")
	for name := range none {
		equal(t, name+": event", none[name], none["lost"])
		equal(t, name+": the append's side", sinks[name], sinks["lost"])
	}
}

// TestSecondBatch is D8: a worker that opens after the last finish makes a second
// batch under the same id, and both reach one append.
func TestSecondBatch(t *testing.T) {
	for _, probe := range []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount} {
		p := start(t, s2(probe))
		p.run("A6 Ka2 A B9 Kb2 B")
		equal(t, "store", p.status(), "sY/wa/p1 in flight [0], sY/wb/p1 in flight [1]")
		e, _ := find(p.step("Py"), coalesce.Sealed)
		equal(t, "sealed", e.Parts, 1<<0|1<<1)
		equal(t, "store", p.status(), "sY/wa/p1 referenced [0], sY/wb/p1 referenced [1]")
		equal(t, "PUTs", p.s.Puts, 2)
		equal(t, "verdict", p.m.Classify(&p.s), coalesce.Safe)
	}
}

// TestDetachedTask: the builder task of a dead batch runs on, past the append that
// seals without it, and its upload belongs to nobody.
func TestDetachedTask(t *testing.T) {
	p := start(t, s2idle(coalesce.Upgrade))
	p.run("A4 B3 A B3 B2 Kb B")
	e, ok := find(p.step("Py"), coalesce.Lost)
	if !ok || e.Parts != 1<<0 {
		t.Errorf("the append lost %v", e)
	}
	equal(t, "verdict while the task still runs", p.m.Running(&p.s), true)
	equal(t, "store", p.status(), "")
	p.blocked("Py", "finished")
	p.blocked("A", "finished")
	p.step("Ka")
	es := p.step("Ka")
	var kinds []coalesce.EventKind
	for _, e := range es {
		kinds = append(kinds, e.Kind)
	}
	if len(kinds) != 3 || kinds[0] != coalesce.Uploaded || kinds[1] != coalesce.FinishedFull || kinds[2] != coalesce.Discarded {
		t.Errorf("the task's end: %v, want uploaded, finished, discarded", es)
	}
	equal(t, "store", p.status(), "sY/wa/p1 leaked [0]")
	p.blocked("Ka", "finished")
	equal(t, "running", p.m.Running(&p.s), false)
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Losing)
}

// TestSlotLimit: at most two batches of one spawner, one for each parity.
func TestSlotLimit(t *testing.T) {
	p := start(t, coalesce.Config{Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000, 4000), sink('X', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 1)}})
	p.run("A4 B3 A B5 Kb B Px Py") // Ka of the first interval is orphaned and does not run
	p.run("A6 La2 A Py A2")
	for p.m.Program(p.thread("A"))[p.m.Line(&p.s, p.thread("A"))].InSweep {
		p.step("A")
	}
	p.blocked("A", "Ka of an earlier interval still runs (limit of the model: two batches a spawner)")
	p.run("Ka2 A")
	equal(t, "the slot is free again", p.batch("Ka"), "1 A")
}

// TestReasons holds every reason's text that best-effort threads can give.
func TestReasons(t *testing.T) {
	two := coalesce.Config{Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000), sink('X', 1000, 2000)}, Sweeper: true,
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), writes(1, 0), writes(2, 1)}}
	for _, c := range []struct{ schedule, thread, want string }{
		{"", "A", ""},
		{"", "Ka", "not spawned"},
		{"", "Py", "A, B have not answered for Y"},
		{"", "Px", "C has not answered for X"},
		{"A", "B", "registry lock held by A"},
		{"A", "S", "registry lock held by A"},
		{"S", "A", "registry lock held by S"},
		{"A3", "Ka", "channel is empty and still open"},
		{"A6", "A", "Ka has not finished"},
		{"A6 Ka2 A", "A", "interval opens at upper 2000"},
		{"A6 Ka2 A", "Py", "B has not answered for Y"},
		{"A6 Ka2 A", "Ka", "finished"}, // two intervals: the odd one is over
		{"A6 Ka2 A", "La", "not spawned"},
		{"C5 Kc C", "C", "finished"},
		{"C5 Kc C", "Kc", "finished"},
		{"C5 Kc C Px", "Px", "finished"},
		{"S2", "S", "finished"},
	} {
		p := start(t, two)
		p.run(c.schedule)
		if c.want == "" {
			p.step(c.thread)
			continue
		}
		p.blocked(c.thread, c.want)
	}
}

// TestBlobStore: what was put can be listed, got and sized; only a leaked object
// may be deleted.
func TestBlobStore(t *testing.T) {
	c := s1(coalesce.Upgrade)
	c.Tasks[0].Parts = append(c.Tasks[0].Parts, coalesce.PartConfig{At: 1600, Updates: 3, Bytes: 5000})
	p := start(t, c)
	a, b := p.thread("A"), p.thread("B")
	equal(t, "empty store", len(p.m.List(&p.s)), 0)
	if _, ok := p.m.Get(&p.s, a, 0, 0); ok {
		t.Error("Get finds an object before the PUT")
	}
	p.run("A5 B3 A B3 Ka3 B3 Kb2")
	o, ok := p.m.Get(&p.s, a, 0, 0)
	if !ok || o.Key != "sY/wa/p1" || o.Sink != 0 || o.Spawner != a || o.N != 0 || o.Status != coalesce.Leaked || o.Bytes != 21384 || o.Updates != 515 || o.Given != 0 {
		t.Errorf("Get: %+v, %v", o, ok)
	}
	equal(t, "list, by sink, spawner, interval", p.status(), "sY/wa/p1 leaked [0 1], sX/wb/p1 in flight [2]")
	bytes, updates := p.m.Sizes(1<<1 | 1<<2)
	equal(t, "bytes of parts 1 and 2", bytes, 5000+16384)
	equal(t, "updates of parts 1 and 2", updates, 3+512)
	for _, c := range []struct {
		spawner coalesce.Thread
		n       int
		want    string
	}{
		{b, 0, "delete: sX/wb/p1: it is in flight: only a leaked object may be deleted"},
		{b, 1, "delete: B, interval 2: there is no such object"},
		{a, 0, ""},
		{a, 0, "delete: A, interval 1: there is no such object"},
	} {
		before, got := p.s, ""
		if err := p.m.Delete(&p.s, c.spawner, c.n, 0); err != nil {
			got = err.Error()
			equal(t, "state after a refused delete", p.s, before)
		}
		equal(t, "delete", got, c.want)
	}
	equal(t, "after the delete", p.status(), "sX/wb/p1 in flight [2]")
	equal(t, "nothing leaks any more", p.m.Broken(&p.s, coalesce.NoLeak), "")
	equal(t, "the balance counts deleted ones", p.m.Broken(&p.s, coalesce.Balance), "")
	equal(t, "it was lost all the same", p.m.Broken(&p.s, coalesce.Delivered), "The batch of sink Y, interval 1, was finished for nobody.")
	p.run("B Px Py")
	equal(t, "after the append", p.status(), "sX/wb/p1 referenced [2]")
	if err := p.m.Delete(&p.s, b, 0, 0); err == nil || err.Error() != "delete: sX/wb/p1: it is referenced: only a leaked object may be deleted" {
		t.Errorf("delete of a referenced object: %v", err)
	}
}

// TestInvariantTexts breaks each invariant that a run can break, and reads why; the
// others are broken by hand, since no schedule does.
func TestInvariantTexts(t *testing.T) {
	p := start(t, s1(coalesce.Upgrade))
	broken := func(inv coalesce.Invariant, want string) {
		t.Helper()
		equal(t, inv.Name(), p.m.Broken(&p.s, inv), want)
	}
	p.run("A4 B3")
	broken(coalesce.Delivered, "")
	p.run("A")
	broken(coalesce.Delivered, "No handle on batch Y is left. The sweep’s temporary still holds it, and a sweep delivers to nobody.")
	p.run("B")
	broken(coalesce.Delivered, "Batch Y has data, and no handle, owner or answer is left to deliver it.")
	broken(coalesce.NoLeak, "")
	p.run("Ka2")
	broken(coalesce.Delivered, "The batch of sink Y, interval 1, was finished for nobody.")
	broken(coalesce.NoLeak, "sY/wa/p1 is stored, and nothing refers to it.")
	broken(coalesce.ViewTrue, "")
	p.run("Py")
	broken(coalesce.ViewTrue, "View Y answers wrong from 1500 to 1999: an update was not in the append that sealed those times.")
	broken(coalesce.Balance, "")
	p.s.Puts++
	broken(coalesce.Balance, "2 PUTs, but 0 referenced, 0 in flight, 1 leaked, 0 deleted.")
	broken(coalesce.Once, "")
	p.s.Blobs[0][0].Given = 2
	broken(coalesce.Once, "2 workers received the batch that A opened.")
}
