package view

import (
	"slices"
	"strings"

	"sharedbatches/core/coalesce"
)

// downstream shows what others made of the view while it was sealed: what a
// subscriber has been told, and what a second view over this one answers. Both keep
// what they got, so a hole goes on in them.
func (v *View) downstream(m moment, world int) HTML {
	key := v.s.Reader.Key
	if key == "" {
		return ""
	}
	var o out
	model, s := v.w.Models[world], &m.Sides[world].State
	stop := world == 0
	o.fill(`<div class="part-head"><b>Downstream</b><span>$ of bucket ~</span></div><ol class="told">`, termSpan("subscribe", "SUBSCRIBE", stop), key)
	for n := range int(s.Sinks[v.sink].Upper) {
		_, upper := model.Interval(v.sink, n)
		told, failed := v.toldIn(model, s, n)
		if failed {
			// A subscription propagates the error and ends with it.
			o.fill(`<li>$, and it ends</li>`, told)
			break
		}
		if told == "" {
			told = "no row"
		}
		o.fill(`<li>$<span class="n">$ $</span></li>`, told+", ", termSpan("progress", "progress", false), itoa64(upper))
	}
	if s.Sinks[v.sink].Upper == 0 {
		o.put(`<li>nothing yet</li>`)
	}
	o.put(`</ol>`)
	v.second(&o, model, s, stop)
	return o.html()
}

// toldIn is what a subscriber was told when an interval was sealed, with late changes
// marked, and whether an error was among it.
func (v *View) toldIn(model *coalesce.Model, s *coalesce.State, n int) (told string, failed bool) {
	var rows []string
	for p := range model.PartCount() {
		part, t := model.Part(p)
		if model.Sink(t) != v.sink || int(s.Sealed[p]) != n+1 {
			continue
		}
		at, late := part.At, ""
		if n > part.Interval {
			at, _ = model.Interval(v.sink, n)
			late = filled(` <b class="bad">late: belongs to $</b>`, itoa64(part.At))
		}
		for _, c := range part.Changes {
			if c.Key == v.s.Reader.Key {
				rows = append(rows, filled(`at $: $ → $$`, itoa64(at), value(c.From), value(c.To), late))
			}
		}
		if part.Error != "" && !part.Gone {
			rows, failed = append(rows, filled(`at $: error: $$`, itoa64(at), esc(part.Error), late)), true
		}
	}
	return strings.Join(rows, "; "), failed
}

// second is a view fed by this one: the total of all buckets. It computed what it was
// fed, so it lacks what was missing then.
func (v *View) second(o *out, model *coalesce.Model, s *coalesce.State, stop bool) {
	keys := v.keys()
	o.fill(`<table class="truth"><thead><tr><th scope="colgroup" colspan="2">a second view, <code>$</code></th><th scope="col">$</th></tr></thead><tbody>`,
		"SELECT sum(n) FROM view", termSpan("truth", "truth", stop))
	for _, t := range v.s.Reader.AsOf {
		var rd coalesce.Read
		view, truth := 0, 0
		for _, key := range keys {
			rd = model.ReadAsOf(s, v.sink, key, t)
			view, truth = view+max(rd.View, 0), truth+max(rd.Truth, 0)
		}
		rd.View, rd.Truth = view, truth // an error is the same for every key, and is passed on
		v.answer(o, model, s, t, rd.Status, answered(view, rd.ViewError), answered(truth, rd.TruthError), rd.Wrong(), "the same hole", "AS OF")
	}
	o.put(`</tbody></table>`)
}

// keys lists the buckets of the reader's view that change. Their order does not
// matter here, and sorting them would make page.wasm a good deal larger.
func (v *View) keys() []string {
	var keys []string
	for p := range v.model().PartCount() {
		part, t := v.model().Part(p)
		for _, c := range part.Changes {
			if v.model().Sink(t) == v.sink && !slices.Contains(keys, c.Key) {
				keys = append(keys, c.Key)
			}
		}
	}
	return keys
}

// answer is one row of a table of reads.
func (v *View) answer(o *out, model *coalesce.Model, s *coalesce.State, t int64, status coalesce.ReadStatus, view, truth string, wrong bool, why, label string) {
	o.fill(`<tr><th scope="row"><code>$ $</code></th>`, label, itoa64(t))
	switch {
	case status == coalesce.Waits:
		o.fill(`<td>waits: upper is $</td>`, itoa64(model.Upper(s, v.sink)))
	case status == coalesce.Refused:
		o.fill(`<td>refused: since is $</td>`, itoa64(model.Sinks[v.sink].Since))
	case wrong:
		o.fill(`<td class="bad">$<span class="n">$</span> wrong<span class="wide-only">: $</span></td>`, signCross, view, why)
	default:
		o.fill(`<td class="ok">$<span class="n">$</span> right</td>`, signCheck, view)
	}
	o.fill(`<td><span class="n">$</span></td></tr>`, truth)
}
