package schedule

import (
	"slices"
	"strconv"
	"strings"
)

// Fragment is everything that a link carries. ParseFragment and PrintFragment give its
// text form, described in the package comment.
type Fragment struct {
	Version  int      // FragmentVersion
	Scenario string   // id of a built-in scenario
	Rules    []Rule   // the rules that were changed, in the order of their keys
	Letters  []Letter // the whole schedule
	Cursor   int      // letters already played, 0 to len(Letters)
}

// Rule is a changed rule, such as probe=strong_count.
type Rule struct{ Key, Value string }

const (
	// FragmentVersion is the only version that is read or printed.
	FragmentVersion = 1
	// MaxFragmentBytes limits the text of a fragment before its percent-encoding is undone.
	MaxFragmentBytes = 64 << 10
	// MaxRules limits the changed rules of a fragment.
	MaxRules = 64

	maxScenarioBytes = 64
	maxRuleBytes     = 32 // of a key, and of a value
)

const (
	whyScenario = "a scenario is 1 to 64 of a-z, 0-9 and -"
	whyRule     = "a rule is key=value"
	whyKey      = "a key is 1 to 32 of a-z and _"
	whyValue    = "a value is 1 to 32 of a-z, 0-9, _ and -"
	whyOnce     = "each key is given once"
)

var (
	whyVersion = "this page understands " + strconv.Itoa(FragmentVersion)
	whyRules   = "a fragment has at most " + strconv.Itoa(MaxRules) + " rules"
)

// ParseFragment reads a fragment with or without its leading "#". Percent-encoding, which
// browsers and chat programs add as they like, is undone once. Rules may come in any order
// and are returned in the order of their keys. The error is an *Error; its column counts
// the text as given, "#" and encoding included.
func ParseFragment(text string) (Fragment, error) {
	fragment, err := parseFragment(text)
	if err != nil {
		err.Text = "fragment"
		return Fragment{}, err
	}
	return fragment, nil
}

func parseFragment(given string) (Fragment, *Error) {
	if len(given) > MaxFragmentBytes {
		return Fragment{}, &Error{Column: MaxFragmentBytes + 1, What: strconv.Itoa(len(given)) + " bytes",
			Why: "a fragment has at most " + strconv.Itoa(MaxFragmentBytes)}
	}
	raw := strings.TrimPrefix(given, "#")
	skipped := len(given) - len(raw)
	// A later version may encode differently, so its number is read before the encoding.
	if version := raw[:spanEnd(raw, 0, isDigit)]; version != "" && version != strconv.Itoa(FragmentVersion) {
		return Fragment{}, &Error{Column: skipped + 1, What: "version " + quote(version), Why: whyVersion}
	}
	text, err := decodePercent(raw)
	if err == nil {
		var fragment Fragment
		if fragment, err = parseDecoded(text); err == nil {
			return fragment, nil
		}
		err.Column = rawColumn(raw, err.Column)
	}
	err.Column += skipped
	return Fragment{}, err
}

// parseDecoded returns an error whose column counts the decoded text.
func parseDecoded(text string) (Fragment, *Error) {
	fail := func(at int, what, why string) (Fragment, *Error) {
		return Fragment{}, &Error{Column: at + 1, What: what, Why: why}
	}
	version, rest, found := strings.Cut(text, "/")
	if version != strconv.Itoa(FragmentVersion) {
		return fail(0, "version "+quote(version), whyVersion)
	}
	if !found {
		return fail(len(text), "end of text", "a version is followed by a scenario, as in 1/sweep/A4")
	}
	at := len(version) + 1
	setup, rest, found := strings.Cut(rest, "/")
	fragment := Fragment{Version: FragmentVersion}
	var rules string
	fragment.Scenario, rules, _ = strings.Cut(setup, ";")
	if !isWord(fragment.Scenario, maxScenarioBytes, isScenarioByte) {
		return fail(at, "scenario "+quote(fragment.Scenario), whyScenario)
	}
	if len(fragment.Scenario) < len(setup) {
		var err *Error
		if fragment.Rules, err = parseRules(rules, at+len(fragment.Scenario)+1); err != nil {
			return Fragment{}, err
		}
	}
	if !found {
		return fail(len(text), "end of text", "a scenario is followed by a schedule, as in 1/sweep/A4")
	}
	at += len(setup) + 1
	schedule, cursor, hasCursor := strings.Cut(rest, "@")
	letters, err := parse(schedule)
	if err != nil {
		err.Column += at
		return Fragment{}, err
	}
	fragment.Letters, fragment.Cursor = letters, len(letters)
	if hasCursor {
		var ok bool
		if fragment.Cursor, ok = parseNumber(cursor, 0, len(letters)); !ok {
			return fail(at+len(schedule)+1, "cursor "+quote(cursor), whyCursor(len(letters)))
		}
	}
	return fragment, nil
}

// parseRules reads key=value;key=value, which begins at a byte of the decoded text.
func parseRules(text string, at int) ([]Rule, *Error) {
	var rules []Rule
	fail := func(at int, what, why string) ([]Rule, *Error) {
		return nil, &Error{Column: at + 1, What: what, Why: why}
	}
	for rule := range strings.SplitSeq(text, ";") {
		key, value, found := strings.Cut(rule, "=")
		switch {
		case len(rules) == MaxRules:
			return fail(at, "rule "+quote(rule), whyRules)
		case !found:
			return fail(at, "rule "+quote(rule), whyRule)
		case !isWord(key, maxRuleBytes, isKeyByte):
			return fail(at, "key "+quote(key), whyKey)
		case !isWord(value, maxRuleBytes, isValueByte):
			return fail(at+len(key)+1, "value "+quote(value), whyValue)
		case slices.ContainsFunc(rules, func(r Rule) bool { return r.Key == key }):
			return fail(at, "key "+quote(key), whyOnce)
		}
		rules = append(rules, Rule{key, value})
		at += len(rule) + 1
	}
	sortRules(rules)
	return rules, nil
}

// PrintFragment writes the text of a fragment, without "#", and leaves the fragment as it
// is. ParseFragment reads the text back to the same fragment, its rules in the order of
// their keys. The error says which value cannot be printed.
func PrintFragment(fragment Fragment) (string, error) {
	if err := checkFragment(fragment); err != nil {
		return "", err
	}
	var text strings.Builder
	text.WriteString(strconv.Itoa(fragment.Version) + "/" + fragment.Scenario)
	rules := slices.Clone(fragment.Rules)
	sortRules(rules)
	for _, rule := range rules {
		text.WriteString(";" + rule.Key + "=" + rule.Value)
	}
	text.WriteString("/" + PrintCompact(fragment.Letters) + "@" + strconv.Itoa(fragment.Cursor))
	return text.String(), nil
}

func checkFragment(fragment Fragment) error {
	fail := func(what, why string) error { return &Error{Text: "fragment", What: what, Why: why} }
	if fragment.Version != FragmentVersion {
		return fail("version "+strconv.Itoa(fragment.Version), whyVersion)
	}
	if !isWord(fragment.Scenario, maxScenarioBytes, isScenarioByte) {
		return fail("scenario "+quote(fragment.Scenario), whyScenario)
	}
	if len(fragment.Rules) > MaxRules {
		return fail(strconv.Itoa(len(fragment.Rules))+" rules", whyRules)
	}
	for i, rule := range fragment.Rules {
		switch {
		case !isWord(rule.Key, maxRuleBytes, isKeyByte):
			return fail("key "+quote(rule.Key), whyKey)
		case !isWord(rule.Value, maxRuleBytes, isValueByte):
			return fail("value "+quote(rule.Value), whyValue)
		case slices.ContainsFunc(fragment.Rules[:i], func(r Rule) bool { return r.Key == rule.Key }):
			return fail("key "+quote(rule.Key), whyOnce)
		}
	}
	if err := Check(fragment.Letters); err != nil {
		return err
	}
	if fragment.Cursor < 0 || fragment.Cursor > len(fragment.Letters) {
		return fail("cursor "+strconv.Itoa(fragment.Cursor), whyCursor(len(fragment.Letters)))
	}
	return nil
}

// sortRules puts rules into the order of their keys, by insertion: they are few, and
// the library's sorts would be more code than all of this file.
func sortRules(rules []Rule) {
	for i := range rules {
		for j := i; j > 0 && rules[j].Key < rules[j-1].Key; j-- {
			rules[j], rules[j-1] = rules[j-1], rules[j]
		}
	}
}

func whyCursor(letters int) string {
	return "a cursor is 0 to " + strconv.Itoa(letters) + ", the number of letters, without leading zero"
}

func isWord(word string, most int, belongs func(byte) bool) bool {
	return word != "" && len(word) <= most && spanEnd(word, 0, belongs) == len(word)
}

func isScenarioByte(c byte) bool { return isLower(c) || isDigit(c) || c == '-' }
func isKeyByte(c byte) bool      { return isLower(c) || c == '_' }
func isValueByte(c byte) bool    { return isLower(c) || isDigit(c) || c == '_' || c == '-' }
