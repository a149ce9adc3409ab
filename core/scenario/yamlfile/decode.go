package yamlfile

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
)

// worldLimit is how many worlds a scenario has at most.
const worldLimit = 2

// Limits of texts, in bytes.
const (
	maxTitle = 120
	maxText  = 8 << 10

	maxEvaluations = 1<<16 - 1
)

// maxReports is how many skips one Timely side lists at most.
const maxReports = 7

var worldName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,23}$`)

// Decode reads a scenario. The id comes from the caller, as a file's does not carry
// it. The error is Errors.
func Decode(file, id string, text []byte) (*scenario.Scenario, error) {
	root, bad := document(file, text)
	if bad != nil {
		return nil, bad
	}
	s := &scenario.Scenario{ID: id, Differ: scenario.NotAsked, Outcome: scenario.NotAsked}
	f := field{root, "", &faults{file: file, text: text}}
	decodeScenario(f, s)
	if len(f.to.list) > 0 {
		slices.SortStableFunc(f.to.list, func(a, b *Error) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, f.to.list
	}
	// What holds over several fields is checked by the packages that own them.
	if _, err := s.Check(); err != nil {
		return nil, Errors{placed(f, err)}
	}
	return s, nil
}

func decodeScenario(f field, s *scenario.Scenario) {
	var expect *field
	known := false // the worlds
	f.fields(map[string]func(field){
		"title!": func(f field) { f.text(&s.Title, 1, maxTitle) },
		"text":   func(f field) { f.text(&s.Text, 0, maxText) },
		"goal":   func(f field) { f.text(&s.Goal, 0, maxText) },
		"setup!": func(f field) { decodeSetup(f, &s.Setup) },
		"worlds!": func(f field) {
			before := len(f.to.list)
			decodeWorlds(f, s)
			known = len(f.to.list) == before
		},
		"schedule!": func(f field) { decodeSchedule(f, &s.Schedule) },
		"start":     func(f field) { f.int(&s.Start, 0, schedule.MaxLetters) },
		"grain":     func(f field) { f.word(&s.Grain, []string{"step", "sweep", "call"}) },
		"panels": func(f field) {
			f.items(0, len(scenario.Panels), func(f field) {
				var p string
				f.word(&p, panelNames())
				switch {
				case p == "":
				case slices.Contains(s.Panels, scenario.Panel(p)):
					f.fault("%s stands twice", p)
				default:
					s.Panels = append(s.Panels, scenario.Panel(p))
				}
			})
		},
		"reader": func(f field) {
			f.fields(map[string]func(field){
				"sink":   func(f field) { f.word(&s.Reader.Sink, sinkNames) },
				"key!":   func(f field) { f.text(&s.Reader.Key, 1, 64) },
				"as_of!": func(f field) { f.items(1, 6, func(f field) { s.Reader.AsOf = append(s.Reader.AsOf, decodeTime(f)) }) },
			})
		},
		"notes": func(f field) {
			f.items(0, 100, func(f field) {
				var n scenario.Note
				f.fields(map[string]func(field){
					"step!": func(f field) { f.int(&n.Step, 0, schedule.MaxLetters) },
					"text!": func(f field) { f.text(&n.Text, 1, maxText) },
				})
				s.Notes = append(s.Notes, n)
			})
		},
		"questions": func(f field) {
			f.items(0, maxQuestions, func(f field) { s.Questions = append(s.Questions, decodeQuestion(f)) })
		},
		"hints": func(f field) { s.Hints = decodeTexts(f, 0, maxHints, maxText) },
		"moves": func(f field) { s.Moves = decodeTexts(f, 1, maxMoves, schedule.MaxLetterBytes) },
		"reach": func(f field) {
			f.items(1, maxConditions, func(f field) { s.Reach = append(s.Reach, decodeCondition(f)) })
		},
		"miss": func(f field) { f.text(&s.Miss, 1, maxText) },
		"next": func(f field) {
			f.fields(map[string]func(field){
				"step!": func(f field) { f.int(&s.Next.Step, 0, schedule.MaxLetters) },
				"text!": func(f field) { f.text(&s.Next.Text, 1, maxTitle) },
			})
		},
		"differ":  func(f field) { f.int(&s.Differ, 0, schedule.MaxLetters) },
		"outcome": func(f field) { f.int(&s.Outcome, 0, schedule.MaxLetters) },
		"expect":  func(f field) { expect = &f },
	})
	// After the loop, because it depends on the worlds, wherever they stand.
	if expect != nil && known {
		decodeExpect(*expect, s)
	}
}

var sinkNames = []string{"V", "W", "X", "Y"}

func panelNames() []string {
	list := make([]string, len(scenario.Panels))
	for i, p := range scenario.Panels {
		list[i] = string(p)
	}
	return list
}

func decodeTime(f field) int64 {
	var n int64
	f.number(&n, 0, math.MaxInt64>>1)
	return n
}

// decodeWorlds reads probes, or worlds that change other rules by name. In the
// latter the sweep loads the count unless a world says otherwise.
func decodeWorlds(f field, s *scenario.Scenario) {
	before := len(f.to.list)
	var list []scenario.World
	plain := true
	f.items(1, worldLimit, func(f field) {
		w, probe := decodeWorld(f)
		list = append(list, w)
		plain = plain && probe
	})
	if len(f.to.list) > before {
		return
	}
	if len(list) == worldLimit {
		a, b := list[0], list[1]
		switch {
		case a.Name == b.Name:
			f.fault("both worlds are %s: they must differ", a.Name)
		case slices.Equal(a.Rules, b.Rules):
			f.fault("%s and %s change the same rules: they must differ", a.Name, b.Name)
		}
	}
	if !plain {
		s.Setup.Probe = coalesce.StrongCount
		s.Variants = list
		return
	}
	for _, w := range list {
		s.Worlds = append(s.Worlds, probe(w.Name))
	}
}

func probe(word string) coalesce.Probe {
	if word == coalesce.StrongCount.String() {
		return coalesce.StrongCount
	}
	return coalesce.Upgrade
}

// decodeWorld reads a world; plain tells whether it is just a probe.
func decodeWorld(f field) (w scenario.World, plain bool) {
	if f.node.Kind != yaml.MappingNode {
		f.word(&w.Name, probeRule.Values)
		w.Rules = []scenario.RuleValue{{Key: probeRule.Key, Value: w.Name}}
		return w, true
	}
	f.fields(map[string]func(field){
		"name!": func(f field) {
			if f.text(&w.Name, 1, 24); w.Name != "" && !worldName.MatchString(w.Name) {
				f.fault("%q: a world's name is of a-z, 0-9 and _, as in check_first", clip(w.Name))
			}
		},
		"rules!": func(f field) { w.Rules = decodeRules(f, true) },
	})
	return w, false
}

// probeRule is the rule that scenarios set by their worlds only.
var probeRule = &coalesce.Rules[0]

// decodeRules reads changed rules, in the order in which the model lists them.
func decodeRules(f field, probe bool) (list []scenario.RuleValue) {
	values := map[string]string{}
	known := map[string]func(field){}
	for i := range coalesce.Rules {
		r := &coalesce.Rules[i]
		if r == probeRule && !probe {
			continue
		}
		known[r.Key] = func(f field) {
			var w string
			if f.word(&w, r.Values); w != "" {
				values[r.Key] = w
			}
		}
	}
	f.fields(known)
	for i := range coalesce.Rules {
		if v, ok := values[coalesce.Rules[i].Key]; ok {
			list = append(list, scenario.RuleValue{Key: coalesce.Rules[i].Key, Value: v})
		}
	}
	return list
}

// decodeSchedule folds line breaks, so that a long schedule may stand on several lines.
func decodeSchedule(f field, to *string) {
	var text string
	f.text(&text, 0, schedule.MaxFragmentBytes)
	text = strings.Join(strings.Fields(text), " ")
	letters, err := schedule.Parse(text)
	if err != nil {
		var at *schedule.Error
		if !errors.As(err, &at) {
			f.fault("%v", err)
		} else if line, column, ok := inSchedule(f, text[:at.Column-1]); ok {
			f.faultAt(line, column, "%s: %s", at.What, at.Why)
		} else {
			f.fault("column %d of the schedule: %s: %s", at.Column, at.What, at.Why)
		}
		return
	}
	*to = schedule.Print(letters)
}

func decodeSetup(f field, c *coalesce.Config) {
	f.fields(map[string]func(field){
		"target": func(f field) { f.int(&c.Target, coalesce.InlineLimit, 1<<31-1) },
		"rules": func(f field) {
			for _, v := range decodeRules(f, false) {
				if r, err := coalesce.FindRule(v.Key); err == nil {
					_ = r.Set(c, v.Value) // its word was checked
				}
			}
		},
		"processes":   func(f field) { f.int(&c.Processes, 1, coalesce.MaxProcesses) },
		"sweeper":     func(f field) { f.flag(&c.Sweeper) },
		"teardown":    func(f field) { f.flag(&c.Teardown) },
		"cleaner":     func(f field) { f.flag(&c.Cleaner) },
		"outstanding": func(f field) { f.int(&c.Outstanding, 1, coalesce.MaxFlushes) },
		"max_runs":    func(f field) { f.int(&c.MaxRuns, 1, coalesce.MaxFlushes) },
		"sinks!": func(f field) {
			f.items(1, coalesce.MaxSinks, func(f field) { c.Sinks = append(c.Sinks, decodeSink(f)) })
		},
		"workers!": func(f field) {
			worker := 0
			f.items(1, coalesce.MaxWorkers, func(f field) {
				f.fields(map[string]func(field){
					"writes!": func(f field) {
						f.items(1, coalesce.MaxSinks, func(f field) { c.Tasks = append(c.Tasks, decodeTask(f, worker, c)) })
					},
				})
				worker++
			})
		},
	})
}

func decodeSink(f field) coalesce.SinkConfig {
	var s coalesce.SinkConfig
	lower := int64(-1)
	var uppers []int64
	f.fields(map[string]func(field){
		"name!": func(f field) {
			var w string
			if f.word(&w, sinkNames); w != "" {
				s.Name = w[0]
			}
		},
		"since":  func(f field) { s.Since = decodeTime(f) },
		"lower!": func(f field) { lower = decodeTime(f) },
		"uppers!": func(f field) {
			f.items(1, coalesce.MaxIntervals, func(f field) { uppers = append(uppers, decodeTime(f)) })
		},
		"superseded":   func(f field) { s.Superseded = decodeIntervals(f, coalesce.MaxIntervals) },
		"participants": func(f field) { f.int(&s.Participants, 1, coalesce.MaxWorkers) },
		"replica":      func(f field) { f.int(&s.Replica, 0, coalesce.MaxIntervals) },
	})
	s.Bounds = append([]int64{lower}, uppers...)
	return s
}

// decodeIntervals reads a list of intervals, which files count from 1.
func decodeIntervals(f field, most int) (list []int) {
	f.items(0, most, func(f field) {
		n := 1
		f.int(&n, 1, coalesce.MaxIntervals)
		list = append(list, n-1)
	})
	return list
}

func decodeTask(f field, worker int, c *coalesce.Config) coalesce.TaskConfig {
	t := coalesce.TaskConfig{Worker: worker}
	f.fields(map[string]func(field){
		"sink!": func(f field) {
			var w string
			if f.word(&w, sinkNames); w == "" {
				return
			}
			t.Sink = -1
			unnamed := false // a fault already
			for i, s := range c.Sinks {
				if string(rune(s.Name)) == w {
					t.Sink = i
				}
				unnamed = unnamed || s.Name == 0
			}
			if t.Sink < 0 && !unnamed {
				f.fault("%q: setup.sinks, which stands before the workers, has no such sink", w)
			}
		},
		"upper": func(f field) { t.Upper = decodeTime(f) },
		"parts": func(f field) {
			f.items(0, coalesce.MaxParts, func(f field) { t.Parts = append(t.Parts, decodePart(f)) })
		},
		"skips":       func(f field) { t.Skips = decodeIntervals(f, maxReports) },
		"writes":      func(f field) { f.flag(&t.Writes) },
		"best_effort": func(f field) { f.flag(&t.BestEffort) },
	})
	return t
}

func decodePart(f field) coalesce.PartConfig {
	var p coalesce.PartConfig
	interval := 1
	f.fields(map[string]func(field){
		"interval": func(f field) { f.int(&interval, 1, coalesce.MaxIntervals) },
		"at!":      func(f field) { p.At = decodeTime(f) },
		"updates!": func(f field) { f.int(&p.Updates, 1, 1<<31-1) },
		"bytes!":   func(f field) { f.int(&p.Bytes, 1, 1<<31-1) },
		"error":    func(f field) { f.text(&p.Error, 1, 64) },
		"gone":     func(f field) { f.flag(&p.Gone) },
		"changes": func(f field) {
			f.items(0, 1000, func(f field) {
				var c coalesce.Change
				f.fields(map[string]func(field){
					"key!":  func(f field) { f.text(&c.Key, 1, 64) },
					"from!": func(f field) { c.From = decodeCount(f) },
					"to!":   func(f field) { c.To = decodeCount(f) },
				})
				p.Changes = append(p.Changes, c)
			})
		},
	})
	p.Interval = interval - 1
	return p
}

// decodeCount reads a count, or "none" for no row.
func decodeCount(f field) int {
	n := 0
	if f.node.Value == "none" && f.node.Tag == "!!str" && f.real() {
		return coalesce.Absent
	}
	f.int(&n, 0, 1<<31-1)
	return n
}

func decodeExpect(f field, s *scenario.Scenario) {
	var names []string
	for _, w := range s.Worlds {
		names = append(names, w.String())
	}
	for _, w := range s.Variants {
		names = append(names, w.Name)
	}
	s.Expect = make([]scenario.Expect, len(names))
	known := map[string]func(field){}
	for i, name := range names {
		known[name+"!"] = func(f field) { decodeOutcome(f, &s.Expect[i]) }
	}
	f.fields(known)
}

func decodeOutcome(f field, e *scenario.Expect) {
	e.Puts, e.Leaked, e.Evaluations = scenario.NotAsked, scenario.NotAsked, scenario.NotAsked
	f.fields(map[string]func(field){
		"verdict!": func(f field) {
			f.word(&e.Verdict, []string{"safe", "losing", "deadlocked", "panicked", "unfinished"})
		},
		"puts":        func(f field) { f.int(&e.Puts, 0, 255) },
		"leaked":      func(f field) { f.int(&e.Leaked, 0, 255) },
		"evaluations": func(f field) { f.int(&e.Evaluations, 0, maxEvaluations) },
		"answers": func(f field) {
			e.Answers = []scenario.Answer{}
			f.items(0, coalesce.MaxTasks*coalesce.MaxIntervals, func(f field) {
				var a scenario.Answer
				f.fields(map[string]func(field){
					"thread!": func(f field) { f.text(&a.Thread, 1, schedule.MaxLetterBytes) },
					"step!":   func(f field) { f.int(&a.Step, 1, schedule.MaxLetters) },
					"got!":    func(f field) { f.word(&a.Got, []string{"none", "batch"}) },
				})
				e.Answers = append(e.Answers, a)
			})
		},
		"reads": func(f field) {
			e.Reads = []scenario.Read{}
			f.items(0, 6, func(f field) {
				var r scenario.Read
				f.fields(map[string]func(field){
					"as_of!": func(f field) { r.AsOf = decodeTime(f) },
					"view!":  func(f field) { r.View = decodeAnswer(f, "waits", "refused", "none", "error") },
					"truth!": func(f field) { r.Truth = decodeAnswer(f, "none", "error") },
				})
				e.Reads = append(e.Reads, r)
			})
		},
		"broken": func(f field) {
			e.Broken = []scenario.Broken{}
			known := map[string]func(field){}
			since := [coalesce.InvariantCount]int{}
			for i := range coalesce.InvariantCount {
				known[scenario.InvariantKey(i)] = func(f field) { f.int(&since[i], 1, schedule.MaxLetters) }
			}
			f.fields(known)
			for i, n := range since {
				if n != 0 {
					e.Broken = append(e.Broken, scenario.Broken{Invariant: scenario.InvariantKey(coalesce.Invariant(i)), Since: n})
				}
			}
		},
	})
}

// decodeAnswer reads a count or one of some words.
func decodeAnswer(f field, words ...string) string {
	if f.node.Tag == "!!str" {
		var w string
		f.word(&w, words)
		return w
	}
	n := 0
	f.int(&n, 0, 1<<31-1)
	return strconv.Itoa(n)
}
