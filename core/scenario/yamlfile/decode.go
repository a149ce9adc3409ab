package yamlfile

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
)

// Limits of texts, in bytes.
const (
	maxTitle = 120
	maxText  = 8 << 10
)

var (
	probes       = map[string]coalesce.Probe{"upgrade": coalesce.Upgrade, "strong_count": coalesce.StrongCount}
	descriptions = map[string]coalesce.Descriptions{"asserted": coalesce.Asserted, "unchecked": coalesce.Unchecked}
)

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
			f.items(1, 2, func(f field) {
				var w string
				if f.word(&w, []string{"upgrade", "strong_count"}); w != "" {
					s.Worlds = append(s.Worlds, probes[w])
				}
			})
			if len(s.Worlds) == 2 && s.Worlds[0] == s.Worlds[1] {
				f.fault("both worlds are %s: they must differ", s.Worlds[0])
			}
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
		"descriptions": func(f field) {
			var w string
			f.word(&w, []string{"asserted", "unchecked"})
			c.Descriptions = descriptions[w]
		},
		"sweeper": func(f field) { f.flag(&c.Sweeper) },
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
	})
	s.Bounds = append([]int64{lower}, uppers...)
	return s
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
		"bytes!":   func(f field) { f.int(&p.Bytes, coalesce.InlineLimit, 1<<31-1) },
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
	s.Expect = make([]scenario.Expect, len(s.Worlds))
	known := map[string]func(field){}
	for i, w := range s.Worlds {
		known[w.String()+"!"] = func(f field) { decodeOutcome(f, &s.Expect[i]) }
	}
	f.fields(known)
}

func decodeOutcome(f field, e *scenario.Expect) {
	e.Puts, e.Leaked = scenario.NotAsked, scenario.NotAsked
	f.fields(map[string]func(field){
		"verdict!": func(f field) {
			f.word(&e.Verdict, []string{"safe", "losing", "deadlocked", "panicked", "unfinished"})
		},
		"puts":   func(f field) { f.int(&e.Puts, 0, 255) },
		"leaked": func(f field) { f.int(&e.Leaked, 0, 255) },
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
					"view!":  func(f field) { r.View = decodeAnswer(f, "waits", "refused", "none") },
					"truth!": func(f field) { r.Truth = decodeAnswer(f, "none") },
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
