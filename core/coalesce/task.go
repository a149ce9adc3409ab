package coalesce

// The builder task of one batch. It is detached: dropping the batch's shared
// state does not stop it.

// line is the builder task's next line.
func (b *Batch) line() int {
	switch {
	case b.Queue[0]&FinishCommand != 0:
		return LineFinishCommand
	case b.Closed && b.Queue[0] == 0:
		return LineFinish
	}
	return LineReceive
}

func readyReceive(m *Model, s *State, t Thread) Block {
	if s.Batches[t.Slot()].Queue[0] == 0 {
		return Block{Kind: ChannelEmpty}
	}
	return Block{}
}

// doReceive takes the oldest push and adds its part; the persist batch builder is
// created with the first one. Receiving and adding are one line: between them the
// part is in the task's hands only.
func doReceive(m *Model, s *State, t Thread, es *Events) {
	b := &s.Batches[t.Slot()]
	p := b.Queue[0] - 1
	for i := 1; i < ChannelSlots; i++ { // four slots: too few for a call of copy
		b.Queue[i-1] = b.Queue[i]
	}
	b.Queue[ChannelSlots-1] = 0
	before, first := m.Window(s, t.Slot()), b.Got == 0
	b.Got |= 1 << p
	e := event(Received, t)
	e.Slot, e.Parts = int8(t.Slot()), 1<<p
	if m.Persist == WholePersist {
		e.A = int32(m.received(s, t.Slot(), p, before))
	}
	es.add(e)
	if first && m.Persist == WholePersist {
		m.touch(s, t, m.Sink(t), m.process(t), OwnLabel+MetricsLabel(m.Label), es)
	}
}

// doFinish ends the task: channel closed and drained. With [ShortPersist] finishing
// flushes and uploads in one line, since uploads are not limited there and nobody can
// see the object before the batch; else both lie before. A task that got nothing never made a builder.
func doFinish(m *Model, s *State, t Thread, es *Events) {
	slot := t.Slot()
	b := &s.Batches[slot]
	sink, n := EntryInterval(int(b.Id - 1))
	spawner := slot / 2
	if m.tooLate(b, slot) {
		m.taskPanics(s, t, BadUpper, es)
		return
	}
	e := event(FinishedNone, t)
	e.Slot, e.Parts, e.Entry = int8(slot), b.Got, int8(entryOf(sink, n))
	orphan := b.Destroyed()
	if q := b.Queue[0]; q&FinishCommand != 0 {
		// What is queued behind Finish is dropped with the receiver.
		b.ReplyTo = q&^FinishCommand + 1
		b.Queue = [ChannelSlots]uint8{}
	}
	b.Gone = true
	if b.Got != 0 {
		status := InFlight
		if orphan {
			status = Leaked
		}
		if m.Persist == WholePersist {
			s.Blobs[spawner][n].Status = status
			e.A = int32(m.RunsOf(s, Thread(spawner), n))
		} else {
			m.put(s, spawner, n, b.Got, status)
			e.Kind = Uploaded
			es.add(e)
		}
		e.Kind = FinishedFull
	}
	es.add(e)
	if orphan {
		if b.Got != 0 {
			e.Kind = Discarded
			es.add(e)
		}
		*b = Batch{}
		return
	}
	b.Done = true
}

// taskPanics ends the builder task. The receiver is dropped with it, so that
// pushes fail from here on. There is no batch: what was flushed of it before stays
// where it is, and no drop deletes it (facts.md section 3, "What leaks").
func (m *Model) taskPanics(s *State, t Thread, why Panic, es *Events) {
	b := &s.Batches[t.Slot()]
	e := event(Panicked, t)
	e.Slot, e.A = int8(t.Slot()), int32(why)
	es.add(e)
	b.Panic, b.Gone = why, true
	b.Queue = [ChannelSlots]uint8{}
	_, n := EntryInterval(int(b.Id - 1))
	if at := &s.Blobs[t.Slot()/2][n]; at.Status != NoBlob {
		at.Status = Abandoned
	}
}
