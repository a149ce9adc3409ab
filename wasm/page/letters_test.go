package main

import (
	"testing"

	"sharedbatches/core/view"
)

func TestChoose(t *testing.T) {
	cards := func(states ...string) (list []view.Card) {
		for _, s := range states { // "By-" is blocked, "Ka?" hidden
			c := view.Card{Name: s}
			switch s[len(s)-1] {
			case '-':
				c.Name, c.Disabled, c.Reason = s[:len(s)-1], true, "why"
			case '?':
				c.Name, c.Hidden = s[:len(s)-1], true
			}
			list = append(list, c)
		}
		return list
	}
	for _, c := range []struct {
		name    string
		cards   []view.Card
		focused string
		want    choice
	}{
		{"only match", cards("A", "B"), "", choice{step: "B"}},
		{"only enabled match", cards("A", "B", "By-"), "", choice{step: "B"}},
		{"only enabled match, the longer name", cards("B-", "By"), "", choice{step: "By"}},
		{"two enabled", cards("B", "By"), "", choice{focus: "B"}},
		{"two enabled, one focused", cards("B", "By"), "B", choice{focus: "By"}},
		{"two enabled, the last focused", cards("B", "By"), "By", choice{focus: "B"}},
		{"focus elsewhere", cards("A", "B", "By"), "A", choice{focus: "B"}},
		{"the blocked one is passed over", cards("B", "Bx-", "By"), "B", choice{focus: "By"}},
		{"all blocked", cards("B-", "By-"), "B", choice{blocked: "B is blocked: why. By is blocked: why. "}},
		{"the only one blocked", cards("B-"), "", choice{blocked: "B is blocked: why. "}},
		{"hidden ones do not count", cards("B?", "By"), "", choice{step: "By"}},
		{"no match", cards("A", "Ka"), "", choice{}},
		{"only hidden", cards("B?"), "", choice{}},
	} {
		if got := choose('B', c.cards, c.focused); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
