package web

import (
	"net/http"
	"net/url"
	"slices"

	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
	"sharedbatches/scenarios"
)

// lessonHead is what a list says of a lesson.
type lessonHead struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Goal   string   `json:"goal"`
	Worlds []string `json:"worlds"`
	Steps  int      `json:"steps"` // letters of the schedule
	Self   string   `json:"self"`  // the lesson in this API
	Page   string   `json:"page"`  // the lesson in the playground
}

// lesson is all that a run needs to be understood; what comes out of it is not told.
type lesson struct {
	lessonHead
	Text     string       `json:"text"`
	Threads  []string     `json:"threads"`
	Schedule string       `json:"schedule"`
	Start    int          `json:"start"`
	Reader   *reader      `json:"reader,omitempty"`
	Notes    []lessonNote `json:"notes,omitempty"`
}

type reader struct {
	Sink string  `json:"sink"`
	Key  string  `json:"key"`
	AsOf []int64 `json:"as_of"`
}

type lessonNote struct {
	Step int    `json:"step"`
	Text string `json:"text"`
}

func (*api) listLessons(w http.ResponseWriter, r *http.Request, _ string) error {
	list := []lessonHead{}
	for _, id := range scenarios.IDs {
		l, err := loadLesson(id)
		if err != nil {
			return err
		}
		list = append(list, l.lessonHead)
	}
	writeJSON(w, r, http.StatusOK, "application/json", map[string]any{"lessons": list})
	return nil
}

func (*api) showLesson(w http.ResponseWriter, r *http.Request, id string) error {
	l, err := loadLesson(id)
	if err != nil {
		return err
	}
	writeJSON(w, r, http.StatusOK, "application/json", l)
	return nil
}

func loadLesson(id string) (*lesson, error) {
	s, err := loadScenario(id)
	if err != nil {
		return nil, err
	}
	run, err := s.Open()
	if err != nil {
		return nil, err
	}
	page, err := schedule.PrintFragment(schedule.Fragment{
		Version: schedule.FragmentVersion, Scenario: id, Letters: run.Letters(), Cursor: s.Start,
	})
	if err != nil {
		return nil, err
	}
	l := &lesson{
		lessonHead: lessonHead{id, s.Title, s.Goal, run.Names, run.Len(), "/api/v1/lessons/" + url.PathEscape(id), "/#" + page},
		Text:       s.Text,
		Threads:    run.Models[0].Names(),
		Schedule:   schedule.Print(run.Letters()),
		Start:      s.Start,
	}
	if s.Reader.Key != "" {
		sink, err := s.ReaderSink()
		if err != nil {
			return nil, err
		}
		l.Reader = &reader{run.Models[0].SinkName(sink), s.Reader.Key, s.Reader.AsOf}
	}
	for _, n := range s.Notes {
		l.Notes = append(l.Notes, lessonNote{n.Step, n.Text})
	}
	return l, nil
}

// loadScenario finds a built-in scenario. That there is none is a problem of the
// request, that it cannot be read is one of ours.
func loadScenario(id string) (*scenario.Scenario, error) {
	s, err := scenarios.Load(id)
	if err != nil && !slices.Contains(scenarios.IDs, id) {
		return nil, problemf(http.StatusNotFound, "%v", err)
	}
	return s, err
}
