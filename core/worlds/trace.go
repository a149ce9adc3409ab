package worlds

import (
	"strings"

	"sharedbatches/core/brief"
)

// Trace writes the run up to its cursor, a line for each step and world: the number
// of the step, the thread, the line it performed or why it did not, and what
// happened. Two equal traces are equal byte for byte wherever they are made.
func (r *Run) Trace() string {
	var b strings.Builder
	for n := 1; n <= r.Cursor(); n++ {
		m := r.At(n)
		for i, model := range r.Models {
			side := &m.Sides[i]
			b.WriteString(brief.Sprintf("%4d  %-4s %-12s  ", n, model.Name(m.Thread), r.Names[i]))
			if side.Line < 0 {
				b.WriteString(brief.Sprintf("skip: %s\n", model.Reason(m.Thread, side.Skip)))
				continue
			}
			var what []string
			for _, e := range side.Events {
				what = append(what, model.Describe(e))
			}
			b.WriteString(brief.Sprintf("%-30s  %s\n", model.Program(m.Thread)[side.Line].Label, strings.Join(what, "; ")))
		}
	}
	return b.String()
}
