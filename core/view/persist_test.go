package view_test

import (
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
	"sharedbatches/scenarios"
)

// TestPersistAnywhere draws frames along the schedule and random runs of every lesson with the whole
// persist side or a cleaner, and of one whose builder task panics: each event has its
// sentence, and each state of a flushed part its word.
func TestPersistAnywhere(t *testing.T) {
	late, err := scenarios.Load("uploads")
	if err != nil {
		t.Fatal(err)
	}
	c := late.Setup
	c.Descriptions, c.Cleaner = coalesce.Unchecked, true
	c.Sinks[0].Bounds[1] = 1535 // of which B, who opens first, knows, and A does not
	for i := range c.Tasks {
		c.Tasks[i].Upper = 2000
	}
	c.Tasks[1].Upper, c.Tasks[1].Parts = 0, nil
	late.Schedule, late.Start, late.Notes = "B3", 0, nil
	late.Setup = c
	lessons := []string{"crossover", "oversized", "uploads", "goodbytes", "runs", "schema", "label", "cleaner"}
	said := map[string]int{}
	for i := range lessons {
		s, err := scenarios.Load(lessons[i])
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		v := view.New(s, r.Worlds)
		for n := range r.Len() + 1 {
			if err := r.Jump(n); err != nil {
				t.Fatal(err)
			}
			hear(v.Frame(r, worlds.Atomic), said)
		}
		for seed := range uint64(4) {
			randomFrames(t, s.ID, s.Build, func(w *worlds.Worlds) *view.View { return view.New(s, w) }, seed, said)
		}
	}
	for seed := range uint64(16) {
		randomFrames(t, "a late time", late.Build, func(w *worlds.Worlds) *view.View { return view.New(late, w) }, seed, said)
	}
	for _, words := range []string{
		"flushes its window", "below the inline limit", "adds the part in its hand", "stays in its hand", "a part is never split", "completes an upload",
		"deletes a leaked object", "are gone from the blob store", "names its metrics: peek_stash", "names its metrics: the view’s name", "The state diff has",
		"Evaluations of goodbytes: 2.", "costs 0 PUTs", "in runs: 2", "valid upper bound", "inline part 1 of A", "Inline, in the shard’s metadata", ", inline", "uploading", "deleted", "uploads are outstanding",
		"no upload is in flight", "has an upload of its batch to complete",
	} {
		found := false
		for text := range said {
			found = found || strings.Contains(text, words)
		}
		if !found {
			t.Errorf("%q was never said", words)
		}
	}
}

func randomFrames(t *testing.T, id string, build func() (*worlds.Worlds, error), open func(*worlds.Worlds) *view.View, seed uint64, said map[string]int) {
	t.Helper()
	w, err := build()
	if err != nil {
		t.Fatal(id, err)
	}
	v, run, random := open(w), w.NewRun(), schedule.NewRandom(seed)
	for range 80 {
		var can []coalesce.Thread
		for _, th := range run.Models[0].Threads() {
			if _, blocked := run.Blocked(run.Now(), th); !blocked {
				can = append(can, th)
			}
		}
		if len(can) == 0 {
			return
		}
		if _, _, err := run.Do(can[random.Pick(len(can))], worlds.Atomic); err != nil {
			t.Fatal(id, err)
		}
		f := v.Frame(run, worlds.Atomic)
		hear(f, said)
		if strings.Contains(f.SaysPlain, "$") || strings.Contains(f.SaysPlain, "goes on:") {
			t.Errorf("%s, step %d: %s", id, run.Cursor(), f.SaysPlain)
		}
	}
}

// hear keeps the texts of a frame.
func hear(f view.Frame, said map[string]int) {
	for _, c := range f.Threads {
		said[c.Reason]++
	}
	said[frameText(f)]++
}
