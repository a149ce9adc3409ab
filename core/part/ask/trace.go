package ask

import "sharedbatches/core/schedule"

// Trace is a whole run: what each step did in each world.
type Trace struct {
	Title    string      `json:"title"`
	Schedule string      `json:"schedule"`
	Cursor   int         `json:"cursor"`
	Worlds   []string    `json:"worlds"`
	Differ   int         `json:"differ"`  // first step after which the states differ; 0: none
	Outcome  int         `json:"outcome"` // first step whose outcomes differ; 0: none
	Steps    []TraceStep `json:"steps"`
}

// TraceStep is one step.
type TraceStep struct {
	Step   int          `json:"step"`
	Thread string       `json:"thread"`
	Worlds []TraceWorld `json:"worlds"`
}

// TraceWorld is a step in one world: a line and what it changed, or why it was skipped.
type TraceWorld struct {
	World   string   `json:"world"`
	Label   string   `json:"label,omitempty"`
	Source  string   `json:"source,omitempty"` // the real call
	Skipped string   `json:"skipped,omitempty"`
	Changed []string `json:"changed"`
}

func (d *Data) trace(m *moment) *Trace {
	last := m.At(m.Len())
	out := &Trace{
		Title: d.last.scenario.Title, Schedule: schedule.Print(m.Letters()), Cursor: m.Cursor(), Worlds: m.Names,
		Differ: last.Differ, Outcome: last.Outcome, Steps: []TraceStep{},
	}
	for n := 1; n <= m.Len(); n++ {
		at := m.At(n)
		step := TraceStep{Step: n, Thread: m.model.Name(at.Thread)}
		for i, model := range m.Models {
			side, w := &at.Sides[i], TraceWorld{World: m.Names[i], Changed: []string{}}
			if side.Line < 0 {
				w.Skipped = model.Reason(at.Thread, side.Skip)
			} else {
				line := model.Program(at.Thread)[side.Line]
				w.Label, w.Source = line.Label, line.Code
				for _, e := range side.Events {
					w.Changed = append(w.Changed, model.Describe(e))
				}
			}
			step.Worlds = append(step.Worlds, w)
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
