package coalesce

// note_skip on a worker's Timely side. The lock and the temporary are one line, the
// report another, the drop of the temporary with the unlock a third: finish never
// takes the registry lock, so other threads act in between, and that it is harmless
// with the barrier has to be seen, not assumed.

// skipped is the registry entry of the skip that a Timely side is at.
func (m *Model) skipped(s *State, t Thread) int {
	i := t.WriteTask()
	if m.Whole == WholeSink {
		return entryOf(m.tasks[i].sink, int(s.Timely[i].Skip-1))
	}
	return entryOf(m.tasks[i].sink, m.Tasks[i].Skips[s.Timely[i].Done])
}

func doSkipLook(m *Model, s *State, t Thread, es *Events) {
	r := m.Registry(s, t)
	if r.Poisoned {
		m.panics(s, t, PoisonedLock, es)
		return
	}
	r.Lock = uint8(t) + 1
	es.add(event(Locked, t))
	entry := m.skipped(s, t)
	e := event(SkipLooked, t)
	e.Entry = int8(entry)
	if slot, ok := r.Entries[entry].Slot(); ok {
		b := &s.Batches[slot]
		e.Slot, e.A = int8(slot), int32(b.Count())
		e.B = e.A + 1
		b.Temp = uint8(t) + 1
	}
	es.add(e)
	s.Timely[t.WriteTask()].Line = SkipReport
}

// doSkipReport arrives at the live state, without becoming its deliverer, and
// notifies under the barrier mutex when that finalized it; or it counts a pending
// skip for the builder that may come. When all participants have skipped, nobody
// ever opens this id and the count is removed.
func doSkipReport(m *Model, s *State, t Thread, es *Events) {
	r := m.Registry(s, t)
	entry := m.skipped(s, t)
	i := int(t.WriteTask())
	k := &s.Timely[i]
	_, n := EntryInterval(entry)
	slot, live := r.Entries[entry].Slot()
	if live {
		b := &s.Batches[slot]
		again := k.Skipped>>n&1 != 0
		alive := !b.Poisoned
		if !alive {
			m.panics(s, t, PoisonedBarrier, es)
		} else {
			alive = m.arrive(s, t, i, slot, es)
		}
		if !alive {
			// Both mutexes were held.
			r.Lock, r.Poisoned = 0, true
			b.Temp = 0
			m.dropped(s, slot, t, es)
			return
		}
		if again {
			s.Faults |= ReportedTwice
		}
		if b.Finalized {
			e := event(NotifiedAll, t)
			e.Slot, e.A = int8(slot), int32(b.notifyWaiters())
			es.add(e)
		}
	} else {
		if m.hasReported(s, i, n) {
			s.Faults |= ReportedTwice
		}
		r.Skips[entry]++
		e := event(SkipNoted, t)
		e.Entry, e.A, e.B = int8(entry), int32(r.Skips[entry]), int32(m.participants(i))
		es.add(e)
		if int(r.Skips[entry]) == m.participants(i) {
			r.Skips[entry] = 0
		}
	}
	k.Skipped |= 1 << n
	k.Line = SkipDrop
}

func doSkipDrop(m *Model, s *State, t Thread, es *Events) {
	r := m.Registry(s, t)
	entry := m.skipped(s, t)
	if slot, ok := r.Entries[entry].Slot(); ok {
		b := &s.Batches[slot]
		e := event(SkipDropped, t)
		e.Slot, e.Entry, e.A = int8(slot), int8(entry), int32(b.Count())
		e.B = e.A - 1
		es.add(e)
		b.Temp = 0
		m.dropped(s, slot, t, es)
	}
	r.Lock = 0
	es.add(event(Unlocked, t))
	k := &s.Timely[t.WriteTask()]
	k.Line = SkipLook
	if m.Whole == WholeSink {
		k.Skip = 0
		return
	}
	k.Done++
	if int(k.Done) == len(m.Tasks[t.WriteTask()].Skips) {
		es.add(event(Done, t))
	}
}
