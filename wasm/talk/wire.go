package talk

import (
	"strconv"

	"sharedbatches/core/brief"
)

// wire writes the fields of a message into a text, or reads them back: the same
// function does both, so that they cannot differ. A number is its digits and a blank;
// a text is its length in bytes, a colon and the bytes; a list is its length and its
// items.
type wire struct {
	out     []byte
	in      string
	reading bool
	broken  bool // what was read is no such message
}

func (w *wire) number(n *int) {
	if w.reading {
		*n = w.digits(' ')
		return
	}
	w.out = append(strconv.AppendInt(w.out, int64(*n), 10), ' ')
}

// digits reads a number up to a mark.
func (w *wire) digits(mark byte) int {
	for i := range w.in {
		if w.in[i] == mark {
			n, ok := brief.Int(w.in[:i])
			w.broken = w.broken || !ok
			w.in = w.in[i+1:]
			return int(n)
		}
	}
	w.broken = true
	return 0
}

func (w *wire) text(s *string) {
	if !w.reading {
		w.out = append(strconv.AppendInt(w.out, int64(len(*s)), 10), ':')
		w.out = append(w.out, *s...)
		return
	}
	n := w.digits(':')
	if n < 0 || n > len(w.in) {
		w.broken = true
	}
	if !w.broken {
		*s, w.in = w.in[:n], w.in[n:]
	}
}

func (w *wire) bool(b *bool) {
	var n int
	if *b {
		n = 1
	}
	w.number(&n)
	*b = n != 0
}

func list[T any](w *wire, items *[]T, each func(*wire, *T)) {
	n := len(*items)
	w.number(&n)
	if w.reading {
		if n < 0 || n > len(w.in) { // an item has a byte at least
			w.broken = true
		}
		if w.broken || n == 0 {
			return
		}
		*items = make([]T, n)
	}
	for i := range *items {
		each(w, &(*items)[i])
	}
}

func texts(w *wire, items *[]string) { list(w, items, (*wire).text) }
