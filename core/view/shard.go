package view

import (
	"slices"

	"sharedbatches/core/coalesce"
)

// The shard of the reader's sink: a strip of its times, and the reader's question.

const (
	stripL, stripFirst, stripR, stripEnd = 40, 700, 3720, 3920
)

// shard draws what of the view is sealed, where it lacks rows, and what reads answer.
func (v *View) shard(m moment, world int) HTML {
	var o out
	model, s := v.w.Models[world], &m.Sides[world].State
	stop := world == 0
	upper := model.Upper(s, v.sink)
	o.put(`<div class="part-head"><b>`, termSpan("shard", "Shard", stop), ` of view `, model.SinkName(v.sink), `</b><span>`)
	if since := model.Sinks[v.sink].Since; since > 0 {
		o.put(termSpan("since", "since", stop), ` `, itoa64(since), `, `)
	}
	o.put(termSpan("upper", "upper", stop), ` `, itoa64(upper), `</span></div>`)
	v.strip(&o, model, s)
	v.reads(&o, model, s, stop)
	return o.html()
}

// rangeOf is [from, to) of times.
type rangeOf struct {
	from, to int64
	updates  int
	late     bool
}

// holes lists the sealed ranges at or beyond the since that lack a part, merged.
func (v *View) holes(model *coalesce.Model, s *coalesce.State, sink int) []rangeOf {
	var list []rangeOf
	upper, since := model.Upper(s, sink), model.Sinks[sink].Since
	for p := range model.PartCount() {
		part, t := model.Part(p)
		if model.Sink(t) != sink {
			continue
		}
		to := int64(1) << 62
		if n := int(s.Sealed[p]); n > 0 {
			to = part.At
			if n-1 > part.Interval {
				to, _ = model.Interval(sink, n-1)
			}
		}
		if from, to := max(part.At, since), min(to, upper); from < to {
			list = append(list, rangeOf{from: from, to: to})
		}
	}
	slices.SortFunc(list, func(a, b rangeOf) int {
		switch {
		case a.from < b.from:
			return -1
		case a.from > b.from:
			return 1
		}
		return 0
	})
	merged := list[:0]
	for _, r := range list {
		if n := len(merged); n > 0 && r.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, r.to)
		} else {
			merged = append(merged, r)
		}
	}
	return merged
}

// rows lists what sealed intervals brought, by the time that it carries.
func (v *View) rows(model *coalesce.Model, s *coalesce.State, sink int) []rangeOf {
	var list []rangeOf
	for p := range model.PartCount() {
		part, t := model.Part(p)
		n := int(s.Sealed[p]) - 1
		if model.Sink(t) != sink || n < 0 {
			continue
		}
		lower, upper := model.Interval(sink, n)
		r := rangeOf{from: part.At, to: upper, updates: part.Updates}
		if n > part.Interval {
			r.from, r.late = lower, true
		}
		if i := slices.IndexFunc(list, func(x rangeOf) bool { return x.from == r.from }); i >= 0 {
			list[i].updates += r.updates
			list[i].late = list[i].late || r.late
		} else {
			list = append(list, r)
		}
	}
	return list
}

// x places a time on the strip: intervals are equally wide.
func (v *View) x(t int64) int {
	bounds := v.model().Sinks[v.sink].Bounds
	n := len(bounds) - 1
	wide := (stripR - stripFirst) / n
	if t < bounds[0] {
		return max(stripL, stripFirst-int(bounds[0]-t)*wide/int(bounds[1]-bounds[0]))
	}
	for i := range n {
		if t < bounds[i+1] {
			return stripFirst + wide*i + int((t-bounds[i])*int64(wide)/(bounds[i+1]-bounds[i]))
		}
	}
	return min(stripEnd-60, stripFirst+wide*n+int(t-bounds[n])*wide/int(bounds[n]-bounds[n-1]))
}

func (v *View) strip(o *out, model *coalesce.Model, s *coalesce.State) {
	bounds := model.Sinks[v.sink].Bounds
	n := len(bounds) - 1
	holes := v.holes(model, s, v.sink)
	says := "Times below " + itoa64(model.Upper(s, v.sink)) + " are sealed."
	for _, h := range holes {
		says += " A hole from " + itoa64(h.from) + " to " + itoa64(h.to) + ": changes are missing."
	}
	o.put(`<svg class="times" viewBox="0 0 396 46" role="img" aria-label="`, esc(says), `">`)
	box := func(class string, from, to int) {
		o.put(`<rect class="`, class, `" x="`, num(from), `" y="6" width="`, num(to-from), `" height="22"/>`)
	}
	word := func(class, text string, from, to int) {
		o.put(`<text class="txt2 mid `, class, `" x="`, num((from+to)/2), `" y="22">`, esc(text), `</text>`)
	}
	box("sealed", stripL, stripFirst)
	for i := range n {
		class := "open"
		if i < int(s.Sinks[v.sink].Upper) {
			class = "sealed"
		}
		box(class, v.x(bounds[i]), v.x(bounds[i+1]))
	}
	box("open", stripR, stripEnd)
	for i := range n {
		if i == int(s.Sinks[v.sink].Upper) {
			// Beside the cursor, which may stand anywhere in the interval.
			from, mid, to := v.x(bounds[i]), (v.x(bounds[i])+v.x(bounds[i+1]))/2, v.x(bounds[i+1])
			if times := v.s.Reader.AsOf; len(times) > 0 && v.x(times[0]) > from && v.x(times[0]) < mid {
				from, mid = mid, to
			}
			word("", "open", from, mid)
		}
	}
	for _, h := range holes {
		box("hole", v.x(h.from), v.x(h.to))
	}
	for _, r := range v.rows(model, s, v.sink) {
		from, to := v.x(r.from), v.x(r.to)
		box("rows", from, to)
		text := itoa(r.updates)
		if r.late {
			text += " late"
		}
		if to-from > 60*len(text) {
			word("kept-ink", text, from, to)
		}
	}
	first := int64(-1)
	if times := v.s.Reader.AsOf; len(times) > 0 && v.s.Reader.Key != "" {
		first = times[0]
		for _, t := range times[1:] {
			o.put(`<path class="cursor second" d="M`, num(v.x(t)), ` 2V32"/>`)
		}
		o.put(`<path class="cursor" d="M`, num(v.x(first)), ` 0V34"/>`)
		text := "AS OF " + itoa64(first)
		if n > 2 {
			text = itoa64(first)
		}
		o.put(`<text class="txt2 ink strong mid" x="`, num(v.x(first)), `" y="44">`, text, `</text>`)
	}
	for _, b := range bounds {
		if d := v.x(b) - v.x(first); first < 0 || d < -600 || d > 600 || n <= 2 && b != first {
			o.put(`<text class="txt2 mono mid" x="`, num(v.x(b)), `" y="44">`, itoa64(b), `</text>`)
		}
	}
	o.put(`</svg>`)
}

// reads is the reader's question with its answers, beside the truth.
func (v *View) reads(o *out, model *coalesce.Model, s *coalesce.State, stop bool) {
	if v.s.Reader.Key == "" || len(v.s.Reader.AsOf) == 0 {
		return
	}
	how := allNoStop
	if stop {
		how = allTerms
	}
	o.put(`<table class="truth"><thead><tr><th scope="colgroup" colspan="2"><code>`, mark(v.query(), how), `</code></th><th scope="col">`, termSpan("truth", "truth", stop), `</th></tr></thead><tbody>`)
	for i, t := range v.s.Reader.AsOf {
		rd := model.ReadAsOf(s, v.sink, v.s.Reader.Key, t)
		o.put(`<tr><th scope="row"><code>`)
		if i == 0 {
			o.put(termSpan("as of", "AS OF", stop))
		} else {
			o.put("AS OF")
		}
		o.put(` `, itoa64(t), `</code></th>`)
		switch {
		case rd.Status == coalesce.Waits:
			o.put(`<td>waits: upper is `, itoa64(model.Upper(s, v.sink)), `</td>`)
		case rd.Status == coalesce.Refused:
			o.put(`<td>refused: since is `, itoa64(model.Sinks[v.sink].Since), `</td>`)
		case rd.Wrong():
			o.put(`<td class="bad">`, signCross, `<span class="n">`, value(rd.View), `</span> wrong: no later append can repair it</td>`)
		default:
			o.put(`<td class="ok">`, signCheck, `<span class="n">`, value(rd.View), `</span> right</td>`)
		}
		o.put(`<td><span class="n">`, value(rd.Truth), `</span></td></tr>`)
	}
	o.put(`</tbody></table>`)
}
