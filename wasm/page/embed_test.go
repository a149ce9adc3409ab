//go:build !js

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/andybalholm/brotli"

	"sharedbatches/scenarios"
	"sharedbatches/web/browsertest"
)

// host is the built files with another page in place of docs-example.html, which is
// the one that may have frames.
type host struct {
	fs.FS
	page string
}

func (h host) Open(name string) (fs.File, error) {
	switch name {
	case "docs-example.html":
		return fstest.MapFS{name: {Data: []byte("<!doctype html><html lang=en><title>Host</title><link rel=icon href=data:,><body>" + h.page)}}.Open(name)
	case "docs-example.html.br", "docs-example.html.gz":
		return nil, fs.ErrNotExist
	}
	return h.FS.Open(name)
}

// around opens a host page with the given body.
func around(t testing.TB, body string) *browsertest.Page {
	t.Helper()
	p := browsertest.Open(t, host{browsertest.Dist(t), body})
	p.Viewport(1000, 900)
	p.Goto("/docs-example.html")
	return p
}

const frame = `<iframe id="f" src="embed/sweep.html" title="f" width="720" height="420"></iframe>`

// inFrame evaluates an expression in which d is the document of the frame #f.
func inFrame[T any](p *browsertest.Page, expression string) T {
	return browsertest.Eval[T](p, `(d => (`+expression+`))(document.getElementById("f").contentDocument)`)
}

func stepNo(p *browsertest.Page) string {
	return inFrame[string](p, `d.getElementById("step-no").textContent`)
}

func waitStep(p *browsertest.Page, step string) {
	p.WaitFor(fmt.Sprintf(`document.getElementById("f").contentDocument.getElementById("step-no").textContent === %q`, step))
}

func startFrame(p *browsertest.Page) {
	p.ClickIn("#f", "#start")
	p.WaitFor(`document.getElementById("f").contentDocument.getElementById("playground").dataset.state === "running"`)
}

// pictures is how much of a page of that content, compressed, is the pictures.
func pictures(t *testing.T, page []byte) int {
	t.Helper()
	size := func(content []byte) int {
		var b bytes.Buffer
		w := brotli.NewWriterLevel(&b, 9)
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Len()
	}
	return size(page) - size(regexp.MustCompile(`(?s)<svg class="shot".*?</svg>`).ReplaceAll(page, nil))
}

// TestEmbedsUntouched loads the page with ten embeds and starts none.
func TestEmbedsUntouched(t *testing.T) {
	dist := browsertest.Dist(t)
	p := tab(t)
	p.Goto("/docs-example.html")
	do(p, `for (const f of document.querySelectorAll("iframe")) {
		f.scrollIntoView({behavior: "instant"});
		while (!(f.contentDocument?.readyState === "complete" && f.contentDocument.getElementById("start"))) await new Promise(r => setTimeout(r, 10));
	}`)
	type loaded struct {
		Page  string
		Total int     // bytes, headers included
		Shift float64 // of the layout
		What  string  // shifted
	}
	frames := browsertest.Eval[[]loaded](p, `Promise.all([...document.querySelectorAll("iframe")].map(async f => {
		const w = f.contentWindow, entries = [...w.performance.getEntriesByType("navigation"), ...w.performance.getEntriesByType("resource")];
		const found = [];
		await new Promise(done => { new w.PerformanceObserver(l => found.push(...l.getEntries())).observe({type: "layout-shift", buffered: true}); setTimeout(done, 100); });
		return {Page: w.location.pathname, Total: entries.reduce((sum, e) => sum + e.transferSize, 0), Shift: found.reduce((sum, e) => sum + e.value, 0),
			What: JSON.stringify(found.map(e => [e.value, e.startTime, e.sources.map(s => [s.node?.outerHTML?.slice(0, 80), s.previousRect, s.currentRect])]))};
	}))`)
	if len(frames) != 10 {
		t.Fatalf("there are %d embeds, want 10", len(frames))
	}
	total, drawn := 0, 0
	for _, f := range frames {
		content, err := fs.ReadFile(dist, strings.TrimPrefix(f.Page, "/"))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-24s %6d bytes, %d of them pictures", f.Page, f.Total, pictures(t, content))
		total, drawn = total+f.Total, drawn+pictures(t, content)
		if f.Shift != 0 {
			t.Errorf("%s: its layout shifts by %v: %s", f.Page, f.Shift, f.What)
		}
	}
	t.Logf("ten embeds: %d bytes, headers included, %d of them pictures", total, drawn)
	if rest := total - drawn; rest > 25<<10 {
		t.Errorf("ten embeds bring %d bytes besides the pictures, want at most 25 KiB", rest)
	}
	if shift := browsertest.Eval[float64](p, `new Promise(done => { let sum = 0; new PerformanceObserver(l => { for (const e of l.getEntries()) sum += e.value; }).observe({type: "layout-shift", buffered: true}); setTimeout(() => done(sum), 200); })`); shift != 0 {
		t.Errorf("the page around shifts by %v", shift)
	}
	for _, address := range p.Requests() {
		if strings.Contains(address, ".wasm") || strings.Contains(address, "boot.js") || strings.Contains(address, "wasm_exec") {
			t.Errorf("an untouched embed asks for %s", address)
		}
	}
	p.Axe()
	p.FullScreenshot("docs-example")
	p.Viewport(390, 844)
	if over, what := p.SidewaysOverflow(); over > 0 {
		t.Errorf("on a phone the page around is %d pixels too wide: %s", over, what)
	}
}

// TestEmbedRuns starts an embed while the reader types in the page around.
func TestEmbedRuns(t *testing.T) {
	p := around(t, `<textarea id="notes" autofocus></textarea>`+frame+strings.Repeat("<p>text</p>", 90))
	p.ClickIn("#f", "#start")
	p.Click("#notes")
	for i := range 40 {
		p.Type(fmt.Sprint("ab x", i, " "))
	}
	p.WaitFor(`document.getElementById("f").contentDocument.getElementById("playground").dataset.state === "running"`)
	p.Type("after it.")
	want := ""
	for i := range 40 {
		want += fmt.Sprint("ab x", i, " ")
	}
	if got := browsertest.Eval[string](p, `document.getElementById("notes").value`); got != want+"after it." {
		t.Errorf("typed in the page around: %q", got)
	}
	if got := browsertest.Eval[string](p, `document.activeElement.id + " " + scrollY + " " + location.hash + " " + history.length`); got != "notes 0  2" {
		t.Errorf("focus, scroll and address of the page around: %q", got)
	}
	if got := stepNo(p); got != "step 6" {
		t.Errorf("keys of the page around moved the embed: %s", got)
	}
	// Pressing the buttons.
	for _, press := range []string{"B", "A", "B"} {
		p.ClickIn("#f", "#dock-"+press)
	}
	waitStep(p, "step 9")
	contains(t, "upgrade's badge", inFrame[string](p, `d.getElementById("world-0-badge").innerText`), "orphaned")
	contains(t, "the note", inFrame[string](p, `d.getElementById("worlds-note").innerText`), "differ since step 7")
	contains(t, "the link", inFrame[string](p, `d.getElementById("full").href`), "/index.html#1/sweep/A4B3AB", "@9")
	p.WaitFor(`document.getElementById("f").contentWindow.location.hash.endsWith("@9")`)
	// Keys inside, to the wrong answer.
	for range 21 {
		p.Press("ArrowRight")
	}
	waitStep(p, "step 30")
	answers := inFrame[[]string](p, `[...d.querySelectorAll(".reads tbody tr")].filter(r => r.checkVisibility()).map(r => r.innerText)`)
	if len(answers) != 2 || !strings.Contains(answers[0], "wrong") || !strings.Contains(answers[1], "right") {
		t.Errorf("what a reader gets: %q", answers)
	}
	for _, address := range p.Requests() {
		if strings.Contains(address, "worker") || strings.Contains(address, "data.wasm") || strings.Contains(address, "page.css") {
			t.Errorf("a running embed asks for %s", address)
		}
	}
	// Keys that it has no use for scroll the page around.
	p.Press("PageDown")
	p.WaitFor("scrollY > 100")
	if got := browsertest.Eval[int](p, "history.length"); got != 2 {
		t.Errorf("the embed made %d entries in the history of the page around", got-2)
	}
}

// TestEmbedPlays plays to the first wrong answer, where it stops by itself.
func TestEmbedPlays(t *testing.T) {
	p := tab(t)
	p.Viewport(720, 420)
	p.Goto("/embed/sweep.html#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@28")
	p.Click("#start")
	running(p)
	p.WaitText("#step-no", "step 28")
	p.Click("#dock-play")
	p.WaitText("#step-no", "step 30")
	p.WaitFor(`document.getElementById("playground").dataset.playing === "false"`)
}

// TestEmbedTab goes through an embed with the tab key, in and out.
func TestEmbedTab(t *testing.T) {
	p := around(t, `<button id="before">before</button>`+frame+`<button id="after">after</button>`)
	startFrame(p)
	if got := inFrame[string](p, `d.activeElement.id`); got != "playground" {
		t.Errorf("after Start the focus is on %q", got)
	}
	do(p, `document.getElementById("before").focus()`)
	inside := 0
	for range 40 {
		p.Press("Tab")
		switch browsertest.Eval[string](p, "document.activeElement.id") {
		case "f":
			inside++
		case "after":
			if inside < 5 {
				t.Errorf("the tab key stops at %d places of the embed", inside)
			}
			p.Press("b")
			if got := stepNo(p); got != "step 6" {
				t.Errorf("a key outside moved it: %s", got)
			}
			return
		}
	}
	t.Errorf("after 40 presses of the tab key the focus is still in the embed, %d presses inside", inside)
}

// TestEmbedWithoutScript reads a cover where no script runs.
func TestEmbedWithoutScript(t *testing.T) {
	p := tab(t)
	p.Viewport(720, 420)
	p.Script(false)
	p.Goto("/embed/sweep.html")
	contains(t, "the cover", p.Text("#playground"), "The probe that holds on", "is Y’s batch still alive?", "orphaned", "A gets the batch", "upgrade", "strong_", "needs JavaScript", "Open in full playground")
	if n := len(p.Texts("#start")); n != 0 {
		t.Error("there is a Start button that cannot work")
	}
	if n := browsertest.Eval[int](p, `[...document.querySelectorAll("svg.shot")].filter(s => s.checkVisibility() && s.clientHeight > 40 && s.getAttribute("aria-label").length > 40).length`); n != 8 {
		t.Errorf("%d pictures are shown, want 8", n)
	}
	p.Screenshot("embed-without-script")
}

// TestEmbedFits holds that no cover needs a scroll bar at the sizes that authors give.
func TestEmbedFits(t *testing.T) {
	p := tab(t)
	for _, size := range [][2]int{{720, 420}, {360, 640}} {
		p.Viewport(size[0], size[1])
		for _, id := range scenarios.IDs {
			p.Goto("/embed/" + id + ".html")
			if got := browsertest.Eval[string](p, `(() => {
				const c = document.getElementById("cover"), f = document.querySelector(".embed-foot").getBoundingClientRect();
				const over = c.scrollHeight - c.clientHeight, out = f.bottom - innerHeight;
				return over > 0 || out > 0 || document.documentElement.scrollWidth > innerWidth ? "cover +" + over + ", foot +" + out + ", width " + document.documentElement.scrollWidth : "";
			})()`); got != "" {
				t.Errorf("%s at %d x %d: %s", id, size[0], size[1], got)
			}
			p.Screenshot(fmt.Sprintf("embed-%d-cover-%s", size[0], id))
		}
	}
}

// TestEmbedAccessible looks at cover and stepper at both sizes, in both themes.
func TestEmbedAccessible(t *testing.T) {
	p := tab(t)
	for _, theme := range []string{"light", "dark"} {
		for _, size := range [][2]int{{720, 420}, {360, 640}} {
			p.Viewport(size[0], size[1])
			p.Goto("/embed/sweep.html?theme=" + theme)
			if got := browsertest.Eval[string](p, `getComputedStyle(document.documentElement).colorScheme`); got != theme {
				t.Errorf("?theme=%s: the page is %s", theme, got)
			}
			p.Axe()
			p.Screenshot(fmt.Sprintf("embed-%d-cover-%s", size[0], theme))
			p.Click("#start")
			running(p)
			for _, key := range []string{"b", "a", "b"} {
				p.Press(key)
			}
			p.WaitText("#step-no", "step 9")
			p.Axe()
			p.Screenshot(fmt.Sprintf("embed-%d-running-%s", size[0], theme))
			if over, what := p.SidewaysOverflow(); over > 0 {
				t.Errorf("%v: %d pixels too wide: %s", size, over, what)
			}
			if got := browsertest.Eval[int](p, `(a => a.scrollHeight - a.clientHeight)(document.getElementById("app"))`); got > 0 {
				t.Errorf("%v: running, it is %d pixels too high", size, got)
			}
		}
	}
}

// TestEmbedCold prints how long the first step takes on a cold cache at 10 Mbit/s.
func TestEmbedCold(t *testing.T) {
	p := tab(t)
	p.Viewport(720, 420)
	p.Throttle(10, 20*time.Millisecond)
	p.Goto("/embed/sweep.html")
	do(p, `const start = document.getElementById("start"); globalThis.seen = [];
		new MutationObserver(() => seen.push(start.style.getPropertyValue("--loaded"))).observe(start, {attributeFilter: ["style"]})`)
	ms := browsertest.Eval[float64](p, `new Promise(done => {
		const from = performance.now(), playground = document.getElementById("playground");
		new MutationObserver(() => {
			if (playground.dataset.state !== "running") return;
			document.getElementById("dock-B").click();
			requestAnimationFrame(() => setTimeout(() => done(performance.now() - from)));
		}).observe(playground, {attributeFilter: ["data-state"]});
		document.getElementById("start").click();
	})`)
	p.WaitText("#step-no", "step 7")
	seen := browsertest.Eval[[]string](p, "seen")
	t.Logf("cold, 10 Mbit/s: %.0f ms from Start to the first step on screen (budget 2000); the button showed %d values", ms, len(seen))
	if len(seen) < 3 || seen[len(seen)-1] != "100%" {
		t.Errorf("the button showed how far it is as %v", seen)
	}
}

// TestEmbedSandbox starts embeds in frames with fewer rights.
func TestEmbedSandbox(t *testing.T) {
	box := func(rights string) string {
		return strings.Replace(frame, "<iframe", `<iframe sandbox="`+rights+`"`, 1)
	}
	t.Run("same origin", func(t *testing.T) {
		p := around(t, box("allow-scripts allow-same-origin"))
		startFrame(p)
		p.ClickIn("#f", "#dock-B")
		waitStep(p, "step 7")
		p.TakeConsole() // of the sandbox itself: the browser warns of this pair of rights
		p.ClickIn("#f", "#full")
		p.WaitFor(`document.getElementById("f").contentDocument.getElementById("ran").textContent.includes("allow-popups")`)
		p.TakeConsole() // the browser says that it opens no window
	})
	t.Run("no origin", func(t *testing.T) {
		p := around(t, box("allow-scripts"))
		f := p.Frame("embed/sweep.html")
		f.WaitFor(`document.readyState === "complete" && self.origin === "null"`)
		do(f, `await new Promise(r => setTimeout(r, 300))`)
		for _, said := range p.TakeConsole() {
			// Chromium 148 says of any such frame, an empty one too, that it may not load its own address.
			if !strings.Contains(said, "Unsafe attempt to load URL") {
				t.Errorf("the page wrote to the console: %s", said)
			}
		}
		do(f, `document.getElementById("start").click()`)
		running(f)
		do(f, `document.getElementById("dock-B").click()`)
		f.WaitText("#step-no", "step 7")
		do(f, `await new Promise(r => setTimeout(r, 800))`)
		t.Logf("its address: %s", browsertest.Eval[string](f, "location.hash"))
	})
	t.Run("no origin and no help of the server", func(t *testing.T) {
		p := browsertest.Open(t, host{without{browsertest.Dist(t), "page.wasm"}, box("allow-scripts")})
		p.Goto("/docs-example.html")
		f := p.Frame("embed/sweep.html")
		f.WaitFor(`document.readyState === "complete"`)
		do(f, `document.getElementById("start").click()`)
		f.WaitText("#loading", "allow-same-origin")
		contains(t, "the cover", f.Text("#playground"), "orphaned", "press Start again")
		p.TakeConsole()
	})
	t.Run("no script", func(t *testing.T) {
		p := around(t, box("allow-same-origin"))
		p.WaitFor(`document.getElementById("f").contentDocument?.readyState === "complete"`)
		contains(t, "the cover", inFrame[string](p, `d.body.innerText`), "orphaned", "allow-scripts")
		p.TakeConsole() // the browser says that it runs no script
	})
}

// TestEmbedFails keeps the cover when page.wasm does not come, and can be started again.
func TestEmbedFails(t *testing.T) {
	p := browsertest.Open(t, without{browsertest.Dist(t), "page.wasm"})
	p.Viewport(720, 420)
	p.Goto("/embed/sweep.html")
	p.Click("#start")
	p.WaitText("#loading", "press Start again")
	if n := len(p.Texts("svg.shot + figcaption")); n != 8 {
		t.Errorf("%d pictures are left, want 8", n)
	}
	p.Click("#start")
	p.WaitText("#loading", "press Start again")
	p.Screenshot("embed-failed")
	p.TakeConsole()
}

// TestEmbedAny leads from embed.html to the page of a scenario, and keeps what the
// address says besides.
func TestEmbedAny(t *testing.T) {
	p := tab(t)
	p.Goto("/embed.html?theme=dark#1/partial/A4B3AB@9")
	p.WaitFor(`location.pathname === "/embed/partial.html" && document.readyState === "complete"`)
	if got := browsertest.Eval[string](p, `location.search + location.hash + " " + document.documentElement.dataset.theme`); got != "?theme=dark#1/partial/A4B3AB@9 dark" {
		t.Errorf("it came as %q", got)
	}
	contains(t, "the link", browsertest.Eval[string](p, `document.getElementById("full").href`), "#1/partial/A4B3AB@9")
	p.Goto("/embed.html#1/nothing/A@1")
	p.WaitText("#loading", "no scenario of the name “nothing”")
	p.Goto("/embed.html")
	contains(t, "the general page", p.Text("#lesson-title"), "The probe that holds on")
}

// TestEmbedMarkup holds that a fragment cannot bring elements.
func TestEmbedMarkup(t *testing.T) {
	p := tab(t)
	p.Goto("/embed/sweep.html#1/<img src=x>/A@1")
	p.Click("#start")
	running(p)
	contains(t, "the message", p.Text("#message"), "scenario")
	if n := browsertest.Eval[int](p, `document.querySelectorAll("img").length`); n != 0 {
		t.Errorf("there are %d images", n)
	}
}
