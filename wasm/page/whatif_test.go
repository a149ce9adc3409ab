//go:build !js

package main

import (
	"fmt"
	"strings"
	"testing"

	"sharedbatches/core/schedule"
	"sharedbatches/web/browsertest"
)

// TestReplay changes rules back and forth: the same letters are played as far as each is
// enabled, the cursor stays, and the scenario's own value is no change.
func TestReplay(t *testing.T) {
	before := begin(t, "sweep")
	rules, err := before.with("probe", "strong_count")
	if err != nil || len(rules) != 1 {
		t.Fatalf("rules %v, %v", rules, err)
	}
	changed, err := open(before.own, rules)
	if err != nil {
		t.Fatal(err)
	}
	says, err := changed.replay(before)
	if err != nil || says != "Replayed 52 of 54 letters; differs from before from step 38." {
		t.Errorf("said %q, %v", says, err)
	}
	if text(changed) != "A4 B2" || len(changed.run.Models) != 1 {
		t.Errorf("replayed to %q in %d worlds", text(changed), len(changed.run.Models))
	}
	if rules, err = changed.with("probe", "upgrade | strong_count"); err != nil || len(rules) != 0 {
		t.Errorf("the scenario’s own value makes the rules %v, %v", rules, err)
	}
	if rules, err = changed.with("mode", "barrier"); err != nil || len(rules) != 2 || rules[0].Key != "mode" {
		t.Errorf("rules %v, %v", rules, err)
	}
	if _, err := before.with("colour", "red"); err == nil {
		t.Error("there is no such rule")
	}
	hole := begin(t, "hole")
	if rules, _ = hole.with("sink", "whole"); len(rules) != 0 {
		t.Errorf("its own rule is a change: %v", rules)
	}
	unchecked := begin(t, "sweep", schedule.Rule{Key: "descriptions", Value: "unchecked"})
	if says, err := unchecked.replay(before); err != nil || says != "Replayed 54 of 54 letters; no step differs from before." {
		t.Errorf("said %q, %v", says, err)
	}
}

// TestWhatIf changes a rule on the page, returns by the browser's back button, and is refused.
func TestWhatIf(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B3AB@9")
	p.Click(reach(p, "#what-if summary"))
	set := func(key, value string) {
		do(p, fmt.Sprintf(`const s = document.getElementById("switch-%s"); s.value = %q; s.dispatchEvent(new Event("change", {bubbles: true}))`, key, value))
	}
	if got := browsertest.Eval[string](p, `[...document.querySelectorAll("#switch-probe option")].map(o => o.textContent).join(", ")`); got != "upgrade | strong_count, upgrade (broken), strong_count" {
		t.Errorf("the options are %q", got)
	}
	set("probe", "strong_count")
	p.WaitText("#switched", "Replayed 52 of 54 letters; differs from before from step 38.")
	p.WaitFor(`location.hash.startsWith("#1/sweep;probe=strong_count/A4B3AB") && location.hash.endsWith("@9") && document.activeElement.id === "switch-probe"`)
	p.WaitText("#changed", "probe=strong_count")
	p.Axe()
	do(p, `history.back()`)
	p.WaitFor(`location.hash.startsWith("#1/sweep/A4B3AB") && location.hash.endsWith("@9") && document.getElementById("switch-probe").value === "upgrade | strong_count"`)
	p.WaitText("#step-no", "step 9")
	if browsertest.Eval[bool](p, `document.getElementById("changed-row").checkVisibility()`) {
		t.Error("the changed rule is still shown")
	}
	p = visit(t, "/#1/missing/")
	p.Click(reach(p, "#what-if summary"))
	hash := browsertest.Eval[string](p, `location.hash`)
	set("reports", "once")
	p.WaitText("#switched", "These rules do not go together: in this lesson the barrier waits for a participant that does not exist, which is the mistake to study. Keep Reports at unchecked here.")
	if got := browsertest.Eval[string](p, `document.getElementById("switch-reports").value + location.hash`); got != "unchecked"+hash {
		t.Errorf("after a refusal: %s, want unchecked%s", got, hash)
	}
}

// TestEveryChange gives every two rules of every lesson every value: a session opens and
// plays what was played, or it is refused in words that a reader of the page can act on,
// and the session before stays as it was.
func TestEveryChange(t *testing.T) {
	told := map[string]bool{}
	open2 := func(before *session, rules []schedule.Rule) *session {
		opened, err := open(before.own, rules)
		if err != nil {
			says := err.Error()
			told[says] = true
			if !strings.HasPrefix(says, "These rules do not go together: ") || strings.ContainsAny(says, "[]$") || !strings.Contains(says, "Keep ") {
				t.Errorf("%s, %v: refused with %q", before.own.ID, rules, says)
			}
			return nil
		}
		if _, err = opened.replay(before); err != nil {
			t.Errorf("%s, %v: %v", before.own.ID, rules, err)
		}
		return opened
	}
	for _, s := range lessons {
		before := begin(t, s.ID)
		was, list := text(before), before.view.Frame(before.run, 0).Switches
		for i := range list {
			for _, value := range list[i].Values {
				rules, err := before.with(list[i].Key, value)
				if err != nil {
					t.Fatal(err)
				}
				changed := open2(before, rules)
				if changed == nil || testing.Short() {
					continue
				}
				for _, other := range changed.view.Frame(changed.run, 0).Switches[i+1:] {
					for _, value := range other.Values {
						if rules, err = changed.with(other.Key, value); err != nil {
							t.Fatal(err)
						}
						open2(before, rules)
					}
				}
			}
		}
		if text(before) != was {
			t.Errorf("%s is at %q, was at %q", s.ID, text(before), was)
		}
	}
	if len(told) != len(refusals) {
		t.Errorf("%d refusals are worded, and these were met: %v", len(refusals), told)
	}
}

// TestPageKeys presses what has nothing to do, and is told so.
func TestPageKeys(t *testing.T) {
	p := visit(t, "/")
	do(p, `document.activeElement.blur()`)
	p.Press("Tab")
	p.WaitFor(`document.activeElement.id === "skip"`)
	p.Press("Enter")
	p.WaitFor(`document.activeElement.id.startsWith("step-")`)
	p.Press("ArrowDown")
	p.WaitText("#ran", "No other branch at this step.")
	p.Press("a", "Home", "ArrowDown")
	p.WaitText("#ran", "No other branch at this step (nearest: step 6).")
	p.Press("p")
	p.WaitText("#ran", "is blocked: ")
	do(p, `document.activeElement.blur()`)
	p.Press(" ")
	p.WaitFor(`document.getElementById("playground").dataset.playing === "true"`)
	p.Press("Escape")
	p.WaitFor(`document.getElementById("playground").dataset.playing === "false"`)
}

// TestLowWindow has the dock at the bottom of a low window, and both sinks’ surroundings.
func TestLowWindow(t *testing.T) {
	for _, at := range []struct{ name, path string }{
		{"sweep8", "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@8"}, {"hole", "/#1/hole/"},
	} {
		p := visit(t, at.path)
		for _, s := range sizes[:3] {
			p.Viewport(s.width, s.height)
			p.Screenshot(fmt.Sprintf("page-%s-%d", at.name, s.width))
			p.Axe()
			if n, culprit := p.SidewaysOverflow(); n > 0 {
				t.Errorf("%s at %d: %d pixels too wide: %s", at.name, s.width, n, culprit)
			}
			bottom := browsertest.Eval[float64](p, `document.getElementById("dock").getBoundingClientRect().bottom`)
			if low := s.width < 1000; low != (bottom == float64(s.height)) {
				t.Errorf("%s at %d: the dock ends at %.0f", at.name, s.width, bottom)
			}
		}
		p.Viewport(1440, 900)
		p.Click("#unfold")
		p.Click(reach(p, "#what-if summary"))
		p.FullScreenshot("page-" + at.name + "-everything")
	}
}
