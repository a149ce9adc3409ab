//go:build js

package main

import (
	"math"
	"syscall/js"

	"sharedbatches/core/brief"
	"sharedbatches/core/view"
)

// player plays the rest of the current line, one step at a time.
type player struct {
	playing bool
	timer   js.Value
	tick    js.Func
	follow  js.Func // see page.follow
}

func (p *page) listenTransport() {
	e := &p.el
	p.press(e.first, func() { p.move(func() error { p.now.run.First(); return nil }) })
	p.press(e.back, p.goBack)
	p.press(e.dockBack, p.goBack)
	p.press(e.forward, p.goForward)
	p.press(e.last, func() { p.move(func() error { p.now.run.Last(); return nil }) })
	p.press(e.rest, func() { p.move(func() error { return p.now.rest() }) })
	fade := func(js.Value) { p.fadeDock() }
	p.on(e.dockThreads.Underlying(), "scroll", fade)
	p.on(js.Global(), "resize", fade)
	p.press(e.play, p.togglePlay)
	p.press(e.dockPlay, p.togglePlay)
	p.on(e.slider.Underlying(), "input", func(js.Value) {
		if step, ok := brief.Int(e.slider.Get("value").String()); ok {
			p.move(func() error { return p.now.run.Jump(int(step)) })
		}
	})
	p.on(e.asText.Underlying(), "toggle", func(js.Value) { p.paintSteps() })
	// Steps of the drawing and of the table.
	for _, area := range []*element{e.strip, e.steps} {
		p.on(area.Underlying(), "click", func(event js.Value) {
			if text, ok := closest(event, "data-step"); ok {
				if step, ok := brief.Int(text); ok {
					p.move(func() error { return p.now.run.Jump(int(step)) })
				}
			}
		})
	}
	p.on(document, "visibilitychange", func(js.Value) {
		if document.Get("hidden").Bool() {
			p.player.stop(p)
			p.address.flush(p)
		}
	})
	p.on(e.speed.Underlying(), "change", func(js.Value) {
		if p.player.playing {
			p.player.wait(p)
		}
	})
	p.player.tick = js.FuncOf(func(js.Value, []js.Value) any {
		p.guard(func() { p.player.advance(p) })
		return nil
	})
	p.player.follow = js.FuncOf(func(js.Value, []js.Value) any {
		p.guard(p.follow)
		return nil
	})
}

func (p *page) goBack() {
	if p.now.run.Cursor() > 0 {
		p.move(func() error { p.now.run.Back(); return nil })
	}
}

func (p *page) goForward() {
	if p.now.run.Cursor() < p.now.run.Len() {
		p.move(func() error { p.now.run.Forward(); return nil })
	}
}

func (p *page) togglePlay() {
	if p.player.playing {
		p.player.stop(p)
	} else if p.now.run.Cursor() < p.now.run.Len() {
		p.player.playing = true
		p.player.wait(p)
		p.paintTransport(&p.frame)
	}
}

// wait sets the timer for the next step. There is one at a time and each step sets
// the next, so a page that was slow or hidden never catches up in a burst.
func (l *player) wait(p *page) {
	js.Global().Call("clearTimeout", l.timer)
	delay, ok := brief.Int(p.el.speed.Get("value").String())
	if !ok {
		delay = 1000
	}
	l.timer = js.Global().Call("setTimeout", l.tick, delay)
}

func (l *player) advance(p *page) {
	if !l.playing {
		return
	}
	if !p.now.run.Forward() {
		l.stop(p)
		return
	}
	if p.now.run.Cursor() == p.now.run.Len() || p.embed.ends(p.now) {
		l.playing = false
	} else {
		l.wait(p)
	}
	p.jump(func() error { return nil })
}

// pause stops and tells whether there was anything to stop.
func (l *player) pause(p *page) bool {
	was := l.playing
	l.stop(p)
	return was
}

func (l *player) stop(p *page) {
	if !l.playing {
		return
	}
	l.playing = false
	js.Global().Call("clearTimeout", l.timer)
	p.paintTransport(&p.frame)
}

func (p *page) paintTransport(f *view.Frame) {
	e := &p.el
	atStart, atEnd := f.Cursor == 0, f.Cursor == f.Length
	e.first.disable(atStart)
	e.back.disable(atStart)
	e.dockBack.disable(atStart)
	e.forward.disable(atEnd)
	e.last.disable(atEnd)
	e.play.disable(atEnd)
	e.dockPlay.disable(atEnd)
	e.rest.disable(f.Over)
	verb := "Play"
	if p.player.playing {
		verb = "Pause"
	}
	e.play.attribute("aria-label", verb+", space")
	e.dockPlay.attribute("aria-label", verb)
	p.root.attribute("data-playing", yes(p.player.playing))
}

// follow keeps in view what the reader follows. It runs right before the frame is laid
// out, which therefore happens once.
func (p *page) follow() {
	p.followCursor()
	p.followSuggestion()
	p.followDock()
}

// followSuggestion scrolls the column of cards, where it has a scroll bar of its own, to
// the card that is suggested; not while the reader is at work in it.
func (p *page) followSuggestion() {
	column := p.el.threads
	if p.frame.Suggest == "" || column.Get("scrollHeight").Int() <= column.Get("clientHeight").Int() ||
		column.Call("contains", document.Get("activeElement")).Bool() {
		return
	}
	for i := range p.threads {
		if t := &p.threads[i]; t.name == p.frame.Suggest {
			from, at := column.GetBoundingClientRect(), t.card.GetBoundingClientRect()
			if below := at.Bottom() - from.Bottom(); below > 0 {
				column.Set("scrollTop", column.Get("scrollTop").Float()+below+8)
			} else if above := from.Top() - at.Top(); above > 0 {
				column.Set("scrollTop", column.Get("scrollTop").Float()-above-8)
			}
		}
	}
}

// followDock keeps the suggested thread in view in the dock, and shows whether it goes on.
func (p *page) followDock() {
	dock := p.el.dockThreads
	from := dock.GetBoundingClientRect()
	if from.Width() == 0 {
		return
	}
	for i := range p.threads {
		if t := &p.threads[i]; t.name == p.frame.Suggest {
			at := t.dock.GetBoundingClientRect()
			const fade = 24
			if over := at.Right() + fade - from.Right(); over > 0 {
				dock.Set("scrollLeft", dock.Get("scrollLeft").Float()+over)
			} else if under := from.Left() + fade - at.Left(); under > 0 {
				dock.Set("scrollLeft", dock.Get("scrollLeft").Float()-under)
			}
		}
	}
	p.fadeDock()
}

func (p *page) fadeDock() {
	dock := p.el.dockThreads
	left := dock.Get("scrollLeft").Float()
	more := ""
	if left > 4 {
		more = "left "
	}
	if left+dock.Get("clientWidth").Float()+4 < dock.Get("scrollWidth").Float() {
		more += "right"
	}
	dock.attribute("data-more", more)
}

// followCursor scrolls the timeline sideways so that its cursor is in view. It stops
// where a step begins, so that nothing is cut off at the left; the sign between two steps
// at which the worlds part needs the one before.
func (p *page) followCursor() {
	drawing := p.el.strip.Get("firstElementChild")
	if drawing.IsNull() {
		return
	}
	number := func(name string) float64 {
		// The browser reads it: strconv's reading of floats is 4 kB of page.wasm.
		return js.Global().Call("Number", drawing.Call("getAttribute", name)).Float()
	}
	x, first, wide := number("data-x"), number("data-first"), number("data-wide")
	const margin = 60
	// The names of the lanes stay at the left, unless they scroll with the rest.
	names := drawing.Get("nextElementSibling")
	covered := names.Get("clientWidth").Float()
	if js.Global().Call("getComputedStyle", names).Get("position").String() != "sticky" {
		covered = 0
	}
	left, width := p.el.strip.Get("scrollLeft").Float(), p.el.strip.Get("clientWidth").Float()
	if x-margin < left+covered || x+margin > left+width {
		to := min(x-width*2/3, p.el.strip.Get("scrollWidth").Float()-width-wide) // there is room for a step after the last
		n := math.Ceil((to + covered - first) / wide)
		if n == number("data-apart") {
			n--
		}
		p.el.strip.Set("scrollLeft", max(0, first+n*wide-covered))
	}
}
