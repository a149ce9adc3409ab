package yamlfile

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxBytes is the largest file that is read.
const MaxBytes = 256 << 10

// maxErrors is how many messages are collected before reading stops.
const maxErrors = 20

// Error is one fault of a file. Line and Column count from 1; 0 is "not known".
type Error struct {
	File         string
	Line, Column int
	Path         string // such as setup.workers[1].writes[0].sink; empty for the whole file
	Message      string
}

func (e *Error) Error() string {
	place := e.File
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
		if e.Column > 0 {
			place += ":" + strconv.Itoa(e.Column)
		}
	}
	if e.Path != "" {
		place += ": " + e.Path
	}
	return place + ": " + e.Message
}

// Errors are the faults of one file, in the order of their places.
type Errors []*Error

func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// document parses text into its one root node, after the checks that a YAML
// library does not make.
func document(file string, text []byte) (*yaml.Node, Errors) {
	fail := func(line, column int, message string) (*yaml.Node, Errors) {
		return nil, Errors{{File: file, Line: line, Column: column, Message: message}}
	}
	if len(text) > MaxBytes {
		return fail(0, 0, fmt.Sprintf("%d bytes: allowed are %d", len(text), MaxBytes))
	}
	line, column := 1, 1
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return fail(line, column, fmt.Sprintf("byte 0x%02x is not valid UTF-8", text[i]))
		case r == '\r' && !bytes.HasPrefix(text[i+1:], []byte("\n")):
			return fail(line, column, "a carriage return that no line feed follows: end lines with a line feed")
		case forbidden(r):
			return fail(line, column, fmt.Sprintf("character %U is not allowed: it cannot be seen and may reorder or hide text", r))
		case r == '\n':
			line, column = line+1, 0
		}
		column++
		i += n
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var root, second yaml.Node
	err := d.Decode(&root)
	if err == io.EOF || err == nil && len(root.Content) == 0 {
		return fail(1, 1, "the file is empty: a scenario is a mapping that begins with a title")
	}
	if err == nil {
		if err = d.Decode(&second); err == io.EOF {
			return root.Content[0], nil
		}
		if err == nil {
			return fail(second.Line, second.Column, "more than one document: a file holds one scenario")
		}
	}
	message := yamlMessage(err)
	if strings.Contains(message, "max depth") {
		return fail(1, 1, "not YAML that can be read: "+message) // each look for its place would be as slow
	}
	line, column = syntaxPlace(text, yamlLine(err))
	if tabAt(text, line, column) {
		message = "a tab: YAML indents with blanks"
	}
	return fail(line, column, "not YAML: "+message)
}

// forbidden tells bidirectional controls, other invisible format characters and
// control characters that plain text does not need.
func forbidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	}
	return false
}

// field is one node with its place, and where faults go.
type field struct {
	node *yaml.Node
	path string
	to   *faults
}

type faults struct {
	file string
	text []byte
	list Errors
}

func (f field) fault(format string, args ...any) {
	f.faultAt(f.node.Line, f.node.Column, format, args...)
}

func (f field) faultAt(line, column int, format string, args ...any) {
	if len(f.to.list) < maxErrors {
		f.to.list = append(f.to.list, &Error{f.to.file, line, column, f.path, fmt.Sprintf(format, args...)})
	}
}

// real follows no alias: a scenario has none, so that its size is what it looks.
func (f field) real() bool {
	if f.node.Kind == yaml.AliasNode {
		f.fault("an alias (*%s): write the value out", f.node.Value)
		return false
	}
	if f.node.Anchor != "" {
		f.fault("an anchor (&%s): write the value out where it is needed", f.node.Anchor)
		return false
	}
	if f.node.Style&yaml.TaggedStyle != 0 {
		f.fault("a tag (%s): leave it out, each key has one type", clip(f.node.Tag))
		return false
	}
	return true
}

// fields calls the function named by each key of a mapping. A key that is unknown
// or stands twice is a fault, and so is a required one (marked with !) that is missing.
func (f field) fields(known map[string]func(field)) {
	if !f.real() {
		return
	}
	if f.node.Kind != yaml.MappingNode {
		f.fault("%s: a mapping with the keys %s is needed", shape(f.node), strings.Join(names(known), ", "))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(f.node.Content); i += 2 {
		key := f.node.Content[i]
		at := field{key, join(f.path, key.Value), f.to}
		read, ok := known[key.Value]
		if !ok {
			read, ok = known[key.Value+"!"]
		}
		switch {
		case key.Kind != yaml.ScalarNode || key.Anchor != "" || key.Style&yaml.TaggedStyle != 0:
			field{key, f.path, f.to}.fault("a key is a plain word")
		case key.Value == "<<":
			field{key, f.path, f.to}.fault("a merge key: write the values out")
		case !ok:
			field{key, f.path, f.to}.fault("unknown key %s: %s", strconv.Quote(clip(key.Value)), nearest(key.Value, names(known)))
		case seen[key.Value] != 0:
			at.fault("the key stands twice, first in line %d", seen[key.Value])
		default:
			read(field{f.node.Content[i+1], at.path, f.to})
		}
		seen[key.Value] = max(key.Line, 1)
	}
	for _, name := range sortedKeys(known) {
		if required, ok := strings.CutSuffix(name, "!"); ok && seen[required] == 0 {
			f.fault("the key %s is missing", required)
		}
	}
}

// items calls read for each item of a list of at least least and at most most items.
func (f field) items(least, most int, read func(field)) {
	if !f.real() {
		return
	}
	if f.node.Kind != yaml.SequenceNode {
		f.fault("%s: a list is needed", shape(f.node))
		return
	}
	if n := len(f.node.Content); n < least || n > most {
		f.fault("%d items: allowed are %d to %d", n, least, most)
		return
	}
	for i, item := range f.node.Content {
		read(field{item, f.path + "[" + strconv.Itoa(i) + "]", f.to})
	}
}

// text reads a string of at least least and at most most bytes.
func (f field) text(to *string, least, most int) {
	if !f.real() {
		return
	}
	if f.node.Kind != yaml.ScalarNode || f.node.Tag != "!!str" {
		f.fault("%s: a text is needed (put it into quotes)", shape(f.node))
		return
	}
	if n := len(f.node.Value); n < least || n > most {
		f.fault("%d bytes: allowed are %d to %d", n, least, most)
		return
	}
	*to = f.node.Value
}

// word reads one of a list of words.
func (f field) word(to *string, allowed []string) {
	var s string
	n := len(f.to.list)
	if f.text(&s, 0, 1<<10); len(f.to.list) > n || f.node.Kind != yaml.ScalarNode {
		return
	}
	if !slices.Contains(allowed, s) {
		f.fault("%s: %s", strconv.Quote(clip(s)), nearest(s, allowed))
		return
	}
	*to = s
}

var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// number reads a whole number.
func (f field) number(to *int64, least, most int64) {
	if !f.real() {
		return
	}
	if f.node.Kind != yaml.ScalarNode || f.node.Tag != "!!int" {
		f.fault("%s: a whole number from %d to %d is needed", shape(f.node), least, most)
		return
	}
	// The forms 0x10, 010 and 1_000 mean different numbers to different readers of YAML.
	if !plainNumber.MatchString(f.node.Value) {
		f.fault("%s: write the number in plain digits, from %d to %d", clip(f.node.Value), least, most)
		return
	}
	n, err := strconv.ParseInt(f.node.Value, 10, 64)
	if err != nil || n < least || n > most {
		f.fault("%s: allowed is %d to %d", clip(f.node.Value), least, most)
		return
	}
	*to = n
}

func (f field) int(to *int, least, most int) {
	n := int64(*to)
	f.number(&n, int64(least), int64(most))
	*to = int(n)
}

func (f field) flag(to *bool) {
	if !f.real() {
		return
	}
	if f.node.Kind != yaml.ScalarNode || f.node.Value != "true" && f.node.Value != "false" || f.node.Tag != "!!bool" {
		f.fault("%s: true or false is needed", shape(f.node))
		return
	}
	*to = f.node.Value == "true"
}

func shape(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!str":
		return "the text " + strconv.Quote(clip(n.Value))
	case "!!int", "!!float":
		return "the number " + clip(n.Value)
	case "!!bool":
		return "the truth value " + n.Value
	}
	return clip(n.Value) + " (" + n.Tag + ")"
}

func clip(s string) string {
	if len(s) <= 40 {
		return s
	}
	cut := 40
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func sortedKeys(known map[string]func(field)) []string {
	keys := make([]string, 0, len(known))
	for k := range known {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func names(known map[string]func(field)) []string {
	keys := sortedKeys(known)
	for i, k := range keys {
		keys[i] = strings.TrimSuffix(k, "!")
	}
	return keys
}

// nearest suggests the allowed word that is fewest edits away, or lists them all.
func nearest(word string, allowed []string) string {
	best, at := 3, ""
	for _, a := range allowed {
		if d := edits(word, a); d < best {
			best, at = d, a
		}
	}
	all := "allowed are " + strings.Join(allowed, ", ")
	if at != "" {
		return "did you mean " + at + "? " + all
	}
	return all
}

// edits is the number of letters to insert, delete or replace to turn a into b.
func edits(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
