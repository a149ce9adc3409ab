package part

import (
	"cmp"
	"slices"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part/row"
)

// MessageKind is what a SUBSCRIBE sends.
type MessageKind uint8

const (
	Snapshot MessageKind = iota // the content as of the start
	Diffs                       // changes at one time
	Progress                    // no more changes below a time
)

func (k MessageKind) String() string { return [...]string{"snapshot", "diffs", "progress"}[k] }

// Message is one message of a SUBSCRIBE.
type Message struct {
	Kind     MessageKind
	Time     int64 // of the snapshot or the diffs; of progress, the time it reaches
	Own      int64 // of diffs, the time at which they happened
	Interval int   // the interval (from 0) whose append brought it; -1 for what was there before the first
	Rows     []row.Update
}

// Late tells whether the diffs come at a later time than they happened.
func (m *Message) Late() bool { return m.Kind == Diffs && m.Time > m.Own }

// Subscribe is everything that a consumer of SUBSCRIBE ... AS OF t has got so far, in
// order. Errors are among the rows: a dataflow goes on with them, a client's
// SUBSCRIBE ends with the first. Nothing comes before the shard's upper is beyond t, and a t below the since
// is refused; the status says so. Each append brings its diffs, in the order of
// times and at one time in the order in which they happened, and then progress.
func (sh *Shard) Subscribe(t int64) (coalesce.ReadStatus, []Message) {
	status, snapshot := sh.AsOf(t)
	if status != coalesce.Answers {
		return status, nil
	}
	messages := []Message{{Kind: Snapshot, Time: t, Own: t, Interval: -1, Rows: snapshot}}
	if t < sh.bounds[0] {
		messages = append(messages, Message{Kind: Progress, Time: sh.bounds[0], Own: sh.bounds[0], Interval: -1})
	}
	for n := 0; n+1 < len(sh.bounds) && sh.bounds[n+1] <= sh.Upper; n++ {
		if sh.bounds[n+1] <= t {
			continue
		}
		var in []Written
		for _, w := range sh.Updates {
			if w.Interval == n && w.Time > t {
				in = append(in, w)
			}
		}
		order := func(a, b Written) int {
			return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Own, b.Own))
		}
		slices.SortStableFunc(in, order)
		for len(in) > 0 {
			k := 0
			var rows []row.Update
			for k < len(in) && order(in[k], in[0]) == 0 {
				rows = append(rows, in[k].Update)
				k++
			}
			if rows = row.Consolidate(rows); len(rows) > 0 {
				messages = append(messages, Message{Diffs, in[0].Time, in[0].Own, n, rows})
			}
			in = in[k:]
		}
		messages = append(messages, Message{Kind: Progress, Time: sh.bounds[n+1], Own: sh.bounds[n+1], Interval: n})
	}
	return status, messages
}

// Totals is the schema of a second view that is fed by the first:
// SELECT count(*) AS buckets, sum(n) AS total FROM the first.
var Totals = row.Schema{{Name: "buckets", Type: row.Int64}, {Name: "total", Type: row.Int64}}

// Feed computes the updates of the second view from what a SUBSCRIBE of the first
// sent. It knows only what it got, so where the first has a hole it has the same. Errors
// it passes on, which is not shown here: these are its rows.
func Feed(messages []Message) []row.Update {
	var out []row.Update
	var buckets, total int64
	for i := 0; i < len(messages); {
		first := messages[i]
		b, s := buckets, total
		for ; i < len(messages) && messages[i].Time == first.Time && messages[i].Kind != Progress; i++ {
			rows, _ := row.Split(messages[i].Rows)
			for _, u := range rows {
				b += u.Diff
				s += u.Diff * u.Row[1].Int()
			}
		}
		if i < len(messages) && messages[i].Kind == Progress {
			i++
		}
		switch {
		case first.Kind == Snapshot:
			out = append(out, totals(b, s, first.Time, +1))
		case b != buckets || s != total:
			out = append(out, totals(buckets, total, first.Time, -1), totals(b, s, first.Time, +1))
		}
		buckets, total = b, s
	}
	return out
}

// Total is the row of the second view over a content of the first.
func Total(content []row.Update) row.Row {
	var buckets, total int64
	rows, _ := row.Split(content)
	for _, u := range rows {
		buckets += u.Diff
		total += u.Diff * u.Row[1].Int()
	}
	return totals(buckets, total, 0, 1).Row
}

func totals(buckets, total, time, diff int64) row.Update {
	return row.Update{Row: row.Row{row.Int(buckets), row.Int(total)}, Time: time, Diff: diff}
}
