package view

// Drawing is markup in pieces: svg elements, each of groups. A page can write those
// alone that differ from what it shows.
type Drawing []Picture

// Picture is one svg: names and values of its attributes, and what is in it.
type Picture struct {
	Attributes [][2]string
	Groups     []Group
}

// Group is one g element. Between two moments mostly its class changes.
type Group struct {
	Class  string
	Step   int // its data-step; 0: it has none
	Inside string
}

// HTML is the whole drawing.
func (d Drawing) HTML() HTML {
	var o out
	for i := range d {
		o.put(`<svg`)
		for _, a := range d[i].Attributes {
			o.fill(` $="~"`, a[0], a[1])
		}
		o.put(`>`)
		for k := range d[i].Groups {
			o.put(d[i].Groups[k].Markup())
		}
		o.put(`</svg>`)
	}
	return o.html()
}

// Markup is the group as an element.
func (g *Group) Markup() string {
	step := ""
	if g.Step > 0 {
		step = numbers(` data-step="#"`, g.Step)
	}
	return filled(`<g class="$"$>$</g>`, g.Class, step, g.Inside)
}
