//go:build !js

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sharedbatches/web/browsertest"
)

// sizes are the windows that the page is looked at in.
var sizes = []struct{ width, height int }{{1440, 900}, {720, 420}, {390, 844}, {320, 640}}

// moments are fragments of the key scenario: its first picture, the loss, the hole, the end.
var moments = []struct{ name, path string }{
	{"open", "/"},
	{"none", "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@8"},
	{"orphan", "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@9"},
	{"hole", "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@30"},
	{"end", "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@54"},
}

// TestLooks visits every moment in every size and theme: nothing scrolls sideways, and
// axe-core finds nothing. With SCREENSHOTS set it leaves a picture of each.
func TestLooks(t *testing.T) {
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			p := visit(t, m.path)
			for _, theme := range []string{"light", "dark"} {
				p.Theme(theme)
				for _, s := range sizes {
					p.Viewport(s.width, s.height)
					if n, culprit := p.SidewaysOverflow(); n > 0 {
						t.Errorf("%d pixels wide, %s: the page is %d pixels too wide: %s", s.width, theme, n, culprit)
					}
					p.Screenshot(fmt.Sprintf("%s-%d-%s", m.name, s.width, theme))
					if s.width == 1440 || s.width == 390 && theme == "light" {
						p.Axe()
					}
				}
			}
			p.Viewport(390, 844)
			p.FullScreenshot(m.name + "-phone-whole")
			p.Viewport(1440, 900)
			p.Click("#unfold")
			p.FullScreenshot(m.name + "-everything")
		})
	}
}

// TestPhone holds that the sentence and both drawings are in the first screen of a
// phone, that every action is reachable there, and that targets are large enough.
func TestPhone(t *testing.T) {
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			p := tab(t)
			p.Viewport(390, 844)
			p.Goto(m.path)
			running(p)
			for _, css := range []string{"#says", "#world-0-scene svg", "#world-1-scene svg"} {
				type box struct{ Top, Bottom, Width float64 }
				b := browsertest.Eval[box](p, fmt.Sprintf(`(r => ({Top: r.top, Bottom: r.bottom, Width: r.width}))(document.querySelector(%q).getBoundingClientRect())`, css))
				dock := browsertest.Eval[float64](p, `document.getElementById("dock").getBoundingClientRect().top`)
				if b.Top < 0 || b.Bottom > dock+1 || b.Width < 200 {
					t.Errorf("%s is at %.0f to %.0f, %.0f wide; the first screen ends at %.0f", css, b.Top, b.Bottom, b.Width, dock)
				}
			}
			p.Click("#unfold")
			small := browsertest.Eval[[]string](p, `[...document.querySelectorAll("button, select, summary, input, a.button")]
				.filter(e => e.checkVisibility()).map(e => [e, e.getBoundingClientRect()])
				.filter(([e, r]) => Math.min(r.width, r.height) < 24).map(([e, r]) => (e.id || e.className || e.tagName) + " " + r.width + "x" + r.height)`)
			if len(small) > 0 {
				t.Errorf("targets under 24 pixels: %q", small)
			}
		})
	}
	p := tab(t)
	p.Viewport(390, 844)
	p.Goto("/")
	running(p)
	for _, name := range []string{"B", "A", "B"} {
		p.Click("#dock-" + name)
	}
	atOrphan(t, p)
	p.Click("#dock-back")
	p.WaitText("#step-no", "step 8")
	p.Click("#dock-play")
	p.WaitText("#step-no", "step 9")
	p.Click("#dock-play")
	for _, id := range []string{"first", "forward", "back", "last", "rest", "copy", "entry-run", "theme", "help-open"} {
		p.Click(reach(p, "#"+id))
		if id == "help-open" {
			p.Click("#help-close")
		}
		if id == "last" {
			p.Press("Home")
		}
	}
}

// TestOneWindow holds that a whole lesson is in one window of 1440 x 900, wherever it is:
// the page does not scroll, and what does not fit in the middle scrolls there, below its
// sentence.
func TestOneWindow(t *testing.T) {
	p := visit(t, "/")
	for _, s := range lessons {
		p.Goto("/#1/" + s.ID + "/")
		p.WaitText("#lesson-title", plainTitle(&s))
		got := browsertest.Eval[[]string](p, `(async () => {
			const slider = document.getElementById("slider"), middle = document.querySelector(".middle"), out = [];
			document.getElementById("last").click();
			const last = +slider.max;
			for (const step of [last, 0, last >> 1]) {
				slider.value = step;
				slider.dispatchEvent(new Event("input", {bubbles: true}));
				await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
				const root = document.documentElement;
				if (root.scrollHeight > innerHeight) out.push("step " + step + ": the page is " + root.scrollHeight + " high");
				middle.scrollTop = middle.scrollHeight;
				for (const css of ["#says", "#slider", "#play", "#threads", ".side"]) {
					const r = document.querySelector(css).getBoundingClientRect();
					if (r.top < 0 || r.bottom > innerHeight || r.height < 15) out.push("step " + step + ": " + css + " is at " + r.top + " to " + r.bottom);
				}
			}
			return out;
		})()`)
		if len(got) > 0 {
			t.Errorf("%s: %q", s.ID, got)
		}
	}
}

// TestTheme changes the theme by its button; nothing is stored.
func TestTheme(t *testing.T) {
	p := visit(t, "/")
	paper := func() string {
		return browsertest.Eval[string](p, `getComputedStyle(document.body).backgroundColor`)
	}
	light := paper()
	p.Click("#theme")
	if paper() != light {
		t.Error("the light theme looks unlike the system's light theme")
	}
	p.Click("#theme")
	if paper() == light {
		t.Error("the dark theme looks like the light one")
	}
	p.Click("#theme")
	if paper() != light {
		t.Error("as the system, the page is not light again")
	}
	p.Theme("dark")
	p.WaitFor(`getComputedStyle(document.body).backgroundColor !== "` + light + `"`)
	if n := browsertest.Eval[int](p, `localStorage.length + sessionStorage.length + document.cookie.length`); n != 0 {
		t.Error("something was stored")
	}
}

// TestStillness holds that nothing moves for a reader who wants no motion.
func TestStillness(t *testing.T) {
	p := visit(t, "/")
	p.ReducedMotion(true)
	p.Press("b", "a", "b")
	if n := browsertest.Eval[int](p, `document.getAnimations().length`); n != 0 {
		t.Errorf("%d animations run in spite of reduced motion", n)
	}
}

// TestWithoutScript reads the cover: title, explanation and picture are in the file itself.
func TestWithoutScript(t *testing.T) {
	p := tab(t)
	p.Goto("/")
	cover := browsertest.Eval[string](p, `fetch("/").then(r => r.text()).then(text => {
		const d = new DOMParser().parseFromString(text, "text/html");
		return [d.title, d.querySelector("h1").textContent, d.querySelector("#cover").textContent,
			[...d.querySelectorAll("#cover svg[role=img]")].map(s => s.getAttribute("aria-label")).join()].join("\n");
	})`)
	contains(t, "the cover", cover, "Shared Batches Playground", "upgrade", "strong_count", "None", "nobody", "allow JavaScript")
	if strings.Contains(cover, "\x00") {
		t.Error("the cover is not text")
	}
}

// TestLoadFails shows one sentence and keeps the cover when page.wasm cannot be had.
func TestLoadFails(t *testing.T) {
	p := browsertest.Open(t, without{browsertest.Dist(t), "page.wasm"}) // not tab: other files
	p.Goto("/")
	p.WaitText("#loading", "could not be loaded")
	if got := p.Texts("#cover svg"); len(got) != 2 {
		t.Errorf("%d pictures are left, want 2", len(got))
	}
	p.TakeConsole() // the browser reports the missing file by itself
}

// TestRequests holds that the page asks for its own few files and nothing else.
func TestRequests(t *testing.T) {
	p := visit(t, "/")
	p.Press("b", "a", "b")
	p.Click("#help-open")
	got := p.Requests()
	slices.Sort(got)
	for _, address := range got {
		name := strings.TrimPrefix(strings.SplitN(address, "?", 2)[0], "/")
		if strings.HasPrefix(address, "data:") {
			continue
		}
		if !slices.Contains([]string{"", "boot.js", "page.css", "style.css", "wasm_exec.js", "page.wasm", "explore.css", "lesson.css", "lessons.txt", "open.js", "short.js", "data.css", "data.js", "data.wasm", "data-worker.js"}, name) {
			t.Errorf("the page asked for %s", address)
		}
	}
	// Nothing that a strict policy would refuse is in the page.
	if n := browsertest.Eval[int](p, `document.querySelectorAll("[style]:not(#tip), [onclick], script:not([src])").length`); n != 0 {
		t.Errorf("%d elements have inline styles or scripts", n)
	}
}
