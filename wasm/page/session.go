package main

import (
	"errors"
	"strconv"
	"strings"

	"sharedbatches/core/brief"
	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
)

// session is one scenario being played: under its own rules or under changed ones.
// It knows no DOM.
type session struct {
	lesson scenario.Scenario // as it is played, changed rules included
	own    scenario.Scenario // as it was written
	rules  []schedule.Rule
	run    *worlds.Run
	view   *view.View
	grain  worlds.Grain
	pupil  pupil
	yaml   string // of a file of the reader's own, whose id is empty
}

// find returns a built-in scenario.
func find(id string) (scenario.Scenario, error) {
	var titles []string
	for _, s := range lessons {
		if s.ID == id {
			return s, nil
		}
		titles = append(titles, plainTitle(&s))
	}
	return scenario.Scenario{}, errors.New("scenario " + brief.Quote(id) + ": there is none of that name. The list above has “" + strings.Join(titles[:min(3, len(titles))], "”, “") + "” and others")
}

// plainTitle is a title without its markup.
func plainTitle(s *scenario.Scenario) string { return strings.ReplaceAll(s.Title, "`", "") }

// inWords is the error of a link, in words where it is of another version.
func inWords(err error) error {
	if e, ok := err.(*schedule.Error); ok {
		version := strings.Trim(strings.TrimPrefix(e.What, "version "), `"`)
		if _, ok := brief.Int(version); ok && version != e.What {
			return errors.New("This link was made for another version of this page (version " + version + "; this page reads " + strconv.Itoa(schedule.FragmentVersion) + ").")
		}
	}
	return err
}

// open begins a scenario at its start, with some rules changed.
func open(s scenario.Scenario, rules []schedule.Rule) (*session, error) {
	own := s
	if len(rules) > 0 {
		if err := change(&s, rules); err != nil {
			return nil, err
		}
	}
	run, err := s.Open()
	if err != nil {
		return nil, errors.New("scenario " + s.ID + ": " + err.Error())
	}
	p := &session{lesson: s, own: own, rules: rules, run: run, pupil: newPupil(&s)}
	p.view = view.New(&p.lesson, run.Worlds)
	if s.Grain == "call" {
		p.grain = worlds.Call
	}
	return p, nil
}

// change applies changed rules to a scenario. Its schedule was written for other
// rules: letters that are enabled nowhere now are left out of it, and what it
// expected no longer counts.
func change(s *scenario.Scenario, rules []schedule.Rule) error {
	for _, r := range rules {
		if err := s.Change(r.Key, r.Value); err != nil {
			return err
		}
	}
	w, err := s.Build()
	if err != nil {
		return refused(err)
	}
	letters, err := schedule.Parse(s.Schedule)
	if err != nil {
		return err
	}
	run, start := w.NewRun(), s.Start
	for i, letter := range letters {
		if run.Play([]schedule.Letter{letter}) != nil && i < s.Start {
			start--
		}
	}
	s.Schedule, s.Start, s.Expect, s.Notes = schedule.Print(run.Letters()), start, nil, nil
	s.Questions, s.Hints, s.Moves, s.Reach, s.Miss, s.Next = nil, nil, nil, nil, "", scenario.Next{}
	return nil
}

// key tells sessions apart: the scenario with its changed rules.
func (p *session) key() string { return key(p.lesson.ID, p.rules) }

func key(id string, rules []schedule.Rule) string {
	for _, r := range rules {
		id += ";" + r.Key + "=" + r.Value
	}
	return id
}

// play makes letters from the start on the current line, with the cursor at a step of
// them. What was tried before stays as a branch. On an error nothing has changed.
func (p *session) play(letters []schedule.Letter, cursor int) error {
	if err := p.run.NewRun().Play(letters); err != nil {
		return err
	}
	was := p.run.Cursor()
	p.run.First()
	if err := p.run.Play(letters); err != nil { // the history is full
		return errors.Join(err, p.run.Jump(min(was, p.run.Len())))
	}
	return p.run.Jump(cursor)
}

// fragment is the text of a link to this moment, without "#".
func (p *session) fragment() (string, error) {
	return schedule.PrintFragment(schedule.Fragment{
		Version: schedule.FragmentVersion, Scenario: p.lesson.ID, Rules: p.rules,
		Letters: p.run.Letters(), Cursor: p.run.Cursor(),
	})
}

// upTo is the schedule of the current line up to the cursor.
func (p *session) upTo() []schedule.Letter { return p.run.Letters()[:p.run.Cursor()] }

// broken names the invariants that this very step broke, for the announcement.
func (p *session) broken() string {
	m, text := p.run.Now(), ""
	for i, model := range p.run.Models {
		for _, inv := range model.Invariants() {
			if m.Step > 0 && m.Sides[i].Since[inv] == m.Step {
				text += "Broken now, " + p.run.Names[i] + ": " + inv.Name() + ". "
			}
		}
	}
	return text
}

// difference is the first step of the current line after which the worlds differ, or 0.
func (p *session) difference() int { return p.run.At(p.run.Len()).Differ }

// otherBranch turns to the next (by 1) or previous (by -1) branch at this step: of the
// step just made, or else of the one to come. It tells whether there was one.
func (p *session) otherBranch(by int) bool {
	for _, step := range []int{p.run.Cursor() - 1, p.run.Cursor()} {
		if !p.run.Forked(step) {
			continue
		}
		branches := p.run.Branches(step)
		for i, b := range branches {
			if b.Preferred {
				to := branches[(i+by+len(branches))%len(branches)]
				return p.run.Choose(step, to.Letter) == nil
			}
		}
	}
	return false
}

// nearestFork is the step nearest to the cursor at which [session.otherBranch] finds a
// branch, or -1.
func (p *session) nearestFork() int {
	at := p.run.Cursor()
	for by := range p.run.Len() + 1 {
		if step := at - by; step > 0 && p.run.Forked(step-1) {
			return step
		}
		if step := at + by; step <= p.run.Len() && p.run.Forked(step) {
			return step
		}
	}
	return -1
}
