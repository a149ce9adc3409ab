package schedule

import (
	"errors"
	"iter"
	"slices"
)

// Branch is one way to go on from a moment that was taken before.
type Branch struct {
	Letter    Letter // the thread stepped first
	Len       int    // steps the branch goes on, its first included, as it was left
	Preferred bool   // the current line takes this branch
}

// Line is one whole way from the start to an end, as Lines lists it.
type Line struct {
	Fork    int    // the last moment that it shares with the current line
	Letter  Letter // its first step after that; empty for the current line
	Len     int    // its steps in all
	Current bool   // it is the current line
	leaf    int32
}

// Branches returns the ways taken from moment step of the current line, the oldest first.
// There is none at the end of the line, and none for a step that is not on it.
func (h *History[M]) Branches(step int) []Branch {
	if step < 0 || step > h.Len() {
		return nil
	}
	var branches []Branch
	here := h.node(h.line[step])
	for child := here.firstChild; child != 0; child = h.node(child).next {
		leaf := child
		for h.node(leaf).preferred != 0 {
			leaf = h.node(leaf).preferred
		}
		branches = append(branches, Branch{
			Letter:    h.node(child).letter,
			Len:       int(h.node(leaf).depth) - step,
			Preferred: child == here.preferred,
		})
	}
	return branches
}

// Forked says whether more than one way was taken from moment step of the current line,
// without listing them.
func (h *History[M]) Forked(step int) bool {
	if step < 0 || step >= h.Len() {
		return false
	}
	return h.node(h.node(h.line[step]).firstChild).next != 0
}

// Choose makes the current line take the branch of a letter at moment step, and from there
// on go as it was left. A cursor at or before step stays on its moment; one after it keeps
// its step number, or goes to the end of a branch that is shorter. A step or branch that is
// not there is an error and changes nothing.
func (h *History[M]) Choose(step int, letter Letter) error {
	if step < 0 || step > h.Len() {
		return h.noStep(step)
	}
	child, _ := h.child(h.line[step], letter)
	if child == 0 {
		return &StepError{Step: step + 1, Letter: letter,
			Err: &threadError{letter, "no branch begins with it here"}}
	}
	h.turn(step, child)
	h.cursor = min(h.cursor, h.Len())
	return nil
}

// LineCount returns the number of lines, which is the number of ends: at least 1.
func (h *History[M]) LineCount() int { return h.leaves }

// Lines lists all lines, the current one among them, in an order that stepping and choosing
// do not change: at every fork the oldest branch first. The history must not be changed
// while it goes on; to change it, stop first.
func (h *History[M]) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var fork int
		var letter Letter
		for at := int32(0); ; {
			n := h.node(at)
			if h.onLine(at) {
				fork, letter = int(n.depth), ""
			} else if h.onLine(n.parent) {
				fork, letter = int(n.depth)-1, n.letter
			}
			if n.firstChild != 0 {
				at = n.firstChild
				continue
			}
			if !yield(Line{Fork: fork, Letter: letter, Len: int(n.depth), Current: h.onLine(at), leaf: at}) {
				return
			}
			for h.node(at).next == 0 {
				if at == 0 {
					return
				}
				at = h.node(at).parent
			}
			at = h.node(at).next
		}
	}
}

// LineLetters returns the schedule of a line that Lines listed, or nil for any other.
func (h *History[M]) LineLetters(line Line) []Letter {
	if !h.lists(line) {
		return nil
	}
	letters := make([]Letter, 0, line.Len)
	for at := line.leaf; at != 0; at = h.node(at).parent {
		letters = append(letters, h.node(at).letter)
	}
	slices.Reverse(letters)
	return letters
}

// Follow makes a line that Lines listed the current one. If it was continued since, it is
// followed to its new end. The cursor moves as in Choose.
func (h *History[M]) Follow(line Line) error {
	if !h.lists(line) {
		return errors.New("history: this line is not in it: list the lines again")
	}
	child := line.leaf
	for child != 0 && !h.onLine(child) {
		// Turning at the fork needs the preferences below it, so those are set first.
		parent := h.node(child).parent
		if h.onLine(parent) {
			h.turn(int(h.node(parent).depth), child)
			break
		}
		h.node(parent).preferred = child
		child = parent
	}
	h.cursor = min(h.cursor, h.Len())
	return nil
}

func (h *History[M]) lists(line Line) bool {
	return line.leaf >= 0 && int(line.leaf) < h.count && int(h.node(line.leaf).depth) == line.Len
}

// onLine says whether the current line passes through a node.
func (h *History[M]) onLine(index int32) bool {
	depth := int(h.node(index).depth)
	return depth <= h.Len() && h.line[depth] == index
}
