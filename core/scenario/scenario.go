package scenario

import (
	"slices"
	"strings"

	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// Scenario is one lesson. Its texts are plain text; blank lines part paragraphs and
// `backquotes` mark code.
type Scenario struct {
	ID       string
	Title    string
	Text     string // what to think about before stepping
	Goal     string // what to try; may be empty
	Setup    coalesce.Config
	Worlds   []coalesce.Probe // one or two; the order is the order on the page
	Variants []World          // in place of Worlds, where the worlds differ in other rules than the probe
	Schedule string
	Start    int     // the step at which the page opens
	Grain    string  // "step" or "call": how far one press goes at first
	Panels   []Panel // which panels are open at first; on a phone only the blobs, if they come first
	Reader   Reader  // what the reader of the view asks
	Notes    []Note

	// What a class is asked and told; see class.go.
	Questions []Question
	Hints     []string    // shown one after the other, when the reader asks
	Moves     []string    // the threads that may be stepped before the questions are answered or, without any, the goal is reached; nil is all
	Reach     []Condition // what the goal asks for, all at one step
	Miss      string      // shown when the run is over and the goal was not reached
	Next      Next

	Differ  int      // expected first step after which the states differ; 0: never
	Outcome int      // expected first step whose outcomes differ; 0: never
	Expect  []Expect // one for each world, in their order
}

// World is one world by its name and the rules that it changes.
type World = worlds.World

// RuleValue is a rule, by its key, with one of its values.
type RuleValue = worlds.RuleValue

// Panel is a part of the page that a scenario may show or fold.
type Panel string

const (
	PanelRegistry Panel = "registry"
	PanelBlobs    Panel = "blobs"
	PanelShard    Panel = "shard"
	PanelRules    Panel = "rules"
	PanelSink     Panel = "sink"   // open anyway where the sink is whole
	PanelReader   Panel = "reader" // empty where the scenario has no reader
	PanelMeter    Panel = "meter"
)

// Panels lists all panels.
var Panels = []Panel{PanelRegistry, PanelBlobs, PanelShard, PanelRules, PanelSink, PanelReader, PanelMeter}

// Reader is the question asked of a view: one key, at some times.
type Reader struct {
	Sink string // name of the sink whose view is read; empty: the first
	Key  string
	AsOf []int64 // times, ascending; the first is the one drawn
}

// Note is shown when the cursor stands at its step.
type Note struct {
	Step int
	Text string
}

// NotAsked stands for an expected number that a file leaves out, so that nothing is
// compared.
const NotAsked = -1

// Expect is what must hold when the schedule has been played in one world. Numbers
// that are [NotAsked] and lists that are nil are not compared.
type Expect struct {
	Verdict     string   // safe, losing, deadlocked, panicked or unfinished
	Puts        int      // uploads made
	Leaked      int      // objects that nobody refers to
	Evaluations int      // evaluations of goodbytes
	Reads       []Read   // answers to the reader
	Answers     []Answer // what each write task answered, in the order of answering
	Broken      []Broken // invariants that are broken at the end
}

// Read is an expected answer. View is "waits", "refused", "none", "error" or a count, and
// Truth one of the last three.
type Read struct {
	AsOf  int64
	View  string
	Truth string
}

// Answer is an expected answer of a write task: "none" or "batch".
type Answer struct {
	Thread string
	Step   int
	Got    string
}

func (r Read) String() string {
	return brief.Sprintf("AS OF %d answers %s, truth %s", r.AsOf, r.View, r.Truth)
}

func (a Answer) String() string {
	return brief.Sprintf("%s gets %s at step %d", a.Thread, a.Got, a.Step)
}

func (b Broken) String() string { return brief.Sprintf("%s broken since %d", b.Invariant, b.Since) }

// Broken names an invariant, by [InvariantKey], and the step since when it is broken.
type Broken struct {
	Invariant string
	Since     int
}

// InvariantKey is the name of an invariant in scenario files.
func InvariantKey(i coalesce.Invariant) string { return invariantKeys[i] }

var invariantKeys = [coalesce.InvariantCount]string{
	"delivered", "once", "no_leak", "balance", "view",
	"one_report", "pending", "pushes_first", "all_woken", "deliverer", "one_batch",
	"schema", "label", "runs",
}

// Build makes the worlds at their start.
func (s *Scenario) Build() (*worlds.Worlds, error) {
	if len(s.Variants) > 0 {
		return worlds.NewRules(s.Setup, s.Variants)
	}
	return worlds.New(s.Setup, s.Worlds...)
}

// Change sets a rule in all worlds. Where the worlds differ in that rule, one world
// is left: the one that has the value, or a new one named after it.
func (s *Scenario) Change(key, value string) error {
	r, err := coalesce.FindRule(key)
	if err != nil {
		return err
	}
	if err := r.Set(&s.Setup, value); err != nil {
		return err
	}
	set := func(w World) bool {
		return slices.ContainsFunc(w.Rules, func(v RuleValue) bool { return v.Key == key })
	}
	has := func(w World) bool { return slices.Contains(w.Rules, RuleValue{Key: key, Value: value}) }
	switch {
	case len(s.Variants) == 0 && key == "probe":
		s.Worlds = []coalesce.Probe{s.Setup.Probe}
	case slices.ContainsFunc(s.Variants, has):
		s.Variants = []World{s.Variants[slices.IndexFunc(s.Variants, has)]}
	case slices.ContainsFunc(s.Variants, set):
		s.Variants = []World{{Name: value, Rules: []RuleValue{{Key: key, Value: value}}}}
	}
	return nil
}

// Open builds the worlds and plays the whole schedule, then returns to the start.
func (s *Scenario) Open() (*worlds.Run, error) {
	w, err := s.Build()
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "worlds: "):
		return nil, err
	case err != nil:
		return nil, brief.Errorf("setup: %w", err)
	}
	letters, err := schedule.Parse(s.Schedule)
	if err != nil {
		return nil, err
	}
	r := w.NewRun()
	if err := r.Play(letters); err != nil {
		return nil, brief.Errorf("schedule: %w", err)
	}
	if s.Start < 0 || s.Start > r.Len() {
		return nil, brief.Errorf("start: %d: allowed is 0 to %d, the length of the schedule", s.Start, r.Len())
	}
	return r, r.Jump(s.Start)
}

// ReaderSink is the index of the sink whose view is read.
func (s *Scenario) ReaderSink() (int, error) {
	if s.Reader.Sink == "" {
		return 0, nil
	}
	for i, k := range s.Setup.Sinks {
		if string(rune(k.Name)) == s.Reader.Sink {
			return i, nil
		}
	}
	return 0, brief.Errorf("reader: sink: %q: this set-up has no such sink", s.Reader.Sink)
}
