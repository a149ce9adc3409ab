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

	packing *coalesce.Packing
	trial   *coalesce.Trial
	key     K              // of the state that is tried,
	tried   bool           // if that is known
	other   coalesce.State // any other state that is asked about
	// canon makes a state canonical; nil without symmetry.
	canon func(s *coalesce.State)
}

func newSpace[K words](m *coalesce.Model, q *Question) *space[K] {
	sp := &space[K]{m: m, grain: q.Grain, threads: m.Threads()}
	sp.last = make([]bool, len(sp.threads))
	sp.packing = m.Packing()
	sp.trial = sp.packing.NewTrial()
	for i, t := range sp.threads {
		for _, name := range q.Last {
			if m.Name(t) == name {
				sp.last[i], sp.anyLast = true, true
			}
		}
	}
	return sp
}

func wordsOf[K words](k *K) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(k)), unsafe.Sizeof(*k)/8)
}

func (sp *space[K]) pack(s *coalesce.State) (k K) {
	sp.packing.Pack(s, wordsOf(&k))
	return k
}

// look is the state that k stands for, until the next call.
func (sp *space[K]) look(k *K) *coalesce.State {
	if sp.tried && *k == sp.key {
		return sp.trial.State()
	}
	sp.packing.Unpack(wordsOf(k), &sp.other)
	return &sp.other
}

// put tries the state that k stands for.
func (sp *space[K]) put(k *K) *coalesce.State {
	if !sp.tried || *k != sp.key {
		sp.key, sp.tried = *k, true
		sp.trial.Put(wordsOf(k))
	}
	return sp.trial.State()
}

func (sp *space[K]) Start() K {
	s := sp.m.Start()
	return sp.pack(&s)
}

func (sp *space[K]) Threads() int { return len(sp.threads) }

func (sp *space[K]) Next(from *K, thread int, to *K) bool {
	s := sp.put(from)
	if sp.anyLast && sp.last[thread] && sp.freeMoves(s) || !sp.step(s, sp.threads[thread]) {
		return false
	}
	*to = *from
	sp.trial.Take(wordsOf(to))
	return true
}

func (sp *space[K]) Expands(symmetry bool) bool { return symmetry == (sp.canon != nil) }

func (sp *space[K]) Expand(from *K, to []K, hash []uint64) (enabled uint64, marks uint32) {
	sp.tried = false // a search does not ask about the state again: its key is not worth a copy
	sp.trial.Put(wordsOf(from))
	s := sp.trial.State()
	n := 0
	for i, t := range sp.threads {
		if s.Unspawned(t) || sp.anyLast && sp.last[i] && sp.freeMoves(s) || !sp.step(s, t) {
			continue
		}
		if sp.canon != nil {
			sp.canon(s)
		}
		next := &to[n]
		*next = *from
		hash[n] = sp.trial.Take(wordsOf(next))
		n++
		enabled |= 1 << i
	}
	return enabled, sp.marks(s)
}

// step performs a transition, or changes nothing.
func (sp *space[K]) step(s *coalesce.State, t coalesce.Thread) bool {
	if sp.grain == Atomic {
		return sp.m.Step(s, t, nil).Kind == coalesce.Free
	}
	line := sp.m.Line(s, t)
	if sp.m.Step(s, t, nil).Kind != coalesce.Free {
		return false
	}
	for !sp.m.CallOver(s, t, line) {
		if sp.m.Step(s, t, nil).Kind != coalesce.Free {
			break
		}
	}
	return true
}

// freeMoves tells whether some thread moves that is not one of the last.
func (sp *space[K]) freeMoves(s *coalesce.State) bool {
	for i, t := range sp.threads {
		if !sp.last[i] && sp.m.Blocked(s, t).Kind == coalesce.Free {
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

func (sp *space[K]) Marks(k *K) uint32 { return sp.marks(sp.look(k)) }

func (sp *space[K]) marks(s *coalesce.State) uint32 {
	orphaned, broken := sp.m.Judge(s)
	marks := broken << markInvariants
	if orphaned {
		marks |= 1 << MarkOrphaned
	}
	if s.Torn == 0 && sp.m.LostParts(s) != 0 {
		marks |= 1 << MarkWrongSeal
	}
	if sp.m.SecondBatch(s) {
		marks |= 1 << MarkSecondBatch
	}
	return marks
}

func (sp *space[K]) Hash(k *K) uint64 { return sp.packing.Hash(wordsOf(k)) }
