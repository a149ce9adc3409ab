package coalesce_test

import (
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

// barrierOf is workers on sink Y with one interval, a part for each of the first
// parts of them.
func barrierOf(workers, parts int) coalesce.Config {
	c := coalesce.Config{Probe: coalesce.StrongCount, Mode: coalesce.Barrier, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)}}
	for w := range workers {
		if w < parts {
			c.Tasks = append(c.Tasks, writes(w, 0, 1500))
		} else {
			c.Tasks = append(c.Tasks, writes(w, 0))
		}
	}
	return c
}

// TestAwaitAfterFinish: a builder task that was told to Finish returns None, so a
// best-effort worker that is the last holder of the same state gets None and does
// not wait for ever (facts.md 1.7, O7).
func TestAwaitAfterFinish(t *testing.T) {
	c := barrierOf(2, 2)
	c.Modes, c.Asserts = coalesce.MixedModes, coalesce.Release
	c.Tasks[1].BestEffort = true
	p := start(t, c)
	p.run("B4 A7 A4 Kb3 A B3")
	equal(t, "answers", p.tellAnswers(), "A [0 1], B None")
	p.run("Py")
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Safe)
}

// TestAwaitAfterFinishNotRead: the batch was made for a sender of Finish that was
// aborted. The last holder gets None, and the batch is leaked.
func TestAwaitAfterFinishNotRead(t *testing.T) {
	c := barrierOf(2, 2)
	c.Modes, c.Asserts, c.Teardown = coalesce.MixedModes, coalesce.Release, true
	c.Tasks[1].BestEffort = true
	p := start(t, c)
	p.run("B4 A7 A4 Kb3 Z A B3 Z")
	equal(t, "answers", p.tellAnswers(), "B None")
	equal(t, "leaked", p.leaked(), 1)
}

// TestMismatchReadsBackAll: the other replica seals what the view should contain,
// corrections of earlier intervals included, so none is left after the read-back.
func TestMismatchReadsBackAll(t *testing.T) {
	c := coalesce.Config{Probe: coalesce.Upgrade, Sweeper: true, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000)}, Tasks: []coalesce.TaskConfig{writes(0, 0, 1500)}}
	c.Sinks[0].Superseded = []int{1}
	p := start(t, c)
	p.run("A4 S2 A S2 Ka2 Py")
	equal(t, "lost", p.m.LostParts(&p.s), 1)
	p.run("A6 La2 A")
	p.run("Py")
	equal(t, "the part is sealed in interval", p.s.Sealed[0], 2)
}

// TestLateSkipIsSecondReport: a skip after the same worker has written the interval
// is a second report, even when the state it was written to is gone.
func TestLateSkipIsSecondReport(t *testing.T) {
	c := barrierOf(1, 1)
	c.Reports = coalesce.ReportUnchecked
	c.Tasks[0].Skips, c.Tasks[0].Writes = []int{0}, true
	p := start(t, c)
	p.run("A8 Ka2 A Ta2")
	if p.m.Holds(&p.s, coalesce.OneReport) {
		t.Error("a skip after the write was not noticed")
	}
}

// TestPanicKeepsSkips: a Timely side that panics has reported what it has reported.
func TestPanicKeepsSkips(t *testing.T) {
	c := barrierOf(2, 0)
	c.Sinks = []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000)}
	c.Sinks[0].Superseded = []int{0, 1}
	c.Tasks[0].Skips = []int{0, 1}
	c.Tasks[1].Skips = []int{0}
	c.Sinks = append(c.Sinks, sink('X', 1000, 2000))
	c.Tasks = append(c.Tasks, writes(2, 1), writes(3, 1))
	c.Tasks[3].Upper = 1800
	p := start(t, c)
	p.run("Ta3 Tb3 C3 D6") // D panics over its description and poisons the registry
	p.run("Ta")
	p.run("Py")
	equal(t, "intervals sealed", p.s.Sinks[0].Upper, 1)
}

// tellAnswers lists the answers so far.
func (p *play) tellAnswers() string { return strings.Join(p.answers, ", ") }

// leaked counts the objects that nobody refers to.
func (p *play) leaked() (n int) {
	for _, o := range p.m.List(&p.s) {
		if o.Status == coalesce.Leaked {
			n++
		}
	}
	return n
}
