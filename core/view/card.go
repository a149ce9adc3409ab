package view

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// card fills in one thread: what its button does, where its program stands in each world,
// and what comes next or why nothing can.
func (v *View) card(c *Card, r *worlds.Run, t coalesce.Thread, grain worlds.Grain) {
	m := r.Now()
	c.Name, c.Title, c.Sub, c.State = v.name(t), v.title(t), v.sub(m, t), "ready"
	c.Key = c.Name[:1]
	blocks, all := v.w.Blocked(m, t)
	c.Disabled = all
	var words [worlds.Limit]string // what comes next
	last := len(v.w.Models) - 1
	for i := range v.w.Models {
		words[i] = v.nextWords(m, i, t)
	}
	over, unborn, some := true, true, false
	for i := range v.w.Models {
		over = over && blocks[i].Over()
		unborn = unborn && blocks[i].Kind == coalesce.NotSpawned
		some = some || blocks[i].Kind != coalesce.Free
	}
	switch {
	case over:
		c.State = "finished"
	case unborn:
		c.State, c.Hidden = "unborn", true
	case all:
		c.State = "blocked"
	case some || words[0] != words[last]:
		c.State = "split"
	}
	if over && t.Role() == coalesce.BuilderTask {
		c.Hidden = !v.everRan(r, t)
	}
	c.Act = v.act(m, t, grain)
	if all {
		c.Reason = v.reasons(words[0], words[last])
	}
	c.Buffers = v.buffers(m, t)
	c.Program = v.program(m, t)
	c.Next = v.next(words[:last+1], blocks)
}

// everRan tells whether a builder task was spawned in some world.
func (v *View) everRan(r *worlds.Run, t coalesce.Thread) bool {
	for k := r.Cursor(); k > 0; k-- {
		for i := range v.w.Models {
			for _, e := range r.At(k).Sides[i].Events {
				if e.Kind == coalesce.Created && int(e.Slot) == t.Slot() {
					return true
				}
			}
		}
	}
	return false
}

// subs are the second lines of cards; see [View.phrase].
var subs = [...]string{
	coalesce.WriteTask:   "sink $x",
	coalesce.BuilderTask: "$t’s builder task, batch $x",
	coalesce.Append:      "sink $x",
	coalesce.Timely:      "sink $x",
	coalesce.Sweeper:     "only sweeps",
	coalesce.Teardown:    "drops the dataflow",
	coalesce.Mint:        "sink $x",
	coalesce.Replica:     "writes view $x too",
	coalesce.Uploads:     "uploads of $t’s batches",
	coalesce.Cleaner:     "deletes leaked objects",
}

func (v *View) sub(m moment, t coalesce.Thread) HTML {
	spawner := t.Slot() / 2
	if t.Role() == coalesce.Uploads {
		spawner = int(t.UploadsOf())
	}
	at := v.phrase(subs[t.Role()], m, t, coalesce.Event{A: int32(spawner)})
	sink, n := v.model().Sink(t), coalesce.MaxIntervals // of the world where it is least far
	for i := range v.w.Models {
		s := &m.Sides[i].State
		switch t.Role() {
		case coalesce.WriteTask:
			n = min(n, int(s.Tasks[t].Interval))
		case coalesce.Append:
			n = min(n, int(s.Sinks[sink].Upper))
		case coalesce.BuilderTask:
			if id := s.Batches[t.Slot()].Id; id != 0 {
				_, n = coalesce.EntryInterval(int(id - 1))
			}
		}
	}
	if n > 0 && sink >= 0 && n < v.model().Intervals(sink) {
		at += ", " + v.span(sink, n)
	}
	return HTML(esc(at))
}

// reasons is why a thread cannot move in any world.
func (v *View) reasons(why, other string) string {
	if why != other {
		return filled("$: $; $: $", v.w.Names[0], why, v.w.Names[1], other)
	}
	return why
}

// act is the button's words: what one press does, in words that are true in every
// world where it does something.
func (v *View) act(m moment, t coalesce.Thread, grain worlds.Grain) string {
	var acts, waits []string
	for i, model := range v.w.Models {
		switch b := model.Blocked(&m.Sides[i].State, t); {
		case b.Kind == coalesce.Free:
			acts = append(acts, v.actIn(m, i, t, grain))
		case !b.Over() && b.Kind != coalesce.NotSpawned:
			waits = append(waits, v.actIn(m, i, t, grain))
		}
	}
	if len(acts) == 0 && len(waits) > 0 {
		acts = waits[:1]
	}
	name := v.name(t) + ": "
	switch {
	case len(acts) == 0:
		return name + "nothing left to do"
	case len(acts) == 1 || acts[0] == acts[1]:
		return name + acts[0]
	}
	if common := v.commonAct(m, t, grain); common != "" {
		return name + common
	}
	return filled("$$ / $", name, acts[0], acts[1])
}

// commonAct is for two worlds that do different things in one line.
func (v *View) commonAct(m moment, t coalesce.Thread, grain worlds.Grain) string {
	a, b := &m.Sides[0].State, &m.Sides[1].State
	line := v.w.Models[0].Line(a, t)
	if line != v.w.Models[1].Line(b, t) || t.Role() != coalesce.WriteTask && t.Role() != coalesce.Sweeper {
		return ""
	}
	cursor := v.model().Registry(a, t).Cursor
	if cursor != v.model().Registry(b, t).Cursor {
		return ""
	}
	entry := v.entryName(m, int(cursor))
	if t.Role() == coalesce.Sweeper {
		line += coalesce.LineProbeBegin - coalesce.SweepBegin
	}
	switch line {
	case coalesce.LineProbeBegin:
		return "sweep, probe " + entry
	case coalesce.LineProbeEnd:
		return "sweep, end probe of " + entry
	case coalesce.LineJoin:
		return "join or create " + v.sinkOf(t)
	}
	return ""
}

func (v *View) next(words []string, bs [worlds.Limit]coalesce.Block) HTML {
	var o out
	free := func(i int) bool { return bs[i].Kind == coalesce.Free }
	write := func(i int) string {
		says := `<span class="stopped">blocked: $</span>`
		switch bs[i].Kind {
		case coalesce.Free, coalesce.HasFinished, coalesce.NotSpawned:
			says = "$"
		case coalesce.HasPanicked:
			says = `<span class="bad">$</span>`
		}
		return filled(says, esc(words[i]))
	}
	if len(words) == 1 || words[0] == words[1] && free(0) == free(1) {
		says := `<p class="next">$</p>`
		if free(0) {
			says = `<p class="next"><b>Next:</b> $</p>`
		}
		o.fill(says, write(0))
		return o.html()
	}
	o.put(`<dl class="next split">`)
	for i := range words {
		o.fill(`<dt>~</dt><dd>$</dd>`, v.w.Names[i], write(i))
	}
	o.put(`</dl>`)
	return o.html()
}
