package coalesce

// The registry's side of builder(): the mutex, the amortised sweep with its
// probes, and join or create. The mutex is held from the lock line to the join
// line, so lines of other threads that need it are blocked; finish never needs it.

func readyLock(m *Model, s *State, t Thread) Block {
	if t.Role() == WriteTask {
		if b := readyTurn(m, s, t); b.Kind != Free {
			return b
		}
	}
	if r := m.Registry(s, t); r.Lock != 0 {
		return Block{LockHeld, int64(r.Lock - 1)}
	}
	return Block{}
}

func doLock(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	m.begin(s, t, es)
	r := m.Registry(s, t)
	if r.Poisoned {
		m.panics(s, t, PoisonedLock, es)
		return
	}
	r.Lock = uint8(t) + 1
	k.Line = LineTest
	es.add(event(Locked, t))
}

// readyTurn is whether a write task may begin an interval: it has a command for it,
// or, with the short sink, the shard has reached it.
func readyTurn(m *Model, s *State, t Thread) Block {
	k := &s.Tasks[t]
	sink := m.tasks[t].sink
	switch {
	case m.Whole == WholeSink && k.Command == 0:
		return Block{Kind: NoCommand}
	case m.Whole == ShortSink && s.Sinks[sink].Upper < k.Interval:
		return Block{NotOpen, m.Sinks[sink].Bounds[k.Interval]}
	}
	return Block{}
}

// begin takes the command and reads what there is to write.
func (m *Model) begin(s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	if m.Whole == WholeSink {
		k.Interval = k.Command - 1
		k.Command = 0
		list, n := m.due(s, int(t))
		for _, p := range list[:n] {
			k.Due |= 1 << p
		}
	}
	if es == nil {
		return
	}
	_, due := m.due(s, int(t))
	e := event(Opened, t)
	e.A, e.B = int32(k.Interval), int32(due)
	es.add(e)
}

func doTest(m *Model, s *State, t Thread, es *Events) {
	r := m.Registry(s, t)
	size := r.Size()
	e := event(SweepTested, t)
	e.A, e.B = int32(size), int32(r.LastRetained)
	es.add(e)
	// The test runs before the caller's own id is inserted and counts dead entries too.
	if size > 2*int(r.LastRetained) {
		r.Cursor = r.next(0)
		s.Tasks[t].Line = LineProbeBegin
		if int(r.Cursor) == len(r.Entries) {
			// Only entries of forgotten intervals are left; their probes find them dead.
			r.Cursor = 0
			s.Tasks[t].Line = LineRetain
		}
	} else {
		s.Tasks[t].Line = LineJoin
	}
}

// next is the first entry at or after i that is in the map, or the map's length.
func (r *Registry) next(i uint8) uint8 {
	for int(i) < len(r.Entries) && r.Entries[i] == 0 {
		i++
	}
	return i
}

// doProbeBegin decides whether the entry is alive. Under upgrade it takes a
// temporary: increment unless zero, atomic here, because the original's
// compare-and-swap loop retries until it succeeds or sees zero and so adds no
// behaviour. Under strong_count it loads the count.
func doProbeBegin(m *Model, s *State, t Thread, es *Events) {
	r := m.Registry(s, t)
	slot, ok := r.Entries[r.Cursor].Slot()
	e := event(ProbeMissed, t)
	e.Entry = int8(r.Cursor)
	if ok {
		b := &s.Batches[slot]
		count := b.Count()
		e.Slot, e.A = int8(slot), int32(count)
		r.Alive |= 1 << r.Cursor
		if m.Probe == Upgrade {
			b.Temp = uint8(t) + 1
			e.Kind, e.B = ProbeTook, int32(count+1)
		} else {
			r.Loaded = uint8(count) + 1
			e.Kind = ProbeLoaded
		}
	} else if m.Probe == StrongCount {
		r.Loaded = 1
		e.Kind = ProbeLoaded
	}
	es.add(e)
	m.sweepTo(s, t, LineProbeEnd, SweepEnd)
}

// doProbeEnd drops the temporary, which may be the last reference, or compares
// the loaded count with zero. An entry that was alive at the begin stays, even if
// this drop killed it: a later sweep removes it.
func doProbeEnd(m *Model, s *State, t Thread, es *Events) {
	r := m.Registry(s, t)
	e := event(ProbeDead, t)
	e.Entry = int8(r.Cursor)
	if r.Alive>>r.Cursor&1 != 0 {
		e.Kind = ProbeKept
		if m.Probe == Upgrade {
			slot, _ := r.Entries[r.Cursor].Slot()
			b := &s.Batches[slot]
			d := e
			d.Kind, d.Slot, d.A = ProbeDropped, int8(slot), int32(b.Count())
			d.B = d.A - 1
			es.add(d)
			b.Temp = 0
			m.dropped(s, slot, t, es)
		} else {
			e.A = int32(r.Loaded) - 1
		}
	}
	es.add(e)
	r.Loaded = 0
	r.Cursor = r.next(r.Cursor + 1)
	if int(r.Cursor) < len(r.Entries) {
		m.sweepTo(s, t, LineProbeBegin, SweepBegin)
	} else {
		r.Cursor = 0
		m.sweepTo(s, t, LineRetain, SweepRetain)
	}
}

// sweepTo moves whichever program runs the sweep to its line.
func (m *Model) sweepTo(s *State, t Thread, write, bare uint8) {
	if t.Role() == WriteTask {
		s.Tasks[t].Line = write
	} else {
		s.Sweeper = bare
	}
}

func doRetain(m *Model, s *State, t Thread, es *Events) {
	m.retain(s, t, es)
	s.Tasks[t].Line = LineJoin
}

// retain removes the entries that the probes judged dead. Nobody else can change
// the map meanwhile, since the mutex is held, so one line shows all of it.
func (m *Model) retain(s *State, t Thread, es *Events) {
	r := m.Registry(s, t)
	kept, removed := 0, 0
	for i := range r.Entries {
		switch {
		case r.Entries[i] == 0:
		case r.Alive>>i&1 != 0:
			kept++
		default:
			r.Entries[i] = 0
			removed++
		}
	}
	removed += int(r.Old)
	r.LastRetained, r.Old = uint8(kept), 0
	r.Alive = 0
	e := event(Retained, t)
	e.A, e.B = int32(kept), int32(removed)
	es.add(e)
}

func readyJoin(m *Model, s *State, t Thread) Block {
	k := &s.Tasks[t]
	if _, ok := m.Registry(s, t).Entries[entryOf(m.tasks[t].sink, int(k.Interval))].Slot(); ok {
		return Block{}
	}
	if mine := builderOf(int(t), int(k.Interval)); s.Batches[mine.Slot()].Id != 0 {
		return Block{SlotTaken, int64(mine)}
	}
	return Block{}
}

// doJoin upgrades the entry's weak reference and joins, or creates a batch, spawns
// its builder task and stores the new weak reference. The mutex is released in the
// same line: nothing that follows under it can be seen before the unlock.
func doJoin(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	entry := entryOf(m.tasks[t].sink, int(k.Interval))
	r := m.Registry(s, t)
	slot, ok := r.Entries[entry].Slot()
	// Pending skips are taken out even when a live state is joined; none are there
	// then, because a live state takes its skips directly (facts.md O8).
	skips := r.Skips[entry]
	r.Skips[entry] = 0
	e := event(Joined, t)
	e.Entry = int8(entry)
	if !ok {
		slot = builderOf(int(t), int(k.Interval)).Slot()
		s.Batches[slot] = Batch{batch: batch{Id: uint8(entry) + 1}}
		if m.tasks[t].barrier {
			s.Batches[slot].Pending = uint8(max(m.participants(int(t))-int(skips), 0))
		}
		r.Entries[entry] = Weak(slot + 2)
		e.Kind = Created
	}
	b := &s.Batches[slot]
	e.Slot, e.A = int8(slot), int32(b.Count())
	b.Holders |= 1 << t
	e.B = int32(b.Count())
	es.add(e)
	k.Handle = uint8(slot) + 1
	if m.Descriptions == Asserted && m.opens(int(t), k.Interval) != m.opens(slot/2, k.Interval) {
		m.panics(s, t, Conflict, es)
		return
	}
	r.Lock = 0
	es.add(event(Unlocked, t))
	k.Line = m.tasks[t].finish
	if _, due := m.due(s, int(t)); due > 0 {
		k.Line = LinePush
	}
}

// opens is the upper with which a task opens an interval.
func (m *Model) opens(t int, n uint8) int64 {
	if up := m.tasks[t].upper; up != 0 && n == 0 {
		return up
	}
	return m.Sinks[m.tasks[t].sink].Bounds[n+1]
}

func doSweepLock(m *Model, s *State, t Thread, es *Events) {
	r := m.Registry(s, t)
	if r.Poisoned {
		m.panics(s, t, PoisonedLock, es)
		return
	}
	r.Lock = uint8(t) + 1
	es.add(event(Locked, t))
	r.Cursor = r.next(0)
	s.Sweeper = SweepBegin
	if int(r.Cursor) == len(r.Entries) {
		r.Cursor = 0
		s.Sweeper = SweepRetain
	}
}

// doSweepRetain removes and unlocks in one line, as the join line does.
func doSweepRetain(m *Model, s *State, t Thread, es *Events) {
	m.retain(s, t, es)
	m.Registry(s, t).Lock = 0
	es.add(event(Unlocked, t))
	s.Sweeper = sweepOver
	es.add(event(Done, t))
}
