//go:build js

package main

import (
	"strings"
	"syscall/js"
)

// fillMenu lists the scenarios.
func (p *page) fillMenu() {
	var options strings.Builder
	if own := p.sessions[""]; own != nil {
		options.WriteString(`<option value="">` + escape(own.lesson.Title) + ` (your file)</option>`)
	}
	for _, s := range lessons {
		options.WriteString(`<option value="` + escape(s.ID) + `">` + escape(s.Title) + `</option>`)
	}
	p.el.scenario.html(options.String())
}

func (p *page) showMenu() {
	i := p.lessonIndex()
	p.el.scenarioBack.disable(i <= 0)
	p.el.scenarioNext.disable(i == len(lessons)-1)
}

func (p *page) lessonIndex() int {
	for i := range lessons {
		if lessons[i].ID == p.now.lesson.ID {
			return i
		}
	}
	return -1
}

func (p *page) listenMenu() {
	p.on(p.el.scenario.Underlying(), "change", func(js.Value) { p.visit(p.el.scenario.Get("value").String()) })
	p.press(p.el.scenarioBack, func() { p.visit(lessons[max(0, p.lessonIndex()-1)].ID) })
	p.press(byID("unchange"), func() { p.visit(p.now.lesson.ID) })
	p.press(p.el.scenarioNext, func() { p.visit(lessons[min(len(lessons)-1, p.lessonIndex()+1)].ID) })
}

// visit goes to another scenario; the browser's back button returns.
func (p *page) visit(id string) {
	if p.good != "" {
		p.address.flush(p)
	}
	p.openLesson(id)
	p.address.newEntry(p)
}
