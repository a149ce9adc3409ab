// Command covers makes the pages for embedding: embed/ID.html for each scenario and
// embed.html, which leads to the one that its fragment names.
//
//	covers STATIC STAGE
//
// Such a page begins as a cover: what the scenario is about, the film of its key steps
// as drawings in the HTML, and a Start button. It can be read without script, and asks
// for no WebAssembly until Start is pressed; then page.wasm plays the scenario in it.
// STATIC holds the style sheets and the script, whose content goes into their address,
// and STAGE page.wasm, whose length the Start button needs to show how far it is loaded.
//
// A scenario of the reader's own has no page here. embed.html is where it will be shown:
// it says now that there is none of that name, and is the place to ask for the file.
package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
	"sharedbatches/scenarios"
)

//go:embed page.html
var source string

var pageTemplate = template.Must(template.New("page.html").Parse(source))

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: covers STATIC STAGE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "covers:", err)
		os.Exit(1)
	}
}

func run(static, stage string) error {
	list, err := scenarios.All()
	if err != nil {
		return err
	}
	length := int64(0)
	switch info, err := os.Stat(filepath.Join(stage, "page.wasm")); {
	case err == nil:
		length = info.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.MkdirAll(filepath.Join(stage, "embed"), 0o755); err != nil {
		return err
	}
	for _, s := range list {
		c, err := newCover(s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		c.static, c.Bytes, c.Base = os.DirFS(static), length, "../"
		if err := c.write(filepath.Join(stage, "embed", s.ID+".html")); err != nil {
			return err
		}
		if s.ID == general {
			c.Base, c.IDs = "", strings.Join(scenarios.IDs, " ")
			if err := c.write(filepath.Join(stage, "embed.html")); err != nil {
				return err
			}
		}
	}
	return nil
}

// general is the scenario that embed.html shows when its fragment names none.
const general = "sweep"

// cover is what the template of a page needs.
type cover struct {
	ID, Title string
	Base      string // leads from the page to the other files
	IDs       string // all scenarios, on the page that leads to any of them
	Heading   template.HTML
	Note      string
	Says      template.HTML
	Film      []row
	Fragment  string // of the moment at which the full playground opens
	Bytes     int64  // length of page.wasm; 0: unknown
	static    fs.FS
}

// Full is the address of the same moment in the full playground.
func (c *cover) Full() template.URL { return template.URL(c.Base + "index.html#" + c.Fragment) }

// row is the film of one world.
type row struct {
	Head  template.HTML
	Shots []shot
}

type shot struct {
	Step    int
	Key     bool
	Picture template.HTML
	Caption string
}

// A term is a word that a running page explains; a cover has nothing that could.
var term, name = regexp.MustCompile(`<span class="term"[^>]*>([^<]*)</span>`), regexp.MustCompile(`<code>[^<]*</code>`)

// head is the sign and name of a world; a long name may break after its underscores.
func head(markup view.HTML) template.HTML {
	text := term.ReplaceAllString(string(markup), "$1")
	return template.HTML(name.ReplaceAllStringFunc(text, func(code string) string { return strings.ReplaceAll(code, "_", "_<wbr>") }))
}

// Hash is a part of the address of a file that changes whenever its content does.
func (c *cover) Hash(name string) (string, error) {
	content, err := fs.ReadFile(c.static, name)
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:4]), err
}

func newCover(s *scenario.Scenario) (*cover, error) {
	run, err := s.Open()
	if err != nil {
		return nil, err
	}
	v := view.New(s, run.Worlds)
	film, err := view.Film(v, run)
	if err != nil {
		return nil, err
	}
	c := &cover{ID: s.ID, Title: s.Title, Heading: template.HTML(view.Inline(s.Title)), Says: template.HTML(view.Inline(says(s.Text)))}
	frame := v.Frame(run, worlds.Atomic)
	for i, shots := range film {
		r := row{}
		if len(film) > 1 {
			r.Head = head(frame.Worlds[i].Head)
		}
		for _, x := range shots {
			r.Shots = append(r.Shots, shot{x.Step, x.Key, template.HTML(x.Picture), x.Caption})
		}
		c.Film = append(c.Film, r)
	}
	switch {
	case len(film) > 1 && len(s.Variants) == 0:
		c.Note = "same schedule, two probes"
	case len(film) > 1:
		c.Note = "same schedule, two rules"
	}
	c.Fragment, err = schedule.PrintFragment(schedule.Fragment{
		Version: schedule.FragmentVersion, Scenario: s.ID, Letters: run.Letters(), Cursor: run.Cursor(),
	})
	return c, err
}

// most is how many bytes of a scenario's text fit on a cover.
const most = 200

// says is the beginning of a text: as many whole sentences of its first paragraph as
// fit, and at least one.
func says(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	words := strings.Join(strings.Fields(first), " ")
	if len(words) <= most {
		return words
	}
	end := 0
	for i, c := range words {
		if (c == '.' || c == '?' || c == '!') && strings.HasPrefix(words[i+1:], " ") && (end == 0 || i < most) {
			end = i + 1
		}
	}
	if end == 0 {
		return words
	}
	return words[:end]
}

func (c *cover) write(file string) error {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, c); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
