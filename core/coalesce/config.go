package coalesce

import (
	"cmp"
	"slices"
	"strings"

	"sharedbatches/core/brief"
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
// exclusive). The model has no inline parts, so smaller ones are refused.
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
	Sinks        []SinkConfig
	Tasks        []TaskConfig // in the order of workers; a worker's first is its main one
	Processes    int          // 1 or 2, each with a registry; workers are split evenly; 0 is 1
	Sweeper      bool         // a thread that only sweeps, in the first process
	Teardown     bool         // a thread that drops the dataflow
	Target       int          // bytes at which the builder flushes, for the drawing; 0: [TargetBytes]
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
	parts    []part
	tasks    []task
	threads  []Thread
	names    [threadLimit]string
	byName   map[string]Thread
	sinkTask [MaxSinks]uint8 // participants of each sink, as a bit set of tasks
	perProc  int             // workers in one process
	blobs    []blobAt        // the blobs that the set-up can make
	layout   layout
}

type part struct {
	task, sink int
	interval   int
	PartConfig
}

type blobAt struct{ task, interval int }

type task struct {
	worker, sink int
	parts        []int // ids of its parts, by interval and then in the order given
	upper        int64 // conflicting upper of interval 0, or 0
	passes       uint8 // intervals that it does not write, as a bit set
	first        uint8 // first line of its turn
	finish       uint8 // first line of its finish
	barrier      bool
	process      int
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
	m := &Model{Config: c, byName: map[string]Thread{}}
	last := c.Tasks[len(c.Tasks)-1].Worker
	m.Processes = max(c.Processes, 1)
	m.perProc = (last + m.Processes) / m.Processes
	for ti, tc := range c.Tasks {
		t := task{worker: tc.Worker, sink: tc.Sink, upper: tc.Upper, process: tc.Worker / m.perProc}
		t.barrier = c.Mode == Barrier && !tc.BestEffort
		t.finish = c.finishLine(t.barrier)
		if c.Mode == PerWorker {
			t.first = LineOwnWrite
		}
		if !tc.Writes {
			for _, n := range tc.Skips {
				t.passes |= 1 << n
			}
		}
		for n := range len(c.Sinks[tc.Sink].Bounds) - 1 {
			for _, pc := range tc.Parts {
				if pc.Interval == n {
					t.parts = append(t.parts, len(m.parts))
					m.parts = append(m.parts, part{ti, tc.Sink, n, pc})
				}
			}
		}
		m.tasks = append(m.tasks, t)
		m.sinkTask[tc.Sink] |= 1 << ti
	}
	for t := range m.tasks {
		for n := range m.Intervals(m.tasks[t].sink) {
			m.blobs = append(m.blobs, blobAt{t, n})
		}
	}
	m.nameThreads()
	m.lay()
	return m, nil
}

func (c *Config) check() error {
	if err := c.checkRules(); err != nil {
		return err
	}
	if c.Processes < 0 || c.Processes > MaxProcesses {
		return brief.Errorf("processes: %d: allowed are 1 and %d", c.Processes, MaxProcesses)
	}
	if n := len(c.Sinks); n < 1 || n > MaxSinks {
		return brief.Errorf("sinks: there are %d: allowed are 1 to %d", n, MaxSinks)
	}
	if n := len(c.Tasks); n < 1 || n > MaxTasks {
		return brief.Errorf("tasks: there are %d: allowed are 1 to %d", n, MaxTasks)
	}
	if c.Target < 0 {
		return brief.Errorf("target: %d bytes: allowed is 0 (the default) or more", c.Target)
	}
	for i, s := range c.Sinks {
		if err := s.check(c); err != nil {
			return brief.Errorf("sinks[%d]: %w", i, err)
		}
		for _, before := range c.Sinks[:i] {
			if before.Name == s.Name {
				return brief.Errorf("sinks[%d]: name: %c is taken: sinks have different names", i, s.Name)
			}
		}
	}
	parts := 0
	served := map[int]bool{}
	for i, t := range c.Tasks {
		if err := t.check(c); err != nil {
			return brief.Errorf("tasks[%d]: %w", i, err)
		}
		for _, before := range c.Tasks[:i] {
			if before.Worker == t.Worker && before.Sink == t.Sink {
				return brief.Errorf("tasks[%d]: worker %c has a write task for sink %c already", i, 'A'+t.Worker, c.Sinks[t.Sink].Name)
			}
			if before.Worker > t.Worker {
				return brief.Errorf("tasks[%d]: worker %c comes after %c: list tasks in the order of workers", i, 'A'+t.Worker, 'A'+before.Worker)
			}
		}
		served[t.Sink] = true
		parts += len(t.Parts)
	}
	for i, s := range c.Sinks {
		if !served[i] {
			return brief.Errorf("sinks[%d]: no worker has a write task for sink %c", i, s.Name)
		}
	}
	if parts > MaxParts {
		return brief.Errorf("parts: there are %d over all tasks: allowed are %d at most", parts, MaxParts)
	}
	if err := c.checkKeys(); err != nil {
		return err
	}
	return c.checkFlush()
}

// checkKeys refuses changes of a key that do not follow from each other, and keys
// that two workers change: rows are distributed by hash, so one worker has them all.
func (c *Config) checkKeys() error {
	type change struct {
		at    int64
		task  int
		from  int
		to    int
		place string
	}
	for sink := range c.Sinks {
		changes := map[string][]change{}
		var keys []string
		for ti, t := range c.Tasks {
			if t.Sink != sink {
				continue
			}
			for pi, p := range t.Parts {
				for ci, k := range p.Changes {
					if len(changes[k.Key]) == 0 {
						keys = append(keys, k.Key)
					}
					place := brief.Sprintf("tasks[%d]: parts[%d]: changes[%d]", ti, pi, ci)
					changes[k.Key] = append(changes[k.Key], change{p.At, ti, k.From, k.To, place})
				}
			}
		}
		for _, key := range keys {
			list := changes[key]
			slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.at, b.at) })
			for i := 1; i < len(list); i++ {
				before, k := list[i-1], list[i]
				if k.task != before.task {
					return brief.Errorf("%s: key: %q is changed by another worker too: a row’s updates are all on one worker", k.place, key)
				}
				if k.from != before.to {
					return brief.Errorf("%s: from: %s: the change before it left %q at %s", k.place, countText(k.from), key, countText(before.to))
				}
			}
		}
	}
	return nil
}

func countText(n int) string {
	if n == Absent {
		return "none"
	}
	return brief.Sprintf("%d", n)
}

// checkFlush refuses set-ups in which a batch could outgrow the target: the model
// flushes once, when the batch is finished.
func (c *Config) checkFlush() error {
	target := c.Target
	if target == 0 {
		target = TargetBytes
	}
	for i, s := range c.Sinks {
		bytes := 0
		for _, t := range c.Tasks {
			if t.Sink == i {
				for _, p := range t.Parts {
					bytes += p.Bytes
				}
			}
		}
		if bytes > target {
			return brief.Errorf("parts: those of sink %c are %d bytes together: allowed is the target, %d", s.Name, bytes, target)
		}
	}
	return nil
}

func (s *SinkConfig) check(c *Config) error {
	if s.Name < 'V' || s.Name > 'Y' {
		return brief.Errorf("name: %q: sinks are named V to Y", string(rune(s.Name)))
	}
	if n := len(s.Bounds) - 1; n < 1 || n > MaxIntervals {
		return brief.Errorf("intervals: there are %d: allowed are 1 to %d", max(n, 0), MaxIntervals)
	}
	for i := 1; i < len(s.Bounds); i++ {
		if s.Bounds[i] <= s.Bounds[i-1] {
			return brief.Errorf("intervals: [%d, %d) is empty: a lower is below its upper", s.Bounds[i-1], s.Bounds[i])
		}
	}
	if s.Since < 0 || s.Since > s.Bounds[0] {
		return brief.Errorf("since: %d: allowed is 0 to the first lower, %d", s.Since, s.Bounds[0])
	}
	if s.Replica != 0 && c.Whole != WholeSink {
		return brief.Errorf("replica: %d: another replica needs the rule sink to be whole", s.Replica)
	}
	if s.Replica < 0 || s.Replica > MaxIntervals {
		return brief.Errorf("replica: %d: allowed are 0 to %d appends", s.Replica, MaxIntervals)
	}
	if len(s.Superseded) > 0 && c.Whole == WholeSink {
		return brief.Errorf("superseded: with the whole sink another replica's appends (replica) supersede")
	}
	for _, n := range s.Superseded {
		if n < 0 || n >= len(s.Bounds)-1 {
			return brief.Errorf("superseded: %d: this sink has intervals 1 to %d", n+1, len(s.Bounds)-1)
		}
	}
	if s.Participants != 0 && c.Reports != ReportUnchecked {
		return brief.Errorf("participants: %d: they are the write tasks of a process, unless the rule reports is unchecked", s.Participants)
	}
	if s.Participants < 0 || s.Participants > MaxWorkers {
		return brief.Errorf("participants: %d: allowed are 1 to %d", s.Participants, MaxWorkers)
	}
	return nil
}

func (t *TaskConfig) check(c *Config) error {
	if t.Worker < 0 || t.Worker >= MaxWorkers {
		return brief.Errorf("worker: %d: workers are A to H", t.Worker)
	}
	if t.Sink < 0 || t.Sink >= len(c.Sinks) {
		return brief.Errorf("sink: %d: this set-up has %d sinks", t.Sink, len(c.Sinks))
	}
	bounds := c.Sinks[t.Sink].Bounds
	if t.Upper != 0 && (t.Upper <= bounds[0] || t.Upper == bounds[1]) {
		return brief.Errorf("upper: %d: a conflicting upper is above %d and not %d", t.Upper, bounds[0], bounds[1])
	}
	for i, p := range t.Parts {
		if err := p.check(bounds, t.Upper); err != nil {
			return brief.Errorf("parts[%d]: %w", i, err)
		}
	}
	if t.BestEffort && c.Modes != MixedModes {
		return brief.Errorf("best_effort: all workers render a sink in the same mode, unless the rule modes is mixed")
	}
	return t.checkSkips(c)
}

func (t *TaskConfig) checkSkips(c *Config) error {
	if len(t.Skips) > 0 && c.Mode != Barrier {
		return brief.Errorf("skips: only the barrier has them: the rule mode is %s", Rules[1].Value(c))
	}
	if len(t.Skips) > 0 && c.Whole == WholeSink {
		return brief.Errorf("skips: with the whole sink a Timely side skips what was superseded")
	}
	if len(t.Skips) > maxSkips {
		return brief.Errorf("skips: there are %d: allowed are %d at most", len(t.Skips), maxSkips)
	}
	if t.Writes && c.Reports != ReportUnchecked {
		return brief.Errorf("writes: a worker reports an interval once, unless the rule reports is unchecked")
	}
	s := &c.Sinks[t.Sink]
	for i, n := range t.Skips {
		if n < 0 || n >= len(s.Bounds)-1 {
			return brief.Errorf("skips[%d]: %d: this sink has intervals 1 to %d", i, n+1, len(s.Bounds)-1)
		}
		if c.Reports == ReportUnchecked {
			continue
		}
		if i > 0 && n <= t.Skips[i-1] {
			return brief.Errorf("skips[%d]: %d: a worker skips an interval once and in order, unless the rule reports is unchecked", i, n+1)
		}
		if !slices.Contains(s.Superseded, n) {
			return brief.Errorf("skips[%d]: %d: only a superseded interval is skipped, unless the rule reports is unchecked", i, n+1)
		}
	}
	return nil
}

func (p *PartConfig) check(bounds []int64, conflicting int64) error {
	if p.Interval < 0 || p.Interval >= len(bounds)-1 {
		return brief.Errorf("interval: %d: this sink has intervals 1 to %d", p.Interval+1, len(bounds)-1)
	}
	lower, upper := bounds[p.Interval], bounds[p.Interval+1]
	if p.Interval == 0 && conflicting != 0 {
		upper = conflicting
	}
	if p.At < lower || p.At >= upper {
		return brief.Errorf("at: %d: allowed is %d to %d", p.At, lower, upper-1)
	}
	if p.Updates < 1 || p.Updates > 1<<31-1 {
		return brief.Errorf("updates: %d: allowed is 1 to %d (a push without updates sends nothing: leave the part out)", p.Updates, 1<<31-1)
	}
	if p.Bytes < InlineLimit || p.Bytes > 1<<31-1 {
		return brief.Errorf("bytes: %d: allowed is %d (below it a part would be inline) to %d", p.Bytes, InlineLimit, 1<<31-1)
	}
	for i, c := range p.Changes {
		if c.Key == "" || len(c.Key) > 64 {
			return brief.Errorf("changes[%d]: key: %q: allowed are 1 to 64 bytes", i, c.Key)
		}
		for _, before := range p.Changes[:i] {
			if before.Key == c.Key {
				return brief.Errorf("changes[%d]: key: %q is changed twice in one part: allowed is once", i, c.Key)
			}
		}
		if c.From == c.To {
			return brief.Errorf("changes[%d]: from and to are both %d: that is no change", i, c.From)
		}
	}
	return nil
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
