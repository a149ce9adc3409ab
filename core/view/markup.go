package view

import (
	"strconv"
	"strings"
)

// Sentences are written in a small notation: **bold** and `code`, nothing else. It
// keeps words free of tags, and everything that is not notation is escaped.

// out builds markup or text from pieces.
type out struct{ strings.Builder }

// put writes pieces. Inlined it would make page.wasm a good deal larger.
//
//go:noinline
func (o *out) put(parts ...string) {
	for _, p := range parts {
		o.WriteString(p)
	}
}

// ints are the numbers of a template.
type ints = []int

// write writes a template: its placeholders stand for a coordinate in tenths (%), a
// whole number (#), a word ($) and a word that is escaped (~), each the next of its
// kind. One template is a good deal smaller in page.wasm than its pieces are.
//
//go:noinline
func (o *out) write(template string, nums ints, words []string) {
	var number [24]byte // a number becomes no string of its own
	start := 0
	for i := range len(template) {
		switch template[i] {
		case '%', '#', '$', '~':
		default:
			continue
		}
		o.WriteString(template[start:i])
		start = i + 1
		switch template[i] {
		case '%':
			o.Write(appendNum(number[:0], nums[0]))
			nums = nums[1:]
		case '#':
			o.Write(strconv.AppendInt(number[:0], int64(nums[0]), 10))
			nums = nums[1:]
		case '$':
			o.WriteString(words[0])
			words = words[1:]
		case '~':
			o.WriteString(esc(words[0]))
			words = words[1:]
		}
	}
	o.WriteString(template[start:])
}

//go:noinline
func (o *out) draw(template string, nums ...int) { o.write(template, nums, nil) }

//go:noinline
func (o *out) fill(template string, words ...string) { o.write(template, nil, words) }

//go:noinline
func (o *out) mix(template string, nums ints, words ...string) { o.write(template, nums, words) }

// numbers, filled and mixed are templates as strings.
func numbers(template string, nums ...int) string { return mixed(template, nums) }

func filled(template string, words ...string) string { return mixed(template, nil, words...) }

//go:noinline
func mixed(template string, nums ints, words ...string) string {
	var o out
	o.write(template, nums, words)
	return o.String()
}

func (o *out) html() HTML { return HTML(o.String()) }

// esc makes any text safe between tags and inside quoted attributes.
func esc(text string) string {
	var o out
	start := 0
	for i := range len(text) {
		safe := ""
		switch text[i] {
		case '&':
			safe = "&amp;"
		case '<':
			safe = "&lt;"
		case '>':
			safe = "&gt;"
		case '"':
			safe = "&quot;"
		case '\'':
			safe = "&#39;"
		default:
			continue
		}
		o.put(text[start:i], safe)
		start = i + 1
	}
	if start == 0 {
		return text
	}
	o.put(text[start:])
	return o.String()
}

// plain is a sentence without its notation.
func plain(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "**", ""), "`", "")
}

// marking says which terms a text marks and whether the tab key stops at them.
type marking uint8

const (
	noTerms   marking = iota
	jargon            // words that no reader can guess, without tab stops: for narration
	allTerms          // every term, with tab stops: for texts and headings
	allNoStop         // every term, without tab stops: for the second of two equal panels
)

// mark turns a sentence into markup.
func mark(text string, how marking) string {
	var o out
	var seen [len(terms)]bool
	bold, code := false, false
	for text != "" {
		at := strings.IndexAny(text, "*`")
		if at < 0 {
			at = len(text)
		}
		writeTerms(&o, text[:at], how, &seen)
		text = text[at:]
		switch {
		case text == "":
		case text[0] == '`':
			code = toggle(&o, code, "code")
			text = text[1:]
		case !code && strings.HasPrefix(text, "**"):
			bold = toggle(&o, bold, "b")
			text = text[2:]
		default:
			o.put(text[:1])
			text = text[1:]
		}
	}
	// Tags nest only as bold around code, so closing in this order is always right.
	if code {
		o.put("</code>")
	}
	if bold {
		o.put("</b>")
	}
	return o.String()
}

// mark is mark of a text that is shown again and again, made once.
func (v *View) mark(text string, how marking) string {
	key := "0123"[how:how+1] + text
	markup, ok := v.marks[key]
	if !ok {
		markup = mark(text, how)
		v.marks[key] = markup
	}
	return markup
}

func toggle(o *out, open bool, tag string) bool {
	if open {
		o.put("</", tag, ">")
	} else {
		o.put("<", tag, ">")
	}
	return !open
}

// Prose turns a scenario's text into paragraphs: blank lines part them and
// `backquotes` mark code. Terms are marked.
func Prose(text string) HTML {
	var o out
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			o.put("<p>", mark(p, allTerms), "</p>")
		}
	}
	return o.html()
}

// Inline is Prose for one line, such as a title, without a paragraph around it.
func Inline(text string) HTML { return HTML(mark(text, noTerms)) }

func itoa(n int) string { return strconv.Itoa(n) }

func itoa64(n int64) string { return strconv.FormatInt(n, 10) }

// span writes an interval as [lower, upper).
func span(lower, upper int64) string { return "[" + itoa64(lower) + ", " + itoa64(upper) + ")" }

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return digits(n) + " " + many
}

// digits writes a number with groups of three.
func digits(n int) string {
	s := itoa(n)
	if n < 10_000 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes bytes in KiB or MiB.
func size(n int) string {
	unit, name := 1<<10, " KiB"
	if n >= 1<<20 {
		unit, name = 1<<20, " MiB"
	}
	if n%unit == 0 {
		return digits(n/unit) + name
	}
	tenths := (n*10 + unit/2) / unit
	return digits(tenths/10) + "." + itoa(tenths%10) + name
}

// list joins words as a sentence does.
func list(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// upperFirst starts a sentence.
func upperFirst(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// num writes a coordinate in tenths of a unit.
func num(tenths int) string { return string(appendNum(nil, tenths)) }

func appendNum(b []byte, tenths int) []byte {
	if tenths < 0 {
		b, tenths = append(b, '-'), -tenths
	}
	b = strconv.AppendInt(b, int64(tenths/10), 10)
	if tenths%10 != 0 {
		b = append(b, '.', byte('0'+tenths%10))
	}
	return b
}
