//go:build !js

package browsertest

import (
	"context"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sharedbatches/web"
)

const (
	actionLimit = 20 * time.Second // for one action of the browser, on a busy machine
	waitLimit   = 20 * time.Second // for what a test waits to see
	waitPause   = 15 * time.Millisecond
)

// Page is a tab in a profile of its own, with the server that it talks to.
// Its methods end the test when something goes wrong.
type Page struct {
	// URL is the address of the server, without a slash at the end.
	URL string

	t     testing.TB
	ctx   context.Context
	watch *watcher
	theme string
	still bool // reduced motion
}

// Open serves dist on loopback and opens an empty tab of 1440 x 900 pixels with
// a light theme. [Page.Goto] goes to a page.
func Open(t testing.TB, dist fs.FS) *Page {
	t.Helper()
	parent := start(t)
	server := httptest.NewServer(web.New(dist))
	t.Cleanup(server.Close)
	p := &Page{URL: server.URL, t: t, theme: "light", watch: newWatcher()}
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.watch.see))
	p.ctx = ctx
	t.Cleanup(cancel)
	t.Cleanup(p.check)
	if err := chromedp.Do(ctx); err != nil { // opens the tab; a limit on it would close the tab later
		t.Fatalf("opening a tab: %v", err)
	}
	p.watch.follow(ctx)
	p.Viewport(1440, 900)
	p.media()
	return p
}

// Goto opens the path, such as "/#1/sweep/A4@2", and waits until it is loaded.
func (p *Page) Goto(path string) {
	p.t.Helper()
	p.do("opening "+path, chromedp.Navigate(p.URL+path))
}

// Reload loads the page again, as the browser's button does.
func (p *Page) Reload() {
	p.t.Helper()
	p.do("reloading", chromedp.Reload())
}

// Back goes back in the browser's history.
func (p *Page) Back() {
	p.t.Helper()
	p.do("going back", chromedp.NavigateBack())
}

// Viewport sets the size of the window's inside, in CSS pixels.
func (p *Page) Viewport(width, height int) {
	p.t.Helper()
	p.do("setting the viewport", chromedp.EmulateViewport(int64(width), int64(height)))
}

// Theme sets what the reader prefers: "light" or "dark".
func (p *Page) Theme(theme string) {
	p.t.Helper()
	p.theme = theme
	p.media()
}

// ReducedMotion sets whether the reader prefers that nothing moves.
func (p *Page) ReducedMotion(reduced bool) {
	p.t.Helper()
	p.still = reduced
	p.media()
}

func (p *Page) media() {
	p.t.Helper()
	motion := "no-preference"
	if p.still {
		motion = "reduce"
	}
	p.do("setting theme and motion", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: p.theme},
				{Name: "prefers-reduced-motion", Value: motion},
			},
		})
		return err
	}))
}

// keys are those with a name of more than one letter.
var keys = map[string]string{
	"Enter": kb.Enter, "Escape": kb.Escape, "Tab": kb.Tab, "Space": " ", "Backspace": kb.Backspace, "Delete": kb.Delete,
	"ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight, "ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown,
	"Home": kb.Home, "End": kb.End, "PageUp": kb.PageUp, "PageDown": kb.PageDown,
}

var modifiers = map[string]chromedp.Modifier{
	"Shift": chromedp.ModifierShift, "Ctrl": chromedp.ModifierCtrl, "Alt": chromedp.ModifierAlt,
}

// Press presses the keys one after the other, wherever the focus is: a
// character ("b", "?"), a name ("ArrowRight"), or either after modifiers
// ("Shift+ArrowRight").
func (p *Page) Press(names ...string) {
	p.t.Helper()
	for _, name := range names {
		parts := strings.Split(name, "+")
		if name == "+" {
			parts = []string{"+"}
		}
		last := parts[len(parts)-1]
		key, named := keys[last]
		if !named {
			key = last
		}
		if !named && len([]rune(key)) != 1 {
			p.t.Fatalf("pressing %q: there is no such key", name)
		}
		var held []chromedp.Modifier
		for _, part := range parts[:len(parts)-1] {
			modifier, ok := modifiers[part]
			if !ok {
				p.t.Fatalf("pressing %q: there is no modifier %q", name, part)
			}
			held = append(held, modifier)
		}
		p.do("pressing "+name, chromedp.KeyEvent(key, chromedp.KeyModifiers(held...)))
	}
}

// Type writes the text, character by character, where the focus is.
func (p *Page) Type(text string) {
	p.t.Helper()
	p.do("typing", chromedp.KeyEvent(text))
}

// Click scrolls the element into view and clicks its middle with the mouse. It
// is an error if a person could not: nothing to see, disabled, or covered.
func (p *Page) Click(css string) {
	p.t.Helper()
	x, y := p.point(css, "clicking")
	p.do("clicking "+css, chromedp.MouseClickXY(x, y))
}

// Hover moves the mouse over the middle of the element.
func (p *Page) Hover(css string) {
	p.t.Helper()
	x, y := p.point(css, "hovering over")
	p.do("hovering over "+css, chromedp.MouseEvent(chromedp.MouseMoved, x, y))
}

// Tap touches the middle of the element with a finger.
func (p *Page) Tap(css string) {
	p.t.Helper()
	x, y := p.point(css, "tapping")
	p.do("tapping "+css, chromedp.TapXY(x, y))
}

// point waits for the element to be reachable and returns where its middle is.
func (p *Page) point(css, doing string) (x, y float64) {
	p.t.Helper()
	var last reached
	p.wait(func() bool {
		last = p.reach(css)
		return last.Reason == ""
	}, func() string { return doing + " " + css + ": " + last.Reason })
	return last.X, last.Y
}

// reached is where the middle of an element is, or the reason why a person could
// not point at it.
type reached struct {
	X, Y   float64
	Reason string
}

func (p *Page) reach(css string) reached {
	p.t.Helper()
	return Eval[reached](p, fmt.Sprintf(`(css => {
		const all = document.querySelectorAll(css), e = all[0];
		if (!e) return {Reason: "there is none"};
		if (all.length > 1) return {Reason: "there are " + all.length};
		if (e.disabled || e.getAttribute("aria-disabled") === "true") return {Reason: "it is disabled"};
		if (!e.checkVisibility({opacityProperty: true, visibilityProperty: true})) return {Reason: "it cannot be seen"};
		let r = e.getBoundingClientRect();
		if (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth) {
			e.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
			r = e.getBoundingClientRect();
		}
		const x = r.left + r.width / 2, y = r.top + r.height / 2, top = document.elementFromPoint(x, y);
		if (!top) return {Reason: "it is outside the window"};
		if (!e.contains(top)) return {Reason: "it is covered by " + top.outerHTML.slice(0, 120)};
		return {X: x, Y: y, Reason: ""};
	})(%q)`, css))
}

// Text returns the text of the only element that matches, as it is shown.
func (p *Page) Text(css string) string {
	p.t.Helper()
	all := p.Texts(css)
	if len(all) != 1 {
		p.t.Fatalf("reading %s: there are %d of it, not 1", css, len(all))
	}
	return all[0]
}

// Texts returns the texts of all elements that match and are shown.
func (p *Page) Texts(css string) []string {
	p.t.Helper()
	return Eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)]
		.filter(e => e.checkVisibility({visibilityProperty: true})).map(e => e.innerText)`, css))
}

// WaitText waits until the text of the element contains want, and returns it.
func (p *Page) WaitText(css, want string) string {
	p.t.Helper()
	var last []string
	p.wait(func() bool {
		last = p.Texts(css)
		return len(last) == 1 && strings.Contains(last[0], want)
	}, func() string { return fmt.Sprintf("waiting for %q in %s: it is %q", want, css, last) })
	return last[0]
}

// WaitFor waits until the JavaScript expression is true.
func (p *Page) WaitFor(expression string) {
	p.t.Helper()
	p.wait(func() bool { return Eval[bool](p, "Boolean("+expression+")") },
		func() string { return "waiting for " + expression + ": it stays false" })
}

func (p *Page) wait(done func() bool, problem func() string) {
	p.t.Helper()
	for end := time.Now().Add(waitLimit); !done(); time.Sleep(waitPause) {
		if time.Now().After(end) {
			p.t.Fatalf("%s after %v; console: %q", problem(), waitLimit, p.watch.console())
		}
	}
}

// Eval evaluates the JavaScript expression in the page, awaits it if it is a
// promise, and returns its value.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionLimit)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("evaluating %.200s: %v", expression, err)
	}
	return value
}

// SidewaysOverflow returns by how many pixels the page is wider than its window,
// and what sticks out furthest; 0 when nothing scrolls sideways.
func (p *Page) SidewaysOverflow() (pixels int, culprit string) {
	p.t.Helper()
	type answer struct {
		Pixels  int
		Culprit string
	}
	got := Eval[answer](p, `(() => {
		const root = document.documentElement, pixels = root.scrollWidth - root.clientWidth;
		if (pixels <= 0) return {Pixels: 0, Culprit: ""};
		let far = 0, culprit = null;
		for (const e of document.body.querySelectorAll("*")) {
			const right = e.getBoundingClientRect().right;
			if (right > far) { far = right; culprit = e; }
		}
		return {Pixels: pixels, Culprit: culprit ? culprit.outerHTML.slice(0, 120) : ""};
	})()`)
	return got.Pixels, got.Culprit
}

// Screenshot writes what the window shows to NAME.png in the directory that the
// environment names with SCREENSHOTS. A relative one is meant from the top of the
// repository.
func (p *Page) Screenshot(name string) {
	p.t.Helper()
	p.save(name, chromedp.CaptureScreenshot())
}

// FullScreenshot is Screenshot for the whole page, however long it is.
func (p *Page) FullScreenshot(name string) {
	p.t.Helper()
	p.save(name, chromedp.FullScreenshot(100))
}

func (p *Page) save(name string, capture chromedp.Action[[]byte]) {
	p.t.Helper()
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		return
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	ctx, cancel := context.WithTimeout(p.ctx, actionLimit)
	defer cancel()
	picture, err := chromedp.Run(ctx, capture)
	if err != nil {
		p.t.Fatalf("screenshot %s: %v", name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// TakeConsole returns the messages and exceptions that the page wrote since the
// last call, each as "kind: text", and forgets them: they are expected.
func (p *Page) TakeConsole() []string {
	p.t.Helper()
	// A round trip: what the page wrote before it has arrived when it returns.
	p.do("reading the console", chromedp.Evaluate[chromedp.Void]("0"))
	return p.watch.takeConsole()
}

// Requests returns the addresses that the page asked for so far, in order; those
// of its own server without host and port.
func (p *Page) Requests() []string {
	p.t.Helper()
	p.do("reading the requests", chromedp.Evaluate[chromedp.Void]("0"))
	var all []string
	for _, address := range p.watch.requested() {
		all = append(all, strings.TrimPrefix(address, p.URL))
	}
	return all
}

// WaitWorkers waits until the browser runs that many Web Workers for the page.
func (p *Page) WaitWorkers(n int) {
	p.t.Helper()
	p.wait(func() bool {
		p.do("asking for the workers", chromedp.Evaluate[chromedp.Void]("0"))
		return p.watch.living() == n
	}, func() string { return fmt.Sprintf("waiting for %d workers: there are %d", n, p.watch.living()) })
}

// check fails the test for what no page of ours may do.
func (p *Page) check() {
	p.t.Helper()
	if p.ctx.Err() != nil {
		return
	}
	for _, message := range p.TakeConsole() {
		p.t.Errorf("the page wrote to the console: %s", message)
	}
	for _, address := range p.watch.takeForeign() {
		p.t.Errorf("the page asked for something that is not on loopback: %s", address)
	}
}

func (p *Page) do(doing string, action chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionLimit)
	defer cancel()
	if err := chromedp.Do(ctx, action); err != nil {
		p.t.Fatalf("%s: %v; console: %q", doing, err, p.watch.console())
	}
}
