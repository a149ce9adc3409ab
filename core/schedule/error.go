package schedule

import (
	"strconv"
	"unicode/utf8"

	"sharedbatches/core/brief"
)

// Error is a text that cannot be read, or a Fragment that cannot be printed.
// Its message is `place: what: why`.
type Error struct {
	Text   string // the kind of text: "schedule" or "fragment"
	Column int    // byte column from 1 in the text as it was given; 0 if there is no text yet
	What   string // what stands there
	Why    string // what is allowed there
}

func (e *Error) Error() string {
	place := e.Text
	if e.Column > 0 {
		place += ": column " + strconv.Itoa(e.Column)
	}
	return place + ": " + e.What + ": " + e.Why
}

// maxQuotedBytes keeps a message on one line however long the text at fault is.
const maxQuotedBytes = 24

// quote returns s in quotes, escaped so that nothing invisible reaches a message.
func quote(s string) string {
	if len(s) <= maxQuotedBytes {
		return brief.Quote(s)
	}
	cut := maxQuotedBytes
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return brief.Quote(s[:cut]) + "..."
}

// quoteFirst quotes the first character of s, which is not empty.
func quoteFirst(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return brief.Quote(s[:size])
}
