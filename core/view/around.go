package view

import (
	"strings"

	"sharedbatches/core/coalesce"
)

// around shows the sink around the mechanism: what each worker holds of the
// descriptions, which changes it still owes the shard and at which time, and what the
// append holds. With the short sink only owed changes have something to say.
func (v *View) around(m moment, world int) HTML {
	var o out
	model, s := v.w.Models[world], &m.Sides[world].State
	whole := model.Whole == coalesce.WholeSink
	stop := world == 0
	owes := false
	var rows out
	for _, t := range model.Threads() {
		if t.Role() != coalesce.WriteTask {
			continue
		}
		owed := v.owed(model, s, t)
		owes = owes || owed != ""
		if owed == "" {
			owed = "nothing"
		}
		if whole || owed != "nothing" {
			rows.fill(`<tr><th scope="row">$ <span class="only-read">~</span></th>`, v.chip(t, 20, solid), model.Name(t))
			if whole {
				rows.fill(`<td>~</td>`, v.holds(model, s, t))
			}
			rows.fill(`<td>~</td></tr>`, owed)
		}
	}
	if !whole && !owes {
		return ""
	}
	o.fill(`<div class="part-head"><b>$</b><span>`, termSpan("correction", "Sink around", stop))
	deleted := 0
	if whole {
		for sink := range model.Sinks {
			k := &s.Sinks[sink]
			o.fill(`append of $: `, model.SinkName(sink))
			if k.Desc != 0 {
				o.fill(`holds $ `, v.span(sink, int(k.Desc-1)))
			} else {
				o.put(`no description `)
			}
			for _, t := range model.Threads() {
				if t.Role() == coalesce.WriteTask && k.Staged>>t&1 != 0 {
					o.fill(`$<span class="only-read">a batch of ~ is staged</span> `, v.chip(t, 18, solid), model.Name(t))
				}
			}
			if k.Staged != 0 {
				o.put(`staged `)
			}
		}
	}
	for _, b := range model.Pieces(s) {
		if b.Status == coalesce.Deleted && !b.Inline {
			deleted++
		}
	}
	if deleted > 0 {
		o.fill(`<b>$ deleted</b>`, count(deleted, "object", "objects"))
	}
	o.put(`</span></div>`)
	if rows.Len() > 0 {
		o.put(`<table class="truth owes"><thead><tr><th scope="col"><span class="only-read">worker</span></th>`)
		if whole {
			o.fill(`<th scope="col">$</th>`, termSpan("capability", "holds", stop))
		}
		o.fill(`<th scope="col">$</th></tr></thead><tbody>$</tbody></table>`, termSpan("correction", "still owes the shard", stop), rows.String())
	}
	return o.html()
}

// holds says in words what a worker's Timely side holds.
func (v *View) holds(model *coalesce.Model, s *coalesce.State, t coalesce.Thread) string {
	k, sink := &s.Timely[t], model.Sink(t)
	if s.Torn>>t&1 != 0 && k.Skip == 0 {
		return "torn down"
	}
	var words []string
	say := func(n uint8, what string) {
		if n != 0 {
			words = append(words, what+" "+v.span(sink, int(n-1)))
		}
	}
	say(k.Held, "description")
	say(k.InFlight, "in flight")
	say(k.Skip, "reports a skip of")
	switch {
	case k.Response == 1:
		words = append(words, "answered None")
	case k.Response > 1:
		words = append(words, "answered with a batch")
	}
	if len(words) == 0 {
		return "no capability"
	}
	return strings.Join(words, ", ")
}

// owed says which updates a worker still lacks in the shard, and the time that they
// carry now.
func (v *View) owed(model *coalesce.Model, s *coalesce.State, t coalesce.Thread) string {
	var words []string
	for p := range model.PartCount() {
		part, owner := model.Part(p)
		sink := model.Sink(owner)
		upper := int(s.Sinks[sink].Upper)
		if owner != t || s.Sealed[p] != 0 || part.Interval > upper {
			continue
		}
		text := filled("$ at $", v.partsOf(1<<p), itoa64(part.At))
		if part.Interval < upper {
			text = filled("$, was $, now $", v.partsOf(1<<p), itoa64(part.At), itoa64(model.Upper(s, sink)))
		}
		words = append(words, text)
	}
	return strings.Join(words, "; ")
}

// tabs draws who holds a capability, on the strip at the lower of its description.
func (v *View) tabs(o *out, model *coalesce.Model, s *coalesce.State) {
	at := [coalesce.MaxIntervals]int{}
	for _, t := range model.Threads() {
		if t.Role() != coalesce.WriteTask || model.Sink(t) != v.sink {
			continue
		}
		for i, n := range []uint8{s.Timely[t].InFlight, s.Timely[t].Held} {
			if n == 0 {
				continue
			}
			lower, _ := model.Interval(v.sink, int(n-1))
			x := v.x(lower)
			if at[n-1] == 0 {
				o.draw(`<path class="cursor" d="M% -19V6"/>`, x)
			}
			st := solid
			if i > 0 {
				st = hollow
			}
			v.token(o, t, x+110+180*at[n-1], -90, 82, st)
			at[n-1]++
		}
	}
}
