//go:build !js

package main

import (
	"fmt"
	"os"
	"testing"

	"sharedbatches/web/browsertest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := browsertest.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "ending the browser:", err)
	}
	os.Exit(code)
}

// tab opens an empty tab.
func tab(t testing.TB) *browsertest.Page {
	t.Helper()
	return browsertest.Open(t, browsertest.Dist(t))
}

// visit opens an address of the built page and waits until it runs.
func visit(t testing.TB, path string) *browsertest.Page {
	t.Helper()
	p := tab(t)
	p.Goto(path)
	running(p)
	return p
}

func running(p *browsertest.Page) {
	p.WaitFor(`document.getElementById("playground").dataset.state === "running"`)
}

// do runs JavaScript in the page and waits for it.
func do(p *browsertest.Page, script string) {
	browsertest.Eval[*struct{}](p, "(async () => { "+script+"; return null; })()")
}

// reach scrolls an element to the middle of the window, out from under the dock.
func reach(p *browsertest.Page, css string) string {
	do(p, fmt.Sprintf(`document.querySelector(%q).scrollIntoView({block: "center", behavior: "instant"})`, css))
	return css
}
