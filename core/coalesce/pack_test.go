package coalesce

import (
	"math/big"
	"testing"
	"unsafe"
)

// TestPack checks that packing loses nothing on every state of every small variant,
// and that different states get different bytes.
func TestPack(t *testing.T) {
	for _, c := range variants() {
		m, err := NewPacked(c.config)
		if err != nil {
			t.Fatal(err)
		}
		v := &verdicts{m: m, seen: map[State][4]*big.Int{}}
		v.runs(m.Start())
		size := m.PackedSize()
		buf := make([]byte, size)
		packed := map[string]bool{}
		for s := range v.seen {
			m.Pack(&s, buf)
			var back State
			m.Unpack(buf, &back)
			if back != s {
				t.Fatalf("%s: a state changed by packing\n%+v\n%+v", c.name, s, back)
			}
			packed[string(buf)] = true
		}
		if len(packed) != len(v.seen) {
			t.Errorf("%s: %d states became %d", c.name, len(v.seen), len(packed))
		}
		if size > int(unsafe.Sizeof(State{})) {
			t.Errorf("%s: %d bytes packed, %d unpacked", c.name, size, unsafe.Sizeof(State{}))
		}
	}
}
