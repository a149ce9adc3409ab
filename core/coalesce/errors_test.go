package coalesce_test

import (
	"fmt"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

const divided = "division by zero"

// failing is a part of errors.
func failing(interval int, at int64, gone bool) coalesce.PartConfig {
	return coalesce.PartConfig{Interval: interval, At: at, Updates: 110, Bytes: 4400, Error: divided, Gone: gone}
}

// withErrors has rows and an error of A in the first interval; the error goes in the second.
func withErrors(probe coalesce.Probe) coalesce.Config {
	a := coalesce.TaskConfig{Parts: []coalesce.PartConfig{
		failing(1, 2500, true),
		failing(0, 1500, false),
		{At: 1600, Updates: 512, Bytes: 14256, Changes: []coalesce.Change{{Key: "7", From: 5, To: 6}}},
	}}
	return coalesce.Config{Probe: probe, Sweeper: true, Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000, 3000)}, Tasks: []coalesce.TaskConfig{a}}
}

// TestErrorRows: rows are pushed before errors, whatever order the set-up has, and the
// view fails exactly while an error is there.
func TestErrorRows(t *testing.T) {
	p := start(t, withErrors(coalesce.StrongCount))
	for id, want := range []string{"", divided, divided} {
		if pc, _ := p.m.Part(id); pc.Error != want || pc.Gone != (id == 2) {
			t.Errorf("part %d: %+v", id, pc)
		}
	}
	equal(t, "due", fmt.Sprint(p.m.Due(&p.s, 0)), "[0 1]")
	p.run("A5 Ka2 A2 Ka A Py A9")
	equal(t, "due of the second interval", fmt.Sprint(p.m.Due(&p.s, 0)), "[2]")
	p.run("La2 A Py")
	fails := coalesce.Read{View: none, Truth: none, ViewError: divided, TruthError: divided}
	answers := func(n int) coalesce.Read { return coalesce.Read{View: n, Truth: n} }
	for at, want := range map[int64]coalesce.Read{1000: answers(5), 1499: answers(5), 1500: fails, 1600: fails, 1999: fails, 2000: fails, 2499: fails, 2500: answers(6), 2999: answers(6)} {
		if got := p.m.ReadAsOf(&p.s, 0, "7", at); got != want || got.Wrong() {
			t.Errorf("AS OF %d: %+v, want %+v", at, got, want)
		}
	}
}

// TestLostError: an orphaned part of errors makes a query answer that must fail, until
// the upper of the interval that lost it; then its correction is there and the query fails.
func TestLostError(t *testing.T) {
	p := start(t, withErrors(coalesce.Upgrade))
	p.run("A5 S2 A S2 Ka3 Py A4")
	equal(t, "due with corrections", fmt.Sprint(p.m.Due(&p.s, 0)), "[0 1 2]")
	p.run("A4 La4 A Py")
	equal(t, "answers", strings.Join(p.answers, ", "), "A None, A [0 1 2]")
	for at, want := range map[int64]coalesce.Read{
		1499: {View: 5, Truth: 5},
		1500: {View: 5, Truth: none, TruthError: divided},
		1999: {View: 5, Truth: none, TruthError: divided},
		2000: {View: none, Truth: none, ViewError: divided, TruthError: divided},
		2500: {View: 6, Truth: 6},
	} {
		got := p.m.ReadAsOf(&p.s, 0, "7", at)
		if got != want || got.Wrong() != (at == 1500 || at == 1999) {
			t.Errorf("AS OF %d: %+v, want %+v", at, got, want)
		}
	}
}

// TestErrorBefore: an error that some part retracts and none inserts was there before
// the first interval.
func TestErrorBefore(t *testing.T) {
	c := withErrors(coalesce.StrongCount)
	c.Tasks[0].Parts = c.Tasks[0].Parts[:1]
	p := start(t, c)
	if got := p.m.ReadAsOf(&p.s, 0, "7", 999); got.ViewError != divided || got.TruthError != divided {
		t.Errorf("%+v", got)
	}
	if got := p.m.ReadAsOf(&p.s, 0, "7", 2500); got.Status != coalesce.Waits || got.TruthError != "" {
		t.Errorf("%+v", got)
	}
}

func TestErrorsRefused(t *testing.T) {
	for _, c := range []struct {
		change func(c *coalesce.Config)
		want   string
	}{
		{func(c *coalesce.Config) { c.Tasks[0].Parts[2].Gone = true }, "tasks[0]: parts[2]: gone: only errors"},
		{func(c *coalesce.Config) { c.Tasks[0].Parts[2].Error = "x" }, "tasks[0]: parts[2]: changes: a part holds rows or errors"},
		{func(c *coalesce.Config) { c.Tasks[0].Parts[1].Error = strings.Repeat("x", 65) }, "tasks[0]: parts[1]: error: it has 65 bytes"},
		{func(c *coalesce.Config) { c.Tasks[0].Parts[0].Gone = false }, "is there already"},
		{func(c *coalesce.Config) { c.Tasks[0].Parts[1].Gone = true }, "tasks[0]: parts[0]: gone: \"division by zero\" is gone already"},
		{func(c *coalesce.Config) { c.Tasks[0].Parts[0].Updates = 4 }, "tasks[0]: parts[0]: updates: 4: the part before it"},
		{func(c *coalesce.Config) { c.Tasks[0].Parts[0].Interval, c.Tasks[0].Parts[0].At = 0, 1500 }, "has another part at 1500"},
		{func(c *coalesce.Config) {
			c.Tasks = append(c.Tasks, coalesce.TaskConfig{Worker: 1, Parts: []coalesce.PartConfig{failing(1, 2600, true)}})
		}, "comes from another worker too"},
	} {
		cfg := withErrors(coalesce.StrongCount)
		c.change(&cfg)
		if _, err := coalesce.New(cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
