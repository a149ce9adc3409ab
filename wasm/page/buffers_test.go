//go:build !js

package main

import (
	"fmt"
	"testing"

	"sharedbatches/web/browsertest"
)

// TestBuffers follows the two correction buffers of a write task: pushed parts stay until
// the read-back, and an error part that is lost is owed late.
func TestBuffers(t *testing.T) {
	p := visit(t, "/#1/fails/@0")
	said := func(step, want string) {
		t.Helper()
		for p.Text("#step-no") != step {
			p.Press("ArrowRight")
		}
		if got := squeeze(p.Text("#buffers-A")); got != want {
			t.Errorf("%s: the buffers of A are %q, want %q", step, got, want)
		}
	}
	said("start", "Corrections, kept until read back: ok 0 parts; err 1 part")
	said("step 4", "Corrections, kept until read back: ok 0 parts; err 1 part, 1 pushed")
	said("step 8", "Corrections, kept until read back: ok 0 parts; err 1 part, 1 pushed")
	said("step 13", "Corrections, kept until read back: ok 0 parts; err 1 part, 1 pushed")
	said("step 22", "Corrections, kept until read back: upgrade: ok 0 parts; err 2 parts, 1 late strong_count: ok 0 parts; err 1 part")
	p.Axe()
}

// TestFlags reads which flags of the original a mode is, also where the worlds differ in it.
func TestFlags(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B3AB@9")
	flags := func() string {
		return squeeze(browsertest.Eval[string](p, `document.getElementById("switched-mode").innerText`))
	}
	p.Click(reach(p, "#what-if summary"))
	contains(t, "best effort", flags(), "enable_compute_sync_mv_sink = true", "…_shared_batches = true", "…_shared_batches_barrier = false")
	do(p, `const s = document.getElementById("switch-mode"); s.value = "per_worker"; s.dispatchEvent(new Event("change", {bubbles: true}))`)
	contains(t, "per worker", flags(), "enable_compute_sync_mv_sink = true", "…_shared_batches = false", "…_shared_batches_barrier = false")
	p.Goto("/#1/private/")
	p.WaitText("#lesson-title", "A batch for each worker")
	contains(t, "worlds that differ", flags(), "per_worker: enable_compute_sync_mv_sink = true", "barrier: enable_compute", "…_shared_batches_barrier = true")
	for _, s := range sizes {
		p.Viewport(s.width, s.height)
		if n, culprit := p.SidewaysOverflow(); n > 0 {
			t.Errorf("%d pixels wide: the page is %d pixels too wide: %s", s.width, n, culprit)
		}
		reach(p, "#switched-mode")
		p.Screenshot(fmt.Sprintf("flags-%d", s.width))
	}
}
