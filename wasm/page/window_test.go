//go:build !js

package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestWindow follows the builder of a batch to the step at which both uploads are out, the
// hand and the channel are full and B is parked, and one step on.
func TestWindow(t *testing.T) {
	p := visit(t, "/#1/uploads/A7B6Ka4A2Ka4ABUaKa3BAKa4B2Ua2KaUaKaBPy@14")
	contains(t, "the window", world(p, 0, "scene"), "Window 13.9 KiB of 16 KiB")
	lacks(t, "the window", world(p, 0, "scene"), "in hand", "flush 1")
	p.Press("k")
	p.WaitText("#step-no", "step 15")
	contains(t, "the hand", world(p, 0, "scene"), "in hand 13.9 KiB, must wait for a flush")
	for p.Text("#step-no") != "step 25" {
		p.Press("ArrowRight")
	}
	contains(t, "the parked builder", world(p, 0, "scene"), "flush 1 13.9 KiB, uploading, 1 of 2 in flight", "flush 2 13.9 KiB, uploading, 2 of 2 in flight",
		"Ka waits for an upload, so nobody receives and the channel is full")
	contains(t, "the parked push", p.Text("#next-B"), "4 pushes are queued, Ka must receive one; it waits itself: 2 uploads are outstanding")
	contains(t, "the drawing", drawing(p, 0), "the builder has 13.9 KiB")
	for _, theme := range []string{"light", "dark"} {
		p.Theme(theme)
		for _, s := range sizes {
			p.Viewport(s.width, s.height)
			if n, culprit := p.SidewaysOverflow(); n > 0 {
				t.Errorf("%d pixels wide, %s: the page is %d pixels too wide: %s", s.width, theme, n, culprit)
			}
			p.Screenshot(fmt.Sprintf("window-%d-%s", s.width, theme))
		}
		p.Axe()
	}
	p.Press("u")
	p.WaitText("#step-no", "step 26")
	contains(t, "after an upload", world(p, 0, "scene"), "flush 1 13.9 KiB, stored", "flush 2 13.9 KiB, uploading, 1 of 2 in flight")
	lacks(t, "after an upload", world(p, 0, "scene"), "Ka waits")
	lacks(t, "B’s block", p.Text("#next-B"), "it waits itself")
}

// TestInlineParts holds that inline parts are shown as kept in the metadata and can be opened.
func TestInlineParts(t *testing.T) {
	p := visit(t, "/#1/crossover/A2B2A5B11A4Ka3UaKaBPy@31")
	store := world(p, 0, "blobs")
	head, inline, found := strings.Cut(store, "Inline, in the shard’s metadata")
	if !found || strings.Contains(head, "inline part") {
		t.Errorf("the blob store of per_worker is %q", store)
	}
	contains(t, "the objects", head, "no objects")
	contains(t, "the inline parts", inline, "inline part 1 of A 2.7 KiB", "inline part 1 of B 2.7 KiB")
	lacks(t, "the other world", world(p, 1, "blobs"), "inline")
	p.Click(reach(p, `#world-0-blobs [data-open="blob:sY/wb/p1"]`))
	p.WaitText("#data-title", "SY/wb/p1 at step 31, per_worker")
}
