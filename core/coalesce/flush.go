package coalesce

import "math/bits"

// The batch builder's window: parts that were added and not flushed yet. A flush
// concatenates all of them into one part.

// Flushes is how the parts of one batch were flushed. It is zero with [ShortPersist],
// where the batch is one part.
type Flushes struct {
	Cut     [3]Parts // the number of each part’s flush, from 0, as three binary digits
	N       uint8    // flushes made
	Up      uint8    // flushes whose upload is complete, as a bit set
	Deleted uint8    // flushes whose object a cleaner has deleted, as a bit set
}

// of is those of the batch's flushed parts that flush k has.
func (f *Flushes) of(ps Parts, k int) Parts {
	for bit, c := range f.Cut {
		if k>>bit&1 == 0 {
			c = ^c
		}
		ps &= c
	}
	return ps
}

// add records the parts of the next flush and returns its number.
func (f *Flushes) add(ps Parts) int {
	k := int(f.N)
	for bit := range f.Cut {
		if k>>bit&1 != 0 {
			f.Cut[bit] |= ps
		}
	}
	f.N++
	return k
}

// bytes adds up the goodbytes of a set of parts.
func (m *Model) bytes(ps Parts) (n int) {
	for v := uint32(ps); v != 0; v &= v - 1 {
		n += m.parts[bits.TrailingZeros32(v)].Bytes
	}
	return n
}

// inline tells whether a flushed part stays in the shard's metadata. Its encoded size
// is taken to be the sum of its parts'.
func (m *Model) inline(ps Parts) bool { return m.bytes(ps) < InlineLimit }

// Window is the parts that the builder of the batch in a slot has not flushed yet,
// without the one in hand.
func (m *Model) Window(s *State, slot int) Parts {
	b := &s.Batches[slot]
	if b.Id == 0 || m.Persist == ShortPersist {
		return 0
	}
	_, n := EntryInterval(int(b.Id - 1))
	open := b.Got &^ s.Blobs[slot/2][n].Parts
	if b.Hand != 0 {
		open &^= 1 << (b.Hand - 1)
	}
	return open
}

// taskLine is the next line of a builder task that flushes. The upper is checked
// before the last flush, as the original's finish does.
func (m *Model) taskLine(s *State, slot int) int {
	b := &s.Batches[slot]
	open := m.Window(s, slot)
	last := LineReceive
	switch {
	case b.Hand != 0 && open == 0:
		return LineAdd
	case b.Hand != 0 || m.bytes(open) > m.Target:
		return LineFlush
	case b.Queue[0]&FinishCommand != 0:
		last = LineFinishCommand
	case b.Closed && b.Queue[0] == 0:
		last = LineFinish
	default:
		return LineReceive
	}
	if open != 0 && !m.tooLate(b, slot) {
		return LineFlush
	}
	return last
}

// tooLate tells whether the batch in a slot has a time at or beyond its upper.
func (m *Model) tooLate(b *Batch, slot int) bool {
	_, n := EntryInterval(int(b.Id - 1))
	for v := uint32(b.Got); v != 0; v &= v - 1 {
		if m.timeIn(bits.TrailingZeros32(v), n) >= m.opens(slot/2, uint8(n)) {
			return true
		}
	}
	return false
}

// received is what a builder does with the part that its task has just received.
// add_part begins with the question whether the window must be flushed first. If not,
// the part is added in the same line: between the two it is in the task's hands only,
// and nobody else can see which. If so, it stays in hand, since the flush may have to
// wait for an upload. It returns how often goodbytes was evaluated: the running
// counter asks the new part; the recomputation asks every part of the window, before
// and after, and the new one (n parts of one window cost n * n + n).
func (m *Model) received(s *State, slot int, p uint8, before Parts) (evaluations int) {
	fits := before == 0 || m.bytes(before)+m.parts[p].Bytes <= m.Target
	if !fits {
		s.Batches[slot].Hand = p + 1
	}
	switch {
	case m.Goodbytes == Counter:
		return 1
	case fits:
		return before.Len() + 1 + before.Len() + 1
	}
	return before.Len() + 1
}

// doAdd adds the part in hand to the window that was flushed for it. A part that
// alone is more than the target is flushed next, alone: parts are never split.
func doAdd(m *Model, s *State, t Thread, es *Events) {
	b := &s.Batches[t.Slot()]
	e := event(Added, t)
	e.Slot, e.Parts = int8(t.Slot()), 1<<(b.Hand-1)
	if m.Goodbytes == Recompute {
		e.A = 1 // the window is this part
	}
	b.Hand = 0
	es.add(e)
}

// readyFlush waits while as many uploads are outstanding as may be. The original
// starts the upload and then waits while there are more than that; nothing else can
// tell the two apart but the number in flight, which is one less here.
func readyFlush(m *Model, s *State, t Thread) Block {
	slot := t.Slot()
	_, n := EntryInterval(int(s.Batches[slot].Id - 1))
	if !m.inline(m.Window(s, slot)) && bits.OnesCount8(m.uploading(s, slot/2, n)) >= m.Outstanding {
		return Block{UploadsOut, int64(m.Outstanding)}
	}
	return Block{}
}

func doFlush(m *Model, s *State, t Thread, es *Events) {
	slot := t.Slot()
	_, n := EntryInterval(int(s.Batches[slot].Id - 1))
	e := event(Flushed, t)
	e.Slot = int8(slot)
	m.flush(s, slot/2, n, m.Window(s, slot), e, es)
}

// flush makes one persist part of some parts: an inline part of the batch's metadata,
// or an upload that is now in flight. It returns the number of the flush.
func (m *Model) flush(s *State, spawner, n int, ps Parts, e Event, es *Events) int {
	b := &s.Blobs[spawner][n]
	k := s.Flushed[spawner][n].add(ps)
	b.Parts |= ps
	b.Status = InFlight
	e.Entry, e.Parts, e.A = int8(entryOf(m.tasks[spawner].sink, n)), ps, int32(k)
	if m.inline(ps) {
		e.B = 1
	}
	es.add(e)
	return k
}

// ownFlushes is what a worker's own batch becomes: the same decisions as of a shared
// one, with each part taken whole where the original adds update by update, and with
// the uploads in the same line, since nobody else can see the batch before its answer.
func (m *Model) ownFlushes(s *State, t Thread, list []uint8, es *Events) {
	n := int(s.Tasks[t].Interval)
	var open Parts
	for i, p := range list {
		open |= 1 << p
		bytes := m.bytes(open)
		if i+1 < len(list) {
			bytes += m.parts[list[i+1]].Bytes // if the next one does not fit, this window is over
		}
		if i+1 < len(list) && bytes <= m.Target {
			continue
		}
		if k := m.flush(s, int(t), n, open, event(Flushed, t), es); !m.inline(open) {
			m.uploaded(s, t, int(t), n, k, -1, es)
		}
		open = 0
	}
}
