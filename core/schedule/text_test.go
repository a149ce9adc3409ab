package schedule_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/schedule"
)

// keyText is the schedule of the key scenario, and keyRuns the same worked out by hand.
const keyText = "A4 B3 A B A Ka2 A B5 Kb2 B Px By5 Kby By Py A5 La A La A By12 Lby By Py"

var keyRuns = []struct {
	letter string
	count  int
}{
	{"A", 4}, {"B", 3}, {"A", 1}, {"B", 1}, {"A", 1}, {"Ka", 2}, {"A", 1}, {"B", 5}, {"Kb", 2}, {"B", 1}, {"Px", 1},
	{"By", 5}, {"Kby", 1}, {"By", 1}, {"Py", 1}, {"A", 5}, {"La", 1}, {"A", 1}, {"La", 1}, {"A", 1}, {"By", 12},
	{"Lby", 1}, {"By", 1}, {"Py", 1},
}

func keyLetters() []schedule.Letter {
	var letters []schedule.Letter
	for _, run := range keyRuns {
		for range run.count {
			letters = append(letters, run.letter)
		}
	}
	return letters
}

func TestKeySchedule(t *testing.T) {
	want := keyLetters()
	if len(want) != 54 {
		t.Fatalf("the key schedule has %d letters, want 54", len(want))
	}
	got, err := schedule.Parse(keyText)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Parse gave %q, %v; want %q", got, err, want)
	}
	if got := schedule.Print(want); got != keyText {
		t.Errorf("Print gave %q, want %q", got, keyText)
	}
	if got, want := schedule.PrintCompact(want), strings.ReplaceAll(keyText, " ", ""); got != want {
		t.Errorf("PrintCompact gave %q, want %q", got, want)
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ text, canonical, compact string }{
		{"", "", ""},
		{"   ", "", ""},
		{"A", "A", "A"},
		{"A1", "A", "A"},
		{"A4B3AB", "A4 B3 A B", "A4B3AB"},
		{"ABy5", "A By5", "ABy5"},
		{"  A4   B ", "A4 B", "A4B"},
		{"A2 A3A", "A6", "A6"},
		{"A A", "A2", "A2"},
		{"AyA", "Ay A", "AyA"},
		{"A9999A", "A10000", "A10000"},
		{"Abcdef", "Abcdef", "Abcdef"},
	} {
		letters, err := schedule.Parse(test.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", test.text, err)
			continue
		}
		if got := schedule.Print(letters); got != test.canonical {
			t.Errorf("Print(Parse(%q)) = %q, want %q", test.text, got, test.canonical)
		}
		if got := schedule.PrintCompact(letters); got != test.compact {
			t.Errorf("PrintCompact(Parse(%q)) = %q, want %q", test.text, got, test.compact)
		}
	}
}

func TestParseMalformed(t *testing.T) {
	const (
		count = ": a count is 1 to 10000 without leading zero"
		chars = ": a schedule is of A-Z, a-z, 0-9 and blanks, as in A4 By"
		lower = ": a thread's name begins with a capital letter, as in A or By"
		lone  = ": a count directly follows its thread, as in A4"
		name  = ": a thread's name is a capital letter and at most 5 lower-case letters, as in A or By"
		total = ": a schedule has at most 10000 letters in all"
	)
	for _, test := range []struct{ text, want string }{
		{"A B0", `schedule: column 4: count "0"` + count},
		{"A04", `schedule: column 2: count "04"` + count},
		{"A10001", `schedule: column 2: count "10001"` + count},
		{"By99999999999999999999", `schedule: column 3: count "99999999999999999999"` + count},
		{"A" + strings.Repeat("9", 300), `schedule: column 2: count "999999999999999999999999"...` + count},
		{"4", `schedule: column 1: count "4"` + lone},
		{"A 40 B", `schedule: column 3: count "40"` + lone},
		{"by", `schedule: column 1: lower-case "by"` + lower},
		{"A4y", `schedule: column 3: lower-case "y"` + lower},
		{"A y", `schedule: column 3: lower-case "y"` + lower},
		{"Abcdefg", `schedule: column 1: thread "Abcdefg"` + name},
		{"A4-B", `schedule: column 3: character "-"` + chars},
		{"A\tB", `schedule: column 2: character "\t"` + chars},
		{"A\nB", `schedule: column 2: character "\n"` + chars},
		{"A\x00", `schedule: column 2: character "\x00"` + chars},
		{"AéB", `schedule: column 2: character "é"` + chars},
		{"é", `schedule: column 1: character "é"` + chars},
		{"A\u00a0B", `schedule: column 2: character "\u00a0"` + chars},
		{"A٤", `schedule: column 2: character "٤"` + chars},
		{"A\xff", `schedule: column 2: character "\xff"` + chars},
		{"A\u202eB", `schedule: column 2: character "\u202e"` + chars},
		{"A@3", `schedule: column 2: character "@"` + chars},
		{"A9999 B A", `schedule: column 9: run "A"` + total},
		{"A10000 By5000", `schedule: column 8: run "By5000"` + total},
	} {
		letters, err := schedule.Parse(test.text)
		if err == nil || err.Error() != test.want || letters != nil {
			t.Errorf("Parse(%q) = %d letters, error\n%v\nwant\n%s", test.text, len(letters), err, test.want)
		}
		var at *schedule.Error
		if !errors.As(err, &at) || at.Column < 1 {
			t.Errorf("Parse(%q): error %T carries no column", test.text, err)
		}
	}
}

// randomLetters returns valid letters, mostly in runs and mostly names that resemble others.
func randomLetters(random *schedule.Random, most int) []schedule.Letter {
	var letters []schedule.Letter
	for range random.Pick(most + 1) {
		name := string(rune('A' + random.Pick(26)))
		if random.Pick(2) == 0 {
			name = string(rune('A' + random.Pick(2)))
		}
		for range random.Pick(schedule.MaxLetterBytes) {
			name += string(rune('a' + random.Pick(26)))
		}
		for range 1 + random.Pick(3)*random.Pick(12) {
			letters = append(letters, name)
		}
	}
	return letters[:min(len(letters), schedule.MaxLetters)]
}

func TestTextRoundTrip(t *testing.T) {
	random := schedule.NewRandom(1)
	for range 2_000 {
		letters := randomLetters(random, 40)
		for _, text := range []string{schedule.Print(letters), schedule.PrintCompact(letters)} {
			got, err := schedule.Parse(text)
			if err != nil || !slices.Equal(got, letters) {
				t.Fatalf("Parse(%q) = %q, %v; want %q", text, got, err, letters)
			}
		}
	}
	for _, letters := range [][]schedule.Letter{
		slices.Repeat([]schedule.Letter{"A"}, schedule.MaxLetters),
		slices.Repeat([]schedule.Letter{"Abcdef", "Abcdeg"}, schedule.MaxLetters/2),
	} {
		got, err := schedule.Parse(schedule.Print(letters))
		if err != nil || !slices.Equal(got, letters) {
			t.Errorf("a schedule of %d letters comes back as %d letters, %v", len(letters), len(got), err)
		}
	}
}

func TestCheck(t *testing.T) {
	full := slices.Repeat([]schedule.Letter{"A"}, schedule.MaxLetters)
	for _, letters := range [][]schedule.Letter{nil, {"A", "By", "Abcdef"}, full} {
		if err := schedule.Check(letters); err != nil {
			t.Errorf("Check of %d valid letters: %v", len(letters), err)
		}
	}
	const name = ": a thread's name is a capital letter and at most 5 lower-case letters, as in A or By"
	for _, test := range []struct {
		letters []schedule.Letter
		want    string
	}{
		{[]schedule.Letter{"A", ""}, `step 2: thread ""` + name},
		{[]schedule.Letter{"a"}, `step 1: thread "a"` + name},
		{[]schedule.Letter{"AB"}, `step 1: thread "AB"` + name},
		{[]schedule.Letter{"A2"}, `step 1: thread "A2"` + name},
		{[]schedule.Letter{"Abcdefg"}, `step 1: thread "Abcdefg"` + name},
		{append(full, "B"), `step 10001: thread "B": a schedule has at most 10000 letters in all`},
	} {
		if err := schedule.Check(test.letters); err == nil || err.Error() != test.want {
			t.Errorf("Check gave %v, want %s", err, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(keyText)
	f.Add("A4B3AB")
	f.Fuzz(func(t *testing.T, text string) {
		letters, err := schedule.Parse(text)
		if err != nil {
			var at *schedule.Error
			if !errors.As(err, &at) || at.Column < 1 || at.Column > len(text) {
				t.Fatalf("Parse(%q): %v: not a place in the text", text, err)
			}
			if message := err.Error(); strings.ContainsFunc(message, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Fatalf("Parse(%q): control character in the message %q", text, message)
			}
			return
		}
		if err := schedule.Check(letters); err != nil {
			t.Fatalf("Parse(%q) returned letters that Check refuses: %v", text, err)
		}
		canonical := schedule.Print(letters)
		again, err := schedule.Parse(canonical)
		if err != nil || !slices.Equal(again, letters) || schedule.Print(again) != canonical {
			t.Fatalf("Parse(%q) prints as %q, which comes back as %q, %v", text, canonical, again, err)
		}
	})
}
