package yamlfile_test

import (
	"errors"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"sharedbatches/core/scenario/yamlfile"
)

// FuzzDecode: no text makes the decoder panic, and every error names the file and,
// where it has a line, one that the text has.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(full))
	shipped, err := filepath.Glob(scenarios + "*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range shipped {
		f.Add([]byte(read(f, filepath.Base(file))))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := yamlfile.Decode("file.yaml", "file", text)
		if err == nil {
			if s == nil {
				t.Fatal("neither a scenario nor an error")
			}
			if _, err := s.Open(); err != nil {
				t.Fatalf("decoded, but it does not open: %v", err)
			}
			return
		}
		var faults yamlfile.Errors
		if !errors.As(err, &faults) || len(faults) == 0 || s != nil {
			t.Fatalf("%v, %v", s, err)
		}
		lines := 2 // an error may stand behind the last line break
		for _, c := range text {
			if c == '\n' {
				lines++
			}
		}
		for _, e := range faults {
			if e.File != "file.yaml" || e.Message == "" || e.Line < 0 || e.Line > lines || e.Line > 0 && e.Column < 1 || !utf8.ValidString(e.Error()) {
				t.Fatalf("%q in a text of %d lines", e.Error(), lines-1)
			}
		}
	})
}
