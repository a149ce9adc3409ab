package scenarios

import (
	"os"
	"strings"
	"testing"

	"sharedbatches/core/brief"
)

// TestReadme holds the table of scenarios to the files: a row for each, in order,
// with its title and the verdict in each world.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := All()
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| [") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	if len(rows) != len(list) {
		t.Fatalf("%d rows for %d scenarios", len(rows), len(list))
	}
	for i, s := range list {
		w, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		var verdicts []string
		for k, name := range w.Names {
			verdicts = append(verdicts, name+": "+s.Expect[k].Verdict)
		}
		begin := brief.Sprintf("| [%s](%s.yaml) | %s | ", s.ID, s.ID, s.Title)
		end := " | " + strings.Join(verdicts, "; ") + " |"
		if !strings.HasPrefix(rows[i], begin) || !strings.HasSuffix(rows[i], end) || len(rows[i]) <= len(begin)+len(end) {
			t.Errorf("row %d is\n%s\nwant\n%shazard%s", i+1, rows[i], begin, end)
		}
	}
}
