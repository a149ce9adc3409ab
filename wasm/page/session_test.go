package main

import (
	"strings"
	"testing"

	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

func begin(t *testing.T, id string, rules ...schedule.Rule) *session {
	t.Helper()
	s, err := find(id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := open(s, rules)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(p *session) string { return schedule.Print(p.upTo()) }

func TestEveryLessonOpens(t *testing.T) {
	for _, s := range lessons {
		p := begin(t, s.ID)
		if got := p.run.Cursor(); got != s.Start {
			t.Errorf("%s: opens at step %d, want %d", s.ID, got, s.Start)
		}
		fragment, err := p.fragment()
		if err != nil || !strings.HasPrefix(fragment, "1/"+s.ID+"/") {
			t.Errorf("%s: fragment %q, %v", s.ID, fragment, err)
		}
		p.view.Frame(p.run, p.grain) // does not panic
	}
}

// TestChangedRules opens the key scenario in one world at a time. The letters that are
// skips in that world are left out of its schedule: two before the end of each world,
// none of them before the start.
func TestChangedRules(t *testing.T) {
	for _, probe := range []string{"upgrade", "strong_count"} {
		p := begin(t, "sweep", schedule.Rule{Key: "probe", Value: probe})
		if n := len(p.run.Models); n != 1 {
			t.Fatalf("%s: %d worlds, want 1", probe, n)
		}
		if p.run.Names[0] != probe || p.run.Cursor() != 6 || p.run.Len() != 52 {
			t.Errorf("%s: world %s at step %d of %d, want step 6 of 52", probe, p.run.Names[0], p.run.Cursor(), p.run.Len())
		}
		if fragment, _ := p.fragment(); !strings.HasPrefix(fragment, "1/sweep;probe="+probe+"/A4B3A") {
			t.Errorf("%s: fragment %q does not name the rule", probe, fragment)
		}
	}
	for _, c := range []struct {
		rule schedule.Rule
		want []string
	}{
		{schedule.Rule{Key: "colour", Value: "red"}, []string{"colour", "probe", "descriptions"}},
		{schedule.Rule{Key: "probe", Value: "guess"}, []string{"probe", "guess", "upgrade", "strong_count"}},
		{schedule.Rule{Key: "descriptions", Value: "off"}, []string{"descriptions", "off", "asserted", "unchecked"}},
	} {
		s, _ := find("sweep")
		_, err := open(s, []schedule.Rule{c.rule})
		for _, word := range c.want {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("%v: error %v does not name %s", c.rule, err, word)
			}
		}
	}
}

// TestPlayKeeps holds that a schedule that cannot run changes nothing, and that one that
// can leaves the line before it as a branch.
func TestPlayKeeps(t *testing.T) {
	p := begin(t, "sweep")
	before, _ := p.fragment()
	letters, _ := schedule.Parse("A4 P")
	if err := p.play(letters, 5); err == nil {
		t.Fatal("a bare P is not unique here, but it ran")
	}
	letters, _ = schedule.Parse("A4 B3 By")
	if err := p.play(letters, 8); err == nil || !strings.Contains(err.Error(), "step 8") {
		t.Fatalf("By cannot move while B holds the lock: %v", err)
	}
	if after, _ := p.fragment(); after != before {
		t.Errorf("after errors the line is %s, want %s", after, before)
	}
	letters, _ = schedule.Parse("B5 A4")
	if err := p.play(letters, 3); err != nil {
		t.Fatal(err)
	}
	if text(p) != "B3" || p.run.Len() != 9 || p.run.LineCount() != 2 {
		t.Errorf("%q of %d steps, %d lines; want B3 of 9 steps and 2 lines", text(p), p.run.Len(), p.run.LineCount())
	}
}

// TestRest finishes runs from the start of the scenario's line, from a branch in the
// middle, and from a branch at the very start.
func TestRest(t *testing.T) {
	p := begin(t, "sweep")
	if err := p.rest(); err != nil || p.run.Cursor() != p.run.Len() {
		t.Fatalf("on the line: step %d of %d, %v", p.run.Cursor(), p.run.Len(), err)
	}
	for _, start := range []string{"A4 B4", "B3", "By5 A4", "A5"} {
		p := begin(t, "sweep")
		letters, err := schedule.Parse(start)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.play(letters, len(letters)); err != nil {
			t.Fatalf("%s: %v", start, err)
		}
		if p.run.Cursor() < p.run.Len() {
			continue // the beginning of the scenario's own line
		}
		if err := p.rest(); err != nil {
			t.Fatalf("%s: %v", start, err)
		}
		if !p.run.Over(p.run.Now()) {
			t.Errorf("%s: not over after the rest: %s", start, text(p))
		}
		if !strings.HasPrefix(text(p), start[:2]) {
			t.Errorf("%s: the rest replaced what was played: %s", start, text(p))
		}
	}
}

// TestOtherBranch goes to the other branch and back, at the step made and at the one to come.
func TestOtherBranch(t *testing.T) {
	p := begin(t, "sweep")
	if p.otherBranch(1) {
		t.Error("there is no other branch yet")
	}
	a, _ := p.run.Models[0].ByName("A")
	if _, _, err := p.run.Do(a, worlds.Atomic); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A4 B3", "A4 B2 A", "A4 B3"} {
		if !p.otherBranch(1) || text(p) != want {
			t.Errorf("other branch: %s, want %s", text(p), want)
		}
	}
	p.run.Back()
	if !p.otherBranch(-1) || text(p) != "A4 B2" || p.run.Letter(7) != "A" {
		t.Errorf("before the fork: at %s, next %s; want A4 B2, next A", text(p), p.run.Letter(7))
	}
}

// TestBroken holds that a rule is announced at the step that breaks it, and only there.
func TestBroken(t *testing.T) {
	p := begin(t, "sweep")
	for step, want := range map[int]string{0: "", 7: "", 8: "upgrade: A batch that got data is delivered", 9: "", 12: "No upload is leaked", 30: "the view equals the truth", 54: ""} {
		if err := p.run.Jump(step); err != nil {
			t.Fatal(err)
		}
		if got := p.broken(); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("step %d: %q, want %q", step, got, want)
		}
	}
}
