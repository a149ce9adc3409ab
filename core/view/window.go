package view

import "sharedbatches/core/coalesce"

// What the builder of a batch makes of its parts, with the whole persist side: the open
// window, the part in hand, each flush and where it is, and why pushes are parked.

const flushItem = `<li class="$"><b>$</b> $</li>`

// openBytes is what the builder of a batch has collected since its last flush. With the
// short persist side it flushes once, at its end, and what it had stays in the picture.
func (v *View) openBytes(m moment, world int, l *life) int {
	model, s := v.w.Models[world], &m.Sides[world].State
	parts := l.got
	if model.Persist == coalesce.WholePersist {
		parts = 0
		if int(s.Batches[l.slot].Id) == l.entry+1 {
			parts = model.Window(s, l.slot)
		}
	}
	bytes, _ := model.Sizes(parts)
	return bytes
}

// window lists it below the picture.
func (v *View) window(o *out, m moment, world int, l *life) {
	model, s := v.w.Models[world], &m.Sides[world].State
	if model.Persist == coalesce.ShortPersist {
		return
	}
	b, says := &s.Batches[l.slot], "closed"
	runs := int(b.Id) == l.entry+1 && !b.Gone
	if runs {
		says = size(v.openBytes(m, world, l)) + " of " + size(model.Target)
	}
	o.fill(`<ul class="gate"><li><b>Window</b> $</li>`, says)
	if runs && b.Hand != 0 {
		bytes, _ := model.Sizes(1 << (b.Hand - 1))
		o.fill(flushItem, "out", "in hand", size(bytes)+", must wait for a flush")
	}
	list, flushes, out := model.Pieces(s), 0, 0
	for i := range list {
		p := &list[i]
		if int(p.Spawner) != l.slot/2 || p.N != l.n {
			continue
		}
		flushes++
		class, says := "in", "stored"
		switch {
		case p.Inline:
			says = "inline"
		case p.Status == coalesce.Uploading:
			out++
			class, says = "out", numbers("uploading, # of # in flight", out, model.Outstanding)
		case !p.Stored(), p.Status == coalesce.Leaked:
			says = p.Status.String()
		}
		o.fill(flushItem, class, "flush "+itoa(flushes), size(p.Bytes)+", "+says)
	}
	if task := coalesce.Builder(l.slot); runs && model.Blocked(s, task).Kind == coalesce.UploadsOut {
		says := "waits for an upload"
		if b.Queued() == coalesce.ChannelSlots {
			says += ", so nobody receives and the channel is full"
		}
		o.fill(flushItem, "stopped", model.Name(task), says)
	}
	v.labels(o, model, s, l, flushes > 0)
	o.put(`</ul>`)
}

// labels says what a batch’s parts carry that nobody sees in its bytes, where it is
// broken or the worlds differ in it.
func (v *View) labels(o *out, model *coalesce.Model, s *coalesce.State, l *life, flushed bool) {
	item := func(rule, head, says string, broken bool) {
		class, sign, shown := "", "", broken
		if broken {
			class, sign = "bad", signCross
		}
		for _, r := range v.apart {
			shown = shown || r.Key == rule
		}
		if shown {
			o.fill(flushItem, class, head, sign+says)
		}
	}
	if says := "the write handle’s"; flushed {
		if model.Schema == coalesce.NoSchema {
			says = "none"
		}
		item("schema", "schema id", says, model.Schema == coalesce.NoSchema)
		runs := model.RunsOf(s, coalesce.Thread(l.slot/2), l.n)
		item("runs", "runs", numbers("#, max_runs #", runs, model.MaxRuns), model.MaxRuns > 1 && runs > model.MaxRuns)
	}
	label := s.Sinks[l.sink].Labels[model.Process(model.Worker(coalesce.Builder(l.slot)))]
	item("label", "metrics under", label.String(), label == coalesce.StashLabel)
}
