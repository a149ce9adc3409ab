package schedule

import (
	"errors"
	"strconv"
)

// History is a tree of moments. Its root is the start; every other moment was reached from
// its parent by stepping the thread that its letter names. The current line is one path from
// the root to a leaf, and the cursor stands on one of its moments. Going back and stepping
// another thread begins a new branch and makes it the current line; the old one is kept.
//
// A moment is whatever the caller needs to show that moment, usually the state and what the
// step did. It is stored once and handed out as it was stored, so nothing is replayed.
//
// The step numbers of a line count from 1; moment 0 is the start, and step i leads from
// moment i-1 to moment i.
type History[M any] struct {
	pages  [][]node[M]
	count  int     // moments in all
	leaves int     // ends of branches in all
	line   []int32 // the current line: line[i] is the node of moment i
	cursor int
}

// A node's links are indices. No link leads to the root as a child, so 0 means none.
type node[M any] struct {
	moment     M
	letter     Letter
	depth      int32
	parent     int32
	firstChild int32
	next       int32 // the next younger child of the same parent
	preferred  int32 // the child on the line through this node, chosen last
}

const (
	// MaxMoments limits the moments of one History, all branches together.
	MaxMoments = 100_000

	// Nodes live in pages of this many, because one growing array would now and then copy
	// every moment within a single step.
	nodesPerPage = 128
)

// NewHistory returns a history that holds only the start.
func NewHistory[M any](start M) *History[M] {
	h := &History[M]{leaves: 1}
	h.add(node[M]{moment: start})
	h.line = []int32{0}
	return h
}

// Step moves the cursor by stepping a thread. If that thread was stepped from here before,
// the moment stored then is kept and the line goes on as it went then; otherwise the given
// moment is added. The error says that a limit is reached or the letter is invalid, and
// leaves everything as it was.
func (h *History[M]) Step(letter Letter, moment M) error {
	here := h.line[h.cursor]
	child, youngest := h.child(here, letter)
	if child == 0 {
		switch {
		case !IsLetter(letter):
			return &StepError{Step: h.cursor + 1, Letter: letter, Err: &threadError{letter, whyLetter}}
		case h.cursor == MaxLetters:
			return errors.New("history: " + strconv.Itoa(MaxLetters) +
				" steps in one line, the limit: go back and choose otherwise, or start again")
		case h.count == MaxMoments:
			return errors.New("history: " + strconv.Itoa(MaxMoments) +
				" moments in all branches, the limit: forget the other branches, or start again")
		}
		child = h.add(node[M]{moment: moment, letter: letter, depth: int32(h.cursor + 1), parent: here})
		if youngest == 0 {
			h.node(here).firstChild = child
		} else {
			h.node(youngest).next = child
			h.leaves++
		}
	}
	h.turn(h.cursor, child)
	h.cursor++
	return nil
}

// Back moves the cursor one step back and says whether there was one.
func (h *History[M]) Back() bool {
	if h.cursor == 0 {
		return false
	}
	h.cursor--
	return true
}

// Forward moves the cursor one step on along the current line and says whether there was one.
func (h *History[M]) Forward() bool {
	if h.cursor == h.Len() {
		return false
	}
	h.cursor++
	return true
}

// First moves the cursor to the start.
func (h *History[M]) First() { h.cursor = 0 }

// Last moves the cursor to the end of the current line.
func (h *History[M]) Last() { h.cursor = h.Len() }

// Jump moves the cursor to a moment of the current line, 0 to Len. Any other number is an
// error and leaves the cursor where it is.
func (h *History[M]) Jump(step int) error {
	if step < 0 || step > h.Len() {
		return h.noStep(step)
	}
	h.cursor = step
	return nil
}

// Cursor returns the moment at which the cursor stands: the number of steps taken to it.
func (h *History[M]) Cursor() int { return h.cursor }

// Len returns the number of steps of the current line, its steps after the cursor included.
func (h *History[M]) Len() int { return len(h.line) - 1 }

// Now returns the moment at the cursor.
func (h *History[M]) Now() M { return h.At(h.cursor) }

// At returns moment step of the current line, 0 to Len; it panics for any other number.
func (h *History[M]) At(step int) M { return h.node(h.line[step]).moment }

// Letter returns the letter of a step of the current line, 1 to Len; it panics for any
// other number.
func (h *History[M]) Letter(step int) Letter { return h.node(h.line[1:][step-1]).letter }

// Letters returns the schedule of the whole current line, its steps after the cursor included.
func (h *History[M]) Letters() []Letter {
	letters := make([]Letter, h.Len())
	for i := range letters {
		letters[i] = h.Letter(i + 1)
	}
	return letters
}

// Moments returns the number of moments stored, all branches together.
func (h *History[M]) Moments() int { return h.count }

// Forget drops everything but the current line; the cursor stays. A Line listed before is
// of no use after it.
func (h *History[M]) Forget() {
	kept := NewHistory(h.At(0))
	for step := 1; step <= h.Len(); step++ {
		if err := kept.Step(h.Letter(step), h.At(step)); err != nil {
			panic("schedule: a line of a history does not fit into a history: " + err.Error())
		}
	}
	kept.cursor = h.cursor
	*h = *kept
}

// turn makes the line pass through a child of moment step, and go on from there by the
// children preferred last.
func (h *History[M]) turn(step int, child int32) {
	if step < h.Len() && h.line[step+1] == child {
		// Walking the rest of the line again would make each known step cost its length.
		return
	}
	h.node(h.line[step]).preferred = child
	h.line = h.line[:step+1]
	for ; child != 0; child = h.node(child).preferred {
		h.line = append(h.line, child)
	}
}

// child returns the child of a node with a letter, and the youngest child; 0 means none.
func (h *History[M]) child(parent int32, letter Letter) (found, youngest int32) {
	for child := h.node(parent).firstChild; child != 0; child = h.node(child).next {
		if h.node(child).letter == letter {
			return child, youngest
		}
		youngest = child
	}
	return 0, youngest
}

func (h *History[M]) node(index int32) *node[M] {
	return &h.pages[index/nodesPerPage][index%nodesPerPage]
}

func (h *History[M]) add(n node[M]) int32 {
	if h.count%nodesPerPage == 0 {
		h.pages = append(h.pages, make([]node[M], 0, nodesPerPage))
	}
	last := len(h.pages) - 1
	h.pages[last] = append(h.pages[last], n)
	h.count++
	return int32(h.count - 1)
}

func (h *History[M]) noStep(step int) error {
	return errors.New("history: step " + strconv.Itoa(step) + ": the line has steps 0 to " + strconv.Itoa(h.Len()))
}
