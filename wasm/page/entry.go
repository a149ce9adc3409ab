//go:build js

package main

import (
	"strings"
	"syscall/js"

	"sharedbatches/core/brief"
	"sharedbatches/core/schedule"
)

// listenEntry lets the reader copy the schedule or a link, and run one of their own.
func (p *page) listenEntry() {
	e := &p.el
	p.press(e.copy, func() { p.copyText(p.frame.Schedule, e.copied, "Schedule copied.") })
	p.press(e.link, func() {
		if p.good == "" {
			e.linkSaid.text("A file of one’s own has no id and travels otherwise: pass on the file, and the schedule above.")
			return
		}
		p.copyText(link(p.good), e.linkSaid, "Link copied.")
	})
	p.press(e.entryRun, p.runEntry)
	p.on(e.entry.Underlying(), "keydown", func(event js.Value) {
		if event.Get("key").String() == "Enter" {
			p.runEntry()
		}
	})
	p.press(byID("message-close"), func() { p.closeMessage() })
	p.on(e.branches.Underlying(), "click", p.branchPressed)
}

// runEntry runs the text in the field: a schedule from the start, or a link. An error
// is shown beside the field, and nothing moves.
func (p *page) runEntry() {
	text := strings.TrimSpace(p.el.entry.Get("value").String())
	_, fragment, isLink := strings.Cut(text, "#")
	if !isLink && strings.Contains(text, "/") {
		fragment, isLink = text, true
	}
	var err error
	if isLink {
		err = p.openFragment(fragment)
	} else {
		var letters []schedule.Letter
		if letters, err = schedule.Parse(text); err == nil {
			if err = p.now.play(letters, len(letters)); err == nil {
				p.move(func() error { return nil })
			}
		}
	}
	p.el.entryError.text("")
	p.el.entry.attribute("aria-invalid", yes(err != nil))
	if err != nil {
		p.el.entryError.text(err.Error())
		return
	}
	p.address.moved()
}

// copyText says "copied" only when the browser confirms it; otherwise it shows the
// text selected.
func (p *page) copyText(text string, place *element, done string) {
	p.el.copied.text("")
	p.el.linkSaid.text("")
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		p.offerText(text)
		return
	}
	var ok, refused js.Func
	ok = js.FuncOf(func(js.Value, []js.Value) any {
		p.guard(func() { place.text(done) })
		ok.Release()
		refused.Release()
		return nil
	})
	refused = js.FuncOf(func(js.Value, []js.Value) any {
		p.guard(func() { p.offerText(text) })
		ok.Release()
		refused.Release()
		return nil
	})
	clipboard.Call("writeText", text).Call("then", ok, refused)
}

func (p *page) offerText(text string) {
	p.el.copied.text("Copying is not allowed here. The text is selected: copy it from the field.")
	p.el.entry.Set("value", text)
	p.el.entry.Call("focus")
	p.el.entry.Call("select")
}

// say shows an error or another message, as it is.
func (p *page) say(text string) {
	p.el.messageText.text(text)
	p.el.message.show(true)
}

// sayLink says what is wrong with a link, and what is on screen instead.
func (p *page) sayLink(err error) {
	p.say(strings.TrimSuffix(err.Error(), ".") + ". Shown instead: " + plainTitle(&p.now.lesson) + ", " + p.frame.StepNo + ".")
}

func (p *page) clearMessage() {
	p.el.linkSaid.text("")
	p.el.messageText.text("")
	p.el.message.show(false)
	p.el.entryError.text("")
}

// closeMessage closes the message and tells whether there was one.
func (p *page) closeMessage() bool {
	open := p.el.messageText.written["text"] != ""
	p.clearMessage()
	return open
}

// branchPressed turns to the line whose entry in the list was pressed, and shows at
// least its first own step.
func (p *page) branchPressed(event js.Value) {
	text, ok := closest(event, "data-line")
	if !ok {
		return
	}
	n, ok := brief.Int(text)
	if !ok {
		return
	}
	run := p.now.run
	for line := range run.Lines() {
		if n--; n >= 0 {
			continue
		}
		p.move(func() error {
			if err := run.Follow(line); err != nil {
				return err
			}
			return run.Jump(max(run.Cursor(), line.Fork+1))
		})
		return
	}
}
