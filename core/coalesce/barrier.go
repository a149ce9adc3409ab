package coalesce

import "math/bits"

// Finish with the barrier: every participant reports, the last writer to arrive
// delivers, and nobody asks into_inner.

// doArrive is all that happens under the barrier mutex: name oneself deliverer,
// count the report, finalize at zero. The mutex covers nothing else, so it is not
// shown as lines of its own.
func doArrive(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	b := &s.Batches[slot]
	if b.Poisoned {
		m.panics(s, t, PoisonedBarrier, es)
		return
	}
	b.Deliverer = uint8(t) + 1
	if !m.arrive(s, t, int(t), slot, es) {
		return
	}
	switch {
	case b.Finalized:
		k.Line = LineNotify
	case m.Wait == CheckFirst:
		k.Line = LineTestFinal
	default:
		k.Line = LineRegister
	}
}

// arrive counts a report of a task. A surplus one is a debug panic, which poisons the
// barrier mutex for all who take it later, or ignored by a saturating decrement in
// release. It tells whether the thread lives on.
func (m *Model) arrive(s *State, t Thread, task, slot int, es *Events) bool {
	b := &s.Batches[slot]
	e := event(Arrived, t)
	e.Slot, e.A = int8(slot), int32(b.Pending)
	if b.Reported>>task&1 != 0 || s.reportedElsewhere(m, task, slot) {
		s.Faults |= ReportedTwice
	}
	b.Reported |= 1 << task
	if b.Pending == 0 {
		s.Faults |= PendingBelow
		if m.Asserts == Debug {
			b.Poisoned = true
			m.panics(s, t, SurplusReport, es)
			return false
		}
	} else {
		b.Pending--
	}
	e.B = int32(b.Pending)
	es.add(e)
	if b.Pending == 0 {
		b.Finalized = true
		f := event(Finalized, t)
		f.Slot = int8(slot)
		es.add(f)
	}
	return true
}

// reportedElsewhere tells whether the task has reported the interval of the batch in
// a slot otherwise than to that batch.
func (s *State) reportedElsewhere(m *Model, task, slot int) bool {
	_, n := EntryInterval(int(s.Batches[slot].Id - 1))
	return m.hasReported(s, task, n)
}

// hasReported tells whether a task has skipped interval n or is past writing it. With
// the whole sink a description that was started is never skipped.
func (m *Model) hasReported(s *State, task, n int) bool {
	wrote := m.Whole == ShortSink && int(s.Tasks[task].Interval) > n && m.tasks[task].passes>>n&1 == 0
	return wrote || s.Timely[task].Skipped>>n&1 != 0
}

// notifyWaiters wakes everyone registered and stores no permit for later ones.
func (b *Batch) notifyWaiters() (woken int) {
	woken = bits.OnesCount8(b.Registered)
	b.Notified |= b.Registered
	b.Registered = 0
	return woken
}

// forgetFuture drops a thread's future, registered or complete.
func (b *Batch) forgetFuture(t Thread) {
	b.Registered &^= 1 << t
	b.Notified &^= 1 << t
}

func doNotify(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	e := event(NotifiedAll, t)
	e.Slot = int8(k.Handle - 1)
	e.A = int32(s.Batches[k.Handle-1].notifyWaiters())
	es.add(e)
	k.Line = LineChosen
}

// doRegister creates the future. It counts for notify_waiters from here on, before
// it is ever awaited.
func doRegister(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	s.Batches[k.Handle-1].Registered |= 1 << t
	e := event(Registered, t)
	e.Slot = int8(k.Handle - 1)
	es.add(e)
	k.Line = LineTestFinal
	if m.Wait == CheckFirst {
		k.Line = LineWait
	}
}

func doTestFinal(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	b := &s.Batches[k.Handle-1]
	if b.Poisoned {
		m.panics(s, t, PoisonedBarrier, es)
		return
	}
	e := event(TestedFinal, t)
	e.Slot = int8(k.Handle - 1)
	switch {
	case b.Finalized:
		e.A = 1
		b.forgetFuture(t)
		k.Line = LineChosen
	case m.Wait == CheckFirst:
		k.Line = LineRegister
	default:
		k.Line = LineWait
	}
	es.add(e)
}

func readyWait(m *Model, s *State, t Thread) Block {
	slot := int(s.Tasks[t].Handle - 1)
	b := &s.Batches[slot]
	switch {
	case b.Notified>>t&1 != 0:
		return Block{}
	case !b.Finalized:
		return Block{Unreported, int64(m.unreported(s, slot))}
	case m.notifyComes(s, slot):
		// The notify of whoever finalized is still to come.
		return Block{Unreported, int64(1 << (b.Deliverer - 1))}
	}
	return Block{Kind: NotWoken}
}

// notifyComes tells whether a thread is about to notify the waiters of a slot.
func (m *Model) notifyComes(s *State, slot int) bool {
	for i := range m.tasks {
		if k := &s.Tasks[i]; int(k.Handle) == slot+1 && k.Line == LineNotify {
			return true
		}
	}
	return false
}

// unreported is the set of participants that have not reported for the batch in a slot.
func (m *Model) unreported(s *State, slot int) uint8 {
	b := &s.Batches[slot]
	sink, n := EntryInterval(int(b.Id - 1))
	missing := m.sinkTask[sink] &^ b.Reported
	for i := range m.tasks {
		if m.tasks[i].process != m.tasks[slot/2].process || s.Timely[i].Skipped>>n&1 != 0 {
			missing &^= 1 << i
		}
	}
	return missing
}

// doWait completes the future and goes round the loop again.
func doWait(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	s.Batches[k.Handle-1].Notified &^= 1 << t
	e := event(Woke, t)
	e.Slot = int8(k.Handle - 1)
	es.add(e)
	k.Line = LineRegister
	if m.Wait == CheckFirst {
		k.Line = LineTestFinal
	}
}

// doChosen compares the deliverer with oneself. Who is not it answers None; its
// handle is dropped when the call returns, in the same line.
func doChosen(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	if s.Batches[slot].Poisoned {
		m.panics(s, t, PoisonedBarrier, es)
		return
	}
	e := event(Chosen, t)
	e.Slot = int8(slot)
	if s.Batches[slot].Deliverer == uint8(t)+1 {
		e.A = 1
		es.add(e)
		k.Line = LineSendFinish
		return
	}
	es.add(e)
	m.dropHandle(s, t, es)
	m.answerNone(s, t, slot, NotDeliverer, es)
}

// doSendFinish queues Finish behind every push.
func doSendFinish(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	b := &s.Batches[k.Handle-1]
	if b.Gone {
		m.panics(s, t, TaskFailed, es)
		return
	}
	n := b.Queued()
	b.Queue[n] = FinishCommand | uint8(t)
	e := event(FinishSent, t)
	e.Slot, e.B = int8(k.Handle-1), int32(n+1)
	es.add(e)
	k.Line = LineReply
}

func readyReply(m *Model, s *State, t Thread) Block {
	slot := int(s.Tasks[t].Handle - 1)
	if b := &s.Batches[slot]; !b.Gone {
		return Block{TaskRunning, int64(Builder(slot))}
	}
	return Block{}
}

// doReply reads the answer of the builder task. A Finish that was dropped with the
// receiver has no answer: the await fails.
func doReply(m *Model, s *State, t Thread, es *Events) {
	k := &s.Tasks[t]
	slot := int(k.Handle - 1)
	b := &s.Batches[slot]
	if b.ReplyTo != uint8(t)+1 {
		m.panics(s, t, TaskFailed, es)
		return
	}
	got := b.Got
	b.Got, b.Done, b.ReplyTo = 0, false, 0
	m.dropHandle(s, t, es)
	m.deliver(s, t, slot, got, es)
}
