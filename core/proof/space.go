package proof

import (
	"unsafe"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/explore"
)

// Grain is what one transition of the search is.
type Grain uint8

const (
	Atomic Grain = iota // one line
	Call                // a whole call: until it returns or blocks
)

func (g Grain) String() string {
	if g == Call {
		return "call"
	}
	return "atomic"
}

// The marks of a state: conditions whose first occurrence is of interest. Those of
// the invariants follow, by their number.
const (
	MarkOrphaned = iota
	MarkWrongSeal
	MarkSecondBatch // an append seals two batches of one process
	markInvariants
)

// space is a model as the search wants it.
type space[K words] struct {
	m       *coalesce.Model
	grain   Grain
	last    []bool // by index of thread: moves only when no other can
	anyLast bool
	threads []coalesce.Thread

	from  unpacked[K]   // the state that Next was last asked about
	next  []unpacked[K] // its successors, in the order in which they were found
	found int
	clean bool        // next[found] equals from: no step has changed it
	other unpacked[K] // any other state that was asked about
}

// unpacked is a state beside its packed form, so that questions about the same one
// in a row unpack it once.
type unpacked[K words] struct {
	key K
	ok  bool
	coalesce.State
}

func newSpace[K words](m *coalesce.Model, q *Question) *space[K] {
	sp := &space[K]{m: m, grain: q.Grain, threads: m.Threads()}
	sp.last = make([]bool, len(sp.threads))
	sp.next = make([]unpacked[K], len(sp.threads))
	for i, t := range sp.threads {
		for _, name := range q.Last {
			if m.Name(t) == name {
				sp.last[i], sp.anyLast = true, true
			}
		}
	}
	return sp
}

func bytesOf[K words](k *K) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(k)), unsafe.Sizeof(*k))
}

func (sp *space[K]) pack(s *coalesce.State) (k K) {
	sp.m.Pack(s, bytesOf(&k))
	return k
}

// look is the state that k stands for. A search asks about the successors that it
// has just found, in their order.
func (sp *space[K]) look(k *K) *coalesce.State {
	for i := range sp.next[:sp.found] {
		if u := &sp.next[i]; *k == u.key {
			return &u.State
		}
	}
	if !sp.other.ok || *k != sp.other.key {
		sp.other.key, sp.other.ok = *k, true
		sp.m.Unpack(bytesOf(k), &sp.other.State)
	}
	return &sp.other.State
}

func (sp *space[K]) Start() K {
	s := sp.m.Start()
	return sp.pack(&s)
}

func (sp *space[K]) Threads() int { return len(sp.threads) }

func (sp *space[K]) Next(from *K, thread int, to *K) bool {
	if !sp.from.ok || *from != sp.from.key {
		sp.from.key, sp.from.ok = *from, true
		sp.m.Unpack(bytesOf(from), &sp.from.State)
		sp.found, sp.clean = 0, false
	}
	if sp.found == len(sp.next) {
		sp.found, sp.clean = 0, false // the same state is asked about again
	}
	t := sp.threads[thread]
	if sp.anyLast && sp.last[thread] && sp.freeMoves() {
		return false
	}
	u := &sp.next[sp.found]
	s := &u.State
	if !sp.clean {
		sp.m.Copy(s, &sp.from.State)
		sp.clean = true
	}
	line := 0
	if sp.grain == Call {
		line = sp.m.Line(s, t)
	}
	if sp.m.Step(s, t, nil).Kind != coalesce.Free {
		return false
	}
	for sp.grain == Call && !sp.m.CallOver(s, t, line) {
		if sp.m.Step(s, t, nil).Kind != coalesce.Free {
			break
		}
	}
	sp.m.Pack(s, bytesOf(&u.key))
	*to = u.key
	sp.found, sp.clean = sp.found+1, false
	return true
}

// freeMoves tells whether some thread moves that is not one of the last.
func (sp *space[K]) freeMoves() bool {
	for i, t := range sp.threads {
		if !sp.last[i] && sp.m.Blocked(&sp.from.State, t).Kind == coalesce.Free {
			return true
		}
	}
	return false
}

func (sp *space[K]) End(k *K) explore.Verdict {
	s := sp.look(k)
	switch sp.m.Classify(s) {
	case coalesce.Crashed:
		return explore.Panicked
	case coalesce.Deadlocked:
		return explore.Deadlocked
	case coalesce.Losing:
		if sp.m.LostAll(s) {
			return explore.LosingAll
		}
		return explore.LosingPart
	}
	return explore.Safe
}

func (sp *space[K]) Marks(k *K) uint32 {
	s := sp.look(k)
	var marks uint32
	if sp.m.Orphaned(s) {
		marks |= 1 << MarkOrphaned
	}
	if s.Torn == 0 && sp.m.LostParts(s) != 0 {
		marks |= 1 << MarkWrongSeal
	}
	if sp.m.SecondBatch(s) {
		marks |= 1 << MarkSecondBatch
	}
	return marks | sp.m.Violations(s)<<markInvariants
}

func (sp *space[K]) Hash(k *K) uint64 {
	// Four lanes, so that multiplications do not wait for each other.
	var a, b, c, d uint64 = 1, 2, 3, 4
	for i := 0; i+3 < len(*k); i += 4 {
		a = explore.Mix(a, (*k)[i])
		b = explore.Mix(b, (*k)[i+1])
		c = explore.Mix(c, (*k)[i+2])
		d = explore.Mix(d, (*k)[i+3])
	}
	return explore.Mix(explore.Mix(a, b), explore.Mix(c, d))
}
