package coalesce

import "unsafe"

// NewPacked is [New] for a model whose states are packed. New does not work out how, so
// that a program which never searches does not carry it.
func NewPacked(c Config) (*Model, error) {
	m, err := New(c)
	if err != nil {
		return nil, err
	}
	m.lay()
	return m, nil
}

// Packing keeps only the bytes of a [State] that a set-up can use, for searches
// that hold millions of them. Unpack(Pack(s)) == s for every reachable state.

// span is a run of bytes of a state that stand together in the packed form.
type span struct{ from, size uintptr }

// move carries up to eight bytes of a span at once: those of mask.
type move struct {
	from, at uintptr // in the state, in the packed form
	mask     uint64
}

// layout lists the used fields of a set-up, in the order of the state's memory.
type layout struct {
	spans []span
	size  int
	base  uintptr

	moves []move
	// tail are the last bytes, which a move of eight would leave one of the two by.
	tail   []span
	tailAt uintptr
}

// use adds a field, whose type has no padding: padding may hold anything.
func use[T any](l *layout, field *T) {
	at := uintptr(unsafe.Pointer(field)) - l.base
	size := unsafe.Sizeof(*field)
	l.size += int(size)
	if n := len(l.spans); n > 0 && l.spans[n-1].from+l.spans[n-1].size == at {
		l.spans[n-1].size += size
		return
	}
	l.spans = append(l.spans, span{at, size})
}

const word = 8

// cut makes moves of the spans. The bytes are as they lie in memory, so the order of
// bytes in a word does not matter, but for the masks, which hold the first ones.
func (l *layout) cut() {
	at := uintptr(0)
	for i, k := range l.spans {
		for done := uintptr(0); done < k.size; done += word {
			n := min(k.size-done, word)
			from := k.from + done
			if from+word > unsafe.Sizeof(State{}) || at+word > uintptr(l.size) {
				l.tail = append([]span{{from, k.size - done}}, l.spans[i+1:]...)
				l.tailAt = at
				return
			}
			mask := ^uint64(0)
			if n < word {
				mask = 1<<(8*n) - 1
			}
			l.moves = append(l.moves, move{from, at, mask})
			at += n
		}
	}
	l.tailAt = at
}

// PackedSize is the number of bytes that [Model.Pack] writes.
func (m *Model) PackedSize() int { return m.layout.size }

func load(p unsafe.Pointer, at uintptr) uint64     { return *(*uint64)(unsafe.Add(p, at)) }
func store(p unsafe.Pointer, at uintptr, v uint64) { *(*uint64)(unsafe.Add(p, at)) = v }

// Pack writes the state into to, which has at least PackedSize bytes. Moves go up in
// the packed form, so what one of them writes too much the next one mends.
func (m *Model) Pack(s *State, to []byte) {
	l := &m.layout
	from, p := unsafe.Pointer(s), unsafe.Pointer(unsafe.SliceData(to[:l.size]))
	for i := range l.moves {
		k := &l.moves[i]
		store(p, k.at, load(from, k.from))
	}
	at := l.tailAt
	for _, k := range l.tail {
		copy(to[at:], unsafe.Slice((*byte)(unsafe.Add(from, k.from)), k.size))
		at += k.size
	}
}

// Unpack reads what Pack wrote into s, which was zero or was last written by Unpack
// or by steps of this model.
func (m *Model) Unpack(from []byte, s *State) {
	l := &m.layout
	p, to := unsafe.Pointer(unsafe.SliceData(from[:l.size])), unsafe.Pointer(s)
	for i := range l.moves {
		k := &l.moves[i]
		store(to, k.from, load(to, k.from)&^k.mask|load(p, k.at)&k.mask)
	}
	at := l.tailAt
	for _, k := range l.tail {
		copy(unsafe.Slice((*byte)(unsafe.Add(to, k.from)), k.size), from[at:])
		at += k.size
	}
}

// Copy makes to equal from in what the set-up uses. Both are states of this model.
func (m *Model) Copy(to, from *State) {
	l := &m.layout
	t, f := unsafe.Pointer(to), unsafe.Pointer(from)
	for i := range l.moves {
		store(t, l.moves[i].from, load(f, l.moves[i].from))
	}
	for _, k := range l.tail {
		copy(unsafe.Slice((*byte)(unsafe.Add(t, k.from)), k.size), unsafe.Slice((*byte)(unsafe.Add(f, k.from)), k.size))
	}
}

// measured is a state whose fields' addresses are compared. It is never written, and
// it is a variable of the package because the stack may move while that goes on.
var measured State

// lay works out which fields the set-up can use. What it leaves out is zero in every
// reachable state; TestPack holds that.
func (m *Model) lay() {
	s := &measured
	l := &layout{base: uintptr(unsafe.Pointer(s))}
	for p := range m.parts {
		use(l, &s.Sealed[p])
	}
	for t := range m.tasks {
		for n := range m.Intervals(m.tasks[t].sink) {
			if m.writesIn(t, n) {
				b := &s.Blobs[t][n]
				use(l, &b.Parts)
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
	use(l, &s.Sweeper)
	use(l, &s.Torn)
	use(l, &s.Faults)
	l.cut()
	m.layout = *l
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
