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
	for i := range unsafe.Sizeof(*field) {
		useBits(l, (*uint8)(unsafe.Add(unsafe.Pointer(field), i)), 0xFF)
	}
}

// useBits adds the given bits of a field.
func useBits[T ~uint8 | ~uint16 | ~uint32 | ~bool](l *Packing, field *T, used T) {
	at := uintptr(unsafe.Pointer(field)) - l.base
	*(*T)(unsafe.Add(unsafe.Pointer(&l.used), at)) = used
}

// upTo adds a field whose values are 0 to most.
func upTo[T ~uint8](l *Packing, field *T, most int) {
	useBits(l, field, 1<<bits.Len(uint(most))-1)
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

// Packing works out which bits the set-up can use. What it leaves out is zero in every
// reachable state; TestPack and TestPackAny hold that.
func (m *Model) Packing() *Packing {
	s := &measured
	l := &Packing{base: uintptr(unsafe.Pointer(s))}
	tasks, parts := len(m.tasks), len(m.parts)
	for p := range m.parts {
		upTo(l, &s.Sealed[p], m.Intervals(m.parts[p].sink))
	}
	for t := range m.tasks {
		for n := range m.Intervals(m.tasks[t].sink) {
			if m.writesIn(t, n) {
				b := &s.Blobs[t][n]
				m.useParts(l, &b.Parts)
				upTo(l, &b.Status, int(blobStatusCount)-1)
				upTo(l, &b.Given, tasks)
				if m.Persist == WholePersist {
					f := &s.Flushed[t][n]
					for i := range f.Cut {
						m.useParts(l, &f.Cut[i])
					}
					upTo(l, &f.N, MaxFlushes)
					use(l, &f.Up)
					use(l, &f.Deleted)
				}
			}
		}
	}
	for t := range m.tasks {
		for parity := range min(m.Intervals(m.tasks[t].sink), 2) {
			m.useBatch(l, &s.Batches[2*t+parity])
		}
	}
	for p := range m.Processes {
		r := &s.Registries[p]
		for sink := range m.Sinks {
			for n := range m.Intervals(sink) {
				upTo(l, &r.Entries[entryOf(sink, n)], 2*tasks+1)
				if m.Mode == Barrier {
					use(l, &r.Skips[entryOf(sink, n)])
				}
			}
		}
		useBits(l, &r.Alive, 1<<m.lastId()-1)
		m.useSweeper(l, &r.Lock)
		upTo(l, &r.LastRetained, m.lastId())
		upTo(l, &r.Cursor, m.lastId()-1)
		upTo(l, &r.Loaded, tasks+2)
		useBits(l, &r.Poisoned, true)
	}
	for t := range m.tasks {
		k := &s.Tasks[t]
		upTo(l, &k.Line, lineStopped)
		upTo(l, &k.Interval, m.Intervals(m.tasks[t].sink))
		upTo(l, &k.Handle, 2*tasks)
		upTo(l, &k.Pushed, parts)
		upTo(l, &k.Panic, panicKindCount-1)
		if m.Whole == WholeSink {
			use(l, &k.Command)
			m.useParts(l, &k.Due)
		}
	}
	for t := range m.tasks {
		if len(m.Tasks[t].Skips) > 0 || m.Whole == WholeSink {
			use(l, &s.Timely[t])
		}
	}
	for i := range m.Sinks {
		k := &s.Sinks[i]
		upTo(l, &k.Upper, m.Intervals(i))
		m.useTasks(l, &k.Answered)
		m.useTasks(l, &k.Staged)
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
	if m.Persist == WholePersist {
		use(l, &s.Puts)
	} else {
		upTo(l, &s.Puts, len(m.blobs))
	}
	if m.Sweeper {
		use(l, &s.Sweeper)
	}
	if m.Teardown {
		m.useTasks(l, &s.Torn)
	}
	upTo(l, &s.Faults, int(ReportedTwice|PendingBelow|PushAfterFinish))
	l.cut()
	return l
}

func (m *Model) useBatch(l *Packing, b *Batch) {
	tasks, parts := len(m.tasks), len(m.parts)
	command := parts
	if m.Mode == Barrier {
		command = FinishCommand | tasks
	}
	upTo(l, &b.Id, m.lastId())
	m.useTasks(l, &b.Holders)
	m.useSweeper(l, &b.Temp)
	upTo(l, &b.Owner, tasks)
	for i := range b.Queue {
		upTo(l, &b.Queue[i], command)
	}
	useBits(l, &b.Closed, true)
	useBits(l, &b.Done, true)
	useBits(l, &b.Gone, true)
	upTo(l, &b.Panic, panicKindCount-1)
	m.useParts(l, &b.Got)
	if m.Mode == Barrier {
		use(l, &b.Pending)
		upTo(l, &b.Deliverer, tasks)
		useBits(l, &b.Finalized, true)
		m.useTasks(l, &b.Reported)
		m.useTasks(l, &b.Registered)
		m.useTasks(l, &b.Notified)
		upTo(l, &b.ReplyTo, tasks)
		useBits(l, &b.Poisoned, true)
	}
	if m.Persist == WholePersist {
		upTo(l, &b.Hand, parts)
	}
}

// lastId is the largest id of a batch: 1 + the last entry of the registry.
func (m *Model) lastId() int {
	last := len(m.Sinks) - 1
	return 1 + entryOf(last, m.Intervals(last)-1)
}

func (m *Model) useParts(l *Packing, field *Parts) { useBits(l, field, 1<<len(m.parts)-1) }

func (m *Model) useTasks(l *Packing, field *uint8) { useBits(l, field, 1<<len(m.tasks)-1) }

// useSweeper adds a field that holds 1 + a thread that sweeps or looks for skips, or 0. Write
// tasks have the smallest numbers.
func (m *Model) useSweeper(l *Packing, field *uint8) {
	for _, t := range m.threads {
		if role := t.Role(); role == Timely || role == Sweeper {
			use(l, field)
			return
		}
	}
	upTo(l, field, len(m.tasks))
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
