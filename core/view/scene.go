package view

import (
	"slices"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
)

// The picture of a batch: it hangs from a rail, one string for each strong
// reference, each string ends in its holder's token. The count is the number of
// strings. Coordinates are in tenths of a unit of a 380 x 214 picture.

const (
	railY   = 640
	crateX  = 1260
	crateY  = 1240
	crateW  = 2440
	crateH  = 820
	railL   = 1180
	railR   = 3680
	sceneH  = 2140
	maxPegs = 8
)

// drawn is the batch that is drawn large, or nil.
func (v *View) drawn(m moment, world int, st *story, focus int) *life {
	if focus < 0 {
		return nil
	}
	sink, n := coalesce.EntryInterval(focus)
	return st.main(focus, int(m.Sides[world].State.Sinks[sink].Upper) > n)
}

// scene draws a batch and lists the others below it; room is kept for them when
// some world has others, so that the drawings stay equally large.
func (v *View) scene(m moment, world int, st *story, l *life, focus int, room bool) HTML {
	var o out
	if len(v.w.Models) > 1 || slices.Contains(v.s.Panels, scenario.PanelRegistry) {
		o.put(`<p class="fix">`, mark(fix[v.w.Models[world].Probe], noTerms), `</p>`)
	}
	o.put(`<svg class="hang" viewBox="0 0 380 214" role="img" aria-label="`, esc(v.sceneSentence(m, world, l, focus)), `">`)
	o.put(`<text class="txt2" x="12" y="36">strong count</text>`)
	if l == nil {
		o.put(`<text class="big faint" x="11" y="78">–</text><path class="rail" d="M118 64H368"/>`)
		word := "no batch yet"
		if focus >= 0 {
			word = "no batch " + v.entryName(m, focus) + " yet"
		}
		o.put(`<text class="txt strong mid" x="243" y="112">`, esc(word), `</text><text class="txt2 mid" x="243" y="132">who opens it first creates it</text>`)
	} else {
		v.drawLife(&o, m, world, l)
	}
	o.put(`</svg>`)
	if room {
		v.others(&o, m, world, v.besides(m, world, st, l))
	}
	return o.html()
}

// fate is the look of a batch and the words beside it.
type fate struct {
	class string // of the crate
	ink   string // of the words
	words []string
	floor bool // lies on the floor
	askew bool
	owner bool
}

func (v *View) fate(m moment, world int, l *life) fate {
	name := v.model().Name(l.owner)
	sealed := m.Sides[world].State.Sinks[l.sink].Upper > uint8(l.n)
	switch {
	case l.panicked != coalesce.NoPanic:
		return fate{class: "lost", ink: "lost-ink", words: []string{"builder task", "panicked"}, floor: l.died > 0, owner: l.taken > 0 && l.died == 0}
	case l.died > 0 && l.orphan:
		return fate{class: "lost", ink: "lost-ink", words: []string{"orphaned", "no holder,", "no receiver"}, floor: true}
	case l.died > 0:
		return fate{class: "over", ink: "soft-ink", words: []string{"gone", "had no data"}, floor: true}
	case l.delivered > 0 && sealed:
		return fate{class: "kept", ink: "kept-ink", words: []string{name + "’s batch", "in the view"}, owner: true}
	case l.delivered > 0:
		return fate{class: "kept", ink: "kept-ink", words: []string{name + " received", "the batch"}, owner: true}
	case l.empty > 0:
		return fate{class: "over", ink: "soft-ink", words: []string{name + " got None", "no data"}, owner: true}
	case l.taken > 0 && l.hasData():
		return fate{class: "kept", ink: "kept-ink", words: []string{name + " owns", "the state"}, owner: true}
	case l.taken > 0:
		return fate{class: "own", ink: "soft-ink", words: []string{name + " owns", "the state"}, owner: true}
	case l.handles() == 0:
		return fate{class: "", ink: "lost-ink", words: []string{"no handle", "is left"}, askew: true}
	}
	return fate{}
}

func (v *View) drawLife(o *out, m moment, world int, l *life) {
	fate := v.fate(m, world, l)
	o.put(`<text class="big" x="11" y="78">`, itoa(l.count), `</text>`)
	if l.counted == m.Step && l.was != l.count {
		o.put(`<text class="txt2" x="`, itoa(18+24*len(itoa(l.count))), `" y="76">was `, itoa(l.was), `</text>`)
	}
	o.put(`<path class="rail" d="M118 64H368"/>`)
	pegs := l.holds
	if len(pegs) > maxPegs {
		pegs = pegs[len(pegs)-maxPegs:]
	}
	n := max(len(pegs), 2)
	gap := (railR - railL - 100) / n
	at := func(i int) int { return railL + 50 + gap/2 + gap*i }
	pull := 0
	for i, h := range pegs {
		x := at(i)
		foot := crateX + 240 + (crateW-480)*(2*i+1)/(2*n)
		if h.left == 0 && h.kind != byLook && !fate.owner {
			line := "string line-" + v.hue(h.t)
			if h.kind == byTemporary {
				line += " dashed"
			}
			o.put(`<path class="`, line, `" d="M`, num(x), ` `, num(railY+120), `L`, num(foot), ` `, num(crateY), `"/>`)
			pull = foot
		}
	}
	for i, h := range pegs {
		x := at(i)
		switch {
		case h.kind == byLook:
			eye(o, v.hue(h.t), x, railY, "1")
		case h.left != 0:
			o.put(`<path class="cut line-`, v.hue(h.t), `" d="M`, num(x), ` `, num(railY+60), `q5 9 1 18"/><circle class="peg" cx="`, num(x), `" cy="`, num(railY), `" r="6"/>`)
		case h.kind == byTemporary:
			v.token(o, h.t, x, railY, min(170, gap*45/100), hollow)
		default:
			v.token(o, h.t, x, railY, min(170, gap*45/100), solid)
		}
		v.pegWords(o, m, h, x, n)
	}
	v.drawCrate(o, m, l, fate, pull)
	if fate.owner {
		o.put(`<path class="string line-`, v.hue(l.owner), `" d="M68 165H126"/>`)
		v.token(o, l.owner, 500, 1650, 190, solid)
		for i, w := range fate.words {
			o.put(`<text class="txt strong `, fate.ink, `" x="12" y="`, itoa(118+17*i), `">`, esc(w), `</text>`)
		}
		return
	}
	for i, w := range fate.words {
		class := "txt2"
		if i == 0 {
			class = "txt strong"
		}
		o.put(`<text class="`, class, ` `, fate.ink, `" x="12" y="`, itoa(150+18*i), `">`, esc(w), `</text>`)
	}
}

// pegWords says above the rail who hangs there; where there are many, only the name.
func (v *View) pegWords(o *out, m moment, h hold, x, n int) {
	name := v.model().Name(h.t)
	if n > 3 {
		if h.kind != byHandle {
			name += "’s"
		}
		o.put(`<text class="txt2 strong ink mid" x="`, num(x), `" y="37">`, esc(name), `</text>`)
		return
	}
	first, second := name, "handle"
	switch {
	case h.kind == byLook:
		first, second = v.looker(h.t), "read "+itoa(h.read)
	case h.kind == byTemporary && h.left == 0:
		first, second = v.looker(h.t), "temporary"
	case h.kind == byTemporary:
		first, second = "sweep left", h.how
	case h.left != 0:
		first, second = name+" left", h.how
	}
	// Below the rail nothing hangs here any more, so there is room.
	switch {
	case h.kind == byLook:
		word := "holds nothing"
		if h.left != 0 {
			word = "held nothing"
		}
		o.put(`<text class="txt2 mid" x="`, num(x), `" y="94">`, word, `</text>`)
	case h.left != 0:
		o.put(`<text class="txt2" x="`, num(x+110), `" y="88">step `, itoa(h.left), `</text>`)
	}
	o.put(`<text class="txt strong mid" x="`, num(x), `" y="20">`, esc(first), `</text><text class="txt2 mid" x="`, num(x), `" y="37">`, esc(second), `</text>`)
}

// looker names who looks at a batch without a handle.
func (v *View) looker(t coalesce.Thread) string {
	if t.Role() == coalesce.Timely {
		return v.model().Name(t) + "’s skip"
	}
	return v.model().Name(t) + "’s sweep"
}

func (v *View) drawCrate(o *out, m moment, l *life, f fate, pull int) {
	class := strings.TrimSpace("crate " + f.class)
	switch {
	case f.floor:
		o.put(`<path class="hair" d="M114 211.5H378"/><g class="crate-group" transform="rotate(-3 248 168)">`)
	case f.askew:
		if pull == 0 {
			pull = crateX + crateW/2
		}
		o.put(`<g class="crate-group" transform="rotate(3.4 `, num(pull), ` 124)">`)
	default:
		o.put(`<g class="crate-group">`)
	}
	dy := 0
	if f.floor {
		dy = 2
	}
	y := func(n int) string { return itoa(124 + dy + n) }
	o.put(`<rect class="`, class, `" x="126" y="`, y(0), `" width="244" height="82" rx="6"/>`)
	lower, upper := v.model().Interval(l.sink, l.n)
	o.put(`<text class="txt strong" x="138" y="`, y(21), `">batch `, v.model().SinkName(l.sink), `</text>`)
	o.put(`<text class="txt2 mono end ink" x="358" y="`, y(21), `">`, esc(span(lower, upper)), `</text>`)
	o.put(`<text class="txt2" x="138" y="`, y(43), `">channel</text>`)
	for i := range coalesce.ChannelSlots {
		class := "slot"
		if i < len(l.queue) {
			class = "full"
		}
		o.put(`<rect class="`, class, `" x="`, itoa(204+20*i), `" y="`, y(32), `" width="16" height="13" rx="2"/>`)
	}
	state := "open"
	if l.closed {
		state = "closed"
	}
	if l.panicked != coalesce.NoPanic {
		state = "broken"
	}
	o.put(`<text class="txt2 end" x="358" y="`, y(43), `">`, state, `</text>`)
	bytes, _ := v.model().Sizes(l.got)
	fill := min(72, bytes*72/v.model().Target)
	if bytes > 0 {
		fill = max(fill, 4)
	}
	o.put(`<text class="txt2" x="138" y="`, y(67), `">builder</text><rect class="slot" x="204" y="`, y(56), `" width="72" height="13" rx="2"/>`)
	if fill > 0 {
		o.put(`<rect class="full" x="204" y="`, y(56), `" width="`, itoa(fill), `" height="13" rx="2"/>`)
	}
	state = strings.TrimSuffix(strings.TrimSuffix(size(bytes), " KiB"), " MiB") + " / " + size(v.model().Target)
	switch {
	case l.panicked != coalesce.NoPanic:
		state = "panicked"
	case l.finished > 0 && bytes == 0:
		state = "no data"
	case l.finished > 0:
		state = "finished"
	case bytes > 0 && v.model().Target >= 1<<20 && bytes < 1<<20:
		state = size(bytes)
	}
	o.put(`<text class="txt2 end" x="358" y="`, y(67), `">`, state, `</text></g>`)
}

// sceneSentence is the picture in words.
func (v *View) sceneSentence(m moment, world int, l *life, focus int) string {
	if l == nil {
		if focus >= 0 {
			return "No batch " + v.entryName(m, focus) + " exists in this world yet."
		}
		return "An empty rail: no batch exists yet."
	}
	var o out
	lower, upper := v.model().Interval(l.sink, l.n)
	o.put("Batch ", v.model().SinkName(l.sink), " ", span(lower, upper), ": strong count ", itoa(l.count))
	if l.counted == m.Step && l.was != l.count {
		o.put(", it was ", itoa(l.was))
	}
	o.put(".")
	for _, h := range l.holds {
		name := v.model().Name(h.t)
		switch {
		case h.kind == byLook && h.left == 0:
			o.put(" ", name, "’s sweep has read the count, ", itoa(h.read), ", and holds nothing.")
		case h.kind == byLook:
			o.put(" ", name, "’s sweep looked and held nothing.")
		case h.kind == byTemporary && h.left == 0 && l.handles() == 0 && l.taken == 0:
			o.put(" Only the temporary of ", name, "’s sweep still holds it.")
		case h.kind == byTemporary && h.left == 0:
			o.put(" The temporary of ", name, "’s sweep holds it.")
		case h.kind == byTemporary:
			o.put(" ", name, "’s sweep let go at step ", itoa(h.left), ", ", h.how, ".")
		case h.left == 0:
			o.put(" ", name, " has a handle.")
		default:
			o.put(" ", name, " left at step ", itoa(h.left), ", ", h.how, ".")
		}
	}
	if f := v.fate(m, world, l); len(f.words) > 0 {
		o.put(" ", upperFirst(strings.Join(f.words, " ")), ".")
	}
	o.put(" ", upperFirst(count(len(l.queue), "part", "parts")), " queued, channel ")
	if l.closed {
		o.put("closed")
	} else {
		o.put("open")
	}
	bytes, _ := v.model().Sizes(l.got)
	o.put("; the builder has ", size(bytes), ".")
	return o.String()
}

// maxOthers limits the batches listed below the picture.
const maxOthers = 4

// besides is the batches that are not drawn and still matter: those alive, those
// lost, and those with data whose interval is not sealed.
func (v *View) besides(m moment, world int, st *story, drawn *life) (show []*life) {
	for _, l := range st.lives {
		sealed := m.Sides[world].State.Sinks[l.sink].Upper > uint8(l.n)
		if l != drawn && (l.live() || l.orphan || l.hasData() && !sealed) {
			show = append(show, l)
		}
	}
	return show
}

func (v *View) others(o *out, m moment, world int, show []*life) {
	o.put(`<ul class="others">`)
	for i, l := range show {
		if i == maxOthers && len(show) > maxOthers {
			o.put(`<li class="other">and `, itoa(len(show)-i), ` more</li>`)
			break
		}
		f := v.fate(m, world, l)
		class, word := strings.TrimSpace("other "+f.class), "on "+count(l.count, "string", "strings")
		if len(f.words) > 0 {
			word = f.words[0]
		}
		if f.owner {
			word = strings.Join(f.words, " ")
		}
		name := v.model().SinkName(l.sink)
		if v.model().Intervals(l.sink) > 1 {
			lower, upper := v.model().Interval(l.sink, l.n)
			name += " " + span(lower, upper)
		}
		o.put(`<li class="`, class, `">`)
		for _, h := range l.holds {
			if h.left == 0 && h.kind != byLook && !f.owner {
				st := solid
				if h.kind == byTemporary {
					st = hollow
				}
				o.put(v.chip(h.t, 17, st))
			}
		}
		if f.owner {
			o.put(v.chip(l.owner, 17, solid))
		}
		o.put(`<b>`, esc(name), `</b> `, esc(word), `</li>`)
	}
	o.put(`</ul>`)
}
