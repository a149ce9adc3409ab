package view

import (
	"slices"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// The timeline: a lane for each worker, one for the builder tasks, one for the
// appends; below them the film of the reader's batch, one row for each world.

const (
	lanesX     = 340
	namesW     = 112 // of the column of names, in units
	laneTop    = 380
	aheadSteps = 40 // drawn after the cursor, at least
	behind     = 60 // and before it
	window     = 20 // the cursor moves so far before other steps are drawn
	spare      = 8  // while a run can go on there is room for its next steps
)

// timeline draws at most about a hundred steps around the cursor. Its first svg carries,
// for the page to keep the cursor in view, in CSS pixels: data-x, the cursor's place in
// the strip; data-first, the left edge of its first step; data-wide, the width of one;
// and data-apart, the place of the step from which the worlds differ, counted from the
// first that is drawn, or -1. A step is a group of class tick, and of class ahead beyond the cursor,
// where the style sheet hides its film: so a group is the same wherever the cursor
// stands. The second svg is the column of names, which the style sheet puts before the
// first.
func (v *View) timeline(r *worlds.Run) Drawing {
	around := r.Cursor() / window * window
	from := max(1, around+1-behind)
	to := min(r.Len(), around+window+aheadSteps)
	stepW := v.stepW
	shown := max(to-from+1, 16*580/stepW)
	if to == r.Len() && !v.w.Over(r.At(to)) {
		shown = (shown + spare - 1) / spare * spare
	}
	x := func(k int) int { return lanesX + (k-from)*stepW }
	width := x(from+shown-1) + 400 + stepW // so that it can scroll to where a step begins
	forks := v.forks(r, from, to)
	bottom := v.laneAt(len(v.lanes) - 1)
	tries := bottom
	if len(forks) > 0 {
		tries += 200
	}
	rule := tries + 150
	track := func(i int) int { return rule + 160 + 230*i }
	height := track(len(v.w.Models)-1) + 130
	m := r.Now()

	groups := make([]Group, 0, shown+7)
	var o out
	add := func(class string, step int) {
		groups = append(groups, Group{class, step, o.String()})
		o = out{}
	}
	if r.Cursor() > 0 {
		o.draw(`<rect class="now" x="%" y="2" width="48" height="%" rx="6"/>`, x(r.Cursor())-240, height-20)
	}
	add("", 0)
	o.draw(`<path class="thin" d="M% 14H%"/>`, x(from), x(from+shown-1))
	for i := range v.lanes {
		o.draw(`<path class="hair" d="M0 %H%"/>`, v.laneAt(i), width)
	}
	o.draw(`<path class="thin" d="M0 %H%"/>`, rule, width)
	v.drawForks(&o, r, forks, x, bottom+190)
	v.weave(&o, "weave old", r, from, to, x)
	add("", 0)
	if r.Cursor() > 0 {
		o.draw(`<path class="cursor" d="M% 14H%"/>`, x(from), x(r.Cursor()))
	}
	v.weave(&o, "weave", r, from, r.Cursor(), x)
	add("", 0)
	groups = v.ticks(groups, r, from, to, x, track)
	for k := to + 1; k < from+shown; k++ {
		o.draw(`<rect class="blank" x="%" y="4" width="22" height="20"/><text class="txt2 mono mid faint" x="%" y="19">#</text>`, x(k)-110, x(k), k)
		add("", 0)
	}
	says, apart := numbers("Timeline: step # of #.", r.Cursor(), r.Len()), -1
	if m.Differ > 0 {
		says += numbers(" The worlds differ from step #.", m.Differ)
	}
	if d := m.Differ; d >= from && d > 0 && d <= to {
		apart = d - from
		mid := num(x(d) - 310)
		o.mix(`<path class="cursor dashes" d="M$ %V%"/><rect class="notch" x="%" y="%" width="24" height="22" rx="4"/><text class="txt strong mono mid" x="$" y="%">≠</text>`, ints{rule, height - 20, x(d) - 430, rule - 110, rule + 45}, mid, mid)
	}
	add("", 0)
	if k := r.Cursor(); k > 0 {
		wide := 90 * max(len(itoa(k)), 2)
		o.draw(`<rect class="pill" x="%" y="3" width="%" height="22" rx="6"/><text class="txt2 strong mono mid on-pill" x="%" y="19">#</text>`, x(k)-wide/2-80, wide+160, x(k), k)
	}
	add("tick", r.Cursor())
	w, h := num(width), num(height)
	return Drawing{{[][2]string{
		{"class", "lanes"}, {"width", w}, {"height", h}, {"viewBox", "0 0 " + w + " " + h}, {"role", "img"}, {"aria-label", says},
		{"data-x", num(10*namesW + x(max(r.Cursor(), from)))}, {"data-first", num(10*namesW + lanesX - 290)}, {"data-wide", num(stepW)}, {"data-apart", itoa(apart)},
	}, groups}, v.laneNames(h, rule, track, from)}
}

// place is a step in the drawing: a moment stands for everything that led to it.
type place struct {
	m moment
	x int
}

// ticks adds the groups of the steps. Those that were drawn before are kept.
func (v *View) ticks(groups []Group, r *worlds.Run, from, to int, x, track func(int) int) []Group {
	if len(v.drawnTicks) > maxTold || v.trackY != track(0) {
		v.drawnTicks, v.trackY = map[place]string{}, track(0)
	}
	var cells [worlds.Limit][]cell
	for k := from; k <= to; k++ {
		at := place{r.At(k), x(k)}
		inside, ok := v.drawnTicks[at]
		if !ok {
			var o out
			v.drawStep(&o, at.m, at.x)
			for i := range v.w.Models {
				if cells[i] == nil {
					cells[i] = v.track(r, i, from, to)
				}
				v.drawCell(&o, cells[i][k-from], at.x, track(i))
			}
			inside = o.String()
			v.drawnTicks[at] = inside
		}
		class := "tick"
		if k > r.Cursor() {
			class = "tick ahead"
		}
		groups = append(groups, Group{class, k, inside})
	}
	return groups
}

// laneNames is the column of names; it stays where it is when the steps scroll.
func (v *View) laneNames(height string, rule int, track func(int) int, from int) Picture {
	var o out
	w := itoa(namesW)
	if from > 1 {
		o.draw(`<text class="txt2" x="0" y="18">after 1–#</text>`, from-1)
	}
	for i, name := range v.lanes {
		o.mix(`<text class="txt" x="0" y="%">~</text>`, ints{v.laneAt(i) + 45}, name)
	}
	o.mix(`<path class="thin" d="M0 %H$"/>`, ints{rule}, w)
	for i, name := range v.w.Names {
		o.mix(`<text class="txt2 mono" x="0" y="%">~</text>`, ints{track(i) + 45}, name)
	}
	return Picture{[][2]string{{"class", "lane-names"}, {"width", w}, {"height", height}, {"viewBox", "0 0 " + w + " " + height}, {"aria-hidden", "true"}},
		[]Group{{"", 0, o.String()}}}
}

// setLanes gives each thread its lane. Threads of one worker share one, and so do
// machines of one kind: the letter tells which it is.
func (v *View) setLanes() {
	v.laneOf = map[coalesce.Thread]int{}
	for _, t := range v.model().Threads() {
		name := roles[t.Role()].lane
		if name == "worker " {
			w := v.model().Worker(t)
			name += string(rune('A' + w))
			if v.model().Processes > 1 {
				name += " (" + itoa(v.model().Process(w)+1) + ")"
			}
		}
		lane := slices.Index(v.lanes, name)
		if lane < 0 {
			lane = len(v.lanes)
			v.lanes = append(v.lanes, name)
		}
		v.laneOf[t] = lane
	}
	n := 0
	for _, t := range v.threads {
		if t.Role() == coalesce.WriteTask && v.model().Sink(t) == v.sink {
			n++
		}
	}
	v.stepW = 580 + 170*min(max(n-2, 0), maxFilm-2)
}

// maxFilm limits the tokens of one step of the film.
const maxFilm = 4

// laneAt is where a lane runs. Many lie closer together.
func (v *View) laneAt(lane int) int {
	if len(v.lanes) > 6 {
		return laneTop + 165*lane
	}
	return laneTop + 220*lane
}

func (v *View) laneY(t coalesce.Thread) int { return v.laneAt(v.laneOf[t]) }

// weave is a line through steps. The one up to the cursor lies on that of all.
func (v *View) weave(o *out, class string, r *worlds.Run, from, to int, x func(int) int) {
	if to <= from {
		return
	}
	o.fill(`<path class="$" d="`, class)
	for k := from; k <= to; k++ {
		c := "L"
		if k == from {
			c = "M"
		}
		o.mix("$% %", ints{x(k), v.laneY(r.At(k).Thread)}, c)
	}
	o.put(`"/>`)
}

// drawStep draws a step's number and letter.
func (v *View) drawStep(o *out, m moment, x int) {
	k, y := m.Step, v.laneY(m.Thread)
	wide := 90 * max(len(itoa(k)), 2)
	o.mix(`<rect class="hit" x="%" y="0" width="%" height="$"/><rect class="blank" x="%" y="4" width="%" height="20"/><text class="txt2 mono mid" x="%" y="19">#</text>`,
		ints{x - 290, v.stepW, x - wide/2 - 20, wide + 40, x, k}, "100%")
	v.token(o, m.Thread, x, y, 105, solid)
	// A skip in one world is a small bar under the token.
	for i := range v.w.Models {
		if m.Sides[i].Line < 0 {
			o.mix(`<path class="skip" d="M% %h14"><title>~ skips</title></path>`, ints{x - 70, y + 140}, v.w.Names[i])
			break
		}
	}
}
