package schedule

import (
	"strconv"
	"strings"
)

// Letter is a thread's name in a schedule: one capital letter followed by lower-case
// letters only where they are needed to tell threads apart.
type Letter = string

const (
	// MaxLetters limits the letters of one schedule, counts multiplied out.
	MaxLetters = 10_000
	// MaxLetterBytes limits one thread's name. The longest name in use has three bytes;
	// six is the most with which MaxLetters runs still fit into MaxFragmentBytes.
	MaxLetterBytes = 6
)

// Parse reads schedule text into one letter for each step. An empty or blank text is the
// empty schedule. The error is an *Error. Whether a thread of that name exists is for
// Resolve to say.
func Parse(text string) ([]Letter, error) {
	letters, err := parse(text)
	if err != nil {
		return nil, err
	}
	return letters, nil
}

// parse returns its error with the concrete type, because a fragment moves the column.
func parse(text string) ([]Letter, *Error) {
	var letters []Letter
	fail := func(at int, what, why string) ([]Letter, *Error) {
		return nil, &Error{Text: "schedule", Column: at + 1, What: what, Why: why}
	}
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == ' ':
			at++
		case isCapital(c):
			nameEnd := spanEnd(text, at+1, isLower)
			end := spanEnd(text, nameEnd, isDigit)
			name, digits := text[at:nameEnd], text[nameEnd:end]
			if len(name) > MaxLetterBytes {
				return fail(at, "thread "+quote(name), whyLetter)
			}
			count := 1
			if digits != "" {
				var ok bool
				if count, ok = parseNumber(digits, 1, MaxLetters); !ok {
					return fail(nameEnd, "count "+quote(digits),
						"a count is 1 to "+strconv.Itoa(MaxLetters)+" without leading zero")
				}
			}
			if len(letters)+count > MaxLetters {
				return fail(at, "run "+quote(text[at:end]), whyLetters)
			}
			for range count {
				letters = append(letters, name)
			}
			at = end
		case isDigit(c):
			return fail(at, "count "+quote(text[at:spanEnd(text, at, isDigit)]),
				"a count directly follows its thread, as in A4")
		case isLower(c):
			return fail(at, "lower-case "+quote(text[at:spanEnd(text, at, isLower)]),
				"a thread's name begins with a capital letter, as in A or By")
		default:
			return fail(at, "character "+quoteFirst(text[at:]),
				"a schedule is of A-Z, a-z, 0-9 and blanks, as in A4 By")
		}
	}
	return letters, nil
}

var (
	whyLetter = "a thread's name is a capital letter and at most " +
		strconv.Itoa(MaxLetterBytes-1) + " lower-case letters, as in A or By"
	whyLetters = "a schedule has at most " + strconv.Itoa(MaxLetters) + " letters in all"
)

// Print writes the canonical text of letters: neighbours merged into runs, exactly one
// blank between runs. Parse reads it back to the same letters if Check accepts them.
func Print(letters []Letter) string { return printRuns(letters, " ") }

// PrintCompact is Print without blanks, as links have it.
func PrintCompact(letters []Letter) string { return printRuns(letters, "") }

func printRuns(letters []Letter, between string) string {
	var text strings.Builder
	for start := 0; start < len(letters); {
		end := start + 1
		for end < len(letters) && letters[end] == letters[start] {
			end++
		}
		if start > 0 {
			text.WriteString(between)
		}
		text.WriteString(letters[start])
		if count := end - start; count > 1 {
			text.WriteString(strconv.Itoa(count))
		}
		start = end
	}
	return text.String()
}

// Check says whether letters are what Parse can return: at most MaxLetters of them, each
// valid. The error names the first step at fault, as a *StepError.
func Check(letters []Letter) error {
	for i, letter := range letters {
		if i == MaxLetters {
			return &StepError{Step: i + 1, Letter: letter, Err: &threadError{letter, whyLetters}}
		}
		if !IsLetter(letter) {
			return &StepError{Step: i + 1, Letter: letter, Err: &threadError{letter, whyLetter}}
		}
	}
	return nil
}

// IsLetter says whether name is a thread's name that a schedule can hold.
func IsLetter(name string) bool {
	return name != "" && len(name) <= MaxLetterBytes &&
		isCapital(name[0]) && spanEnd(name, 1, isLower) == len(name)
}

// spanEnd returns the end of the bytes from start on that all belong to a class.
func spanEnd(text string, start int, belongs func(byte) bool) int {
	for start < len(text) && belongs(text[start]) {
		start++
	}
	return start
}

// parseNumber reads a decimal number from least to most without sign or leading zero.
func parseNumber(digits string, least, most int) (int, bool) {
	if digits == "" || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	number := 0
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return 0, false
		}
		// Leaving here, before the next digit, is what keeps the number from overflowing.
		if number = 10*number + int(digits[i]-'0'); number > most {
			return 0, false
		}
	}
	return number, number >= least
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool   { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
