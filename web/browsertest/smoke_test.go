//go:build !js

package browsertest

import "testing"

func TestThePageOpens(t *testing.T) {
	p := Open(t, Dist(t))
	p.Goto("/")
	p.WaitFor(`document.body.innerText.trim()`)
	if title := Eval[string](p, "document.title"); title == "" {
		t.Error("the page has no title")
	}
	p.Screenshot("smoke")
}
