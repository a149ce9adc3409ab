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
	laneH      = 220
	laneTop    = 380
	aheadSteps = 40 // drawn after the cursor
	behind     = 60 // and before it
)

// timeline draws at most about a hundred steps around the cursor. Its first svg
// carries data-from, data-to and data-x, the cursor's place in the strip in CSS
// pixels, for the page to keep in view; every step is a group with data-step. The
// second one is the column of names, which the style sheet puts before the first.
func (v *View) timeline(r *worlds.Run) HTML {
	from := max(1, r.Cursor()-behind)
	to := min(r.Len(), r.Cursor()+aheadSteps)
	lanes, names := v.lanes()
	stepW := v.stepW()
	shown := max(to-from+1, 16*580/stepW)
	x := func(k int) int { return lanesX + (k-from)*stepW }
	width := x(from+shown-1) + 400
	forks := v.forks(r, from, to)
	bottom := laneTop + laneH*(len(names)-1)
	tries := bottom
	if len(forks) > 0 {
		tries += 200
	}
	rule := tries + 150
	track := func(i int) int { return rule + 160 + 230*i }
	height := track(len(v.w.Models)-1) + 130
	m := r.Now()

	var o out
	o.Grow(600 * (shown + 10))
	says := numbers("Timeline: step # of #.", r.Cursor(), r.Len())
	if m.Differ > 0 {
		says += numbers(" The worlds differ from step #.", m.Differ)
	}
	o.mix(`<svg class="lanes" width="%" height="%" viewBox="0 0 % %" role="img" aria-label="~" data-from="#" data-to="#" data-x="%">`, ints{width, height, width, height, from, to, 10*namesW + x(max(r.Cursor(), from))}, says)
	if r.Cursor() >= from && r.Cursor() > 0 {
		o.draw(`<rect class="now" x="%" y="2" width="48" height="%" rx="6"/>`, x(r.Cursor())-240, height-20)
	}
	o.draw(`<path class="thin" d="M% 14H%"/>`, x(from), x(from+shown-1))
	if r.Cursor() > 0 {
		o.draw(`<path class="cursor" d="M% 14H%"/>`, x(from), x(max(r.Cursor(), from)))
	}
	for i := range names {
		o.draw(`<path class="hair" d="M0 %H%"/>`, laneY(i), width)
	}
	o.draw(`<path class="thin" d="M0 %H%"/>`, rule, width)
	v.drawForks(&o, r, forks, lanes, x, bottom+190)
	v.weave(&o, r, from, to, lanes, x)
	cells := make([][]cell, len(v.w.Models))
	for i := range v.w.Models {
		cells[i] = v.track(r, i, from, min(to, r.Cursor()))
	}
	for k := from; k < from+shown; k++ {
		v.drawStep(&o, r, k, to, lanes, x(k))
		for i := range cells {
			if k <= r.Cursor() && k-from < len(cells[i]) {
				v.drawCell(&o, cells[i][k-from], x(k), track(i))
			}
		}
		if k <= to {
			o.put(`</g>`)
		}
	}
	if d := m.Differ; d >= from && d > 0 && d <= to {
		mid := num(x(d) - 310)
		o.mix(`<path class="cursor dashes" d="M$ %V%"/><rect class="notch" x="%" y="%" width="24" height="22" rx="4"/><text class="txt strong mono mid" x="$" y="%">≠</text>`, ints{rule, height - 20, x(d) - 430, rule - 110, rule + 45}, mid, mid)
	}
	o.put(`</svg>`)
	v.laneNames(&o, names, height, rule, track, from)
	return o.html()
}

// laneNames is the column of names; it stays where it is when the steps scroll.
func (v *View) laneNames(o *out, names []string, height, rule int, track func(int) int, from int) {
	w := itoa(namesW)
	o.mix(`<svg class="lane-names" width="$" height="%" viewBox="0 0 $ %" aria-hidden="true">`, ints{height, height}, w, w)
	if from > 1 {
		o.draw(`<text class="txt2" x="0" y="18">after 1–#</text>`, from-1)
	}
	for i, name := range names {
		o.mix(`<text class="txt" x="0" y="%">~</text>`, ints{laneY(i) + 45}, name)
	}
	o.mix(`<path class="thin" d="M0 %H$"/>`, ints{rule}, w)
	for i, name := range v.w.Names {
		o.mix(`<text class="txt2 mono" x="0" y="%">~</text>`, ints{track(i) + 45}, name)
	}
	o.put(`</svg>`)
}

// lanes gives each thread its lane. Threads of one worker share one, and so do
// machines of one kind: the letter tells which it is.
func (v *View) lanes() (map[coalesce.Thread]int, []string) {
	lanes, names := map[coalesce.Thread]int{}, []string{}
	for _, t := range v.model().Threads() {
		name := roles[t.Role()].lane
		if name == "worker " {
			w := v.model().Worker(t)
			name += string(rune('A' + w))
			if v.model().Processes > 1 {
				name += " (" + itoa(v.model().Process(w)+1) + ")"
			}
		}
		lane := slices.Index(names, name)
		if lane < 0 {
			lane = len(names)
			names = append(names, name)
		}
		lanes[t] = lane
	}
	return lanes, names
}

// stepW is the width of a step in tenths: the film has room for up to four tokens.
func (v *View) stepW() int {
	n := 0
	for _, t := range v.threads {
		if t.Role() == coalesce.WriteTask && v.model().Sink(t) == v.sink {
			n++
		}
	}
	return 580 + 170*min(max(n-2, 0), maxFilm-2)
}

// maxFilm limits the tokens of one step of the film.
const maxFilm = 4

func laneY(lane int) int { return laneTop + laneH*lane }

// weave is the line through the steps: solid up to the cursor, dim after it.
func (v *View) weave(o *out, r *worlds.Run, from, to int, lanes map[coalesce.Thread]int, x func(int) int) {
	draw := func(class string, a, b int) {
		if b <= a {
			return
		}
		o.fill(`<path class="$" d="`, class)
		for k := a; k <= b; k++ {
			c := "L"
			if k == a {
				c = "M"
			}
			o.mix("$% %", ints{x(k), laneY(lanes[r.At(k).Thread])}, c)
		}
		o.put(`"/>`)
	}
	draw("weave", from, min(to, r.Cursor()))
	draw("weave old", max(from, r.Cursor()), to)
}

// drawStep draws a step's number and letter and leaves its group open for the film.
func (v *View) drawStep(o *out, r *worlds.Run, k, to int, lanes map[coalesce.Thread]int, x int) {
	if k > to {
		o.draw(`<rect class="blank" x="%" y="4" width="22" height="20"/><text class="txt2 mono mid faint" x="%" y="19">#</text>`, x-110, x, k)
		return
	}
	o.mix(`<g class="tick" data-step="#"><rect class="hit" x="%" y="0" width="%" height="$"/>`, ints{k, x - 290, v.stepW()}, "100%")
	wide := 90 * max(len(itoa(k)), 2)
	if k == r.Cursor() {
		o.draw(`<rect class="pill" x="%" y="3" width="%" height="22" rx="6"/><text class="txt2 strong mono mid on-pill" x="%" y="19">#</text>`, x-wide/2-80, wide+160, x, k)
	} else {
		o.draw(`<rect class="blank" x="%" y="4" width="%" height="20"/><text class="txt2 mono mid" x="%" y="19">#</text>`, x-wide/2-20, wide+40, x, k)
	}
	m := r.At(k)
	st := solid
	if k > r.Cursor() {
		st = pending
	}
	v.token(o, m.Thread, x, laneY(lanes[m.Thread]), 105, st)
	// A skip in one world is a small bar under the token.
	for i := range v.w.Models {
		if m.Sides[i].Line < 0 {
			o.mix(`<path class="skip" d="M% %h14"><title>~ skips</title></path>`, ints{x - 70, laneY(lanes[m.Thread]) + 140}, v.w.Names[i])
			break
		}
	}
}

// cell is one step of the film: the count and who makes it up.
type cell struct {
	born   bool
	skip   bool
	count  int
	tokens []hold
	word   string
	ink    string
}

// track is the film of the reader's batch in one world: for each step the batch of
// that sink that was touched last.
func (v *View) track(r *worlds.Run, world, from, to int) []cell {
	var cells []cell
	slot := -1
	for k := 1; k <= to; k++ {
		side := &r.At(k).Sides[world]
		c := cell{skip: side.Line < 0}
		for _, e := range side.Events {
			if e.Slot >= 0 && v.model().Sink(coalesce.Builder(int(e.Slot))) == v.sink {
				slot = int(e.Slot)
				switch e.Kind {
				case coalesce.Took:
					c.word, c.ink = "to "+v.name(e.Thread), "kept-ink"
				case coalesce.Destroyed:
					if e.Parts != 0 {
						c.word, c.ink = "lost", "lost-ink"
					}
				case coalesce.Discarded:
					c.word, c.ink = "leak", "lost-ink"
				case coalesce.AnsweredSome:
					c.word, c.ink = "Some", "kept-ink"
				}
			}
			if e.Kind == coalesce.Lost && v.model().Sink(e.Thread) == v.sink {
				c.word, c.ink = "hole", "lost-ink"
			}
		}
		if k < from {
			continue
		}
		if slot >= 0 {
			c.born = true
			b := &side.State.Batches[slot]
			c.count = b.Count()
			for _, t := range v.model().Threads() {
				if t.Role() == coalesce.WriteTask && b.Holders>>t&1 != 0 {
					c.tokens = append(c.tokens, hold{t: t})
				}
			}
			if b.Temp != 0 {
				c.tokens = append(c.tokens, hold{t: coalesce.Thread(b.Temp - 1), kind: byTemporary})
			}
		}
		cells = append(cells, c)
	}
	return cells
}

func (v *View) drawCell(o *out, c cell, x, y int) {
	at := x - 210
	switch {
	case !c.born && c.word == "":
		o.draw(`<text class="txt2 strong mono faint" x="%" y="%">–</text>`, at, y+45)
		return
	case c.skip:
		o.draw(`<text class="txt2 faint" x="%" y="%">skip</text>`, at, y+45)
		return
	}
	ink := "ink"
	if len(c.tokens) == 0 && c.word == "" {
		ink = "faint"
	}
	o.mix(`<text class="txt2 strong mono $" x="%" y="%">#</text>`, ints{at, y + 45, c.count}, ink)
	at += 180
	if c.word != "" {
		o.mix(`<text class="txt2 $" x="%" y="%">~</text>`, ints{at - 80, y + 45}, c.ink, c.word)
		return
	}
	for i, h := range c.tokens {
		if i == maxFilm-1 && len(c.tokens) > maxFilm {
			o.draw(`<text class="txt2" x="%" y="%">+#</text>`, at-60, y+45, len(c.tokens)-i)
			break
		}
		st := solid
		if h.kind == byTemporary {
			st = hollow
		}
		v.token(o, h.t, at, y, 82, st)
		at += 170
	}
}
