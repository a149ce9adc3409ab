// Package brief formats the short messages of core. It stands in for fmt, which with
// what it pulls in would not fit into page.wasm's budget.
//
// Verbs are %s, %d, %q, %c, %v and, in [Errorf], %w; before the letter may stand a
// width with - for left alignment. %v prints like %s or %d, by the value; a list
// prints in brackets. A value that is neither a text, a whole number, an error nor
// a Stringer panics, since without reflection it cannot be printed: convert it first.
package brief

import (
	"errors"
	"strconv"
	"strings"
)

// Sprintf formats as fmt.Sprintf does, for the verbs of this package.
func Sprintf(format string, args ...any) string {
	var b strings.Builder
	next := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		i++
		left := i < len(format) && format[i] == '-'
		if left {
			i++
		}
		width := 0
		for ; i < len(format) && format[i] >= '0' && format[i] <= '9'; i++ {
			width = width*10 + int(format[i]-'0')
		}
		if i == len(format) {
			panic("brief: a verb lacks at the end of " + Quote(format))
		}
		if format[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if next == len(args) {
			panic("brief: a value lacks for " + Quote(format))
		}
		pad(&b, one(format[i], args[next]), width, left)
		next++
	}
	if next != len(args) {
		panic("brief: a value is left over for " + Quote(format))
	}
	return b.String()
}

// Errorf makes an error of the text; %w is a value's text, and the error wraps it.
func Errorf(format string, args ...any) error {
	text := Sprintf(format, args...)
	if at := strings.Index(format, "%w"); at >= 0 {
		inner, ok := args[strings.Count(strings.ReplaceAll(format[:at], "%%", ""), "%")].(error)
		if !ok {
			panic("brief: %w takes an error")
		}
		return &wrapped{text, inner}
	}
	return errors.New(text)
}

type wrapped struct {
	text  string
	inner error
}

func (w *wrapped) Error() string { return w.text }
func (w *wrapped) Unwrap() error { return w.inner }

func pad(b *strings.Builder, text string, width int, left bool) {
	fill := strings.Repeat(" ", max(width-len(text), 0))
	if !left {
		b.WriteString(fill)
	}
	b.WriteString(text)
	if left {
		b.WriteString(fill)
	}
}

func one(verb byte, v any) string {
	switch verb {
	case 's', 'v', 'd', 'w':
		return plain(v)
	case 'q':
		if list, ok := v.([]string); ok {
			quoted := make([]string, len(list))
			for i, s := range list {
				quoted[i] = Quote(s)
			}
			return "[" + strings.Join(quoted, " ") + "]"
		}
		return Quote(plain(v))
	case 'c':
		if n, ok := whole(v); ok {
			return string(rune(n))
		}
	}
	panic("brief: verb %" + string(verb) + " is not known for this value")
}

func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case error:
		return v.Error()
	case interface{ String() string }:
		return v.String()
	case []string:
		return "[" + strings.Join(v, " ") + "]"
	case []int:
		return list(v)
	case []int64:
		return list(v)
	}
	if n, ok := whole(v); ok {
		return strconv.FormatInt(n, 10)
	}
	panic("brief: a value is neither text, whole number, error nor Stringer")
}

func list[T int | int64](v []T) string {
	texts := make([]string, len(v))
	for i, n := range v {
		texts[i] = strconv.FormatInt(int64(n), 10)
	}
	return "[" + strings.Join(texts, " ") + "]"
}

func whole(v any) (int64, bool) {
	switch v := v.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case int32:
		return int64(v), true
	case uint8:
		return int64(v), true
	case uint64:
		return int64(v), true
	}
	return 0, false
}
