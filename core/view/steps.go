package view

import (
	"strings"

	"sharedbatches/core/worlds"
)

// maxTold limits the sentences that are kept, so that a frame does not tell every
// step again. A moment never changes, and so its sentence does not either.
const maxTold = 2000

// tale is the sentence of a step as markup without terms.
func (v *View) tale(before, m moment) string {
	if s, ok := v.told[m]; ok {
		return s
	}
	if len(v.told) >= maxTold {
		clear(v.told)
	}
	s := mark(v.narrate(before, m), noTerms)
	v.told[m] = s
	return s
}

// maxRows limits the run as text to the steps around the cursor.
const maxRows = 120

// steps is the run as a table: the same facts as the timeline, for reading.
func (v *View) steps(r *worlds.Run) HTML {
	from := max(1, r.Cursor()-maxRows/2)
	to := min(r.Len(), from+maxRows-1)
	var o out
	o.Grow(400 * (to - from + 4))
	o.put(`<table class="steps"><caption class="only-read">Every step of this run</caption><thead><tr><th scope="col">step</th><th scope="col">thread</th><th scope="col">what happened</th>`)
	cells := make([][]cell, len(v.w.Models))
	for i, name := range v.w.Names {
		cells[i] = v.track(r, i, from, to)
		o.put(`<th scope="col">count of `, v.model().SinkName(v.sink), `’s batch`)
		if len(v.w.Names) > 1 {
			o.put(`, <code>`, name, `</code>`)
		}
		o.put(`</th>`)
	}
	o.put(`</tr></thead><tbody>`)
	if from > 1 {
		o.put(`<tr><td colspan="5">Steps 1 to `, itoa(from-1), ` are left out here.</td></tr>`)
	}
	for k := from; k <= to; k++ {
		m := r.At(k)
		o.put(`<tr data-step="`, itoa(k), `"`)
		class := ""
		if k == m.Differ {
			class = "fork"
		}
		if k > r.Cursor() {
			class = strings.TrimSpace(class + " ahead")
		}
		if class != "" {
			o.put(` class="`, class, `"`)
		}
		if k == r.Cursor() {
			o.put(` aria-current="step"`)
		}
		o.put(`><th scope="row">`, itoa(k), `</th><td>`, esc(v.model().Name(m.Thread)), `</td><td>`, v.tale(r.At(k-1), m), `</td>`)
		for i := range cells {
			o.put(`<td>`, v.cellText(cells[i][k-from]), `</td>`)
		}
		o.put(`</tr>`)
	}
	if to < r.Len() {
		o.put(`<tr><td colspan="5">Steps `, itoa(to+1), ` to `, itoa(r.Len()), ` are left out here.</td></tr>`)
	}
	o.put(`</tbody></table>`)
	return o.html()
}

func (v *View) cellText(c cell) string {
	if c.skip {
		return "skip"
	}
	if !c.born {
		return "–"
	}
	var names []string
	for _, h := range c.tokens {
		name := v.model().Name(h.t)
		if h.kind == byTemporary {
			name += "’s sweep"
		}
		names = append(names, name)
	}
	text := itoa(c.count)
	if len(names) > 0 {
		text += ": " + list(names)
	}
	if c.word != "" {
		text += ", " + c.word
	}
	return esc(text)
}
