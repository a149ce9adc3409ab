package web

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/yamlfile"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// runAnswer is what came of a schedule up to its cursor.
type runAnswer struct {
	ID       string            `json:"id,omitempty"`    // of a built-in lesson
	Rules    map[string]string `json:"rules,omitempty"` // those that were changed
	Schedule string            `json:"schedule"`        // as it was played
	Steps    int               `json:"steps"`           // its letters
	Cursor   int               `json:"cursor"`          // how many of them were played
	Over     bool              `json:"over"`            // no thread can move in any world
	Differ   int               `json:"differ"`          // first step after which the states differ; 0: never
	Outcome  int               `json:"outcome"`         // first step whose outcomes differ; 0: never
	Worlds   []worldAnswer     `json:"worlds"`
	Expected *expected         `json:"expected,omitempty"`
	Page     string            `json:"page,omitempty"` // the same in the playground
	Trace    []string          `json:"trace"`
}

type worldAnswer struct {
	Name    string         `json:"name"`
	Verdict string         `json:"verdict"` // safe, losing, deadlocked, panicked or unfinished
	Puts    int            `json:"puts"`
	Leaked  int            `json:"leaked"`
	Answers []taskAnswer   `json:"answers"`
	Reads   []readAnswer   `json:"reads"`
	Broken  []brokenAnswer `json:"broken"`
}

type taskAnswer struct {
	Thread string `json:"thread"`
	Step   int    `json:"step"`
	Got    string `json:"got"` // none or batch
}

type readAnswer struct {
	AsOf  int64  `json:"as_of"`
	View  string `json:"view"` // waits, refused, none or a count
	Truth string `json:"truth"`
}

type brokenAnswer struct {
	Invariant string `json:"invariant"` // as scenario files name it
	Name      string `json:"name"`
	Since     int    `json:"since"`
	Reason    string `json:"reason"`
}

// expected tells whether the scenario's own schedule did what the scenario says.
type expected struct {
	Holds       bool     `json:"holds"`
	Differences []string `json:"differences"`
}

// runOrder is what a request asks to run. A schedule that is not given is the
// scenario's own; a cursor that is not given is its end.
type runOrder struct {
	id, text, schedule string
	cursor             int
	rules              map[string]string
	given              map[string]bool
}

func (*api) run(w http.ResponseWriter, r *http.Request, _ string) error {
	var o runOrder
	var err error
	o.given, err = readObject(w, r, map[string]any{
		"id": &o.id, "scenario": &o.text, "schedule": &o.schedule, "cursor": &o.cursor, "rules": &o.rules,
	})
	if err != nil {
		return err
	}
	answer, err := o.run()
	if err != nil {
		return err
	}
	writeJSON(w, r, http.StatusOK, "application/json", answer)
	return nil
}

func (o *runOrder) run() (*runAnswer, error) {
	s, err := o.scenario()
	if err != nil {
		return nil, err
	}
	own, err := s.Open()
	if err != nil {
		return nil, unprocessable(err)
	}
	if len(o.rules) > 0 {
		if err := change(s, o.rules, own.Letters()); err != nil {
			return nil, unprocessable(err)
		}
	}
	if o.given["schedule"] {
		s.Schedule = o.schedule
	}
	s.Start = 0 // of its own schedule
	run, err := s.Open()
	if err != nil {
		return nil, unprocessable(err)
	}
	end := run.Len()
	if !o.given["cursor"] {
		o.cursor = end
	}
	if o.cursor < 0 || o.cursor > end {
		return nil, problemf(http.StatusUnprocessableEntity, "cursor: %d: allowed is 0 to %d, the length of the schedule", o.cursor, end)
	}
	if err := run.Jump(o.cursor); err != nil {
		return nil, err
	}
	a := describe(s, run)
	a.ID, a.Rules = o.id, o.rules
	if o.id != "" {
		if a.Page, err = o.page(run); err != nil {
			return nil, unprocessable(err)
		}
	}
	asWritten := len(o.rules) == 0 && o.cursor == end && slices.Equal(run.Letters(), own.Letters())
	if asWritten && len(s.Expect) > 0 {
		differences, err := s.Check()
		if err != nil {
			return nil, unprocessable(err)
		}
		a.Expected = &expected{len(differences) == 0, append([]string{}, differences...)}
	}
	return a, nil
}

// scenario is the one that the order names or brings along.
func (o *runOrder) scenario() (*scenario.Scenario, error) {
	if o.given["id"] == o.given["scenario"] {
		return nil, problemf(http.StatusBadRequest, "body: either id or scenario is needed: the id of a lesson, or the text of a scenario file")
	}
	if o.given["id"] {
		return loadScenario(o.id)
	}
	s, err := yamlfile.Decode("scenario", "", []byte(o.text))
	var faults yamlfile.Errors
	if errors.As(err, &faults) {
		p := problemf(http.StatusUnprocessableEntity, "%v", err)
		for _, f := range faults {
			p.Errors = append(p.Errors, fault{f.Line, f.Column, f.Path, f.Message})
		}
		return nil, p
	}
	return s, err
}

func (o *runOrder) page(run *worlds.Run) (string, error) {
	f := schedule.Fragment{Version: schedule.FragmentVersion, Scenario: o.id, Letters: run.Letters(), Cursor: run.Cursor()}
	for key, value := range o.rules {
		f.Rules = append(f.Rules, schedule.Rule{Key: key, Value: value})
	}
	text, err := schedule.PrintFragment(f)
	return "/#" + text, err
}

// change applies changed rules to a scenario as the page does: a changed probe
// leaves only its world, and of the scenario's own letters, which were chosen
// under other rules, those go that no world enables now.
func change(s *scenario.Scenario, rules map[string]string, own []schedule.Letter) error {
	for _, key := range slices.Sorted(maps.Keys(rules)) { // so that of two faults the same is named each time
		if err := s.Change(key, rules[key]); err != nil {
			return err
		}
	}
	w, err := s.Build()
	if err != nil {
		return err
	}
	run := w.NewRun()
	for _, letter := range own {
		_ = run.Play([]schedule.Letter{letter})
	}
	s.Schedule = schedule.Print(run.Letters())
	return nil
}

func describe(s *scenario.Scenario, run *worlds.Run) *runAnswer {
	now := run.Now()
	a := &runAnswer{
		Schedule: schedule.Print(run.Letters()),
		Steps:    run.Len(), Cursor: run.Cursor(), Over: run.Over(now),
		Differ: now.Differ, Outcome: now.Outcome,
		Trace: []string{},
	}
	for i, name := range run.Names {
		got := s.Outcomes(run, i)
		world := worldAnswer{
			Name: name, Verdict: got.Verdict, Puts: got.Puts, Leaked: got.Leaked,
			Answers: []taskAnswer{}, Reads: []readAnswer{}, Broken: []brokenAnswer{},
		}
		for _, t := range got.Answers {
			world.Answers = append(world.Answers, taskAnswer(t))
		}
		for _, r := range got.Reads {
			world.Reads = append(world.Reads, readAnswer(r))
		}
		side := &now.Sides[i]
		for _, inv := range run.Models[i].Invariants() {
			if side.Since[inv] != 0 {
				world.Broken = append(world.Broken, brokenAnswer{
					scenario.InvariantKey(inv), inv.Name(), side.Since[inv], run.Models[i].Broken(&side.State, inv),
				})
			}
		}
		a.Worlds = append(a.Worlds, world)
	}
	if text := strings.TrimSuffix(run.Trace(), "\n"); text != "" {
		a.Trace = strings.Split(text, "\n")
	}
	return a
}

func unprocessable(err error) *problem {
	return problemf(http.StatusUnprocessableEntity, "%v", err)
}
