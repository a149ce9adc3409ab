package view

import (
	"slices"

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
	apart    []*coalesce.Rule // those in which the worlds differ
	switches []Switch
	threads  []coalesce.Thread // in the order of their cards
	groups   []string          // the heading of each

	programs map[coalesce.Thread]*table // made when first shown
	marks    map[string]string          // of texts that stay the same, as markup
	signs    [worlds.Limit]string       // of the worlds
	costs    costs

	// Of the timeline, see timeline.go.
	lanes      []string // their names
	laneOf     map[coalesce.Thread]int
	stepW      int // of a step, in tenths: the film has room for up to four tokens
	drawnTicks map[place]string
	trackY     int // where the film was in them
}

type moment = *worlds.Moment

// New prepares the view of a scenario. A reader whose sink does not exist reads the
// first one.
func New(s *scenario.Scenario, w *worlds.Worlds) *View {
	v := &View{s: s, w: w, told: map[moment]string{}, programs: map[coalesce.Thread]*table{}, marks: map[string]string{}}
	v.sink, _ = s.ReaderSink()
	if letters, err := schedule.Parse(s.Schedule); err == nil {
		v.schedule, _ = schedule.Resolve(letters, w.Models[0].Names())
	}
	v.setRules()
	v.group()
	v.setLanes()
	for i := range w.Models {
		v.signs[i] = v.probeSign(i)
	}
	return v
}

// setRules finds what the set-up's rules are, and where the worlds part in them.
func (v *View) setRules() {
	first, last := &v.model().Config, &v.w.Models[len(v.w.Models)-1].Config
	for i := range coalesce.Rules {
		r := &coalesce.Rules[i]
		same := r.Value(first) == r.Value(last)
		if !same {
			v.apart = append(v.apart, r)
		}
		if r.Use == nil || r.Use(first) || r.Use(last) {
			v.switches = append(v.switches, Switch{r.Key, r.Value(first), r.Values, r.Broken, r.Says, same})
		}
	}
}

// probes tells whether the worlds differ in the probe, or there is one world only.
func (v *View) probes() bool { return len(v.apart) == 0 || v.apart[0].Key == "probe" }

// value is a rule's place among its values in a world.
func (v *View) value(r *coalesce.Rule, world int) int {
	return slices.Index(r.Values, r.Value(&v.w.Models[world].Config))
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
	f.Worlds = make([]World, len(v.w.Models))
	stories, drawn, room := make([]*story, len(v.w.Models)), make([]*life, len(v.w.Models)), false
	for i := range v.w.Models {
		stories[i] = v.story(r, i)
		drawn[i] = v.drawn(m, i, stories[i], focus)
		room = room || len(v.besides(m, i, stories[i], drawn[i])) > 0
	}
	for i := range v.w.Models {
		st, w := stories[i], &f.Worlds[i]
		w.Name = v.w.Names[i]
		w.Head = v.head(i)
		w.Badge = v.badge(m, i, st)
		w.Registry = v.registry(m, i, st)
		w.Scene = v.scene(m, i, st, drawn[i], focus, room)
		w.Blobs = v.blobs(m, i)
		w.Shard = v.shard(m, i)
		w.Sink = v.around(m, i)
		w.Reader = v.downstream(m, i)
	}
	if m.Differ > 0 {
		seam := `<b><span aria-hidden="true">≠</span><span class="only-read"> the worlds differ </span> <i>from</i> <i>step</i> <i>#</i></b>`
		if m.Sides[0].State == m.Sides[1].State {
			seam = `<b><span aria-hidden="true">=</span> <i>same</i> <i>again</i><span class="only-read"> (differed from step #)</span></b>`
		}
		f.Seam = HTML(numbers(seam, m.Differ))
	}
	group := ""
	f.Threads = make([]Card, len(v.threads))
	for i, t := range v.threads {
		c := &f.Threads[i]
		v.card(c, r, t, grain)
		if !c.Hidden && v.groups[i] != group {
			group = v.groups[i]
			c.Group = group
		}
	}
	f.Switches = v.switches
	f.Rules = v.rules(m)
	f.Meter = v.meter(m)
	f.Timeline = v.timeline(r)
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
	name, prefix := v.w.Names[i], ""
	if v.probes() {
		prefix = "probe: "
	}
	code := esc(name)
	if Term(name) != "" {
		code = termSpan(name, name, i == 0)
	}
	o.fill(`$<span class="world-name"><span class="wide-only">$</span><code>$</code></span>`, v.signs[i], prefix, code)
	return o.html()
}

// fix is what sets a world apart from the other: the line of code of its probe, or
// its rules in words. It stands above the drawing.
func (v *View) fix(world int) string {
	if v.probes() {
		if v.w.Models[world].Probe == coalesce.Upgrade {
			return "keep if `weak.upgrade()` succeeds"
		}
		return "keep if `weak.strong_count() > 0`"
	}
	var says []string
	for _, r := range v.apart {
		says = append(says, r.Says[v.value(r, world)])
	}
	return list(says)
}
