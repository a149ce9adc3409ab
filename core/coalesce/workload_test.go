package coalesce_test

import (
	"fmt"
	"hash/fnv"
	"slices"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// logEntry is one entry of the table's log: row id has these columns from at on, or is gone.
type logEntry struct {
	at      int64
	id      int
	columns []string // a group of each view; nil: deleted
}

// bad is a value that the first view cannot group: while some row has it, the view has
// an error beside its other groups, and every query of it fails.
const bad = "bad"

// failure is the error with which a query of a view fails, or "".
func (w *workload) failure(column int, at int64) string {
	if column == 0 && oneShot(w.log, 0, at)[bad] > 0 {
		return "no group for " + bad
	}
	return ""
}

// oneShot is SELECT column, count(*) FROM t AS OF at GROUP BY column.
func oneShot(log []logEntry, column int, at int64) map[string]int {
	rows := map[int]string{}
	for _, c := range log {
		if c.at > at {
			continue
		}
		delete(rows, c.id)
		if c.columns != nil {
			rows[c.id] = c.columns[column]
		}
	}
	groups := map[string]int{}
	for _, g := range rows {
		groups[g]++
	}
	return groups
}

// workload is a log with its views' changes as a set-up.
type workload struct {
	log    []logEntry
	config coalesce.Config
	seen   [3]int // inserts, deletes, updates
	errors int    // parts of errors
}

// makeWorkload makes 3 or 4 intervals of 8 ms, with changes at two times of some, and
// with errors if asked for.
func makeWorkload(r *schedule.Random, processes, sinks int, errors bool) *workload {
	w := &workload{config: coalesce.Config{Processes: processes, Teardown: true}}
	bounds := []int64{10, 18, 26, 34}
	if r.Pick(2) == 0 {
		bounds = append(bounds, 42)
	}
	for i := range sinks {
		w.config.Sinks = append(w.config.Sinks, coalesce.SinkConfig{Name: "YX"[i], Since: int64(r.Pick(11)), Bounds: bounds})
	}
	groups := func() []string {
		g := []string{fmt.Sprintf("b%d", r.Pick(7)), fmt.Sprintf("kind %d", r.Pick(4))}[:sinks]
		if errors && len(w.log) >= 12 && r.Pick(8) == 0 { // an error that nothing changes is in no part
			g[0] = bad
		}
		return g
	}
	alive := map[int][]string{}
	next := 0
	insert := func(at int64) {
		alive[next] = groups()
		w.log = append(w.log, logEntry{at, next, alive[next]})
		next++
	}
	for len(w.log) < 12 {
		insert(0) // before the first interval
	}
	times := []int64{}
	for n := range len(bounds) - 1 {
		times = append(times, bounds[n]+int64(r.Pick(4)))
		// At most six times of four workers with two kinds of parts, of which at most one a
		// time is of errors: the limit is 32 parts.
		if sinks == 1 && len(times) < 6-(len(bounds)-2-n) && r.Pick(3) > 0 {
			times = append(times, bounds[n]+4+int64(r.Pick(4)))
		}
	}
	for _, at := range times {
		for range 1 + r.Pick(5) {
			id := r.Pick(next)
			switch _, ok := alive[id]; {
			case !ok || r.Pick(3) == 0:
				insert(at)
				w.seen[0]++
			case r.Pick(2) == 0:
				delete(alive, id)
				w.log = append(w.log, logEntry{at: at, id: id})
				w.seen[1]++
			default:
				alive[id] = groups()
				w.log = append(w.log, logEntry{at, id, alive[id]})
				w.seen[2]++
			}
		}
	}
	w.exchange(times)
	return w
}

// exchange makes a part of each worker's share of what a view changes at a time.
func (w *workload) exchange(times []int64) {
	const workers = 4
	for worker := range workers {
		for sink := range w.config.Sinks {
			k := coalesce.TaskConfig{Worker: worker, Sink: sink}
			for _, at := range times {
				before, after := oneShot(w.log, sink, at-1), oneShot(w.log, sink, at)
				p := coalesce.PartConfig{Interval: int(at-10) / 8, At: at, Bytes: coalesce.InlineLimit}
				for _, g := range groupsOf(before, after) {
					h := fnv.New32a()
					h.Write([]byte(g))
					if int(h.Sum32()%workers) != worker || before[g] == after[g] {
						continue
					}
					if sink == 0 && g == bad {
						if was, is := w.failure(0, at-1), w.failure(0, at); was != is {
							k.Parts = append(k.Parts, coalesce.PartConfig{Interval: p.Interval, At: at, Updates: 1, Bytes: p.Bytes, Error: was + is, Gone: is == ""})
							w.errors++
						}
						continue
					}
					c := coalesce.Change{Key: g, From: before[g], To: after[g]}
					p.Updates += 2
					if c.From == 0 {
						c.From = coalesce.Absent
						p.Updates--
					}
					if c.To == 0 {
						c.To = coalesce.Absent
						p.Updates--
					}
					p.Changes = append(p.Changes, c)
				}
				if p.Changes != nil {
					k.Parts = append(k.Parts, p)
				}
			}
			w.config.Tasks = append(w.config.Tasks, k)
		}
	}
}

func groupsOf(maps ...map[string]int) []string {
	var list []string
	for _, m := range maps {
		for g := range m {
			if !slices.Contains(list, g) {
				list = append(list, g)
			}
		}
	}
	slices.Sort(list)
	return list
}
