package view

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// card is one thread: what its button does, where its program stands in each world,
// and what comes next or why nothing can.
func (v *View) card(r *worlds.Run, t coalesce.Thread, grain worlds.Grain) Card {
	m := r.Now()
	c := Card{Name: v.model().Name(t), Title: v.title(t), Sub: v.sub(m, t), State: "ready"}
	c.Key = c.Name[:1]
	blocks, all := v.w.Blocked(m, t)
	c.Disabled = all
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
	case some || v.differ(m, t):
		c.State = "split"
	}
	if over && t.Role() == coalesce.BuilderTask {
		c.Hidden = !v.everRan(r, t)
	}
	c.Act = v.act(m, t, grain)
	c.Reason = v.reasons(t, blocks, all)
	c.Program = v.program(m, t)
	c.Next = v.next(m, t, blocks)
	return c
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

// differ tells whether the thread's next lines differ between the worlds.
func (v *View) differ(m moment, t coalesce.Thread) bool {
	return len(v.w.Models) == 2 && v.nextWords(m, 0, t) != v.nextWords(m, 1, t)
}

func (v *View) sub(m moment, t coalesce.Thread) HTML {
	model := v.model()
	sink := model.Sink(t)
	switch t.Role() {
	case coalesce.WriteTask:
		at := "sink " + model.SinkName(sink)
		if n := v.interval(m, t); n > 0 && n < model.Intervals(sink) {
			at += ", " + span(model.Interval(sink, n))
		}
		return HTML(esc(at))
	case coalesce.BuilderTask:
		return HTML("builder task of " + model.SinkName(sink))
	case coalesce.Append:
		return HTML("of sink " + model.SinkName(sink))
	}
	switch t.Role() {
	case coalesce.Timely:
		return HTML("of worker " + model.Name(t.WriteTask()) + ", sink " + model.SinkName(sink))
	case coalesce.Teardown:
		return "drops the dataflow"
	case coalesce.Mint:
		return HTML("of sink " + model.SinkName(sink))
	case coalesce.Replica:
		return HTML("writes view " + model.SinkName(sink) + " too")
	}
	return "only sweeps"
}

// interval is the interval of a write task in the world where it is least far.
func (v *View) interval(m moment, t coalesce.Thread) int {
	n := coalesce.MaxIntervals
	for i := range v.w.Models {
		n = min(n, int(m.Sides[i].State.Tasks[t].Interval))
	}
	return n
}

func (v *View) reasons(t coalesce.Thread, bs [worlds.Limit]coalesce.Block, all bool) string {
	if !all {
		return ""
	}
	words := func(i int) string {
		why := v.w.Models[i].Reason(t, bs[i])
		if bs[i].Over() || bs[i].Kind == coalesce.NotSpawned {
			return why
		}
		return "blocked: " + why
	}
	if len(v.w.Models) == 2 && words(0) != words(1) {
		return v.w.Names[0] + ": " + words(0) + "; " + v.w.Names[1] + ": " + words(1)
	}
	return words(0)
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
	name := v.model().Name(t) + ": "
	switch {
	case len(acts) == 0:
		return name + "nothing left to do"
	case len(acts) == 1 || acts[0] == acts[1]:
		return name + acts[0]
	}
	if common := v.commonAct(m, t, grain); common != "" {
		return name + common
	}
	return name + acts[0] + " / " + acts[1]
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
		return "join or create " + v.model().SinkName(v.model().Sink(t))
	}
	return ""
}

func (v *View) actIn(m moment, i int, t coalesce.Thread, grain worlds.Grain) string {
	model, s := v.w.Models[i], &m.Sides[i].State
	line := model.Line(s, t)
	row := model.Program(t)[line]
	sink := model.Sink(t)
	if grain == worlds.Sweep && row.InSweep {
		return "sweep to its end"
	}
	if grain == worlds.Call {
		rest := " (whole call)"
		if !row.Starts && row.Call != coalesce.CallTask {
			rest = " (rest of the call)"
		}
		switch row.Call {
		case coalesce.CallBuilder:
			return "open " + model.SinkName(sink) + rest
		case coalesce.CallPush:
			return "push" + rest
		case coalesce.CallFinish:
			return "finish" + rest
		case coalesce.CallTask:
			return "work until it waits"
		case coalesce.CallSweep:
			return "sweep" + rest
		case coalesce.CallSkip:
			return "report the skip" + rest
		}
	}
	switch t.Role() {
	case coalesce.BuilderTask:
		if line == coalesce.LineReceive {
			return "receive the part"
		}
		if s.Batches[t.Slot()].Got == 0 {
			return "finish, got nothing"
		}
		return "finish and upload"
	case coalesce.Append:
		if n := int(s.Sinks[sink].Upper); line == coalesce.LineAppend && n < model.Intervals(sink) {
			return "seal " + span(model.Interval(sink, n))
		}
		return row.Label
	case coalesce.Timely, coalesce.Teardown, coalesce.Mint, coalesce.Replica:
		return row.Label
	case coalesce.Sweeper:
		switch line {
		case coalesce.SweepLock:
			return "lock the registry"
		case coalesce.SweepRetain:
			return "sweep, remove dead entries, unlock"
		}
		line += coalesce.LineProbeBegin - coalesce.SweepBegin
	}
	entry := ""
	if line == coalesce.LineProbeBegin || line == coalesce.LineProbeEnd {
		entry = v.entryName(m, int(model.Registry(s, t).Cursor))
	}
	switch line {
	case coalesce.LineLock:
		return "open " + model.SinkName(sink) + ", lock the registry"
	case coalesce.LineTest:
		return "is a sweep due?"
	case coalesce.LineProbeBegin:
		if model.Probe == coalesce.StrongCount {
			return "sweep, read count of " + entry
		}
		return "sweep, take hold of " + entry
	case coalesce.LineProbeEnd:
		if model.Probe == coalesce.StrongCount {
			return "sweep, compare"
		}
		return "sweep, let go of " + entry
	case coalesce.LineRetain:
		return "sweep, remove dead entries"
	case coalesce.LineJoin:
		if v.joins(model, s, t) {
			return "join batch " + model.SinkName(sink) + ", unlock"
		}
		return "create batch " + model.SinkName(sink) + ", unlock"
	case coalesce.LinePush:
		if due := model.Due(s, t); int(s.Tasks[t].Pushed) < len(due) {
			return "push " + v.partsOf(1<<due[s.Tasks[t].Pushed])
		}
		return "push"
	case coalesce.LineIntoInner:
		return "finish " + model.SinkName(sink)
	case coalesce.LineClose:
		return "close the channel"
	}
	if line == coalesce.LineAwait {
		return "take the result"
	}
	return row.Label
}

// joins tells whether the join line of a write task would find a living batch.
func (v *View) joins(model *coalesce.Model, s *coalesce.State, t coalesce.Thread) bool {
	_, ok := model.Registry(s, t).Entries[model.Sink(t)*coalesce.MaxIntervals+int(s.Tasks[t].Interval)].Slot()
	return ok
}

// nextWords is what the thread's next line does in world i, with its numbers.
func (v *View) nextWords(m moment, i int, t coalesce.Thread) string {
	model, s := v.w.Models[i], &m.Sides[i].State
	if b := model.Blocked(s, t); b.Kind != coalesce.Free {
		return model.Reason(t, b)
	}
	line := model.Line(s, t)
	switch t.Role() {
	case coalesce.BuilderTask, coalesce.Append:
		return v.machineWords(m, i, t, line)
	case coalesce.Timely, coalesce.Teardown, coalesce.Mint, coalesce.Replica:
		return v.actIn(m, i, t, worlds.Atomic)
	}
	if t.Role() == coalesce.Sweeper {
		if line == coalesce.SweepLock {
			return "lock the registry"
		}
		if line == coalesce.SweepRetain {
			return "remove dead entries, unlock"
		}
		line += coalesce.LineProbeBegin - coalesce.SweepBegin
	}
	reg := model.Registry(s, t)
	switch line {
	case coalesce.LineLock:
		return "lock the registry"
	case coalesce.LineTest:
		return "test " + itoa(reg.Size()) + " > 2 × " + itoa(int(reg.LastRetained))
	case coalesce.LineProbeBegin:
		slot, alive := reg.Entries[reg.Cursor].Slot()
		entry := v.entryName(m, int(reg.Cursor))
		n := 0
		if alive {
			n = s.Batches[slot].Count()
		}
		switch {
		case model.Probe == coalesce.StrongCount:
			return "read the count of " + entry + ": " + itoa(n)
		case alive:
			return "take hold of " + entry + ", " + arrow(int32(n), int32(n+1))
		}
		return "find " + entry + " dead"
	case coalesce.LineProbeEnd:
		entry := v.entryName(m, int(reg.Cursor))
		if model.Probe == coalesce.StrongCount {
			n := int(reg.Loaded) - 1
			if n > 0 {
				return "compare " + itoa(n) + " > 0, keep " + entry
			}
			return "compare 0 > 0, drop " + entry
		}
		if slot, alive := reg.Entries[reg.Cursor].Slot(); alive {
			n := s.Batches[slot].Count()
			return "let go of " + entry + ", " + arrow(int32(n), int32(n-1))
		}
		return "judge " + entry + " dead"
	case coalesce.LineRetain:
		return "remove dead entries"
	case coalesce.LineIntoInner:
		n := s.Batches[s.Tasks[t].Handle-1].Count()
		return "give the handle back, " + arrow(int32(n), int32(n-1))
	case coalesce.LineAwait:
		return "take " + model.Name(coalesce.Builder(int(s.Tasks[t].Handle-1))) + "’s result"
	}
	return v.actIn(m, i, t, worlds.Atomic)
}

func (v *View) machineWords(m moment, i int, t coalesce.Thread, line int) string {
	model, s := v.w.Models[i], &m.Sides[i].State
	if t.Role() == coalesce.Append {
		sink := model.Sink(t)
		var in coalesce.Parts
		n := int(s.Sinks[sink].Upper)
		if line != coalesce.LineAppend || n >= model.Intervals(sink) {
			return v.actIn(m, i, t, worlds.Atomic)
		}
		for _, w := range model.Threads() {
			if w.Role() == coalesce.WriteTask && s.Sinks[sink].Staged>>w&1 != 0 {
				if o, ok := model.Get(s, w, n); ok {
					in |= o.Parts
				}
			}
		}
		what := " empty"
		if in != 0 {
			what = " with " + v.partsOf(in)
		}
		return "seal " + span(model.Interval(sink, n)) + what
	}
	b := &s.Batches[t.Slot()]
	if line == coalesce.LineReceive {
		return "receive " + v.partsOf(1<<(b.Queue[0]-1))
	}
	what := "finish with nothing"
	if b.Got != 0 {
		bytes, _ := model.Sizes(b.Got)
		what = "finish, upload " + size(bytes)
	}
	if b.Destroyed() {
		what += ", for nobody"
	}
	return what
}

func (v *View) next(m moment, t coalesce.Thread, bs [worlds.Limit]coalesce.Block) HTML {
	var o out
	words := make([]string, len(v.w.Models))
	for i := range v.w.Models {
		words[i] = v.nextWords(m, i, t)
	}
	free := func(i int) bool { return bs[i].Kind == coalesce.Free }
	write := func(i int) string {
		switch {
		case free(i):
			return esc(words[i])
		case bs[i].Kind == coalesce.HasFinished || bs[i].Kind == coalesce.NotSpawned:
			return esc(words[i])
		case bs[i].Kind == coalesce.HasPanicked:
			return `<span class="bad">` + esc(words[i]) + `</span>`
		}
		return `<span class="stopped">blocked: ` + esc(words[i]) + `</span>`
	}
	if len(words) == 1 || words[0] == words[1] && free(0) == free(1) {
		o.put(`<p class="next">`)
		if free(0) {
			o.put(`<b>Next:</b> `)
		}
		o.put(write(0), `</p>`)
		return o.html()
	}
	o.put(`<dl class="next split">`)
	for i := range words {
		o.put(`<dt>`, v.w.Names[i], `</dt><dd>`, write(i), `</dd>`)
	}
	o.put(`</dl>`)
	return o.html()
}
