package coalesce

// Verdict is how a maximal run ended.
type Verdict uint8

const (
	Safe Verdict = iota
	Losing
	Deadlocked
	Crashed
)

// Running tells whether some thread can move.
func (m *Model) Running(s *State) bool {
	for _, t := range m.threads {
		if m.Blocked(s, t).Kind == Free {
			return true
		}
	}
	return false
}

// Classify tells how a run ended, in this order: panicked, deadlocked, losing,
// safe. It is meant for states in which no thread can move.
func (m *Model) Classify(s *State) Verdict {
	if m.panicked(s) {
		return Crashed
	}
	for _, t := range m.threads {
		if b := m.Blocked(s, t); b.Kind != Free && !b.Over() && b.Kind != NotSpawned {
			return Deadlocked
		}
	}
	if s.Torn == 0 && m.LostParts(s) != 0 {
		return Losing
	}
	return Safe
}

func (v Verdict) String() string {
	return [...]string{"safe", "losing", "deadlocked", "panicked"}[v]
}

func (m *Model) panicked(s *State) bool {
	for i := range m.tasks {
		if s.Tasks[i].Panic != NoPanic {
			return true
		}
	}
	for i := range s.Batches {
		if s.Batches[i].Panic != NoPanic {
			return true
		}
	}
	for i := range s.Timely {
		if s.Timely[i].Line == skipPanicked {
			return true
		}
	}
	return false
}

// LostParts is the set of parts whose interval was sealed without them. That a
// later interval carried them does not undo it.
func (m *Model) LostParts(s *State) Parts {
	var lost Parts
	for p := range m.parts {
		part := &m.parts[p]
		if n := part.interval; int(s.Sinks[m.tasks[part.task].sink].Upper) > n && int(s.Sealed[p]) != n+1 {
			lost |= 1 << p
		}
	}
	return lost
}

// Orphaned is the set of slots whose state died holding data, with the task
// still to come, and of blobs that nobody received.
func (m *Model) Orphaned(s *State) bool {
	for i := range s.Batches {
		if b := &s.Batches[i]; b.Destroyed() && b.HasData() {
			return true
		}
	}
	for t := range m.tasks {
		for n := range s.Blobs[t] {
			if b := s.Blobs[t][n]; b.Given == 0 && (b.Status == Leaked || b.Status == Deleted) {
				return true
			}
		}
	}
	return false
}
