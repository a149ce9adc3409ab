package main

import "sharedbatches/core/view"

// choice is what a letter key does: step a thread, or move the focus to one's button.
// At most one of the two is set; neither is when no thread has that letter.
type choice struct{ step, focus string }

// choose answers a letter key. It steps the only thread that is enabled among those
// whose names begin with the letter. If several are enabled the focus moves among
// them, and if none is, among all of them, so that each reason can be heard.
// focused is the name of the thread whose button has the focus, or "".
func choose(letter byte, cards []view.Card, focused string) choice {
	var enabled, all []string
	for _, c := range cards {
		if c.Hidden || c.Name == "" || c.Name[0] != letter {
			continue
		}
		all = append(all, c.Name)
		if !c.Disabled {
			enabled = append(enabled, c.Name)
		}
	}
	switch {
	case len(all) == 0:
		return choice{}
	case len(enabled) == 1:
		return choice{step: enabled[0]}
	case len(enabled) > 1:
		return choice{focus: after(enabled, focused)}
	}
	return choice{focus: after(all, focused)}
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
