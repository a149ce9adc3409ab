package view

import "sharedbatches/core/coalesce"

// The barrier of a batch: who has reported and who has not, who delivers, who waits.

// report is one line of the barrier. The first has no thread and is about all.
type report struct {
	t         coalesce.Thread
	who, says string
	in        bool // has reported
	delivers  bool
	reply     bool
}

// reports lists the barrier of a batch, or nothing without one.
func (v *View) reports(m moment, world int, l *life) []report {
	model, s := v.w.Models[world], &m.Sides[world].State
	b := l.state
	if model.Mode != coalesce.Barrier || b == nil {
		return nil
	}
	list := []report{{who: "Barrier", says: count(int(b.Pending), "report is", "reports are") + " missing", in: b.Finalized}}
	if b.Finalized {
		list[0].says = "finalized, everybody has reported"
	}
	missing := int(b.Pending)
	for _, t := range model.Threads() {
		if t.Role() != coalesce.WriteTask || model.Sink(t) != l.sink || model.Process(model.Worker(t)) != model.Process(model.Worker(coalesce.Builder(l.slot))) {
			continue
		}
		task := &s.Tasks[t]
		bit := func(set uint8) bool { return set>>t&1 != 0 && int(task.Handle) == l.slot+1 }
		r := report{t: t, who: model.Name(t), says: "not yet"}
		skipped := s.Timely[t].Skipped>>l.n&1 != 0
		r.delivers = b.Deliverer == uint8(t)+1
		r.in = skipped || b.Reported>>t&1 != 0
		r.reply = b.ReplyTo == uint8(t)+1 && l.delivered == 0
		switch {
		case model.Tasks[t].BestEffort:
			r.says, r.in = "never reports", false
		case skipped && r.delivers:
			r.says = "reported twice"
		case skipped:
			r.says = "skips"
		case r.in:
			r.says = "reported"
		default:
			missing--
		}
		switch {
		case r.reply:
			r.says += ", its reply is ready"
		case l.delivered > 0 && l.owner == t:
			r.says = "has delivered"
		case r.delivers && b.Finalized:
			r.says += ", delivers"
		case r.delivers:
			r.says += ", last writer so far"
		}
		switch {
		case bit(b.Notified):
			r.says += ", woken"
		case bit(b.Registered) && model.Line(s, t) == coalesce.LineWait:
			r.says += ", waits"
		case bit(b.Registered):
			r.says += ", registered"
		}
		list = append(list, r)
	}
	if n := missing; n > 0 && model.Sinks[l.sink].Participants > 0 {
		list = append(list, report{t: list[len(list)-1].t, who: "?", says: count(n, "participant that does", "participants that do") + " not exist"})
	}
	return list
}

func (v *View) gate(o *out, m moment, world int, l *life) {
	list := v.reports(m, world, l)
	if len(list) == 0 {
		return
	}
	o.fill(`<ul class="gate"><li><b>$</b> $`, termSpan("barrier", "Barrier", world == 0), list[0].says)
	for _, r := range list[1:] {
		class, chip, sign := "out", "", ""
		st := hollow
		if r.in {
			class, sign, st = "in", signCheck, solid
		}
		if r.who != "?" {
			chip = v.chip(r.t, 17, st)
		}
		if r.delivers {
			sign = signCrown
		}
		o.fill(`</li><li class="$">$<span class="only-read">~ </span>$$`, class, chip, r.who, sign, r.says)
	}
	o.put(`</li></ul>`)
}
