package coalesce_test

import (
	"slices"
	"testing"

	"sharedbatches/core/coalesce"
)

const none = coalesce.Absent

func withChanges(k coalesce.TaskConfig, part int, changes ...coalesce.Change) coalesce.TaskConfig {
	k.Parts[part].Changes = changes
	return k
}

type asOf struct {
	at          int64
	status      coalesce.ReadStatus
	view, truth int // view counts only when the read answers
}

func (p *play) reads(key string, want ...asOf) {
	p.t.Helper()
	for _, w := range want {
		r := p.m.ReadAsOf(&p.s, 0, key, w.at)
		if r.Status != w.status || r.Truth != w.truth || r.Status == coalesce.Answers && r.View != w.view {
			p.t.Errorf("%s AS OF %d: %+v, want status %d, view %d, truth %d", key, w.at, r, w.status, w.view, w.truth)
		}
		if r.Wrong() != (w.status == coalesce.Answers && w.view != w.truth) {
			p.t.Errorf("%s AS OF %d: Wrong is %v", key, w.at, r.Wrong())
		}
	}
}

// TestReads: below since refused, at or beyond the upper it waits, and rows that
// come and go.
func TestReads(t *testing.T) {
	k := writes(0, 0, 1200, 1500)
	k.Parts = append(k.Parts, coalesce.PartConfig{Interval: 1, At: 2500, Updates: 4, Bytes: 5000})
	k = withChanges(k, 0, coalesce.Change{Key: "7", From: 5, To: 6}, coalesce.Change{Key: "new", From: none, To: 1})
	k = withChanges(k, 1, coalesce.Change{Key: "7", From: 6, To: 9}, coalesce.Change{Key: "old", From: 2, To: none})
	k = withChanges(k, 2, coalesce.Change{Key: "7", From: 9, To: 0}, coalesce.Change{Key: "new", From: 1, To: none})
	y := sink('Y', 1000, 2000, 3000)
	y.Since = 900
	p := start(t, coalesce.Config{Sinks: []coalesce.SinkConfig{y}, Tasks: []coalesce.TaskConfig{k}})
	if keys := p.m.Keys(0); !slices.Equal(keys, []string{"7", "new", "old"}) {
		t.Errorf("keys %q", keys)
	}
	p.reads("7", asOf{899, coalesce.Refused, 0, 5}, asOf{900, coalesce.Answers, 5, 5}, asOf{999, coalesce.Answers, 5, 5}, asOf{1000, coalesce.Waits, 0, 5}, asOf{1200, coalesce.Waits, 0, 6})
	p.reads("new", asOf{999, coalesce.Answers, none, none}, asOf{1200, coalesce.Waits, 0, 1})
	p.reads("old", asOf{999, coalesce.Answers, 2, 2}, asOf{1500, coalesce.Waits, 0, none})
	p.reads("never", asOf{999, coalesce.Answers, none, none}, asOf{1999, coalesce.Waits, none, none})
	p.run("A7 Ka3 A Py")
	equal(t, "answer", p.answers[0], "A [0 1]")
	p.reads("7", asOf{1199, coalesce.Answers, 5, 5}, asOf{1200, coalesce.Answers, 6, 6}, asOf{1499, coalesce.Answers, 6, 6}, asOf{1500, coalesce.Answers, 9, 9}, asOf{1999, coalesce.Answers, 9, 9}, asOf{2000, coalesce.Waits, 0, 9})
	p.reads("new", asOf{1199, coalesce.Answers, none, none}, asOf{1999, coalesce.Answers, 1, 1})
	p.reads("old", asOf{1499, coalesce.Answers, 2, 2}, asOf{1500, coalesce.Answers, none, none})
	p.run("A9 La2 A Py")
	equal(t, "answer", p.answers[1], "A [2]")
	p.reads("7", asOf{2499, coalesce.Answers, 9, 9}, asOf{2500, coalesce.Answers, 0, 0}, asOf{2999, coalesce.Answers, 0, 0}, asOf{3000, coalesce.Waits, 0, 0})
	p.reads("new", asOf{2499, coalesce.Answers, 1, 1}, asOf{2500, coalesce.Answers, none, none})
	p.reads("old", asOf{2999, coalesce.Answers, none, none})
}

// TestReadsOfTheLost: an inserted, a deleted and a replaced row whose part was
// orphaned show up late, at the upper of the interval that lost them, and so do
// two changes of one key; the hole is each update's own, [its time, that upper).
func TestReadsOfTheLost(t *testing.T) {
	k := writes(0, 0, 1200, 1500)
	k = withChanges(k, 0, coalesce.Change{Key: "7", From: 5, To: 6}, coalesce.Change{Key: "new", From: none, To: 1})
	k = withChanges(k, 1, coalesce.Change{Key: "7", From: 6, To: 9}, coalesce.Change{Key: "old", From: 2, To: none})
	p := start(t, coalesce.Config{Sweeper: true, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000)}, Tasks: []coalesce.TaskConfig{k}})
	p.run("A5 S2 A S2 Ka3 Py")
	equal(t, "answer", p.answers[0], "A None")
	hole := func(from, to int64, ok bool) {
		t.Helper()
		f, u, o := p.m.FirstHole(&p.s, 0)
		if f != from && ok || u != to && ok || o != ok {
			t.Errorf("first hole [%d, %d) %v, want [%d, %d) %v", f, u, o, from, to, ok)
		}
	}
	hole(1200, 2000, true)
	p.reads("7", asOf{1199, coalesce.Answers, 5, 5}, asOf{1200, coalesce.Answers, 5, 6}, asOf{1500, coalesce.Answers, 5, 9}, asOf{1999, coalesce.Answers, 5, 9}, asOf{2000, coalesce.Waits, 0, 9})
	p.reads("new", asOf{1199, coalesce.Answers, none, none}, asOf{1200, coalesce.Answers, none, 1}, asOf{1999, coalesce.Answers, none, 1})
	p.reads("old", asOf{1499, coalesce.Answers, 2, 2}, asOf{1500, coalesce.Answers, 2, none}, asOf{1999, coalesce.Answers, 2, none})
	if due := p.m.Due(&p.s, p.thread("A")); !slices.Equal(due, []int{0, 1}) {
		t.Errorf("corrections still due: %v", due)
	}
	p.run("A2")
	for p.s.Tasks[p.thread("A")].Line != coalesce.LinePush {
		p.step("A")
	}
	p.run("A4 La3 A")
	e, _ := find(p.step("Py"), coalesce.Lost)
	equal(t, "nothing more is lost", e.Parts, 0)
	p.reads("7", asOf{1500, coalesce.Answers, 5, 9}, asOf{1999, coalesce.Answers, 5, 9}, asOf{2000, coalesce.Answers, 9, 9})
	p.reads("new", asOf{1999, coalesce.Answers, none, 1}, asOf{2000, coalesce.Answers, 1, 1})
	p.reads("old", asOf{1999, coalesce.Answers, 2, none}, asOf{2000, coalesce.Answers, none, none})
	hole(1200, 2000, true)
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Losing)
}

// TestSinceHidesTheHole: once since has passed the hole, every answered read is right.
func TestSinceHidesTheHole(t *testing.T) {
	c := coalesce.Config{Sweeper: true, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000)}, Tasks: []coalesce.TaskConfig{writes(0, 0, 1500)}}
	p := start(t, c)
	p.run("A4 S2 A S2 Ka2 Py")
	equal(t, "view", p.m.Broken(&p.s, coalesce.ViewTrue) != "", true)
	p.m.Sinks[0].Since = 2000 // a set-up value that no thread moves
	equal(t, "view", p.m.Broken(&p.s, coalesce.ViewTrue), "")
	p.reads("7", asOf{1500, coalesce.Refused, none, none})
}

// TestTwoChangesInOnePart: a part holds consolidated updates, so one that changes a
// key twice is refused: which count would be first?
func TestTwoChangesInOnePart(t *testing.T) {
	k := withChanges(writes(0, 0, 1500), 0, coalesce.Change{Key: "7", From: 5, To: 6}, coalesce.Change{Key: "7", From: 6, To: 7})
	_, err := coalesce.New(coalesce.Config{Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)}, Tasks: []coalesce.TaskConfig{k}})
	if err == nil {
		p := start(t, coalesce.Config{Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)}, Tasks: []coalesce.TaskConfig{k}})
		t.Errorf("accepted, and AS OF 999 answers %+v, want an error or 5", p.m.ReadAsOf(&p.s, 0, "7", 999))
	}
}
