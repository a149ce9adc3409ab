package coalesce

// The leaked-blob cleaner: a thread that deletes objects which nobody refers to, one
// in each line. In the original it is referred to in comments and was still an open
// issue (facts.md section 3, "What leaks"), so a leaked blob stays there for ever. It
// deletes the bytes and repairs nothing: what was lost stays lost.
//
// Here it knows which objects are leaked. A real one has to work that out from the
// shard's state and must not take an upload in flight for a leak.

// firstLeaked is the first leaked object in the order of spawners, intervals and flushes.
func (m *Model) firstLeaked(s *State) (at blobAt, k int, ok bool) {
	for _, at := range m.blobs {
		switch s.Blobs[at.task][at.interval].Status {
		case Leaked, Abandoned:
		default:
			continue
		}
		if m.Persist == ShortPersist {
			return at, 0, true
		}
		f := &s.Flushed[at.task][at.interval]
		for k := range int(f.N) {
			if (f.Up&^f.Deleted)>>k&1 != 0 {
				return at, k, true
			}
		}
	}
	return at, 0, false
}

func doClean(m *Model, s *State, t Thread, es *Events) {
	at, k, _ := m.firstLeaked(s)
	o, _ := m.piece(s, at.task, at.interval, k)
	e := event(Cleaned, t)
	e.Entry, e.Parts = int8(entryOf(o.Sink, at.interval)), o.Parts
	e.A, e.B = int32(k), int32(at.task)
	m.erase(s, at, k)
	es.add(e)
}

// erase takes an object out of the store. Its batch stays what it was: lost.
func (m *Model) erase(s *State, at blobAt, k int) {
	if m.Persist == ShortPersist {
		s.Blobs[at.task][at.interval].Status = Deleted
		return
	}
	s.Flushed[at.task][at.interval].Deleted |= 1 << k
}
