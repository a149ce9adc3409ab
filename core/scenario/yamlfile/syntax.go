package yamlfile

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxParsed limits how many bytes are parsed again to find the place of a fault.
const maxParsed = 512 << 10

// syntaxPlace finds where a text stops being YAML, because the library names a line
// at most, and often the one before or the last. It is the character with which the
// shortest broken beginning ends, as seen from the place that the library names, so
// a quote or bracket that is never closed is found where it opens. line is the
// library's line, 0 for none.
func syntaxPlace(text []byte, line int) (int, int) {
	left := maxParsed
	broken := func(n int) bool {
		left -= n
		d := yaml.NewDecoder(bytes.NewReader(text[:n]))
		for {
			var root yaml.Node
			if err := d.Decode(&root); err != nil {
				return err != io.EOF
			}
		}
	}
	ends := []int{0} // ends[n] is where the first n lines end
	for i, c := range text {
		if c == '\n' || i == len(text)-1 {
			ends = append(ends, i+1)
		}
	}
	last := len(ends) - 1
	n := last
	if line > 0 {
		n = min(line, last)
	}
	for n < last && left > 0 && !broken(ends[n]) {
		n++
	}
	for n > 1 && left > 0 && broken(ends[n-1]) {
		n--
	}
	for at := ends[n]; at > ends[n-1] && left > 0; {
		_, size := utf8.DecodeLastRune(text[ends[n-1]:at])
		at -= size
		if !broken(at) {
			return n, utf8.RuneCount(text[ends[n-1]:at]) + 1
		}
	}
	return n, 1
}

// tabAt tells whether a tab stands at a place, or before it where a line is indented.
func tabAt(text []byte, line, column int) bool {
	lines := bytes.Split(text, []byte("\n"))
	if line < 1 || line > len(lines) {
		return false
	}
	indent := lines[line-1][:len(lines[line-1])-len(bytes.TrimLeft(lines[line-1], " \t"))]
	return column <= len(indent)+1 && bytes.ContainsRune(indent, '\t')
}

// yamlLine takes the line out of the library's message "yaml: line 3: what".
func yamlLine(err error) int {
	_, rest, ok := strings.Cut(err.Error(), "line ")
	if !ok {
		return 0
	}
	digits, _, _ := strings.Cut(rest, ":")
	n, _ := strconv.Atoi(digits)
	return n
}

func yamlMessage(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if _, rest, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(text, "line ") {
		return rest
	}
	return text
}
