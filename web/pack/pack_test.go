//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func TestPackMakesCompressedFormsThatUnpackToTheFile(t *testing.T) {
	stage, dist := dirs(t)
	html := strings.Repeat("<p>some text</p>", 100)
	put(t, stage, "index.html", html)
	put(t, stage, "tiny.txt", "x")
	put(t, stage, "deep/er/picture.png", html)
	put(t, stage, ".hidden/notes.txt", html)
	run(t, stage, dist, options{quality: 9})

	want(t, dist, "deep/er/picture.png", "index.html", "index.html.br", "index.html.gz", "tiny.txt")
	unbrotlied, err := io.ReadAll(brotli.NewReader(strings.NewReader(get(t, dist, "index.html.br"))))
	if err != nil || string(unbrotlied) != html {
		t.Errorf("brotli: %v, %d bytes", err, len(unbrotlied))
	}
	reader, err := gzip.NewReader(strings.NewReader(get(t, dist, "index.html.gz")))
	if err != nil {
		t.Fatal(err)
	}
	ungzipped, err := io.ReadAll(reader)
	if err != nil || string(ungzipped) != html {
		t.Errorf("gzip: %v, %d bytes", err, len(ungzipped))
	}
}

func TestPackWritesOnlyWhatIsStaleAndRemovesTheRest(t *testing.T) {
	stage, dist := dirs(t)
	long := strings.Repeat("abc ", 100)
	put(t, stage, "index.html", long)
	put(t, stage, "old/page.html", long)
	run(t, stage, dist, options{quality: 9})
	if out := run(t, stage, dist, options{quality: 9}); out != "" {
		t.Errorf("a second run changed something:\n%s", out)
	}
	// A form that is up to date is left alone, whatever it holds.
	form := filepath.Join(dist, "index.html.br")
	info, err := os.Stat(form)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dist, "index.html.br", "marked")
	if err := os.Chtimes(form, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	run(t, stage, dist, options{quality: 9})
	if got := get(t, dist, "index.html.br"); got != "marked" {
		t.Error("a form that was up to date was written again")
	}
	run(t, stage, dist, options{quality: 9, all: true})
	if got := get(t, dist, "index.html.br"); got == "marked" {
		t.Error("-all did not compress again")
	}

	put(t, stage, "index.html", long+"d")
	if err := os.RemoveAll(filepath.Join(stage, "old")); err != nil {
		t.Fatal(err)
	}
	out := run(t, stage, dist, options{quality: 9})
	want(t, dist, "index.html", "index.html.br", "index.html.gz")
	if !strings.Contains(out, "dist/index.html\n") || !strings.Contains(out, "dist/old/page.html removed") {
		t.Errorf("printed:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(dist, "old")); err == nil {
		t.Error("the empty directory stayed")
	}
	unpacked, err := io.ReadAll(brotli.NewReader(strings.NewReader(get(t, dist, "index.html.br"))))
	if err != nil || string(unpacked) != long+"d" {
		t.Errorf("the form is not that of the new file: %v", err)
	}
}

func TestPackRefusesAnotherDirectory(t *testing.T) {
	stage, dist := dirs(t)
	put(t, stage, "index.html", "x")
	put(t, filepath.Dir(dist), "precious.txt", "x")
	if err := pack(io.Discard, stage, filepath.Dir(dist), options{quality: 9}); err == nil {
		t.Error("packed into a directory that is not dist")
	}
	get(t, filepath.Dir(dist), "precious.txt")
	if err := pack(io.Discard, t.TempDir(), dist, options{quality: 9}); err == nil {
		t.Error("packed an empty stage")
	}
}

func TestGate(t *testing.T) {
	_, dist := dirs(t)
	put(t, dist, "index.html", "<p>")
	put(t, dist, "index.html.br", "not counted")
	var out bytes.Buffer
	if err := report(&out, dist, t.TempDir(), true); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, line := range []string{"budget page.wasm: not built", "budget shell (index.html, CSS, JS): 7 of 61440 bytes brotli (0 %)"} {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, &out)
		}
	}

	// Noise cannot be compressed, so each file weighs what it is long.
	put(t, dist, "a.css", noise(31<<10))
	put(t, dist, "b.js", noise(31<<10))
	put(t, dist, "page.wasm", noise(900_000))
	err := report(io.Discard, dist, t.TempDir(), true)
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{"over budget shell", "over budget page.wasm", "of 800000 bytes brotli"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not contain %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "gzip") {
		t.Errorf("error %q: gzip is within its budget", err)
	}
	if err := report(io.Discard, dist, t.TempDir(), false); err != nil {
		t.Errorf("without the gate: %v", err)
	}
}

func TestWeighRemembersByContent(t *testing.T) {
	cache := t.TempDir()
	text := []byte(strings.Repeat("a few words ", 50))
	first, err := weigh(text, cache)
	if err != nil {
		t.Fatal(err)
	}
	second, err := weigh(text, cache)
	if err != nil || second != first {
		t.Errorf("got %v and %v (%v)", first, second, err)
	}
	other, err := weigh(append(text, "and something else"...), cache)
	if err != nil || other.brotli == first.brotli {
		t.Errorf("other content has the size of the first: %v (%v)", other, err)
	}
}

func noise(length int) string {
	random := rand.New(rand.NewPCG(1, uint64(length)))
	content := make([]byte, length)
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	return string(content)
}

func dirs(t *testing.T) (stage, dist string) {
	return t.TempDir(), filepath.Join(t.TempDir(), "dist")
}

func run(t *testing.T, stage, dist string, o options) string {
	t.Helper()
	var out bytes.Buffer
	if err := pack(&out, stage, dist, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func want(t *testing.T, dir string, names ...string) {
	t.Helper()
	got, err := list(dir)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("files: got %q, want %q", got, names)
	}
}
