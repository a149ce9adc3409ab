//go:build js

package main

import (
	_ "embed"
	"strconv"
	"strings"
	"syscall/js"

	"sharedbatches/core/coalesce"
)

// An embed is a page of its own with few of the elements of index.html: a sentence, the
// drawings, the reader's answer, one Step button for each thread. What it lacks is not
// written, and what is pressed there is never pressed. It lives in a frame of somebody
// else's page: it takes no focus, scrolls nothing, and keys that it has no use for stay
// with the browser.
type embed struct{ full, place, note *element }

// embedSkeleton is what a cover lacks: what happens, and the buttons beside Start.
//
//go:embed embed.html
var embedSkeleton string

// fillEmbed turns a cover into a page that can run. It is nothing on the full page.
func fillEmbed() {
	if !embedded() {
		return
	}
	happens, buttons, _ := strings.Cut(embedSkeleton, "<!-- beside Start -->")
	document.Call("getElementById", "app").Set("innerHTML", happens)
	if document.Call("getElementById", "dock").IsNull() { // not started before
		document.Call("getElementById", "start").Call("insertAdjacentHTML", "afterend", buttons)
	}
}

// embedded tells whether this page is one.
func embedded() bool {
	return document.Call("getElementById", "playground").Get("dataset").Get("mode").Equal(js.ValueOf("embed"))
}

// lacking stands for an element that only index.html has.
func lacking(id string) *element {
	if !embedded() {
		panic("page: index.html has no element " + id)
	}
	e := wrap(document.Call("createElement", "div"))
	e.absent = true
	return e
}

func (p *page) beEmbed() {
	if !embedded() {
		return
	}
	p.embed = &embed{byID("full"), byID("place"), byID("worlds-note")}
	// A frame gets keys only while the focus is inside it, on an element or on none.
	p.alone = true
	p.unfold = true // the panels that it has are always shown
}

// firstLesson is what an address without a fragment opens.
func (p *page) firstLesson() string {
	if id := p.root.Get("dataset").Get("scenario"); id.Truthy() {
		return id.String()
	}
	return firstLesson
}

// start shows the buttons in place of Start, whose focus goes to the playground.
func (e *embed) start(p *page) {
	if e == nil {
		return
	}
	p.keepFocus(byID("start"))
	p.el.dock.show(true)
}

// paint writes the link to the same moment in the full playground, and how far the run is.
func (e *embed) paint(p *page) {
	if e == nil {
		return
	}
	e.full.attribute("href", p.root.Get("dataset").Get("playground").String()+"#"+p.good)
	e.place.text(strconv.Itoa(p.frame.Cursor) + " of " + strconv.Itoa(p.frame.Length))
	note := ""
	if len(p.now.run.Models) > 1 {
		note = "worlds do not differ yet"
		if step := p.now.run.Now().Differ; step > 0 {
			note = "worlds differ since step " + strconv.Itoa(step)
		}
	}
	e.note.text(note)
}

// ends tells whether playing has come to the answer that an embed is about: the first
// wrong one that the reader of the view gets. Stepping goes on beyond it.
func (e *embed) ends(s *session) bool {
	m := s.run.Now()
	for i := range s.run.Models {
		if e != nil && m.Sides[i].Since[coalesce.ViewTrue] == m.Step {
			return true
		}
	}
	return false
}

// hasFocus tells whether the focus is on this page, so that moving it takes it from nobody.
func hasFocus() bool { return document.Call("hasFocus").Bool() }
