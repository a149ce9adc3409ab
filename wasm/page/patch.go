package main

import "sharedbatches/core/view"

// A drawing that is written anew costs its whole length, and the timeline is long. From
// one moment to the next only a few of its groups differ, and most of those only in their
// class, so that alone is written.

// patch is how to turn one drawing into another.
type patch struct {
	attributes []at // those of pictures that get another value
	classes    []at // groups that get another class
	groups     []at // groups that are replaced
}

// at is a place in a drawing: a group or an attribute of a picture.
type at struct{ picture, index int }

// difference compares two drawings. ok is false when they are built differently; then
// the whole has to be written.
func difference(old, new view.Drawing) (d patch, ok bool) {
	if len(old) != len(new) || len(new) == 0 {
		return patch{}, false
	}
	for i := range new {
		if len(old[i].Groups) != len(new[i].Groups) || len(old[i].Attributes) != len(new[i].Attributes) {
			return patch{}, false
		}
		for k := range new[i].Attributes {
			if old[i].Attributes[k] != new[i].Attributes[k] {
				d.attributes = append(d.attributes, at{i, k})
			}
		}
		for k := range new[i].Groups {
			a, b := &old[i].Groups[k], &new[i].Groups[k]
			switch {
			case a.Step != b.Step || a.Inside != b.Inside:
				d.groups = append(d.groups, at{i, k})
			case a.Class != b.Class:
				d.classes = append(d.classes, at{i, k})
			}
		}
	}
	return d, true
}
