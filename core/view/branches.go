package view

import (
	"strings"

	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// Named limits of how many earlier tries are drawn and listed.
const (
	maxForks    = 8
	maxBranches = 50
	maxTry      = 3 // steps of an earlier try that are drawn
)

// fork is an earlier try: the moment where it left the line, and its first letters.
type fork struct {
	at      int
	letters []string
	more    bool
}

// forks lists earlier tries that left the line in a window of steps.
func (v *View) forks(r *worlds.Run, from, to int) []fork {
	if r.LineCount() < 2 {
		return nil
	}
	var list []fork
	for line := range r.Lines() {
		if line.Current || line.Fork < from-1 || line.Fork >= max(to, from) {
			continue
		}
		letters := r.LineLetters(line)[line.Fork:]
		f := fork{at: line.Fork, letters: letters}
		if len(letters) > maxTry {
			f.letters, f.more = letters[:maxTry], true
		}
		if list = append(list, f); len(list) == maxForks {
			break
		}
	}
	return list
}

// drawForks draws earlier tries thin and hollow, with a label where there is room.
func (v *View) drawForks(o *out, r *worlds.Run, forks []fork, x func(int) int, labelY int) {
	free := 0
	for _, f := range forks {
		lane := func(k int) (int, bool) {
			t, ok := v.model().ByName(f.letters[k])
			return v.laneOf[t], ok
		}
		start := x(f.at)
		o.put(`<path class="weave old" d="`)
		first := true
		if f.at > 0 && f.at <= r.Len() {
			o.draw("M% %", start, v.laneY(r.At(f.at).Thread))
			first = false
		}
		for k := range f.letters {
			y, ok := lane(k)
			if !ok {
				break
			}
			if first {
				o.put("M")
				first = false
			} else {
				o.put("L")
			}
			o.draw("% %", x(f.at+1+k), v.laneAt(y))
		}
		o.put(`"/>`)
		for k, name := range f.letters {
			t, ok := v.model().ByName(name)
			at := f.at + 1 + k
			if !ok || at <= r.Len() && v.laneOf[r.At(at).Thread] == v.laneOf[t] {
				continue
			}
			v.token(o, t, x(at), v.laneY(t), 80, old)
		}
		text := "earlier: " + schedule.Print(f.letters)
		if f.more {
			text += " …"
		}
		if left := x(f.at+1) - 100; left > free {
			o.mix(`<text class="txt2" x="%" y="%">~</text>`, ints{left, labelY}, text)
			free = left + 75*len(text)
		}
	}
}

// branches lists the other lines. Each button's data-line is the line's place in
// the order of History.Lines.
func (v *View) branches(r *worlds.Run) HTML {
	if r.LineCount() < 2 {
		return ""
	}
	var o out
	o.put(`<ul class="branches">`)
	n := -1
	for line := range r.Lines() {
		n++
		if line.Current {
			continue
		}
		if n >= maxBranches {
			o.draw(`<li class="small">and more: # in all</li>`, r.LineCount())
			break
		}
		letters := r.LineLetters(line)
		text := schedule.Print(letters[line.Fork:])
		if len(text) > 40 {
			text = text[:strings.LastIndexByte(text[:38], ' ')+1] + "…"
		}
		o.mix(`<li><button type="button" class="button" data-line="#">from step #: <code>~</code> <span class="small">$</span></button></li>`, ints{n, line.Fork}, text, count(line.Len, "step", "steps"))
	}
	o.put(`</ul>`)
	return o.html()
}
