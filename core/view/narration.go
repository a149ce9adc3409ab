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
		return "**" + ts[0].lead + ".** " + upperFirst(ts[0].body)
	}
	a, b := ts[0], ts[1]
	in := func(i int, body string) string { return "With `" + v.w.Names[i] + "`, " + body }
	switch {
	case a == b:
		return "**" + a.lead + ".** " + upperFirst(a.body)
	case a.lead == b.lead:
		return "**" + a.lead + ".** " + in(0, lowerFirst(a.body)) + " " + in(1, lowerFirst(b.body))
	case a.lead == "":
		return "**" + b.lead + ".** " + in(1, lowerFirst(b.body)) + " With `" + v.w.Names[0] + "` " + a.body
	case b.lead == "":
		return "**" + a.lead + ".** " + in(0, lowerFirst(a.body)) + " With `" + v.w.Names[1] + "` " + b.body
	}
	return in(0, "**"+a.lead+".** "+upperFirst(a.body)) + " " + in(1, "**"+b.lead+".** "+upperFirst(b.body))
}

// skips says why the thread did not move in world i.
func (v *View) skips(m moment, i int) string {
	who, b := v.model().Name(m.Thread), m.Sides[i].Skip
	switch b.Kind {
	case coalesce.HasFinished:
		return who + " does not move: it has finished already."
	case coalesce.NotSpawned:
		return who + " does not move: it has not been started."
	}
	return who + " does not move: " + v.w.Models[i].Reason(m.Thread, b) + "."
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

func arrow(a, b int32) string { return itoa(int(a)) + " → " + itoa(int(b)) }

// tell tells what a step did in world i: a lead without its full stop, and what
// came of it.
func (v *View) tell(before, m moment, i int) (lead, body string) {
	es := events(m.Sides[i].Events)
	if e, ok := es.find(coalesce.Panicked); ok {
		return v.tellPanic(before, m, i, e)
	}
	switch m.Thread.Role() {
	case coalesce.BuilderTask:
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

func (v *View) tellWorker(m moment, i int, es events) (lead, body string) {
	who := v.model().Name(m.Thread)
	s := &m.Sides[i].State
	for _, e := range es {
		if lead, body, ok := v.tellBarrier(m, es, e); ok {
			return lead, body
		}
		switch e.Kind {
		case coalesce.Opened:
			if m.Sides[i].Line == coalesce.LineOwnWrite {
				continue
			}
			return v.tellOpen(m, i, e)
		case coalesce.SweepTested:
			lead = who + " asks whether the registry needs a sweep"
			body = upperFirst(count(int(e.A), "entry", "entries")) + " now, " + itoa(int(e.B)) + " kept by the last sweep: " + itoa(int(e.A)) + " > 2 × " + itoa(int(e.B))
			if e.A > 2*e.B {
				return lead, body + ", so " + who + " sweeps first."
			}
			return lead, body + " is false, so there is no sweep."
		case coalesce.ProbeTook:
			return who + "’s sweep probes " + v.entryName(m, int(e.Entry)),
				"the probe takes hold of the batch, " + arrow(e.A, e.B) + ": the sweep has a temporary of its own now."
		case coalesce.ProbeLoaded:
			body = "the probe reads the count, " + itoa(int(e.A)) + ", and holds nothing."
			if e.A == 0 {
				body = "the probe reads the count, 0: this batch is gone."
			}
			return who + "’s sweep probes " + v.entryName(m, int(e.Entry)), body
		case coalesce.ProbeMissed:
			return who + "’s sweep probes " + v.entryName(m, int(e.Entry)),
				"the batch is gone, so there is nothing to take hold of."
		case coalesce.ProbeDropped:
			return v.tellDrop(m, es, e)
		case coalesce.ProbeKept:
			return who + "’s sweep ends its probe of " + v.entryName(m, int(e.Entry)),
				"the sweep had read " + itoa(int(e.A)) + ", and " + itoa(int(e.A)) + " > 0: " + v.entryName(m, int(e.Entry)) + " stays in the map, and no batch was touched."
		case coalesce.ProbeDead:
			return who + "’s sweep ends its probe of " + v.entryName(m, int(e.Entry)), v.entryName(m, int(e.Entry)) + " is dead: its entry will be removed."
		case coalesce.Retained:
			lead, body = who+"’s sweep removes the dead entries", v.tellRetain(e)
			if _, done := es.find(coalesce.Unlocked); done {
				body += " " + who + " gives the lock back and is done."
			}
			return lead, body
		case coalesce.Created:
			body = "There is no living batch " + v.entryName(m, int(e.Entry)) + ", so " + who + " creates one and has its only handle, " + arrow(e.A, e.B) + ". It starts builder task " + v.model().Name(coalesce.Builder(int(e.Slot))) + " and unlocks the registry."
			return who + " starts batch " + v.entryName(m, int(e.Entry)), body
		case coalesce.Joined:
			return who + " joins batch " + v.entryName(m, int(e.Entry)), arrow(e.A, e.B) + v.joined(s, m.Thread, int(e.Slot)) + " It unlocks the registry."
		case coalesce.Pushed:
			return v.tellPush(m, e)
		case coalesce.Decremented:
			return v.tellFinish(m, i, es, e)
		case coalesce.Closed:
			return who + " closes the channel", "No more parts can come. What is queued stays readable, and " + v.model().Name(coalesce.Builder(int(e.Slot))) + " finishes after it."
		case coalesce.AnsweredSome:
			if m.Sides[i].Line == coalesce.LineOwnAnswer {
				return who + " answers with its batch", "**Some(batch)**: " + v.partsOf(e.Parts) + " go to the append."
			}
			return who + " receives the batch", v.model().Name(coalesce.Builder(int(e.Slot))) + " hands over " + v.partsOf(e.Parts) + ", and " + who + " answers the append with **Some(batch)**."
		case coalesce.AnsweredNone:
			if m.Sides[i].Line == coalesce.LineOwnAnswer {
				return who + " answers None", "It had nothing to write: the normal **None**."
			}
			return who + " answers None", "Nothing was pushed, so " + v.model().Name(coalesce.Builder(int(e.Slot))) + " has no batch: the normal **None**."
		}
	}
	if line := m.Sides[i].Line; line == coalesce.LineOwnWrite {
		return who + " has nothing to write", "It makes no batch."
	}
	return who + " goes on: " + v.w.Models[i].Program(m.Thread)[m.Sides[i].Line].Label, ""
}

// joined says with whom a thread shares a batch now.
func (v *View) joined(s *coalesce.State, t coalesce.Thread, slot int) string {
	others := v.holders(s.Batches[slot].Holders &^ (1 << t))
	if others == "" {
		return ": only a sweep holds the batch too, for a moment."
	}
	return ": " + v.model().Name(t) + " shares the batch with " + others + "."
}

func (v *View) tellOpen(m moment, i int, e coalesce.Event) (lead, body string) {
	who := v.model().Name(m.Thread)
	lower, upper := v.model().Interval(v.model().Sink(m.Thread), int(e.A))
	lead = who + " opens " + v.model().SinkName(v.model().Sink(m.Thread)) + " for " + span(lower, upper) + " and takes the registry lock"
	var late coalesce.Parts
	for _, p := range v.w.Models[i].Due(&m.Sides[i].State, m.Thread) {
		if part, _ := v.model().Part(p); part.Interval < int(e.A) {
			late |= 1 << p
		}
	}
	switch {
	case late != 0:
		return lead, who + " still has " + v.partsOf(late) + " that no append has taken."
	case e.B == 0:
		return lead, who + " has nothing to write here, but must finish like everyone."
	}
	return lead, "Nobody else can open a batch until " + who + " gives the lock back."
}

func (v *View) tellDrop(m moment, es events, e coalesce.Event) (lead, body string) {
	who := v.model().Name(m.Thread)
	lead = who + "’s sweep ends its probe of " + v.entryName(m, int(e.Entry))
	body = "the sweep lets go, " + arrow(e.A, e.B)
	d, dead := es.find(coalesce.Destroyed)
	switch {
	case !dead:
		return lead, body + ": " + v.entryName(m, int(e.Entry)) + " stays in the map."
	case d.Parts != 0:
		return lead, body + ": it held the last reference. The batch dies with " + v.partsOf(d.Parts) + " in it: **orphaned**."
	}
	return lead, body + ": it held the last reference. The batch dies; it had no data yet."
}

func (v *View) tellRetain(e coalesce.Event) string {
	kept, removed := count(int(e.A), "entry stays", "entries stay"), count(int(e.B), "is removed", "are removed")
	if e.B == 0 {
		removed = "none is removed"
	}
	if e.A == 0 {
		kept = "No entry stays"
	}
	return kept + ", " + removed + "; last_retained_len is " + itoa(int(e.A)) + "."
}

func (v *View) tellPush(m moment, e coalesce.Event) (lead, body string) {
	who, task := v.model().Name(m.Thread), v.model().Name(coalesce.Builder(int(e.Slot)))
	bytes, _ := v.model().Sizes(e.Parts)
	lead = who + " pushes " + v.partsOf(e.Parts)
	body = "The part, " + size(bytes) + ", waits for " + task + " in the channel, slot " + itoa(int(e.B)) + " of " + itoa(coalesce.ChannelSlots) + "."
	part, _ := v.model().Part(e.Parts.List()[0])
	if sink := v.model().Sink(m.Thread); v.intervalOf(m, m.Thread, e) > part.Interval {
		lower, _ := v.model().Interval(sink, v.intervalOf(m, m.Thread, e))
		body = "They are the correction: their time was " + itoa64(part.At) + ", which is sealed, so they carry time " + itoa64(lower) + " now."
	}
	return lead, body
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
	who := v.model().Name(m.Thread)
	sink := v.model().Sink(m.Thread)
	lead = who + " finishes " + v.model().SinkName(sink)
	if !v.onlyFirst(m, sink) {
		lead += " " + v.spanOf(m, i, int(e.Slot))
	}
	s := &m.Sides[i].State
	b := &s.Batches[e.Slot]
	if none, ok := es.find(coalesce.AnsweredNone); ok {
		body = arrow(e.A, e.B) + ": " + who + " gets **None**"
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
		return lead, body + ". " + v.holders(b.Holders) + verb
	}
	if !b.HasData() {
		return lead, arrow(e.A, e.B) + ": " + who + " is the last one out. Nothing was pushed."
	}
	return lead, arrow(e.A, e.B) + ": " + who + " is the last one out, takes the state and gets the **batch**."
}

// spanOf is the interval of the batch in a slot.
func (v *View) spanOf(m moment, i, slot int) string {
	if id := m.Sides[i].State.Batches[slot].Id; id != 0 {
		sink, n := coalesce.EntryInterval(int(id - 1))
		return span(v.model().Interval(sink, n))
	}
	return ""
}

func (v *View) tellTask(m moment, i int, es events) (lead, body string) {
	who := v.model().Name(m.Thread)
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
		body = "One PUT of " + size(bytes) + ", " + count(updates, "update", "updates") + "."
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
	who := v.model().Name(m.Thread)
	e, ok := es.find(coalesce.Sealed)
	if !ok {
		for _, e := range es {
			for _, first := range []coalesce.EventKind{coalesce.TookDescription, coalesce.Mismatched, e.Kind} {
				if f, found := es.find(first); found {
					if lead, body, ok := v.tellBarrier(m, es, f); ok {
						return lead, body
					}
				}
			}
		}
		return who + " goes on: " + v.w.Models[i].Program(m.Thread)[m.Sides[i].Line].Label, ""
	}
	sink := v.model().Sink(m.Thread)
	bounds := span(v.model().Interval(sink, int(e.A)))
	lead = who + " seals " + bounds + " of " + v.model().SinkName(sink)
	lost, hole := es.find(coalesce.Lost)
	switch {
	case e.Parts != 0:
		body = "It appends " + v.partsOf(e.Parts) + " of " + v.pushers(e.Parts) + "."
		if late := v.lateParts(e.Parts, int(e.A)); late != 0 {
			lower, _ := v.model().Interval(sink, int(e.A))
			body = "It appends the correction: " + v.partsOf(late) + ", now at time " + itoa64(lower) + "."
			if rest := e.Parts &^ late; rest != 0 {
				body += " With it " + v.partsOf(rest) + " of " + v.pushers(rest) + "."
			}
		}
	case hole:
		body = "It got no batch, so the interval is sealed empty."
	default:
		body = "It got no batch, and nothing was to be written: the interval is sealed empty, and that is right."
	}
	if hole {
		body += " **" + upperFirst(v.partsOf(lost.Parts)) + " of " + v.pushers(lost.Parts) + " are missing.**"
		if r, ok := es.find(coalesce.Raised); ok {
			owner := v.pushers(lost.Parts)
			verb := " still has them"
			if strings.Contains(owner, " and ") {
				verb = " still have them"
			}
			if int(e.A)+1 < v.model().Intervals(sink) {
				body += " " + owner + verb + ", and their time is " + itoa(int(r.A)) + " now."
			}
		}
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
	coalesce.TaskFailed:   "The builder task of its batch is gone.",
	coalesce.Conflict:     "The batch was started for other bounds than its own, and all who share a batch must agree on them.",
	coalesce.BadUpper:     "A part has a time at or beyond the upper for which the batch was started.",
	coalesce.PoisonedLock: "Whoever held the registry lock before panicked, so the registry cannot be trusted.",
}

func (v *View) tellPanic(before, m moment, i int, e coalesce.Event) (lead, body string) {
	who := v.model().Name(m.Thread)
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
