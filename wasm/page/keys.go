//go:build js

package main

import (
	"strconv"
	"strings"
	"syscall/js"

	"sharedbatches/core/worlds"
)

// listenKeys acts on keys while the focus is inside the playground. What it does not
// know stays with the browser and with the page around.
func (p *page) listenKeys() {
	p.on(document, "keydown", func(event js.Value) {
		key := event.Get("key")
		if key.Type() != js.TypeString || event.Get("ctrlKey").Bool() || event.Get("altKey").Bool() || event.Get("metaKey").Bool() ||
			event.Get("isComposing").Bool() || event.Get("defaultPrevented").Bool() || !p.inside(event.Get("target")) {
			return
		}
		if p.key(key.String(), event) {
			event.Call("preventDefault")
		}
	})
}

// inside tells whether keys that go to target are the playground's. On a page of its
// own that includes those that go to nothing in particular.
func (p *page) inside(target js.Value) bool {
	if p.root.Call("contains", target).Bool() {
		return true
	}
	return p.alone && (target.Equal(document.Get("body")) || target.Equal(document.Get("documentElement")))
}

// key answers one key and tells whether it did.
func (p *page) key(key string, event js.Value) bool {
	target := event.Get("target")
	if p.helpIsOpen() || p.typing(target) {
		// The dialog closes itself on Escape.
		return key == "Escape" && tag(target) == "SELECT" && p.closeExplore()
	}
	shift := event.Get("shiftKey").Bool()
	if (key == "x" || key == "X") && p.letters && !event.Get("repeat").Bool() {
		return p.toggleExplore()
	}
	if len(key) == 1 && p.isLetter(key) {
		return p.letters && !event.Get("repeat").Bool() && p.letterKey(strings.ToUpper(key)[0], shift)
	}
	if len(key) == 1 && key[0] >= '1' && key[0] <= '9' {
		return p.letters && p.choose(int(key[0]-'0'))
	}
	switch key {
	case "?":
		return p.openHelp()
	case "Escape":
		return p.terms.dismiss() || p.closeMessage() || p.player.pause(p) || p.closeExplore()
	case " ":
		if p.holdsControl(target) || event.Get("repeat").Bool() {
			return false
		}
		p.togglePlay()
		return true
	}
	if tag(target) == "INPUT" { // the slider and switches have arrow keys of their own
		return false
	}
	switch key {
	case "ArrowLeft":
		if shift {
			return p.toDifference()
		}
		p.goBack()
	case "ArrowRight":
		p.goForward()
	case "Home":
		p.move(func() error { p.now.run.First(); return nil })
	case "End":
		p.move(func() error { p.now.run.Last(); return nil })
	case "ArrowUp":
		return p.toBranch(-1)
	case "ArrowDown":
		return p.toBranch(1)
	default:
		return false
	}
	return true
}

// letterKey steps a thread or moves the focus among several. Shift takes the whole call.
func (p *page) letterKey(letter byte, shift bool) bool {
	c := choose(letter, p.frame.Threads, p.focused())
	switch {
	case c.step != "":
		grain := p.now.grain
		if shift {
			grain = worlds.Call
		}
		p.step(c.step, grain)
	case c.focus != "":
		p.focusStep(c.focus)
	case c.blocked != "":
		p.el.ran.text(c.blocked)
	default:
		return false
	}
	return true
}

func (p *page) isLetter(key string) bool {
	return key[0] >= 'a' && key[0] <= 'z' || key[0] >= 'A' && key[0] <= 'Z'
}

// toDifference jumps to the first step after which the worlds differ.
func (p *page) toDifference() bool {
	step := p.now.difference()
	if step == 0 {
		p.el.ran.text("The worlds do not differ on this line.")
		return true
	}
	p.move(func() error { return p.now.run.Jump(step) })
	return true
}

func (p *page) toBranch(by int) bool {
	if !p.now.otherBranch(by) {
		text := "No other branch at this step"
		if step := p.now.nearestFork(); step >= 0 {
			text += " (nearest: step " + strconv.Itoa(step) + ")"
		}
		p.el.ran.text(text + ".")
		return false // the page may scroll
	}
	p.move(func() error { return nil })
	return true
}

// typing tells whether keys at target are text.
func (p *page) typing(target js.Value) bool {
	switch tag(target) {
	case "TEXTAREA", "SELECT":
		return true
	case "INPUT":
		switch target.Get("type").String() {
		case "range", "checkbox", "radio", "button":
			return false
		}
		return true
	}
	return target.Get("isContentEditable").Truthy()
}

// holdsControl tells whether the space bar belongs to target.
func (p *page) holdsControl(target js.Value) bool {
	switch tag(target) {
	case "BUTTON", "A", "SUMMARY", "INPUT":
		return true
	}
	return false
}

func tag(target js.Value) string {
	if name := target.Get("tagName"); name.Type() == js.TypeString {
		return name.String()
	}
	return ""
}
