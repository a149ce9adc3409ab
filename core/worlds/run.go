package worlds

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// Run is a learner's run: the worlds, and the tree of what was tried. Moments are
// shared and never changed.
type Run struct {
	*Worlds
	*schedule.History[*Moment]
}

// NewRun is a run at its start.
func (w *Worlds) NewRun() *Run {
	start := w.Start()
	return &Run{w, schedule.NewHistory(&start)}
}

// Do steps a thread by one unit of the grain from the cursor. It tells how many
// letters that was and, when the unit ended at a block, why. On an error the run is
// as it was, or, when the history is full, where it got to.
func (r *Run) Do(t coalesce.Thread, g Grain) (letters int, why string, err error) {
	ms, why, err := r.Unit(r.Now(), t, g)
	for i := range ms {
		if err := r.Step(r.Models[0].Name(t), &ms[i]); err != nil {
			return i, "", err
		}
	}
	return len(ms), why, err
}

// Play steps the letters from the cursor. The error names the step, the thread and
// the reason; what came before it stays played.
func (r *Run) Play(letters []schedule.Letter) error {
	names, err := schedule.Resolve(letters, r.Models[0].Names())
	if err != nil {
		return err
	}
	for _, name := range names {
		t, _ := r.Models[0].ByName(name)
		next, err := r.Next(r.Now(), t)
		if err != nil {
			return err
		}
		if err := r.Step(name, &next); err != nil {
			return err
		}
	}
	return nil
}
