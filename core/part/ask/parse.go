package ask

import (
	"errors"
	"maps"
	"slices"

	"sharedbatches/core/part/size"
	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/compact"
	"sharedbatches/core/scenario/yamlfile"
	"sharedbatches/core/worlds"
)

// Parsed is a scenario file's faults, or what it is. Without faults, Scenario is the
// compiled form: the fields of [scenario.Scenario] under their Go names. It can be
// handed back in a request.
type Parsed struct {
	Errors   []Fault            `json:"errors,omitempty"`
	Summary  *Summary           `json:"summary,omitempty"`
	Scenario *scenario.Scenario `json:"scenario,omitempty"`
	Compact  string             `json:"compact,omitempty"` // the same for page.wasm, which reads no JSON; see package compact
}

// Fault is one fault; line and column count from 1, and 0 is "not known".
type Fault struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Path    string `json:"path"`
	Message string `json:"message"`
	Text    string `json:"text"` // all of it in one line
}

// Summary is what a learner sees before opening a file of their own.
type Summary struct {
	Title   string     `json:"title"`
	Worlds  []string   `json:"worlds"`
	Threads []string   `json:"threads"`
	Letters int        `json:"letters"` // of the schedule
	Parts   []PartSize `json:"parts"`
	Differ  []string   `json:"differ"` // where the run is not what the file expects
}

// PartSize is what a part is said to be and what it is.
type PartSize struct {
	ID        int    `json:"id"`
	Thread    string `json:"thread"`
	Updates   int    `json:"updates"`
	Declared  int    `json:"declared"`  // bytes, by the file
	Goodbytes int    `json:"goodbytes"` // 0 where the rows cannot be made
	Encoded   int    `json:"encoded"`
}

// Parse reads a scenario file.
func (d *Data) Parse(file string, text []byte) []byte {
	s, err := yamlfile.Decode(file, "", text)
	if err == nil {
		var run *worlds.Run
		if run, err = s.Open(); err == nil {
			return answer(Parsed{Summary: summary(s, run), Scenario: s, Compact: compact.Encode([]scenario.Scenario{*s})})
		}
	}
	var list yamlfile.Errors
	if !errors.As(err, &list) {
		list = yamlfile.Errors{{File: file, Message: err.Error()}}
	}
	var p Parsed
	for _, e := range list {
		p.Errors = append(p.Errors, Fault{e.Line, e.Column, e.Path, e.Message, e.Error()})
	}
	return answer(p)
}

func summary(s *scenario.Scenario, run *worlds.Run) *Summary {
	m := run.Models[0]
	out := &Summary{Title: s.Title, Worlds: run.Names, Threads: m.Names(), Letters: run.Len(), Parts: []PartSize{}, Differ: []string{}}
	for p := range m.PartCount() {
		pc, task := m.Part(p)
		goodbytes, encoded, _ := size.Part(m, p)
		out.Parts = append(out.Parts, PartSize{p, m.Name(task), pc.Updates, pc.Bytes, goodbytes, encoded})
	}
	if wrong, err := s.Check(); err == nil {
		out.Differ = append(out.Differ, wrong...)
	}
	return out
}

func sorted(set map[int64]bool) []int64 { return slices.Sorted(maps.Keys(set)) }
