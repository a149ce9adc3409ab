package coalesce

import (
	"slices"

	"sharedbatches/core/brief"
)

// Rendered is a dataflow that was rendered anew over a shard that goes on.
type Rendered struct {
	Model *Model
	State State
	// Left are the objects that the old dataflow leaves behind: those of intervals that
	// are not sealed, and after a teardown every leaked one. Nobody refers to them, and
	// nobody will. They are no longer in the state, nor in Puts, for two reasons. The new
	// dataflow's batches of an interval have other ids, so their objects have other keys,
	// while a state has room for one object of a spawner and interval. And what a teardown
	// leaks breaks no promise of the dataflow that comes after it (facts.md D10).
	Left []Object
}

// Rerender renders the sinks of m again in s, with what has changed in c: flags, that
// is the mode, and other rules. The shard is the same one, and so are the sinks' names,
// bounds and since, the write tasks with their parts, and the processes.
//
// The dataflow in s has been torn down and every write task has stopped, or nothing is
// under way in it: it stands between two intervals. A process that has panicked is
// not rendered again.
//
// What is sealed, the uppers, the objects and the PUTs carry over, and so does the
// registry, which belongs to the process: its entries are dead, and those of intervals
// that are not sealed stand for ids that nobody will ask for again. Parts that have not
// reached the shard are due again. Everything else of the old dataflow goes to nobody.
//
// Two simplifications. A detached builder task finishes at once, though in the original
// it may still upload while the new dataflow runs; nobody can receive its batch in
// either. Pending skips are forgotten: they stay in the original's map for good (facts.md
// D12), but their ids come to nobody either.
//
// The packed form of a state ([Model.Pack]) has no room for entries of forgotten ids, so
// a search does not begin in what Rerender returns.
func Rerender(m *Model, s *State, c Config) (*Rendered, error) {
	if err := m.down(s); err != nil {
		return nil, brief.Errorf("rerender: %w", err)
	}
	if err := m.sameShard(&c); err != nil {
		return nil, brief.Errorf("rerender: %w", err)
	}
	next, err := New(c)
	if err != nil {
		return nil, brief.Errorf("rerender: %w", err)
	}
	old := *s
	m.detach(&old)
	r := &Rendered{Model: next, State: next.Start()}
	n := &r.State
	n.Sealed, n.Blobs, n.Flushed, n.Puts, n.Faults = old.Sealed, old.Blobs, old.Flushed, old.Puts, old.Faults
	for i := range m.Sinks {
		n.Sinks[i].Upper, n.Sinks[i].Replica = old.Sinks[i].Upper, old.Sinks[i].Replica
		n.Sinks[i].Labels = old.Sinks[i].Labels // the process has them
	}
	for _, o := range m.List(&old) {
		if m.forgets(&old, int(o.Spawner), o.N) {
			r.Left = append(r.Left, o)
		}
	}
	for _, at := range m.blobs {
		if m.forgets(&old, at.task, at.interval) {
			puts, _ := m.objects(&old, at)
			n.Puts -= uint8(puts)
			n.Blobs[at.task][at.interval], n.Flushed[at.task][at.interval] = Blob{}, Flushes{}
		}
	}
	for t := range m.tasks {
		upper := old.Sinks[m.tasks[t].sink].Upper
		if next.Whole == ShortSink {
			n.Tasks[t].Interval = next.writes(t, upper)
		}
		if err := next.passSkips(n, t, upper); err != nil {
			return nil, brief.Errorf("rerender: tasks[%d]: %w", t, err)
		}
	}
	for p := range m.Processes {
		n.Registries[p] = m.left(&old, p)
	}
	return r, nil
}

// forgets tells whether the batch of a spawner and interval is none of the new
// dataflow's: its interval comes again, or a teardown has leaked it.
func (m *Model) forgets(s *State, spawner, n int) bool {
	b := &s.Blobs[spawner][n]
	lost := b.Status == Leaked || b.Status == Deleted && b.Given == 0 // by a cleaner
	return b.Status != NoBlob && (n >= int(s.Sinks[m.tasks[spawner].sink].Upper) || s.Torn != 0 && lost)
}

// down is why the dataflow in s may not be rendered again, or nil.
func (m *Model) down(s *State) error {
	if m.panicked(s) {
		return brief.Errorf("a thread has panicked: its process is not rendered again")
	}
	for p := range m.Processes {
		if r := &s.Registries[p]; r.Lock != 0 {
			return brief.Errorf("registry lock held by %s: it has to be released first", m.names[r.Lock-1])
		}
	}
	for t := range m.tasks {
		k := &s.Tasks[t]
		switch {
		case s.Torn != 0:
			if m.outside(s, Thread(t)).Kind != HasFinished {
				return brief.Errorf("the dataflow is being torn down, and %s has not stopped", m.names[t])
			}
		case k.Handle != 0 || k.Command != 0 || k.Line != m.tasks[t].first:
			return brief.Errorf("%s is in interval %d: the dataflow has to be torn down, or to stand between two intervals", m.names[t], k.Interval+1)
		}
	}
	if s.Torn != 0 {
		return nil
	}
	for slot := range 2 * len(m.tasks) {
		if s.Batches[slot].Id != 0 {
			return brief.Errorf("the batch of %s is still there: the dataflow has to be torn down, or to stand between two intervals", m.names[Builder(slot)])
		}
	}
	for t := range m.tasks {
		if k := &s.Timely[t]; k.Held|k.InFlight|k.Skip|k.Response != 0 {
			return brief.Errorf("the Timely side of %s has a description: the dataflow has to be torn down, or to stand between two intervals", m.names[t])
		}
	}
	for i := range m.Sinks {
		if k := &s.Sinks[i]; k.Answered|k.Staged|k.Desc|k.Stash|k.Minted>>k.Upper != 0 {
			return brief.Errorf("interval %d of sink %s has begun: the dataflow has to be torn down, or to stand between two intervals", k.Upper+1, m.SinkName(i))
		}
	}
	return nil
}

// sameShard refuses a configuration that is not over the same shards and parts.
func (m *Model) sameShard(c *Config) error {
	if c.Persist != m.Persist {
		return brief.Errorf("persist: it has to stay as it was: the shard’s parts are described by it")
	}
	if n := max(c.Processes, 1); n != m.Processes {
		return brief.Errorf("processes: %d: the replica has %d; with another number it is another replica", n, m.Processes)
	}
	if len(c.Sinks) != len(m.Sinks) {
		return brief.Errorf("sinks: there are %d: there were %d", len(c.Sinks), len(m.Sinks))
	}
	for i := range c.Sinks {
		a, b := &c.Sinks[i], &m.Sinks[i]
		if a.Name != b.Name || a.Since != b.Since || !slices.Equal(a.Bounds, b.Bounds) {
			return brief.Errorf("sinks[%d]: its name, since and intervals have to stay as they were", i)
		}
	}
	if len(c.Tasks) != len(m.Tasks) {
		return brief.Errorf("tasks: there are %d: there were %d", len(c.Tasks), len(m.Tasks))
	}
	for i := range c.Tasks {
		a, b := &c.Tasks[i], &m.Tasks[i]
		if a.Worker != b.Worker || a.Sink != b.Sink {
			return brief.Errorf("tasks[%d]: its worker and sink have to stay as they were", i)
		}
		if !slices.EqualFunc(a.Parts, b.Parts, samePart) {
			return brief.Errorf("tasks[%d]: its parts have to stay as they were", i)
		}
	}
	return nil
}

func samePart(a, b PartConfig) bool {
	return a.Interval == b.Interval && a.At == b.At && a.Updates == b.Updates && a.Bytes == b.Bytes &&
		a.Error == b.Error && a.Gone == b.Gone && slices.Equal(a.Changes, b.Changes)
}

// detach lets go of the old dataflow's batches: builder tasks that still run finish,
// and what no append has taken is leaked.
func (m *Model) detach(s *State) {
	for slot := range 2 * len(m.tasks) {
		b := &s.Batches[slot]
		if b.Id == 0 {
			continue
		}
		b.Holders, b.Temp, b.Owner, b.Closed = 0, 0, 0, true
		for m.Step(s, Builder(slot), nil).Kind == Free || m.Step(s, uploadsOf(slot/2), nil).Kind == Free {
		}
		*b = Batch{}
	}
	for _, at := range m.blobs {
		if b := &s.Blobs[at.task][at.interval]; b.Status == InFlight {
			b.Status = Leaked
		}
	}
}

// left is the registry of a process after its dataflow: dead entries, of which those
// of intervals that come again stand for other ids.
func (m *Model) left(s *State, p int) Registry {
	old := &s.Registries[p]
	r := Registry{LastRetained: old.LastRetained, Old: old.Old}
	for sink := range m.Sinks {
		for n := range m.Intervals(sink) {
			e := entryOf(sink, n)
			switch {
			case old.Entries[e] == 0:
			case n < int(s.Sinks[sink].Upper):
				r.Entries[e] = DeadWeak
			default:
				r.Old++
			}
		}
	}
	return r
}

// passSkips passes over the skips of intervals that are sealed.
func (m *Model) passSkips(s *State, t int, upper uint8) error {
	k := &s.Timely[t]
	for i, n := range m.Tasks[t].Skips {
		if n >= int(upper) {
			continue
		}
		if i != int(k.Done) {
			return brief.Errorf("skips[%d]: %d: interval %d is sealed, and one before it in the list is not", i, n+1, n+1)
		}
		k.Done++
		k.Skipped |= 1 << n
	}
	return nil
}
