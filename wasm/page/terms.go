//go:build js

package main

import (
	"strconv"
	"syscall/js"

	"sharedbatches/core/view"
)

// terms shows the sentence that explains a term while the term has the mouse or the
// focus, or after a tap.
type terms struct {
	tip     *element
	of      js.Value // the term that is explained, or null
	pending js.Value // timer that closes the tip
	closing js.Func
	x, y    float64 // where the mouse was last seen to move
}

func (p *page) listenTerms() {
	t := &p.terms
	t.tip, t.of = byID("tip"), js.Null()
	t.closing = js.FuncOf(func(js.Value, []js.Value) any { p.guard(t.close); return nil })
	show := func(event js.Value) {
		if term := t.find(event.Get("target")); !term.IsNull() {
			t.open(term)
		}
	}
	p.on(p.root.Underlying(), "pointerover", func(event js.Value) {
		// A step moves text under a mouse that lies still; that is no question.
		if event.Get("pointerType").String() != "mouse" || event.Get("screenX").Float() != t.x || event.Get("screenY").Float() != t.y {
			show(event)
		}
	})
	p.on(p.root.Underlying(), "pointermove", func(event js.Value) {
		t.x, t.y = event.Get("screenX").Float(), event.Get("screenY").Float()
	})
	p.on(p.root.Underlying(), "focusin", show)
	p.on(p.root.Underlying(), "focusout", func(js.Value) { t.leave() })
	p.on(p.root.Underlying(), "pointerout", func(event js.Value) {
		if !t.of.IsNull() && event.Get("pointerType").String() != "touch" {
			t.leave()
		}
	})
	p.on(p.root.Underlying(), "click", func(event js.Value) {
		if term := t.find(event.Get("target")); !term.IsNull() {
			t.open(term)
		} else if !t.of.IsNull() {
			t.close()
		}
	})
}

// find is the term around a node; the tip counts as its term's, so that the mouse can
// move onto it.
func (t *terms) find(node js.Value) js.Value {
	if node.Get("closest").IsUndefined() {
		return js.Null()
	}
	if !t.of.IsNull() && t.tip.Call("contains", node).Bool() {
		return t.of
	}
	return node.Call("closest", ".term[data-term]")
}

func (t *terms) open(term js.Value) {
	js.Global().Call("clearTimeout", t.pending)
	if term.Equal(t.of) {
		return
	}
	t.close()
	sentence := view.Term(term.Call("getAttribute", "data-term").String())
	if sentence == "" {
		return
	}
	t.of = term
	t.tip.text(sentence)
	t.tip.show(true)
	term.Call("setAttribute", "aria-describedby", "tip")
	t.place()
}

// place puts the tip below its term, or above where there is no room, and never
// beyond the edge of the window.
func (t *terms) place() {
	const gap = 8
	at, size := t.of.Call("getBoundingClientRect"), t.tip.Call("getBoundingClientRect")
	width, height := size.Get("width").Float(), size.Get("height").Float()
	root := document.Get("documentElement")
	left := min(at.Get("left").Float(), root.Get("clientWidth").Float()-width-gap)
	top := at.Get("bottom").Float() + gap
	if top+height > root.Get("clientHeight").Float() {
		top = at.Get("top").Float() - height - gap
	}
	style := t.tip.Get("style")
	style.Set("left", strconv.Itoa(int(max(gap, left)))+"px")
	style.Set("top", strconv.Itoa(int(max(gap, top)))+"px")
}

// leave closes the tip soon, unless the mouse moves onto it.
func (t *terms) leave() {
	js.Global().Call("clearTimeout", t.pending)
	t.pending = js.Global().Call("setTimeout", t.closing, 200)
}

func (t *terms) close() {
	if t.of.IsNull() {
		return
	}
	t.of.Call("removeAttribute", "aria-describedby")
	t.of = js.Null()
	t.tip.show(false)
}

// dismiss closes the tip and tells whether it was open.
func (t *terms) dismiss() bool {
	open := !t.of.IsNull()
	t.close()
	return open
}
