package view

import "sharedbatches/core/coalesce"

// registry shows the map of weak references, its lock, and where a sweep is.
func (v *View) registry(m moment, world int, st *story) HTML {
	var o out
	n := max(v.model().Processes, 1)
	for p := range n {
		title := ""
		if n > 1 {
			title = " of process " + itoa(p+1)
		}
		v.oneRegistry(&o, m, world, p, title, st)
	}
	return o.html()
}

func (v *View) oneRegistry(o *out, m moment, world, process int, title string, st *story) {
	model, s := v.w.Models[world], &m.Sides[world].State
	reg, stop := &s.Registries[process], world == 0
	o.fill(`<div class="part-head"><b>$$</b><span class="entry">`, termSpan("registry", "Registry", stop), title)
	switch {
	case reg.Lock != 0:
		t := coalesce.Thread(reg.Lock - 1)
		o.fill(`locked by $<span class="only-read">~</span>`, v.chip(t, 18, solid), model.Name(t))
	case reg.Poisoned:
		o.fill(`$<span class="bad">$</span>`, signCross, termSpan("poisoned", "poisoned", stop))
	default:
		o.put(`unlocked`)
	}
	o.mix(` <span>$ #</span></span></div><div class="map">`, ints{int(reg.LastRetained)}, termSpan("last_retained_len", "last_retained_len", stop))
	cursor, probed := v.sweeping(model, s, reg)
	shown := 0
	for sink := range model.Sinks {
		for n := range model.Intervals(sink) {
			entry := sink*coalesce.MaxIntervals + n
			w := reg.Entries[entry]
			open := int(s.Sinks[sink].Upper) == n
			skips := int(reg.Skips[entry])
			if w == 0 && !open && skips == 0 {
				continue
			}
			shown++
			_, alive := w.Slot()
			class, word := "entry", "weak, alive"
			switch {
			case w == 0:
				class, word = "entry none", "not in map"
			case !alive:
				class, word = "entry dead", "weak, dead"
				if l := st.of(entry); l != nil && l.counted > 0 {
					word += " since step " + itoa(l.counted)
				}
			}
			switch {
			case w == 0 || cursor < 0:
			case entry == cursor && probed:
				class += " probed"
				word += ": being probed"
			case entry == cursor:
				class += " probed"
				word += ": probed next"
			case entry < cursor && reg.Alive>>entry&1 == 0:
				word += ": will go"
			case entry < cursor && alive:
				word += ": found alive, stays"
			case entry < cursor:
				word += "; the sweep had found it alive, so it stays until the next sweep"
			}
			if skips > 0 {
				word += ", " + count(skips, "skip is", "skips are") + " pending"
			}
			o.fill(`<span class="$"><span class="id">~</span> $</span>`, class, v.entryName(m, entry), word)
		}
	}
	if shown == 0 {
		o.put(`<span class="entry none">the map is empty</span>`)
	}
	o.put(`</div>`)
}

// sweeping tells which entry a sweep is at, and whether its probe has begun; -1 when
// no sweep runs. Past its last probe every entry counts as judged.
func (v *View) sweeping(model *coalesce.Model, s *coalesce.State, reg *coalesce.Registry) (cursor int, probed bool) {
	if reg.Lock == 0 {
		return -1, false
	}
	t := coalesce.Thread(reg.Lock - 1)
	line := model.Line(s, t)
	begin, end, retain := coalesce.LineProbeBegin, coalesce.LineProbeEnd, coalesce.LineRetain
	if t.Role() == coalesce.Sweeper {
		begin, end, retain = coalesce.SweepBegin, coalesce.SweepEnd, coalesce.SweepRetain
	}
	if t.Role() != coalesce.WriteTask && t.Role() != coalesce.Sweeper {
		return -1, false
	}
	switch line {
	case begin, end:
		return int(reg.Cursor), line == end
	case retain:
		return len(reg.Entries), false
	}
	return -1, false
}
