package coalesce

// Sketch writes to keys[t], for each of the given tasks, a number that a renaming of tasks
// does not change: what task t is at, and how each batch, part and set stands to it.
func (m *Model) Sketch(s *State, tasks []int, keys *[MaxTasks]uint64) {
	for _, t := range tasks {
		keys[t] = m.sketchTask(s, t)
	}
	for _, slot := range m.slots {
		if s.Batches[slot].Id != 0 {
			m.sketchBatch(s, int(slot), tasks, keys)
		}
	}
}

func mix(h, v uint64) uint64 {
	h = (h ^ v) * 0x9E3779B97F4A7C15
	return h ^ h>>32
}

// bit is 1 << at if b, or 0.
func bit(b bool, at int) uint64 {
	var v uint64
	if b { // the compiler makes no jump of this
		v = 1
	}
	return v << at
}

// sketchTask is of what a state keeps of task t alone.
func (m *Model) sketchTask(s *State, t int) uint64 {
	k, l, sink, lock := &s.Tasks[t], &s.Timely[t], &s.Sinks[m.tasks[t].sink], m.Registry(s, Thread(t)).Lock
	h := mix(1, uint64(k.Line)|uint64(k.Interval)<<8|uint64(k.Pushed)<<16|uint64(k.Panic)<<24|
		uint64(sink.Answered>>t&1)<<32|uint64(sink.Staged>>t&1)<<33|bit(lock == uint8(t)+1, 34)|
		bit(lock == uint8(timelyOf(t))+1, 35))
	h = mix(h, uint64(l.Line)|uint64(l.Done)<<8|uint64(l.Skipped)<<16)
	for _, p := range m.tasks[t].parts {
		h = mix(h, uint64(s.Sealed[p]))
	}
	for n := range m.Intervals(m.tasks[t].sink) {
		b := &s.Blobs[t][n]
		h = mix(h, uint64(b.Status)|uint64(b.Given)<<8|uint64(b.Parts.Len())<<16)
		if f := &s.Flushed[t][n]; f.N != 0 {
			h = m.sketchFlushes(h, t, b, f)
		}
	}
	return h
}

func (m *Model) sketchFlushes(h uint64, t int, b *Blob, f *Flushes) uint64 {
	for at, p := range m.tasks[t].parts {
		if b.Parts.Has(p) {
			h = mix(h, uint64(at)<<8|uint64(f.Cut[0]>>p&1|f.Cut[1]>>p&1<<1|f.Cut[2]>>p&1<<2))
		}
	}
	return mix(h, uint64(f.N)|uint64(f.Up)<<8|uint64(f.Deleted)<<16|
		uint64(f.Cut[0].Len())<<24|uint64(f.Cut[1].Len())<<32|uint64(f.Cut[2].Len())<<40)
}

// sketchBatch adds how each task stands to the batch in a slot. The sketch is a sum over
// the batches, because they have no order that a renaming keeps.
func (m *Model) sketchBatch(s *State, slot int, tasks []int, keys *[MaxTasks]uint64) {
	b := &s.Batches[slot]
	queue := b.Queue[:b.Queued()]
	all := uint64(b.Id) | bit(b.Closed, 17) | bit(b.Done, 18) | bit(b.Gone, 19) | bit(b.Temp != 0, 20) | bit(b.Owner != 0, 21) |
		uint64(b.Count())<<22 | uint64(len(queue))<<26 | uint64(b.Got.Len())<<30 | uint64(b.Pending)<<36 | bit(b.Hand != 0, 40)
	// Names are 1 + a task; 0 is nobody, and a larger one is no task.
	var named [MaxTasks + 1]uint64
	if b.Temp <= MaxTasks {
		named[b.Temp] = 1 << 10
	}
	named[b.Owner] |= 1 << 11
	if m.Mode == Barrier {
		named[b.Deliverer] |= 1 << 12
		named[b.ReplyTo] |= 1 << 16
	}
	for _, t := range tasks {
		v := all | bit(slot/2 == t, 8) | uint64(b.Holders>>t&1)<<9 | named[t+1]
		if m.Mode == Barrier {
			v |= uint64(b.Reported>>t&1)<<13 | uint64(b.Registered>>t&1)<<14 | uint64(b.Notified>>t&1)<<15
		}
		h := mix(2, v)
		for i, p := range m.tasks[t].parts {
			h = mix(h, uint64(b.Got>>p&1)<<(i&63)|bit(b.Hand == uint8(p)+1, (i+32)&63))
			for at, q := range queue {
				if q == uint8(p)+1 {
					h = mix(h, uint64(i)<<8|uint64(at)|1<<16)
				}
			}
		}
		if m.Mode == Barrier {
			for at, q := range queue {
				if q == FinishCommand|uint8(t) {
					h = mix(h, uint64(at)|1<<17)
				}
			}
		}
		keys[t] += h
	}
}
