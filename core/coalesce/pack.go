package coalesce

import (
	"math/bits"
	"unsafe"
)

// Packing keeps only the bits of a [State] that a set-up can use, in whole words, for
// searches that hold millions of states. Unpack(Pack(s)) == s for every reachable state.
type Packing struct {
	pieces []piece
	words  int
	base   uintptr
	used   State // all ones in the bits that the set-up can use
}

// use adds a field, whose type has no padding: padding may hold anything.
func use[T any](l *Packing, field *T) {
	at := uintptr(unsafe.Pointer(field)) - l.base
	for i := range unsafe.Sizeof(*field) {
		*(*uint8)(unsafe.Add(unsafe.Pointer(&l.used), at+i)) = 0xFF
	}
}

// narrow takes back the bits of parts that the set-up does not have.
func (m *Model) narrow(l *Packing, field *Parts) {
	at := uintptr(unsafe.Pointer(field)) - l.base
	*(*Parts)(unsafe.Add(unsafe.Pointer(&l.used), at)) = 1<<len(m.parts) - 1
}

// Words is the number of words that [Packing.Pack] writes.
func (l *Packing) Words() int { return l.words }

// Pack writes the state into the first Words words of to and zeros into the others.
func (l *Packing) Pack(s *State, to []uint64) {
	clear(to)
	from, p := unsafe.Pointer(s), unsafe.Pointer(unsafe.SliceData(to[:l.words]))
	for i := range l.pieces {
		k := &l.pieces[i]
		store(p, k.word, load(p, k.word)|bits.RotateLeft64(load(from, k.at)&k.mask, k.turn))
	}
}

// Unpack reads what Pack wrote into s, which was zero or was last written by Unpack
// or by steps of the same model.
func (l *Packing) Unpack(from []uint64, s *State) {
	p, to := unsafe.Pointer(unsafe.SliceData(from[:l.words])), unsafe.Pointer(s)
	for i := range l.pieces {
		k := &l.pieces[i]
		store(to, k.at, load(to, k.at)&^k.mask|k.of(p))
	}
}

// Hash is a function of everything that the packed form holds: a sum over the pieces, so
// that a [Trial] can mend it piece by piece.
func (l *Packing) Hash(from []uint64) uint64 {
	p := unsafe.Pointer(unsafe.SliceData(from[:l.words]))
	var sum uint64
	for i := range l.pieces {
		sum += l.pieces[i].mix(l.pieces[i].of(p))
	}
	return sum
}

// measured is a state whose fields' addresses are compared. It is never written, and
// it is a variable of the package because the stack may move while that goes on.
var measured State

// Packing works out which fields the set-up can use. What it leaves out is zero in every
// reachable state; TestPack holds that.
func (m *Model) Packing() *Packing {
	s := &measured
	l := &Packing{base: uintptr(unsafe.Pointer(s))}
	for p := range m.parts {
		use(l, &s.Sealed[p])
	}
	for t := range m.tasks {
		for n := range m.Intervals(m.tasks[t].sink) {
			if m.writesIn(t, n) {
				b := &s.Blobs[t][n]
				use(l, &b.Parts)
				m.narrow(l, &b.Parts)
				use(l, &b.Status)
				use(l, &b.Given)
				if m.Persist == WholePersist {
					f := &s.Flushed[t][n]
					use(l, &f.Cut)
					use(l, &f.N)
					use(l, &f.Up)
					use(l, &f.Deleted)
				}
			}
		}
	}
	for t := range m.tasks {
		for parity := range min(m.Intervals(m.tasks[t].sink), 2) {
			b := &s.Batches[2*t+parity]
			use(l, &b.batch)
			m.narrow(l, &b.Got)
			if m.Mode == Barrier {
				use(l, &b.barrier)
			}
			if m.Persist == WholePersist {
				use(l, &b.Hand)
			}
		}
	}
	for p := range m.Processes {
		r := &s.Registries[p]
		for sink := range m.Sinks {
			for n := range m.Intervals(sink) {
				use(l, &r.Entries[entryOf(sink, n)])
			}
		}
		use(l, &r.Alive)
		use(l, &r.Lock)
		use(l, &r.LastRetained)
		use(l, &r.Cursor)
		use(l, &r.Loaded)
		use(l, &r.Poisoned)
		if m.Mode == Barrier {
			for sink := range m.Sinks {
				for n := range m.Intervals(sink) {
					use(l, &r.Skips[entryOf(sink, n)])
				}
			}
		}
	}
	for t := range m.tasks {
		k := &s.Tasks[t]
		use(l, &k.Line)
		use(l, &k.Interval)
		use(l, &k.Handle)
		use(l, &k.Pushed)
		use(l, &k.Panic)
		if m.Whole == WholeSink {
			use(l, &k.Command)
			use(l, &k.Due)
			m.narrow(l, &k.Due)
		}
	}
	for t := range m.tasks {
		if len(m.Tasks[t].Skips) > 0 || m.Whole == WholeSink {
			use(l, &s.Timely[t])
		}
	}
	for i := range m.Sinks {
		k := &s.Sinks[i]
		use(l, &k.Upper)
		use(l, &k.Answered)
		use(l, &k.Staged)
		if m.Whole == WholeSink {
			use(l, &k.Minted)
			use(l, &k.Taken)
			use(l, &k.Desc)
			use(l, &k.Stash)
			use(l, &k.Replica)
		}
		if m.Persist == WholePersist {
			use(l, &k.Labels)
		}
	}
	use(l, &s.Puts)
	if m.Sweeper {
		use(l, &s.Sweeper)
	}
	if m.Teardown {
		use(l, &s.Torn)
	}
	use(l, &s.Faults)
	l.cut()
	return l
}

// writesIn tells whether a task's batch of interval n can become an object.
func (m *Model) writesIn(t, n int) bool {
	for p := range m.parts {
		if m.tasks[m.parts[p].task].sink == m.tasks[t].sink && m.parts[p].interval <= n {
			return true
		}
	}
	return false
}
