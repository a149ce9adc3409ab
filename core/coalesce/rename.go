package coalesce

import "slices"

// Interchangeable lists groups of write tasks that the set-up treats alike, so that
// renaming them changes nothing that can happen. A worker's task counts only if it
// is the worker's only one. A teardown stops tasks in order, and a cleaner deletes in
// the order of tasks, so with them there are no groups.
func (m *Model) Interchangeable() [][]int {
	if m.Teardown || m.Cleaner {
		return nil
	}
	var groups [][]int
	done := [MaxTasks]bool{}
	for i := range m.tasks {
		if done[i] || len(m.workerTasks(m.tasks[i].worker)) > 1 {
			continue
		}
		g := []int{i}
		for j := i + 1; j < len(m.tasks); j++ {
			if !done[j] && len(m.workerTasks(m.tasks[j].worker)) == 1 && m.alike(i, j) {
				g = append(g, j)
				done[j] = true
			}
		}
		if len(g) > 1 {
			groups = append(groups, g)
		}
	}
	return groups
}

func (m *Model) alike(i, j int) bool {
	a, b := &m.tasks[i], &m.tasks[j]
	if a.sink != b.sink || a.process != b.process || a.upper != b.upper || a.passes != b.passes ||
		a.finish != b.finish || a.barrier != b.barrier || !slices.Equal(m.Tasks[i].Skips, m.Tasks[j].Skips) || len(a.parts) != len(b.parts) {
		return false
	}
	for k := range a.parts {
		p, q := &m.parts[a.parts[k]], &m.parts[b.parts[k]]
		if p.interval != q.interval || p.At != q.At || m.Persist == WholePersist && p.Bytes != q.Bytes {
			return false
		}
	}
	return true
}

// Rename is the state with task t named perm[t].
func (m *Model) Rename(s *State, perm []int) State {
	r := renamer{m: m, perm: perm}
	n := *s
	for p := range m.parts {
		n.Sealed[r.part(p)] = s.Sealed[p]
	}
	for t := range m.tasks {
		u := perm[t]
		n.Tasks[u] = s.Tasks[t]
		if h := s.Tasks[t].Handle; h != 0 {
			n.Tasks[u].Handle = uint8(r.slot(int(h-1))) + 1
		}
		n.Tasks[u].Due = r.parts(s.Tasks[t].Due)
		n.Timely[u] = s.Timely[t]
		if q := s.Timely[t].Response; q >= 2 {
			n.Timely[u].Response = uint8(perm[q-2]) + 2
		}
		for i := range s.Blobs[t] {
			b := s.Blobs[t][i]
			b.Parts = r.parts(b.Parts)
			n.Blobs[u][i] = b
			f := s.Flushed[t][i]
			for c := range f.Cut {
				f.Cut[c] = r.parts(f.Cut[c])
			}
			n.Flushed[u][i] = f
		}
		for slot := 2 * t; slot < 2*t+2; slot++ {
			n.Batches[r.slot(slot)] = r.batch(s.Batches[slot])
		}
	}
	for p := range m.Processes {
		k := &n.Registries[p]
		for e := range k.Entries {
			if slot, ok := k.Entries[e].Slot(); ok {
				k.Entries[e] = Weak(r.slot(slot) + 2)
			}
		}
		k.Lock = r.thread(k.Lock)
	}
	for i := range m.Sinks {
		n.Sinks[i].Answered = r.set(s.Sinks[i].Answered)
		n.Sinks[i].Staged = r.set(s.Sinks[i].Staged)
	}
	return n
}

// RenameThread is the thread that t becomes when task i becomes perm[i].
func (m *Model) RenameThread(t Thread, perm []int) Thread {
	switch t.Role() {
	case WriteTask:
		return Thread(perm[t])
	case BuilderTask:
		return Builder(2*perm[t.Slot()/2] + t.Slot()&1)
	case Timely:
		return timelyOf(perm[t.WriteTask()])
	case Uploads:
		return uploadsOf(perm[t.UploadsOf()])
	}
	return t
}

type renamer struct {
	m    *Model
	perm []int
}

func (r *renamer) slot(slot int) int { return 2*r.perm[slot/2] + slot&1 }

func (r *renamer) part(p int) int {
	t := r.m.parts[p].task
	return r.m.tasks[r.perm[t]].parts[slices.Index(r.m.tasks[t].parts, p)]
}

func (r *renamer) parts(ps Parts) Parts {
	var out Parts
	for p := 0; ps>>p != 0; p++ {
		if ps.Has(p) {
			out |= 1 << r.part(p)
		}
	}
	return out
}

func (r *renamer) set(tasks uint8) uint8 {
	var out uint8
	for t := range r.perm {
		out |= tasks >> t & 1 << r.perm[t]
	}
	return out
}

// task renames 1 + a task, or 0.
func (r *renamer) task(v uint8) uint8 {
	if v == 0 {
		return 0
	}
	return uint8(r.perm[v-1]) + 1
}

// thread renames 1 + a thread, or 0.
func (r *renamer) thread(v uint8) uint8 {
	if v == 0 {
		return 0
	}
	return uint8(r.m.RenameThread(Thread(v-1), r.perm)) + 1
}

func (r *renamer) batch(b Batch) Batch {
	b.Holders = r.set(b.Holders)
	b.Temp = r.thread(b.Temp)
	b.Owner = r.task(b.Owner)
	for i, q := range b.Queue {
		switch {
		case q == 0:
		case q&FinishCommand != 0:
			b.Queue[i] = FinishCommand | uint8(r.perm[q&^FinishCommand])
		default:
			b.Queue[i] = uint8(r.part(int(q-1))) + 1
		}
	}
	b.Got = r.parts(b.Got)
	if b.Hand != 0 {
		b.Hand = uint8(r.part(int(b.Hand-1))) + 1
	}
	b.Deliverer = r.task(b.Deliverer)
	b.Reported = r.set(b.Reported)
	b.Registered = r.set(b.Registered)
	b.Notified = r.set(b.Notified)
	b.ReplyTo = r.task(b.ReplyTo)
	return b
}

// Sketch is a number that a renaming of tasks does not change: what task t is at,
// and how each batch, part and set stands to it.
func (m *Model) Sketch(s *State, t int) uint64 {
	mix := func(h, v uint64) uint64 {
		h = (h ^ v) * 0x9E3779B97F4A7C15
		return h ^ h>>32
	}
	bit := func(b bool, at int) uint64 {
		if b {
			return 1 << at
		}
		return 0
	}
	k, me := &s.Tasks[t], uint8(t)+1
	sink := &s.Sinks[m.tasks[t].sink]
	h := mix(1, uint64(k.Line)|uint64(k.Interval)<<8|uint64(k.Pushed)<<16|uint64(k.Panic)<<24|
		uint64(sink.Answered>>t&1)<<32|uint64(sink.Staged>>t&1)<<33|bit(m.Registry(s, Thread(t)).Lock == me, 34)|
		bit(m.Registry(s, Thread(t)).Lock == uint8(timelyOf(t))+1, 35))
	tl := &s.Timely[t]
	h = mix(h, uint64(tl.Line)|uint64(tl.Done)<<8|uint64(tl.Skipped)<<16)
	for _, p := range m.tasks[t].parts {
		h = mix(h, uint64(s.Sealed[p]))
	}
	for i := range m.Intervals(m.tasks[t].sink) {
		b := &s.Blobs[t][i]
		h = mix(h, uint64(b.Status)|uint64(b.Given)<<8|uint64(b.Parts.Len())<<16)
		if f := &s.Flushed[t][i]; f.N != 0 {
			for at, p := range m.tasks[t].parts {
				if s.Blobs[t][i].Parts.Has(p) {
					h = mix(h, uint64(at)<<8|uint64(f.Cut[0]>>p&1|f.Cut[1]>>p&1<<1|f.Cut[2]>>p&1<<2))
				}
			}
			h = mix(h, uint64(f.N)|uint64(f.Up)<<8|uint64(f.Deleted)<<16|uint64(f.Cut[0].Len())<<24|uint64(f.Cut[1].Len())<<32|uint64(f.Cut[2].Len())<<40)
		}
	}
	for slot := range 2 * len(m.tasks) {
		b := &s.Batches[slot]
		if b.Id == 0 {
			continue
		}
		v := uint64(b.Id) | bit(slot/2 == t, 8) | uint64(b.Holders>>t&1)<<9 | bit(b.Temp == me, 10) | bit(b.Owner == me, 11) |
			bit(b.Deliverer == me, 12) | uint64(b.Reported>>t&1)<<13 | uint64(b.Registered>>t&1)<<14 | uint64(b.Notified>>t&1)<<15 |
			bit(b.ReplyTo == me, 16) | bit(b.Closed, 17) | bit(b.Done, 18) | bit(b.Gone, 19) | bit(b.Temp != 0, 20) | bit(b.Owner != 0, 21) |
			uint64(b.Count())<<22 | uint64(b.Queued())<<26 | uint64(b.Got.Len())<<30 | uint64(b.Pending)<<36 | bit(b.Hand != 0, 40)
		g := mix(2, v)
		for i, p := range m.tasks[t].parts {
			g = mix(g, bit(b.Got.Has(p), i&63)|bit(b.Hand == uint8(p)+1, (i+32)&63))
			for at, q := range b.Queue {
				if q == uint8(p)+1 {
					g = mix(g, uint64(i)<<8|uint64(at)|1<<16)
				}
			}
		}
		for at, q := range b.Queue {
			if q == FinishCommand|uint8(t) {
				g = mix(g, uint64(at)|1<<17)
			}
		}
		// Batches have no order that a renaming keeps.
		h += g
	}
	return h
}
