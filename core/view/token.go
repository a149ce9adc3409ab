package view

import "sharedbatches/core/coalesce"

// Tokens: the sign of a thread. Workers differ by shape and letter before they
// differ by hue; machines are grey.

// style is how a token is drawn.
type style uint8

const (
	solid  style = iota
	hollow       // a sweep's temporary: dashed outline, no fill
	old          // a step of an earlier branch
)

// hue is the suffix of the colour classes of a thread: a, b, k or p.
func (v *View) hue(t coalesce.Thread) string {
	switch t.Role() {
	case coalesce.WriteTask:
		w := v.model().Worker(t)
		n := (w + w/4) % 2
		return "ab"[n : n+1]
	case coalesce.Append:
		return "p"
	}
	return "k"
}

// unit shapes: points of a polygon with radius 100 around 0,0.
var shapes = [...][][2]int{
	nil,                                // circle
	nil,                                // square
	{{0, -112}, {106, 76}, {-106, 76}}, // triangle
	{{0, -108}, {103, -33}, {64, 88}, {-64, 88}, {-103, -33}},                                        // pentagon
	{{-108, 0}, {-54, -100}, {54, -100}, {108, 0}, {54, 100}, {-54, 100}},                            // hexagon
	{{0, -112}, {112, 0}, {0, 112}, {-112, 0}},                                                       // diamond
	{{-42, -100}, {42, -100}, {100, -42}, {100, 42}, {42, 100}, {-42, 100}, {-100, 42}, {-100, -42}}, // octagon
}

func (v *View) shape(t coalesce.Thread) int {
	switch t.Role() {
	case coalesce.WriteTask:
		return v.model().Worker(t) % 4
	case coalesce.BuilderTask:
		return 4
	case coalesce.Append:
		return 5
	}
	return 6
}

// token draws a thread's sign around x, y, in tenths of a unit, with radius r.
func (v *View) token(o *out, t coalesce.Thread, x, y, r int, st style) {
	hue, class, letter := v.hue(t), "", "letter"
	switch st {
	case solid:
		class = "actor-" + hue
		if hue == "k" || hue == "p" {
			letter = "letter on-machine"
		}
	case hollow:
		class, letter = "temp line-"+hue, "letter on-"+hue
	case old:
		class, letter = "thin blank", "letter on-old"
	}
	switch shape := v.shape(t); shape {
	case 0:
		o.mix(`<circle class="$" cx="%" cy="%" r="%"/>`, ints{x, y, r}, class)
	case 1:
		s := r * 92 / 100
		o.mix(`<rect class="$" x="%" y="%" width="%" height="%" rx="%"/>`, ints{x - s, y - s, 2 * s, 2 * s, max(r/6, 10)}, class)
	default:
		o.fill(`<polygon class="$" points="`, class)
		for i, p := range shapes[shape] {
			if i > 0 {
				o.put(" ")
			}
			o.draw("%,%", x+p[0]*r/100, y+p[1]*r/100)
		}
		o.put(`"/>`)
	}
	name := v.name(t)
	font := []int{0, 92, 80, 62}[min(len(name), 3)] * r / 100
	dy := font * 36 / 100
	if v.shape(t) == 2 {
		dy += r / 5
	}
	o.mix(`<text class="$" x="%" y="%" font-size="%">~</text>`, ints{x, y + dy, font}, letter, name)
}

// chip is a token as a picture of its own, size in CSS pixels.
func (v *View) chip(t coalesce.Thread, px int, st style) string {
	var o out
	o.draw(`<svg class="chip" width="#" height="#" viewBox="-14 -14 28 28" aria-hidden="true">`, px, px)
	v.token(&o, t, 0, 0, 120, st)
	o.put(`</svg>`)
	return o.String()
}

// Chip is the sign of a thread for its card's head.
func (v *View) Chip(name string) HTML {
	t, ok := v.model().ByName(name)
	if !ok {
		return ""
	}
	return HTML(v.chip(t, 26, solid))
}

// eye is the sign of a load by strong_count.
func eye(o *out, hue string, x, y int, scale string) {
	o.mix(`<g transform="translate(% %) scale($)"><path class="eye line-$" d="M-17 0Q0 -15 17 0Q0 15 -17 0Z"/><circle class="actor-$" r="5"/></g>`, ints{x, y}, scale, hue, hue)
}

// probeSign is the sign of a world: what its sweep's probe looks like.
func (v *View) probeSign(world int) string {
	var o out
	o.fill(`<svg class="probe" viewBox="0 0 40 32" role="img" aria-label="~">`, v.w.Names[world])
	if !v.probes() {
		// Dashed for a broken rule, as the temporary is.
		class := "peg"
		if r := v.apart[0]; r.Broken[v.value(r, world)] {
			class = "peg dashes"
		}
		o.fill(`<circle class="$" cx="20" cy="16" r="11"/>`, class)
		if world > 0 {
			o.put(`<circle class="full" cx="20" cy="16" r="5"/>`)
		}
	} else if v.w.Models[world].Probe == coalesce.Upgrade {
		o.put(`<rect class="temp line-b" x="8" y="4" width="24" height="24" rx="2.6"/><path class="cut line-b" d="M20 28V32"/>`)
	} else {
		eye(&o, "b", 200, 160, "1")
	}
	o.put(`</svg>`)
	return o.String()
}

const (
	signCross = `<svg class="mark bad" viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3l10 10M13 3L3 13"/></svg>`
	signCheck = `<svg class="mark ok" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 8.5l4 4 7-9"/></svg>`
	signCrown = `<svg class="mark crown" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 13V4l3 4L8 3l2.5 5 3-4v9z"/></svg>`
	signDot   = `<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="4"/></svg>`
)
