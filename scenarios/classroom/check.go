package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/yamlfile"
)

type checkCmd struct {
	Paths  []string `arg:"" help:"Scenario files, folders of them, or ids of built-in scenarios." name:"path"`
	Format string   `help:"text, json or junit." enum:"text,json,junit" default:"text"`
}

// report is what checking one file came to.
type report struct {
	File     string   `json:"file"`
	Verdict  string   `json:"verdict"` // holds, differs or invalid
	Messages []fault  `json:"messages,omitempty"`
	Worlds   []string `json:"worlds,omitempty"` // the verdict of each
}

// fault is one message; line and column are 0 where it has no place.
type fault struct {
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

func (k *checkCmd) Run(c *console) error {
	list, err := files(k.Paths)
	if err != nil {
		return err
	}
	var reports []report
	bad := false
	for _, name := range list {
		r := check(name)
		bad = bad || r.Verdict != "holds"
		reports = append(reports, r)
	}
	write := map[string]func(io.Writer, []report) error{"text": writeText, "json": writeJSON, "junit": writeJUnit}[k.Format]
	if err := write(c.out, reports); err != nil {
		return err
	}
	if bad {
		return errDiffers
	}
	return nil
}

func check(name string) report {
	r := report{File: name, Verdict: "invalid"}
	s, err := load(name)
	var faults yamlfile.Errors
	switch {
	case errors.As(err, &faults):
		for _, f := range faults {
			r.Messages = append(r.Messages, fault{f.Line, f.Column, f.Path, f.Message})
		}
		return r
	case err != nil:
		r.Messages = []fault{{Message: err.Error()}}
		return r
	}
	wrong, err := s.Check()
	if err != nil {
		r.Messages = []fault{{Message: err.Error()}}
		return r
	}
	r.Verdict = "holds"
	for _, w := range wrong {
		r.Verdict = "differs"
		r.Messages = append(r.Messages, fault{Message: w})
	}
	if len(s.Expect) == 0 {
		r.Messages = append(r.Messages, fault{Message: "the file has no expectation, so nothing was compared"})
	}
	if run, err := s.Open(); err == nil {
		run.Last()
		for i, w := range run.Names {
			r.Worlds = append(r.Worlds, w+": "+s.Outcomes(run, i).Verdict)
		}
	}
	return r
}

// expectation prints what differs from a scenario's own expectation.
func expectation(s *scenario.Scenario, c *console) error {
	wrong, err := s.Check()
	if err != nil {
		return err
	}
	for _, w := range wrong {
		fmt.Fprintln(c.err, w)
	}
	if len(wrong) > 0 {
		return errDiffers
	}
	return nil
}

func (f fault) text(file string) string {
	return (&yamlfile.Error{File: file, Line: f.Line, Column: f.Column, Path: f.Path, Message: f.Message}).Error()
}

func writeText(w io.Writer, reports []report) error {
	for _, r := range reports {
		if _, err := fmt.Fprintf(w, "%s: %s\n", r.File, r.Verdict); err != nil {
			return err
		}
		for _, m := range r.Messages {
			if _, err := fmt.Fprintf(w, "  %s\n", m.text(r.File)); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeJSON(w io.Writer, reports []report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(reports)
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, reports []report) error {
	s := junitSuite{Name: "scenarios", Tests: len(reports)}
	for _, r := range reports {
		k := junitCase{Class: "scenario", Name: r.File}
		text := ""
		for _, m := range r.Messages {
			text += m.text(r.File) + "\n"
		}
		switch r.Verdict {
		case "differs":
			s.Failures++
			k.Failure = &junitMessage{r.Messages[0].Message, text}
		case "invalid":
			s.Errors++
			k.Error = &junitMessage{r.Messages[0].Message, text}
		}
		s.Cases = append(s.Cases, k)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
