package brief

import "unicode/utf8"

// unseen are the ranges of characters beyond ASCII that a reader cannot see or tell from
// a blank, or that turn the direction of the text (Unicode's categories Cc, Cf, Z).
var unseen = [][2]rune{
	{0x80, 0xa0}, {0xad, 0xad}, {0x600, 0x605}, {0x61c, 0x61c}, {0x6dd, 0x6dd}, {0x70f, 0x70f}, {0x1680, 0x1680},
	{0x180e, 0x180e}, {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000}, {0xe000, 0xf8ff},
	{0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0x10ffff},
}

// Quote is s in double quotes on one line. What is invisible and the two characters that
// would end or begin an escape are escaped as in Go. It stands in for strconv.Quote, whose
// tables of all that can be printed are large; characters that Unicode has not assigned
// are not escaped here.
func Quote(s string) string {
	b := []byte{'"'}
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r == utf8.RuneError && s[i] != 0xef:
			b = hex(append(b, '\\', 'x'), rune(s[i]), 2)
		case r < ' ' || r == 0x7f:
			b = hex(append(b, '\\', 'x'), r, 2)
		case hidden(r) && r > 0xffff:
			b = hex(append(b, '\\', 'U'), r, 8)
		case hidden(r):
			b = hex(append(b, '\\', 'u'), r, 4)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(append(b, '"'))
}

func hidden(r rune) bool {
	for _, k := range unseen {
		if r >= k[0] && r <= k[1] {
			return true
		}
	}
	return false
}

// hex appends the last n hexadecimal digits of v.
func hex(to []byte, v rune, n int) []byte {
	for n--; n >= 0; n-- {
		to = append(to, "0123456789abcdef"[v>>(4*n)&15])
	}
	return to
}
