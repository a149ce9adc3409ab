package coalesce

import (
	"math/bits"
	"slices"
)

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

// Rename names task t of the state perm[t], in place. Tasks of one of the groups of
// [Model.Interchangeable] may exchange their names.
func (m *Model) Rename(s *State, perm []int) {
	r := renamer{m: m, perm: perm}
	for t, to := range perm {
		if t != to {
			r.tasks |= 1 << t
			r.theirs |= m.partsOf(t)
		}
	}
	for left := r.tasks; left != 0; {
		// Each exchange brings one task of a cycle to its place.
		t := bits.TrailingZeros8(left)
		for u := perm[t]; u != t; u = perm[u] {
			m.exchange(s, t, u)
			left &^= 1 << u
		}
		left &^= 1 << t
	}
	r.names(s)
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

// partsOf is the parts of task t, whose ids follow one another.
func (m *Model) partsOf(t int) Parts {
	ids := m.tasks[t].parts
	if len(ids) == 0 {
		return 0
	}
	return (1<<len(ids) - 1) << ids[0]
}

// exchange swaps what a state keeps of tasks t and u. The names in it stay.
func (m *Model) exchange(s *State, t, u int) {
	s.Tasks[t], s.Tasks[u] = s.Tasks[u], s.Tasks[t]
	s.Timely[t], s.Timely[u] = s.Timely[u], s.Timely[t]
	ps, qs := m.tasks[t].parts, m.tasks[u].parts
	for i, p := range ps {
		q := qs[i]
		s.Sealed[p], s.Sealed[q] = s.Sealed[q], s.Sealed[p]
	}
	for n := range m.Intervals(m.tasks[t].sink) {
		s.Blobs[t][n], s.Blobs[u][n] = s.Blobs[u][n], s.Blobs[t][n]
		if m.Persist == WholePersist {
			s.Flushed[t][n], s.Flushed[u][n] = s.Flushed[u][n], s.Flushed[t][n]
		}
	}
	for k := range 2 {
		if b, c := &s.Batches[2*t+k], &s.Batches[2*u+k]; b.Id|c.Id != 0 {
			*b, *c = *c, *b
		}
	}
}

// A renamer renames what is named in a state.
type renamer struct {
	m      *Model
	perm   []int
	tasks  uint8 // that get another name, as a bit set
	theirs Parts
}

func (r *renamer) names(s *State) {
	m := r.m
	for t := range m.tasks {
		if h := s.Tasks[t].Handle; h != 0 {
			s.Tasks[t].Handle = uint8(r.slot(int(h-1))) + 1
		}
		s.Tasks[t].Due = r.parts(s.Tasks[t].Due)
		if q := s.Timely[t].Response; q >= 2 {
			s.Timely[t].Response = uint8(r.perm[q-2]) + 2
		}
	}
	for _, k := range m.blobs {
		b := &s.Blobs[k.task][k.interval]
		b.Parts = r.parts(b.Parts)
		if m.Persist == WholePersist {
			f := &s.Flushed[k.task][k.interval]
			for c := range f.Cut {
				f.Cut[c] = r.parts(f.Cut[c])
			}
		}
	}
	for _, slot := range m.slots {
		if b := &s.Batches[slot]; b.Id != 0 {
			r.batch(b)
		}
	}
	for p := range m.Processes {
		k := &s.Registries[p]
		for sink := range m.Sinks {
			for n := range m.Intervals(sink) {
				e := &k.Entries[entryOf(sink, n)]
				if slot, ok := e.Slot(); ok {
					*e = Weak(r.slot(slot) + 2)
				}
			}
		}
		k.Lock = r.thread(k.Lock)
	}
	for i := range m.Sinks {
		k := &s.Sinks[i]
		k.Answered, k.Staged = r.set(k.Answered), r.set(k.Staged)
	}
}

func (r *renamer) batch(b *Batch) {
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
}

func (r *renamer) slot(slot int) int { return 2*r.perm[slot/2] + slot&1 }

func (r *renamer) part(p int) int {
	t := r.m.parts[p].task
	if to := r.perm[t]; to != t {
		p += r.m.tasks[to].parts[0] - r.m.tasks[t].parts[0]
	}
	return p
}

func (r *renamer) parts(ps Parts) Parts {
	out := ps &^ r.theirs
	for ps &= r.theirs; ps != 0; ps &= ps - 1 {
		out |= 1 << r.part(bits.TrailingZeros32(uint32(ps)))
	}
	return out
}

func (r *renamer) set(tasks uint8) uint8 {
	out := tasks &^ r.tasks
	for tasks &= r.tasks; tasks != 0; tasks &= tasks - 1 {
		out |= 1 << r.perm[bits.TrailingZeros8(tasks)]
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
