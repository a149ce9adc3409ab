package view

import "sharedbatches/core/coalesce"

// costs are the running costs of the worlds, and what the meter was when it was last
// made for such. Most steps change no figure that it shows but the number of steps.
type costs struct {
	of     [2]coalesce.Cost
	markup HTML
}

// meter lists what the run has cost so far, with a column for each world. Where the
// second world differs, a sign says so, and to who hears it whether it has less or more.
func (v *View) meter(m moment) HTML {
	now := [2]coalesce.Cost{m.Sides[0].Cost, m.Sides[1].Cost}
	for i := range now {
		now[i].Steps = 0
	}
	if v.costs.markup != "" && v.costs.of == now {
		return v.costs.markup
	}
	var o out
	o.Grow(4000)
	two := len(v.w.Models) == 2
	one := " one"
	if two {
		one = ""
	}
	o.fill(`<div class="rules-head$"><h2>Meter</h2>`, one)
	for i := range v.w.Models {
		o.put(`<span>`, v.signs[i], `</span>`)
	}
	o.put(`</div><ul>`)
	last := v.w.Models[len(v.w.Models)-1]
	for f := range coalesce.FigureCount {
		if !f.Shown(v.model()) && !f.Shown(last) {
			continue
		}
		o.mix(`<li><details class="rule$" data-rule="meter-#"><summary><span>$</span>`, ints{int(f)}, one, v.mark(f.Name(), allNoStop))
		for i := range v.w.Models {
			sign, says := "", ""
			if i == 1 {
				switch d := f.Compare(&now[1], &now[0]); {
				case d < 0:
					sign, says = "≠", ", less"
				case d > 0:
					sign, says = "≠", ", more"
				}
			}
			o.fill(`<span><i aria-hidden="true">$</i><span class="only-read"> ~: </span>$<span class="only-read">$</span></span>`, sign, v.w.Names[i], f.Text(&now[i]), says)
		}
		o.fill(`</summary><p class="means">$</p></details></li>`, v.mark(f.Means(), noTerms))
	}
	o.put(`</ul>`)
	v.costs = costs{now, o.html()}
	return v.costs.markup
}
