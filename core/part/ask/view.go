package ask

import (
	"fmt"
	"strconv"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/part"
	"sharedbatches/core/part/row"
)

// Reading is a read AS OF a time beside the truth.
type Reading struct {
	Sink    string   `json:"sink"`
	AsOf    Int      `json:"as_of"`
	Status  string   `json:"status"` // answers, waits or refused
	Since   Int      `json:"since"`
	Upper   Int      `json:"upper"`
	Buckets int      `json:"buckets"` // rows in all, of view and truth together
	Wrong   int      `json:"wrong"`   // buckets that differ
	Total   int      `json:"total"`   // rows that Offset counts in: Buckets, or Wrong with only
	Offset  int      `json:"offset"`
	Cells   []Cell   `json:"cells"`
	Strip   []Span   `json:"strip"`
	Second  *Totals  `json:"second,omitempty"` // the second view at that time; only if answered
	Says    []string `json:"says"`
	Tone    string   `json:"tone"` // right, wrong, waits or refused
	Low     Int      `json:"low"`  // times worth asking for: Low to High
	High    Int      `json:"high"`
	// The errors with which the query fails, and with which it must; "" for none.
	Fails  string `json:"fails"`
	Should string `json:"should_fail"`
}

// Cell is one bucket; view and truth are its rows, most often one or none.
type Cell struct {
	Bucket string    `json:"bucket"`
	View   []Count   `json:"view"` // empty unless the read is answered
	Truth  []Count   `json:"truth"`
	Wrong  bool      `json:"wrong"`
	Shown  [3]string `json:"shown"` // view, truth and verdict, ready to show
}

// Count is a row's count and how often the row is there.
type Count struct {
	N     Int `json:"n"`
	Times Int `json:"times"`
}

// Span is a range of times at which reads fare alike.
type Span struct {
	From   Int    `json:"from"`
	To     Int    `json:"to"`
	Status string `json:"status"`
	Wrong  int    `json:"wrong"` // rows too many or missing
	Tone   string `json:"tone"`  // right, wrong, waits or refused
	Says   string `json:"says"`
}

// Totals is the row of the second view: SELECT count(*) AS buckets, sum(n) AS total.
type Totals struct {
	View  [2]Int `json:"view"`
	Truth [2]Int `json:"truth"`
	Wrong bool   `json:"wrong"`
	Says  string `json:"says"`
}

func statusName(s coalesce.ReadStatus) string {
	return [...]string{"answers", "waits", "refused"}[s]
}

// content is what a view holds at a moment, and what it should hold. A slider asks
// for many times of one moment, so the last content is kept.
type content struct {
	world, sink int
	state       coalesce.State
	shard       *part.Shard
	truth       []row.Update
	strip       []Span
	low, high   Int          // times worth asking for
	fed         []row.Update // the second view, subscribed from the since on
}

// content reads the shard of a view from the objects of the moment.
func (d *Data) content(m *moment, r *ReadOf) (*content, error) {
	c := &content{world: m.world, sink: -1, state: *m.state}
	for i := range m.model.Sinks {
		if m.model.SinkName(i) == r.Sink {
			c.sink = i
		}
	}
	if c.sink < 0 {
		return nil, fmt.Errorf("sink %q: this set-up has no such sink", r.Sink)
	}
	if old := d.last.content; old != nil && old.world == c.world && old.sink == c.sink && old.state == c.state {
		return old, nil
	}
	err := m.store.Follow(d.mem(), m.model, m.state)
	if err != nil {
		return nil, err
	}
	if c.shard, err = part.Open(d.mem(), m.model, m.state, c.sink, m.store.Get); err != nil {
		return nil, err
	}
	if c.truth, err = row.Truth(m.model, c.sink); err != nil {
		return nil, err
	}
	for _, s := range c.shard.Strip(c.truth) {
		span := Span{Int(s.From), Int(s.To), statusName(s.Status), s.Wrong, "", ""}
		span.Tone, span.Says = tone(s.Status, s.Wrong)
		switch {
		case s.Fails && s.Should:
			span.Says = "fails, as it must"
		case s.Should:
			span.Says = "wrong: is answered, and must fail"
		case s.Fails:
			span.Says = "wrong: fails, and must not"
		}
		c.strip = append(c.strip, span)
	}
	// What no interval covers yet waits, whatever the last one does.
	bounds := m.model.Sinks[c.sink].Bounds
	end := Int(bounds[len(bounds)-1])
	c.low, c.high = Int(max(0, min(2*bounds[0]-bounds[1], c.shard.Since-(bounds[1]-bounds[0])/2))), end+Int(bounds[1]-bounds[0])/2
	if last := &c.strip[len(c.strip)-1]; last.Tone == "waits" {
		last.To = c.high
	} else {
		span := Span{From: end, To: c.high, Status: statusName(c.shard.Status(int64(end)))}
		span.Tone, span.Says = tone(c.shard.Status(int64(end)), 0)
		c.strip = append(c.strip, span)
	}
	_, messages := c.shard.Subscribe(c.shard.Since)
	c.fed = part.Feed(messages)
	d.last.content = c
	return c, nil
}

func (d *Data) read(q *Request, m *moment) (*Reading, error) {
	c, err := d.content(m, q.Open.Read)
	if err != nil {
		return nil, err
	}
	sh := c.shard
	at := int64(q.Open.Read.AsOf)
	status, view := sh.AsOf(at)
	right := row.At(c.truth, at)
	answered := status == coalesce.Answers
	if !answered {
		view = nil
	}
	out := &Reading{
		Sink: q.Open.Read.Sink, AsOf: Int(at), Status: statusName(status), Since: Int(sh.Since), Upper: Int(sh.Upper),
		Offset: q.Offset, Cells: []Cell{}, Strip: c.strip, Fails: row.Failure(view), Should: row.Failure(right),
	}
	failed, should := out.Fails != "", out.Should != ""
	for _, c := range part.Cells(view, right) {
		// A query that fails has no rows.
		wrong := answered && (failed != should || !failed && c.Wrong())
		if failed {
			c.View = nil
		}
		if should {
			c.Truth = nil
		}
		out.Buckets++
		if wrong {
			out.Wrong++
		}
		if q.Only == "wrong" && !wrong {
			continue
		}
		out.Total++
		if out.Total > q.Offset && len(out.Cells) < q.Limit {
			cell := Cell{Bucket: c.Bucket, View: counts(c.View), Truth: counts(c.Truth), Wrong: wrong}
			cell.Shown = cell.shown(answered, failed, should)
			out.Cells = append(out.Cells, cell)
		}
	}
	if answered {
		out.Second = compare(row.At(c.fed, at)[0].Row, part.Total(right), failed, should)
	}
	out.Tone, _ = tone(status, out.Wrong)
	if answered && failed != should {
		out.Tone = "wrong"
	}
	out.Says = c.says(out)
	out.Low, out.High = c.low, c.high
	return out, nil
}

func tone(s coalesce.ReadStatus, wrong int) (tone, says string) {
	switch {
	case s == coalesce.Waits:
		return "waits", "a read waits: not sealed yet"
	case s == coalesce.Refused:
		return "refused", "a read is refused: below the since"
	case wrong > 0:
		return "wrong", "wrong: " + plural(wrong, "row") + " too many or missing"
	}
	return "right", "right"
}

// says is a reading in words: whether it is answered, how much of it is wrong and,
// if so, until when.
func (c *content) says(r *Reading) []string {
	switch {
	case r.Status == "waits":
		return []string{fmt.Sprintf("AS OF %d waits: the view is sealed below %d only, and a read needs an upper beyond its time.", r.AsOf, r.Upper)}
	case r.Status == "refused":
		return []string{fmt.Sprintf("AS OF %d is refused: the since is %d, and older contents are compacted away.", r.AsOf, r.Since)}
	case r.Fails != "" && r.Should != "":
		return []string{fmt.Sprintf("AS OF %d fails, as it must: %s.", r.AsOf, r.Fails)}
	case r.Wrong == 0 && r.Tone == "right":
		return []string{fmt.Sprintf("AS OF %d is answered, and right in all %s.", r.AsOf, plural(r.Buckets, "bucket"))}
	}
	text := fmt.Sprintf("AS OF %d is answered, and wrong in %s of %s.", r.AsOf, grouped(r.Wrong), plural(r.Buckets, "bucket"))
	switch {
	case r.Should != "":
		text = fmt.Sprintf("AS OF %d is answered, and must fail: %s.", r.AsOf, r.Should)
	case r.Fails != "":
		text = fmt.Sprintf("AS OF %d fails, and must not: %s.", r.AsOf, r.Fails)
	}
	for i, s := range c.strip {
		if r.AsOf < s.From || r.AsOf >= s.To {
			continue
		}
		// Spans that touch and are wrong in other rows are one hole to a reader.
		for ; i+1 < len(c.strip) && c.strip[i+1].Tone == "wrong"; i++ {
		}
		switch {
		case i+1 < len(c.strip) && c.strip[i+1].Tone == "right":
			text += fmt.Sprintf(" No later append can repair it; from %d on, reads are right again.", c.strip[i].To)
		default:
			text += fmt.Sprintf(" No later append can repair it; from %d on, the next append may be right again.", c.strip[i].To)
		}
		break
	}
	return []string{text}
}

// compare puts the rows of the second view side by side. It fails where the first does.
func compare(view, truth row.Row, failed, should bool) *Totals {
	pair := func(r row.Row) [2]Int { return [2]Int{Int(r[0].Int()), Int(r[1].Int())} }
	t := &Totals{pair(view), pair(truth), view.Compare(truth) != 0, ""}
	t.Says = fmt.Sprintf("count(*) = %d, sum(n) = %d, as in truth", t.View[0], t.View[1])
	if t.Wrong {
		t.Says = fmt.Sprintf("count(*) = %d, sum(n) = %d; the truth is %d and %d", t.View[0], t.View[1], t.Truth[0], t.Truth[1])
	}
	if failed || should {
		t.Wrong = failed != should
	}
	switch {
	case failed && should:
		t.Says = "it fails, as in truth"
	case failed:
		t.Says = fmt.Sprintf("it fails; the truth is %d and %d", t.Truth[0], t.Truth[1])
	case should:
		t.Says = fmt.Sprintf("count(*) = %d, sum(n) = %d; in truth it fails", t.View[0], t.View[1])
	}
	return t
}

// shown is a cell in words, with a sign that needs no colour.
func (c *Cell) shown(answered, failed, should bool) [3]string {
	view, truth := words(c.View), words(c.Truth)
	if failed {
		view = "error"
	}
	if should {
		truth = "error"
	}
	switch {
	case !answered:
		return [3]string{"–", truth, ""}
	case !c.Wrong:
		return [3]string{view, truth, "✓ right"}
	case failed || should:
	case len(c.View) == 0:
		return [3]string{view, truth, "✗ missing"}
	case len(c.Truth) == 0:
		return [3]string{view, truth, "✗ too many"}
	}
	return [3]string{view, truth, "✗ " + view + " in place of " + truth}
}

func words(list []Count) string {
	if len(list) == 0 {
		return "no row"
	}
	var out []string
	for _, c := range list {
		text := strconv.FormatInt(int64(c.N), 10)
		if c.Times != 1 {
			text += fmt.Sprintf(" (%d times)", c.Times)
		}
		out = append(out, text)
	}
	return strings.Join(out, " and ")
}

func counts(list []part.Count) []Count {
	out := make([]Count, len(list))
	for i, c := range list {
		out[i] = Count{Int(c.N), Int(c.Times)}
	}
	return out
}

// Subscription is all that a SUBSCRIBE has sent.
type Subscription struct {
	Sink     string       `json:"sink"`
	AsOf     Int          `json:"as_of"`
	Status   string       `json:"status"`
	Since    Int          `json:"since"`
	Upper    Int          `json:"upper"`
	Says     []string     `json:"says"`
	Messages []Message    `json:"messages"`
	Second   []SecondView `json:"second"`
}

// Message is one message; of its rows, limit are there from offset on.
type Message struct {
	Kind     string  `json:"kind"` // snapshot, diffs, progress or error, which is the last
	Time     Int     `json:"time"`
	Own      Int     `json:"own"`
	Late     bool    `json:"late"`
	Interval int     `json:"interval"` // whose append brought it, from 1; 0: what was there before the first
	Total    int     `json:"total"`
	Rows     [][]any `json:"rows"` // bucket, n, diff
	Says     string  `json:"says"`
}

// SecondView is what the second view has from a time on.
type SecondView struct {
	Time Int `json:"time"`
	Totals
}

func (d *Data) subscribe(q *Request, m *moment) (*Subscription, error) {
	c, err := d.content(m, q.Open.Subscribe)
	if err != nil {
		return nil, err
	}
	sh, truth := c.shard, c.truth
	at := int64(q.Open.Subscribe.AsOf)
	status, messages := sh.Subscribe(at)
	out := &Subscription{
		Sink: q.Open.Subscribe.Sink, AsOf: Int(at), Status: statusName(status), Since: Int(sh.Since), Upper: Int(sh.Upper),
		Messages: []Message{}, Second: []SecondView{},
	}
	for _, msg := range messages {
		to := Message{
			Kind: msg.Kind.String(), Time: Int(msg.Time), Own: Int(msg.Own), Late: msg.Late(), Interval: msg.Interval + 1,
			Total: len(msg.Rows), Rows: [][]any{},
		}
		if failure := row.Failure(msg.Rows); failure != "" {
			to.Kind, to.Total = "error", 0
			to.Says = "the SUBSCRIBE ends: " + failure
			out.Messages = append(out.Messages, to)
			break
		}
		for i := q.Offset; i < min(len(msg.Rows), q.Offset+q.Limit); i++ {
			to.Rows = append(to.Rows, append(cells(msg.Rows[i].Row[:len(row.View)]), Int(msg.Rows[i].Diff)))
		}
		switch msg.Kind {
		case part.Snapshot:
			to.Says = fmt.Sprintf("the content AS OF %d: %s", msg.Time, plural(to.Total, "row"))
		case part.Diffs:
			to.Says = plural(to.Total, "change")
			if to.Late {
				to.Says += fmt.Sprintf(", late: they happened at %d", msg.Own)
			}
		default:
			to.Says = fmt.Sprintf("no more changes below %d", msg.Time)
		}
		out.Messages = append(out.Messages, to)
	}
	out.Says = []string{fmt.Sprintf("SUBSCRIBE AS OF %d has sent %s so far.", at, plural(len(out.Messages), "message"))}
	if status == coalesce.Waits {
		out.Says = []string{fmt.Sprintf("SUBSCRIBE AS OF %d has sent nothing: the view is sealed below %d only.", at, sh.Upper)}
	} else if status == coalesce.Refused {
		out.Says = []string{fmt.Sprintf("SUBSCRIBE AS OF %d is refused: the since is %d.", at, sh.Since)}
	}
	if status != coalesce.Answers {
		return out, nil
	}
	fed := part.Feed(messages)
	// Each time at which either the second view or what it should be changes.
	times := map[int64]bool{at: true}
	for _, u := range fed {
		times[u.Time] = true
	}
	for _, u := range truth {
		if u.Time > at && u.Time < sh.Upper {
			times[u.Time] = true
		}
	}
	for _, w := range sh.Updates {
		if _, failed := row.Failed(w.Row); failed && w.Time > at {
			times[w.Time] = true
		}
	}
	for _, t := range sorted(times) {
		view, right := row.At(fed, t), row.At(truth, t)
		_, content := sh.AsOf(t)
		out.Second = append(out.Second, SecondView{Int(t), *compare(view[0].Row, part.Total(right), row.Failure(content) != "", row.Failure(right) != "")})
	}
	return out, nil
}
