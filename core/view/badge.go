package view

import "sharedbatches/core/coalesce"

// badge is the outcome so far in a few words, with a sign and a border of its own.
func (v *View) badge(m moment, world int, st *story) HTML {
	class, sign, words := v.outcome(m, world, st)
	if words == "" {
		return ""
	}
	var o out
	o.put(`<span class="badge `, class, `">`, sign, `<span>`, esc(words), `</span></span>`)
	return o.html()
}

func (v *View) outcome(m moment, world int, st *story) (class, sign, words string) {
	model, s := v.w.Models[world], &m.Sides[world].State
	lost := func(words string) (string, string, string) { return "lost", signCross, words }
	kept := func(words string) (string, string, string) { return "kept", signCheck, words }
	for _, t := range model.Threads() {
		if b := model.Blocked(s, t); b.Kind == coalesce.HasPanicked {
			return lost(model.Name(t) + " panicked")
		}
	}
	if !model.Running(s) && model.Classify(s) == coalesce.Deadlocked {
		return lost("deadlock")
	}
	for sink := range model.Sinks {
		from, to, hole := model.FirstHole(s, sink)
		if !hole {
			continue
		}
		if to < model.Upper(s, sink) {
			return lost("repaired late")
		}
		return lost("hole from " + itoa64(from))
	}
	if model.Orphaned(s) {
		return lost("orphaned")
	}
	if m.Sides[world].Since[coalesce.Delivered] != 0 {
		return lost(v.lostBy(st) + " gets None")
	}
	if v.preserved(model, s) {
		return kept("preserved")
	}
	for i := len(st.lives) - 1; i >= 0; i-- {
		switch l := st.lives[i]; {
		case l.sink != v.sink || l.died > 0 || !l.hasData():
		case l.delivered > 0:
			return kept(model.Name(l.owner) + " has the batch")
		case l.taken > 0:
			return kept(model.Name(l.owner) + " gets the batch")
		}
	}
	if st.step == 0 {
		return "", "", ""
	}
	who := model.Name(st.outcome.Thread)
	switch {
	case st.outcome.Kind == coalesce.AnsweredSome:
		return kept(who + " has the batch")
	case coalesce.NoneReason(st.outcome.A) == coalesce.OthersDeliver:
		return "plain", signDot, who + ": None, not last"
	}
	return "plain", signDot, who + ": None, no data"
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
			return v.model().Name(l.holds[last].t)
		}
	}
	return v.model().Name(st.outcome.Thread)
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
