//go:build !js

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// releaseQuality is what budgets are about: the files as they are published.
const releaseQuality = 11

// budget limits what the files that belong to it may weigh together.
type budget struct {
	what         string
	brotli, gzip int // bytes; 0 is no limit
	belongs      func(name string) bool
}

// budgets are those of the design (its section "Budgets"); MB is 10^6 bytes.
var budgets = []budget{
	{"page.wasm", 800_000, 1_100_000, func(name string) bool { return name == "page.wasm" }},
	{"data.wasm", 2_100_000, 0, func(name string) bool { return name == "data.wasm" }},
	{"search.wasm", 800_000, 0, func(name string) bool { return name == "search.wasm" }},
	{"untouched embed (embed.html, style.css, embed.css, embed.js)", 15 << 10, 0, func(name string) bool {
		return slices.Contains([]string{"embed.html", "style.css", "embed.css", "embed.js"}, name)
	}},
	{"shell (index.html, CSS, JS)", 60 << 10, 0, func(name string) bool {
		return name == "index.html" || filepath.Ext(name) == ".css" || filepath.Ext(name) == ".js"
	}},
}

// size is what one file weighs, in bytes.
type size struct{ raw, gzip, brotli int }

// report prints the size of each file in dist, one line each, and then how each
// budget is used. With gate, a budget that is exceeded is an error.
func report(out io.Writer, dist, cache string, gate bool) error {
	names, err := list(dist)
	if err != nil {
		return err
	}
	total := make([]size, len(budgets))
	count := make([]int, len(budgets))
	fmt.Fprintf(out, "%-34s %10s %10s %10s\n", "bytes", "raw", "gzip 9", fmt.Sprintf("brotli %d", releaseQuality))
	for _, name := range names {
		if strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz") {
			continue // the compressed forms of others, made at whatever quality
		}
		content, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			return err
		}
		s, err := weigh(content, cache)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-34s %10d %10d %10d\n", name, s.raw, s.gzip, s.brotli)
		for i, b := range budgets {
			if b.belongs(name) {
				count[i]++
				total[i].gzip += s.gzip
				total[i].brotli += s.brotli
			}
		}
	}

	var over []error
	for i, b := range budgets {
		if count[i] == 0 {
			fmt.Fprintf(out, "budget %s: not built\n", b.what)
			continue
		}
		for _, limit := range []struct {
			coding     string
			used, most int
		}{{"brotli", total[i].brotli, b.brotli}, {"gzip", total[i].gzip, b.gzip}} {
			if limit.most == 0 {
				continue
			}
			line := fmt.Sprintf("budget %s: %d of %d bytes %s (%d %%)",
				b.what, limit.used, limit.most, limit.coding, limit.used*100/limit.most)
			fmt.Fprintln(out, line)
			if limit.used > limit.most {
				over = append(over, fmt.Errorf("over %s", line))
			}
		}
	}
	if gate {
		return errors.Join(over...)
	}
	return nil
}

// weigh compresses content as for a release. The brotli size, which takes
// seconds for a large file, is remembered in cache under the content's hash.
func weigh(content []byte, cache string) (size, error) {
	s := size{raw: len(content)}
	packed, err := squeezeGzip(content, 0)
	if err != nil {
		return size{}, err
	}
	s.gzip = len(packed)

	hash := sha256.Sum256(content)
	remembered := filepath.Join(cache, fmt.Sprintf("%s-br%d", hex.EncodeToString(hash[:]), releaseQuality))
	if cache != "" {
		text, err := os.ReadFile(remembered)
		if err == nil {
			s.brotli, err = strconv.Atoi(string(text))
			return s, err
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return size{}, err
		}
	}
	packed, err = squeezeBrotli(content, releaseQuality)
	if err != nil {
		return size{}, err
	}
	s.brotli = len(packed)
	if cache == "" {
		return s, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return size{}, err
	}
	return s, os.WriteFile(remembered, []byte(strconv.Itoa(s.brotli)), 0o644)
}
