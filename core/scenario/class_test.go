package scenario_test

import (
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/worlds"
)

// race is two workers of one sink; A makes the batch and B lets go last. The steps at
// which they answer are 7 and 12, in one world.
func race(t *testing.T) (*scenario.Scenario, *worlds.Run) {
	t.Helper()
	part := []coalesce.PartConfig{{At: 1500, Updates: 2, Bytes: 4096}}
	s := &scenario.Scenario{
		Goal: "Let A get None.",
		Setup: coalesce.Config{
			Target: 65536,
			Sinks:  []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000}}},
			Tasks:  []coalesce.TaskConfig{{Worker: 0, Parts: part}, {Worker: 1, Parts: part}},
		},
		Worlds:   []coalesce.Probe{coalesce.StrongCount},
		Schedule: "A4 B7 A B2 Ka3 B P",
		Questions: []scenario.Question{
			{Step: 4, Ask: "first?", Answers: []scenario.Choice{{Text: "yes", Right: true, Because: "so"}, {Text: "no", Because: "so"}}},
			{Step: 11, Ask: "second?", Answers: []scenario.Choice{{Text: "yes", Right: true, Because: "so"}, {Text: "no", Because: "so"}}},
		},
	}
	run, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	return s, run
}

func TestReached(t *testing.T) {
	for _, c := range []struct {
		name  string
		reach []scenario.Condition
		step  int // 0: not at the end
	}{
		{"nothing asked for", nil, 0},
		{"an answer", []scenario.Condition{{World: "strong_count", Thread: "A", Got: "none"}}, 12},
		{"another answer", []scenario.Condition{{World: "strong_count", Thread: "A", Got: "batch"}}, 0},
		{"two answers, at the later one", []scenario.Condition{{World: "strong_count", Thread: "B", Got: "batch"}, {World: "strong_count", Thread: "A", Got: "none"}}, 18},
		{"a verdict", []scenario.Condition{{World: "strong_count", Verdict: "safe"}}, 19},
		{"another verdict", []scenario.Condition{{World: "strong_count", Verdict: "losing"}}, 0},
		{"an invariant that holds", []scenario.Condition{{World: "strong_count", Broken: "delivered"}}, 0},
		{"a world that is not there", []scenario.Condition{{World: "upgrade", Thread: "A", Got: "none"}}, 0},
	} {
		s, run := race(t)
		s.Reach = c.reach
		for run.First(); ; run.Forward() {
			want := c.step > 0 && run.Cursor() >= c.step
			if step, ok := s.Reached(run); ok != want || ok && step != c.step {
				t.Errorf("%s: at step %d it is reached at %d, %v; want at %d", c.name, run.Cursor(), step, ok, c.step)
			}
			if run.Cursor() == run.Len() {
				break
			}
		}
	}
}

// TestReachedByBreaking: the sweep's goal, on a line that loses and on one that does not.
func TestReachedByBreaking(t *testing.T) {
	s, _ := race(t)
	s.Questions = nil
	s.Worlds = []coalesce.Probe{coalesce.Upgrade}
	s.Setup.Sinks = append(s.Setup.Sinks, coalesce.SinkConfig{Name: 'X', Bounds: []int64{1000, 2000}})
	s.Setup.Tasks[1].Sink = 1
	s.Reach = []scenario.Condition{{World: "upgrade", Broken: "delivered"}}
	for schedule, want := range map[string]int{"A4 B3 A B": 8, "A5 B4": 0} {
		s.Schedule = schedule
		run, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		run.Last()
		if step, ok := s.Reached(run); step != want || ok != (want > 0) {
			t.Errorf("%s: reached at %d, %v; want %d", schedule, step, ok, want)
		}
	}
}

// TestAsked: a question is open where the cursor stands at its step, and passed
// beyond it; on another line than the schedule's it is not asked.
func TestAsked(t *testing.T) {
	s, run := race(t)
	for _, c := range []struct {
		cursor, question int
		here             bool
	}{{0, -1, false}, {3, -1, false}, {4, 0, true}, {5, 0, false}, {10, 0, false}, {11, 1, true}, {12, 1, false}, {19, 1, false}} {
		if err := run.Jump(c.cursor); err != nil {
			t.Fatal(err)
		}
		past := s.Agrees(run)
		if q, here := s.Asked(run, past); past != c.cursor || q != c.question || here != c.here {
			t.Errorf("at step %d: %d steps agree, question %d, here %v; want question %d, here %v", c.cursor, past, q, here, c.question, c.here)
		}
	}
	run.First()
	other, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	run = other.NewRun()
	for range 11 {
		b, _ := run.Models[0].ByName("B")
		if _, _, err := run.Do(b, worlds.Atomic); err != nil {
			break
		}
	}
	past := s.Agrees(run)
	if q, here := s.Asked(run, past); past != 0 || q != -1 || here {
		t.Errorf("on another line: %d steps agree, question %d, here %v", past, q, here)
	}
}

// TestClassRefuses: what is asked and told fits the set-up and the schedule.
func TestClassRefuses(t *testing.T) {
	for want, change := range map[string]func(*scenario.Scenario){
		"questions[0]: step: 20: allowed is 0 to 19, the length of the schedule":        func(s *scenario.Scenario) { s.Questions[0].Step = 20 },
		"questions[1]: step: 4: questions are in the order of their steps, one at each": func(s *scenario.Scenario) { s.Questions[1].Step = 4 },
		`reach[0]: world: "upgrade": this scenario has ["strong_count"]`:                func(s *scenario.Scenario) { s.Reach = []scenario.Condition{{World: "upgrade", Verdict: "safe"}} },
		`reach[0]: thread: "C": it is a write task, such as A`: func(s *scenario.Scenario) {
			s.Reach = []scenario.Condition{{World: "strong_count", Thread: "C", Got: "none"}}
		},
		`moves[0]: "C": this set-up has ["A" "B" "Ka" "Kb" "Py"]`: func(s *scenario.Scenario) { s.Moves = []string{"C"} },
		"reach: there is no goal that says it in words": func(s *scenario.Scenario) {
			s.Goal, s.Reach = "", []scenario.Condition{{World: "strong_count", Verdict: "safe"}}
		},
		"miss: without reach a goal cannot be missed":                          func(s *scenario.Scenario) { s.Miss = "missed" },
		"next: without reach a goal cannot be reached":                         func(s *scenario.Scenario) { s.Next = scenario.Next{Step: 1, Text: "on"} },
		"moves: without questions or reach nothing would ever free the others": func(s *scenario.Scenario) { s.Questions, s.Moves = nil, []string{"A"} },
		"next: step: 20: allowed is 0 to 19, the length of the schedule":       func(s *scenario.Scenario) { s.Next.Step = 20 },
	} {
		s, _ := race(t)
		change(s)
		if _, err := s.Check(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
