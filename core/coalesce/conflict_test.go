package coalesce_test

import (
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// conflict is D6: A opens [1000, 2000) and B, for the same id, [1000, 3000).
func conflict(d coalesce.Descriptions) coalesce.Config {
	b := writes(1, 0, 2500)
	b.Upper = 3000
	return coalesce.Config{Descriptions: d, Probe: coalesce.StrongCount, Sweeper: true,
		Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000), sink('X', 1000, 2000)},
		Tasks: []coalesce.TaskConfig{writes(0, 0, 1500), b, writes(2, 1, 1500)}}
}

// TestConflictAsserted: the joiner panics while it holds the mutex, its handle is
// dropped by unwinding, the mutex is poisoned, and everybody who locks it after
// that panics too: the next open of a whole different sink (O2).
func TestConflictAsserted(t *testing.T) {
	p := start(t, conflict(coalesce.Asserted))
	p.run("A4 B5")
	es := p.step("B")
	e, ok := find(es, coalesce.Panicked)
	if !ok || coalesce.Panic(e.A) != coalesce.Conflict || p.m.Name(e.Thread) != "B" {
		t.Fatalf("join under another description: %v", es)
	}
	if _, ok := find(es, coalesce.Unlocked); ok {
		t.Error("it unlocked before it panicked")
	}
	p.blocked("B", "panicked: descriptions differ")
	equal(t, "poisoned", registry(&p.s).Poisoned, true)
	equal(t, "lock", registry(&p.s).Lock, 0)
	equal(t, "B's handle is dropped", p.batch("Ka"), "1 A q0")
	es = p.step("C")
	if e, ok := find(es, coalesce.Panicked); !ok || coalesce.Panic(e.A) != coalesce.PoisonedLock {
		t.Errorf("C locks a poisoned mutex: %v", es)
	}
	p.blocked("C", "panicked: poisoned registry mutex")
	es = p.step("S")
	if e, ok := find(es, coalesce.Panicked); !ok || coalesce.Panic(e.A) != coalesce.PoisonedLock {
		t.Errorf("S locks a poisoned mutex: %v", es)
	}
	p.run("A2 Ka2 A") // finish never locks it
	equal(t, "answers", strings.Join(p.answers, ", "), "A [0]")
	p.blocked("Py", "B has not answered for Y")
	equal(t, "running", p.m.Running(&p.s), false)
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Crashed)
	equal(t, "lost so far", p.m.LostParts(&p.s), 0)
}

// TestConflictLastHolder: A has left meanwhile, so that B creates and nothing is compared.
func TestConflictLastHolder(t *testing.T) {
	p := start(t, conflict(coalesce.Asserted))
	p.run("A6 Ka2 A B6")
	equal(t, "B's own batch", p.batch("Kb"), "1 B")
}

// TestConflictKillsBatch: the creator has the last word. A joins B's batch, B takes
// it (no handle is left but A's, which unwinding drops).
func TestConflictKillsBatch(t *testing.T) {
	p := start(t, conflict(coalesce.Asserted))
	p.run("B4 A4") // B creates and pushes; A sweeps: one entry
	p.step("A")
	equal(t, "before the join", p.batch("Kb"), "1 B q1")
	p.step("A")
	equal(t, "A's handle is dropped", p.batch("Kb"), "1 B q1")
	p.blocked("A", "panicked: descriptions differ")
	p.run("B2 Kb2 B")
	equal(t, "answers", strings.Join(p.answers, ", "), "B [1]")
}

// TestConflictTaskPanics: unchecked, B's data lies at or beyond A's upper, so the
// builder task panics when it finishes. Awaiting raises the task's panic again
// (facts.md 1.8); nothing was uploaded.
func TestConflictTaskPanics(t *testing.T) {
	p := start(t, conflict(coalesce.Unchecked))
	p.run("A4 B7") // B joins A's batch and pushes 2500 into [1000, 2000)
	equal(t, "batch", p.batch("Ka"), "2 A,B q0,1")
	p.run("A B2 Ka2")
	es := p.step("Ka")
	if e, ok := find(es, coalesce.Panicked); !ok || coalesce.Panic(e.A) != coalesce.BadUpper || p.m.Name(e.Thread) != "Ka" {
		t.Fatalf("finish of a batch with a time beyond its upper: %v", es)
	}
	p.blocked("Ka", "panicked: valid upper bound")
	es = p.step("B")
	if e, ok := find(es, coalesce.Panicked); !ok || p.m.Name(e.Thread) != "B" {
		t.Errorf("await of a panicked task: %v", es)
	}
	p.blocked("B", "panicked: valid upper bound")
	equal(t, "answers", strings.Join(p.answers, ", "), "A None")
	equal(t, "PUTs", p.s.Puts, 0)
	p.blocked("Py", "B has not answered for Y")
	equal(t, "registry is not poisoned", registry(&p.s).Poisoned, false)
	p.random(schedule.NewRandom(1))
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Crashed)
}

// TestConflictSilentlyCut: unchecked and the other way round. A's data goes under
// B's bounds, which are wider; the batch finishes, the append cuts at its own
// upper, and B's update at 2500 is in no sealed interval although nothing failed.
func TestConflictSilentlyCut(t *testing.T) {
	p := start(t, conflict(coalesce.Unchecked))
	p.run("B4 A7 A B2 Kb3 B")
	equal(t, "answers", strings.Join(p.answers, ", "), "A None, B [0 1]")
	es := p.step("Py")
	sealed, _ := find(es, coalesce.Sealed)
	lost, ok := find(es, coalesce.Lost)
	equal(t, "sealed", sealed.Parts, 1<<0|1<<1)
	if !ok || lost.Parts != 1<<1 {
		t.Errorf("the append cuts part 1 away: %v", es)
	}
	equal(t, "A's part", p.s.Sealed[0], 1)
	equal(t, "B's part", p.s.Sealed[1], 0)
	equal(t, "no view is wrong yet", p.m.Broken(&p.s, coalesce.ViewTrue), "")
	equal(t, "lost", p.m.LostParts(&p.s), 1<<1)
}

// TestConflictRaise: the correction that was cut is written again in the interval
// that its time lies in, at its own time: a time is raised to the interval's lower
// only when it is below it (facts.md 2.3).
func TestConflictRaise(t *testing.T) {
	c := conflict(coalesce.Unchecked)
	c.Tasks[1].Parts[0].Changes = []coalesce.Change{{Key: "7", From: 5, To: 6}}
	p := start(t, c)
	p.run("B4 A7 A B2 Kb3 B Py A5 La A") // A has nothing more in the second interval
	p.run("B")
	for p.s.Tasks[p.thread("B")].Line != coalesce.LineJoin {
		p.step("B")
	}
	p.run("B4 Lb2 B Py")
	for at, want := range map[int64]int{1999: 5, 2000: 5, 2499: 5, 2500: 6, 2999: 6} {
		if r := p.m.ReadAsOf(&p.s, 0, "7", at); r.View != want || r.Truth != want {
			t.Errorf("AS OF %d: %+v, want %d", at, r, want)
		}
	}
	equal(t, "view", p.m.Broken(&p.s, coalesce.ViewTrue), "")
}

// TestConflictBeyondNextInterval: a correction is handed out only for the interval
// that its time lies before the upper of; it waits otherwise.
func TestConflictBeyondNextInterval(t *testing.T) {
	c := conflict(coalesce.Unchecked)
	c.Sinks[0].Bounds = []int64{1000, 2000, 2400, 3000}
	p := start(t, c)
	p.run("B4 A7 A B2 Kb3 B Py") // 2500 is cut
	p.run("B")
	if due := p.m.Due(&p.s, p.thread("B")); len(due) != 0 {
		t.Errorf("due in [2000, 2400): %v, want nothing: its time is 2500", due)
	}
}

// TestPushFails: a push to a task that has panicked fails. In best-effort mode no schedule comes here, since a task panics only when
// the channel is closed and then nobody is left to push; so the state is made by hand.
func TestPushFails(t *testing.T) {
	p := start(t, conflict(coalesce.Unchecked))
	p.run("A3")
	b := &p.s.Batches[p.thread("Ka").Slot()]
	b.Panic, b.Gone = coalesce.BadUpper, true
	if e, ok := find(p.step("A"), coalesce.Panicked); !ok || coalesce.Panic(e.A) != coalesce.TaskFailed {
		t.Errorf("push to a task that is gone: %+v", e)
	}
	p.blocked("A", "panicked: task failed")
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Crashed)
}
