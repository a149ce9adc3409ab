package coalesce

import (
	"math/bits"
	"slices"
	"unsafe"
)

// A piece is some used bits of eight bytes of a state, turned to where a word of the
// packed form has room for them.
type piece struct {
	at     uintptr // in the state
	mask   uint64  // which bits
	word   uintptr // in the packed form, in bytes
	turn   int
	factor uint64 // of the hash
}

const word = 8

func load(p unsafe.Pointer, at uintptr) uint64     { return *(*uint64)(unsafe.Add(p, at)) }
func store(p unsafe.Pointer, at uintptr, v uint64) { *(*uint64)(unsafe.Add(p, at)) = v }

// of is the piece of a packed form, as it lies in the state.
func (k *piece) of(packed unsafe.Pointer) uint64 {
	return bits.RotateLeft64(load(packed, k.word), -k.turn) & k.mask
}

// mix is the share of a piece in the hash.
func (k *piece) mix(v uint64) uint64 { return fold((v + k.factor) * k.factor) }

func fold(v uint64) uint64 { return v ^ v>>32 }

// cut makes pieces of the used bits. The largest are placed first, each in the first word
// that has room where it has bits. One that finds none is parted, if that saves a word: a
// piece more costs little, a word more costs eight bytes in each state.
func (l *Packing) cut() {
	pieces := l.windows()
	slices.SortStableFunc(pieces, func(a, b piece) int { return bits.OnesCount64(b.mask) - bits.OnesCount64(a.mask) })
	var taken []uint64
	for _, k := range pieces {
		if !k.fit(taken) {
			if a, b, ok := k.part(taken); ok {
				l.pieces = append(l.pieces, a, b)
				continue
			}
			taken = append(taken, 0)
			k.fit(taken)
		}
		l.pieces = append(l.pieces, k)
	}
	l.words = len(taken)
	slices.SortStableFunc(l.pieces, func(a, b piece) int { return int(a.at) - int(b.at) })
	for i := range l.pieces {
		l.pieces[i].factor = fold(uint64(i+1)*0xD1342543DE82EF95) | 1
	}
}

// windows covers the used bytes with the fewest runs of eight.
func (l *Packing) windows() (pieces []piece) {
	p := unsafe.Pointer(&l.used)
	for at := uintptr(0); at < unsafe.Sizeof(State{}); at++ {
		if *(*uint8)(unsafe.Add(p, at)) == 0 {
			continue
		}
		k := piece{at: min(at, unsafe.Sizeof(State{})-word)} // the last one may overlap its predecessor
		k.mask = load(p, k.at)
		clear(unsafe.Slice((*uint8)(unsafe.Pointer(&k.mask)), at-k.at))
		pieces = append(pieces, k)
		at = k.at + word - 1
	}
	return pieces
}

// fit turns the piece into the first word with room.
func (k *piece) fit(taken []uint64) bool {
	for w := range taken {
		for turn := range 64 {
			if turned := bits.RotateLeft64(k.mask, turn); turned&taken[w] == 0 {
				k.word, k.turn = uintptr(w)*word, turn
				taken[w] |= turned
				return true
			}
		}
	}
	return false
}

// part fits the piece as two, parted between two bytes; when no two fit, ok is false and
// taken is as before.
func (k piece) part(taken []uint64) (a, b piece, ok bool) {
	was := slices.Clone(taken)
	for cut := 8 * (word - 1); cut > 0; cut -= 8 {
		a, b = k, k
		a.mask &= 1<<cut - 1
		b.mask &^= a.mask
		if a.mask != 0 && b.mask != 0 && a.fit(taken) && b.fit(taken) {
			return a, b, true
		}
		copy(taken, was)
	}
	return a, b, false
}
