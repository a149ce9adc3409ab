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
	if s.Sweeper == sweepPanicked {
		return true
	}
	for i := range s.Timely {
		if s.Timely[i].Line >= skipPanicked {
			return true
		}
	}
	return false
}

// LostParts is the set of parts whose interval was sealed without them. That a
// later interval carried them does not undo it.
func (m *Model) LostParts(s *State) Parts {
	var lost Parts
	if !m.sealedAny(s) {
		return 0
	}
	for p := range m.parts {
		part := &m.parts[p]
		if n := part.interval; int(s.Sinks[part.sink].Upper) > n && int(s.Sealed[p]) != n+1 {
			lost |= 1 << p
		}
	}
	return lost
}

// sealedAny tells whether some interval is sealed, which in most states none is.
func (m *Model) sealedAny(s *State) bool {
	for i := range m.Sinks {
		if s.Sinks[i].Upper != 0 {
			return true
		}
	}
	return false
}

// Orphaned tells whether some batch's state died while it held data, or a blob was
// finished that nobody received.
func (m *Model) Orphaned(s *State) bool {
	for _, slot := range m.slots {
		if b := &s.Batches[slot]; b.Destroyed() && b.HasData() {
			return true
		}
	}
	for _, at := range m.blobs {
		if b := &s.Blobs[at.task][at.interval]; b.Given == 0 && (b.Status == Leaked || b.Status == Deleted) {
			return true
		}
	}
	return false
}

// Judge is [Model.Orphaned] and [Model.Violations], for a search, which asks both of every
// state. What is orphaned is also undelivered, and of most states neither is to be said,
// unless a teardown excuses it or its builder task could panic over a foreign upper.
func (m *Model) Judge(s *State) (orphaned bool, broken uint32) {
	broken = m.Violations(s)
	if broken>>Delivered&1 != 0 || s.Torn != 0 || m.foreign {
		orphaned = m.Orphaned(s)
	}
	return orphaned, broken
}

// LostAll tells whether every interval that was sealed without some of its parts
// was sealed without any of them.
func (m *Model) LostAll(s *State) bool {
	lost := m.LostParts(s)
	for _, p := range lost.List() {
		for q := range m.parts {
			if m.parts[q].interval == m.parts[p].interval && m.tasks[m.parts[q].task].sink == m.tasks[m.parts[p].task].sink && !lost.Has(q) {
				return false
			}
		}
	}
	return true
}
