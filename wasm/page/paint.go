//go:build js

package main

import (
	"strconv"
	"syscall/js"

	"sharedbatches/core/schedule"
	"sharedbatches/core/view"
)

// paint writes the moment at the cursor. Only strings that changed reach the page.
func (p *page) paint() {
	f := p.now.view.Frame(p.now.run, p.now.grain)
	p.now.follow()
	p.now.limit(&f)
	p.frame = f
	e := &p.el
	e.stepNo.text(f.StepNo)
	e.says.html(string(f.Says))
	e.broken.text(p.now.broken())
	e.why.html(string(f.Why))
	e.note.html(string(f.Note))
	e.explain.show(f.Why != "" || f.Note != "")
	for i, w := range f.Worlds {
		e.world[i].paint(&w)
	}
	e.seam.html(string(f.Seam))
	p.paintRows(e.rules, f.Rules)
	p.paintRows(e.meter, f.Meter)
	p.paintSwitches(f.Switches)
	e.strip.drawing(f.Timeline)
	p.paintSteps()
	e.branches.html(string(f.Branches))
	e.schedule.text(f.Schedule)
	p.paintSlider(&f)
	p.paintThreads(&f)
	p.paintTransport(&f)
	p.paintLesson(&f)
	p.terms.close()
	p.followExplore()
	p.tellData()
	js.Global().Call("requestAnimationFrame", p.player.follow)
	if good, err := p.now.fragment(); err == nil || p.now.yaml != "" {
		p.good = good
	}
	p.embed.paint(p)
}

// paintRows keeps open the rows of the rules or the meter that the reader opened.
func (p *page) paintRows(e *element, rows view.HTML) {
	if !e.html(string(rows)) {
		return
	}
	for key, open := range p.opened {
		if row := e.Call("querySelector", `[data-rule="`+key+`"]`); !row.IsNull() {
			row.Set("open", open)
		}
	}
}

// listenRows remembers which rows the reader opened or closed.
func (p *page) listenRows() {
	for _, e := range []*element{p.el.rules, p.el.meter} {
		p.on(e.Underlying(), "click", func(event js.Value) {
			if event.Get("target").Call("closest", "summary").IsNull() {
				return
			}
			if key, ok := closest(event, "data-rule"); ok {
				row := event.Get("target").Call("closest", "[data-rule]")
				p.opened[key] = !row.Get("open").Bool() // as it will be after this click
			}
		})
	}
}

func (w *world) paint(v *view.World) {
	w.frame.attribute("data-world", v.Name)
	w.head.html(string(v.Head))
	w.badge.html(string(v.Badge))
	w.registry.html(string(v.Registry))
	w.scene.html(string(v.Scene))
	w.blobs.html(string(v.Blobs))
	w.shard.html(string(v.Shard))
	w.sink.html(string(v.Sink))
	w.reader.html(string(v.Reader))
}

func (p *page) paintSlider(f *view.Frame) {
	s := p.el.slider
	s.attribute("max", strconv.Itoa(f.Length))
	s.attribute("aria-valuetext", f.StepNo+": "+f.SaysPlain)
	// The reader moves the slider too, so what was last written says nothing.
	s.Set("value", f.Cursor)
}

// paintSteps writes the run as text, which is long, only while it can be seen.
func (p *page) paintSteps() {
	if p.el.asText.Get("open").Truthy() {
		p.el.steps.html(string(p.now.view.Steps(p.now.run)))
	}
}

// tellUnit says how far one press went, and what stopped it.
func (p *page) tellUnit(name string, letters int, why string) {
	text := schedule.Print([]schedule.Letter{name})
	if letters > 1 {
		text += ": " + strconv.Itoa(letters) + " steps"
	}
	if why != "" {
		text += ", then blocked: " + why
	}
	p.el.ran.text(text)
}
