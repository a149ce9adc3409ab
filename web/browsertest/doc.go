//go:build !js

// Package browsertest drives the built page in a real headless Chromium, as a
// person would: it presses keys, clicks where an element can be seen, and reads
// the text that is shown.
//
//	func TestOrphan(t *testing.T) {
//		p := browsertest.Open(t, browsertest.Dist(t))
//		p.Goto("/")
//		p.WaitText("#sentence", "about to probe")
//		p.Press("b", "a", "b")
//		p.WaitText("#sentence", "nobody holds it")
//		p.Screenshot("orphan")
//	}
//
// A page of a test is served from loopback by the product's own handler, in a
// profile of its own that nothing was ever stored in. When the test ends, it
// fails if the page wrote anything to the console, threw, or asked for anything
// that is not on loopback; the browser refuses such requests as well. A test
// that expects console messages takes them with [Page.TakeConsole].
//
// Every wait has a limit and there are no sleeps: a test waits for what it wants
// to see. Variables of the environment:
//
//	BROWSER_TEST=required  a missing browser, dist or axe-core fails instead of skipping
//	CHROMIUM=PATH          the browser to use
//	SCREENSHOTS=DIR        where Screenshot writes; without it nothing is written
//
// Not in here: what the page should do. That is in the tests beside it.
package browsertest
