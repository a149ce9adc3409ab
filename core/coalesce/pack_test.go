package coalesce

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
	"unsafe"
)

// TestPack checks that packing loses nothing on every state of every small variant,
// and that different states get different bytes.
func TestPack(t *testing.T) {
	for _, c := range variants() {
		m, err := New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		v := &verdicts{m: m, seen: map[State][4]*big.Int{}}
		v.runs(m.Start())
		l := m.Packing()
		buf := make([]uint64, l.Words())
		packed := map[string]bool{}
		for s := range v.seen {
			l.Pack(&s, buf)
			var back State
			l.Unpack(buf, &back)
			if back != s {
				t.Fatalf("%s: a state changed by packing\n%+v\n%+v", c.name, s, back)
			}
			packed[fmt.Sprint(buf)] = true
		}
		if len(packed) != len(v.seen) {
			t.Errorf("%s: %d states became %d", c.name, len(v.seen), len(packed))
		}
		if size := 8 * l.Words(); size > int(unsafe.Sizeof(State{})) {
			t.Errorf("%s: %d bytes packed, %d unpacked", c.name, size, unsafe.Sizeof(State{}))
		}
	}
}

// TestTrial checks that a trial of a state finds the same successors, and the same hashes,
// as steps of a copy, and that it leaves the state as it was, on every state of every small
// variant.
func TestTrial(t *testing.T) {
	for _, c := range variants() {
		m, err := New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		v := &verdicts{m: m, seen: map[State][4]*big.Int{}}
		v.runs(m.Start())
		l := m.Packing()
		x := l.NewTrial()
		from, got, want := make([]uint64, l.Words()), make([]uint64, l.Words()), make([]uint64, l.Words())
		for s := range v.seen {
			l.Pack(&s, from)
			x.Put(from)
			for _, th := range m.Threads() {
				to := s
				free := m.Step(&to, th, nil).Kind == Free
				if free != (m.Step(x.State(), th, nil).Kind == Free) || s.Unspawned(th) && free {
					t.Fatalf("%s: %s is enabled, or not, otherwise than in a copy", c.name, m.Name(th))
				}
				if *x.State() != to {
					t.Fatalf("%s: %s led elsewhere than in a copy", c.name, m.Name(th))
				}
				l.Pack(&to, want)
				copy(got, from)
				if hash := x.Take(got); hash != l.Hash(want) || !slices.Equal(got, want) {
					t.Fatalf("%s: %s: a trial took %x, hash %x, want %x, hash %x", c.name, m.Name(th), got, hash, want, l.Hash(want))
				}
				if *x.State() != s {
					t.Fatalf("%s: %s left a trace\n%+v\n%+v", c.name, m.Name(th), *x.State(), s)
				}
			}
		}
	}
}
