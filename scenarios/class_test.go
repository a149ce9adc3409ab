package scenarios

import "testing"

// missed are the scenarios whose own schedule misses the goal, and why.
var missed = map[string]string{
	"calls": "whole calls lose nothing, and the learner is to find that out",
}

// TestGoals plays every schedule that has a checkable goal to its end.
func TestGoals(t *testing.T) {
	list, err := All()
	if err != nil {
		t.Fatal(err)
	}
	checkable := 0
	for _, s := range list {
		run, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Reach) == 0 {
			continue
		}
		checkable++
		if step, ok := s.Reached(run); ok {
			t.Errorf("%s: the goal is reached at step %d, where the page opens", s.ID, step)
		}
		run.Last()
		_, ok := s.Reached(run)
		if why, want := missed[s.ID]; ok == want {
			t.Errorf("%s: the goal is reached at the end of the schedule: %v (%s)", s.ID, ok, why)
		}
		if s.Miss == "" {
			t.Errorf("%s: no text for a miss", s.ID)
		}
	}
	if checkable < 15 {
		t.Errorf("%d goals can be checked, want 15", checkable)
	}
}

// TestLessons holds the three lessons of the teaching plan to their form.
func TestLessons(t *testing.T) {
	for _, id := range []string{"share", "sweep", "stale"} {
		s, err := Load(id)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Questions) == 0 || len(s.Hints) == 0 || len(s.Reach) == 0 {
			t.Errorf("%s: %d questions, %d hints, %d conditions", id, len(s.Questions), len(s.Hints), len(s.Reach))
		}
		for _, q := range s.Questions {
			if q.Step < s.Start {
				t.Errorf("%s: a question at step %d, before the start at %d", id, q.Step, s.Start)
			}
		}
	}
}
