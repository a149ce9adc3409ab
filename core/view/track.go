package view

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// The film of the reader's batch below the lanes: who held it at each step.

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
	o.put(`<g class="cell">`)
	v.drawCounts(o, c, x, y)
	o.put(`</g>`)
}

func (v *View) drawCounts(o *out, c cell, x, y int) {
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
	at += 200
	if c.word != "" {
		o.mix(`<text class="txt2 $" x="%" y="%">~</text>`, ints{at - 100, y + 45}, c.ink, c.word)
		return
	}
	for i, h := range c.tokens {
		if i == maxFilm-1 && len(c.tokens) > maxFilm {
			o.draw(`<text class="txt2" x="%" y="%">+#</text>`, at-80, y+45, len(c.tokens)-i)
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
