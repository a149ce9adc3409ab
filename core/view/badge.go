package view

import "sharedbatches/core/coalesce"

// The looks of a badge.
var badges = [...]string{
	'l' - 'k': `<span class="badge lost">` + signCross,
	0:         `<span class="badge kept">` + signCheck,
	'p' - 'k': `<span class="badge plain">` + signDot,
}

// badge is the outcome so far in a few words, with a sign and a border of its own.
func (v *View) badge(m moment, world int, st *story) HTML {
	words := v.outcome(m, world, st)
	if words == "" {
		return ""
	}
	var o out
	o.fill(`$<span>~</span></span>`, badges[words[0]-'k'], words[1:])
	return o.html()
}

// outcome is the look of the badge and its words.
func (v *View) outcome(m moment, world int, st *story) string {
	model, s := v.w.Models[world], &m.Sides[world].State
	own, deleted := 0, false
	for _, t := range model.Threads() {
		if model.Blocked(s, t).Kind == coalesce.HasPanicked {
			return "l" + model.Name(t) + " panicked"
		}
		for n := range coalesce.MaxIntervals {
			if t.Role() == coalesce.WriteTask && model.Sink(t) == v.sink {
				b := &s.Blobs[t][n]
				deleted = deleted || b.Status == coalesce.Deleted
				if b.Status == coalesce.InFlight {
					own++
				}
			}
		}
	}
	if !model.Running(s) && model.Classify(s) == coalesce.Deadlocked {
		return "lnobody can move" + v.whyStuck(model, s)
	}
	for sink := range model.Sinks {
		from, to, hole := model.FirstHole(s, sink)
		if !hole {
			continue
		}
		says := "l$–$ wrong"
		if to < model.Upper(s, sink) {
			says = "llate: $–$ stay wrong"
		}
		return filled(says, itoa64(from), itoa64(to-1))
	}
	if model.Orphaned(s) {
		if s.Torn != 0 {
			return "laborted: the batch leaks"
		}
		return "lorphaned"
	}
	if s.Torn != 0 {
		return "ptorn down"
	}
	if m.Sides[world].Since[coalesce.Delivered] != 0 {
		return "l" + v.lostBy(st) + " gets None"
	}
	if v.preserved(model, s) {
		return "kpreserved"
	}
	if deleted {
		return "panother replica won: batch deleted"
	}
	if model.Mode == coalesce.PerWorker && own > 0 {
		return "p" + count(own, "batch, one for each worker", "batches, one for each worker")
	}
	for i := len(st.lives) - 1; i >= 0; i-- {
		switch l := st.lives[i]; {
		case l.sink != v.sink || l.died > 0 || !l.hasData():
		case l.delivered > 0:
			return "k" + model.Name(l.owner) + " has the batch"
		case l.taken > 0:
			return "k" + model.Name(l.owner) + " gets the batch"
		}
	}
	if st.step == 0 {
		return ""
	}
	e, says := st.outcome, "p$w: None, no data"
	switch {
	case e.Kind == coalesce.AnsweredSome:
		says = "k$w has the batch"
	case coalesce.NoneReason(e.A) == coalesce.OthersDeliver:
		says = "p$w: None, not last"
	case coalesce.NoneReason(e.A) == coalesce.NotDeliverer:
		says = "p$w: None, another delivers"
	}
	return v.phrase(says, m, e.Thread, e)
}

// whyStuck names what a deadlock waits for that will never come.
func (v *View) whyStuck(model *coalesce.Model, s *coalesce.State) string {
	for _, kind := range []coalesce.BlockKind{coalesce.Unreported, coalesce.NotWoken} {
		for _, t := range model.Threads() {
			switch b := model.Blocked(s, t); {
			case b.Kind != kind:
			case kind == coalesce.Unreported:
				return ": " + model.Reason(t, b)
			default:
				return filled(": nobody wakes $", model.Name(t))
			}
		}
	}
	return ""
}

// lostBy names who got the None that lost a batch: whoever left it last.
func (v *View) lostBy(st *story) string {
	for i := len(st.lives) - 1; i >= 0; i-- {
		l := st.lives[i]
		if l.taken > 0 || l.delivered > 0 || l.handles() > 0 {
			continue
		}
		last := -1
		for j, h := range l.holds {
			if h.kind == byHandle && (last < 0 || h.left > l.holds[last].left) {
				last = j
			}
		}
		if last >= 0 {
			return v.name(l.holds[last].t)
		}
	}
	return v.name(st.outcome.Thread)
}

// preserved tells whether the reader's sink has sealed data and lost none.
func (v *View) preserved(model *coalesce.Model, s *coalesce.State) bool {
	for p := range model.PartCount() {
		if _, t := model.Part(p); model.Sink(t) == v.sink && s.Sealed[p] != 0 {
			return model.LostParts(s) == 0
		}
	}
	return false
}
