package coalesce_test

import "strconv"

// lines collects facts that are compared after every step: a line each. Package fmt
// would take most of the time of such a test, and so would calls through a variable,
// which put every argument on the heap.
type lines struct{ text *[]byte }

func newLines() lines { return lines{new([]byte)} }

// empty lets the room be used again.
func (l lines) empty() lines {
	*l.text = (*l.text)[:0]
	return l
}

func (l lines) say(format string, args ...any) {
	*l.text = append(appendf(*l.text, format, args), '\n')
}

// plainf is one line, with the verbs %d, %s, %v and %q.
func plainf(format string, args ...any) string { return string(appendf(nil, format, args)) }

func appendf(to []byte, format string, args []any) []byte {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			to = append(to, format[i])
			continue
		}
		i++
		switch v := args[0].(type) {
		case int:
			to = strconv.AppendInt(to, int64(v), 10)
		case int64:
			to = strconv.AppendInt(to, v, 10)
		case int32:
			to = strconv.AppendInt(to, int64(v), 10)
		case uint8:
			to = strconv.AppendInt(to, int64(v), 10)
		case bool:
			to = strconv.AppendBool(to, v)
		case string:
			if format[i] == 'q' {
				to = strconv.AppendQuote(to, v)
			} else {
				to = append(to, v...)
			}
		case []string:
			to = append(to, '[')
			for _, s := range v {
				to = append(append(to, s...), ' ')
			}
			to = append(to, ']')
		case []int:
			to = append(to, '[')
			for _, n := range v {
				to = append(strconv.AppendInt(to, int64(n), 10), ' ')
			}
			to = append(to, ']')
		default:
			panic("lines: the argument of " + format + " has a type that is not written")
		}
		args = args[1:]
	}
	return to
}
