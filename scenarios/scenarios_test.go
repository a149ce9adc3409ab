package scenarios

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/yamlfile"
)

var update = flag.Bool("update", false, "rewrite the golden traces")

// TestScenarios plays every scenario, holds it to its expectation and to its full
// golden trace. It runs natively and under js/wasm, so equal files mean equal traces.
func TestScenarios(t *testing.T) {
	for _, id := range IDs {
		t.Run(id, func(t *testing.T) {
			s, err := Load(id)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Expect) == 0 {
				t.Error("no expectation")
			}
			wrong, err := s.Check()
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range wrong {
				t.Error(w)
			}
			run, err := s.Open()
			if err != nil {
				t.Fatal(err)
			}
			run.Last()
			if !run.Over(run.Now()) {
				t.Error("a shipped schedule goes on until every world is finished")
			}
			file := filepath.Join("testdata", id+".trace")
			if *update {
				if err := os.WriteFile(file, []byte(run.Trace()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := run.Trace(); got != string(want) {
				t.Errorf("the trace differs from %s: %s", file, firstDifference(got, string(want)))
			}
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got\n" + g[i] + "\nwant\n" + w[i]
		}
	}
	return "one is longer"
}

// TestIDs holds the list of ids to the files.
func TestIDs(t *testing.T) {
	names, err := filepath.Glob("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range names {
		names[i] = strings.TrimSuffix(n, ".yaml")
	}
	ids := slices.Sorted(slices.Values(IDs))
	if !slices.Equal(names, ids) {
		t.Errorf("files %q, ids %q", names, ids)
	}
}

// TestExpectationsCanFail changes each expectation of the sweep in turn.
func TestExpectationsCanFail(t *testing.T) {
	change := []struct{ from, to string }{
		{"verdict: losing", "verdict: safe"},
		{"puts: 3", "puts: 2"},
		{"leaked: 1", "leaked: 0"},
		{"{thread: A, step: 8, got: none}", "{thread: A, step: 8, got: batch}"},
		{"{as_of: 1500, view: 5, truth: 6}", "{as_of: 1500, view: 6, truth: 6}"},
		{"broken: {delivered: 8,", "broken: {delivered: 9,"},
		{"differ: 7", "differ: 8"},
		{"outcome: 8", "outcome: 7"},
	}
	text, err := files.ReadFile("sweep.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range change {
		changed := strings.Replace(string(text), c.from, c.to, 1)
		s, err := decode(changed)
		if err != nil {
			t.Fatal(err)
		}
		wrong, err := s.Check()
		if err != nil {
			t.Fatal(err)
		}
		if len(wrong) != 1 {
			t.Errorf("%s became %s: %q, want one difference", c.from, c.to, wrong)
		}
	}
}

func decode(text string) (*scenario.Scenario, error) {
	return yamlfile.Decode("sweep.yaml", "sweep", []byte(text))
}
