package coalesce

// What a write task does with its handle: push and finish, and what becomes of
// the shared state when the last reference goes.

func readyPush(m *Model, s *State, t Thread) Block {
	slot := s.Tasks[t].Handle - 1
	b := &s.Batches[slot]
	if b.Panic == NoPanic && b.Queue[ChannelSlots-1] != 0 {
		return Block{ChannelFull, int64(Builder(int(slot)))}
	}
	return Block{}
}

// doPush sends one part. A push of an empty part sends nothing and is no line.
func doPush(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	b := &s.Batches[slot]
	if b.Panic != NoPanic {
		m.panics(s, t, TaskFailed, es)
		return
	}
	due, n := m.due(s, int(t))
	p := due[k.Pushed]
	queued := b.Queued()
	b.Queue[queued] = p + 1
	e := event(Pushed, t)
	e.Slot, e.Parts, e.B = int8(slot), 1<<p, int32(queued+1)
	es.add(e)
	k.Pushed++
	if int(k.Pushed) == n {
		k.Pushed = 0
		k.Line = LineIntoInner
	}
}

// doIntoInner gives the handle back: one atomic decrement. Whoever brings the
// count from 1 to 0 takes the state by value; for everybody else the call returns
// None, and the write task answers None in the same line, because the answer
// travels on a channel of its own that nobody reads before the append does.
func doIntoInner(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	b := &s.Batches[slot]
	e := event(Decremented, t)
	e.Slot, e.A = int8(slot), int32(b.Count())
	e.B = e.A - 1
	es.add(e)
	b.Holders &^= 1 << t
	if e.B > 0 {
		why := OthersDeliver
		if b.Holders == 0 {
			why = OnlySweep
		}
		k.Handle = 0
		m.answerNone(s, t, slot, why, es)
		return
	}
	b.Owner = uint8(t) + 1
	m.forget(s, slot)
	k.Line = LineClose
	e.Kind = Took
	es.add(e)
}

// doClose drops the only sender; what is queued stays readable.
func doClose(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	s.Batches[k.Handle-1].Closed = true
	k.Line = LineAwait
	e := event(Closed, t)
	e.Slot = int8(k.Handle - 1)
	es.add(e)
}

func readyAwait(m *Model, s *State, t Thread) Block {
	slot := int(s.Tasks[t].Handle - 1)
	if b := &s.Batches[slot]; !b.Done && b.Panic == NoPanic {
		return Block{TaskRunning, int64(Builder(slot))}
	}
	return Block{}
}

// doAwait joins the builder task and answers with what it made. A panic of the
// task is raised again here.
func doAwait(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	b := &s.Batches[slot]
	if b.Panic != NoPanic {
		m.panics(s, t, b.Panic, es)
		return
	}
	got := b.Got
	*b = Batch{}
	k.Handle = 0
	if got == 0 {
		m.answerNone(s, t, slot, NothingToWrite, es)
		return
	}
	s.Blobs[slot/2][k.Interval].Given++
	s.Sinks[m.tasks[t].sink].Staged |= 1 << (slot / 2)
	e := event(AnsweredSome, t)
	e.Slot, e.Parts = int8(slot), got
	es.add(e)
	m.answered(s, t, es)
}

func (m *Model) answerNone(s *State, t Thread, slot int, why NoneReason, es *Events) {
	e := event(AnsweredNone, t)
	e.Slot, e.A = int8(slot), int32(why)
	es.add(e)
	m.answered(s, t, es)
}

// answered ends the task's turn in this interval.
func (m *Model) answered(s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	sink := m.tasks[t].sink
	s.Sinks[sink].Answered |= 1 << t
	k.Line = LineLock
	k.Interval++
	if int(k.Interval) == m.Intervals(sink) {
		es.add(event(Done, t))
	}
}

// forget makes the registry's weak reference to a slot dangle.
func (m *Model) forget(s *State, slot int) {
	entry := s.Batches[slot].Id - 1
	if s.Registry.Entries[entry] == Weak(slot+2) {
		s.Registry.Entries[entry] = DeadWeak
	}
}

// destroy runs when the last reference goes without an owner: the sender is
// dropped with the state, the join handle too, and the builder task goes on for
// nobody.
func (m *Model) destroy(s *State, slot int, t Thread, es *Events) {
	b := &s.Batches[slot]
	m.forget(s, slot)
	b.Closed = true
	e := event(Destroyed, t)
	e.Slot, e.Entry, e.Parts = int8(slot), int8(b.Id-1), b.pushed()
	es.add(e)
	if b.Panic != NoPanic {
		*b = Batch{Panic: b.Panic, Id: b.Id}
	}
}

// pushed is every part that the batch has accepted.
func (b *Batch) pushed() Parts {
	ps := b.Got
	for _, q := range b.Queue {
		if q != 0 {
			ps |= 1 << (q - 1)
		}
	}
	return ps
}

// panics ends a thread: its handle is dropped by unwinding, and a mutex that it
// holds is poisoned and released. The original may abort the process instead.
func (m *Model) panics(s *State, t Thread, why Panic, es *Events) {
	e := event(Panicked, t)
	e.A = int32(why)
	es.add(e)
	if t.Role() == Sweeper {
		s.Sweeper = sweepOver
		return
	}
	k := &s.Tasks[t]
	if s.Registry.Lock == uint8(t)+1 {
		s.Registry.Lock = 0
		s.Registry.Poisoned = true
	}
	if k.Handle != 0 {
		slot := int(k.Handle - 1)
		b := &s.Batches[slot]
		b.Holders &^= 1 << t
		if b.Owner == uint8(t)+1 {
			b.Owner = 0
		}
		if b.Count() == 0 {
			m.destroy(s, slot, t, es)
		}
	}
	*k = Task{Panic: why, Interval: k.Interval}
}
