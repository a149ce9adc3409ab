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
	coalesce.HasSchema:        "A reader finds the schema of a part by that id.",
	coalesce.OwnMetrics:       "The first writer names them, and the name stays as long as anybody holds the entry.",
	coalesce.FewRuns:          "More runs are more work for whoever reads or compacts the batch.",
	coalesce.ViewTrue:         "Whatever sealed time a reader asks for, the view answers what the query itself would.",
}

// rules lists the invariants with a column for each world. The newest broken one is
// open with its reason; the page keeps open what a reader opened (data-rule).
func (v *View) rules(m moment) HTML {
	var o out
	newest, since := -1, 0
	last := v.w.Models[len(v.w.Models)-1]
	for inv := range coalesce.InvariantCount {
		for i := range v.w.Models {
			if n := m.Sides[i].Since[inv]; n > since {
				newest, since = int(inv), n
			}
		}
	}
	o.Grow(700 * int(coalesce.InvariantCount))
	one := ""
	if len(v.w.Models) == 1 {
		one = " one"
	}
	o.fill(`<div class="rules-head$"><h2>Must always hold</h2>`, one)
	for i := range v.w.Models {
		o.fill(`<span>$</span>`, v.signs[i])
	}
	o.put(`</div><ul>`)
	for inv := range coalesce.InvariantCount {
		if !v.model().Lists(inv) && !last.Lists(inv) {
			continue
		}
		key := scenario.InvariantKey(inv)
		o.fill(`<li><details class="rule$" data-rule="$"`, one, key)
		if int(inv) == newest {
			o.put(` open`)
		}
		o.fill(`><summary><span>$</span>`, v.mark(inv.Name(), allNoStop))
		var why []string
		for i, model := range v.w.Models {
			n := m.Sides[i].Since[inv]
			if !model.Lists(inv) {
				o.fill(`<span>–<span class="only-read">~: does not apply</span></span>`, v.w.Names[i])
				continue
			}
			if n == 0 {
				o.fill(`<span>$<span class="only-read">~: holds</span></span>`, signCheck, v.w.Names[i])
				continue
			}
			o.mix(`<span>$<span class="only-read">~: broken since step </span><b class="since">#</b></span>`, ints{n}, signCross, v.w.Names[i])
			reason := model.Broken(&m.Sides[i].State, inv)
			if len(v.w.Models) == 2 && m.Sides[1-i].Since[inv] != 0 {
				reason = v.w.Names[i] + ": " + reason
			}
			why = append(why, reason)
		}
		o.put(`</summary>`)
		if len(why) == 0 {
			o.fill(`<p class="means">$</p>`, v.mark(means[inv], noTerms))
		}
		for _, reason := range why {
			o.fill(`<p class="why-rule">~</p>`, reason)
		}
		o.put(`</details></li>`)
	}
	o.put(`</ul>`)
	return o.html()
}
