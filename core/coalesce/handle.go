package coalesce

// What a write task does with its handle: push and finish, and what becomes of
// the shared state when the last reference goes.

func readyPush(m *Model, s *State, t Thread) Block {
	slot := s.Tasks[t].Handle - 1
	b := &s.Batches[slot]
	if !b.Gone && b.Queue[ChannelSlots-1] != 0 {
		return Block{ChannelFull, int64(Builder(int(slot)))}
	}
	return Block{}
}

// doPush sends one part. A push of an empty part sends nothing and is no line.
func doPush(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	b := &s.Batches[slot]
	if b.Gone {
		m.panics(s, t, TaskFailed, es)
		return
	}
	due, n := m.due(s, int(t))
	p := due[k.Pushed]
	queued := b.Queued()
	for _, q := range b.Queue {
		if q&FinishCommand != 0 {
			s.Faults |= PushAfterFinish
		}
	}
	b.Queue[queued] = p + 1
	e := event(Pushed, t)
	e.Slot, e.Parts, e.B = int8(slot), 1<<p, int32(queued+1)
	es.add(e)
	k.Pushed++
	if int(k.Pushed) == n {
		k.Pushed = 0
		k.Line = m.tasks[t].finish
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
		k.Handle = 0
		m.answerNone(s, t, slot, b.whoDelivers(), es)
		return
	}
	m.take(s, t, slot, es)
}

// whoDelivers is why a handle that left while others stay got None.
func (b *Batch) whoDelivers() NoneReason {
	if b.Holders == 0 {
		return OnlySweep
	}
	return OthersDeliver
}

// take gives the state to its last holder by value.
func (m *Model) take(s *State, t Thread, slot int, es *Events) {
	b := &s.Batches[slot]
	b.Holders = 0
	b.Owner = uint8(t) + 1
	m.forget(s, slot)
	s.Tasks[t].Line = LineClose
	e := event(Took, t)
	e.Slot, e.A = int8(slot), 1
	es.add(e)
}

// doTryUnwrap takes the state if the count is 1 and changes nothing otherwise: a
// teaching variant that the original avoids (facts.md O13).
func doTryUnwrap(m *Model, s *State, t Thread, es *Events) {
	slot := int(s.Tasks[t].Handle - 1)
	b := &s.Batches[slot]
	count := b.Count()
	e := event(Tried, t)
	e.Slot, e.A = int8(slot), int32(count)
	es.add(e)
	if count == 1 {
		m.take(s, t, slot, es)
		return
	}
	s.Tasks[t].Line = LineDropHandle
}

// doDropHandle drops the handle that try_unwrap gave back, which may be the last.
func doDropHandle(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	m.dropHandle(s, t, es)
	m.answerNone(s, t, slot, s.Batches[slot].whoDelivers(), es)
}

// dropHandle gives up a handle without finish: the count goes down by one.
func (m *Model) dropHandle(s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	b := &s.Batches[slot]
	e := event(HandleDropped, t)
	e.Slot, e.A = int8(slot), int32(b.Count())
	if b.Owner == uint8(t)+1 {
		b.Owner = 0
	} else {
		e.B = e.A - 1
	}
	b.Holders &^= 1 << t
	k.Handle = 0
	es.add(e)
	m.dropped(s, slot, t, es)
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
	if b := &s.Batches[slot]; !b.Gone {
		return Block{TaskRunning, int64(Builder(slot))}
	}
	return Block{}
}

// doAwait joins the builder task and answers with what it made. A panic of the
// task is raised again here. A task that was told to Finish returns None: its batch
// went to the sender of Finish, and is lost if that one has gone without it.
func doAwait(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	b := &s.Batches[slot]
	if b.Panic != NoPanic {
		m.panics(s, t, b.Panic, es)
		return
	}
	got, elsewhere := b.Got, b.ReplyTo != 0 || !b.Done
	if b.ReplyTo != 0 && got != 0 {
		s.Blobs[slot/2][k.Interval].Status = Leaked
		e := event(Discarded, t)
		e.Slot, e.Entry, e.Parts = int8(slot), int8(b.Id-1), got
		es.add(e)
	}
	*b = Batch{}
	k.Handle = 0
	if elsewhere {
		m.answerNone(s, t, slot, NotDeliverer, es)
		return
	}
	m.deliver(s, t, slot, got, es)
}

// deliver answers with the batch that a builder task made of got, or with None if
// it got nothing.
func (m *Model) deliver(s *State, t Thread, slot int, got Parts, es *Events) {
	if got == 0 {
		m.answerNone(s, t, slot, NothingToWrite, es)
		return
	}
	k := &s.Tasks[t]
	s.Blobs[slot/2][k.Interval].Given++
	e := event(AnsweredSome, t)
	e.Slot, e.Parts = int8(slot), got
	es.add(e)
	switch {
	case s.Torn>>t&1 != 0:
		// The operator is gone, so the send fails, and the sender deletes the batch.
		s.Blobs[slot/2][k.Interval].Status = Deleted
		e.Kind, e.A = Unsent, int32(k.Interval)
		es.add(e)
	case m.Whole == WholeSink:
		s.Timely[t].Response = uint8(slot/2) + 2
	default:
		s.Sinks[m.tasks[t].sink].Staged |= 1 << (slot / 2)
	}
	m.answered(s, t, es)
}

func (m *Model) answerNone(s *State, t Thread, slot int, why NoneReason, es *Events) {
	e := event(AnsweredNone, t)
	e.Slot, e.A = int8(slot), int32(why)
	es.add(e)
	if m.Whole == WholeSink && s.Torn>>t&1 == 0 {
		s.Timely[t].Response = 1
	}
	m.answered(s, t, es)
}

// answered ends the task's turn in this interval.
func (m *Model) answered(s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	sink := m.tasks[t].sink
	k.Line = m.tasks[t].first
	if m.Whole == WholeSink {
		k.Interval, k.Due = 0, 0
		return
	}
	s.Sinks[sink].Answered |= 1 << t
	k.Interval = m.writes(int(t), k.Interval+1)
	if int(k.Interval) == m.Intervals(sink) {
		es.add(event(Done, t))
	}
}

// writes is the first interval at or after n that a task writes, or the number of
// intervals: those that its Timely side skips are passed over.
func (m *Model) writes(t int, n uint8) uint8 {
	for int(n) < m.Intervals(m.tasks[t].sink) && m.tasks[t].passes>>n&1 != 0 {
		n++
	}
	return n
}

// forget makes the registry's weak reference to a slot dangle.
func (m *Model) forget(s *State, slot int) {
	entry := s.Batches[slot].Id - 1
	if r := m.Registry(s, Builder(slot)); r.Entries[entry] == Weak(slot+2) {
		r.Entries[entry] = DeadWeak
	}
}

// dropped runs after a reference has gone: the last one takes the state with it.
func (m *Model) dropped(s *State, slot int, t Thread, es *Events) {
	if b := &s.Batches[slot]; b.Count() == 0 && b.Owner == 0 {
		m.destroy(s, slot, t, es)
	}
}

// destroy runs when the last reference goes without an owner: the sender is
// dropped with the state, the join handle too, and the builder task, if it still
// runs, goes on for nobody. An answer that nobody has read is lost with it.
func (m *Model) destroy(s *State, slot int, t Thread, es *Events) {
	b := &s.Batches[slot]
	m.forget(s, slot)
	b.Closed = true
	e := event(Destroyed, t)
	e.Slot, e.Entry, e.Parts = int8(slot), int8(b.Id-1), b.pushed()
	es.add(e)
	if b.Panic != NoPanic {
		*b = Batch{batch: batch{Panic: b.Panic, Id: b.Id, Gone: true, Closed: true}}
		return
	}
	if b.Gone || b.Done {
		if b.Got != 0 {
			_, n := EntryInterval(int(b.Id - 1))
			s.Blobs[slot/2][n].Status = Leaked
			e.Kind = Discarded
			es.add(e)
		}
		*b = Batch{}
	}
}

// pushed is every part that the batch has accepted.
func (b *Batch) pushed() Parts {
	ps := b.Got
	for _, q := range b.Queue {
		if q != 0 && q&FinishCommand == 0 {
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
	switch t.Role() {
	case Sweeper:
		s.Sweeper = sweepPanicked
		return
	case Timely:
		k := &s.Timely[t.WriteTask()]
		*k = TimelySide{Line: skipPanicked + uint8(why), Done: k.Done, Skipped: k.Skipped}
		return
	}
	k := &s.Tasks[t]
	if r := m.Registry(s, t); r.Lock == uint8(t)+1 {
		r.Lock = 0
		r.Poisoned = true
	}
	if k.Handle != 0 {
		s.Batches[k.Handle-1].forgetFuture(t)
		m.dropHandle(s, t, es)
	}
	*k = Task{Panic: why, Interval: k.Interval}
}
