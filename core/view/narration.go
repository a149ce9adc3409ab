package view

import (
	"strings"

	"sharedbatches/core/coalesce"
)

// narrate tells a step in one text: what was done, once, and what came of it, once
// if the worlds agree and else world by world. It is made from the step's events.
func (v *View) narrate(before, m moment) string {
	if m.Step == 0 {
		return "**Nothing has moved yet.** No batch exists, nobody holds the registry lock. Step a thread: you decide who moves next."
	}
	type told struct{ lead, body string }
	var ts []told
	for i := range v.w.Models {
		t := told{}
		if m.Sides[i].Line >= 0 {
			t.lead, t.body = v.tell(before, m, i)
		} else {
			t.body = v.skips(m, i)
		}
		ts = append(ts, t)
	}
	if len(ts) == 1 {
		return filled("**$.** $", ts[0].lead, upperFirst(ts[0].body))
	}
	a, b := ts[0], ts[1]
	in := func(i int, body string) string { return filled("With `$`, $", v.w.Names[i], body) }
	switch {
	case a == b:
		return filled("**$.** $", a.lead, upperFirst(a.body))
	case a.lead == b.lead:
		return filled("**$.** $ $", a.lead, in(0, lowerFirst(a.body)), in(1, lowerFirst(b.body)))
	case a.lead == "":
		return filled("**$.** $ With `$` $", b.lead, in(1, lowerFirst(b.body)), v.w.Names[0], a.body)
	case b.lead == "":
		return filled("**$.** $ With `$` $", a.lead, in(0, lowerFirst(a.body)), v.w.Names[1], b.body)
	}
	return in(0, filled("**$.** $", a.lead, upperFirst(a.body))) + " " + in(1, filled("**$.** $", b.lead, upperFirst(b.body)))
}

// skips says why the thread did not move in world i.
func (v *View) skips(m moment, i int) string {
	who, b := v.name(m.Thread), m.Sides[i].Skip
	switch b.Kind {
	case coalesce.HasFinished:
		return who + " does not move: it has finished already."
	case coalesce.NotSpawned:
		if m.Thread.Role() == coalesce.BuilderTask {
			return who + " does not move: it has not been started."
		}
	}
	if says := v.between(m, i, m.Thread, b, "is done with $ and waits for the next interval (it opens at upper $)."); says != "" {
		return who + " " + says
	}
	return filled("$ does not move: $.", who, v.w.Models[i].Reason(m.Thread, b))
}

// between fills in the interval that a thread has behind it, and where the next one
// opens, when it waits for that.
func (v *View) between(m moment, i int, t coalesce.Thread, b coalesce.Block, says string) string {
	if b.Kind != coalesce.NotOpen {
		return ""
	}
	done := int(m.Sides[i].State.Tasks[t].Interval) - 1
	return filled(says, v.span(v.model().Sink(t), done), itoa64(b.A))
}

// lowerFirst lets a sentence go on after "With ...,": only words that are no names
// lose their capital.
func lowerFirst(s string) string {
	for _, word := range []string{"The ", "It ", "Its ", "There ", "That ", "This ", "Nothing ", "Nobody ", "What ", "They ", "No ", "One ", "Another ", "Everybody ", "Yes", "Not ", "Reports ", "Every ", "Who "} {
		if strings.HasPrefix(s, word) {
			return strings.ToLower(s[:1]) + s[1:]
		}
	}
	return s
}

// events are a step's events, found by kind.
type events coalesce.Events

func (es events) find(k coalesce.EventKind) (coalesce.Event, bool) {
	for _, e := range es {
		if e.Kind == k {
			return e, true
		}
	}
	return coalesce.Event{}, false
}

func arrow(a, b int32) string { return numbers("# → #", int(a), int(b)) }

// tell tells what a step did in world i: a lead without its full stop, and what
// came of it.
func (v *View) tell(before, m moment, i int) (lead, body string) {
	es := events(m.Sides[i].Events)
	if e, ok := es.find(coalesce.Panicked); ok {
		return v.tellPanic(before, m, i, e)
	}
	switch m.Thread.Role() {
	case coalesce.Uploads, coalesce.Cleaner:
		return v.tellPersist(m, i, es)
	case coalesce.BuilderTask:
		if v.model().Persist == coalesce.WholePersist && es[0].Kind != coalesce.FinishedNone {
			return v.tellPersist(m, i, es)
		}
		return v.tellTask(m, i, es)
	case coalesce.Append:
		return v.tellAppend(m, i, es)
	case coalesce.Sweeper:
		if m.Sides[i].Line == coalesce.SweepLock {
			return "S takes the registry lock", "It sweeps: it will ask every entry whether its batch is still alive. Whoever wants to open a batch waits meanwhile."
		}
	}
	return v.tellWorker(m, i, es)
}

// tellWorker tells the first event that has a tale.
func (v *View) tellWorker(m moment, i int, es events) (lead, body string) {
	own := m.Sides[i].Line == coalesce.LineOwnWrite || m.Sides[i].Line == coalesce.LineOwnAnswer
	for _, e := range es {
		switch e.Kind {
		case coalesce.Opened:
			if own {
				continue
			}
			return v.tellOpen(m, i, e)
		case coalesce.HandleDropped:
			if v.hands(es) {
				continue
			}
		case coalesce.Decremented:
			return v.tellFinish(m, i, es, e)
		}
		if lead, body, ok := v.tale(m, i, es, e, own); ok {
			return lead, body
		}
	}
	if own {
		return v.name(m.Thread) + " has nothing to write", "It makes no batch."
	}
	return filled("$ goes on: $", v.name(m.Thread), v.w.Models[i].Program(m.Thread)[m.Sides[i].Line].Label), ""
}

// joined says with whom a thread shares a batch now.
func (v *View) joined(s *coalesce.State, t coalesce.Thread, slot int) string {
	others := v.holders(s.Batches[slot].Holders &^ (1 << t))
	if others == "" {
		return ": only a sweep holds the batch too, for a moment."
	}
	return filled(": $ shares the batch with $.", v.name(t), others)
}

func (v *View) tellOpen(m moment, i int, e coalesce.Event) (lead, body string) {
	who := v.name(m.Thread)
	lower, upper := v.model().Interval(v.model().Sink(m.Thread), int(e.A))
	lead = filled("$ opens $ for $ and takes the registry lock", who, v.sinkOf(m.Thread), span(lower, upper))
	var late coalesce.Parts
	for _, p := range v.w.Models[i].Due(&m.Sides[i].State, m.Thread) {
		if part, _ := v.model().Part(p); part.Interval < int(e.A) {
			late |= 1 << p
		}
	}
	switch {
	case late != 0:
		return lead, filled("$ still has $ that no append has taken.", who, v.partsOf(late))
	case e.B == 0:
		return lead, who + " has nothing to write here, but must finish like everyone."
	}
	return lead, "Nobody else can open a batch until " + who + " gives the lock back."
}

// intervalOf is the interval in which a write task pushed.
func (v *View) intervalOf(m moment, t coalesce.Thread, e coalesce.Event) int {
	for i := range v.w.Models {
		for _, x := range m.Sides[i].Events {
			if x == e {
				return int(m.Sides[i].State.Tasks[t].Interval)
			}
		}
	}
	return 0
}

func (v *View) tellFinish(m moment, i int, es events, e coalesce.Event) (lead, body string) {
	who := v.name(m.Thread)
	sink := v.model().Sink(m.Thread)
	lead = who + " finishes " + v.sinkName(sink)
	if !v.onlyFirst(m, sink) {
		lead += " " + v.spanOf(m, i, int(e.Slot))
	}
	s := &m.Sides[i].State
	b := &s.Batches[e.Slot]
	if none, ok := es.find(coalesce.AnsweredNone); ok {
		body = filled("$: $ gets **None**", arrow(e.A, e.B), who)
		if coalesce.NoneReason(none.A) == coalesce.OnlySweep {
			return lead, body + ", and only the sweep’s temporary still holds the batch."
		}
		verb := " still holds the batch and will deliver it."
		if e.B > 1 {
			verb = " still hold the batch, and one of them will deliver it."
			if b.Temp != 0 && e.B == 2 {
				verb = " still holds the batch, and so does a sweep for a moment."
			}
		}
		return lead, filled("$. $$", body, v.holders(b.Holders), verb)
	}
	if !b.HasData() {
		return lead, filled("$: $ is the last one out. Nothing was pushed.", arrow(e.A, e.B), who)
	}
	return lead, filled("$: $ is the last one out, takes the state and gets the **batch**.", arrow(e.A, e.B), who)
}

// spanOf is the interval of the batch in a slot.
func (v *View) spanOf(m moment, i, slot int) string {
	if id := m.Sides[i].State.Batches[slot].Id; id != 0 {
		sink, n := coalesce.EntryInterval(int(id - 1))
		return v.span(sink, n)
	}
	return ""
}

func (v *View) tellTask(m moment, i int, es events) (lead, body string) {
	who := v.name(m.Thread)
	if e, ok := es.find(coalesce.Received); ok {
		b := &m.Sides[i].State.Batches[e.Slot]
		body = "The builder has " + v.partsOf(b.Got) + " now."
		if b.Destroyed() {
			body = "Nobody holds the batch any more; " + who + " does not know that and works on."
		}
		return who + " receives a part of " + v.partsOf(e.Parts), body
	}
	if e, ok := es.find(coalesce.FinishedFull); ok {
		bytes, updates := v.model().Sizes(e.Parts)
		lead = who + " finishes and uploads"
		body = filled("One PUT of $, $.", size(bytes), count(updates, "update", "updates"))
		if _, lost := es.find(coalesce.Discarded); lost {
			return lead, body + " **Nobody is left to receive it**: the batch is dropped, the object stays."
		}
		return lead, body + " The batch is ready for its owner."
	}
	if m.Sides[i].State.Batches[m.Thread.Slot()].Id == 0 {
		return who + " finishes with nothing", "It got no part, and nobody is waiting for it."
	}
	return who + " finishes with nothing", "It got no part, so it has no batch to give."
}

func (v *View) tellAppend(m moment, i int, es events) (lead, body string) {
	who := v.name(m.Thread)
	e, ok := es.find(coalesce.Sealed)
	if !ok {
		for _, first := range []coalesce.EventKind{coalesce.TookDescription, coalesce.Mismatched} {
			if f, found := es.find(first); found {
				es = events{f}
			}
		}
		return v.tellWorker(m, i, es)
	}
	sink := v.model().Sink(m.Thread)
	bounds := v.span(sink, int(e.A))
	lead = filled("$ seals $ of $", who, bounds, v.sinkName(sink))
	lost, hole := es.find(coalesce.Lost)
	switch {
	case e.Parts != 0:
		body = filled("It appends $ of $.", v.partsOf(e.Parts), v.pushers(e.Parts))
		if late := v.lateParts(e.Parts, int(e.A)); late != 0 {
			lower, _ := v.model().Interval(sink, int(e.A))
			body = filled("It appends the correction: $, now at time $.", v.partsOf(late), itoa64(lower))
			if rest := e.Parts &^ late; rest != 0 {
				body += filled(" $ of $ come with it.", v.partsOf(rest), v.pushers(rest))
			}
		}
	case hole:
		body = "It got no batch, so the interval is sealed empty."
	default:
		body = "It got no batch, and nothing was to be written: the interval is sealed empty, and that is right."
	}
	if hole {
		body += filled(" **$ of $ are missing.**", upperFirst(v.partsOf(lost.Parts)), v.pushers(lost.Parts))
		if r, ok := es.find(coalesce.Raised); ok {
			owner := v.pushers(lost.Parts)
			verb := " still has them"
			if strings.Contains(owner, " and ") {
				verb = " still have them"
			}
			if int(e.A)+1 < v.model().Intervals(sink) {
				body += mixed(" $$, and their time is # now.", ints{int(r.A)}, owner, verb)
			}
		}
	}
	if v.model().Persist == coalesce.WholePersist {
		body += " The state diff has " + size(int(e.B)) + "." + v.labelled(es)
	}
	return lead, body
}

// lateParts is those of a set whose interval is before n.
func (v *View) lateParts(ps coalesce.Parts, n int) coalesce.Parts {
	var late coalesce.Parts
	for _, p := range ps.List() {
		if part, _ := v.model().Part(p); part.Interval < n {
			late |= 1 << p
		}
	}
	return late
}

// panicSays is what a panic means, in one sentence.
var panicSays = [...]string{
	coalesce.TaskFailed:      "The builder task of its batch is gone.",
	coalesce.Conflict:        "The batch was started for other bounds than its own, and all who share a batch must agree on them.",
	coalesce.BadUpper:        "A part has a time at or beyond the upper for which the batch was started.",
	coalesce.SurplusReport:   "It reported, and no report was missing any more: somebody had reported twice before.",
	coalesce.PoisonedBarrier: "Whoever held this batch’s barrier lock before panicked, so what the barrier says cannot be trusted.",
	coalesce.PoisonedLock:    "Whoever held the registry lock before panicked, so the registry cannot be trusted.",
}

func (v *View) tellPanic(before, m moment, i int, e coalesce.Event) (lead, body string) {
	who := v.name(m.Thread)
	lead = who + " panics: " + coalesce.Panic(e.A).String()
	body = panicSays[e.A]
	es := events(m.Sides[i].Events)
	if d, ok := es.find(coalesce.Destroyed); ok {
		body += " Its handle was the last one, so the batch dies with it"
		if d.Parts != 0 {
			body += ", and with it " + v.partsOf(d.Parts)
		}
		body += "."
	}
	if v.model().Registry(&m.Sides[i].State, m.Thread).Poisoned && (before == nil || !v.model().Registry(&before.Sides[i].State, m.Thread).Poisoned) {
		body += " It held the registry lock, which is poisoned now: every later lock panics too."
	}
	return lead, body
}
