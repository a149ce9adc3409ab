package scenario

import (
	"slices"

	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// Question is asked when the cursor stands at its step, as long as the line up to
// there is the schedule's: on another line it would be about something else.
type Question struct {
	Step    int
	Ask     string
	Answers []Choice // exactly one is right
}

// Choice is an answer that a question offers, and why it is right or wrong.
type Choice struct {
	Text    string
	Right   bool
	Because string
}

// Condition is what must have come about in one world: an invariant is broken, or a
// write task has answered, or the world is over with a verdict. It is one of the three.
type Condition struct {
	World   string
	Broken  string // an invariant, by [InvariantKey]
	Thread  string // a write task
	Got     string // its answer: none or batch
	Verdict string // safe, losing, deadlocked or panicked
}

// Next is where to go on once the goal is reached. Without a text there is nothing.
type Next struct {
	Step int // of the schedule
	Text string
}

// Verdicts are those of a world that is over.
var Verdicts = []string{"safe", "losing", "deadlocked", "panicked"}

// Letters are those of the schedule, with every thread's whole name.
func (s *Scenario) Letters(run *worlds.Run) ([]schedule.Letter, error) {
	letters, err := schedule.Parse(s.Schedule)
	if err != nil {
		return nil, err
	}
	return schedule.Resolve(letters, run.Models[0].Names())
}

// Agrees is how many steps the line up to the cursor has in common with the schedule.
func (s *Scenario) Agrees(run *worlds.Run) int {
	letters, _ := s.Letters(run)
	n := 0
	for n < min(len(letters), run.Cursor()) && run.Letter(n+1) == letters[n] {
		n++
	}
	return n
}

// Asked is the last question that the run has come to, or -1, and whether the cursor
// still stands where it is asked. past is what [Scenario.Agrees] says of the run.
func (s *Scenario) Asked(run *worlds.Run, past int) (question int, here bool) {
	question = -1
	for i, q := range s.Questions {
		if q.Step <= past {
			question, here = i, q.Step == run.Cursor()
		}
	}
	return question, here
}

// Reached is the first step up to the cursor at which all that the goal asks for holds.
func (s *Scenario) Reached(run *worlds.Run) (step int, ok bool) {
	for n := 0; n <= run.Cursor() && len(s.Reach) > 0; n++ {
		ok = true
		for i := range s.Reach {
			ok = ok && s.Reach[i].holds(run, n)
		}
		if ok {
			return n, true
		}
	}
	return 0, false
}

func (c *Condition) holds(run *worlds.Run, step int) bool {
	world := slices.Index(run.Names, c.World)
	if world < 0 {
		return false
	}
	model, side := run.Models[world], &run.At(step).Sides[world]
	if c.Verdict != "" {
		return !model.Running(&side.State) && model.Classify(&side.State).String() == c.Verdict
	}
	for i := range coalesce.InvariantCount {
		if side.Since[i] != 0 && InvariantKey(i) == c.Broken {
			return true
		}
	}
	kind := coalesce.AnsweredNone
	if c.Got == "batch" {
		kind = coalesce.AnsweredSome
	}
	thread, ok := model.ByName(c.Thread)
	for n := step; ok && n > 0; n-- {
		events := run.At(n).Sides[world].Events
		for i := range events {
			if events[i].Kind == kind && events[i].Thread == thread {
				return true
			}
		}
	}
	return false
}

// validateClass holds what a class is asked and told to the set-up and the schedule.
func (s *Scenario) validateClass(run *worlds.Run) error {
	inSchedule := func(step int) error {
		if step < 0 || step > run.Len() {
			return brief.Errorf("step: %d: allowed is 0 to %d, the length of the schedule", step, run.Len())
		}
		return nil
	}
	model := run.Models[0]
	for i, q := range s.Questions {
		if err := inSchedule(q.Step); err != nil {
			return brief.Errorf("questions[%d]: %w", i, err)
		}
		if i > 0 && q.Step <= s.Questions[i-1].Step {
			return brief.Errorf("questions[%d]: step: %d: questions are in the order of their steps, one at each", i, q.Step)
		}
	}
	for i, c := range s.Reach {
		if !slices.Contains(run.Names, c.World) {
			return brief.Errorf("reach[%d]: world: %q: this scenario has %q", i, c.World, run.Names)
		}
		if t, ok := model.ByName(c.Thread); c.Thread != "" && (!ok || t.Role() != coalesce.WriteTask) {
			return brief.Errorf("reach[%d]: thread: %q: it is a write task, such as %s", i, c.Thread, model.Names()[0])
		}
	}
	for i, name := range s.Moves {
		if _, ok := model.ByName(name); !ok {
			return brief.Errorf("moves[%d]: %q: this set-up has %q", i, name, model.Names())
		}
	}
	switch {
	case len(s.Reach) > 0 && s.Goal == "":
		return brief.Errorf("reach: there is no goal that says it in words")
	case s.Miss != "" && len(s.Reach) == 0:
		return brief.Errorf("miss: without reach a goal cannot be missed")
	case s.Next.Text != "" && len(s.Reach) == 0:
		return brief.Errorf("next: without reach a goal cannot be reached")
	case len(s.Moves) > 0 && len(s.Questions)+len(s.Reach) == 0:
		return brief.Errorf("moves: without questions or reach nothing would ever free the others")
	}
	if err := inSchedule(s.Next.Step); err != nil {
		return brief.Errorf("next: %w", err)
	}
	return nil
}
