package view

import (
	"slices"

	"sharedbatches/core/coalesce"
)

// The program of a thread: its table of lines, folded around where it stands.

// doneWords says what is behind a write task that stands at a line.
var doneWords = [...]string{
	coalesce.LineTest:       "locked the registry",
	coalesce.LineProbeBegin: "locked, a sweep is due",
	coalesce.LineProbeEnd:   "locked, sweeping",
	coalesce.LineRetain:     "locked, probed",
	coalesce.LineJoin:       "locked",
	coalesce.LinePush:       "opened",
	coalesce.LineIntoInner:  "opened, pushed",
	coalesce.LineTryUnwrap:  "opened, pushed",
	coalesce.LineArrive:     "opened, pushed",
	coalesce.LineNotify:     "reported",
	coalesce.LineRegister:   "reported",
	coalesce.LineTestFinal:  "reported",
	coalesce.LineWait:       "reported, registered",
	coalesce.LineChosen:     "reported",
	coalesce.LineSendFinish: "delivers",
	coalesce.LineReply:      "sent Finish",
	coalesce.LineClose:      "took the state",
	coalesce.LineAwait:      "took the state, closed",
}

// program writes the lines. Classes: done (folded), ran (boxed step number), at
// (next, with the world's name where they differ), later (the one after) and far
// (the rest), which a page may hide to save room.
func (v *View) program(m moment, t coalesce.Thread) HTML {
	table := v.programs[t]
	if table == nil {
		table = v.table(t)
		v.programs[t] = table
	}
	program, shown, place := table.lines, table.shown, table.place
	at := make([][]int, len(shown)+1)  // the worlds in which a line is next
	ran := make([][]int, len(shown)+1) // those in which it just ran
	first, ranAny := 0, false
	for i, model := range v.w.Models {
		s := &m.Sides[i].State
		b := model.Blocked(s, t)
		// Who waits for its next interval is between two runs of its program.
		if !b.Over() && b.Kind != coalesce.NotSpawned && b.Kind != coalesce.NotOpen {
			n := place[model.Line(s, t)]
			at[n] = append(at[n], i)
			if first == 0 || n < first {
				first = n
			}
		}
		if m.Step > 0 && m.Thread == t && m.Sides[i].Line >= 0 {
			n := place[m.Sides[i].Line]
			ran[n], ranAny = append(ran[n], i), true
		}
	}
	var o out
	if first == 0 && !ranAny {
		return ""
	}
	o.Grow(120 * len(shown))
	// A line that just ran is shown although it is behind.
	from := first
	for n := range ran {
		if len(ran[n]) > 0 && (from == 0 || n < from) {
			from = n
		}
	}
	if from > 1 {
		word := "done"
		if n := shown[from-1]; t.Role() == coalesce.WriteTask && n < len(doneWords) && doneWords[n] != "" {
			word = doneWords[n]
		}
		o.fill(`<li class="done" data-n="$"><span>$</span></li>`, rangeOfLines(1, from-1), word)
	}
	later := false
	for n := from; n <= len(shown); n++ {
		line := program[shown[n-1]]
		isNext, didRun := len(at[n]) > 0, len(ran[n]) > 0
		class := "far"
		switch {
		case didRun && isNext:
			class = "ran at"
		case didRun:
			class = "ran"
		case isNext:
			class = "at"
		case first == 0:
			continue
		case n > first && !later:
			class, later = "later", true
		}
		o.mix(`<li class="$" data-n="#"`, ints{n}, class)
		if isNext {
			o.put(` aria-current="step"`)
		}
		o.fill(`><span>$</span>`, line.Label)
		switch {
		case didRun:
			o.draw(`<em>step #`, m.Step)
			if len(ran[n]) < len(v.w.Models) {
				o.fill(`<span class="only-read"> in ~</span> $`, v.w.Names[ran[n][0]], v.signs[ran[n][0]])
			}
			o.put(`</em>`)
		case len(at[n]) == len(v.w.Models):
			o.put(`<em>next</em>`)
		case isNext:
			o.fill(`<em><span class="only-read">next in ~</span>$</em>`, v.w.Names[at[n][0]], v.signs[at[n][0]])
		}
		if line.Code != "" && (didRun || isNext) {
			o.fill(`<code>$</code>`, line.Code)
		}
		o.put(`</li>`)
	}
	return o.html()
}

// table is a thread's program, which no step changes.
type table struct {
	lines []coalesce.Line // their texts as markup
	shown []int           // the lines that the thread can come to in some world
	place []int           // of a line among those shown, from 1
}

func (v *View) table(t coalesce.Thread) *table {
	lines, shown := append([]coalesce.Line(nil), v.lines(t)...), v.model().Lines(t)
	for _, line := range v.w.Models[len(v.w.Models)-1].Lines(t) {
		if !slices.Contains(shown, line) {
			shown = append(shown, line)
		}
	}
	place := make([]int, len(lines))
	for i, line := range shown {
		place[line] = i + 1
	}
	for i := range lines {
		l := &lines[i]
		l.Label, l.Code = mark(l.Label, jargon), mark(l.Code, jargon)
	}
	return &table{lines, shown, place}
}

// lines is the thread's program; a call that differs between the worlds is written
// for both.
func (v *View) lines(t coalesce.Thread) []coalesce.Line {
	lines := v.model().Program(t)
	if len(v.w.Models) == 1 {
		return lines
	}
	lines = append([]coalesce.Line(nil), lines...)
	for i, other := range v.w.Models[1].Program(t) {
		if other.Code != lines[i].Code {
			lines[i].Code += " / " + other.Code
		}
	}
	return lines
}

func rangeOfLines(from, to int) string {
	if from == to {
		return itoa(from)
	}
	return numbers("#–#", from, to)
}
