//go:build js

package main

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"sharedbatches/core/view"
)

// element is one element of the page, looked up once, with what was last written to it.
type element struct {
	*dom.BasicHTMLElement
	written map[string]string // by property, or by attribute with "@" before it
	drawn   view.Drawing      // by element.drawing
	absent  bool              // the page has no such element; nothing is written
}

var document = js.Global().Get("document")

// byID looks an element up. It wraps it without dom's own look-up, which compares
// the element with up to sixty classes in turn and takes half a millisecond.
func byID(id string) *element {
	found := document.Call("getElementById", id)
	if found.IsNull() {
		return lacking(id)
	}
	return wrap(found)
}

func wrap(node js.Value) *element {
	return &element{&dom.BasicHTMLElement{BasicElement: &dom.BasicElement{BasicNode: &dom.BasicNode{Value: node}}}, map[string]string{}, nil, false}
}

// changes tells whether a value differs from what was last written, and remembers it.
func (e *element) changes(what, value string) bool {
	if old, ok := e.written[what]; e.absent || ok && old == value {
		return false
	}
	e.written[what] = value
	return true
}

func (e *element) text(s string) {
	if e.changes("text", s) {
		e.SetTextContent(s)
	}
}

// html writes markup and tells whether it had changed.
func (e *element) html(s string) bool {
	if !e.changes("html", s) {
		return false
	}
	e.SetInnerHTML(s)
	return true
}

// drawing writes a drawing in place of the one before, if it can only what differs.
func (e *element) drawing(new view.Drawing) {
	const most = 10 // more groups than this are slower one by one than all at once
	if e.absent {
		return
	}
	d, ok := difference(e.drawn, new)
	e.drawn = new
	if !ok || len(d.groups) > most {
		e.SetInnerHTML(string(new.HTML()))
		return
	}
	pictures := e.Get("children")
	for _, a := range d.attributes {
		attribute := new[a.picture].Attributes[a.index]
		pictures.Index(a.picture).Call("setAttribute", attribute[0], attribute[1])
	}
	var groups [2]js.Value
	group := func(a at) js.Value {
		if groups[a.picture].IsUndefined() {
			groups[a.picture] = pictures.Index(a.picture).Get("children")
		}
		return groups[a.picture].Index(a.index)
	}
	for _, c := range d.classes {
		group(c).Call("setAttribute", "class", new[c.picture].Groups[c.index].Class)
	}
	for _, g := range d.groups {
		group(g).Set("outerHTML", new[g.picture].Groups[g.index].Markup())
	}
}

func (e *element) class(s string) {
	if e.changes("@class", s) {
		e.SetAttribute("class", s)
	}
}

func (e *element) attribute(name, value string) {
	if e.changes("@"+name, value) {
		e.SetAttribute(name, value)
	}
}

func (e *element) show(shown bool) {
	if e.changes("hidden", yes(!shown)) {
		e.Set("hidden", !shown)
	}
}

// disable marks a button that answers no press for now. It stays focusable, so that
// the focus is not lost and the reason can be heard.
func (e *element) disable(disabled bool) { e.attribute("aria-disabled", yes(disabled)) }

func (e *element) disabled() bool { return e.written["@aria-disabled"] == "true" }

func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// on calls a function for each event of a type, under the guard, once the page has started.
func (p *page) on(target js.Value, kind string, do func(event js.Value)) {
	target.Call("addEventListener", kind, js.FuncOf(func(_ js.Value, args []js.Value) any {
		if !p.starts {
			p.guard(func() { do(args[0]) })
		}
		return nil
	}))
}

// press calls a function when a button is pressed by mouse, finger or key, unless it
// is disabled.
func (p *page) press(e *element, do func()) {
	p.on(e.Underlying(), "click", func(js.Value) {
		if !e.disabled() {
			do()
		}
	})
}

// closest is the value of a data attribute of the nearest element around an event's
// target that has it.
func closest(event js.Value, attribute string) (string, bool) {
	target := event.Get("target")
	if target.Get("closest").IsUndefined() {
		return "", false
	}
	found := target.Call("closest", "["+attribute+"]")
	if found.IsNull() {
		return "", false
	}
	return found.Call("getAttribute", attribute).String(), true
}
