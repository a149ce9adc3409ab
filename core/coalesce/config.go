package coalesce

import (
	"strings"
)

// Named limits of the model. A configuration beyond them is refused by [New].
const (
	MaxTasks     = 8  // write tasks
	MaxSinks     = 4  // sinks, named V to Y
	MaxIntervals = 4  // intervals of one sink
	MaxParts     = 32 // parts over all tasks and intervals
	ChannelSlots = 4  // capacity of a batch's command channel (facts.md 1.1)
	MaxWorkers   = 8  // workers, named A to H
	MaxProcesses = 2  // processes, with a registry each
	maxSkips     = 7  // reports of one Timely side
)

// InlineLimit is the size (goodbytes) in bytes below which persist keeps a part in the
// shard's metadata and makes no PUT (persist_inline_writes_single_max_bytes,
// exclusive). With [ShortPersist] there are no inline parts, and smaller ones are refused.
const InlineLimit = 4096

// TargetBytes is the default size in bytes at which a batch builder flushes
// (persist_blob_target_size).
const TargetBytes = 128 << 20

// Probe is how a sweep asks whether an entry of the registry is still alive.
type Probe uint8

const (
	// Upgrade takes a temporary strong reference and drops it again: the broken rule.
	Upgrade Probe = iota
	// StrongCount loads the strong count and takes nothing: the fixed rule.
	StrongCount
)

func (p Probe) String() string {
	if p == StrongCount {
		return "strong_count"
	}
	return "upgrade"
}

// Descriptions is what joining a live batch does about differing bounds.
type Descriptions uint8

const (
	// Asserted panics when the joiner's bounds differ from the creator's.
	Asserted Descriptions = iota
	// Unchecked joins all the same, so data is written under foreign bounds.
	Unchecked
)

func (d Descriptions) String() string {
	if d == Unchecked {
		return "unchecked"
	}
	return "asserted"
}

// Config is a set-up: everything that a model can be asked to do differently.
// Broken and fixed rules are fields of it, never copies of code.
type Config struct {
	Probe        Probe
	Mode         Mode
	Whole        Around
	Finish       Finish
	Wait         WaitOrder
	Reports      Reports
	Modes        Modes
	Asserts      Asserts
	Descriptions Descriptions
	Persist      Persist
	Goodbytes    Goodbytes
	Schema       Schema
	Label        Label
	Runs         Runs
	Sinks        []SinkConfig
	Tasks        []TaskConfig // in the order of workers; a worker's first is its main one
	Processes    int          // 1 or 2, each with a registry; workers are split evenly; 0 is 1
	Sweeper      bool         // a thread that only sweeps, in the first process
	Teardown     bool         // a thread that drops the dataflow
	Cleaner      bool         // a thread that deletes leaked objects
	Target       int          // bytes at which the builder flushes; 0: [TargetBytes]
	Outstanding  int          // whole persist: uploads of a batch in flight at most; 0: [Outstanding]
	MaxRuns      int          // whole persist: persist_batch_max_runs; below 2: no bound
}

// SinkConfig is one materialized view's sink.
type SinkConfig struct {
	Name   byte    // 'V' to 'Y'
	Since  int64   // reads below it are refused
	Bounds []int64 // Bounds[i] and Bounds[i+1] are the lower and upper of interval i
	// Superseded lists intervals (from 0) that another replica has sealed first: this
	// replica's append of them is a mismatch, and only they may be skipped.
	Superseded []int
	// Replica is how often another replica may append to the shard in place of this one.
	// It needs the whole sink.
	Replica int
	// Participants, when not 0, is how many reports the barrier expects in a process,
	// in place of the number of write tasks there.
	Participants int
}

// TaskConfig is the write task of one worker for one sink.
type TaskConfig struct {
	Worker int // 0 is A
	Sink   int // index into Config.Sinks
	Parts  []PartConfig
	// Upper, when not 0, is the upper with which this task opens the first interval:
	// a conflicting description (facts.md D6).
	Upper int64
	// Skips lists the intervals (from 0) that the worker's Timely side reports as
	// skipped, in that order; the write task passes over them.
	Skips []int
	// Writes makes the write task write the skipped intervals all the same.
	Writes bool
	// BestEffort renders this worker's sink without the barrier (facts.md D18).
	BestEffort bool
}

// PartConfig is what one push carries: the changes of one interval that hash to this worker.
type PartConfig struct {
	Interval int   // index of the interval of the sink
	At       int64 // time of its updates
	Updates  int   // number of (row, time, diff) updates
	Bytes    int   // goodbytes: what persist compares with its limits
	Changes  []Change
	// Error, when not empty, makes the updates error rows with this message, in place of
	// rows of the view. Gone retracts them; without it they are inserted.
	Error string
	Gone  bool
}

// Change is one visible row of a part: an inserted, deleted or replaced group of the view.
type Change struct {
	Key      string
	From, To int // counts before and after; [Absent] for no row
}

// Absent stands for "the view has no row with that key".
const Absent = -1 << 31

// Model is a checked configuration with the tables that stepping needs. It is
// immutable; one model may be shared.
type Model struct {
	Config
	parts     []part
	tasks     []task
	threads   []Thread
	names     [threadLimit]string
	byName    map[string]Thread
	sinkTask  [MaxSinks]uint8 // participants of each sink, as a bit set of tasks
	perProc   int             // workers in one process
	foreign   bool            // some task has an upper of its own
	processOf [threadLimit]uint8
	slots     []uint8  // of the batches that the set-up can make
	blobs     []blobAt // the blobs that the set-up can make
}

type part struct {
	task, sink int
	interval   int
	PartConfig
}

type blobAt struct{ task, interval int }

type task struct {
	worker, sink int
	parts        []int // ids of its parts: rows before errors, then by interval and in the order given
	upper        int64 // conflicting upper of interval 0, or 0
	passes       uint8 // intervals that it does not write, as a bit set
	first        uint8 // first line of its turn
	finish       uint8 // first line of its finish
	barrier      bool
	process      int
	intervals    uint8 // of its sink
}

// New checks a configuration and builds its model. The error names the field and
// what is allowed.
func New(c Config) (*Model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if c.Target == 0 {
		c.Target = TargetBytes
	}
	if c.Outstanding == 0 && c.Persist == WholePersist {
		c.Outstanding = Outstanding
	}
	m := &Model{Config: c, byName: map[string]Thread{}}
	m.Processes = max(c.Processes, 1)
	m.perProc = c.workersPerProcess()
	for ti, tc := range c.Tasks {
		t := task{worker: tc.Worker, sink: tc.Sink, upper: tc.Upper, process: tc.Worker / m.perProc, intervals: uint8(len(c.Sinks[tc.Sink].Bounds) - 1)}
		t.barrier = c.Mode == Barrier && !tc.BestEffort
		m.foreign = m.foreign || tc.Upper != 0
		t.finish = c.finishLine(t.barrier)
		if c.Mode == PerWorker {
			t.first = LineOwnWrite
		}
		if !tc.Writes {
			for _, n := range tc.Skips {
				t.passes |= 1 << n
			}
		}
		// The original keeps two correction buffers and writes that of rows before that of
		// errors (facts.md 2.2, 2.3). The order is fixed here: a task pushes by part id.
		for _, errors := range []bool{false, true} {
			for n := range len(c.Sinks[tc.Sink].Bounds) - 1 {
				for _, pc := range tc.Parts {
					if pc.Interval == n && (pc.Error != "") == errors {
						t.parts = append(t.parts, len(m.parts))
						m.parts = append(m.parts, part{ti, tc.Sink, n, pc})
					}
				}
			}
		}
		m.tasks = append(m.tasks, t)
		m.sinkTask[tc.Sink] |= 1 << ti
	}
	for t := range m.tasks {
		for n := range min(m.Intervals(m.tasks[t].sink), 2) {
			m.slots = append(m.slots, uint8(2*t+n))
		}
		for n := range m.Intervals(m.tasks[t].sink) {
			m.blobs = append(m.blobs, blobAt{t, n})
		}
	}
	m.nameThreads()
	for _, t := range m.threads {
		if w := m.Worker(t); w >= 0 {
			m.processOf[t] = uint8(m.Process(w))
		}
	}
	return m, nil
}

// PartCount is how many parts the set-up has; part ids are 0 to PartCount-1.
func (m *Model) PartCount() int { return len(m.parts) }

// Part describes part p and tells which write task pushes it.
func (m *Model) Part(p int) (PartConfig, Thread) {
	return m.parts[p].PartConfig, Thread(m.parts[p].task)
}

// Interval returns the bounds of interval n (from 0) of a sink.
func (m *Model) Interval(sink, n int) (lower, upper int64) {
	b := m.Sinks[sink].Bounds
	return b[n], b[n+1]
}

// Intervals is how many intervals a sink has.
func (m *Model) Intervals(sink int) int { return len(m.Sinks[sink].Bounds) - 1 }

// SinkName is the capital letter of a sink.
func (m *Model) SinkName(sink int) string { return string(rune(m.Sinks[sink].Name)) }

func (m *Model) workerTasks(worker int) []int {
	var list []int
	for i, t := range m.tasks {
		if t.worker == worker {
			list = append(list, i)
		}
	}
	return list
}

func (m *Model) nameThreads() {
	add := func(t Thread, name string) {
		m.threads = append(m.threads, t)
		m.names[t] = name
		m.byName[name] = t
	}
	for i, t := range m.tasks {
		name := string(rune('A' + t.worker))
		if m.workerTasks(t.worker)[0] != i {
			name += strings.ToLower(m.SinkName(t.sink))
		}
		add(Thread(i), name)
	}
	for i := range m.tasks {
		add(builderOf(i, 0), "K"+strings.ToLower(m.names[i]))
		if m.Intervals(m.tasks[i].sink) > 1 {
			add(builderOf(i, 1), "L"+strings.ToLower(m.names[i]))
		}
	}
	for i := range m.Sinks {
		add(appendOf(i), "P"+strings.ToLower(m.SinkName(i)))
	}
	for i := range m.Sinks {
		if m.Whole == WholeSink {
			add(mintOf(i), "M"+strings.ToLower(m.SinkName(i)))
		}
		if m.Sinks[i].Replica > 0 {
			add(replicaOf(i), "R"+strings.ToLower(m.SinkName(i)))
		}
	}
	for i := range m.tasks {
		if len(m.Tasks[i].Skips) > 0 || m.Whole == WholeSink {
			add(timelyOf(i), "T"+strings.ToLower(m.names[i]))
		}
	}
	for i := range m.tasks {
		if m.Persist == WholePersist {
			add(uploadsOf(i), "U"+strings.ToLower(m.names[i]))
		}
	}
	if m.Cleaner {
		add(cleaner, "J")
	}
	if m.Sweeper {
		add(sweeper, "S")
	}
	if m.Teardown {
		add(teardown, "Z")
	}
}

// Process is the process (from 0) of a worker.
func (m *Model) Process(worker int) int { return worker / m.perProc }

// participants is how many reports the barrier of a task's sink expects in its process.
func (m *Model) participants(t int) int {
	k := &m.tasks[t]
	if n := m.Sinks[k.sink].Participants; n != 0 {
		return n
	}
	n := 0
	for i := range m.tasks {
		if m.tasks[i].sink == k.sink && m.tasks[i].process == k.process {
			n++
		}
	}
	return n
}
