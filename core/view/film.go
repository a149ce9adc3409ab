package view

import (
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/worlds"
)

// The film of a run is a few small pictures for the cover of an embed, which is made
// at build time: what page.wasm does not call it does not contain.

// Shot is one picture of the film.
type Shot struct {
	Step    int    // 0: the start
	Key     bool   // not only what was before
	Picture HTML   // an svg of class shot
	Caption string // what the step did in this world, plain text
}

// Film is the pictures of each world, the same steps in all. It is no method of View,
// because exported methods stay in page.wasm whether it calls them or not.
func Film(v *View, r *worlds.Run) ([][]Shot, error) {
	defer func(at int) { _ = r.Jump(at) }(r.Cursor())
	film := make([][]Shot, len(v.w.Models))
	steps, from, err := v.keySteps(r)
	if err != nil {
		return nil, err
	}
	for i, k := range steps {
		if err := r.Jump(k); err != nil {
			return nil, err
		}
		for world := range film {
			film[world] = append(film[world], Shot{k, i >= from, v.shot(r, world), v.caption(r, world)})
		}
	}
	return film, nil
}

// most is how many pictures a world has in the film.
const most = 4

// keySteps chooses the steps of the film and tells which of them comes first after what
// was before. Where the worlds part it is those around that step: the one before, the
// first that differs, and then those that change the picture of some world. Else it is
// the start, what breaks or changes the picture, and the end.
func (v *View) keySteps(r *worlds.Run) (steps []int, from int, err error) {
	length := r.Len()
	differ := r.At(length).Differ
	first := max(1, v.s.Start+1)
	if differ > 0 {
		first = differ
	}
	steps = []int{first - 1}
	if differ > 0 {
		steps = append(steps, differ)
	}
	var changes []int // steps that change a picture
	last, broken := "", 0
	for k := steps[len(steps)-1]; k <= length; k++ {
		if err := r.Jump(k); err != nil {
			return nil, 0, err
		}
		pictures := ""
		for world := range v.w.Models {
			pictures += string(v.shot(r, world))
			if differ > 0 {
				pictures += v.outcome(r.Now(), world, v.story(r, world))
			}
			for _, since := range r.Now().Sides[world].Since {
				if since == k && broken == 0 && k > steps[len(steps)-1] {
					broken = k
				}
			}
		}
		if pictures != last && last != "" {
			changes = append(changes, k)
		}
		last = pictures
	}
	must := v.s.Outcome
	if differ == 0 {
		must = broken
	}
	if must > steps[len(steps)-1] {
		steps = insert(steps, must)
	}
	if differ == 0 && length > first {
		steps = insert(steps, length)
	}
	for i, k := range changes {
		if len(steps) == most {
			break
		}
		// Without a difference they are spread over the run.
		if differ == 0 && len(changes) > most {
			k = changes[min((i+1)*len(changes)/most, len(changes)-1)]
		}
		steps = insert(steps, k)
	}
	return steps, 1, nil
}

// insert puts a step in its place unless it is there.
func insert(steps []int, k int) []int {
	at := len(steps)
	for at > 0 && steps[at-1] >= k {
		if at--; steps[at] == k {
			return steps
		}
	}
	steps = append(steps, 0)
	copy(steps[at+1:], steps[at:])
	steps[at] = k
	return steps
}

// caption says what the step at the cursor did in a world.
func (v *View) caption(r *worlds.Run, world int) string {
	m := r.Now()
	if m.Step == 0 {
		return "nothing has moved yet"
	}
	before := r.At(m.Step - 1)
	if m.Sides[world].Line < 0 {
		return v.name(m.Thread) + " does not move"
	}
	lead, _ := v.tell(before, m, world)
	lead = strings.TrimSuffix(plain(lead), " and takes the registry lock")
	st := v.story(r, world)
	now, was := v.outcome(m, world, st), ""
	l := v.drawn(m, world, st, v.focus(r))
	if r.Jump(m.Step-1) == nil {
		was = v.outcome(r.Now(), world, v.story(r, world))
		_ = r.Jump(m.Step)
	}
	switch {
	case now != was && len(now) > 1 && !strings.HasSuffix(now, "panicked"):
		now, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(now[1:], v.name(m.Thread)+": "), "late: "), ": ")
		lead += ": " + now
	case l != nil && l.counted == m.Step && l.was != l.count && l.was > 0:
		lead += mixed(": count # → #", ints{l.was, l.count})
	case l != nil:
		if e, ok := events(m.Sides[world].Events).find(coalesce.ProbeLoaded); ok && e.Slot == int8(l.slot) {
			lead += ", only reads " + itoa(int(e.A))
		}
	}
	return lead
}

// The small picture, in tenths of a unit of 150 x 78.
const (
	shotRailY, shotRailL, shotRailR    = 200, 440, 1440
	shotCrateX, shotCrateY, shotCrateW = 500, 480, 880
	shotCrateH, shotToken, shotPegs    = 260, 100, 6
	shotOwnerX, shotOwnerY             = 240, 610
)

// shot draws a batch on its strings without the words of the large picture.
func (v *View) shot(r *worlds.Run, world int) HTML {
	m, st, focus := r.Now(), v.story(r, world), v.focus(r)
	l := v.drawn(m, world, st, focus)
	var o out
	o.fill(`<svg class="shot" viewBox="0 0 150 78" role="img" aria-label="~">`, v.w.Names[world]+". "+v.shotSentence(m, world, l, focus))
	if l == nil {
		o.put(`<text class="count faint" x="6" y="31">–</text><path class="rail" d="M44 20H144"/><text class="txt2 mid" x="94" y="54">no batch yet</text></svg>`)
		return o.html()
	}
	f := v.fate(m, world, l)
	o.draw(`<text class="count" x="6" y="31">#</text><path class="rail" d="M44 20H144"/>`, l.count)
	pegs := l.holds
	if len(pegs) > shotPegs {
		pegs = pegs[len(pegs)-shotPegs:]
	}
	n := max(len(pegs), 2)
	gap := (shotRailR - shotRailL) / n
	radius := min(shotToken, gap*45/100)
	at := func(i int) int { return shotRailL + gap/2 + gap*i }
	pull := shotCrateX + shotCrateW/2
	for i, h := range pegs {
		if h.left != 0 || h.kind == byLook || f.owner {
			continue
		}
		line := "string line-" + v.hue(h.t)
		if h.kind == byTemporary {
			line += " dashed"
		}
		foot := shotCrateX + 120 + (shotCrateW-240)*(2*i+1)/(2*n)
		o.mix(`<path class="$" d="M% %L% %"/>`, ints{at(i), shotRailY + radius, foot, shotCrateY}, line)
		pull = foot
	}
	for i, h := range pegs {
		x := at(i)
		switch {
		case h.kind == byLook:
			eye(&o, v.hue(h.t), x, shotRailY, ".7")
		case h.left != 0:
			o.mix(`<path class="cut line-$" d="M% %q4 7 1 13"/><circle class="peg" cx="%" cy="%" r="4"/>`, ints{x, shotRailY + 40, x, shotRailY}, v.hue(h.t))
		case h.kind == byTemporary:
			v.token(&o, h.t, x, shotRailY, radius, hollow)
		default:
			v.token(&o, h.t, x, shotRailY, radius, solid)
		}
	}
	turn := ""
	switch {
	case f.floor:
		turn = ` transform="rotate(-3 94 70)"`
	case f.askew:
		turn = numbers(` transform="rotate(5 % %)"`, pull, shotCrateY)
	}
	o.mix(`<g$><rect class="$" x="%" y="%" width="%" height="%" rx="4"/><text class="txt strong mid" x="94" y="65">batch ~</text></g>`,
		ints{shotCrateX, shotCrateY, shotCrateW, shotCrateH}, turn, strings.TrimSpace("crate "+f.class), v.sinkName(l.sink))
	if f.owner {
		o.mix(`<path class="string line-$" d="M% %H%"/>`, ints{shotOwnerX, shotOwnerY, shotCrateX}, v.hue(l.owner))
		v.token(&o, l.owner, shotOwnerX, shotOwnerY, shotToken, solid)
	}
	o.put(`</svg>`)
	return o.html()
}

// shotSentence is the small picture in words.
func (v *View) shotSentence(m moment, world int, l *life, focus int) string {
	says := v.sceneSentence(m, world, l, focus)
	if at := strings.Index(says, " parts queued"); at > 0 {
		says = says[:strings.LastIndex(says[:at], ". ")+1]
	}
	if at := strings.Index(says, " part queued"); at > 0 {
		says = says[:strings.LastIndex(says[:at], ". ")+1]
	}
	return says
}
