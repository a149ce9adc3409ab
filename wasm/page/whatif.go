package main

import (
	"slices"
	"strconv"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// ownValue is a rule's value in the scenario as it was written: one, or one for each world.
func (p *session) ownValue(key string) (string, error) {
	r, err := coalesce.FindRule(key)
	if err != nil {
		return "", err
	}
	w, err := p.own.Build()
	if err != nil {
		return "", err
	}
	var values []string
	for _, m := range w.Models {
		if v := r.Value(&m.Config); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return strings.Join(values, " | "), nil
}

// with is the rules once one of them has a value; the scenario's own value is no change.
func (p *session) with(key, value string) ([]schedule.Rule, error) {
	own, err := p.ownValue(key)
	var rules []schedule.Rule
	for _, r := range p.rules {
		if r.Key != key {
			rules = append(rules, r)
		}
	}
	if value != own { // in the order of their keys
		at := 0
		for at < len(rules) && rules[at].Key < key {
			at++
		}
		rules = append(rules[:at:at], append([]schedule.Rule{{Key: key, Value: value}}, rules[at:]...)...)
	}
	return rules, err
}

// replay plays on p what was played on another session, as far as each letter is
// enabled, with the cursor at the same letter. It says what came of it.
func (p *session) replay(before *session) (string, error) {
	letters, run := before.run.Letters(), p.run.NewRun()
	cursor, differs := 0, 0
	for i, letter := range letters {
		if run.Play([]schedule.Letter{letter}) == nil && i < before.run.Cursor() {
			cursor++
		}
	}
	if err := p.play(run.Letters(), cursor); err != nil {
		return "", err
	}
	for n := 1; n <= min(len(letters), run.Len()) && differs == 0; n++ {
		for i, name := range p.run.Names {
			j := slices.Index(before.run.Names, name)
			if j < 0 {
				j = min(i, len(before.run.Names)-1)
			}
			if run.At(n).Sides[i].State != before.run.At(n).Sides[j].State {
				differs = n
			}
		}
	}
	if differs == 0 && run.Len() < len(letters) {
		differs = run.Len() + 1
	}
	text := "Replayed " + strconv.Itoa(run.Len()) + " of " + strconv.Itoa(len(letters)) + " letters; "
	if differs == 0 {
		return text + "no step differs from before.", nil
	}
	return text + "differs from before from step " + strconv.Itoa(differs) + ".", nil
}
