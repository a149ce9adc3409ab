package proof

import (
	"flag"
	"os"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

var update = flag.Bool("update", false, "rewrite testdata/table.golden")

// TestTable pins the published table. Under js/wasm the largest rows are left to the
// native run, which compares the same file.
func TestTable(t *testing.T) {
	const file = "testdata/table.golden"
	want := map[string]bool{}
	if !*update {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[2:] {
			want[line] = true
		}
	}
	head, rule := TableHead("", "")
	lines := []string{head, rule}
	for _, r := range Table() {
		if testing.Short() && len(r.Question.Config.Tasks) > 4 {
			continue
		}
		a := answer(t, r.Question)
		line := r.Line(a)
		lines = append(lines, line)
		if !*update && !want[line] {
			t.Errorf("not in %s (-update rewrites it):\n%s", file, line)
		}
		fixed := r.Question.Config.Probe == coalesce.StrongCount || r.Question.Config.Mode == coalesce.Barrier
		if fixed && (a.Losing == nil || a.Losing.Sign() != 0 || a.Orphaning != nil) {
			t.Errorf("%s, %s: loses under a fixed rule: %s", r.Name, a.Probe, line)
		}
		if missing := r.Question.Config.Sinks[0].Participants != 0; missing != (a.Deadlocked.Sign() > 0) || missing && a.Deadlocked.Cmp(a.Schedules) != 0 {
			t.Errorf("%s: %s of %s schedules deadlock", r.Name, a.Deadlocked, a.Schedules)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !testing.Short() && len(lines)-2 != len(want) {
		t.Errorf("%d rows, %s has %d", len(lines)-2, file, len(want))
	}
}
