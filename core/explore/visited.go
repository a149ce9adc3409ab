package explore

// visited is the set of seen states: a hash table with open addressing of (32 bits of hash, index of a state). The
// states themselves lie in the arena; the caller compares them in full when the bits of hash agree.
type visited struct {
	slots []uint64 // tag in the upper half, index + 1 in the lower; 0 is empty
	shift uint     // 32 - log2(len(slots))
	used  int
}

const (
	firstSlots = 1 << 10
	slotBytes  = 8
)

func (v *visited) init() {
	v.slots = make([]uint64, firstSlots)
	v.shift = 32 - 10
}

// tag takes 32 well-spread bits of a caller's hash; the multiplication forgives hashes that vary in few bits.
func tag(hash uint64) uint32 { return uint32(hash * 0x9E3779B97F4A7C15 >> 32) }

func (v *visited) bytes() int64 { return int64(len(v.slots)) * slotBytes }

// full reports whether k more entries would pass a load of two thirds.
func (v *visited) full(k int) bool { return 3*(v.used+k) > 2*len(v.slots) }

// grow doubles the table. The place of an entry is the top bits of its tag, so that old and new table are both
// passed in order and no state is touched.
func (v *visited) grow() {
	old := v.slots
	v.slots = make([]uint64, 2*len(old))
	if v.shift > 0 {
		v.shift--
	}
	for _, e := range old {
		if e != 0 {
			v.put(e)
		}
	}
}

func (v *visited) put(e uint64) {
	mask := len(v.slots) - 1
	at := int(uint32(e>>32)>>(v.shift&31)) & mask
	for v.slots[at] != 0 {
		at = (at + 1) & mask
	}
	v.slots[at] = e
}

// find returns the index of the state equal to *s, or -1 and the free slot where it belongs.
func (s *Search[S]) find(x *S, tag uint32) (index, slot int) {
	slots := s.visited.slots
	mask := len(slots) - 1
	at := int(tag>>(s.visited.shift&31)) & mask
	for {
		e := slots[at]
		if e == 0 {
			return -1, at
		}
		if uint32(e>>32) == tag {
			i := int(uint32(e)) - 1
			if *s.arena.state(i) == *x {
				return i, at
			}
		}
		at = (at + 1) & mask
	}
}
