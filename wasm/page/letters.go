package main

import (
	"strings"

	"sharedbatches/core/view"
)

// choice is what a letter key does: step a thread, or move the focus to one's button.
// If none of them can move it says why. At most one of the three is set; neither is when no thread has that letter.
type choice struct{ step, focus, blocked string }

// choose answers a letter key. It steps the only thread that is enabled among those
// whose names begin with the letter. If several are enabled the focus moves among
// them, and if none is, it stays where it is.
// focused is the name of the thread whose button has the focus, or "".
func choose(letter byte, cards []view.Card, focused string) choice {
	var enabled []string
	blocked := ""
	for _, c := range cards {
		if c.Hidden || c.Name == "" || c.Name[0] != letter {
			continue
		}
		if c.Disabled {
			blocked += c.Name + " is blocked: " + strings.TrimSuffix(c.Reason, ".") + ". "
		} else {
			enabled = append(enabled, c.Name)
		}
	}
	switch len(enabled) {
	case 0:
		return choice{blocked: blocked}
	case 1:
		return choice{step: enabled[0]}
	}
	return choice{focus: after(enabled, focused)}
}

// after returns the name that follows the given one in a ring, or the first.
func after(names []string, name string) string {
	for i, n := range names {
		if n == name {
			return names[(i+1)%len(names)]
		}
	}
	return names[0]
}
