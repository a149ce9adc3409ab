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
	o.Grow(3500)
	o.fill(`<div class="part-head"><b>$ of view $</b><span>`, termSpan("shard", "Shard", stop), model.SinkName(v.sink))
	if since := model.Sinks[v.sink].Since; since > 0 {
		o.fill("$ $, ", termSpan("since", "since", stop), itoa64(since))
	}
	o.fill(`$ $</span></div>`, termSpan("upper", "upper", stop), itoa64(upper))
	v.strip(&o, model, s)
	v.reads(&o, model, s, stop)
	return o.html()
}

// rangeOf is [from, to) of times.
type rangeOf struct {
	from, to int64
	updates  int
	late     bool
	of       int // updates that the interval should have; more than updates if some are missing
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
	for i := range list {
		for k := i; k > 0 && list[k].from < list[k-1].from; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
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
			for q := range model.PartCount() {
				if other, t := model.Part(q); model.Sink(t) == sink && other.At == r.from {
					r.of += other.Updates
				}
			}
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
		says += filled(" A hole from $ to $: changes are missing.", itoa64(h.from), itoa64(h.to))
	}
	frame := "0 0 396 46"
	if model.Whole == coalesce.WholeSink {
		frame = "0 -20 396 66"
	}
	o.fill(`<svg class="times" viewBox="$" role="img" aria-label="~">`, frame, says)
	if model.Whole == coalesce.WholeSink {
		v.tabs(o, model, s)
	}
	box := func(class string, from, to int) {
		o.mix(`<rect class="$" x="%" y="6" width="%" height="22"/>`, ints{from, to - from}, class)
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
			o.draw(`<text class="txt2 mid" x="%" y="22">open</text>`, (from+mid)/2)
		}
	}
	for _, h := range holes {
		box("hole", v.x(h.from), v.x(h.to))
	}
	for _, r := range v.rows(model, s, v.sink) {
		from, to := v.x(r.from), v.x(r.to)
		text, top, fit := itoa(r.updates), 60, ""
		if r.late {
			text += " late"
		} else if r.of > r.updates {
			// Above the rows that came the hatch of the others stays in view.
			text, top, fit = text+" of "+itoa(r.of), 130, numbers(` textLength="%" lengthAdjust="spacingAndGlyphs"`, to-from-60)
		}
		o.draw(`<rect class="rows" x="%" y="%" width="%" height="%"/>`, from, top, to-from, 280-top)
		if to-from > 60*len(text) {
			o.mix(`<text class="txt2 mid kept-ink" x="%" y="%"$>$</text>`, ints{(from + to) / 2, 220 + (top-60)/2}, fit, text)
		}
	}
	first := int64(-1)
	if times := v.s.Reader.AsOf; len(times) > 0 && v.s.Reader.Key != "" {
		first = times[0]
		for _, t := range times[1:] {
			o.draw(`<path class="cursor second" d="M% 2V32"/>`, v.x(t))
		}
		o.draw(`<path class="cursor" d="M% 0V34"/>`, v.x(first))
		text := "AS OF " + itoa64(first)
		if n > 2 {
			text = itoa64(first)
		}
		o.mix(`<text class="txt2 ink strong mid" x="%" y="44">$</text>`, ints{v.x(first)}, text)
	}
	for _, b := range bounds {
		if d := v.x(b) - v.x(first); first < 0 || d < -600 || d > 600 || n <= 2 && b != first {
			o.mix(`<text class="txt2 mono mid" x="%" y="44">$</text>`, ints{v.x(b)}, itoa64(b))
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
	o.fill(`<table class="truth"><thead><tr><th scope="colgroup" colspan="2"><code>$</code></th><th scope="col">$</th></tr></thead><tbody>`, v.mark(v.query(), how), termSpan("truth", "truth", stop))
	for i, t := range v.s.Reader.AsOf {
		rd := model.ReadAsOf(s, v.sink, v.s.Reader.Key, t)
		label := "AS OF"
		if i == 0 {
			label = termSpan("as of", "AS OF", stop)
		}
		v.answer(o, model, s, t, rd.Status, answered(rd.View, rd.ViewError), answered(rd.Truth, rd.TruthError), rd.Wrong(), "no later append can repair it", label)
	}
	o.put(`</tbody></table>`)
}
