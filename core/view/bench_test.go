package view_test

import (
	"testing"

	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
	"sharedbatches/scenarios"
)

// TestFrameAllocations holds how much a frame of the sweep leaves to the garbage
// collector, on average over the run: on the page a collection is what makes a step late.
// The timeline's steps, which are kept, are drawn before.
func TestFrameAllocations(t *testing.T) {
	const most = 900
	_, r, v := load(t, "sweep")
	frames := func() {
		for k := range r.Len() + 1 {
			if err := r.Jump(k); err != nil {
				t.Fatal(err)
			}
			v.Frame(r, worlds.Atomic)
		}
	}
	frames()
	if got := testing.AllocsPerRun(3, frames) / float64(r.Len()+1); got > most {
		t.Errorf("%.0f allocations a frame, at most %d are allowed", got, most)
	}
}

// BenchmarkFrame makes every frame of the sweep once, so ns/op is for 55 frames.
func BenchmarkFrame(b *testing.B) {
	s, err := scenarios.Load("sweep")
	if err != nil {
		b.Fatal(err)
	}
	r, err := s.Open()
	if err != nil {
		b.Fatal(err)
	}
	v := view.New(s, r.Worlds)
	for b.Loop() {
		for k := range r.Len() + 1 {
			if err := r.Jump(k); err != nil {
				b.Fatal(err)
			}
			v.Frame(r, worlds.Atomic)
		}
	}
}
