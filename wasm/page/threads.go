//go:build js

package main

import (
	"strings"
	"syscall/js"

	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
)

// threadCard holds the elements of one thread's card. They stay as long as the
// scenario does, so the focus on a Step button survives every step.
type threadCard struct {
	name                                                                           string
	group, card, title, sub, step, act, reason, ways, buffers, program, next, dock *element
}

// buildThreads makes a card for every thread of the scenario, hidden ones included,
// in one write. Names are letters, so nothing needs escaping.
func (p *page) buildThreads() {
	names := p.now.view.Names()
	var cards, dock strings.Builder
	for _, n := range names {
		chip := string(p.now.view.Chip(n))
		cards.WriteString(strings.ReplaceAll(`<h3 class="group" id="group-#" hidden></h3><article class="thread" id="thread-#" hidden>`+
			`<div class="thread-head">`+chip+`<h3><span id="title-#"></span><small id="sub-#"></small></h3></div>`+
			`<button class="button act" type="button" id="step-#" data-thread="#" aria-describedby="reason-#"><span id="act-#"></span><kbd aria-hidden="true">`+n[:1]+`</kbd></button>`+
			`<span id="reason-#" hidden></span><p class="ways" id="ways-#"></p>`+
			`<ol class="program" id="program-#"></ol><div class="next-of" id="next-#"></div><div class="buffers" id="buffers-#"></div></article>`, "#", n))
		dock.WriteString(strings.ReplaceAll(`<button class="button" type="button" id="dock-#" data-thread="#" aria-describedby="reason-#" hidden>#</button>`, "#", n))
	}
	p.el.cards.html(cards.String())
	p.el.dockThreads.html(dock.String())
	p.threads = p.threads[:0]
	for _, n := range names {
		p.threads = append(p.threads, threadCard{
			name: n, group: byID("group-" + n), card: byID("thread-" + n), title: byID("title-" + n), sub: byID("sub-" + n), step: byID("step-" + n), act: byID("act-" + n),
			reason: byID("reason-" + n), ways: byID("ways-" + n), buffers: byID("buffers-" + n), program: byID("program-" + n), next: byID("next-" + n), dock: byID("dock-" + n),
		})
	}
}

func (p *page) paintThreads(f *view.Frame) {
	suggested := ""
	for i := range f.Threads {
		c, t := &f.Threads[i], &p.threads[i]
		t.group.text(c.Group)
		t.group.show(c.Group != "")
		t.hide(p, c.Hidden)
		if c.Hidden {
			continue
		}
		state := "thread " + c.State
		button := "button act"
		dock := "button"
		if c.Name == f.Suggest {
			suggested = c.Act
			state, button, dock = state+" suggested", button+" suggested", dock+" suggested"
		}
		t.card.class(state)
		t.title.text(c.Title)
		t.sub.html(string(c.Sub))
		t.step.class(button)
		t.step.disable(c.Disabled)
		t.act.text(c.Act)
		t.reason.text(c.Reason)
		t.program.html(string(c.Program))
		t.buffers.html(string(c.Buffers))
		t.next.html(string(c.Next))
		if c.State == "finished" {
			p.keepFocus(t.dock)
		}
		t.dock.show(c.State != "finished") // the dock has little room
		t.dock.class(dock)
		t.dock.disable(c.Disabled)
		t.dock.attribute("aria-label", c.Act)
	}
	p.el.suggestAct.text(suggested)
	p.el.suggestKey.text(firstLetter(f.Suggest))
	p.el.suggest.show(suggested != "")
	p.el.begin.disable(f.Cursor == 0)
}

// hide hides a card. The focus on its button moves to the playground, so that keys
// still act.
func (t *threadCard) hide(p *page, hidden bool) {
	if hidden && t.card.written["hidden"] == "false" {
		p.keepFocus(t.step)
		p.keepFocus(t.dock)
	}
	t.card.show(!hidden)
	if hidden {
		t.dock.show(false)
	}
}

// keepFocus moves the focus from an element that is about to be hidden to the playground.
func (p *page) keepFocus(from *element) {
	if document.Get("activeElement").Equal(from.Underlying()) && hasFocus() {
		p.root.Call("focus", map[string]any{"preventScroll": true})
	}
}

// button is the thread's Step button.
func (t *threadCard) button() *element {
	if t.step.absent {
		return t.dock
	}
	return t.step
}

// listenThreads attaches one listener for all Step buttons of cards and dock.
func (p *page) listenThreads() {
	for _, area := range []*element{p.el.cards, p.el.dockThreads} {
		p.on(area.Underlying(), "click", func(event js.Value) {
			if name, ok := closest(event, "data-thread"); ok {
				p.step(name, p.now.grain)
			}
		})
	}
	p.press(p.el.suggest, func() {
		if p.frame.Suggest != "" {
			p.step(p.frame.Suggest, p.now.grain)
		}
	})
	p.press(p.el.begin, func() {
		p.move(func() error { p.now.run.First(); return nil })
	})
	for i, e := range p.el.grain {
		p.press(e, func() {
			p.now.grain = worlds.Grain(i)
			p.showGrain()
			p.paint()
		})
	}
}

// focusSteps moves the focus to the Step button that is suggested, or else the first.
func (p *page) focusSteps() {
	for i := range p.frame.Threads {
		if c := &p.frame.Threads[i]; c.Name == p.frame.Suggest || p.frame.Suggest == "" && !c.Hidden && c.State != "finished" {
			p.focusStep(c.Name)
			return
		}
	}
}

// focusStep moves the focus to a thread's Step button.
func (p *page) focusStep(name string) {
	for i := range p.threads {
		if p.threads[i].name == name {
			p.threads[i].button().Focus()
		}
	}
}

// focused is the name of the thread whose Step button has the focus, or "".
func (p *page) focused() string {
	active := document.Get("activeElement")
	for i := range p.threads {
		if p.threads[i].button().Equal(active) {
			return p.threads[i].name
		}
	}
	return ""
}

func firstLetter(name string) string {
	if name == "" {
		return ""
	}
	return name[:1]
}
