package meter

import (
	"sharedbatches/core/brief"
	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// Workload is what to run.
type Workload struct {
	Workers   int // on one sink, in one process
	Sinks     int // views of equal workers; Workers times Sinks is at most [coalesce.MaxTasks]
	Intervals int // of each sink; a multiple of [coalesce.Window]
	Mode      coalesce.Mode
	Probe     coalesce.Probe
	Seed      uint64
}

// Cost is what a run came to.
type Cost = coalesce.Cost

// config is the view's set-up: every worker has one part in every interval.
func (w *Workload) config() (coalesce.Config, error) {
	if w.Intervals < 1 || w.Intervals%coalesce.Window != 0 {
		return coalesce.Config{}, brief.Errorf("intervals: %d: allowed are multiples of %d", w.Intervals, coalesce.Window)
	}
	c := coalesce.Config{Mode: w.Mode, Probe: w.Probe}
	bounds := []int64{1000, 2000, 3000, 4000, 5000}
	for i := range w.Sinks {
		c.Sinks = append(c.Sinks, coalesce.SinkConfig{Name: byte('Y' - i), Bounds: bounds})
	}
	for worker := range w.Workers {
		for i := range w.Sinks {
			t := coalesce.TaskConfig{Worker: worker, Sink: i}
			for n := range len(bounds) - 1 {
				t.Parts = append(t.Parts, coalesce.PartConfig{Interval: n, At: bounds[n] + 500, Updates: 512, Bytes: 16384})
			}
			c.Tasks = append(c.Tasks, t)
		}
	}
	return c, nil
}

// Run measures a workload. The error is that of its set-up.
func Run(w Workload) (Cost, error) {
	c, err := w.config()
	if err != nil {
		return Cost{}, err
	}
	m, err := coalesce.New(c)
	if err != nil {
		return Cost{}, err
	}
	r := runner{m: m, random: schedule.NewRandom(w.Seed)}
	s := m.Start()
	var cost Cost
	for windows := w.Intervals / coalesce.Window; windows > 0; {
		moved := r.step(&s, &cost)
		rebased := false
		if windows > 1 {
			if _, rebased = m.Rebase(&s); rebased {
				windows--
			}
		}
		if !moved && !rebased {
			break // the end of the last window
		}
	}
	return cost, nil
}

type runner struct {
	m       *coalesce.Model
	random  *schedule.Random
	events  coalesce.Events
	enabled []coalesce.Thread
}

// step lets one enabled thread, picked at random, perform a line.
func (r *runner) step(s *coalesce.State, c *Cost) bool {
	r.enabled = r.enabled[:0]
	for _, t := range r.m.Threads() {
		if r.m.Blocked(s, t).Kind == coalesce.Free {
			r.enabled = append(r.enabled, t)
		}
	}
	if len(r.enabled) == 0 {
		return false
	}
	t := r.enabled[r.random.Pick(len(r.enabled))]
	r.events = r.events[:0]
	r.m.Step(s, t, &r.events)
	r.m.Count(c, s, t, r.events)
	return true
}
