package ask

import (
	"fmt"
	"strconv"
	"strings"

	"sharedbatches/core/coalesce"
)

// The sentences beside a table: what it is, who wrote which rows, who refers to it.
// The page shows them as they are.

// grouped is a number with its thousands apart.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func span(lower, upper Int) string { return fmt.Sprintf("[%d, %d)", lower, upper) }

// plural is a number with its noun, which takes an s.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// says is who wrote the rows of a section.
func (s *Section) says(alone bool) string {
	what := fmt.Sprintf("Rows %s to %s", grouped(s.From+1), grouped(s.To))
	if alone {
		what = "All " + plural(s.To-s.From, "row")
	}
	kind := "changes"
	if s.Errors {
		kind = "errors"
	}
	text := fmt.Sprintf("%s: part %d, written by %s, of %s at %d", what, s.Part, s.Thread, kind, s.Own)
	if s.Late {
		text += fmt.Sprintf("; late, they carry %d", s.Time)
	}
	return text + "."
}

// says is what an object is and who refers to it.
func (m *moment) says(o coalesce.Object, object *Object) []string {
	interval := span(object.Lower, object.Upper)
	text := fmt.Sprintf("The batch of %s for view %s, interval %s. One PUT, at step %d.", object.Thread, object.Sink, interval, object.Put)
	switch o.Status {
	case coalesce.Referenced:
		return []string{text, fmt.Sprintf("Referenced since step %d: the appended batch of %s refers to it.", object.Since, interval)}
	case coalesce.Leaked:
		return []string{text, fmt.Sprintf("Leaked since step %d: nobody refers to it, and nothing will delete it. How: %s.", object.Since, m.leak(o))}
	}
	return []string{text, fmt.Sprintf("In flight since step %d: a task, an answer or the append still holds its batch; no append refers to it yet.", object.Since)}
}

// leak tells the steps that led to a leaked object, read off the events of its batch.
func (m *moment) leak(o coalesce.Object) string {
	var how []string
	slot := -1
	for n := 1; n <= m.Cursor(); n++ {
		for _, e := range m.At(n).Sides[m.world].Events {
			if e.Kind == coalesce.Created && e.Thread == o.Spawner {
				if _, of := coalesce.EntryInterval(int(e.Entry)); of == o.N {
					slot, how = int(e.Slot), nil
				}
			}
			who, text := m.model.Name(e.Thread), ""
			mine := slot >= 0 && int(e.Slot) == slot
			switch {
			case mine && e.Kind == coalesce.AnsweredNone && coalesce.NoneReason(e.A) == coalesce.OnlySweep:
				text = who + " got None, because a sweep’s temporary was the only other holder"
			case mine && e.Kind == coalesce.HandleDropped:
				text = who + " dropped its handle without a finish"
			case mine && e.Kind == coalesce.Destroyed && e.Parts != 0:
				text = "the last reference went with " + who + ", and the batch died with nobody to receive it"
			case mine && e.Kind == coalesce.Discarded:
				text = who + " discarded the batch that nobody consumed"
			case mine && e.Kind == coalesce.Uploaded:
				text = who + " uploaded it"
			case e.Kind == coalesce.Panicked && (mine || e.Slot < 0 && len(how) > 0):
				text = who + " panicked"
			case e.Kind == coalesce.Aborted && m.model.Sink(e.Thread) == o.Sink:
				text = who + " was aborted"
			}
			if text != "" {
				how = append(how, fmt.Sprintf("step %d, %s", n, text))
			}
		}
	}
	if how == nil {
		return "its batch was never appended"
	}
	return strings.Join(how, "; ")
}

// fate is where a part is in the state, and its tone.
func (m *moment) fate(p int) (text, tone string) {
	_, task := m.model.Part(p)
	sink := m.model.Sink(task)
	if n := int(m.state.Sealed[p]); n > 0 {
		lower, upper := m.model.Interval(sink, n-1)
		text, tone = "sealed in "+span(Int(lower), Int(upper)), "referenced"
		if own, _ := m.model.Part(p); n-1 > own.Interval {
			text += ", late"
		}
		return text, tone
	}
	for slot := range m.state.Batches {
		b := &m.state.Batches[slot]
		if b.Id == 0 {
			continue
		}
		if b.Got.Has(p) {
			return "received by " + m.model.Name(coalesce.Builder(slot)), ""
		}
		if queued(b).Has(p) {
			return "queued for " + m.model.Name(coalesce.Builder(slot)), ""
		}
	}
	for _, o := range m.model.Pieces(m.state) {
		switch {
		case !o.Parts.Has(p) || o.Status == coalesce.Deleted:
		case o.Inline:
			return "in an inline part of a batch, " + o.Status.String(), o.Status.String()
		default:
			return "in object " + o.Key + ", " + o.Status.String(), o.Status.String()
		}
	}
	if m.model.LostParts(m.state).Has(p) {
		return "missing: its interval is sealed without it", "leaked"
	}
	return "not pushed yet", ""
}

// queued is the parts in a batch's channel.
func queued(b *coalesce.Batch) (ps coalesce.Parts) {
	for _, q := range b.Queue[:b.Queued()] {
		if q&coalesce.FinishCommand == 0 {
			ps |= 1 << (q - 1)
		}
	}
	return ps
}
