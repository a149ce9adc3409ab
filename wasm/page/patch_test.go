package main

import (
	"testing"

	"sharedbatches/core/view"
)

// apply does to a drawing what element.drawing does to the page: what the patch does not
// name stays.
func apply(old, new view.Drawing, d patch) view.Drawing {
	var list view.Drawing
	for i := range old {
		list = append(list, view.Picture{Attributes: append([][2]string(nil), old[i].Attributes...), Groups: append([]view.Group(nil), old[i].Groups...)})
	}
	for _, a := range d.attributes {
		list[a.picture].Attributes[a.index] = new[a.picture].Attributes[a.index]
	}
	for _, c := range d.classes {
		list[c.picture].Groups[c.index].Class = new[c.picture].Groups[c.index].Class
	}
	for _, g := range d.groups {
		list[g.picture].Groups[g.index] = new[g.picture].Groups[g.index]
	}
	return list
}

// TestDifference turns every timeline of every lesson into the next one, and holds that
// the patch gives exactly what would have been written whole, and is small.
func TestDifference(t *testing.T) {
	patched, all, replaced := 0, 0, 0
	for _, s := range lessons {
		p := begin(t, s.ID)
		var last view.Drawing
		for step := range p.run.Len() + 1 {
			if err := p.run.Jump(step); err != nil {
				t.Fatal(err)
			}
			now := p.view.Frame(p.run, p.grain).Timeline
			if d, ok := difference(last, now); ok {
				patched++
				replaced += len(d.groups)
				if got, want := apply(last, now, d).HTML(), now.HTML(); got != want {
					t.Fatalf("%s: step %d: patched:\n%s\nwant:\n%s", s.ID, step, got, want)
				}
			}
			all++
			last = now
		}
	}
	// The first of each lesson cannot be patched, nor where the window moves on.
	if patched < all*9/10 {
		t.Errorf("only %d of %d timelines could be patched", patched, all)
	}
	// The cursor's two groups and the number above it; where the worlds part, their sign.
	if replaced > 4*patched {
		t.Errorf("%d groups were replaced in %d patches", replaced, patched)
	}
}
