//go:build !js

package main

import (
	"fmt"
	"testing"

	"sharedbatches/web/browsertest"
)

// figures are the meter's rows as a screen reader has them, in their order on screen.
func figures(p *browsertest.Page) map[string]string {
	return browsertest.Eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll("#meter summary")].map(e =>
		[e.firstElementChild.textContent, [...e.children].slice(1).map(c => c.textContent.trim()).join("; ")]))`)
}

// TestMeter steps the count of goodbytes in both worlds, steps back, jumps, and reads
// what a figure means.
func TestMeter(t *testing.T) {
	p := visit(t, "/#1/goodbytes/A5B8Ka4AB2KaUaKaBPy@13")
	at := func(step, name, want string) {
		t.Helper()
		p.WaitText("#step-no", step)
		if got := figures(p)[name]; got != want {
			t.Errorf("%s: %s is %q, want %q", step, name, got, want)
		}
	}
	const looks = "goodbytes evaluated"
	at("step 13", looks, "recompute: 0; counter: 0")
	at("step 13", "parts per append", "recompute: –; counter: –")
	p.Press("k")
	at("step 14", looks, "recompute: 2; ≠ counter: 1, less")
	p.Press("k")
	at("step 15", looks, "recompute: 6; ≠ counter: 2, less")
	p.Press("ArrowLeft")
	at("step 14", looks, "recompute: 2; ≠ counter: 1, less")
	p.Press("End")
	at("step 25", looks, "recompute: 20; ≠ counter: 4, less")
	at("step 25", "parts per append", "recompute: 1 in 1; counter: 1 in 1")
	at("step 25", "state-diff bytes", "recompute: 1732; counter: 1732")
	if got := browsertest.Eval[string](p, `(rows => rows.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0].textContent)([...document.querySelectorAll("#meter summary > :first-child")])`); got != looks {
		t.Errorf("the first row is %q, want the one in which the worlds differ", got)
	}
	p.Click(reach(p, `#meter [data-rule="meter-2"] summary`))
	p.Press("ArrowLeft") // the row stays open as the figures change
	p.WaitText("#step-no", "step 24")
	contains(t, "what the state diff means", browsertest.Eval[string](p, `document.querySelector('#meter [open]').innerText`), "Only its growth means something")
	p.Press("Home")
	at("start", looks, "recompute: 0; counter: 0")
	for _, theme := range []string{"light", "dark"} {
		p.Theme(theme)
		for _, s := range sizes {
			p.Viewport(s.width, s.height)
			if n, culprit := p.SidewaysOverflow(); n > 0 {
				t.Errorf("%d pixels wide, %s: the page is %d pixels too wide: %s", s.width, theme, n, culprit)
			}
			cut := browsertest.Eval[[]string](p, `[...document.querySelectorAll("#meter summary > *")].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)`)
			if len(cut) > 0 {
				t.Errorf("%d pixels wide: cut off: %q", s.width, cut)
			}
			p.Screenshot(fmt.Sprintf("meter-%d-%s", s.width, theme))
		}
		p.Axe()
	}
}

// TestMeterFolded holds that a lesson that does not open the meter has it behind the button.
func TestMeterFolded(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B3AB@9")
	if got := said(p, "meter"); got != "" {
		t.Errorf("the meter is open: %q", got)
	}
	p.Click("#unfold")
	contains(t, "the meter", said(p, "meter"), "PUTs", "sweeps per builder", "others’ entries probed")
}
