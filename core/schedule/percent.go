package schedule

import "strings"

// decodePercent undoes percent-encoding once. A "+" stands for itself, as in any fragment.
// The error's column counts the encoded text.
func decodePercent(raw string) (string, *Error) {
	if !strings.Contains(raw, "%") {
		return raw, nil
	}
	decoded := make([]byte, 0, len(raw))
	for at := 0; at < len(raw); {
		if raw[at] != '%' {
			decoded = append(decoded, raw[at])
			at++
			continue
		}
		if at+2 >= len(raw) || !isHex(raw[at+1]) || !isHex(raw[at+2]) {
			return "", &Error{Column: at + 1, What: "encoding " + quote(raw[at:min(at+3, len(raw))]),
				Why: "% is followed by two of 0-9, A-F and a-f"}
		}
		decoded = append(decoded, hexValue(raw[at+1])<<4|hexValue(raw[at+2]))
		at += 3
	}
	return string(decoded), nil
}

// rawColumn returns the column in encoded text at which the byte at a column of the
// decoded text begins. The text has been decoded without an error before.
func rawColumn(raw string, column int) int {
	at := 0
	for range column - 1 {
		if raw[at] == '%' {
			at += 2
		}
		at++
	}
	return at + 1
}

func isHex(c byte) bool { return isDigit(c) || 'A' <= c && c <= 'F' || 'a' <= c && c <= 'f' }

func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}
