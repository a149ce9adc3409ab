//go:build js

package main

import (
	"syscall/js"

	"sharedbatches/core/schedule"
)

// guard calls a function and turns a panic in it into a card that shows what
// happened. Whatever the page does runs under it.
func (p *page) guard(do func()) {
	defer func() {
		if cause := recover(); cause != nil {
			p.showCard(cause)
		}
	}()
	do()
}

// showCard shows a panic with the schedule and the link that reproduce it. It writes
// past what the page remembers, because that may be what is broken.
func (p *page) showCard(cause any) {
	p.player.playing = false
	byID("card-text").SetTextContent(describe(cause))
	text, fragment := p.reproduce()
	byID("card-schedule").SetTextContent(text)
	byID("card-link").SetAttribute("href", "#"+fragment)
	byID("app").Set("hidden", false)
	byID("card").Set("hidden", false)
	if hasFocus() {
		byID("card-go").Focus()
	}
}

// reproduce is the schedule that led to a panic, and the fragment of a link to it: the
// last good moment and the step that was tried from there, or the link that was opened.
func (p *page) reproduce() (text, fragment string) {
	fragment = p.good
	if p.opening != "" {
		fragment = p.opening
	}
	f, err := schedule.ParseFragment(fragment)
	if err != nil {
		return "", fragment
	}
	f.Letters = f.Letters[:f.Cursor]
	if p.opening == "" && p.trying != "" {
		f.Letters = append(f.Letters, p.trying)
	}
	f.Cursor = len(f.Letters)
	if printed, err := schedule.PrintFragment(f); err == nil {
		fragment = printed
	}
	return schedule.Print(f.Letters), fragment
}

// listenCard lets the reader go on. A test forces a panic with
// root.dispatchEvent(new CustomEvent("sharedbatches:panic")).
func (p *page) listenCard() {
	p.on(p.root.Underlying(), "sharedbatches:panic", func(js.Value) {
		panic("forced by the event sharedbatches:panic")
	})
	p.press(byID("card-go"), p.goOn)
}

// goOn returns to the last moment that was shown without a panic: on the run as it is,
// with all its branches, or, if that panics again, on a new one.
func (p *page) goOn() {
	byID("card").Set("hidden", true)
	p.trying, p.opening = "", ""
	fragment := p.good
	if p.survives(func() error { return p.openFragment(fragment) }) {
		return
	}
	p.sessions = map[string]*session{}
	p.now = nil
	if !p.survives(func() error { return p.openFragment(fragment) }) {
		p.sessions = map[string]*session{}
		p.openLesson(p.firstLesson())
	}
}

func (p *page) survives(do func() error) (survived bool) {
	defer func() {
		if recover() != nil {
			survived = false
		}
	}()
	return do() == nil
}

// describe words a panic. Package fmt could do it, and a tenth of page.wasm would be for that.
func describe(cause any) string {
	switch cause := cause.(type) {
	case error:
		return cause.Error()
	case string:
		return cause
	}
	return "a panic without words"
}
