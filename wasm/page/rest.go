package main

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// rest runs what is left. On a line that goes on, that is its end. At the end of an
// unfinished branch it is what the scenario's own schedule still has for each thread,
// in its order and without what is blocked, and after that whatever can move. So
// every run can be finished by one press.
func (p *session) rest() error {
	if p.run.Cursor() < p.run.Len() {
		p.run.Last()
		return nil
	}
	pending, err := p.pending()
	if err != nil {
		return err
	}
	for !p.run.Over(p.run.Now()) && p.run.Len() < schedule.MaxLetters {
		moved := false
		kept := pending[:0]
		for _, t := range pending {
			if _, blocked := p.run.Blocked(p.run.Now(), t); blocked {
				kept = append(kept, t)
				continue
			}
			if err := p.step(t); err != nil {
				return err
			}
			moved = true
		}
		pending = kept
		if moved {
			continue
		}
		for _, t := range p.run.Models[0].Threads() {
			if _, blocked := p.run.Blocked(p.run.Now(), t); !blocked {
				if err := p.step(t); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

func (p *session) step(t coalesce.Thread) error {
	next, err := p.run.Next(p.run.Now(), t)
	if err != nil {
		return err
	}
	return p.run.Step(p.run.Models[0].Name(t), &next)
}

// pending lists the scenario's letters that the current line has not used.
func (p *session) pending() ([]coalesce.Thread, error) {
	names, err := p.lesson.Letters(p.run)
	if err != nil {
		return nil, err
	}
	used := map[schedule.Letter]int{}
	for _, letter := range p.upTo() {
		used[letter]++
	}
	var list []coalesce.Thread
	for _, name := range names {
		if used[name] > 0 {
			used[name]--
			continue
		}
		t, _ := p.run.Models[0].ByName(name)
		list = append(list, t)
	}
	return list, nil
}
