package view

import "sharedbatches/core/coalesce"

// What the builder of a batch makes of its parts, with the whole persist side: the open
// window, the part in hand, each flush and where it is, and why pushes are parked.

// bench is what a batch's builder has at a moment.
type bench struct {
	runs       bool // its task has not returned
	open, hand coalesce.Parts
	flushes    []coalesce.Object
	waits      bool // for an upload, before it may flush
}

func (v *View) bench(model *coalesce.Model, s *coalesce.State, l *life) (w bench) {
	if b := &s.Batches[l.slot]; int(b.Id) == l.entry+1 && !b.Gone {
		w.runs, w.open = true, model.Window(s, l.slot)
		w.waits = model.Blocked(s, coalesce.Builder(l.slot)).Kind == coalesce.UploadsOut
		if b.Hand != 0 {
			w.hand = 1 << (b.Hand - 1)
		}
	}
	for _, p := range model.Pieces(s) {
		if int(p.Spawner) == l.slot/2 && p.N == l.n {
			w.flushes = append(w.flushes, p)
		}
	}
	return w
}

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
	w := v.bench(model, s, l)
	o.put(`<ul class="gate">`)
	item := func(class, head, says string) { o.fill(`<li class="$"><b>$</b> $</li>`, class, head, says) }
	bytes := func(ps coalesce.Parts) string {
		n, _ := model.Sizes(ps)
		return size(n)
	}
	says := "closed"
	if w.runs {
		says = filled("$ of $", bytes(w.open), size(model.Target))
	}
	item("", "Window", says)
	if w.hand != 0 {
		item("out", "in hand", bytes(w.hand)+", must wait for a flush")
	}
	out := 0
	for i := range w.flushes {
		p := &w.flushes[i]
		class, says := "in", "stored"
		switch {
		case p.Inline:
			says = "inline"
		case p.Status == coalesce.Uploading:
			out++
			class, says = "out", numbers("uploading, # of # in flight", out, model.Outstanding)
		case p.Status == coalesce.Deleted, p.Status == coalesce.Leaked:
			says = p.Status.String()
		}
		item(class, "flush "+itoa(i+1), size(p.Bytes)+", "+says)
	}
	if w.waits {
		task, says := model.Name(coalesce.Builder(l.slot)), "waits for an upload"
		if s.Batches[l.slot].Queued() == coalesce.ChannelSlots {
			says += ", so nobody receives and the channel is full"
		}
		item("stopped", task, says)
	}
	v.labels(item, model, s, l, len(w.flushes))
	o.put(`</ul>`)
}

// labels says what a batch’s parts carry that nobody sees in its bytes, where it is
// broken or the worlds differ in it.
func (v *View) labels(item func(class, head, says string), model *coalesce.Model, s *coalesce.State, l *life, flushed int) {
	differ := func(key string) bool {
		for _, r := range v.apart {
			if r.Key == key {
				return true
			}
		}
		return false
	}
	class := func(broken bool) string {
		if broken {
			return "bad"
		}
		return ""
	}
	broken := model.Schema == coalesce.NoSchema
	if flushed > 0 && (broken || differ("schema")) {
		says := "the write handle’s"
		if broken {
			says = signCross + "none"
		}
		item(class(broken), "schema id", says)
	}
	if runs := model.RunsOf(s, coalesce.Thread(l.slot/2), l.n); model.MaxRuns > 1 && flushed > 0 {
		says := numbers("#, max_runs #", runs, model.MaxRuns)
		if broken = runs > model.MaxRuns; broken {
			says = signCross + says
		}
		item(class(broken), "runs", says)
	}
	label := s.Sinks[l.sink].Labels[model.Process(model.Worker(coalesce.Builder(l.slot)))]
	if broken = label == coalesce.StashLabel; broken || differ("label") {
		says := label.String()
		if broken {
			says = signCross + says
		}
		item(class(broken), "metrics under", says)
	}
}
