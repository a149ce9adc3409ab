//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
)

type options struct {
	quality int  // of brotli, 1 to 11
	all     bool // compress again what is up to date
}

// compressible are the kinds of file that gain by compression; pictures and
// fonts are compressed already.
var compressible = []string{
	".css", ".csv", ".html", ".ico", ".js", ".json", ".md", ".mjs", ".svg", ".txt", ".wasm", ".webmanifest", ".xml", ".yaml",
}

// pack makes dist hold the files of stage, their compressed forms, and nothing
// else. It prints one line for each file that it changes.
func pack(out io.Writer, stage, dist string, o options) error {
	// pack removes files, so a mistyped argument must not point it elsewhere.
	if filepath.Base(dist) != "dist" {
		return fmt.Errorf("%s: only a directory named dist is written to", dist)
	}
	names, err := list(stage)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: nothing in it: dist would become empty", stage)
	}
	keep := map[string]bool{}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(stage, name))
		if err != nil {
			return err
		}
		keep[name] = true
		modTime, changed, err := place(filepath.Join(dist, name), content)
		if err != nil {
			return err
		}
		if changed {
			fmt.Fprintf(out, "  %s\n", filepath.Join(filepath.Base(dist), name))
		}
		if !slices.Contains(compressible, filepath.Ext(name)) {
			continue
		}
		for _, c := range []struct {
			suffix   string
			compress func([]byte, int) ([]byte, error)
		}{{".br", squeezeBrotli}, {".gz", squeezeGzip}} {
			kept, err := squeeze(filepath.Join(dist, name), c.suffix, content, modTime, o, c.compress)
			if err != nil {
				return err
			}
			keep[name+c.suffix] = kept
		}
	}
	return removeOthers(out, dist, keep)
}

// list names the regular files under dir, hidden ones left out.
func list(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != dir && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.Type().IsRegular() {
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// place makes the file hold content and says whether it had to be written.
func place(path string, content []byte) (modTime time.Time, changed bool, err error) {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false, err
	}
	if err != nil || !bytes.Equal(old, content) {
		if err := write(path, content, time.Time{}); err != nil {
			return time.Time{}, false, err
		}
		changed = true
	}
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, false, err
	}
	return info.ModTime(), changed, nil
}

// squeeze writes the compressed form of the file at path beside it, unless it is
// there and up to date, and says whether there is one: a form that is not
// smaller is none. The form has its file's modification time, which is how the
// next run knows that they belong together.
func squeeze(path, suffix string, content []byte, modTime time.Time, o options, compress func([]byte, int) ([]byte, error)) (bool, error) {
	if !o.all {
		info, err := os.Stat(path + suffix)
		if err == nil && info.ModTime().Equal(modTime) {
			return true, nil
		}
	}
	squeezed, err := compress(content, o.quality)
	if err != nil {
		return false, err
	}
	if len(squeezed) >= len(content) {
		return false, nil
	}
	return true, write(path+suffix, squeezed, modTime)
}

func squeezeBrotli(content []byte, quality int) ([]byte, error) {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, quality)
	_, err := w.Write(content)
	err = errors.Join(err, w.Close()) // writes the rest
	return out.Bytes(), err
}

func squeezeGzip(content []byte, _ int) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(content)
	err = errors.Join(err, w.Close()) // writes the rest
	return out.Bytes(), err
}

// write puts the content at path in one move. A zero modTime leaves the time as
// it comes.
func write(path string, content []byte, modTime time.Time) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".pack-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails, as it should, once it has been renamed
	_, err = temporary.Write(content)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close())
	if err != nil {
		return err
	}
	if !modTime.IsZero() {
		if err := os.Chtimes(temporary.Name(), modTime, modTime); err != nil {
			return err
		}
	}
	return os.Rename(temporary.Name(), path)
}

// removeOthers removes the files of dist that are not to be kept, and the directories
// that become empty.
func removeOthers(out io.Writer, dist string, keep map[string]bool) error {
	var directories []string
	err := filepath.WalkDir(dist, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dist, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			directories = append(directories, path)
			return nil
		}
		if keep[name] {
			return nil
		}
		fmt.Fprintf(out, "  %s removed\n", filepath.Join(filepath.Base(dist), name))
		return os.Remove(path)
	})
	if err != nil {
		return err
	}
	for _, directory := range slices.Backward(directories) { // the innermost first
		entries, err := os.ReadDir(directory)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			if err := os.Remove(directory); err != nil {
				return err
			}
		}
	}
	return nil
}
