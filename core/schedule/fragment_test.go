package schedule_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/schedule"
)

func TestParseFragment(t *testing.T) {
	for _, test := range []struct {
		text, printed string
		want          schedule.Fragment
	}{
		{"1/sweep/@0", "1/sweep/@0", schedule.Fragment{Version: 1, Scenario: "sweep"}},
		{"#1/sweep/", "1/sweep/@0", schedule.Fragment{Version: 1, Scenario: "sweep"}},
		{"1/two-share/A4B3AB@8", "1/two-share/A4B3AB@8", schedule.Fragment{
			Version: 1, Scenario: "two-share", Letters: mustParse(t, "A4 B3 A B"), Cursor: 8}},
		{"1/sweep/A4B3", "1/sweep/A4B3@7", schedule.Fragment{
			Version: 1, Scenario: "sweep", Letters: mustParse(t, "A4 B3"), Cursor: 7}},
		{"#1/sweep;probe=strong_count;barrier=on-2/AABy5@7", "1/sweep;barrier=on-2;probe=strong_count/A2By5@7", schedule.Fragment{
			Version: 1, Scenario: "sweep", Rules: []schedule.Rule{{"barrier", "on-2"}, {"probe", "strong_count"}},
			Letters: mustParse(t, "A2 By5"), Cursor: 7}},
		{"%31%2Fsweep%3bprobe%3Dupgrade%2fA4%20B%401", "1/sweep;probe=upgrade/A4B@1", schedule.Fragment{
			Version: 1, Scenario: "sweep", Rules: []schedule.Rule{{"probe", "upgrade"}},
			Letters: mustParse(t, "A4 B"), Cursor: 1}},
	} {
		got, err := schedule.ParseFragment(test.text)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("ParseFragment(%q) = %+v, %v; want %+v", test.text, got, err, test.want)
			continue
		}
		if printed, err := schedule.PrintFragment(got); err != nil || printed != test.printed {
			t.Errorf("PrintFragment(ParseFragment(%q)) = %q, %v; want %q", test.text, printed, err, test.printed)
		}
	}
}

func TestParseFragmentMalformed(t *testing.T) {
	const (
		version  = ": this page understands 1"
		scenario = ": a scenario is 1 to 64 of a-z, 0-9 and -"
		key      = ": a key is 1 to 32 of a-z and _"
		value    = ": a value is 1 to 32 of a-z, 0-9, _ and -"
		percent  = ": % is followed by two of 0-9, A-F and a-f"
		chars    = ": a schedule is of A-Z, a-z, 0-9 and blanks, as in A4 By"
		ofOne    = ": a cursor is 0 to 1, the number of letters, without leading zero"
	)
	long := strings.Repeat("x", 65)
	manyRules := ""
	for i := range 65 {
		manyRules += fmt.Sprintf(";%c%c=v", 'a'+i/26, 'a'+i%26)
	}
	for _, test := range []struct{ text, want string }{
		{"", `fragment: column 1: version ""` + version},
		{"#", `fragment: column 2: version ""` + version},
		{"intro", `fragment: column 1: version "intro"` + version},
		{"2/sweep/A@0", `fragment: column 1: version "2"` + version},
		{"#2/%zz", `fragment: column 2: version "2"` + version},
		{"01/sweep/A@0", `fragment: column 1: version "01"` + version},
		{"##1/sweep/A@0", `fragment: column 2: version "#1"` + version},
		{"1", `fragment: column 2: end of text: a version is followed by a scenario, as in 1/sweep/A4`},
		{"#1", `fragment: column 3: end of text: a version is followed by a scenario, as in 1/sweep/A4`},
		{"1/", `fragment: column 3: scenario ""` + scenario},
		{"1//A@0", `fragment: column 3: scenario ""` + scenario},
		{"1/Sweep/A@0", `fragment: column 3: scenario "Sweep"` + scenario},
		{"1/" + long + "/A@0", `fragment: column 3: scenario "xxxxxxxxxxxxxxxxxxxxxxxx"...` + scenario},
		{"1/xxxxxxxxxxxxxxxxxxxxxxxé/A", `fragment: column 3: scenario "xxxxxxxxxxxxxxxxxxxxxxx"...` + scenario},
		{"1/sweep", `fragment: column 8: end of text: a scenario is followed by a schedule, as in 1/sweep/A4`},
		{"1/sweep;/A", `fragment: column 9: rule "": a rule is key=value`},
		{"1/sweep;probe/A", `fragment: column 9: rule "probe": a rule is key=value`},
		{"1/sweep;=x/A", `fragment: column 9: key ""` + key},
		{"1/sweep;Probe=x/A", `fragment: column 9: key "Probe"` + key},
		{"1/sweep;" + long[:33] + "=x/A", `fragment: column 9: key "xxxxxxxxxxxxxxxxxxxxxxxx"...` + key},
		{"1/sweep;probe=/A", `fragment: column 15: value ""` + value},
		{"1/sweep;a=b=c/A", `fragment: column 11: value "b=c"` + value},
		{"1/sweep;a=" + long[:33] + "/A", `fragment: column 11: value "xxxxxxxxxxxxxxxxxxxxxxxx"...` + value},
		{"1/sweep;a=b;c=d;a=b/A", `fragment: column 17: key "a": each key is given once`},
		{"1/sweep" + manyRules + "/A", `fragment: column 329: rule "cm=v": a fragment has at most 64 rules`},
		{"1/sweep/A B0@1", `fragment: column 12: count "0": a count is 1 to 10000 without leading zero`},
		{"1/sweep/A/B", `fragment: column 10: character "/"` + chars},
		{"1/sweep/A+B", `fragment: column 10: character "+"` + chars},
		{"1/sweep/A@", `fragment: column 11: cursor ""` + ofOne},
		{"1/sweep/A@2", `fragment: column 11: cursor "2"` + ofOne},
		{"1/sweep/A@01", `fragment: column 11: cursor "01"` + ofOne},
		{"1/sweep/A@-1", `fragment: column 11: cursor "-1"` + ofOne},
		{"1/sweep/A@1@1", `fragment: column 11: cursor "1@1"` + ofOne},
		{"1/sweep/A@99999999999999999999", `fragment: column 11: cursor "99999999999999999999"` + ofOne},
		{"1/sweep/A%", `fragment: column 10: encoding "%"` + percent},
		{"1/sweep/A%4", `fragment: column 10: encoding "%4"` + percent},
		{"#1/sweep/A%zz@1", `fragment: column 11: encoding "%zz"` + percent},
		{"1/sweep/A%2541", `fragment: column 10: character "%"` + chars},
		{"1/sweep/%41%20%42%30@1", `fragment: column 18: count "0": a count is 1 to 10000 without leading zero`},
		{"1/sweep/A%C3%A9", `fragment: column 10: character "é"` + chars},
		{"1/sweep/A%00", `fragment: column 10: character "\x00"` + chars},
		{"1/sweep/" + strings.Repeat(" ", 64<<10), `fragment: column 65537: 65544 bytes: a fragment has at most 65536`},
	} {
		got, err := schedule.ParseFragment(test.text)
		if err == nil || err.Error() != test.want || !reflect.DeepEqual(got, schedule.Fragment{}) {
			t.Errorf("ParseFragment(%.80q) = %+v, error\n%v\nwant\n%s", test.text, got, err, test.want)
		}
	}
}

func TestPrintFragmentMalformed(t *testing.T) {
	valid := schedule.Fragment{Version: 1, Scenario: "sweep", Letters: []schedule.Letter{"A"}}
	if _, err := schedule.PrintFragment(valid); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		spoil func(*schedule.Fragment)
		want  string
	}{
		{func(f *schedule.Fragment) { f.Version = 0 }, `fragment: version 0: this page understands 1`},
		{func(f *schedule.Fragment) { f.Scenario = "a/b" }, `fragment: scenario "a/b": a scenario is 1 to 64 of a-z, 0-9 and -`},
		{func(f *schedule.Fragment) { f.Rules = []schedule.Rule{{"a2", "x"}} }, `fragment: key "a2": a key is 1 to 32 of a-z and _`},
		{func(f *schedule.Fragment) { f.Rules = []schedule.Rule{{"a", "X"}} }, `fragment: value "X": a value is 1 to 32 of a-z, 0-9, _ and -`},
		{func(f *schedule.Fragment) { f.Rules = []schedule.Rule{{"a", "x"}, {"a", "y"}} }, `fragment: key "a": each key is given once`},
		{func(f *schedule.Fragment) { f.Rules = make([]schedule.Rule, 65) }, `fragment: 65 rules: a fragment has at most 64 rules`},
		{func(f *schedule.Fragment) { f.Letters = []schedule.Letter{"A", "b"} },
			`step 2: thread "b": a thread's name is a capital letter and at most 5 lower-case letters, as in A or By`},
		{func(f *schedule.Fragment) { f.Cursor = 2 }, `fragment: cursor 2: a cursor is 0 to 1, the number of letters, without leading zero`},
		{func(f *schedule.Fragment) { f.Cursor = -1 }, `fragment: cursor -1: a cursor is 0 to 1, the number of letters, without leading zero`},
	} {
		fragment := valid
		test.spoil(&fragment)
		if text, err := schedule.PrintFragment(fragment); err == nil || err.Error() != test.want || text != "" {
			t.Errorf("PrintFragment(%+v) = %q, error\n%v\nwant\n%s", fragment, text, err, test.want)
		}
	}
}

// randomWord returns 1 to most of the characters of an alphabet.
func randomWord(random *schedule.Random, alphabet string, most int) string {
	word := make([]byte, 1+random.Pick(most))
	for i := range word {
		word[i] = alphabet[random.Pick(len(alphabet))]
	}
	return string(word)
}

func TestFragmentRoundTrip(t *testing.T) {
	const lower = "abcdefghijklmnopqrstuvwxyz"
	random := schedule.NewRandom(2)
	for range 2_000 {
		want := schedule.Fragment{
			Version:  1,
			Scenario: randomWord(random, lower+"0123456789-", 64),
			Letters:  randomLetters(random, 40),
		}
		want.Cursor = random.Pick(len(want.Letters) + 1)
		for range random.Pick(6) {
			// A number in front of the key would not be a key, so a letter keeps keys apart.
			key := string(lower[len(want.Rules)]) + randomWord(random, lower+"_", 31)
			want.Rules = append(want.Rules, schedule.Rule{Key: key, Value: randomWord(random, lower+"0123456789_-", 32)})
		}
		shuffled := want
		shuffled.Rules = slices.Clone(want.Rules)
		slices.Reverse(shuffled.Rules)
		text, err := schedule.PrintFragment(shuffled)
		if err != nil {
			t.Fatalf("PrintFragment(%+v): %v", want, err)
		}
		for _, given := range []string{text, "#" + text, encodeSome(random, text)} {
			got, err := schedule.ParseFragment(given)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("ParseFragment(%q) = %+v, %v; want %+v", given, got, err, want)
			}
		}
	}
}

// encodeSome percent-encodes about one byte in three.
func encodeSome(random *schedule.Random, text string) string {
	var encoded strings.Builder
	for _, c := range []byte(text) {
		switch random.Pick(6) {
		case 0:
			fmt.Fprintf(&encoded, "%%%02x", c)
		case 1:
			fmt.Fprintf(&encoded, "%%%02X", c)
		default:
			encoded.WriteByte(c)
		}
	}
	return encoded.String()
}

// TestLargestFragment holds the arithmetic behind MaxLetterBytes.
func TestLargestFragment(t *testing.T) {
	largest := schedule.Fragment{
		Version:  1,
		Scenario: strings.Repeat("s", 64),
		Letters:  slices.Repeat([]schedule.Letter{"Abcdef", "Abcdeg"}, schedule.MaxLetters/2),
		Cursor:   schedule.MaxLetters,
	}
	for i := range schedule.MaxRules {
		key := fmt.Sprintf("%s%c%c", strings.Repeat("k", 30), 'a'+i/26, 'a'+i%26)
		largest.Rules = append(largest.Rules, schedule.Rule{Key: key, Value: strings.Repeat("v", 32)})
	}
	text, err := schedule.PrintFragment(largest)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := schedule.ParseFragment("#" + text); err != nil || !reflect.DeepEqual(got, largest) {
		t.Errorf("a fragment of %d bytes does not come back: %v", len(text), err)
	}
}

func FuzzParseFragment(f *testing.F) {
	f.Add("#1/sweep;probe=strong_count/" + strings.ReplaceAll(keyText, " ", "") + "@7")
	f.Add("1%2Fsweep/A%20B@1")
	f.Fuzz(func(t *testing.T, text string) {
		fragment, err := schedule.ParseFragment(text)
		if err != nil {
			var at *schedule.Error
			// The end of the text is a place too.
			if !errors.As(err, &at) || at.Text != "fragment" || at.Column < 1 || at.Column > len(text)+1 {
				t.Fatalf("ParseFragment(%q): %v: not a place in the text", text, err)
			}
			return
		}
		printed, err := schedule.PrintFragment(fragment)
		if err != nil {
			t.Fatalf("ParseFragment(%q) returned a fragment that cannot be printed: %v", text, err)
		}
		again, err := schedule.ParseFragment(printed)
		if err != nil || !reflect.DeepEqual(again, fragment) {
			t.Fatalf("ParseFragment(%q) prints as %q, which comes back as %+v, %v", text, printed, again, err)
		}
	})
}
