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

// Source is the schema of a view that can fail: a key is a row or an error. A row has a null in
// the last column, an error nulls in all others.
var Source = Schema{{Name: "bucket", Type: String, Nullable: true}, {Name: "n", Type: Int64, Nullable: true}, {Name: "err", Type: String, Nullable: true}}

// Key is the schema of a sink's view. In the original every key is a row or an error;
// here the column is there only where the set-up has errors.
func Key(m *coalesce.Model, sink int) Schema {
	if m.Fails(sink) {
		return Source
	}
	return View
}

// KeyOf is the schema of the view that some parts are for, which is of one sink.
func KeyOf(m *coalesce.Model, ps coalesce.Parts) Schema {
	for _, p := range ps.List() {
		_, task := m.Part(p)
		return Key(m, m.Sink(task))
	}
	return View
}

// keyed is a row of [View] as a key of the schema has it.
func (s Schema) keyed(r Row) Row {
	if len(s) > len(r) {
		return append(r, Null())
	}
	return r
}

// Failed is the message of an error, and ok is false for a row.
func Failed(r Row) (message string, ok bool) {
	last := len(Source) - 1
	if len(r) <= last || r[last].IsNull() {
		return "", false
	}
	return r[last].Text(), true
}

// Split takes the errors out of a content or of changes. What is left are the rows.
func Split(us []Update) (rows, errors []Update) {
	for _, u := range us {
		if _, failed := Failed(u.Row); failed {
			errors = append(errors, u)
		} else {
			rows = append(rows, u)
		}
	}
	return rows, errors
}

// Failure is the error that a query over a content fails with: the first in the order of
// texts, or "". A negative one fails it too.
func Failure(content []Update) (first string) {
	_, errors := Split(content)
	for _, u := range errors {
		if message, _ := Failed(u.Row); first == "" || message < first {
			first = message
		}
	}
	return first
}

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
// holds them, as keys of [Key]. It asks for a part that passes [Check].
func Rows(m *coalesce.Model, p int) iter.Seq2[Row, int64] {
	key := KeyOf(m, 1<<p)
	if pc, _ := m.Part(p); pc.Error != "" {
		return failures(pc)
	}
	return func(yield func(Row, int64) bool) {
		for r, diff := range rows(m, p) {
			if !yield(key.keyed(r), diff) {
				return
			}
		}
	}
}

// failures yields the errors of a part: the first is its message, and the others, which
// are of other rows, are told apart by a number.
func failures(pc coalesce.PartConfig) iter.Seq2[Row, int64] {
	return func(yield func(Row, int64) bool) {
		diff := int64(1)
		if pc.Gone {
			diff = -1
		}
		for i := range pc.Updates {
			text := pc.Error
			if i > 0 {
				text += " (" + strconv.Itoa(i+1) + ")"
			}
			if !yield(Row{Null(), Null(), Text(text)}, diff) {
				return
			}
		}
	}
}

// rows yields the rows of a part that is not of errors.
func rows(m *coalesce.Model, p int) iter.Seq2[Row, int64] {
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
		if pc.Error != "" {
			if pc.Gone && firstError(m, sink, p) {
				for r := range Rows(m, p) {
					us = append(us, Update{r, 0, +1})
				}
			}
			continue
		}
		rest := listed(pc)
		for _, c := range pc.Changes {
			if c.From != coalesce.Absent && first(m, sink, c.Key, p) {
				us = append(us, Update{Key(m, sink).keyed(bucket(c.Key, c.From)), 0, +1})
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

// firstError tells whether part p is the earliest of its message.
func firstError(m *coalesce.Model, sink, p int) bool {
	mine, _ := m.Part(p)
	for _, q := range Parts(m, sink) {
		if pc, _ := m.Part(q); pc.Error == mine.Error && pc.At < mine.At {
			return false
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
