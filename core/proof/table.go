package proof

import (
	"math/big"
	"strconv"
	"strings"

	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
)

// Row is one variant of the mechanism, decided by a search of its whole space.
type Row struct {
	Name     string
	Question Question
}

// Table lists the variants whose answers the project publishes: each with both
// probes, atomic steps, every thread free.
func Table() []Row {
	var rows []Row
	add := func(name string, c coalesce.Config) {
		for _, p := range []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount} {
			c.Probe = p
			rows = append(rows, Row{name, Question{Config: c}})
		}
	}
	for n := 2; n <= 6; n++ {
		add(brief.Sprintf("best effort, %d workers", n), tableConfig(n, 1))
	}
	for n := 2; n <= 4; n++ {
		c := tableConfig(n, 1)
		c.Sinks = append(c.Sinks, coalesce.SinkConfig{Name: 'X', Bounds: []int64{1000, 2000}})
		for i := range c.Tasks {
			c.Tasks[i].Sink = i % 2
		}
		add(brief.Sprintf("best effort, %d workers on two sinks", n), c)
	}
	c := tableConfig(2, 1)
	c.Sinks[0].Bounds = []int64{1000, 2000, 3000}
	add("best effort, 2 workers, two intervals", c)
	c = tableConfig(4, 1)
	c.Processes = 2
	add("best effort, 2 processes of 2 workers", c)
	for n := 2; n <= 4; n++ {
		c := tableConfig(n, 1)
		c.Mode = coalesce.Barrier
		add(brief.Sprintf("barrier, %d workers", n), c)
		c = tableConfig(n, 1)
		c.Mode = coalesce.Barrier
		c.Sinks[0].Superseded = []int{0}
		c.Tasks[n-1] = coalesce.TaskConfig{Worker: n - 1, Skips: []int{0}}
		add(brief.Sprintf("barrier, %d workers, one skips", n), c)
	}
	c = tableConfig(4, 1)
	c.Mode, c.Processes = coalesce.Barrier, 2
	add("barrier, 2 processes of 2 workers", c)
	c = tableConfig(2, 1)
	c.Mode, c.Reports = coalesce.Barrier, coalesce.ReportUnchecked
	c.Sinks[0].Participants = 3
	add("barrier, 2 workers, a third report is missing", c)
	for n := 2; n <= 3; n++ {
		c = persistConfig(n)
		add(brief.Sprintf("best effort, %d workers, whole persist", n), c)
		c.Mode = coalesce.Barrier
		add(brief.Sprintf("barrier, %d workers, whole persist", n), c)
	}
	return rows
}

// tableConfig is n workers on sink Y, each with some parts of one interval.
func tableConfig(n, parts int) coalesce.Config {
	c := coalesce.Config{Sinks: []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000}}}}
	for w := range n {
		t := coalesce.TaskConfig{Worker: w}
		for range parts {
			t.Parts = append(t.Parts, coalesce.PartConfig{At: 1500, Updates: 512, Bytes: 16384})
		}
		c.Tasks = append(c.Tasks, t)
	}
	return c
}

// persistConfig is n workers on sink Y whose parts do not fit into one window, with one
// upload in flight: each flush after the first waits.
func persistConfig(n int) coalesce.Config {
	c := tableConfig(n, 1)
	c.Persist, c.Target, c.Outstanding = coalesce.WholePersist, 20000, 1
	return c
}

// TableHead is the two head lines of a table of [Row.Line], with more columns after
// its own, or "".
func TableHead(more, moreRule string) (head, rule string) {
	return "| set-up | probe | states | transitions | schedules | losing | deadlocks | shortest loss | invariants broken |" + more,
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- |" + moreRule
}

// Line is the row of a table for an answer. States are up to renaming of
// interchangeable workers.
func (r Row) Line(a *Answer) string {
	number := func(n *big.Int) string {
		if n == nil {
			return "not counted"
		}
		return Digits(n.String())
	}
	shortest := "-"
	if a.Orphaning != nil {
		shortest = a.Orphaning.Text
	}
	var broken []string
	for _, i := range a.Broken {
		broken = append(broken, i.Name())
	}
	if len(broken) == 0 {
		broken = []string{"none"}
	}
	bound := ""
	if !a.Exhaustive {
		bound = "stopped by " + a.StoppedBy + ": at least "
	}
	return brief.Sprintf("| %s | %s | %s | %s | %s%s | %s | %s | %s | %s |", r.Name, a.Probe, Digits(strconv.Itoa(a.States)), Digits(strconv.Itoa(a.Transitions)),
		bound, number(a.Schedules), number(a.Losing), number(a.Deadlocked), shortest, strings.Join(broken, "; "))
}

// Digits parts the digits of a decimal number by threes.
func Digits(n string) string {
	for i := len(n) - 3; i > 0; i -= 3 {
		n = n[:i] + "," + n[i:]
	}
	return n
}
