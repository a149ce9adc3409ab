package view_test

import (
	"testing"

	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
	"sharedbatches/scenarios"
)

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
