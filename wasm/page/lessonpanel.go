//go:build js

package main

import (
	"strconv"
	"strings"
	"syscall/js"

	"sharedbatches/core/brief"
	"sharedbatches/core/view"
)

// lessonPanel holds what plays a lesson: its question, hints and goal.
type lessonPanel struct {
	question, ask, says, show, reached, next, miss, missText, missBack, hints, hint, restart *element
}

func (p *page) listenLesson() {
	e := &p.lesson
	*e = lessonPanel{
		byID("question"), byID("ask"), byID("ask-says"), byID("ask-show"), byID("reached"), byID("next"), byID("miss"), byID("miss-text"), byID("miss-back"),
		byID("hints"), byID("hint"), byID("restart"),
	}
	p.on(e.ask.Underlying(), "change", func(event js.Value) {
		if n, ok := brief.Int(event.Get("target").Get("value").String()); ok {
			p.choose(int(n))
		}
	})
	p.press(e.show, func() {
		if q, _ := p.now.question(); q >= 0 {
			p.now.pupil.replies[q].shown = true
			p.paint()
		}
	})
	p.press(e.hint, func() {
		p.now.pupil.hints++
		p.paintHints()
	})
	toStart := func() { p.move(func() error { return p.now.toStep(p.now.lesson.Start) }) }
	p.press(e.restart, toStart)
	p.press(e.missBack, toStart)
	p.press(e.next, func() { p.move(func() error { return p.now.toStep(p.now.lesson.Next.Step) }) })
}

// choose predicts an answer, from 1, and tells whether there is one to choose.
func (p *page) choose(n int) bool {
	q, open := p.now.question()
	if q < 0 || open || p.lesson.question.absent || n > len(p.now.lesson.Questions[q].Answers) {
		return false
	}
	p.now.pupil.replies[q].chosen = n
	p.paintLesson(&p.frame)
	return true
}

func (p *page) paintLesson(f *view.Frame) {
	e, s := &p.lesson, p.now
	q, open := s.question()
	e.question.show(q >= 0)
	if q >= 0 {
		markup, says := s.ask(q, open)
		state := "question"
		if !open {
			state = "question asked"
		}
		p.paintAsk(markup, open)
		e.question.class(state)
		e.says.text(says)
		if open {
			p.keepFocus(e.show)
		}
		e.show.show(!open)
	}
	heading, miss, reached := s.goal()
	e.reached.html(heading)
	e.next.text(s.lesson.Next.Text)
	e.next.show(reached && s.lesson.Next.Text != "" && s.run.Cursor() < s.lesson.Next.Step)
	e.missText.html(string(view.Inline(miss)))
	e.miss.show(miss != "")
	e.missBack.text("Back to step " + strconv.Itoa(s.lesson.Start))
	e.restart.show(s.lesson.Start > 0)
	e.restart.disable(f.Cursor == s.lesson.Start && s.lesson.Agrees(s.run) == f.Cursor)
	p.paintHints()
}

// paintAsk keeps the focus on the chosen answer, or else in the playground.
func (p *page) paintAsk(markup string, open bool) {
	ask, active := p.lesson.ask, wrap(document.Get("activeElement"))
	inside := ask.Call("contains", active.Underlying()).Bool()
	if inside && open && ask.written["html"] != markup {
		p.keepFocus(active)
	}
	if ask.html(markup) && inside && !open {
		ask.Call("querySelector", ":checked").Call("focus")
	}
}

func (p *page) paintHints() {
	list, n := p.now.lesson.Hints, p.now.pupil.hints
	var b strings.Builder
	for _, hint := range list[:n] {
		b.WriteString("<p><b>Hint:</b> " + string(view.Inline(hint)) + "</p>")
	}
	e := &p.lesson
	e.hints.html(b.String())
	if n == len(list) {
		p.keepFocus(e.hint)
	}
	e.hint.show(n < len(list))
	e.hint.text("Hint " + strconv.Itoa(n+1) + " of " + strconv.Itoa(len(list)))
}
