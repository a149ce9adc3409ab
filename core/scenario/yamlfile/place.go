package yamlfile

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// placed finds the place of a fault that another package reports by path, such as
// "setup: tasks[1]: parts[0]: at: 2500: allowed is ...". The path is followed into
// the file as far as its words are keys there, or stand for one.
func placed(root field, err error) *Error {
	text := err.Error()
	f := root
	for {
		head, rest, ok := strings.Cut(text, ": ")
		if !ok {
			break
		}
		name, index := split(head)
		if name == "tasks" && index >= 0 {
			next, where := task(f.node, index)
			if next == nil {
				break
			}
			f, text = field{next, join(f.path, where), f.to}, rest
			continue
		}
		next := child(f.node, name)
		if next == nil {
			if alias := child(f.node, spelled[name]); alias != nil {
				f = field{alias, join(f.path, spelled[name]), f.to}
			}
			break
		}
		if index >= 0 {
			if next.Kind != yaml.SequenceNode || index >= len(next.Content) {
				break
			}
			next = next.Content[index]
		}
		f, text = field{next, join(f.path, head), f.to}, rest
	}
	line, column := f.node.Line, f.node.Column
	if n, what, ok := step(text); ok {
		if f.path == "schedule" {
			if l, c, ok := letterPlace(f, n); ok {
				line, column = l, c
			}
		} else if thread := child(f.node, "thread"); thread != nil {
			// The one letter of an answer is no step.
			f.path, line, column, text = join(f.path, "thread"), thread.Line, thread.Column, what
		}
	}
	return &Error{f.to.file, line, column, f.path, text}
}

// spelled is how files call what a set-up calls otherwise.
var spelled = map[string]string{"intervals": "uppers", "tasks": "workers", "parts": "workers"}

// step takes "step 7: what" apart.
func step(text string) (n int, what string, ok bool) {
	head, what, _ := strings.Cut(text, ": ")
	digits, ok := strings.CutPrefix(head, "step ")
	n, err := strconv.Atoi(digits)
	return n, what, ok && err == nil
}

// letterPlace is where letter n (from 1) of a schedule, or the run with it, stands.
func letterPlace(f field, n int) (line, column int, ok bool) {
	text := strings.Join(strings.Fields(f.node.Value), " ")
	for _, at := range run.FindAllStringSubmatchIndex(text, -1) {
		count := 1
		if digits := text[at[2]:at[3]]; digits != "" {
			count, _ = strconv.Atoi(digits)
		}
		if n -= count; n <= 0 {
			return inSchedule(f, text[:at[0]])
		}
	}
	return 0, 0, false
}

var run = regexp.MustCompile(`[A-Z][a-z]*([0-9]*)`)

// inSchedule is the place in the file of the character that follows a beginning of
// a schedule. Blanks and line breaks do not count, since the YAML form folds them.
// ok is false where the file spells the characters otherwise, as by an escape.
func inSchedule(f field, beginning string) (line, column int, ok bool) {
	want := []rune(strings.Join(strings.Fields(beginning), ""))
	lines := strings.Split(string(f.to.text), "\n")
	line, column = f.node.Line, f.node.Column
	switch {
	case f.node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		line, column = line+1, 1
	case f.node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		column++
	}
	for ; line <= len(lines); line, column = line+1, 1 {
		rest := []rune(lines[line-1])
		for ; column <= len(rest); column++ {
			r := rest[column-1]
			switch {
			case r == ' ' || r == '\t' || r == '\r':
			case len(want) == 0:
				return line, column, true
			case r != want[0]:
				return 0, 0, false
			default:
				want = want[1:]
			}
		}
	}
	return 0, 0, false
}

var indexed = regexp.MustCompile(`^([a-z_]+)\[(\d+)\]$`)

func split(head string) (name string, index int) {
	if m := indexed.FindStringSubmatch(head); m != nil {
		n, err := strconv.Atoi(m[2])
		if err == nil {
			return m[1], n
		}
	}
	return head, -1
}

func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// task finds the n-th write task in the order of workers.
func task(setup *yaml.Node, n int) (*yaml.Node, string) {
	workers := child(setup, "workers")
	if workers == nil {
		return nil, ""
	}
	for w, worker := range workers.Content {
		writes := child(worker, "writes")
		if writes == nil {
			return nil, ""
		}
		if n < len(writes.Content) {
			return writes.Content[n], "workers[" + strconv.Itoa(w) + "].writes[" + strconv.Itoa(n) + "]"
		}
		n -= len(writes.Content)
	}
	return nil, ""
}
