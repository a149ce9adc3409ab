package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sharedbatches/scenarios"
)

func TestPages(t *testing.T) {
	stage := t.TempDir()
	if err := run("../../static", stage); err != nil {
		t.Fatal(err)
	}
	for _, id := range scenarios.IDs {
		page, err := os.ReadFile(filepath.Join(stage, "embed", id+".html"))
		if err != nil {
			t.Fatal(err)
		}
		text := string(page)
		for _, want := range []string{`data-scenario="` + id + `"`, `href="../index.html#1/` + id + `/`, `<svg class="shot"`, `id="start"`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %s", id, want)
			}
		}
		for _, refused := range []string{" style=", "<script>", "#ZgotmplZ", "autofocus"} {
			if strings.Contains(text, refused) {
				t.Errorf("%s: there is %s", id, refused)
			}
		}
	}
	general, err := os.ReadFile(filepath.Join(stage, "embed.html"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(general), `data-scenarios="`+strings.Join(scenarios.IDs, " ")+`"`) {
		t.Error("embed.html does not know all scenarios")
	}
}

func TestSays(t *testing.T) {
	long := strings.Repeat("word ", 50)
	for _, c := range []struct{ text, want string }{
		{"One.\nTwo.\n\nThree.\n", "One. Two."},
		{"One: 1. " + long, "One: 1."},
		{long + "is long. Two.", long + "is long."},
		{"One? [1.5, 2). " + long + ".", "One? [1.5, 2)."},
	} {
		if got := says(c.text); got != c.want {
			t.Errorf("says(%.40q) = %q, want %q", c.text, got, c.want)
		}
	}
}
