package coalesce

import (
	"math/bits"

	"sharedbatches/core/brief"
)

// The persist side of a batch: what a batch builder makes of the parts that it is
// given, and what the shard's state keeps of it. With [ShortPersist] one finished
// batch is one object, made in the finish line. With [WholePersist] a builder flushes
// at the target size, keeps small parts inline, uploads the others in the background
// (flush.go, upload.go), and the four rules below mean something.
//
// Left out: ordered runs that a compacting builder merges cost it reads and further
// parts; here only their number is counted. The shard's inline budget of 1 MiB cannot
// be reached (see inlineTotal), so nothing is ever encoded again for it.

// Persist is how much of the batch builder moves.
type Persist uint8

const (
	ShortPersist Persist = iota
	WholePersist
)

// Goodbytes is how a batch builder knows the bytes of its open window (facts.md D2).
type Goodbytes uint8

const (
	Counter   Goodbytes = iota // a counter that each part adds to
	Recompute                  // summed over all parts of the window, twice for each part: the broken rule
)

// Schema is which schema id is written into parts (facts.md D5).
type Schema uint8

const (
	FromHandle Schema = iota // the write handle's
	NoSchema                 // none, so readers cannot find the schema: the broken rule
)

// Label is the name that a shared batch's builder gives to the shard's metrics if it
// is the first in the process to touch the shard (facts.md D4).
type Label uint8

const (
	Argument  Label = iota // the view's own, passed as an argument
	PeekStash              // a hard-coded one: the broken rule
)

// Runs is the number of runs that a shared batch may have (facts.md D7).
type Runs uint8

const (
	HardCoded  Runs = iota // no bound, whatever max_runs says; an open question in the original
	Configured             // max_runs
)

const (
	// MaxFlushes is how many parts one batch may be flushed as.
	MaxFlushes = 8

	// Outstanding is the default of Config.Outstanding
	// (persist_batch_builder_max_outstanding_parts).
	Outstanding = 2

	// inlineTotal is the bound on a shard's inline bytes
	// (persist_inline_writes_total_max_bytes, exclusive).
	inlineTotal = 1 << 20
)

// All parts of a set-up together, if each were inline, stay below the inline budget;
// otherwise this does not compile.
const _ = uint(inlineTotal - 1 - MaxParts*(InlineLimit-1))

// checkPersist refuses what only the whole persist side has, and set-ups in which a
// batch could be flushed too often.
func (c *Config) checkPersist() error {
	most := MaxFlushes
	if c.Persist == ShortPersist {
		most = 0
	}
	name, n := "outstanding", c.Outstanding
	if n >= 0 && n <= most {
		name, n = "max_runs", c.MaxRuns
	}
	if n < 0 || n > most {
		return brief.Errorf("%s: %d: allowed are 0 (the default) and, with the rule persist whole, 1 to %d", name, n, MaxFlushes)
	}
	if c.Persist == ShortPersist {
		return c.checkFlush()
	}
	target := c.Target
	if target == 0 {
		target = TargetBytes
	}
	per := c.workersPerProcess()
	for i, k := range c.Sinks {
		for p := range max(c.Processes, 1) {
			bytes, parts := 0, 0
			for _, t := range c.Tasks {
				if t.Sink == i && t.Worker/per == p {
					for _, part := range t.Parts {
						bytes += part.Bytes
						parts++
					}
				}
			}
			// Two windows that follow each other are more than the target together, since
			// otherwise the second one's first part would have gone into the first.
			if n := min(parts, 2*(bytes/(target+1))+1); n > MaxFlushes {
				return brief.Errorf("target: %d bytes: a batch of sink %c could need %d flushes: allowed are %d", target, k.Name, n, MaxFlushes)
			}
		}
	}
	return nil
}

// workersPerProcess splits the workers evenly.
func (c *Config) workersPerProcess() int {
	n := max(c.Processes, 1)
	return (c.Tasks[len(c.Tasks)-1].Worker + n) / n
}

// MetricsLabel is the name under which a process counts what a shard costs.
type MetricsLabel uint8

const (
	NoLabel    MetricsLabel = iota // nobody has touched the shard
	OwnLabel                       // the view's; what [Argument] brings
	StashLabel                     // peek_stash; what [PeekStash] brings
)

func (l MetricsLabel) String() string {
	return [...]string{"none", "the view’s name", "peek_stash"}[l]
}

// touch creates the metrics entry of a shard in a process, unless it exists: the first
// writer wins, for as long as anybody holds the entry, which is for ever here.
func (m *Model) touch(s *State, t Thread, sink, process int, l MetricsLabel, es *Events) {
	to := &s.Sinks[sink].Labels[process]
	if *to != NoLabel {
		return
	}
	*to = l
	e := event(Labelled, t)
	e.A, e.B = int32(l), int32(process)
	es.add(e)
}

// RunsOf is the number of runs of the batch of a spawner and interval as far as it was
// flushed: a run for each part, or at most max_runs where that is looked at. A batch
// of the worker's own has always looked at it.
func (m *Model) RunsOf(s *State, spawner Thread, n int) int {
	runs := int(s.Flushed[spawner][n].N)
	if m.MaxRuns >= 2 && (m.Runs == Configured || m.Mode == PerWorker) {
		runs = min(runs, m.MaxRuns)
	}
	return runs
}

// persistViolations are those of the persist side's invariants, with the last sink and
// spawner that break one. The shared path alone has the rules schema and runs.
func (m *Model) persistViolations(s *State) (broken uint32, sink int, at blobAt) {
	for i := range m.Sinks {
		for p := range m.Processes {
			if s.Sinks[i].Labels[p] == StashLabel {
				broken |= 1 << OwnMetrics
				sink = i
			}
		}
	}
	if m.Mode == PerWorker {
		return broken, sink, at
	}
	for _, b := range m.blobs {
		if m.Schema == NoSchema && s.Flushed[b.task][b.interval].N != 0 {
			broken |= 1 << HasSchema
		}
		if m.MaxRuns >= 2 && m.RunsOf(s, Thread(b.task), b.interval) > m.MaxRuns {
			broken |= 1 << FewRuns
			at = b
		}
	}
	return broken, sink, at
}

func (m *Model) persistBroken(s *State, i Invariant) string {
	_, sink, at := m.persistViolations(s)
	switch i {
	case HasSchema:
		return "Parts were written without a schema id: a reader cannot look their schema up."
	case OwnMetrics:
		return "The metrics of view " + m.SinkName(sink) + " are counted under peek_stash."
	}
	return brief.Sprintf("The batch that %s opened has %d runs, and max_runs is %d.", m.names[at.task], m.RunsOf(s, Thread(at.task), at.interval), m.MaxRuns)
}

// objects counts the uploads that a blob stands for, and tells whether one of them is
// still stored.
func (m *Model) objects(s *State, at blobAt) (puts int, stored bool) {
	if m.Persist == ShortPersist {
		return 1, true
	}
	f := &s.Flushed[at.task][at.interval]
	return bits.OnesCount8(f.Up), f.Up&^f.Deleted != 0
}
