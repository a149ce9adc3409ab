package view

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
	"sharedbatches/core/worlds"
)

// View shows the moments of one scenario's runs. It remembers sentences, so one
// goroutine at a time may use it.
type View struct {
	s        *scenario.Scenario
	w        *worlds.Worlds
	sink     int      // the reader's
	schedule []string // the scenario's schedule, for the suggestion
	told     map[moment]string
}

type moment = *worlds.Moment

// New prepares the view of a scenario. A reader whose sink does not exist reads the
// first one.
func New(s *scenario.Scenario, w *worlds.Worlds) *View {
	v := &View{s: s, w: w, told: map[moment]string{}}
	v.sink, _ = s.ReaderSink()
	if letters, err := schedule.Parse(s.Schedule); err == nil {
		v.schedule, _ = schedule.Resolve(letters, w.Models[0].Names())
	}
	return v
}

// model is that of the first world. Names, threads, sinks and parts are the same in all.
func (v *View) model() *coalesce.Model { return v.w.Models[0] }

// Frame shows the run at its cursor. It changes nothing in the run.
func (v *View) Frame(r *worlds.Run, grain worlds.Grain) Frame {
	m := r.Now()
	f := Frame{
		StepNo:   "start",
		Cursor:   r.Cursor(),
		Length:   r.Len(),
		Over:     v.w.Over(m),
		Schedule: schedule.Print(r.Letters()[:r.Cursor()]),
		Suggest:  v.suggest(r),
	}
	if m.Step > 0 {
		f.StepNo = "step " + itoa(m.Step)
	}
	var before moment
	if m.Step > 0 {
		before = r.At(m.Step - 1)
	}
	says := v.narrate(before, m)
	f.Says, f.SaysPlain = HTML(mark(says, jargon)), plain(says)
	f.Why = v.why(r)
	f.Note = v.note(m.Step)
	focus := v.focus(r)
	stories, drawn, room := make([]*story, len(v.w.Models)), make([]*life, len(v.w.Models)), false
	for i := range v.w.Models {
		stories[i] = v.story(r, i)
		drawn[i] = v.drawn(m, i, stories[i], focus)
		room = room || len(v.besides(m, i, stories[i], drawn[i])) > 0
	}
	for i := range v.w.Models {
		st := stories[i]
		f.Worlds = append(f.Worlds, World{
			Name:     v.w.Names[i],
			Head:     v.head(i),
			Badge:    v.badge(m, i, st),
			Registry: v.registry(m, i),
			Scene:    v.scene(m, i, st, drawn[i], focus, room),
			Blobs:    v.blobs(m, i),
			Shard:    v.shard(m, i),
		})
	}
	if m.Differ > 0 {
		f.Seam = HTML(`<b><span aria-hidden="true">≠</span><span class="only-read"> the worlds differ </span> <i>from</i> <i>step</i> <i>` + itoa(m.Differ) + `</i></b>`)
	}
	for _, t := range v.model().Threads() {
		f.Threads = append(f.Threads, v.card(r, t, grain))
	}
	f.Rules = v.rules(m)
	f.Timeline = v.timeline(r)
	f.Steps = v.steps(r)
	f.Branches = v.branches(r)
	return f
}

// suggest is the thread that the line goes on with, or, at its end, the scenario's
// schedule if the line is its beginning.
func (v *View) suggest(r *worlds.Run) string {
	if at := r.Cursor(); at < r.Len() {
		return r.Letter(at + 1)
	}
	if r.Len() >= len(v.schedule) {
		return ""
	}
	for i := 1; i <= r.Len(); i++ {
		if r.Letter(i) != v.schedule[i-1] {
			return ""
		}
	}
	return v.schedule[r.Len()]
}

// note is what the scenario says about a step.
func (v *View) note(step int) HTML {
	var o out
	for _, n := range v.s.Notes {
		if n.Step == step {
			o.put(string(Prose(n.Text)))
		}
	}
	return o.html()
}

// head is a world's sign and its name.
func (v *View) head(i int) HTML {
	var o out
	o.put(v.probeSign(i), `<span class="world-name"><span class="wide-only">probe: </span><code>`, termSpan(v.w.Names[i], v.w.Names[i], i == 0), `</code></span>`)
	return o.html()
}

// fix is the one line of code in which the rules differ. It stands above the drawing.
var fix = [...]string{
	coalesce.Upgrade:     "keep if `weak.upgrade()` succeeds",
	coalesce.StrongCount: "keep if `weak.strong_count() > 0`",
}
