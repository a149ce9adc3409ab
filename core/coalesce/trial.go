package coalesce

import (
	"math/bits"
	"unsafe"
)

// A Trial is where the steps of one packed state are tried, one after the other. What a
// step changed is found by comparison with a second copy, and undone from there: a step
// touches few pieces, so that neither the state nor its packed form is ever copied whole.
type Trial struct {
	pair   [2]slate // the one that steps, the one that stays
	pieces []tried
	sum    uint64 // hash of the one that stays
	words  int
}

// A slate is a state whose size is a whole number of words.
type slate struct {
	State
	_ [(word - unsafe.Sizeof(State{})%word) % word]uint8
}

// tried is a piece with its share in the sum.
type tried struct {
	piece
	mixed uint64
}

// NewTrial is a trial of the zero state.
func (l *Packing) NewTrial() *Trial {
	x := &Trial{pieces: make([]tried, len(l.pieces)), words: l.words}
	for i, k := range l.pieces {
		x.pieces[i] = tried{k, k.mix(0)}
		x.sum += x.pieces[i].mixed
	}
	return x
}

// stays is the distance of the two states.
const stays = unsafe.Sizeof(slate{})

// State is the one to step. What is done to it lasts until Take.
func (x *Trial) State() *State { return &x.pair[0].State }

// Put makes it a trial of the state of a packed form.
func (x *Trial) Put(packed []uint64) {
	from, p := unsafe.Pointer(unsafe.SliceData(packed[:x.words])), unsafe.Pointer(&x.pair)
	var sum uint64
	pieces := x.pieces
	for i := range pieces {
		k := &pieces[i]
		v := k.of(from)
		now := load(p, k.at+stays)&^k.mask | v
		store(p, k.at, now)
		store(p, k.at+stays, now)
		mixed := k.mix(v)
		k.mixed = mixed
		sum += mixed
	}
	x.sum = sum
}

// Take changes packed, a copy of what was put, to the state as the steps left it, undoes
// them, and returns the hash of the result.
func (x *Trial) Take(packed []uint64) (hash uint64) {
	to, p := unsafe.Pointer(unsafe.SliceData(packed[:x.words])), unsafe.Pointer(&x.pair)
	hash = x.sum
	pieces := x.pieces
	for i := range pieces {
		k := &pieces[i]
		now, was := load(p, k.at), load(p, k.at+stays)
		if now == was {
			continue
		}
		changed := (now ^ was) & k.mask
		if changed == 0 { // another piece of the same bytes, or padding
			continue
		}
		store(p, k.at, now^changed)
		store(to, k.word, load(to, k.word)^bits.RotateLeft64(changed, k.turn))
		hash += k.mix(now&k.mask) - k.mixed
	}
	return hash
}
