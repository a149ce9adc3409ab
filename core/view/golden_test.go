package view_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
	"sharedbatches/scenarios"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func load(t *testing.T, id string) (*scenario.Scenario, *worlds.Run, *view.View) {
	t.Helper()
	s, err := scenarios.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	return s, r, view.New(s, r.Worlds)
}

// told are the scenarios whose sentences are held: between them they have every kind
// of thread.
var told = []string{"share", "sweep", "partial", "skip", "supersede", "private", "teardown", "fails", "crossover", "label", "uploads", "cleaner"}

// TestNarration holds every sentence of these scenarios, with its explanation: what a
// reader hears from the first step to the last.
func TestNarration(t *testing.T) {
	for _, id := range told {
		_, r, v := load(t, id)
		golden(t, id+"-narration.txt", narration(t, r, v))
	}
}

func narration(t *testing.T, r *worlds.Run, v *view.View) string {
	t.Helper()
	var b strings.Builder
	for k := 0; k <= r.Len(); k++ {
		if err := r.Jump(k); err != nil {
			t.Fatal(err)
		}
		f := v.Frame(r, worlds.Atomic)
		b.WriteString(f.StepNo + ": " + f.SaysPlain + "\n")
		if f.Why != "" {
			b.WriteString("    " + strings.ReplaceAll(text(string(f.Why)), "\n", "\n    ") + "\n")
		}
	}
	return b.String()
}

// TestBarrier holds the barrier of three writers and a skip, from the first report
// to the seal, under both orders of registering and checking.
func TestBarrier(t *testing.T) {
	_, r, v := barrierRun(t)
	golden(t, "barrier-narration.txt", narration(t, r, v))
	for _, k := range []int{17, 20, 34, 37} {
		if err := r.Jump(k); err != nil {
			t.Fatal(err)
		}
		golden(t, "barrier-"+strconv.Itoa(k)+".txt", frameText(v.Frame(r, worlds.Atomic)))
	}
}

func barrierRun(t *testing.T) (*scenario.Scenario, *worlds.Run, *view.View) {
	t.Helper()
	part := func(at int64, key string) []coalesce.PartConfig {
		return []coalesce.PartConfig{{At: at, Updates: 256, Bytes: 8192, Changes: []coalesce.Change{{Key: key, From: 5, To: 6}}}}
	}
	s := &scenario.Scenario{
		Setup: coalesce.Config{
			Mode: coalesce.Barrier, Reports: coalesce.ReportUnchecked, Target: 64 << 10,
			Sinks: []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000}}},
			Tasks: []coalesce.TaskConfig{{Worker: 0, Parts: part(1500, "7")}, {Worker: 1}, {Worker: 2, Parts: part(1600, "8")}, {Worker: 3, Skips: []int{0}}},
		},
		Variants: []scenario.World{{Name: "register_first"}, {Name: "check_first", Rules: []scenario.RuleValue{{Key: "wait", Value: "check_first"}}}},
		Schedule: "A4 B6 C4 A2 Td B3 Td2 Ka2 C2 A2 B4 C2 Ka C Py",
		Panels:   scenario.Panels, Reader: scenario.Reader{Key: "7", AsOf: []int64{1500}},
	}
	r, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	return s, r, view.New(s, r.Worlds)
}

// TestSeam says that the worlds differ only while they do.
func TestSeam(t *testing.T) {
	_, r, v := load(t, "sweep")
	if err := r.Jump(0); err != nil {
		t.Fatal(err)
	}
	for i, name := range strings.Fields("A A A A B B A B B") {
		th, _ := r.Models[0].ByName(name)
		if _, _, err := r.Do(th, worlds.Atomic); err != nil {
			t.Fatal(err)
		}
		want := map[int]string{7: "≠ the worlds differ from step 8", 8: "= same again (differed from step 8)"}[i]
		if got := strings.Join(strings.Fields(text(string(v.Frame(r, worlds.Atomic).Seam))), " "); got != want {
			t.Errorf("step %d: the seam says %q, want %q", i+1, got, want)
		}
	}
}

// TestNames groups the cards by process and worker, and knows every thread once.
func TestNames(t *testing.T) {
	for _, c := range []struct{ id, want string }{
		{"sweep", "A B By Ka La Kb Kby Lby Px Py"},
		{"sink", "A Ta B Tb Ka Kb Py My"},
	} {
		_, r, v := load(t, c.id)
		if got := strings.Join(v.Names(), " "); got != c.want {
			t.Errorf("%s: the cards are %s, want %s", c.id, got, c.want)
		}
		groups := 0
		for i, card := range v.Frame(r, worlds.Atomic).Threads {
			if card.Name != v.Names()[i] {
				t.Errorf("%s: card %d is %s, want %s", c.id, i, card.Name, v.Names()[i])
			}
			if card.Group != "" {
				groups++
			}
		}
		if want := map[string]int{"sweep": 0, "sink": 3}[c.id]; groups != want {
			t.Errorf("%s: %d headings, want %d", c.id, groups, want)
		}
	}
}

// TestFrames holds whole frames of the sweep, of a view that fails and of the persist
// side, as a reader meets them, without markup.
func TestFrames(t *testing.T) {
	for id, steps := range map[string][]int{"sweep": {0, 6, 7, 8, 9, 12, 30, 39, 54}, "fails": {22, 41}, "uploads": {25, 42}, "crossover": {31}, "label": {5}, "runs": {29}} {
		_, r, v := load(t, id)
		for _, k := range steps {
			if err := r.Jump(k); err != nil {
				t.Fatal(err)
			}
			golden(t, id+"-"+strconv.Itoa(k)+".txt", frameText(v.Frame(r, worlds.Atomic)))
		}
	}
}

func frameText(f view.Frame) string {
	var b strings.Builder
	section := func(name, body string) {
		if body != "" {
			b.WriteString("== " + name + "\n" + body + "\n")
		}
	}
	section(f.StepNo, f.SaysPlain)
	section("why", text(string(f.Why)))
	section("seam", text(string(f.Seam)))
	for _, w := range f.Worlds {
		section(w.Name+": badge", text(string(w.Badge)))
		section(w.Name+": registry", text(string(w.Registry)))
		section(w.Name+": scene", text(string(w.Scene)))
		section(w.Name+": blobs", text(string(w.Blobs)))
		section(w.Name+": shard", text(string(w.Shard)))
		section(w.Name+": sink", text(string(w.Sink)))
		section(w.Name+": reader", text(string(w.Reader)))
	}
	for _, c := range f.Threads {
		if c.Hidden {
			continue
		}
		body := c.Act + " [" + c.Key + "] " + c.State
		if c.Reason != "" {
			body += "\n" + c.Reason
		}
		if p := text(string(c.Program)); p != "" {
			body += "\n" + p
		}
		if c.Group != "" {
			b.WriteString("-- " + c.Group + "\n")
		}
		if c.Buffers != "" {
			body += "\n" + text(string(c.Buffers))
		}
		section(c.Name+": "+c.Title+", "+text(string(c.Sub)), body+"\n"+text(string(c.Next)))
	}
	section("rules", text(string(f.Rules)))
	section("meter", text(string(f.Meter)))
	section("branches", text(string(f.Branches)))
	section("schedule", f.Schedule+" | suggested "+f.Suggest)
	return b.String()
}

var (
	labels = regexp.MustCompile(`aria-label="([^"]*)"[^>]*>`)
	lines  = regexp.MustCompile(`data-n="([^"]*)"[^>]*>`)
	blocks = regexp.MustCompile(`</(p|li|div|tr|text|dd|summary|th|td|svg|ul)>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
	spaces = regexp.MustCompile(` *\n[ \n]*`)
)

// text is markup as it reads: one line for each block, pictures by their sentence.
func text(markup string) string {
	markup = labels.ReplaceAllString(markup, "> ($1)\n")
	markup = lines.ReplaceAllString(markup, "> $1 ")
	markup = blocks.ReplaceAllString(markup, "\n")
	markup = tags.ReplaceAllString(markup, "")
	for _, r := range []string{"&lt;<", "&gt;>", "&#39;'", "&quot;\"", "&amp;&"} {
		i := strings.IndexByte(r, ';') + 1
		markup = strings.ReplaceAll(markup, r[:i], r[i:])
	}
	return strings.TrimSpace(spaces.ReplaceAllString(markup, "\n"))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range g {
			if i >= len(w) || g[i] != w[i] {
				line := "nothing"
				if i < len(w) {
					line = w[i]
				}
				t.Errorf("%s:%d: got  %s\nwant %s\n(-update rewrites it)", path, i+1, g[i], line)
				return
			}
		}
		t.Errorf("%s: it is shorter than wanted (-update rewrites it)", path)
	}
}
