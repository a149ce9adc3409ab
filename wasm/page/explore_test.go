//go:build !js

package main

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/proof"
	"sharedbatches/core/schedule"
	"sharedbatches/wasm/talk"
	"sharedbatches/web/browsertest"
)

// native searches a scenario's worlds here, as the page does in the browser.
func native(t *testing.T, id string, q proof.Question) (models []*coalesce.Model, searches []proof.Search, answers []*proof.Answer) {
	t.Helper()
	s, err := find(id)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range run.Models {
		q.Config = m.Config
		search, err := proof.New(q)
		if err != nil {
			t.Fatal(err)
		}
		for !search.Run(1000) {
		}
		models, searches, answers = append(models, m), append(searches, search), append(answers, search.Answer())
	}
	return models, searches, answers
}

// explored opens a scenario, presses X and runs the search to its end.
func explored(t *testing.T, p *browsertest.Page) {
	t.Helper()
	p.Press("x")
	p.WaitFor(`document.activeElement.id === "explore-run"`)
	p.Press("Enter")
	finished(p)
}

func finished(p *browsertest.Page) {
	p.WaitFor(`document.getElementById("explore-says").textContent !== "" && document.getElementById("explore-cancel").getAttribute("aria-disabled") === "true"`)
}

// result reads the text of a part of a world's answer.
func result(p *browsertest.Page, world int, css string) string {
	return browsertest.Eval[string](p, fmt.Sprintf(`(document.querySelector("#explore-world-%d " + %q) || {textContent: ""}).textContent`, world, css))
}

func meets(t *testing.T, p *browsertest.Page, answers []*proof.Answer) {
	t.Helper()
	says := p.Text("#explore-says")
	for i, a := range answers {
		if !strings.Contains(says, a.Claim()) {
			t.Errorf("the page says %q, natively it is %q", says, a.Claim())
		}
		want := map[string]string{
			"[data-losing]": proof.Exact(a.Losing), "[data-schedules]": proof.Exact(a.Schedules),
			"[data-states]": proof.Digits(strconv.Itoa(a.States)), "[data-transitions]": proof.Digits(strconv.Itoa(a.Transitions)),
			"[data-end='lose all of an interval']": proof.Exact(a.LosingAll), "[data-end='lose a part of it']": proof.Exact(a.LosingPart),
			"[data-end='deadlock']": proof.Exact(a.Deadlocked), "[data-end='panic']": proof.Exact(a.Panicked), "[data-end='safe']": proof.Exact(a.Safe),
		}
		for css, text := range want {
			if got := result(p, i, css); got != text {
				t.Errorf("%s: %s is %q, natively %q", a.Probe, css, got, text)
			}
		}
		text := browsertest.Eval[string](p, fmt.Sprintf(`document.getElementById("explore-world-%d").innerText`, i))
		contains(t, a.Probe, squeeze(text), proof.Chance(a.Chance)+" of runs", "not the chance that a machine", "no such scheduler")
		for _, path := range []*proof.Path{a.Orphaning, a.WrongSeal, a.NoReturn, a.Deadlock} {
			if path != nil && result(p, i, `[data-load="`+path.Text+`"]`) == "" {
				t.Errorf("%s: %s cannot be loaded", a.Probe, path.Text)
			}
		}
	}
}

func TestExploreExact(t *testing.T) {
	for _, id := range []string{"sweep", "share", "partial", "missing"} {
		t.Run(id, func(t *testing.T) {
			_, _, answers := native(t, id, proof.Question{})
			p := visit(t, "/#1/"+id+"/@0")
			explored(t, p)
			meets(t, p, answers)
			p.Axe()
			p.Screenshot("explore-" + id)
		})
	}
}

// TestExploreCalls asks by whole calls, with builder tasks and append last.
func TestExploreCalls(t *testing.T) {
	s, err := find("calls")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	var last []string
	for _, n := range run.Models[0].Names() {
		if strings.Contains("KLP", n[:1]) {
			last = append(last, n)
		}
	}
	_, _, answers := native(t, "calls", proof.Question{Grain: proof.Call, Last: last})
	p := visit(t, "/#1/calls/@0")
	p.Press("x")
	p.Click("#explore-grain-1")
	p.Click("#explore-last")
	p.Click("#explore-run")
	finished(p)
	meets(t, p, answers)
	contains(t, "the answer by calls", p.Text("#explore-says"), "cannot happen when calls are indivisible")
	lacks(t, "the answer by calls", result(p, 0, ".world-head"), "safe")
	if answers[0].Schedules.Int64() <= talk.TicksMost {
		contains(t, "few schedules", result(p, 0, ""), "One tick for each schedule")
	}
}

// TestExploreLoads presses "Load it": the schedule replays, and what was tried before stays.
func TestExploreLoads(t *testing.T) {
	_, _, answers := native(t, "sweep", proof.Question{})
	p := visit(t, "/#1/sweep/B2@2")
	p.Press("b")
	explored(t, p)
	p.Click(`#explore-world-0 [data-load="` + answers[0].Orphaning.Text + `"]`)
	p.WaitText("#schedule", answers[0].Orphaning.Text)
	contains(t, "what is said", p.Text("#explore-now"), "loaded")
	p.WaitFor(`document.getElementById("here-0").textContent.includes("Step 9")`)
	contains(t, "the place in the space", result(p, 0, "#here-0"), "all lose")
	p.Press("Escape")
	p.WaitFor(`!document.getElementById("explore").checkVisibility() && document.activeElement.id === "explore-open"`)
	contains(t, "upgrade's badge", world(p, 0, "badge"), "orphan")
	p.Press("Home")
	if got := p.Texts("#branches > *"); len(got) == 0 {
		t.Error("the schedule that was tried before is no branch")
	}
}

// TestExploreWaysLeft compares the labels of the Step buttons with the native counts at several places.
func TestExploreWaysLeft(t *testing.T) {
	models, searches, _ := native(t, "sweep", proof.Question{})
	p := visit(t, "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@0")
	explored(t, p)
	p.Click("#explore-ways")
	letters := func() (list []string) {
		s, _ := find("sweep")
		list, err := schedule.Parse(s.Schedule)
		if err != nil {
			t.Fatal(err)
		}
		list, err = schedule.Resolve(list, models[0].Names())
		if err != nil {
			t.Fatal(err)
		}
		return list
	}()
	for _, at := range []int{0, 1, 4, 6, 7, 8, 9, 20, 30, 53, 54} {
		do(p, fmt.Sprintf(`const s = document.getElementById("slider"); s.value = %d; s.dispatchEvent(new Event("input", {bubbles: true}))`, at))
		want := map[string][]string{}
		for i, m := range models {
			state := m.Start()
			for _, l := range letters[:at] {
				th, _ := m.ByName(l)
				m.Step(&state, th, nil)
			}
			w, ok := searches[i].WaysLeft(&state)
			if !ok {
				t.Fatalf("step %d is not a state of the search", at)
			}
			for k, a := range w.After {
				name := m.Name(w.Threads[k])
				want[name] = append(want[name], proof.WaysText(a.Counts, proof.Exact))
			}
		}
		if len(want) > 0 {
			p.WaitFor(`document.querySelector(".ways:not(:empty)") !== null`)
		}
		for _, name := range models[0].Names() {
			title := browsertest.Eval[string](p, fmt.Sprintf(`(w => w.textContent === "" ? "" : w.title)(document.getElementById("ways-%s"))`, name))
			if len(want[name]) == 0 && title != "" {
				t.Errorf("step %d: %s cannot move, but has %q", at, name, title)
			}
			for _, text := range want[name] {
				if !strings.Contains(title, text) {
					t.Errorf("step %d: %s has %q, natively %q", at, name, title, text)
				}
			}
		}
	}
	// Closing the panel leaves them; switching off and changing the scenario takes them away.
	p.Press("x", "Home")
	p.WaitFor(`document.querySelector(".ways:not(:empty)") !== null`)
	contains(t, "the description", browsertest.Eval[string](p, `document.getElementById("step-A").getAttribute("aria-describedby")`), "ways-A", "ways-means")
	p.Screenshot("explore-ways")
	p.Axe()
	p.Viewport(390, 844) // on a phone they stand in the dock
	contains(t, "the dock", browsertest.Eval[string](p, `getComputedStyle(document.getElementById("dock-A"), "::after").content`), "lose")
	contains(t, "its description", browsertest.Eval[string](p, `document.getElementById("dock-A").getAttribute("aria-describedby")`), "ways-A", "ways-means")
	if dock := browsertest.Eval[float64](p, `innerHeight - document.getElementById("dock").getBoundingClientRect().top`); dock > 90 {
		t.Errorf("the dock is %.0f pixels high", dock)
	}
	p.Screenshot("explore-ways-dock")
	p.Axe()
	p.Viewport(1440, 900)
	p.Press("a")
	p.WaitFor(`document.querySelector(".ways:not(:empty)") !== null`)
	p.Click("#scenario-next")
	p.WaitFor(`location.hash.startsWith("#1/partial/") && document.querySelector(".ways:not(:empty)") !== null`)
	p.Press("x")
	p.Click("#explore-ways")
	p.WaitFor(`document.querySelector(".ways:not(:empty)") === null`)
}

// heavy starts a search of more than a million states and waits until it is under way.
func heavy(t *testing.T) *browsertest.Page {
	t.Helper()
	p := visit(t, "/#1/supersede/@0")
	p.Press("x")
	do(p, `document.getElementById("explore-states").value = "0"; document.getElementById("explore-seconds").value = "0"`)
	p.Click("#explore-run")
	p.WaitFor(`document.getElementById("explore-count").textContent.includes("so far")`)
	return p
}

// TestExploreCancels measures in the page how long it takes from the click to the answer.
func TestExploreCancels(t *testing.T) {
	p := heavy(t)
	took := browsertest.Eval[float64](p, `(() => { const from = performance.now(); document.getElementById("explore-cancel").click();
		return document.getElementById("explore-says").textContent.startsWith("Cancelled") ? performance.now() - from : -1 })()`)
	t.Logf("cancelled in %.1f ms", took)
	if took < 0 || took > 100 {
		t.Errorf("cancelling took %.1f ms", took)
	}
	contains(t, "the answer", p.Text("#explore-says"), "Cancelled after", "states", "Nothing is claimed")
	// It can be asked again.
	do(p, `document.getElementById("explore-states").value = "10000"`)
	p.Click("#explore-run")
	finished(p)
	contains(t, "the answer", p.Text("#explore-says"), "at least", "stopped by states")
	lacks(t, "the answer", result(p, 0, ""), "safe here")
}

// TestExploreEnds holds that the search gives its memory back: its Worker is gone when it is
// cancelled, when the panel is closed and when the lesson is left.
func TestExploreEnds(t *testing.T) {
	p := heavy(t)
	p.WaitWorkers(1)
	p.Click("#explore-cancel")
	p.WaitWorkers(0)
	for _, leave := range []struct {
		what string
		do   func()
	}{
		{"close", func() { p.Click("#explore-close") }},
		{"another lesson", func() { p.Click("#scenario-back") }},
	} {
		if !browsertest.Eval[bool](p, `document.getElementById("explore").checkVisibility()`) {
			p.Press("x")
		}
		p.Click("#explore-run")
		p.WaitFor(`document.getElementById("explore-count").textContent.includes("so far")`)
		p.WaitWorkers(1)
		leave.do()
		p.WaitWorkers(0)
		if got := browsertest.Eval[string](p, `document.getElementById("explore-count").textContent`); got != "" {
			t.Errorf("after %s the search still says %q", leave.what, got)
		}
	}
}

// TestExploreAgain searches to the end again and again: each time one Worker, and none
// when the panel is closed.
func TestExploreAgain(t *testing.T) {
	p := visit(t, "/#1/share/")
	search := func() {
		p.Click("#explore-run")
		p.WaitFor(`document.getElementById("explore-results").textContent.includes("exhaustive") && !document.getElementById("explore-count").textContent.includes("so far")`)
		p.WaitWorkers(1)
	}
	for range 2 {
		p.Press("x")
		search()
		search()
		p.Click("#explore-close")
		p.WaitWorkers(0)
	}
}

// TestExploreMeanwhile steps while a million states are searched.
func TestExploreMeanwhile(t *testing.T) {
	p := heavy(t)
	do(p, `globalThis.longTasks = []; new PerformanceObserver(l => longTasks.push(...l.getEntries().map(e => e.duration))).observe({type: "longtask"})`)
	busy := browsertest.Eval[[]float64](p, measure+`(i => `+pressKey+`i % 2 ? "ArrowLeft" : "ArrowRight"})))`)
	worst := 0.0
	for _, ms := range busy {
		worst = max(worst, ms)
	}
	states := p.Text("#explore-count")
	long := browsertest.Eval[[]float64](p, `longTasks`)
	t.Logf("50 steps: worst %.1f ms; long tasks %v; %s", worst, long, states)
	if !strings.Contains(states, "so far") {
		t.Errorf("the search was over before the steps: %q", states)
	}
	p.Click("#explore-cancel")
}

// TestExploreWithoutWorker runs where no Worker can be started, for two reasons.
func TestExploreWithoutWorker(t *testing.T) {
	boot, err := fs.ReadFile(browsertest.Dist(t), "boot.js")
	if err != nil {
		t.Fatal(err)
	}
	_, _, answers := native(t, "sweep", proof.Question{})
	for reason, script := range map[string]string{
		"no class": `delete globalThis.Worker;`,
		"refused":  `globalThis.Worker = class { constructor() { throw new DOMException("no", "SecurityError"); } };`,
		"error":    `globalThis.Worker = class extends EventTarget { postMessage() { setTimeout(() => this.dispatchEvent(new Event("error"))); } terminate() {} };`,
	} {
		t.Run(reason, func(t *testing.T) {
			p := browsertest.Open(t, overlay{browsertest.Dist(t), fstest.MapFS{"boot.js": {Data: append([]byte(script+"\n"), boot...)}}})
			p.Goto("/#1/sweep/@0")
			running(p)
			do(p, `globalThis.longTasks = []; new PerformanceObserver(l => longTasks.push(...l.getEntries().map(e => e.duration))).observe({type: "longtask"})`)
			explored(t, p)
			contains(t, "what is said", p.Text("#explore-count"), "No Worker", "on this page")
			meets(t, p, answers)
			t.Logf("long tasks: %v", browsertest.Eval[[]float64](p, `longTasks`))
			p.Click("#explore-ways")
			p.WaitFor(`document.querySelector(".ways:not(:empty)") !== null`)
		})
	}
}

// overlay is a file system with some files replaced, in all their forms.
type overlay struct {
	fs.FS
	over fstest.MapFS
}

func (o overlay) Open(name string) (fs.File, error) {
	plain := strings.TrimSuffix(strings.TrimSuffix(name, ".br"), ".gz")
	if o.over[plain] != nil {
		return o.over.Open(name)
	}
	return o.FS.Open(name)
}

// TestExploreAtSizes looks at the panel at each size and in both themes.
func TestExploreAtSizes(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B3AB@9")
	p.Press("x")
	p.Axe()
	p.Press("Enter")
	finished(p)
	p.WaitFor(`document.getElementById("trail-0").innerHTML !== ""`)
	for _, size := range [][2]int{{1440, 900}, {720, 420}, {390, 844}, {320, 640}} {
		p.Viewport(size[0], size[1])
		for _, theme := range []string{"light", "dark"} {
			p.Theme(theme)
			p.Screenshot(fmt.Sprintf("explore-%d-%s", size[0], theme))
			p.Axe()
		}
		if pixels, culprit := p.SidewaysOverflow(); pixels > 0 {
			t.Errorf("at %d: %d pixels too wide: %s", size[0], pixels, culprit)
		}
	}
	p.Viewport(390, 844)
	p.FullScreenshot("explore-390-full")
	p.Press("Escape")
	p.WaitFor(`!document.getElementById("explore").checkVisibility()`)
}
