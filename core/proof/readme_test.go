package proof

import (
	"os"
	"strings"
	"testing"
)

// TestReadme holds the short table of the README to the pinned one.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("testdata/table.golden")
	if err != nil {
		t.Fatal(err)
	}
	short := map[string]bool{}
	for _, line := range strings.Split(string(golden), "\n") {
		if c := strings.Split(line, " | "); len(c) >= 8 {
			short[strings.Join([]string{c[0], c[1], c[4], c[5], c[7]}, " | ")+" |"] = true
		}
	}
	_, text, _ := strings.Cut(string(readme), "<!-- proofs -->\n")
	text, _, ok := strings.Cut(text, "<!-- /proofs -->")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if !ok || len(lines) < 3 {
		t.Fatal("the README has no table of proofs")
	}
	for _, line := range lines[2:] {
		if !short[line] {
			t.Errorf("the README says %q, the table does not", line)
		}
	}
}
