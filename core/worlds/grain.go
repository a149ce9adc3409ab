package worlds

import "sharedbatches/core/coalesce"

// Grain is how far one press of a Step button goes.
type Grain uint8

const (
	Atomic Grain = iota // one line
	Sweep               // one line, but a sweep's lines together
	Call                // until the call returns or blocks
)

// Unit lists the moments that one press makes: the lines of the thread's next
// unit, in order. It ends as soon as the call returns or blocks in either world in
// which it began. why says what it stopped at when that was a block.
func (w *Worlds) Unit(m *Moment, t coalesce.Thread, g Grain) (ms []Moment, why string, err error) {
	next, err := w.Next(m, t)
	if err != nil {
		return nil, "", err
	}
	ms = append(ms, next)
	if g == Atomic {
		return ms, "", nil
	}
	began := next.Sides
	for {
		last := &ms[len(ms)-1]
		for i, model := range w.Models {
			if began[i].Line < 0 {
				continue
			}
			if w.ends(model, last, began[i].Line, i, t, g) {
				return ms, "", nil
			}
			if b := model.Blocked(&last.Sides[i].State, t); b.Kind != coalesce.Free {
				return ms, model.Reason(t, b), nil
			}
		}
		if next, err = w.Next(last, t); err != nil {
			return ms, "", err
		}
		ms = append(ms, next)
	}
}

// ends tells whether the unit that began with line first is over in world i.
func (w *Worlds) ends(model *coalesce.Model, m *Moment, first, i int, t coalesce.Thread, g Grain) bool {
	s := &m.Sides[i].State
	if g == Call {
		return model.CallOver(s, t, first)
	}
	if model.Blocked(s, t).Over() {
		return true
	}
	program := model.Program(t)
	return !program[first].InSweep || !program[model.Line(s, t)].InSweep
}
