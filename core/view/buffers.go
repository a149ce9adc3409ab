package view

import (
	"slices"

	"sharedbatches/core/coalesce"
)

const nothing = "nothing"

// buffers says on a write task’s card what it still holds in its two correction buffers,
// that of rows and that of errors: pushing takes nothing out, only the read-back does. It
// is said where a view has errors or something is late; elsewhere the program says as
// much, and with the whole sink the panel of the sink does.
func (v *View) buffers(m moment, t coalesce.Thread) HTML {
	if t.Role() != coalesce.WriteTask {
		return ""
	}
	first, last := v.buffersIn(m, 0, t), v.buffersIn(m, len(v.w.Models)-1, t)
	if first != last {
		first = filled("<br><code>~</code>: $<br><code>~</code>: $", v.w.Names[0], first, v.w.Names[1], last)
	} else if first == nothing {
		return ""
	}
	return HTML(filled(`<p class="small">$, kept until read back: $</p>`, termSpan("correction", "Corrections", false), first))
}

// buffersIn says it of one world.
func (v *View) buffersIn(m moment, world int, t coalesce.Thread) (says string) {
	model, s := v.w.Models[world], &m.Sides[world].State
	sink := model.Sink(t)
	due, k, upper := model.Due(s, t), &s.Tasks[t], int(s.Sinks[sink].Upper)
	// Pushes are counted until the last one. After that the line tells.
	line := int(k.Line)
	all := int(k.Interval) > upper || line > coalesce.LinePush && line < coalesce.LineOwnWrite || line == coalesce.LineOwnAnswer
	fails, shown, head := model.Fails(sink), false, "<b>ok</b> "
	for _, errors := range []bool{false, true} {
		held, pushed, late := 0, 0, 0
		for p := range model.PartCount() {
			part, owner := model.Part(p)
			if owner != t || s.Sealed[p] != 0 || part.Interval > upper || (part.Error != "") != errors {
				continue
			}
			held++
			if at := slices.Index(due, p); all || at >= 0 && at < int(k.Pushed) {
				pushed++
			}
			if part.Interval < upper {
				late++
			}
		}
		shown = shown || late > 0 && model.Whole == coalesce.ShortSink || held > 0 && fails
		if says += head + count(held, "part", "parts"); pushed > 0 {
			says += numbers(", # pushed", pushed)
		}
		if late > 0 {
			says += numbers(", # late", late)
		}
		if head = "; <b>err</b> "; !fails {
			break
		}
	}
	if !shown {
		return nothing
	}
	return says
}
