package coalesce

// A state has room for a few intervals. Rebase lets a run go on for ever: once the
// two oldest intervals are over, the later ones take their numbers.

// Window is by how many intervals [Model.Rebase] shifts: an even number, so that
// builder tasks keep their slots.
const Window = 2

// Periodic tells whether the set-up repeats itself every [Window] intervals, which
// Rebase needs: no flushes, four intervals in each sink, and for each write task the
// same number of parts in an interval and in the second one after it, none of them of
// errors.
func (m *Model) Periodic() bool {
	// A late part stands for two after a shift, and a builder's window could hold both.
	if m.Persist == WholePersist {
		return false
	}
	if m.Whole == WholeSink || m.Mode == Barrier && m.hasSkips() {
		return false
	}
	for sink := range m.Sinks {
		if m.Intervals(sink) != 2*Window {
			return false
		}
	}
	for t := range m.tasks {
		var n [MaxIntervals]int
		for _, p := range m.tasks[t].parts {
			n[m.parts[p].interval]++
			if m.parts[p].Error != "" {
				return false // the ids of a task's parts do not ascend by interval then
			}
		}
		if n[0] != n[Window] || n[1] != n[Window+1] {
			return false
		}
	}
	return true
}

func (m *Model) hasSkips() bool {
	for _, t := range m.Tasks {
		if len(t.Skips) > 0 {
			return true
		}
	}
	return false
}

// Rebase forgets the two oldest intervals, if every thread is past them: sealed,
// answered and no builder task left. Their entries stay in the registry as old dead
// ones, which count in the map's length and are removed by the next sweep. What was
// stored for them is forgotten too, so take what is wanted before: the objects are
// returned.
func (m *Model) Rebase(s *State) (forgotten []Object, ok bool) {
	for sink := range m.Sinks {
		if s.Sinks[sink].Upper < Window {
			return nil, false
		}
	}
	for t := range m.tasks {
		if s.Tasks[t].Interval < Window {
			return nil, false
		}
	}
	for p := range m.parts {
		// A lost part is forgotten once a later append has brought it, or when the
		// last interval of the window is over without it.
		t := m.parts[p].task
		if m.parts[p].interval < Window && s.Sealed[p] == 0 && int(s.Tasks[t].Interval) < m.Intervals(m.parts[p].sink) {
			return nil, false
		}
	}
	for i := range s.Batches {
		if b := &s.Batches[i]; b.Id != 0 {
			if _, n := EntryInterval(int(b.Id - 1)); n < Window {
				return nil, false
			}
		}
	}
	for p := range m.Processes {
		// A sweep in progress has its cursor on entries that would move.
		if s.Registries[p].Lock != 0 {
			return nil, false
		}
	}
	for _, o := range m.List(s) {
		if o.N < Window {
			forgotten = append(forgotten, o)
		}
	}
	m.shift(s)
	return forgotten, true
}

func (m *Model) shift(s *State) {
	old := *s
	for t := range m.tasks {
		k := &m.tasks[t]
		half := 0
		for _, p := range k.parts {
			if m.parts[p].interval < Window {
				half++
			}
		}
		for i, p := range k.parts {
			s.Sealed[p] = 0
			if i+half < len(k.parts) {
				if v := old.Sealed[k.parts[i+half]]; v > Window {
					s.Sealed[p] = v - Window
				}
			}
		}
		for n := range m.Intervals(k.sink) {
			b := &s.Blobs[t][n]
			*b = Blob{}
			if n+Window < m.Intervals(k.sink) {
				*b = old.Blobs[t][n+Window]
				b.Parts = m.earlier(b.Parts)
			}
		}
		s.Tasks[t].Interval -= Window
	}
	for i := range s.Batches {
		b := &s.Batches[i]
		if b.Id == 0 {
			continue
		}
		b.Id -= Window
		b.Got = m.earlier(b.Got)
		for q, v := range b.Queue {
			if v != 0 && v&FinishCommand == 0 {
				b.Queue[q] = uint8(m.earlierPart(int(v-1))) + 1
			}
		}
	}
	for p := range m.Processes {
		r := &s.Registries[p]
		for sink := range m.Sinks {
			for n := range m.Intervals(sink) {
				e := entryOf(sink, n)
				if n < Window && r.Entries[e] != 0 {
					r.Old++
				}
				r.Entries[e] = 0
				if n+Window < m.Intervals(sink) {
					r.Entries[e] = old.Registries[p].Entries[entryOf(sink, n+Window)]
				}
			}
		}
	}
	for sink := range m.Sinks {
		s.Sinks[sink].Upper -= Window
	}
	s.Puts = 0
	for status, n := range m.tally(s) {
		if BlobStatus(status) != NoBlob {
			s.Puts += uint8(n)
		}
	}
}

// earlierPart is the part that takes the place of part p after a shift: the one of
// the same task, two intervals earlier. A part of the first two that was lost and is
// pushed late stands for itself; it is not distinguished from the one that follows.
func (m *Model) earlierPart(p int) int {
	t := &m.tasks[m.parts[p].task]
	half, at := 0, 0
	for i, q := range t.parts {
		if m.parts[q].interval < Window {
			half++
		}
		if q == p {
			at = i
		}
	}
	if at < half {
		return p
	}
	return t.parts[at-half]
}

func (m *Model) earlier(ps Parts) (out Parts) {
	for _, p := range ps.List() {
		out |= 1 << m.earlierPart(p)
	}
	return out
}
