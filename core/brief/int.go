package brief

// Int reads a decimal number of at most 18 digits, with a minus or without; ok is false
// for any other text. It stands in for strconv.Atoi, whose errors quote the text and
// bring along all that Quote avoids.
func Int(s string) (n int64, ok bool) {
	digits := s
	if len(s) > 0 && s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if len(digits) < len(s) {
		n = -n
	}
	return n, true
}
