package coalesce

import "slices"

// Read is what a reader of a view gets for one key. While the view has an error row, no
// key has a count: every query of it fails.
type Read struct {
	Status ReadStatus
	View   int // the count that the view answers, or [Absent]
	Truth  int // the count that the one-shot query answers, or [Absent]
	// The error with which the view and the one-shot query fail, or "".
	ViewError, TruthError string
}

// ReadStatus is whether a read is answered.
type ReadStatus uint8

const (
	Answers ReadStatus = iota
	Waits              // the time is at or beyond the shard's upper
	Refused            // the time is below the shard's since
)

// Wrong tells whether the read answers and differs from the truth. Two errors do not
// differ: which of several a query reports is not settled.
func (r Read) Wrong() bool {
	return r.Status == Answers && (r.View != r.Truth || (r.ViewError == "") != (r.TruthError == ""))
}

// Upper is the shard's upper of a sink: all times below are sealed.
func (m *Model) Upper(s *State, sink int) int64 { return m.Sinks[sink].Bounds[s.Sinks[sink].Upper] }

// Keys lists the keys of a view that some part changes, in ascending order.
func (m *Model) Keys(sink int) []string {
	var keys []string
	for p := range m.parts {
		if m.tasks[m.parts[p].task].sink != sink {
			continue
		}
		for _, c := range m.parts[p].Changes {
			if !slices.Contains(keys, c.Key) {
				keys = append(keys, c.Key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// ReadAsOf answers SELECT ... AS OF t on the view of a sink for one key, beside
// the truth: the query over everything that happened up to t.
func (m *Model) ReadAsOf(s *State, sink int, key string, t int64) Read {
	r := Read{Status: Answers}
	switch {
	case t < m.Sinks[sink].Since:
		r.Status = Refused
	case t >= m.Upper(s, sink):
		r.Status = Waits
	}
	own := func(p int) (int64, bool) { return m.parts[p].At, true }
	sealed := func(p int) (int64, bool) {
		if s.Sealed[p] == 0 {
			return 0, false
		}
		return m.timeIn(p, int(s.Sealed[p])-1), true
	}
	r.Truth, r.TruthError = m.value(sink, key, t, own), m.failure(sink, t, own)
	r.View, r.ViewError = m.value(sink, key, t, sealed), m.failure(sink, t, sealed)
	if r.TruthError != "" {
		r.Truth = Absent
	}
	if r.ViewError != "" {
		r.View = Absent
	}
	return r
}

// value is the count of a key at time t when each part's updates carry the time
// that at gives, and are missing where it gives none. The updates of one part
// retract From and insert To, so a part that arrives late makes its difference
// late, and differences add up in any order.
func (m *Model) value(sink int, key string, t int64, at func(p int) (int64, bool)) int {
	sum, rows := 0, 0
	for p := range m.parts {
		if m.tasks[m.parts[p].task].sink != sink {
			continue
		}
		when, ok := at(p)
		for _, c := range m.parts[p].Changes {
			if c.Key != key {
				continue
			}
			if !m.first(sink, key, p) {
				if ok && when <= t {
					sum, rows = change(sum, rows, c)
				}
				continue
			}
			// What the first change retracts was in the view before the first interval.
			if c.From != Absent {
				sum, rows = sum+c.From, rows+1
			}
			if ok && when <= t {
				sum, rows = change(sum, rows, c)
			}
		}
	}
	if rows == 0 {
		return Absent
	}
	return sum
}

func change(sum, rows int, c Change) (int, int) {
	if c.From != Absent {
		sum, rows = sum-c.From, rows-1
	}
	if c.To != Absent {
		sum, rows = sum+c.To, rows+1
	}
	return sum, rows
}

// first tells whether part p holds the earliest change of a key.
func (m *Model) first(sink int, key string, p int) bool {
	for q := range m.parts {
		if q == p || m.tasks[m.parts[q].task].sink != sink {
			continue
		}
		for _, c := range m.parts[q].Changes {
			if c.Key == key && (m.parts[q].At < m.parts[p].At || m.parts[q].At == m.parts[p].At && q < p) {
				return false
			}
		}
	}
	return true
}

// FirstHole is the first range [from, to) of sealed times at or beyond the since
// in which the view differs from the truth for some key, or for updates that no
// key shows. ok is false when every read is right.
func (m *Model) FirstHole(s *State, sink int) (from, to int64, ok bool) {
	upper, since := m.Upper(s, sink), m.Sinks[sink].Since
	from, to = 1<<62, 0
	for p := range m.parts {
		if m.tasks[m.parts[p].task].sink != sink {
			continue
		}
		a, b := m.missing(s, p)
		a, b = max(a, since), min(b, upper)
		if a < b && a < from {
			from, to = a, b
		}
	}
	return from, to, to != 0
}

// missing is the range [from, to) of times at which the shard lacks part p: from
// its own time to the time it carries there; to is far away while it is not there.
func (m *Model) missing(s *State, p int) (from, to int64) {
	if s.Sealed[p] == 0 {
		return m.parts[p].At, 1 << 62
	}
	return m.parts[p].At, m.timeIn(p, int(s.Sealed[p])-1)
}
