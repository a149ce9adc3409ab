package view

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// why explains what a step means where its sentence alone does not say it: a None, a
// batch that dies, an append that seals a hole, a correction.
func (v *View) why(r *worlds.Run) HTML {
	m := r.Now()
	var says []string
	for i := range v.w.Models {
		says = append(says, v.whyIn(m, i))
	}
	var o out
	switch {
	case len(says) == 2 && says[0] == says[1]:
		says = says[:1]
		fallthrough
	case len(says) == 1:
		if says[0] != "" {
			o.fill(`<p>$</p>`, mark(says[0], allNoStop))
		}
	default:
		for i, s := range says {
			if s != "" {
				o.fill(`<p>$</p>`, mark(filled("`$`: $", v.w.Names[i], s), allNoStop))
			}
		}
	}
	return o.html()
}

func (v *View) whyIn(m moment, i int) string {
	es := events(m.Sides[i].Events)
	who := ""
	if m.Step > 0 {
		who = v.name(m.Thread)
	}
	var says string
	if e, ok := es.find(coalesce.AnsweredNone); ok {
		says = v.whyNone(m, i, who, e)
	} else if e, ok := es.find(coalesce.Destroyed); ok && !v.hands(es) {
		if e.Parts == 0 {
			says = "The batch had no data, so nothing is lost by its end."
		} else {
			task := v.name(coalesce.Builder(int(e.Slot)))
			says = "The channel closes, and with the state goes the only way to get the result. " + task + " is not stopped: it will finish and upload, for nobody. No error is raised."
		}
	} else if _, ok := es.find(coalesce.Discarded); ok {
		says = "One warning in a log is all that is left of it. Nothing refers to the object, and nothing deletes it: it is leaked."
	} else if e, ok := es.find(coalesce.Sealed); ok {
		says = v.whySealed(m, i, es, e)
	} else if e, ok := es.find(coalesce.Pushed); ok && v.lateParts(e.Parts, int(m.Sides[i].State.Tasks[m.Thread].Interval)) != 0 {
		says = "What has not come back from the shard is still owed. The interval of its own time is sealed for ever, so it can only come late."
	}
	if over := v.whyOver(m, i); over != "" {
		if says != "" {
			says += " "
		}
		says += over
	}
	return says
}

// hands tells whether a batch was handed over in a step; its state dies with that.
func (v *View) hands(es events) bool {
	_, ok := es.find(coalesce.AnsweredSome)
	return ok
}

func (v *View) whyNone(m moment, i int, who string, e coalesce.Event) string {
	b := &m.Sides[i].State.Batches[e.Slot]
	switch coalesce.NoneReason(e.A) {
	case coalesce.OnlySweep:
		sweep := "the sweep"
		if b.Temp != 0 {
			sweep = v.name(coalesce.Thread(b.Temp-1)) + "’s sweep"
		}
		return "`None` means: somebody else still holds the batch and will deliver it. Here the only other holder is the temporary of " + sweep + ", and a sweep delivers to nobody. No error is raised anywhere."
	case coalesce.OthersDeliver:
		verb := " still holds"
		if b.Holders&(b.Holders-1) != 0 {
			verb = " still hold"
		}
		return filled("This `None` is right: $$ the batch with everything that was pushed, and the last one out receives it.", v.holders(b.Holders), verb)
	}
	if coalesce.NoneReason(e.A) == coalesce.NotDeliverer {
		return "This `None` is right: the barrier has chosen the last writer to report, and that one delivers."
	}
	return "This `None` is right: nothing was pushed. To the append it looks exactly like the `None` of a lost batch."
}

func (v *View) whySealed(m moment, i int, es events, e coalesce.Event) string {
	sink := v.model().Sink(m.Thread)
	model, s := v.w.Models[i], &m.Sides[i].State
	from, to, hole := model.FirstHole(s, sink)
	_, lost := es.find(coalesce.Lost)
	late := v.lateParts(e.Parts, int(e.A))
	if !hole {
		if e.Parts != 0 && sink == v.sink && v.s.Reader.Key != "" {
			if at, read, ok := v.readIn(model, s, sink, int(e.A)); ok {
				return filled("The view is right: $ answers $, as the truth says.", at, read)
			}
		}
		return ""
	}
	var says string
	if sink == v.sink && v.s.Reader.Key != "" {
		at := from
		for _, t := range v.s.Reader.AsOf { // the times that the page shows come first
			if t >= from && t < to && model.ReadAsOf(s, sink, v.s.Reader.Key, t).Wrong() {
				at = t
				break
			}
		}
		if rd := model.ReadAsOf(s, sink, v.s.Reader.Key, at); rd.Wrong() {
			says = filled("AS OF $ answers $ without an error; the truth is $. ", itoa64(at), said(rd.View, rd.ViewError), said(rd.Truth, rd.TruthError))
			if rd.ViewError != "" {
				says = filled("AS OF $ fails; the truth is $. ", itoa64(at), value(rd.Truth))
			}
			if late != 0 {
				lower, _ := model.Interval(sink, int(e.A))
				if now := model.ReadAsOf(s, sink, v.s.Reader.Key, lower); !now.Wrong() && now.Status == coalesce.Answers {
					says = filled("AS OF $ answers $: right again. AS OF $ still answers $, and always will. ", itoa64(lower), said(now.View, now.ViewError), itoa64(at), said(rd.View, rd.ViewError))
				}
			}
			says += "No later append can repair " + span(from, to) + ": the upper never moves back"
			if lost && late == 0 {
				return filled("$. A consumer that read $ keeps it.", says, said(rd.View, rd.ViewError))
			}
			return says + "."
		}
	}
	if lost || late != 0 {
		return "No later append can repair " + span(from, to) + ": the upper never moves back."
	}
	return ""
}

// readIn finds the reader's first time in an interval and its right answer.
func (v *View) readIn(model *coalesce.Model, s *coalesce.State, sink, n int) (at, answer string, ok bool) {
	lower, upper := model.Interval(sink, n)
	for _, t := range v.s.Reader.AsOf {
		if t < lower || t >= upper {
			continue
		}
		if rd := model.ReadAsOf(s, sink, v.s.Reader.Key, t); rd.Status == coalesce.Answers && !rd.Wrong() {
			return "AS OF " + itoa64(t), said(rd.View, rd.ViewError), true
		}
	}
	return "", "", false
}

// whyOver says how a run ended in a world in which no thread can move any more.
func (v *View) whyOver(m moment, i int) string {
	model, s := v.w.Models[i], &m.Sides[i].State
	if model.Running(s) {
		return ""
	}
	switch model.Classify(s) {
	case coalesce.Crashed:
		return "**The run is over**: a thread panicked."
	case coalesce.Deadlocked:
		var waits []string
		for _, t := range model.Threads() {
			if b := model.Blocked(s, t); b.Kind != coalesce.Free && !b.Over() && b.Kind != coalesce.NotSpawned {
				waits = append(waits, filled("$ ($)", model.Name(t), model.Reason(t, b)))
			}
		}
		return "**Deadlock**: nobody can move, and not everybody has finished: " + list(waits) + "."
	case coalesce.Losing:
		return "**The run is over**: " + v.partsOf(model.LostParts(s)) + " missed their interval."
	}
	for _, o := range model.List(s) {
		if o.Status == coalesce.Leaked {
			return "**The run is over**: no sealed interval lacks anything, but something is stored that nobody refers to."
		}
	}
	return "**The run is over**: nothing was lost."
}
