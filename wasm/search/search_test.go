package main

import (
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/compact"
	"sharedbatches/scenarios"
)

// listen makes a searcher and collects what it tells.
func listen() (s *searcher, heard *[]message) {
	heard = new([]message)
	clock := 0.0
	return &searcher{now: func() float64 { clock += 10; return clock }, tell: func(m message) {
		m, err := decode(encode(m))
		if err != nil {
			panic(err)
		}
		*heard = append(*heard, m)
	}}, heard
}

func twoWorlds(t *testing.T, id string) string {
	t.Helper()
	s, err := scenarios.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	var list []scenario.Scenario
	for i, m := range run.Models {
		list = append(list, scenario.Scenario{ID: run.Names[i], Setup: m.Config})
	}
	return compact.Encode(list)
}

// TestSearcher asks, and reads what is told: progress, both answers, ways left, and
// nothing about an older ask.
func TestSearcher(t *testing.T) {
	s, heard := listen()
	s.hear(encode(&ask{Number: 7, Worlds: twoWorlds(t, "share")}))
	for s.work(10) {
	}
	var answers []*found
	steps := 0
	for _, m := range *heard {
		switch m := m.(type) {
		case *progress:
			if steps++; m.Number != 7 || m.States == 0 {
				t.Errorf("progress %+v", m)
			}
		case *found:
			answers = append(answers, m)
		}
	}
	if steps == 0 || len(answers) != 1 && len(answers) != 2 || !answers[len(answers)-1].Last {
		t.Fatalf("%d messages of progress, %d answers", steps, len(answers))
	}
	*heard = nil
	s.hear(encode(&query{Number: 6, Tag: 1}))
	s.hear(encode(&query{Number: 7, Tag: 2, Letters: []string{"A", "A"}}))
	if len(*heard) != 1 || (*heard)[0].(*ways).Tag != 2 || len((*heard)[0].(*ways).Worlds[0].Threads) == 0 {
		t.Errorf("told %+v", *heard)
	}
}

// TestSearcherStops holds that each limit stops the search and is named.
func TestSearcherStops(t *testing.T) {
	for want, m := range map[string]*ask{
		"<b>states</b>, 100": {States: 100}, "<b>seconds</b>, 2": {Seconds: 2},
	} {
		s, heard := listen()
		m.Worlds = twoWorlds(t, "sweep")
		s.hear(encode(m))
		for s.work(20) {
		}
		last := (*heard)[len(*heard)-1].(*found)
		for _, words := range []string{want, "at least", "To make the question smaller", "Nothing beyond it is claimed"} {
			if !strings.Contains(last.Markup, words) {
				t.Errorf("%q lacks in %s", words, last.Markup)
			}
		}
		if strings.Contains(last.Markup, "safe here") {
			t.Error("a stopped search says safe")
		}
	}
}

// TestSearcherRefuses holds that a set-up that cannot be is told as such.
func TestSearcherRefuses(t *testing.T) {
	s, heard := listen()
	s.hear(encode(&ask{Number: 3, Worlds: compact.Encode([]scenario.Scenario{{ID: "upgrade", Setup: coalesce.Config{}}})}))
	if s.work(10) || len(*heard) != 1 {
		t.Fatalf("told %v", *heard)
	}
	if f, ok := (*heard)[0].(*failed); !ok || f.Number != 3 || !strings.HasPrefix(f.Why, "upgrade: ") {
		t.Errorf("told %+v", (*heard)[0])
	}
}
