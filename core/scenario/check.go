package scenario

import (
	"slices"
	"strconv"

	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// Check opens the scenario, plays it to its end and compares with what it expects.
// The first return lists what differs, a sentence each, empty when all holds; the
// error is for a scenario that cannot be played at all.
func (s *Scenario) Check() ([]string, error) {
	run, err := s.Open()
	if err != nil {
		return nil, err
	}
	if err := s.validate(run); err != nil {
		return nil, err
	}
	run.Last()
	return s.differences(run), nil
}

// validate holds the parts of a scenario that name steps, threads or keys to its set-up.
func (s *Scenario) validate(run *worlds.Run) error {
	sink, err := s.ReaderSink()
	if err != nil {
		return err
	}
	if keys := run.Models[0].Keys(sink); s.Reader.Key != "" && !slices.Contains(keys, s.Reader.Key) {
		return brief.Errorf("reader: key: %q: the parts of this view change %q", s.Reader.Key, keys)
	}
	if !slices.IsSorted(s.Reader.AsOf) {
		return brief.Errorf("reader: as_of: %d: times are in ascending order", s.Reader.AsOf)
	}
	for i, n := range s.Notes {
		if n.Step < 0 || n.Step > run.Len() {
			return brief.Errorf("notes[%d]: step: %d: allowed is 0 to %d, the length of the schedule", i, n.Step, run.Len())
		}
	}
	if err := s.validateClass(run); err != nil {
		return err
	}
	if len(s.Expect) != 0 && len(s.Expect) != len(run.Models) {
		return brief.Errorf("expect: there are %d: one for each of %d worlds", len(s.Expect), len(run.Models))
	}
	for i, e := range s.Expect {
		for k, a := range e.Answers {
			if _, err := schedule.Resolve([]schedule.Letter{a.Thread}, run.Models[0].Names()); err != nil {
				return brief.Errorf("expect: %s: answers[%d]: %w", run.Names[i], k, err)
			}
		}
	}
	return nil
}

func (s *Scenario) differences(run *worlds.Run) []string {
	var out []string
	differ := func(place string, got, want any) {
		if got != want && want != any(NotAsked) {
			out = append(out, brief.Sprintf("%s: got %v, expected %v", place, got, want))
		}
	}
	if len(s.Expect) == 0 {
		return nil
	}
	if len(run.Models) == worlds.Limit {
		differ("differ", run.Now().Differ, s.Differ)
		differ("outcome", run.Now().Outcome, s.Outcome)
	}
	for i, want := range s.Expect {
		place := "expect: " + run.Names[i] + ": "
		got := s.Outcomes(run, i)
		differ(place+"verdict", got.Verdict, want.Verdict)
		differ(place+"puts", got.Puts, want.Puts)
		differ(place+"leaked", got.Leaked, want.Leaked)
		differ(place+"evaluations", got.Evaluations, want.Evaluations)
		compare(place+"answers", got.Answers, want.Answers, &out)
		compare(place+"reads", got.Reads, want.Reads, &out)
		compare(place+"broken", got.Broken, want.Broken, &out)
	}
	return out
}

// compare leaves out a list that is nil, which was not asked.
func compare[T interface {
	comparable
	String() string
}](place string, got, want []T, out *[]string) {
	if want == nil {
		return
	}
	for k := range max(len(got), len(want)) {
		switch {
		case k >= len(want):
			*out = append(*out, brief.Sprintf("%s[%d]: got %v, expected nothing more", place, k, got[k]))
		case k >= len(got):
			*out = append(*out, brief.Sprintf("%s[%d]: got nothing more, expected %v", place, k, want[k]))
		case got[k] != want[k]:
			*out = append(*out, brief.Sprintf("%s[%d]: got %v, expected %v", place, k, got[k], want[k]))
		}
	}
}

// Outcomes is what came of the run up to its cursor in one world, in the form of
// an expectation.
func (s *Scenario) Outcomes(run *worlds.Run, world int) Expect {
	model := run.Models[world]
	side := &run.Now().Sides[world]
	e := Expect{Verdict: "unfinished", Puts: int(side.State.Puts), Evaluations: side.Cost.Evaluations}
	if !model.Running(&side.State) {
		e.Verdict = model.Classify(&side.State).String()
	}
	for _, o := range model.List(&side.State) {
		if o.Status == coalesce.Leaked {
			e.Leaked++
		}
	}
	for n := 1; n <= run.Cursor(); n++ {
		for _, ev := range run.At(n).Sides[world].Events {
			switch ev.Kind {
			case coalesce.AnsweredNone:
				e.Answers = append(e.Answers, Answer{model.Name(ev.Thread), n, "none"})
			case coalesce.AnsweredSome:
				e.Answers = append(e.Answers, Answer{model.Name(ev.Thread), n, "batch"})
			}
		}
	}
	if sink, err := s.ReaderSink(); err == nil && s.Reader.Key != "" {
		for _, t := range s.Reader.AsOf {
			r := model.ReadAsOf(&side.State, sink, s.Reader.Key, t)
			e.Reads = append(e.Reads, Read{t, viewText(r), countText(r.Truth, r.TruthError)})
		}
	}
	for i := range coalesce.InvariantCount {
		if since := side.Since[i]; since != 0 {
			e.Broken = append(e.Broken, Broken{InvariantKey(i), since})
		}
	}
	return e
}

func viewText(r coalesce.Read) string {
	switch r.Status {
	case coalesce.Waits:
		return "waits"
	case coalesce.Refused:
		return "refused"
	}
	return countText(r.View, r.ViewError)
}

func countText(n int, failure string) string {
	switch {
	case failure != "":
		return "error"
	case n == coalesce.Absent:
		return "none"
	}
	return strconv.Itoa(n)
}
