package talk

import (
	"strconv"

	"sharedbatches/core/proof"
)

// TicksMost is the number of schedules up to which each is drawn as one.
const TicksMost = 400

// Digits parts the digits of a number by threes.
func Digits(n int) string { return proof.Digits(strconv.Itoa(n)) }

// Escape makes text safe in markup. The package html would do it with a table of two
// thousand names, and strings.Replacer with more code than both programs' messages.
func Escape(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		switch text[i] {
		case '&':
			out = append(out, "&amp;"...)
		case '<':
			out = append(out, "&lt;"...)
		case '>':
			out = append(out, "&gt;"...)
		case '"':
			out = append(out, "&quot;"...)
		default:
			out = append(out, text[i])
		}
	}
	return string(out)
}
