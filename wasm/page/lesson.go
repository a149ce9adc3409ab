package main

import (
	"slices"
	"strconv"
	"strings"

	"sharedbatches/core/scenario"
	"sharedbatches/core/view"
)

// reply is what the reader did about one question.
type reply struct {
	asked  bool // the run has come to it
	chosen int  // the answer, from 1; 0 is none
	shown  bool // the reader wanted to see the answer
	done   bool // the answer was on screen
	at     int  // the step at which it first was
}

// pupil is what the reader did about a lesson.
type pupil struct {
	replies []reply // by question
	hints   int     // how many are on screen
	at      int     // where the cursor was last, so that what was jumped over counts as asked
	free    bool    // every thread may move
}

func newPupil(s *scenario.Scenario) pupil {
	return pupil{replies: make([]reply, len(s.Questions)), at: len(s.Schedule)}
}

// question is the one that is on screen, or -1, and whether its answer is: that is so
// once the reader asked for it or has stepped on.
func (p *session) question() (q int, open bool) {
	q, here := p.lesson.Asked(p.run, p.lesson.Agrees(p.run))
	if q < 0 || !here && !p.pupil.replies[q].asked {
		return -1, false
	}
	return q, !here || p.pupil.replies[q].shown
}

// follow notes what the reader has come to.
func (p *session) follow() {
	at := p.run.Cursor()
	if q, here := p.lesson.Asked(p.run, p.lesson.Agrees(p.run)); q >= 0 {
		r := &p.pupil.replies[q]
		r.asked = r.asked || here || p.pupil.at < p.lesson.Questions[q].Step
		r.shown = r.shown || !here && r.chosen > 0
		if !r.done && (r.shown || r.asked && !here) {
			r.done, r.at = true, at
		}
	}
	p.pupil.at = at
	if len(p.pupil.replies) > 0 {
		p.pupil.free = true
		for i := range p.pupil.replies {
			p.pupil.free = p.pupil.free && p.pupil.replies[i].done
		}
	} else if _, ok := p.lesson.Reached(p.run); ok {
		p.pupil.free = true
	}
}

// limit blocks the threads that are not among the lesson's moves.
func (p *session) limit(f *view.Frame) {
	if len(p.lesson.Moves) == 0 || p.pupil.free {
		return
	}
	for i := range f.Threads {
		c := &f.Threads[i]
		if c.Disabled || slices.Contains(p.lesson.Moves, c.Name) {
			continue
		}
		c.Disabled, c.State, c.Reason = true, "blocked", "not in this lesson’s moves"
		c.Next = `<p class="next stopped">not in this lesson’s moves</p>`
		if f.Suggest == c.Name {
			f.Suggest = ""
		}
	}
}

const (
	checkMark = `<svg class="mark ok" viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 8.5l4 4 7-9"/></svg>`
	dotMark   = `<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="4"/></svg>`
)

// ask is a question as markup, and what is said of the answer.
func (p *session) ask(q int, open bool) (markup, says string) {
	question, r := &p.lesson.Questions[q], &p.pupil.replies[q]
	var b strings.Builder
	write := func(parts ...string) {
		for _, part := range parts {
			b.WriteString(part)
		}
	}
	whole, head, attribute := "fieldset", "legend", ""
	if open {
		// It folds when the reader goes on, so that the goal is in view.
		whole, head = "details", "summary"
		if at := p.run.Cursor(); at == r.at || at == question.Step {
			attribute = " open"
		}
	}
	write("<", whole, ` class="ask"`, attribute, "><", head, ">", string(view.Inline(question.Ask)), "</", head, ">")
	for i := range question.Answers {
		a := &question.Answers[i]
		class, sign, tag, reason := "", "<span></span>", "", ""
		if r.chosen == i+1 {
			class, sign, tag = " chosen", dotMark, "your prediction"
		}
		if open {
			reason = string(view.Inline(a.Because))
		} else {
			sign = `<input type="radio" name="answer" value="` + strconv.Itoa(i+1) + `"` + either(r.chosen == i+1, " checked", "") + `>`
		}
		if open && a.Right {
			class, sign = " right", checkMark
			if tag = "what happens"; r.chosen == i+1 {
				tag = "what happens, as you predicted"
			}
		}
		write(`<label class="answer`, class, `">`, sign, `<span class="text">`, string(view.Inline(a.Text)), `</span><span class="tag">`, tag, `</span><span class="reason">`, reason, `</span></label>`)
	}
	write("</", whole, ">")
	switch {
	case !open && r.chosen == 0:
		says = "Choose, then step on."
	case !open:
		says = "Now step on and see."
	case r.chosen == 0:
		says = "Not answered."
	case question.Answers[r.chosen-1].Right:
		says = "You predicted it."
	default:
		says = "It is not what you predicted."
	}
	return b.String(), says
}

// goal is the goal's heading as markup, and what is said when the run is over without it.
func (p *session) goal() (heading, miss string, reached bool) {
	step, reached := p.lesson.Reached(p.run)
	switch {
	case reached:
		return checkMark + ` <b>Goal reached at step ` + strconv.Itoa(step) + `:</b>`, "", true
	case len(p.lesson.Reach) > 0 && p.run.Over(p.run.Now()):
		if miss = p.lesson.Miss; miss == "" {
			miss = "The run is over, and the goal was not reached."
		}
	}
	return `<b>Goal:</b>`, miss, false
}

// toStep goes to a step of the lesson's own schedule; a line that has it already is kept.
func (p *session) toStep(step int) error {
	if p.run.Cursor() > step && p.lesson.Agrees(p.run) >= step {
		return p.run.Jump(step)
	}
	letters, err := p.lesson.Letters(p.run)
	if err != nil {
		return err
	}
	return p.play(letters, step)
}

// either is a choice of two words; a map for it would make the program larger.
func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
