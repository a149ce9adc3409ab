package coalesce

import "math/bits"

// Uploads run beside the builder task that spawned them. Those of one spawner
// complete one after the other, of the earlier interval first and then in the order of
// their flushes; the original's may complete in any order, but a batch is ready only
// when all of its own have, and only their number holds its builder up. Completing is
// one line: the object is there, or not yet.

// uploading is the set of a batch's flushes that are neither inline nor stored yet.
func (m *Model) uploading(s *State, spawner, n int) (out uint8) {
	f := &s.Flushed[spawner][n]
	for k := range int(f.N) {
		if f.Up>>k&1 == 0 && !m.inline(f.of(s.Blobs[spawner][n].Parts, k)) {
			out |= 1 << k
		}
	}
	return out
}

// oldestUpload is the next upload of a spawner to complete.
func (m *Model) oldestUpload(s *State, spawner int) (n, k int, ok bool) {
	for n := range m.Intervals(m.tasks[spawner].sink) {
		if s.Blobs[spawner][n].Status == NoBlob {
			continue
		}
		if out := m.uploading(s, spawner, n); out != 0 {
			return n, bits.TrailingZeros8(out), true
		}
	}
	return 0, 0, false
}

func doUpload(m *Model, s *State, t Thread, es *Events) {
	spawner := int(t.UploadsOf())
	n, k, _ := m.oldestUpload(s, spawner)
	m.uploaded(s, t, spawner, n, k, int8(2*spawner+n&1), es)
}

// uploaded completes one upload: one PUT.
func (m *Model) uploaded(s *State, t Thread, spawner, n, k int, slot int8, es *Events) {
	f := &s.Flushed[spawner][n]
	f.Up |= 1 << k
	s.Puts++
	e := event(Uploaded, t)
	e.Slot, e.Entry, e.A = slot, int8(entryOf(m.tasks[spawner].sink, n)), int32(k)
	e.Parts = f.of(s.Blobs[spawner][n].Parts, k)
	es.add(e)
}

// readyFinish waits for the uploads of a batch: a batch is its parts' keys.
func readyFinish(m *Model, s *State, t Thread) Block {
	if m.Persist == ShortPersist {
		return Block{}
	}
	slot := t.Slot()
	b := &s.Batches[slot]
	_, n := EntryInterval(int(b.Id - 1))
	if m.uploading(s, slot/2, n) != 0 && !m.tooLate(b, slot) {
		return Block{UploadsRun, int64(uploadsOf(slot / 2))}
	}
	return Block{}
}
