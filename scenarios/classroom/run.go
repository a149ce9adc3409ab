package main

import (
	"fmt"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

type runCmd struct {
	File     string   `arg:"" help:"A scenario file, or the id of a built-in scenario."`
	Schedule *string  `help:"The schedule to play in place of the scenario's." placeholder:"TEXT"`
	Rule     []string `help:"A changed rule, such as probe=upgrade." placeholder:"KEY=VALUE"`
}

func (r *runCmd) Run(c *console) error {
	s, err := load(r.File)
	if err != nil {
		return err
	}
	if err := rules(s, r.Rule); err != nil {
		return err
	}
	own := r.Schedule == nil && len(r.Rule) == 0
	text := s.Schedule
	if r.Schedule != nil {
		text = *r.Schedule
	}
	letters, err := schedule.Parse(strings.Join(strings.Fields(text), " "))
	if err != nil {
		return err
	}
	w, err := s.Build()
	if err != nil {
		return fmt.Errorf("%s: setup: %w", r.File, err)
	}
	run := w.NewRun()
	if err := run.Play(letters); err != nil {
		return fmt.Errorf("%s: %w", r.File, err)
	}
	fmt.Fprint(c.out, run.Trace())
	for i, name := range run.Names {
		got := s.Outcomes(run, i)
		fmt.Fprintf(c.out, "%s: %s", name, got.Verdict)
		for _, read := range got.Reads {
			fmt.Fprintf(c.out, "; AS OF %d %s (truth %s)", read.AsOf, read.View, read.Truth)
		}
		for _, b := range got.Broken {
			fmt.Fprintf(c.out, "; %s broken since %d", b.Invariant, b.Since)
		}
		fmt.Fprintln(c.out)
		figures(run, i, c)
	}
	if len(r.Rule) == 0 { // which may do away with the worlds that the goal names
		class(s, run, c)
	}
	if !own {
		return nil
	}
	return expectation(s, c)
}

// figures prints the meter of a world.
func figures(run *worlds.Run, world int, c *console) {
	var list []string
	for f := range coalesce.FigureCount {
		if f.Shown(run.Models[world]) {
			list = append(list, f.Name()+": "+f.Text(&run.Now().Sides[world].Cost))
		}
	}
	fmt.Fprintf(c.out, "%s: meter: %s\n", run.Names[world], strings.Join(list, "; "))
}

// class prints what the line has come to of what a class is asked: the questions that
// the page would have put, with their right answers, and the goal.
func class(s *scenario.Scenario, run *worlds.Run, c *console) {
	past := s.Agrees(run)
	for _, q := range s.Questions {
		if q.Step > past {
			break
		}
		for _, a := range q.Answers {
			if a.Right {
				fmt.Fprintf(c.out, "question at step %d: %s %s\n", q.Step, q.Ask, a.Text)
			}
		}
	}
	if len(s.Reach) == 0 {
		return
	}
	if step, ok := s.Reached(run); ok {
		fmt.Fprintf(c.out, "goal: reached at step %d\n", step)
	} else {
		fmt.Fprintf(c.out, "goal: not reached: %s\n", s.Goal)
	}
}
