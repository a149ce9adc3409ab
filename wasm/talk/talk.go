// Package talk is what the page and the search say to each other. The search is a
// program of its own, search.wasm, so that a page which nobody asks to search does
// not carry it.
package talk

import "errors"

// The search talks with the page in messages, each one text. Page to search:
//
//	ask    what to search; what was found before is given back
//	query  where the reader stands: the ways left there, and the path to it
//
// and search to page:
//
//	progress  while it runs, every 100 ms
//	found     one world's answer, as markup, when that world is done
//	failed    the question cannot be asked
//	ways      the answer to a query
//
// An ask has a number, which all that follows from it carries, and a query has one
// within its ask: the page drops what is about something else. A Worker says "ready"
// when it listens. There is no message to cancel: the page ends the Worker.

const (
	askKind = iota
	queryKind
	progressKind
	foundKind
	failedKind
	waysKind
)

// Message is any of the messages.
type Message interface {
	kind() int
	fields(w *wire)
}

type Ask struct {
	Number  int
	Worlds  string   // a scenario for each world, of which only name and set-up count, as compact writes them
	Whole   bool     // whole calls, not single steps
	Last    []string // threads that move only when no other can
	States  int      // most states of a world; 0 is no limit
	Seconds int      // most seconds for a world; 0 is no limit
}

func (*Ask) kind() int { return askKind }
func (m *Ask) fields(w *wire) {
	w.number(&m.Number)
	w.text(&m.Worlds)
	w.bool(&m.Whole)
	texts(w, &m.Last)
	w.number(&m.States)
	w.number(&m.Seconds)
}

type Query struct {
	Number, Tag int
	Letters     []string // from the start to where the reader stands
}

func (*Query) kind() int { return queryKind }
func (m *Query) fields(w *wire) {
	w.number(&m.Number)
	w.number(&m.Tag)
	texts(w, &m.Letters)
}

type Progress struct {
	Number, World                         int
	Phase                                 string
	States, Transitions, Depth, Frontier  int
	Milliseconds, PerSecond, Bytes, Asked int // Asked is how many worlds there are
}

func (*Progress) kind() int { return progressKind }
func (m *Progress) fields(w *wire) {
	w.number(&m.Number)
	w.number(&m.World)
	w.text(&m.Phase)
	for _, n := range []*int{&m.States, &m.Transitions, &m.Depth, &m.Frontier, &m.Milliseconds, &m.PerSecond, &m.Bytes, &m.Asked} {
		w.number(n)
	}
}

type Found struct {
	Number, World int
	Claim         string // one sentence
	Markup        string
	Last          bool // no world comes after
}

func (*Found) kind() int { return foundKind }
func (m *Found) fields(w *wire) {
	w.number(&m.Number)
	w.number(&m.World)
	w.text(&m.Claim)
	w.text(&m.Markup)
	w.bool(&m.Last)
}

type Failed struct {
	Number int
	Why    string
}

func (*Failed) kind() int { return failedKind }
func (m *Failed) fields(w *wire) {
	w.number(&m.Number)
	w.text(&m.Why)
}

type Ways struct {
	Number, Tag int
	Worlds      []WaysIn
}

// WaysIn are the ways left in one world.
type WaysIn struct {
	Here    string // about the state itself
	Path    string // markup of the path to it
	Threads []WaysOf
}

// WaysOf are the ways left once a thread has moved.
type WaysOf struct{ Name, Text, Exact string }

func (*Ways) kind() int { return waysKind }
func (m *Ways) fields(w *wire) {
	w.number(&m.Number)
	w.number(&m.Tag)
	list(w, &m.Worlds, func(w *wire, in *WaysIn) {
		w.text(&in.Here)
		w.text(&in.Path)
		list(w, &in.Threads, func(w *wire, of *WaysOf) {
			w.text(&of.Name)
			w.text(&of.Text)
			w.text(&of.Exact)
		})
	})
}

// Encode writes a message.
func Encode(m Message) string {
	var w wire
	kind := m.kind()
	w.number(&kind)
	m.fields(&w)
	return string(w.out)
}

// Decode reads a message.
func Decode(text string) (Message, error) {
	w := wire{in: text, reading: true}
	var kind int
	w.number(&kind)
	var m Message
	switch kind {
	case askKind:
		m = &Ask{}
	case queryKind:
		m = &Query{}
	case progressKind:
		m = &Progress{}
	case foundKind:
		m = &Found{}
	case failedKind:
		m = &Failed{}
	case waysKind:
		m = &Ways{}
	}
	if m == nil || w.broken {
		return nil, errors.New("search: no such Message")
	}
	m.fields(&w)
	if w.broken || w.in != "" {
		return nil, errors.New("search: a Message is cut or has too much")
	}
	return m, nil
}
