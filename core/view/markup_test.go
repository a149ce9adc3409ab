package view_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
)

// hostile is a text that breaks markup unless it is escaped everywhere.
const hostile = `</p><script>alert("x")</script>'&` + "`**"

func part(interval int, at int64, updates int) coalesce.PartConfig {
	return coalesce.PartConfig{Interval: interval, At: at, Updates: updates, Bytes: 5000 * updates,
		Changes: []coalesce.Change{{Key: hostile + string(rune('a'+at%7)), From: int(at), To: int(at) + 1}}}
}

// configs reach every kind of event between them.
func configs() map[string]coalesce.Config {
	x := coalesce.SinkConfig{Name: 'X', Bounds: []int64{1000, 2000}}
	y := coalesce.SinkConfig{Name: 'Y', Since: 500, Bounds: []int64{1000, 2000, 3000, 4000}}
	all := map[string]coalesce.Config{
		"sweep": {Sinks: []coalesce.SinkConfig{x, y}, Tasks: []coalesce.TaskConfig{
			{Worker: 0, Sink: 1, Parts: []coalesce.PartConfig{part(0, 1500, 1), part(1, 2500, 2)}},
			{Worker: 1, Sink: 0, Parts: []coalesce.PartConfig{part(0, 1500, 3)}}, {Worker: 1, Sink: 1}}},
		"workers": {Sinks: []coalesce.SinkConfig{x}, Sweeper: true, Tasks: []coalesce.TaskConfig{
			{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1100, 1), part(0, 1200, 1), part(0, 1300, 1), part(0, 1400, 1), part(0, 1500, 1)}},
			{Worker: 1}, {Worker: 2, Parts: []coalesce.PartConfig{part(0, 1600, 1)}}, {Worker: 3}, {Worker: 4}, {Worker: 5}}},
		"conflict":  {Sinks: []coalesce.SinkConfig{x}, Tasks: []coalesce.TaskConfig{{Worker: 0}, {Worker: 1, Upper: 2500, Parts: []coalesce.PartConfig{part(0, 1500, 1)}}, {Worker: 2}}},
		"unchecked": {Descriptions: coalesce.Unchecked, Sinks: []coalesce.SinkConfig{x}, Tasks: []coalesce.TaskConfig{{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1500, 1)}}, {Worker: 1, Upper: 1400}}},
		"unwrap":    {Finish: coalesce.TryUnwrap, Sinks: []coalesce.SinkConfig{x}, Tasks: []coalesce.TaskConfig{{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1500, 1)}}, {Worker: 1}}},
		"barrier": {Mode: coalesce.Barrier, Teardown: true, Sinks: []coalesce.SinkConfig{{Name: 'X', Bounds: []int64{1000, 2000, 3000}, Superseded: []int{0}}}, Tasks: []coalesce.TaskConfig{
			{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1500, 1), part(1, 2500, 1)}}, {Worker: 1, Skips: []int{0}}, {Worker: 2, Parts: []coalesce.PartConfig{part(1, 2600, 1)}}}},
		"superseded": {Mode: coalesce.Barrier, Sinks: []coalesce.SinkConfig{{Name: 'X', Bounds: []int64{1000, 2000, 3000}, Superseded: []int{0}}}, Tasks: []coalesce.TaskConfig{
			{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1500, 1), part(1, 2500, 1)}}, {Worker: 1}}},
		"whole": {Mode: coalesce.Barrier, Whole: coalesce.WholeSink, Sinks: []coalesce.SinkConfig{{Name: 'X', Bounds: []int64{1000, 2000, 3000, 4000}, Replica: 2}}, Tasks: []coalesce.TaskConfig{
			{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1500, 1), part(2, 3500, 1)}}, {Worker: 1}}},
		"own": {Mode: coalesce.PerWorker, Whole: coalesce.WholeSink, Sinks: []coalesce.SinkConfig{{Name: 'X', Bounds: []int64{1000, 2000, 3000, 4000}, Replica: 2}}, Tasks: []coalesce.TaskConfig{
			{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1500, 1), part(1, 2500, 1), part(2, 3500, 1)}}, {Worker: 1, Parts: []coalesce.PartConfig{part(1, 2600, 1)}}}},
		"processes": {Mode: coalesce.Barrier, Wait: coalesce.CheckFirst, Processes: 2, Sinks: []coalesce.SinkConfig{x}, Tasks: []coalesce.TaskConfig{
			{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1500, 1)}}, {Worker: 1}, {Worker: 2, Parts: []coalesce.PartConfig{part(0, 1600, 1)}}, {Worker: 3}}},
	}
	// Rules that are broken on purpose, and set-ups that need them.
	both := []coalesce.TaskConfig{{Worker: 0, Parts: []coalesce.PartConfig{part(0, 1500, 1)}}, {Worker: 1, Parts: []coalesce.PartConfig{part(0, 1600, 2)}}}
	skips := func(writes bool, list ...int) []coalesce.TaskConfig {
		return append(both[:2:2], coalesce.TaskConfig{Worker: 2, Skips: list, Writes: writes, Parts: []coalesce.PartConfig{part(0, 1700, 3)}})
	}
	barrier := func(change func(c *coalesce.Config)) coalesce.Config {
		c := coalesce.Config{Mode: coalesce.Barrier, Sinks: []coalesce.SinkConfig{x}, Tasks: both}
		change(&c)
		return c
	}
	all["check first"] = barrier(func(c *coalesce.Config) { c.Wait, c.Sweeper = coalesce.CheckFirst, true })
	all["into_inner"] = barrier(func(c *coalesce.Config) {
		c.Finish, c.Reports, c.Tasks = coalesce.IntoInner, coalesce.ReportUnchecked, skips(false, 0)
	})
	all["surplus"] = barrier(func(c *coalesce.Config) { c.Reports, c.Tasks = coalesce.ReportUnchecked, skips(true, 0) })
	all["surplus release"] = barrier(func(c *coalesce.Config) {
		c.Reports, c.Asserts, c.Tasks = coalesce.ReportUnchecked, coalesce.Release, skips(true, 0, 0)
	})
	all["missing"] = barrier(func(c *coalesce.Config) {
		c.Reports, c.Sinks = coalesce.ReportUnchecked, []coalesce.SinkConfig{{Name: 'X', Bounds: x.Bounds, Participants: 4}}
	})
	all["mixed"] = barrier(func(c *coalesce.Config) {
		c.Modes, c.Tasks = coalesce.MixedModes, append(both[:2:2], coalesce.TaskConfig{Worker: 2, BestEffort: true})
	})
	all["whole shared"] = coalesce.Config{Whole: coalesce.WholeSink, Processes: 2, Sinks: []coalesce.SinkConfig{{Name: 'X', Bounds: y.Bounds, Replica: 1}}, Teardown: true, Tasks: append(both[:2:2], coalesce.TaskConfig{Worker: 2}, coalesce.TaskConfig{Worker: 3, Parts: []coalesce.PartConfig{part(1, 2500, 3)}})}
	return all
}

// TestRandomRuns steps random runs of every set-up and holds every frame to what
// markup must be. It fails if some kind of event never happened.
func TestRandomRuns(t *testing.T) {
	seen := map[coalesce.EventKind]bool{}
	for name, c := range configs() {
		for seed := range uint64(8) {
			s := &scenario.Scenario{Title: hostile, Text: hostile, Setup: c, Worlds: []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount},
				Panels: scenario.Panels, Reader: scenario.Reader{Key: hostile + "c", AsOf: []int64{100, 1500, 2500}}, Notes: []scenario.Note{{Step: 3, Text: hostile}}}
			if seed%4 == 0 {
				s.Worlds = s.Worlds[:1]
			}
			if seed%4 == 1 {
				// Worlds that differ in another rule, with names from a foreign file.
				s.Variants = []scenario.World{{Name: hostile}, {Name: "debug", Rules: []scenario.RuleValue{{Key: "asserts", Value: "release"}, {Key: "wait", Value: "check_first"}}}}
			}
			if seed%3 == 0 && len(c.Sinks) > 1 {
				s.Reader.Sink = "Y"
			}
			r, err := s.Open()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			v := view.New(s, r.Worlds)
			random := rand.New(rand.NewPCG(seed, 7))
			for range 150 {
				threads := r.Models[0].Threads()
				stepped := false
				for _, i := range random.Perm(len(threads)) {
					if _, _, err := r.Do(threads[i], worlds.Atomic); err == nil {
						stepped = true
						break
					}
				}
				for _, side := range r.Now().Sides {
					for _, e := range side.Events {
						seen[e.Kind] = true
					}
				}
				if random.IntN(2) == 0 {
					checkFrame(t, name, v.Frame(r, worlds.Grain(random.IntN(3))))
					checkMarkup(t, "steps", string(v.Steps(r)))
				}
				if t.Failed() {
					t.Fatalf("%s, seed %d: %v", name, seed, r.Letters()[:r.Cursor()])
				}
				if !stepped {
					break
				}
				if random.IntN(30) == 0 && r.Cursor() > 4 {
					r.Back()
					r.Back()
				}
			}
		}
	}
	for k := coalesce.Locked; k <= coalesce.WroteOwn; k++ {
		if !seen[k] {
			t.Errorf("no run had an event of kind %d", k)
		}
	}
}

func checkFrame(t *testing.T, name string, f view.Frame) {
	t.Helper()
	says := strings.TrimSpace(f.SaysPlain)
	if says == "" || !strings.HasSuffix(says, ".") {
		t.Errorf("%s: %s: the sentence is %q", name, f.StepNo, says)
	}
	for _, bad := range []string{"goes on: ", " ,", "..", "  ", " .", "With , "} {
		if strings.Contains(says, bad) {
			t.Errorf("%s: %s: %q in %q", name, f.StepNo, bad, says)
		}
	}
	checkMarkup(t, "says", string(f.Says))
	checkMarkup(t, "why", string(f.Why))
	checkMarkup(t, "note", string(f.Note))
	checkMarkup(t, "seam", string(f.Seam))
	checkMarkup(t, "rules", string(f.Rules))
	checkMarkup(t, "timeline", string(f.Timeline.HTML()))
	checkMarkup(t, "branches", string(f.Branches))
	for _, w := range f.Worlds {
		for part, h := range map[string]view.HTML{"head": w.Head, "badge": w.Badge, "registry": w.Registry, "scene": w.Scene, "blobs": w.Blobs, "shard": w.Shard, "sink": w.Sink, "reader": w.Reader} {
			checkMarkup(t, w.Name+" "+part, string(h))
		}
		if n := strings.Count(string(w.Scene), `role="img"`); n < 1 {
			t.Errorf("%s: the scene has no name", w.Name)
		}
	}
	for _, s := range f.Switches {
		if len(s.Values) != len(s.Broken) || len(s.Values) != len(s.Says) || !slices.Contains(s.Values, s.Value) {
			t.Errorf("switch %+v", s)
		}
	}
	for _, c := range f.Threads {
		if strings.ContainsAny(c.Act+c.Reason+text(string(c.Next)), "$%~#") || strings.Contains(c.Act, "  ") {
			t.Errorf("%s: a place is left open in %q or %q", c.Name, c.Act, c.Next)
		}
		checkMarkup(t, c.Name+" sub", string(c.Sub))
		checkMarkup(t, c.Name+" program", string(c.Program))
		checkMarkup(t, c.Name+" next", string(c.Next))
		if !strings.HasPrefix(c.Act, c.Name+": ") || len(c.Act) <= len(c.Name)+2 {
			t.Errorf("%s: the button says %q", c.Name, c.Act)
		}
		if c.Disabled != (c.Reason != "") {
			t.Errorf("%s: disabled is %t and the reason %q", c.Name, c.Disabled, c.Reason)
		}
	}
}

var (
	tagName = regexp.MustCompile(`<(/?)([a-z1-6]+)((?:\s+[a-zA-Z:-]+(?:="[^"<>]*")?)*)\s*(/?)>`)
	terms   = regexp.MustCompile(`data-term="([^"]*)"`)
)

// checkMarkup holds a piece of markup to: every < opens a tag that is closed in
// order, no style, no script, no formatting error, and only known terms.
func checkMarkup(t *testing.T, what, markup string) {
	t.Helper()
	for _, bad := range []string{"style=", "<script", "%!", "onclick", "undefined"} {
		if strings.Contains(markup, bad) {
			t.Errorf("%s: %q in %s", what, bad, markup)
		}
	}
	var open []string
	found := tagName.FindAllStringSubmatch(markup, -1)
	if n := strings.Count(markup, "<"); n != len(found) {
		t.Errorf("%s: %d of %d < are tags: %s", what, len(found), n, markup)
	}
	for _, tag := range found {
		switch {
		case tag[4] == "/":
		case tag[1] == "":
			open = append(open, tag[2])
		case len(open) == 0 || open[len(open)-1] != tag[2]:
			t.Errorf("%s: </%s> closes %v: %s", what, tag[2], open, markup)
			return
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: %v is left open: %s", what, open, markup)
	}
	for _, term := range terms.FindAllStringSubmatch(markup, -1) {
		if view.Term(term[1]) == "" {
			t.Errorf("%s: the term %q has no sentence", what, term[1])
		}
	}
}

func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"":                  "",
		"one\n\ntwo":        "<p>one</p><p>two</p>",
		"a < b & `c > 1`":   "<p>a &lt; b &amp; <code>c &gt; 1</code></p>",
		"unclosed `code":    "<p>unclosed <code>code</code></p>",
		"**bold `x` more**": "<p><b>bold <code>x</code> more</b></p>",
		"2 * 3 ** 4":        "<p>2 * 3 <b> 4</b></p>",
	} {
		if got := string(view.Prose(in)); got != want {
			t.Errorf("Prose(%q) = %s, want %s", in, got, want)
		}
	}
	checkMarkup(t, "hostile", string(view.Prose(hostile)))
	checkMarkup(t, "hostile", string(view.Inline(hostile)))
}
