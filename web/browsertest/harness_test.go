//go:build !js

package browsertest

import (
	"bytes"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// site serves one page that runs the script.
func site(body, script string) fs.FS {
	return fstest.MapFS{
		"index.html": {Data: []byte(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
			`<title>test</title><link rel="icon" href="data:,"><link rel="stylesheet" href="page.css"><main><h1>Test</h1>` + body + `</main><script src="page.js"></script></html>`)},
		"page.css":  {Data: []byte("@media (prefers-color-scheme: dark) { body { background: #000; color: #fff } }")},
		"page.js":   {Data: []byte(script)},
		"worker.js": {Data: []byte(`console.warn("from the worker"); postMessage("ready"); setTimeout(() => { throw new Error("worker broke") })`)},
	}
}

func TestKeysClicksAndText(t *testing.T) {
	p := Open(t, site(`<button id="one">One</button> <input id="in" aria-label="in"> <p id="log"></p>`, `
		const log = document.querySelector("#log");
		addEventListener("keydown", e => log.textContent += [e.shiftKey ? "Shift+" : "", e.key, " "].join(""));
		document.querySelector("#one").addEventListener("click", e => log.textContent += "click:" + e.isTrusted + " ");
	`))
	p.Goto("/")
	p.Press("b", "Enter", "ArrowRight", "Shift+End", "+")
	p.Click("#one")
	if got, want := p.Text("#log"), "b Enter ArrowRight Shift+End Shift++ click:true"; got != want {
		t.Errorf("the page saw %q, want %q", got, want)
	}
	p.Press("Tab")
	p.Type("xy")
	if got := Eval[string](p, `document.querySelector("#in").value`); got != "xy" {
		t.Errorf("the field holds %q", got)
	}
	p.WaitText("#log", "x y")
	p.Tap("#one")
	p.WaitText("#log", "x y click:true")
}

func TestViewportThemeAndMotion(t *testing.T) {
	p := Open(t, site(`<div id="wide" hidden>`+strings.Repeat("wide", 200)+`</div>`, ""))
	p.Goto("/")
	state := `[innerWidth, innerHeight, matchMedia("(prefers-color-scheme: dark)").matches,
		matchMedia("(prefers-reduced-motion: reduce)").matches].join(" ")`
	if got := Eval[string](p, state); got != "1440 900 false false" {
		t.Errorf("at first: %s", got)
	}
	p.Viewport(390, 844)
	p.Theme("dark")
	p.ReducedMotion(true)
	p.Reload()
	if got := Eval[string](p, state); got != "390 844 true true" {
		t.Errorf("set and loaded again: %s", got)
	}
	if pixels, culprit := p.SidewaysOverflow(); pixels != 0 {
		t.Errorf("%d pixels too wide: %s", pixels, culprit)
	}
	Eval[bool](p, `!(document.querySelector("#wide").hidden = false)`)
	if pixels, culprit := p.SidewaysOverflow(); pixels == 0 || !strings.Contains(culprit, "wide") {
		t.Errorf("an element that is too wide went unnoticed: %d %s", pixels, culprit)
	}
}

func TestScreenshot(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SCREENSHOTS", dir)
	p := Open(t, site(`<p>picture`, ""))
	p.Viewport(390, 300)
	p.Goto("/")
	p.Screenshot("small")
	content, err := os.ReadFile(filepath.Join(dir, "small.png"))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil || picture.Width != 390 || picture.Height != 300 {
		t.Errorf("got a picture of %d x %d (%v)", picture.Width, picture.Height, err)
	}
}

func TestConsoleIsCaptured(t *testing.T) {
	p := Open(t, site("", `
		console.log("plain", 1, {a: 2});
		console.error("bad");
		Promise.reject(new Error("rejected"));
		setTimeout(() => { throw new Error("thrown") });
		fetch("missing.json").then(() => document.title = "done");
		new Image().src = "https://example.invalid/x.png";
	`))
	p.Goto("/")
	p.WaitFor(`document.title === "done"`)
	got := strings.Join(p.TakeConsole(), "\n")
	for _, part := range []string{"log: plain 1 Object", "error: bad", "Error: rejected", "Error: thrown", "404", "Content Security Policy"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in the console:\n%s", part, got)
		}
	}
	if again := p.TakeConsole(); len(again) != 0 {
		t.Errorf("messages were not forgotten: %q", again)
	}
	requests := p.Requests()
	for _, want := range []string{"/", "/page.css", "/page.js", "/missing.json"} {
		if !slices.Contains(requests, want) {
			t.Errorf("no %s among the requests %q", want, requests)
		}
	}
	// The policy refused the picture, but that the page wanted it is a fault too.
	if got, want := p.watch.takeForeign(), []string{"https://example.invalid/x.png"}; !slices.Equal(got, want) {
		t.Errorf("foreign requests: got %q, want %q", got, want)
	}
}

func TestWorkersAreCounted(t *testing.T) {
	p := Open(t, site("", `globalThis.w = new Worker("worker.js")`))
	p.Goto("/")
	p.WaitWorkers(1)
	Eval[bool](p, `(w.terminate(), true)`)
	p.WaitWorkers(0)
	p.TakeConsole()
}

func TestTheConsoleOfAWorkerIsCaptured(t *testing.T) {
	p := Open(t, site("", `new Worker("worker.js").onmessage = () => document.title = "done"`))
	p.Goto("/")
	p.WaitFor(`document.title === "done"`)
	var all []string
	p.wait(func() bool {
		all = append(all, p.TakeConsole()...)
		got := strings.Join(all, "\n")
		return strings.Contains(got, "from the worker") && strings.Contains(got, "worker broke")
	}, func() string { return fmt.Sprintf("waiting for the worker's messages: %q", all) })
	p.TakeConsole()
}

func TestAPageThatMisbehavesFailsItsTest(t *testing.T) {
	for _, c := range []struct {
		name, script string
		use          func(p *Page)
		want         string
	}{
		{"console", `console.info("hello")`, nil, "wrote to the console: info: hello"},
		{"exception", `throw new Error("broken")`, nil, "exception: Uncaught Error: broken"},
		{"foreign", ``, func(p *Page) {
			// A document may leave its own policy behind by going elsewhere.
			Eval[*struct{}](p, `(location = "http://192.0.2.1/", null)`)
			p.wait(func() bool { return strings.Contains(strings.Join(p.watch.requested(), " "), "192.0.2.1") },
				func() string { return "waiting for the request" })
		}, "not on loopback: http://192.0.2.1/"},
		{"no element", ``, func(p *Page) { p.Text("#none") }, "there are 0 of it, not 1"},
		{"no key", ``, func(p *Page) { p.Press("Hyper+x") }, `there is no modifier "Hyper"`},
		{"no named key", ``, func(p *Page) { p.Press("ArrowUpwards") }, `there is no such key`},
		{"bad script", ``, func(p *Page) { Eval[int](p, `nothing.at.all`) }, "nothing is not defined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			failures := record(t, func(t testing.TB) {
				p := Open(t, site("", c.script))
				p.Goto("/")
				if c.use != nil {
					c.use(p)
				}
			})
			if !strings.Contains(strings.Join(failures, "\n"), c.want) {
				t.Errorf("failures %q, want one with %q", failures, c.want)
			}
		})
	}
	if failures := record(t, func(t testing.TB) { Open(t, site("<p>quiet", "")).Goto("/") }); len(failures) != 0 {
		t.Errorf("a page that does nothing wrong failed: %q", failures)
	}
}

func TestWhatAPersonCannotClick(t *testing.T) {
	p := Open(t, site(`<button id="covered">A</button><button id="hidden" hidden>B</button><button id="off" disabled>C</button>
		<button class="twin">D</button><button class="twin">E</button><div id="far"><button id="below">F</button></div>`, `
		const cover = document.createElement("div"), r = document.querySelector("#covered").getBoundingClientRect();
		Object.assign(cover.style, {position: "fixed", left: r.left + "px", top: r.top + "px", width: r.width + "px", height: r.height + "px"});
		cover.id = "cover"; document.body.append(cover);
		document.querySelector("#far").style.paddingTop = "3000px";
		document.querySelector("#below").onclick = () => document.title = "clicked";
	`))
	p.Goto("/")
	for css, want := range map[string]string{
		"#covered": "covered by <div id=\"cover\"", "#hidden": "cannot be seen", "#off": "disabled", ".twin": "there are 2", "#none": "there is none",
	} {
		reason := p.reach(css).Reason
		if !strings.Contains(reason, want) {
			t.Errorf("%s: %q, want %q", css, reason, want)
		}
	}
	p.Click("#below")
	p.WaitFor(`document.title === "clicked"`)
}

func TestAxe(t *testing.T) {
	p := Open(t, site(`<p>fine</p>`, ""))
	p.Goto("/")
	p.Axe()
	Eval[*struct{}](p, `(document.querySelector("main").innerHTML += '<img src="data:,"><button></button>', null)`)
	got := strings.Join(p.violations(), "\n")
	for _, rule := range []string{"image-alt: ", "button-name: "} {
		if !strings.Contains(got, rule) {
			t.Errorf("no %q among the violations:\n%s", rule, got)
		}
	}
	p.Axe("image-alt", "button-name")
}

func TestWithoutABrowser(t *testing.T) {
	t.Setenv("CHROMIUM", "no-such-program")
	t.Setenv("BROWSER_TEST", "required")
	if failures := record(t, func(t testing.TB) { Open(t, site("", "")) }); len(failures) != 1 || !strings.Contains(failures[0], "no-such-program") {
		t.Errorf("required: failures %q", failures)
	}
	t.Setenv("BROWSER_TEST", "")
	if failures := record(t, func(t testing.TB) { Open(t, site("", "")) }); len(failures) != 1 || !strings.HasPrefix(failures[0], "skipped: ") {
		t.Errorf("not required: failures %q", failures)
	}
}

func TestLocal(t *testing.T) {
	for address, want := range map[string]bool{
		"http://127.0.0.1:8080/a": true, "http://localhost/": true, "http://[::1]:1/": true, "data:,": true, "blob:http://127.0.0.1/1": true,
		"http://127.0.0.1.example.com/": false, "https://example.com/": false, "http://10.0.0.1/": false, "ftp://127.0.0.1/": false, "wss://example.com/": false,
	} {
		if got := local(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// record runs the test apart and returns how it failed.
func record(t *testing.T, test func(testing.TB)) []string {
	t.Helper()
	r := &recorder{TB: t}
	run := func(f func()) {
		var done sync.WaitGroup
		done.Go(f) // Fatal ends its goroutine
		done.Wait()
	}
	run(func() { test(r) })
	for _, cleanup := range slices.Backward(r.cleanups) {
		run(cleanup)
	}
	return r.failures
}

type recorder struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (r *recorder) Helper()          {}
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...); runtime.Goexit() }
func (r *recorder) Fatal(args ...any)                 { r.Errorf("%s", fmt.Sprint(args...)); runtime.Goexit() }
func (r *recorder) Skip(args ...any) {
	r.Errorf("skipped: %s", fmt.Sprint(args...))
	runtime.Goexit()
}
