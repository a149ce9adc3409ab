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
	maxPegs = 9 // eight workers and a look
	maxRow  = 5 // strings in one row of tokens; with more every other one hangs lower
	lowRow  = 330
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
	o.Grow(4500)
	if len(v.w.Models) > 1 || slices.Contains(v.s.Panels, scenario.PanelRegistry) {
		o.fill(`<p class="fix">$</p>`, v.mark(v.fix(world), noTerms))
	}
	o.fill(`<svg class="hang" viewBox="0 0 380 214" role="img" aria-label="~">`, v.sceneSentence(m, world, l, focus))
	o.put(`<text class="txt2" x="12" y="36">strong count</text>`)
	if l == nil {
		o.put(`<text class="big faint" x="11" y="78">–</text><path class="rail" d="M118 64H368"/>`)
		word, second := "no batch yet", "who opens it first creates it"
		if v.w.Models[world].Mode == coalesce.PerWorker {
			word, second = "no shared batch", "each worker uploads its own"
		} else if focus >= 0 {
			word = "no batch " + v.entryName(m, focus) + " yet"
		}
		o.fill(`<text class="txt strong mid" x="243" y="112">~</text><text class="txt2 mid" x="243" y="132">$</text>`, word, second)
	} else {
		v.drawLife(&o, m, world, l)
	}
	o.put(`</svg>`)
	if l != nil {
		v.gate(&o, m, world, l)
		v.window(&o, m, world, l)
	}
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
	sealed := m.Sides[world].State.Sinks[l.sink].Upper > uint8(l.n)
	f, says := fate{class: "lost", ink: "lost-ink"}, ""
	switch {
	case l.panicked != coalesce.NoPanic:
		says, f.floor, f.owner = "builder task|panicked", l.died > 0, l.taken > 0 && l.died == 0
	case l.died > 0 && l.orphan:
		says, f.floor = "orphaned|no holder,|no receiver", true
	case l.died > 0:
		says, f.class, f.floor = "gone|had no data", "over", true
	case l.delivered > 0 && sealed:
		says, f.class = "$w’s batch|in the view", "kept"
	case l.delivered > 0:
		says, f.class = "$w received|the batch", "kept"
	case l.empty > 0:
		says, f.class = "$w got None|no data", "over"
	case l.taken > 0 && l.hasData():
		says, f.class = "$w owns|the state", "kept"
	case l.taken > 0:
		says, f.class = "$w owns|the state", "own"
	case l.handles() == 0:
		says, f.class, f.askew = "no handle|is left", "", true
	default:
		return fate{}
	}
	switch f.class {
	case "kept":
		f.ink = "kept-ink"
	case "over", "own":
		f.ink = "soft-ink"
	}
	f.owner = f.owner || says[0] == '$'
	f.words = strings.Split(v.phrase(says, m, l.owner, coalesce.Event{}), "|")
	return f
}

func (v *View) drawLife(o *out, m moment, world int, l *life) {
	fate := v.fate(m, world, l)
	o.draw(`<text class="big" x="11" y="78">#</text>`, l.count)
	if l.counted == m.Step && l.was != l.count {
		o.draw(`<text class="txt2" x="#" y="76">was #</text>`, 18+24*len(itoa(l.count)), l.was)
	}
	o.put(`<path class="rail" d="M118 64H368"/>`)
	pegs := l.holds
	if len(pegs) > maxPegs {
		pegs = pegs[len(pegs)-maxPegs:]
	}
	n := max(len(pegs), 2)
	gap := (railR - railL - 100) / n
	at := func(i int) int { return railL + 50 + gap/2 + gap*i }
	scale := "1"
	radius, low := min(170, gap*45/100), func(i int) int { return 0 }
	if n >= maxRow {
		radius, scale = min(150, gap*60/100), "0.7"
		low = func(i int) int {
			if h := pegs[i]; i%2 == 0 || h.left != 0 || h.kind == byLook {
				return 0
			}
			return lowRow
		}
	}
	pull := 0
	for i, h := range pegs {
		x := at(i)
		foot := crateX + 240 + (crateW-480)*(2*i+1)/(2*n)
		if h.left == 0 && h.kind != byLook && !fate.owner {
			line := "string line-" + v.hue(h.t)
			if h.kind == byTemporary {
				line += " dashed"
			}
			if low(i) > 0 {
				o.mix(`<path class="$" d="M% %V%"/>`, ints{x, railY, railY + lowRow}, line)
			}
			o.mix(`<path class="$" d="M% %L% %"/>`, ints{x, railY + 120 + low(i), foot, crateY}, line)
			pull = foot
		}
	}
	for i, h := range pegs {
		x := at(i)
		switch {
		case h.kind == byLook:
			eye(o, v.hue(h.t), x, railY, scale)
		case h.left != 0:
			o.mix(`<path class="cut line-$" d="M% %q5 9 1 18"/><circle class="peg" cx="%" cy="%" r="6"/>`, ints{x, railY + 60, x, railY}, v.hue(h.t))
		case h.kind == byTemporary:
			v.token(o, h.t, x, railY+low(i), radius, hollow)
		default:
			v.token(o, h.t, x, railY+low(i), radius, solid)
		}
		v.pegWords(o, m, h, x, n, i)
	}
	v.drawCrate(o, m, world, l, fate, pull)
	if fate.owner {
		o.fill(`<path class="string line-$" d="M68 165H126"/>`, v.hue(l.owner))
		v.token(o, l.owner, 500, 1650, 190, solid)
		for i, w := range fate.words {
			o.mix(`<text class="txt strong $" x="12" y="#">~</text>`, ints{118 + 17*i}, fate.ink, w)
		}
		return
	}
	for i, w := range fate.words {
		class := "txt2"
		if i == 0 {
			class = "txt strong"
		}
		o.mix(`<text class="$ $" x="12" y="#">~</text>`, ints{150 + 18*i}, class, fate.ink, w)
	}
}

// pegWords says above the rail who hangs there; where there are many, only the name.
func (v *View) pegWords(o *out, m moment, h hold, x, n, i int) {
	name := v.name(h.t)
	if n > 3 {
		if h.kind != byHandle {
			name = v.looker(h.t)
		}
		y := 37
		if i%2 == 1 { // two rows, so that each name has the room of two strings
			y = 20
		}
		o.mix(`<text class="txt2 strong ink mid" x="%" y="#">~</text>`, ints{x, y}, name)
		return
	}
	first, second := name, "handle"
	switch {
	case h.kind == byLook:
		first, second = v.looker(h.t), "read "+itoa(h.read)
	case h.kind == byTemporary && h.left == 0:
		first, second = v.looker(h.t), "temporary"
	case h.kind == byTemporary:
		first, second = v.looker(h.t)[len(name+"’s "):]+" left", h.how
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
		y := 94
		if n > 2 {
			y = 105
		}
		o.mix(`<text class="txt2 mid" x="%" y="#">$</text>`, ints{x, y}, word)
	case h.left != 0:
		class, at, y := "txt2", x+110, 88
		if n > 2 {
			class, at, y = "txt2 mid", x, 105 // beside it there is no room
		}
		o.mix(`<text class="$" x="%" y="#">step #</text>`, ints{at, y, h.left}, class)
	}
	o.mix(`<text class="txt strong mid" x="%" y="20">~</text><text class="txt2 mid" x="%" y="37">~</text>`, ints{x, x}, first, second)
}

// looker names who looks at a batch without a handle.
func (v *View) looker(t coalesce.Thread) string {
	if t.Role() == coalesce.Timely {
		return v.name(t) + "’s skip"
	}
	return v.name(t) + "’s sweep"
}

func (v *View) drawCrate(o *out, m moment, world int, l *life, f fate, pull int) {
	class := strings.TrimSpace("crate " + f.class)
	switch {
	case f.floor:
		o.put(`<path class="hair" d="M114 211.5H378"/><g class="crate-group" transform="rotate(-3 248 168)">`)
	case f.askew:
		if pull == 0 {
			pull = crateX + crateW/2
		}
		o.draw(`<g class="crate-group" transform="rotate(2.4 % 124)">`, pull)
	default:
		o.put(`<g class="crate-group">`)
	}
	dy := 0
	if f.floor {
		dy = -3 // its corners stay above the floor when it is tilted
	}
	y := func(n int) string { return itoa(124 + dy + n) }
	task := v.model().Name(coalesce.Builder(l.slot)) // data-open is for the data panel
	o.mix(`<g data-open="crate:$:#"><rect class="$" x="126" y="$" width="244" height="82" rx="6"/>`, ints{l.n + 1}, task, class, y(0))
	lower, upper := v.model().Interval(l.sink, l.n)
	o.fill(`<text class="txt strong" x="138" y="$">batch $</text>`, y(21), v.sinkName(l.sink))
	o.fill(`<text class="txt2 mono end ink" x="358" y="$">~</text>`, y(21), span(lower, upper))
	o.fill(`<text class="txt2" x="138" y="$">channel</text>`, y(43))
	for i := range coalesce.ChannelSlots {
		class, open := "slot", ""
		if i < len(l.queue) {
			class, open = "full", filled(` data-open="slot:$:$"`, task, itoa(i))
			if l.queue[i] == finishQueued {
				class, open = "finish", ""
			}
		}
		o.mix(`<rect class="$"$ x="#" y="$" width="16" height="13" rx="2"/>`, ints{204 + 20*i}, class, open, y(32))
		if class == "finish" {
			o.mix(`<text class="letter on-old" x="#" y="$" font-size="11">F</text>`, ints{212 + 20*i}, y(43))
		}
	}
	state := "open"
	if l.closed {
		state = "closed"
	}
	if l.panicked != coalesce.NoPanic {
		state = "broken"
	}
	o.fill(`<text class="txt2 end" x="358" y="$">$</text>`, y(43), state)
	bytes, _ := v.model().Sizes(l.got)
	window := v.openBytes(m, world, l)
	fill := min(60, window*60/v.model().Target)
	if window > 0 {
		fill = max(fill, 4)
	}
	o.fill(`<text class="txt2" x="138" y="$">builder</text><rect class="slot" x="204" y="$" width="60" height="13" rx="2"/>`, y(67), y(56))
	if fill > 0 {
		o.mix(`<rect class="full" x="204" y="$" width="#" height="13" rx="2"/>`, ints{fill}, y(56))
	}
	state = strings.TrimSuffix(strings.TrimSuffix(size(window), " KiB"), " MiB") + " / " + size(v.model().Target)
	switch {
	case l.panicked != coalesce.NoPanic:
		state = "panicked"
	case l.finished > 0 && bytes == 0:
		state = "no data"
	case l.finished > 0:
		state = "finished"
	case window > 0 && v.model().Target >= 1<<20 && window < 1<<20:
		state = size(window)
	}
	o.fill(`<text class="txt2 end" x="358" y="$">$</text></g>`, y(67), state)
	o.put(`</g>`)
}

// sceneSentence is the picture in words.
func (v *View) sceneSentence(m moment, world int, l *life, focus int) string {
	if l == nil {
		if v.w.Models[world].Mode == coalesce.PerWorker {
			return "No batch is shared in this world."
		}
		if focus >= 0 {
			return "No batch " + v.entryName(m, focus) + " exists in this world yet."
		}
		return "An empty rail: no batch exists yet."
	}
	var o out
	lower, upper := v.model().Interval(l.sink, l.n)
	o.mix("Batch $ $: strong count #", ints{l.count}, v.sinkName(l.sink), span(lower, upper))
	if l.counted == m.Step && l.was != l.count {
		o.draw(", it was #", l.was)
	}
	o.put(".")
	for _, h := range l.holds {
		who, says := v.name(h.t), " $ left at step #, $."
		switch {
		case h.kind == byHandle && h.left == 0:
			says = " $ has a handle."
		case h.kind == byLook && h.left == 0:
			says = " $ has read the count, #, and holds nothing."
		case h.kind == byLook:
			says = " $ looked and held nothing."
		case h.kind == byTemporary && h.left != 0:
			says = " $ let go at step #, $."
		case h.kind == byTemporary && l.handles() == 0 && l.taken == 0:
			says = " Only the temporary of $ still holds it."
		case h.kind == byTemporary:
			says = " The temporary of $ holds it."
		}
		if h.kind != byHandle {
			who = v.looker(h.t)
		}
		o.mix(says, ints{h.left + h.read}, who, h.how)
	}
	if f := v.fate(m, world, l); len(f.words) > 0 {
		o.fill(" $.", upperFirst(strings.Join(f.words, " ")))
	}
	queued := count(l.queued(), "part", "parts")
	if l.queued() < len(l.queue) {
		queued += " and Finish"
	}
	o.fill(" $ queued, channel ", upperFirst(queued))
	if l.closed {
		o.put("closed")
	} else {
		o.put("open")
	}
	o.fill("; the builder has $.", size(v.openBytes(m, world, l)))
	for _, r := range v.reports(m, world, l) {
		o.fill(" $: $.", r.who, r.says)
	}
	return o.String()
}

// maxOthers limits the batches listed below the picture.
const maxOthers = 4

// besides is the batches that are not drawn and still matter: those alive, those
// lost, those with data whose interval is not sealed, and what the drawn one's interval
// got besides it.
func (v *View) besides(m moment, world int, st *story, drawn *life) (show []*life) {
	for _, l := range st.lives {
		sealed := m.Sides[world].State.Sinks[l.sink].Upper > uint8(l.n)
		if l != drawn && (l.live() || l.orphan || l.hasData() && !sealed || l.delivered > 0 && drawn != nil && l.entry == drawn.entry) {
			show = append(show, l)
		}
	}
	return show
}

func (v *View) others(o *out, m moment, world int, show []*life) {
	o.put(`<ul class="others">`)
	for i, l := range show {
		if i == maxOthers && len(show) > maxOthers {
			o.draw(`<li class="other">and # more</li>`, len(show)-i)
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
		name := v.sinkName(l.sink)
		if v.model().Intervals(l.sink) > 1 {
			lower, upper := v.model().Interval(l.sink, l.n)
			name += " " + span(lower, upper)
		}
		o.fill(`<li class="$">`, class)
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
		o.fill(`<b>~</b> ~</li>`, name, word)
	}
	o.put(`</ul>`)
}
