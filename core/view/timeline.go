package view

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// The timeline: a lane for each worker, one for the builder tasks, one for the
// appends; below them the film of the reader's batch, one row for each world.

const (
	stepW      = 580 // width of a step, in tenths
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
	shown := max(to-from+1, 16)
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
	says := "Timeline: step " + itoa(r.Cursor()) + " of " + itoa(r.Len()) + "."
	if m.Differ > 0 {
		says += " The worlds differ from step " + itoa(m.Differ) + "."
	}
	o.put(`<svg class="lanes" width="`, num(width), `" height="`, num(height), `" viewBox="0 0 `, num(width), ` `, num(height), `" role="img" aria-label="`, esc(says),
		`" data-from="`, itoa(from), `" data-to="`, itoa(to), `" data-x="`, num(10*namesW+x(max(r.Cursor(), from))), `">`)
	if r.Cursor() >= from && r.Cursor() > 0 {
		o.put(`<rect class="now" x="`, num(x(r.Cursor())-240), `" y="2" width="48" height="`, num(height-20), `" rx="6"/>`)
	}
	o.put(`<path class="thin" d="M`, num(x(from)), ` 14H`, num(x(from+shown-1)), `"/>`)
	if r.Cursor() > 0 {
		o.put(`<path class="cursor" d="M`, num(x(from)), ` 14H`, num(x(max(r.Cursor(), from))), `"/>`)
	}
	for i := range names {
		o.put(`<path class="hair" d="M0 `, num(laneY(i)), `H`, num(width), `"/>`)
	}
	o.put(`<path class="thin" d="M0 `, num(rule), `H`, num(width), `"/>`)
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
		mid := num(x(d) - stepW/2 - 20)
		o.put(`<path class="cursor dashes" d="M`, mid, ` `, num(rule), `V`, num(height-20), `"/><rect class="notch" x="`, num(x(d)-stepW/2-140), `" y="`, num(rule-110), `" width="24" height="22" rx="4"/><text class="txt strong mono mid" x="`, mid, `" y="`, num(rule+45), `">≠</text>`)
	}
	o.put(`</svg>`)
	v.laneNames(&o, names, height, rule, track, from)
	return o.html()
}

// laneNames is the column of names; it stays where it is when the steps scroll.
func (v *View) laneNames(o *out, names []string, height, rule int, track func(int) int, from int) {
	w := itoa(namesW)
	o.put(`<svg class="lane-names" width="`, w, `" height="`, num(height), `" viewBox="0 0 `, w, ` `, num(height), `" aria-hidden="true">`)
	if from > 1 {
		o.put(`<text class="txt2" x="0" y="18">after 1–`, itoa(from-1), `</text>`)
	}
	for i, name := range names {
		o.put(`<text class="txt" x="0" y="`, num(laneY(i)+45), `">`, esc(name), `</text>`)
	}
	o.put(`<path class="thin" d="M0 `, num(rule), `H`, w, `"/>`)
	for i, name := range v.w.Names {
		o.put(`<text class="txt2 mono" x="0" y="`, num(track(i)+45), `">`, esc(name), `</text>`)
	}
	o.put(`</svg>`)
}

// lanes gives each thread its lane. Threads of one worker share one, and so do
// machines of one kind: the letter tells which it is.
func (v *View) lanes() (map[coalesce.Thread]int, []string) {
	lanes, names := map[coalesce.Thread]int{}, []string{}
	last := ""
	for _, t := range v.model().Threads() {
		name := ""
		switch t.Role() {
		case coalesce.WriteTask:
			name = "worker " + v.model().Name(t)[:1]
		case coalesce.BuilderTask:
			name = "builder tasks"
		case coalesce.Append:
			name = "append"
		case coalesce.Timely:
			name = "Timely sides"
		case coalesce.Teardown:
			name = "teardown Z"
		case coalesce.Mint:
			name = "mint"
		case coalesce.Replica:
			name = "other replica"
		default:
			name = "sweeper S"
		}
		if name != last {
			names = append(names, name)
			last = name
		}
		lanes[t] = len(names) - 1
	}
	return lanes, names
}

func laneY(lane int) int { return laneTop + laneH*lane }

// weave is the line through the steps: solid up to the cursor, dim after it.
func (v *View) weave(o *out, r *worlds.Run, from, to int, lanes map[coalesce.Thread]int, x func(int) int) {
	draw := func(class string, a, b int) {
		if b <= a {
			return
		}
		o.put(`<path class="`, class, `" d="`)
		for k := a; k <= b; k++ {
			c := "L"
			if k == a {
				c = "M"
			}
			o.put(c, num(x(k)), " ", num(laneY(lanes[r.At(k).Thread])))
		}
		o.put(`"/>`)
	}
	draw("weave", from, min(to, r.Cursor()))
	draw("weave old", max(from, r.Cursor()), to)
}

// drawStep draws a step's number and letter and leaves its group open for the film.
func (v *View) drawStep(o *out, r *worlds.Run, k, to int, lanes map[coalesce.Thread]int, x int) {
	if k > to {
		o.put(`<rect class="blank" x="`, num(x-110), `" y="4" width="22" height="20"/><text class="txt2 mono mid faint" x="`, num(x), `" y="19">`, itoa(k), `</text>`)
		return
	}
	o.put(`<g class="tick" data-step="`, itoa(k), `"><rect class="hit" x="`, num(x-stepW/2), `" y="0" width="`, num(stepW), `" height="100%"/>`)
	wide := 90 * max(len(itoa(k)), 2)
	if k == r.Cursor() {
		o.put(`<rect class="pill" x="`, num(x-wide/2-80), `" y="3" width="`, num(wide+160), `" height="22" rx="6"/><text class="txt2 strong mono mid on-pill" x="`, num(x), `" y="19">`, itoa(k), `</text>`)
	} else {
		o.put(`<rect class="blank" x="`, num(x-wide/2-20), `" y="4" width="`, num(wide+40), `" height="20"/><text class="txt2 mono mid" x="`, num(x), `" y="19">`, itoa(k), `</text>`)
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
			o.put(`<path class="skip" d="M`, num(x-70), ` `, num(laneY(lanes[m.Thread])+140), `h14"><title>`, esc(v.w.Names[i]), ` skips</title></path>`)
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
					c.word, c.ink = "to "+v.model().Name(e.Thread), "kept-ink"
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
		o.put(`<text class="txt2 strong mono faint" x="`, num(at), `" y="`, num(y+45), `">–</text>`)
		return
	case c.skip:
		o.put(`<text class="txt2 faint" x="`, num(at), `" y="`, num(y+45), `">skip</text>`)
		return
	}
	ink := "ink"
	if len(c.tokens) == 0 && c.word == "" {
		ink = "faint"
	}
	o.put(`<text class="txt2 strong mono `, ink, `" x="`, num(at), `" y="`, num(y+45), `">`, itoa(c.count), `</text>`)
	at += 180
	if c.word != "" {
		o.put(`<text class="txt2 strong `, c.ink, `" x="`, num(at-50), `" y="`, num(y+45), `">`, esc(c.word), `</text>`)
		return
	}
	for i, h := range c.tokens {
		if i == 2 && len(c.tokens) > 2 {
			o.put(`<text class="txt2" x="`, num(at-60), `" y="`, num(y+45), `">+</text>`)
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
