package row

import (
	"fmt"
	"iter"
	"strconv"

	"sharedbatches/core/coalesce"
)

// View is the schema of the views of set-ups: how many rows each bucket has, as from
// SELECT bucket, count(*) AS n FROM t GROUP BY bucket.
var View = Schema{{Name: "bucket", Type: String}, {Name: "n", Type: Int64}}

// MaxUpdates is the largest part that is made, in updates. A set-up may name more;
// its model runs, and only its rows are refused.
const MaxUpdates = 1 << 20

// bucket is a row of [View].
func bucket(key string, n int) Row { return Row{Text(key), Int(int64(n))} }

// Time is the time that part p's updates carry when they are written in interval n
// (from 0) of its sink: its own, or n's lower where the part is a correction there.
func Time(m *coalesce.Model, p, n int) int64 {
	pc, task := m.Part(p)
	if n > pc.Interval {
		lower, _ := m.Interval(m.Tasks[task].Sink, n)
		return lower
	}
	return pc.At
}

// Of makes the updates of part p as they are written in interval n (from 0). The
// error is for a part that is too large, or smaller than the changes it lists.
func Of(m *coalesce.Model, p, n int) ([]Update, error) {
	if err := Check(m, p); err != nil {
		return nil, err
	}
	at := Time(m, p, n)
	pc, _ := m.Part(p)
	us := make([]Update, 0, pc.Updates)
	for r, diff := range Rows(m, p) {
		us = append(us, Update{r, at, diff})
	}
	return us, nil
}

// Check tells whether part p can be made.
func Check(m *coalesce.Model, p int) error {
	pc, _ := m.Part(p)
	if pc.Updates > MaxUpdates {
		return fmt.Errorf("part %d: updates: there are %d: rows are made for %d at most", p, pc.Updates, MaxUpdates)
	}
	if n := listed(pc); n > pc.Updates {
		return fmt.Errorf("part %d: changes: they are %d updates: the part has %d", p, n, pc.Updates)
	}
	return nil
}

// listed is how many updates the listed changes of a part are.
func listed(pc coalesce.PartConfig) int {
	n := 0
	for _, c := range pc.Changes {
		if c.From != coalesce.Absent {
			n++
		}
		if c.To != coalesce.Absent {
			n++
		}
	}
	return n
}

// Rows yields the rows of part p with their diffs, in the order in which the part
// holds them. It asks for a part that passes [Check].
func Rows(m *coalesce.Model, p int) iter.Seq2[Row, int64] {
	return func(yield func(Row, int64) bool) {
		pc, _ := m.Part(p)
		for _, c := range pc.Changes {
			if c.From != coalesce.Absent && !yield(bucket(c.Key, c.From), -1) {
				return
			}
			if c.To != coalesce.Absent && !yield(bucket(c.Key, c.To), +1) {
				return
			}
		}
		left := pc.Updates - listed(pc)
		if left <= 0 {
			return
		}
		taken := keys(m)
		for number := p; left > 0; number += coalesce.MaxParts {
			key := strconv.Itoa(number)
			if taken[key] {
				continue
			}
			from := fillerCount(number)
			if left == 1 {
				yield(bucket(key, from), +1)
				return
			}
			if !yield(bucket(key, from), -1) || !yield(bucket(key, from+1), +1) {
				return
			}
			left -= 2
		}
	}
}

// fillerCount is the count of a filler bucket before its change: 1 to 9, spread.
func fillerCount(number int) int { return 1 + number/coalesce.MaxParts*7%9 }

// keys is the set of all listed keys of a set-up.
func keys(m *coalesce.Model) map[string]bool {
	set := map[string]bool{}
	for p := range m.PartCount() {
		pc, _ := m.Part(p)
		for _, c := range pc.Changes {
			set[c.Key] = true
		}
	}
	return set
}

// Parts lists the part ids of a sink.
func Parts(m *coalesce.Model, sink int) []int {
	var list []int
	for p := range m.PartCount() {
		if _, task := m.Part(p); m.Tasks[task].Sink == sink {
			list = append(list, p)
		}
	}
	return list
}

// Initial makes the view of a sink before its first interval, at time 0.
func Initial(m *coalesce.Model, sink int) ([]Update, error) {
	var us []Update
	for _, p := range Parts(m, sink) {
		if err := Check(m, p); err != nil {
			return nil, err
		}
		pc, _ := m.Part(p)
		rest := listed(pc)
		for _, c := range pc.Changes {
			if c.From != coalesce.Absent && first(m, sink, c.Key, p) {
				us = append(us, Update{bucket(c.Key, c.From), 0, +1})
			}
		}
		for r, diff := range Rows(m, p) {
			if rest--; rest < 0 && diff < 0 {
				us = append(us, Update{r, 0, +1})
			}
		}
	}
	return us, nil
}

// first tells whether part p holds the earliest change of a key, as
// [coalesce.Model.ReadAsOf] decides what a key had before.
func first(m *coalesce.Model, sink int, key string, p int) bool {
	mine, _ := m.Part(p)
	for _, q := range Parts(m, sink) {
		pc, _ := m.Part(q)
		if q == p || pc.At > mine.At || pc.At == mine.At && q > p {
			continue
		}
		for _, c := range pc.Changes {
			if c.Key == key {
				return false
			}
		}
	}
	return true
}

// Truth makes everything that happens to the view of a sink, with its own times: the
// one-shot query sees it whether or not it has reached the shard.
func Truth(m *coalesce.Model, sink int) ([]Update, error) {
	us, err := Initial(m, sink)
	if err != nil {
		return nil, err
	}
	for _, p := range Parts(m, sink) {
		pc, _ := m.Part(p)
		more, err := Of(m, p, pc.Interval)
		if err != nil {
			return nil, err
		}
		us = append(us, more...)
	}
	return us, nil
}
