package main

import (
	"math/big"
	"strconv"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/explore"
	"sharedbatches/core/proof"
)

// report makes the panel of one world's answer.
type report struct {
	*proof.Answer
	world        string
	index        int
	model        *coalesce.Model
	ask          *ask
	ends         []explore.Verdict
	picture      *proof.Picture
	milliseconds int
	perSecond    int

	strings.Builder
}

// add writes markup in which each # is the next text, escaped.
func (r *report) add(markup string, values ...string) {
	for _, v := range values {
		before, after, _ := strings.Cut(markup, "#")
		r.WriteString(before)
		r.WriteString(escape(v))
		markup = after
	}
	r.WriteString(markup)
}

func (r *report) markup() string {
	r.headline()
	if r.Counted {
		r.WriteString(proof.Bar(r.world, r.Answer, r.ends))
		if r.ends != nil {
			r.add(`<p class="small">One tick for each schedule, in the order of its letters. Tall ticks lose.</p>`)
		}
		r.add(`<p class="small">#</p><p class="small"><b>#</b> of runs lose under #</p>`, proof.ShareMeans, proof.Chance(r.Chance), proof.ChanceMeans)
	}
	if !r.Exhaustive || r.StoppedBy != "" {
		r.add(`<p class="small stop">Stopped by the limit of <b>#</b>#. Nothing beyond it is claimed. #</p>`, r.StoppedBy, r.limit(), proof.Smaller)
	}
	r.paths()
	r.why()
	r.space()
	r.table()
	r.size()
	return r.String()
}

// headline is the claim in large figures, with a badge.
func (r *report) headline() {
	class, sign, badge := "kept", `<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8.5l3.5 3.5L13 4.5"/></svg>`, "safe here"
	cross := `<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 4l8 8M12 4l-8 8"/></svg>`
	switch {
	case r.Counted && r.Losing.Sign() > 0, r.Orphaning != nil:
		class, sign, badge = "lost", cross, "can be lost"
	case !r.Counted || !r.Exhaustive:
		class, sign, badge = "plain", "", "not decided"
	case r.Deadlocked.Sign() > 0:
		class, sign, badge = "lost", cross, "can deadlock"
	case r.Panicked.Sign() > 0:
		class, sign, badge = "lost", cross, "can panic"
	case r.Grain == proof.Call.String():
		class, sign, badge = "plain", "", "not by whole calls"
	}
	r.add(`<div class="world-head"><h3><code>#</code></h3><span class="badge #">`+sign+`#</span></div>`, r.world, class, badge)
	if !r.Counted {
		r.add(`<p class="count">At least <b>#</b> states; schedules were not counted.</p>`, digits(r.States))
		return
	}
	bound, of := "", "of"
	if !r.Exhaustive {
		bound, of = "at least ", "of at least"
	}
	long := ""
	if len(r.Losing.String()) > 7 {
		long = " long"
	}
	color := "kept"
	if class == "lost" {
		color = "lost"
	} else if class == "plain" {
		color = "plain"
	}
	r.add(`<p class="count`+long+`">#<b class="number `+color+`" data-losing>#</b> # <b data-schedules>#</b> schedules lose`, bound, proof.Exact(r.Losing), of, proof.Exact(r.Schedules))
	switch {
	case !r.Exhaustive && r.Losing.Sign() == 0:
		r.add(` so far`)
	case !r.Exhaustive:
	case r.Losing.Sign() > 0:
		r.add(` (#)`, proof.Share(r.Losing, r.Schedules))
	case r.Grain == proof.Call.String():
		r.add(`: it cannot happen when calls are indivisible`)
	default:
		r.add(`, exhaustive`)
	}
	r.add(`</p>`)
}

func (r *report) limit() string {
	switch r.StoppedBy {
	case explore.StoppedByStates:
		return ", " + digits(r.ask.States)
	case explore.StoppedByBytes:
		return ", 512 MiB"
	case "seconds":
		return ", " + strconv.Itoa(r.ask.Seconds)
	}
	return ""
}

// paths are the schedules that the search found, each with a button.
func (r *report) paths() {
	r.add(`<ul class="paths">`)
	r.path("Shortest to the orphaning", r.Orphaning)
	r.path("Shortest to the wrong seal", r.WrongSeal)
	r.path("No return: after this every way on loses", r.NoReturn)
	r.path("Shortest deadlock", r.Deadlock)
	r.add(`</ul>`)
	if r.Missing != "" {
		r.add(`<p class="small">There # .</p>`, r.Missing)
	}
}

func (r *report) path(name string, p *proof.Path) {
	if p != nil {
		r.add(`<li><span>#: <b>#</b> <code>#</code></span><button class="button" type="button" data-load="#" aria-label="Load it: #, #">Load it</button></li>`,
			name, steps(len(p.Letters)), p.Text, p.Text, name, r.world)
	}
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return strconv.Itoa(n) + " steps"
}

// why lists the pairs of steps whose order alone decides.
func (r *report) why() {
	if r.Orphaning == nil {
		return
	}
	pairs := proof.Why(r.model, r.Orphaning.Letters)
	if len(pairs) == 0 {
		return
	}
	r.add(`<h4>Why it is lost</h4><ul class="because">`)
	for _, p := range pairs {
		r.add(`<li>Step # (#: #) before step # (#: #): exchanged, the batch is saved.</li>`,
			strconv.Itoa(p.First), p.Before, p.Lines[0], strconv.Itoa(p.Second), p.After, p.Lines[1])
	}
	r.add(`</ul>`)
}

// table is how the schedules end, and what else was found.
func (r *report) table() {
	if r.Counted {
		r.add(`<h4>How they end</h4><ul class="list">`)
		for _, row := range []struct {
			name   string
			n      *big.Int
			always bool
		}{
			{"lose all of an interval", r.LosingAll, true}, {"lose a part of it", r.LosingPart, true},
			{"deadlock", r.Deadlocked, true}, {"panic", r.Panicked, true}, {"safe", r.Safe, true},
		} {
			r.add(`<li><span>#</span><b data-end="#">#</b></li>`, row.name, row.name, proof.Exact(row.n))
		}
		r.add(`</ul>`)
	}
	broken := "none"
	if len(r.Broken) > 0 {
		var names []string
		for _, i := range r.Broken {
			names = append(names, i.Name())
		}
		broken = strings.Join(names, "; ")
	}
	r.add(`<ul class="list"><li><span>Invariants broken somewhere</span><b>#</b></li>`, broken)
	second := "never"
	if r.SecondSeal {
		second = "happens: one append gets two batches of one process"
	}
	r.add(`<li><span>Second batch</span><b>#</b></li></ul>`, second)
}

// space is the picture of the states.
func (r *report) space() {
	if r.picture != nil {
		number := strconv.Itoa(r.index)
		r.add(`<h4>The space of states</h4>`)
		r.WriteString(r.picture.SVG(`<g id="trail-` + number + `"></g>`))
		r.WriteString(`<p class="legend small">`)
		for _, f := range []string{"always", "sometimes", "never"} {
			r.add(`<span><svg viewBox="0 0 160 160" aria-hidden="true"><path class="cell #" d="M10 10h140v140h-140z"/></svg> loses #</span>`, f, f)
		}
		r.add(`</p><p class="small">Left to right: the fewest steps to a state, 0 to #. # The line is your run. <span id="here-`+number+`"></span></p>`, strconv.Itoa(r.Depth), r.picture.CellMeans())
	}
}

// size is how large the search was, and what it was about.
func (r *report) size() {
	r.add(`<p class="small"><span data-states>#</span> states, <span data-transitions>#</span> transitions: equal states are merged, so the schedules are covered, not run one by one. #. # ms, # states/s.</p>`,
		digits(r.States), digits(r.Transitions), r.Scope(), digits(r.milliseconds), digits(r.perSecond))
}
