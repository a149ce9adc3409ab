package view

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
)

// means is an invariant in a sentence, for a row that is opened while it holds.
var means = [coalesce.InvariantCount]string{
	coalesce.Delivered:        "Somebody can always still deliver what was pushed: a handle, an owner or an answer is left.",
	coalesce.Once:             "Two workers with the same batch would write it twice.",
	coalesce.NoLeak:           "Every stored object is needed by a sealed interval, or somebody still holds its batch.",
	coalesce.Balance:          "Every upload is accounted for: what was put is somewhere.",
	coalesce.OneReport:        "The barrier counts reports; a second one of the same worker would stand for somebody else’s.",
	coalesce.PendingLeft:      "The barrier’s number of missing reports never goes below zero.",
	coalesce.PushesFirst:      "What is queued behind Finish is dropped with the channel.",
	coalesce.AllWoken:         "Who waits for the last report is woken by it.",
	coalesce.CapableDeliverer: "Whoever is to deliver has not answered yet.",
	coalesce.OneBatch:         "That is what sharing is for: one object instead of many.",
	coalesce.ViewTrue:         "Whatever sealed time a reader asks for, the view answers what the query itself would.",
}

// rules lists the invariants with a column for each world. The newest broken one is
// open with its reason; the page keeps open what a reader opened (data-rule).
func (v *View) rules(m moment) HTML {
	var o out
	newest, since := -1, 0
	for _, inv := range v.model().Invariants() {
		for i := range v.w.Models {
			if n := m.Sides[i].Since[inv]; n > since {
				newest, since = int(inv), n
			}
		}
	}
	one := ""
	if len(v.w.Models) == 1 {
		one = " one"
	}
	o.put(`<div class="rules-head`, one, `"><h2>Must always hold</h2>`)
	for i := range v.w.Models {
		o.put(`<span>`, v.probeSign(i), `</span>`)
	}
	o.put(`</div><ul>`)
	for _, inv := range v.model().Invariants() {
		key := scenario.InvariantKey(inv)
		o.put(`<li><details class="rule`, one, `" data-rule="`, key, `"`)
		if int(inv) == newest {
			o.put(` open`)
		}
		o.put(`><summary><span>`, esc(inv.Name()), `</span>`)
		var why []string
		for i, model := range v.w.Models {
			n := m.Sides[i].Since[inv]
			if n == 0 {
				o.put(`<span>`, signCheck, `<span class="only-read">`, v.w.Names[i], `: holds</span></span>`)
				continue
			}
			o.put(`<span>`, signCross, `<span class="only-read">`, v.w.Names[i], `: broken since step </span><b class="since">`, itoa(n), `</b></span>`)
			reason := model.Broken(&m.Sides[i].State, inv)
			if len(v.w.Models) == 2 && m.Sides[1-i].Since[inv] != 0 {
				reason = v.w.Names[i] + ": " + reason
			}
			why = append(why, reason)
		}
		o.put(`</summary>`)
		if len(why) == 0 {
			o.put(`<p class="means">`, mark(means[inv], noTerms), `</p>`)
		}
		for _, reason := range why {
			o.put(`<p class="why-rule">`, esc(reason), `</p>`)
		}
		o.put(`</details></li>`)
	}
	o.put(`</ul>`)
	return o.html()
}
