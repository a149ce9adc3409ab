package view

import (
	"strings"

	"sharedbatches/core/worlds"
)

// maxTold limits the sentences that are kept, so that a frame does not tell every
// step again. A moment never changes, and so its sentence does not either.
const maxTold = 2000

// sentence is the sentence of a step as markup without terms.
func (v *View) sentence(before, m moment) string {
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

// Steps is the run as a table: the same facts as the timeline, for reading.
func (v *View) Steps(r *worlds.Run) HTML {
	from := max(1, r.Cursor()-maxRows/2)
	to := min(r.Len(), from+maxRows-1)
	var o out
	o.Grow(400 * (to - from + 4))
	o.put(`<table class="steps"><caption class="only-read">Every step of this run</caption><thead><tr><th scope="col">step</th><th scope="col">thread</th><th scope="col">what happened</th>`)
	cells := make([][]cell, len(v.w.Models))
	for i, name := range v.w.Names {
		cells[i] = v.track(r, i, from, to)
		o.fill(`<th scope="col">count of $’s batch`, v.sinkName(v.sink))
		if len(v.w.Names) > 1 {
			o.fill(`, <code>~</code>`, name)
		}
		o.put(`</th>`)
	}
	o.put(`</tr></thead><tbody>`)
	if from > 1 {
		o.draw(`<tr><td colspan="5">Steps 1 to # are left out here.</td></tr>`, from-1)
	}
	for k := from; k <= to; k++ {
		m := r.At(k)
		o.draw(`<tr data-step="#"`, k)
		class := ""
		if k == m.Differ {
			class = "fork"
		}
		if k > r.Cursor() {
			class = strings.TrimSpace(class + " ahead")
		}
		if class != "" {
			o.fill(` class="$"`, class)
		}
		if k == r.Cursor() {
			o.put(` aria-current="step"`)
		}
		o.mix(`><th scope="row">#</th><td>~</td><td>$</td>`, ints{k}, v.name(m.Thread), v.sentence(r.At(k-1), m))
		for i := range cells {
			o.fill(`<td>$</td>`, v.cellText(cells[i][k-from]))
		}
		o.put(`</tr>`)
	}
	if to < r.Len() {
		o.draw(`<tr><td colspan="5">Steps # to # are left out here.</td></tr>`, to+1, r.Len())
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
		name := v.name(h.t)
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
