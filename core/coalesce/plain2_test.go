package coalesce_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// A plain second implementation of all modes: barrier, skips, teardown, two processes,
// the per-worker path, the whole sink around them, and the rules that are broken on
// purpose. Like the one for best effort it is written from the design: a future is a
// thing with a flag, a barrier is a list of them, a program counter is a word. It
// shares with the model only the configuration and the names of threads.
type world2 struct {
	c        coalesce.Config
	whole    bool
	procs    []*proc2
	sinks    []*sink2
	tasks    []*task2
	parts    []*part2
	builders map[string]*builder2 // by name, while anybody can still see them
	blobs    []*blob2
	sweeper  string // its program counter
	asked    int    // write tasks that the teardown has told to stop
	uploads  int
	faults   map[string]bool
	panicked bool
	happened []string // in this step, in no order
	names    map[string]found2
	persist3 // see plain3_test.go
}

// found2 is the thread with a name: one of the fields is set, or the thread is the
// sweeper, the teardown, mint or the other replica.
type found2 struct {
	task, timely *task2
	seal         *sink2
	builder      string
}

type proc2 struct {
	lockedBy string
	poisoned bool
	entries  []*entry2 // in the order in which a sweep visits them
	retained int
	skips    map[[2]int]int // pending ones, by sink and interval
	found    map[*entry2]bool
	at       *entry2
}

type sink2 struct {
	index    int
	name     string
	bounds   []int64
	lost     []int // superseded intervals
	sealed   int
	answered map[string]bool
	batches  []*builder2 // what the append has

	// The whole sink. Intervals count from 0, and -1 stands for none.
	minted   map[int]bool
	taken    int // the last description that has reached the append
	desc     int // the one that it holds
	stash    int // the interval that its batches are for
	replicas int // appends of the other replica
}

type task2 struct {
	name, pc   string
	lower      string    // its name in lower case
	builders   [2]string // names of its builder tasks
	sink       *sink2
	proc       *proc2
	upper      int64
	parts      []*part2
	barrier    bool
	passes     map[int]bool
	skips      []int // to report
	reports    int   // skips that are over
	skipped    map[int]bool
	timely     string // its Timely side's program counter
	interval   int
	handle     *shared2
	left       []*part2
	own        *blob2
	future     *future2
	stop, over bool // told to stop; stopped or panicked

	// The whole sink. Intervals count from 0, and -1 stands for none.
	absorbed int // the last description
	held     int
	inFlight int
	skipping int
	command  int
	response bool
	answer   *blob2
}

type part2 struct {
	bytes        int
	id, interval int
	at           int64
	sealedIn     int // 0: not; 1 is the first interval
}

type entry2 struct {
	sink  *sink2
	n     int
	state *shared2
}

// future2 is what a waiter awaits.
type future2 struct{ complete bool }

type shared2 struct {
	upper     int64
	holders   map[*task2]bool
	temp      string
	owner     *task2
	builder   *builder2
	pending   int
	deliverer *task2
	finalized bool
	broken    bool // the barrier mutex is poisoned
	reported  map[*task2]bool
	waiting   []*future2
}

// command2 is a part, or a Finish with its sender.
type command2 struct {
	part   *part2
	finish *task2
}

type builder2 struct {
	name    string
	spawner *task2
	n       int
	upper   int64
	queue   []command2
	got     []*part2
	closed  bool
	orphan  bool
	gone    bool // returned or crashed
	crashed bool
	builder3
	unread bool   // its batch, or None, is still to be fetched
	reply  *task2 // whose Finish it has answered
	state  *shared2
	blob   *blob2
}

type blob2 struct {
	key    string
	order  []int
	parts  []*part2
	status string
	given  int
	cuts   []*flush3
}

func newWorld2(c coalesce.Config, names []string) *world2 {
	w := &world2{c: c, whole: c.Whole == coalesce.WholeSink, builders: map[string]*builder2{}, faults: map[string]bool{}, sweeper: "lock"}
	w.begin3()
	for range max(c.Processes, 1) {
		w.procs = append(w.procs, &proc2{skips: map[[2]int]int{}})
	}
	for i, s := range c.Sinks {
		w.sinks = append(w.sinks, &sink2{index: i, name: string(rune(s.Name)), bounds: s.Bounds, lost: s.Superseded, answered: map[string]bool{},
			minted: map[int]bool{}, taken: -1, desc: -1, stash: -1})
	}
	workers := c.Tasks[len(c.Tasks)-1].Worker + 1
	each := (workers + len(w.procs) - 1) / len(w.procs)
	for i, k := range c.Tasks {
		t := &task2{name: names[i], sink: w.sinks[k.Sink], proc: w.procs[k.Worker/each], upper: k.Upper, skips: k.Skips,
			barrier: c.Mode == coalesce.Barrier && !k.BestEffort, passes: map[int]bool{}, skipped: map[int]bool{}, timely: "look",
			absorbed: -1, held: -1, inFlight: -1, skipping: -1, command: -1}
		if !k.Writes {
			for _, n := range k.Skips {
				t.passes[n] = true
			}
		}
		for _, p := range plainOrder(k.Parts) {
			part := &part2{id: len(w.parts), interval: p.Interval, at: p.At, bytes: p.Bytes}
			w.parts = append(w.parts, part)
			t.parts = append(t.parts, part)
		}
		t.interval = -1
		t.lower = strings.ToLower(t.name)
		w.tasks = append(w.tasks, t)
		w.next(t)
	}
	w.names = map[string]found2{}
	for _, t := range w.tasks {
		w.names[t.name] = found2{task: t}
		w.names["T"+t.lower] = found2{timely: t}
		for i, k := range []string{"K", "L"} {
			t.builders[i] = k + t.lower
			w.names[k+t.lower] = found2{builder: k + t.lower}
		}
	}
	for _, s := range w.sinks {
		w.names["P"+strings.ToLower(s.name)] = found2{seal: s}
	}
	return w
}

// say notes that something happened.
func (w *world2) say(format string, args ...any) {
	w.happened = append(w.happened, plainf(format, args...))
}

// ids lists parts in ascending order.
func ids(parts []*part2) []int {
	list := []int{}
	for _, p := range parts {
		list = append(list, p.id)
	}
	sort.Ints(list)
	return list
}

func (t *task2) intervals() int { return len(t.sink.bounds) - 1 }

// next begins the next interval that the task writes.
func (w *world2) next(t *task2) {
	t.handle, t.own = nil, nil
	t.pc = "lock"
	if w.c.Mode == coalesce.PerWorker {
		t.pc = "own"
	}
	if w.whole {
		t.interval, t.left = 0, nil
		return
	}
	for t.interval++; t.interval < t.intervals() && t.passes[t.interval]; {
		t.interval++
	}
}

func (t *task2) bound(n int) int64 {
	if t.upper != 0 && n == 0 {
		return t.upper
	}
	return t.sink.bounds[n+1]
}

func (t *task2) builderName() string { return t.builders[t.interval%2] }

func (x *shared2) count() int {
	n := len(x.holders)
	if x.temp != "" {
		n++
	}
	return n
}

func (p *proc2) entry(s *sink2, n int) *entry2 {
	for _, e := range p.entries {
		if e.sink == s && e.n == n {
			return e
		}
	}
	return nil
}

// live is the state that an id's entry leads to, if any.
func (p *proc2) live(s *sink2, n int) *shared2 {
	if e := p.entry(s, n); e != nil && e.state.count() > 0 {
		return e.state
	}
	return nil
}

func (w *world2) expected(t *task2) int {
	if n := w.c.Sinks[t.sink.index].Participants; n != 0 {
		return n
	}
	n := 0
	for _, k := range w.tasks {
		if k.sink == t.sink && k.proc == t.proc {
			n++
		}
	}
	return n
}

var awaits2 = []string{"lock", "own", "push", "await", "wait", "send", "reply"}

func (t *task2) aborts() bool { return t.stop && slices.Contains(awaits2, t.pc) }

func (w *world2) find(name string) (task, timely *task2, seal *sink2, builder string) {
	f := w.names[name]
	return f.task, f.timely, f.seal, f.builder
}

func (w *world2) enabled(name string) bool {
	task, timely, seal, builder := w.find(name)
	switch {
	case name[0] == 'U':
		u, _ := w.nextUpload(name)
		return u != nil
	case name == "J":
		b, _ := w.firstLeak()
		return b != nil
	case task != nil:
		return w.taskEnabled(task)
	case w.whole && task == nil && builder == "":
		return w.wholeEnabled(name, timely, seal)
	case timely != nil:
		return timely.timely != "dead" && timely.reports < len(timely.skips) && (timely.timely != "look" || timely.proc.lockedBy == "")
	case seal != nil:
		for _, t := range w.tasks {
			if t.sink != seal {
				continue
			}
			over := seal.answered[t.name] || t.passes[seal.sealed] && slices.Contains(t.skips[:t.reports], seal.sealed)
			if t.stop || !over {
				return false
			}
		}
		return seal.sealed < len(seal.bounds)-1
	case builder != "":
		b := w.builders[builder]
		if w.cuts {
			return b != nil && w.canWork(b)
		}
		return b != nil && !b.gone && (len(b.queue) > 0 || b.closed)
	case name == "S":
		return w.sweeper != "over" && (w.sweeper != "lock" || w.procs[0].lockedBy == "")
	}
	return w.asked < len(w.tasks)
}

func (w *world2) taskEnabled(t *task2) bool {
	if t.over || t.interval == t.intervals() {
		return false
	}
	first := t.pc == "lock" || t.pc == "own"
	if w.whole && first && t.command < 0 && (w.timelyOver(t) || !t.stop) {
		return false
	}
	if t.aborts() {
		return true
	}
	switch t.pc {
	case "lock":
		return (w.whole || t.sink.sealed >= t.interval) && t.proc.lockedBy == ""
	case "own":
		return w.whole || t.sink.sealed >= t.interval
	case "join":
		return t.proc.live(t.sink, t.interval) != nil || w.builders[t.builderName()] == nil
	case "push", "send":
		b := t.handle.builder
		return len(b.queue) < 4 || b.gone
	case "await", "reply":
		return t.handle.builder.gone
	case "wait":
		return t.future.complete
	}
	return true
}

func (w *world2) step(name string) {
	task, timely, seal, builder := w.find(name)
	switch {
	case name[0] == 'U':
		w.completeUpload(name)
	case name == "J":
		w.clean()
	case task != nil:
		w.stepTask(task)
	case w.whole && timely != nil && timely.skipping < 0:
		w.activate(timely)
	case timely != nil:
		w.stepTimely(timely)
	case w.whole && seal != nil:
		w.append(seal)
	case seal != nil:
		w.seal(seal)
	case builder != "":
		w.stepBuilder(w.builders[builder])
	case name == "S":
		w.stepSweeper()
	case name == "Z":
		w.stop(w.tasks[w.asked])
		w.asked++
	default:
		s := w.sinkOf(name)
		if name[0] == 'M' {
			s.minted[s.sealed] = true
			w.say("minted %d", s.sealed)
			return
		}
		w.say("other replica %d", s.sealed)
		w.otherReplica(s)
		s.replicas++
	}
}

func (w *world2) stepTask(t *task2) {
	if t.aborts() {
		t.over, t.command = true, -1
		w.forgetFuture(t)
		if t.handle != nil {
			w.drop(t)
		}
		return
	}
	x := t.handle
	if w.whole && (t.pc == "lock" || t.pc == "own") {
		t.interval, t.command = t.command, -1
		t.left = w.due(t) // a read-back that comes later is not seen
	}
	switch t.pc {
	case "lock":
		if t.proc.poisoned {
			w.panic(t, "poisoned registry mutex")
			return
		}
		t.proc.lockedBy = t.name
		t.pc = "test"
	case "test":
		t.pc = "join"
		if len(t.proc.entries) > 2*t.proc.retained {
			t.proc.startSweep()
			t.pc = "probe"
		}
	case "probe":
		w.beginProbe(t.proc, t.name)
		t.pc = "drop"
	case "drop":
		t.pc = "retain"
		if w.endProbe(t.proc) {
			t.pc = "probe"
		}
	case "retain":
		w.retain(t.proc)
		t.pc = "join"
	case "join":
		w.join(t)
	case "push":
		if x.builder.gone {
			w.panic(t, "task failed")
			return
		}
		for _, q := range x.builder.queue {
			if q.finish != nil {
				w.faults["pushed behind Finish"] = true
			}
		}
		x.builder.queue = append(x.builder.queue, command2{part: t.left[0]})
		w.say("pushed %d, %d queued", t.left[0].id, len(x.builder.queue))
		if t.left = t.left[1:]; len(t.left) == 0 {
			t.pc = w.finish(t)
		}
	case "into_inner":
		delete(x.holders, t)
		if x.count() > 0 {
			w.answer(t, nil)
			return
		}
		x.owner = t
		t.pc = "close"
	case "try":
		t.pc = "give up"
		if x.count() == 1 {
			delete(x.holders, t)
			x.owner = t
			t.pc = "close"
		}
	case "give up":
		w.drop(t)
		w.answer(t, nil)
	case "close":
		x.builder.closed = true
		t.pc = "await"
	case "await":
		w.await(t)
	case "arrive":
		if x.broken {
			w.panic(t, "poisoned barrier mutex")
			return
		}
		x.deliverer = t
		if !w.report(t, x) {
			w.panic(t, "assertion failed: pending > 0")
			return
		}
		switch {
		case x.finalized:
			t.pc = "notify"
		case w.c.Wait == coalesce.CheckFirst:
			t.pc = "test final"
		default:
			t.pc = "register"
		}
	case "notify":
		w.wakeAll(x)
		t.pc = "chosen"
	case "register":
		t.future = &future2{}
		x.waiting = append(x.waiting, t.future)
		t.pc = "test final"
		if w.c.Wait == coalesce.CheckFirst {
			t.pc = "wait"
		}
	case "test final":
		switch {
		case x.broken:
			w.panic(t, "poisoned barrier mutex")
		case x.finalized:
			w.forgetFuture(t)
			t.pc = "chosen"
		case w.c.Wait == coalesce.CheckFirst:
			t.pc = "register"
		default:
			t.pc = "wait"
		}
	case "wait":
		t.future = nil
		t.pc = "register"
		if w.c.Wait == coalesce.CheckFirst {
			t.pc = "test final"
		}
	case "chosen":
		if x.broken {
			w.panic(t, "poisoned barrier mutex")
			return
		}
		if x.deliverer == t {
			t.pc = "send"
			return
		}
		w.drop(t)
		w.answer(t, nil)
	case "send":
		if x.builder.gone {
			w.panic(t, "task failed")
			return
		}
		x.builder.queue = append(x.builder.queue, command2{finish: t})
		t.pc = "reply"
	case "reply":
		b := x.builder
		if b.reply != t {
			w.panic(t, "task failed")
			return
		}
		b.reply, b.unread = nil, false
		blob := b.blob
		w.drop(t)
		w.answer(t, blob)
	case "own":
		if parts := w.due(t); len(parts) > 0 {
			t.own = w.ownBatch(t, parts)
			w.say("own batch %v", ids(parts))
		}
		t.pc = "own answer"
	case "own answer":
		w.answer(t, t.own)
	}
}

// finish is where the task's finish begins.
func (w *world2) finish(t *task2) string {
	switch {
	case w.c.Finish == coalesce.TryUnwrap:
		return "try"
	case t.barrier && w.c.Finish == coalesce.ByMode:
		return "arrive"
	}
	return "into_inner"
}

// await joins the builder task. One that was told to Finish has given its batch away
// and returns None.
func (w *world2) await(t *task2) {
	b := t.handle.builder
	if b.crashed {
		w.panic(t, "valid upper bound")
		return
	}
	delete(w.builders, b.name)
	if b.reply != nil && b.blob != nil {
		w.leak(b)
	}
	if b.reply != nil || !b.unread {
		w.answer(t, nil)
		return
	}
	w.answer(t, b.blob)
}

// leak leaves an object to nobody.
func (w *world2) leak(b *builder2) {
	b.blob.status = "leaked"
	w.say("discarded %v", ids(b.blob.parts))
}

func (w *world2) answer(t *task2, b *blob2) {
	if b == nil {
		w.say("%s None", t.name)
	} else {
		b.given++
		t.answer = b
		w.say("%s %v", t.name, ids(b.parts))
		if t.stop {
			b.status, t.answer = "deleted", nil
			w.say("unsent %v", ids(b.parts))
		} else if !w.whole {
			t.sink.batches = append(t.sink.batches, &builder2{spawner: w.tasks[b.order[1]], blob: b})
		}
	}
	t.response = !t.stop
	if !w.whole {
		t.sink.answered[t.name] = true
	}
	w.next(t)
}

// report counts one report of a task and tells whether its thread lives on.
func (w *world2) report(t *task2, x *shared2) bool {
	n := x.builder.n
	if x.reported[t] || t.skipped[n] || !w.whole && t.interval > n && !t.passes[n] {
		w.faults["reported twice"] = true
	}
	x.reported[t] = true
	if x.pending == 0 {
		w.faults["pending below zero"] = true
		if w.c.Asserts == coalesce.Debug {
			x.broken = true
			return false
		}
	} else {
		x.pending--
	}
	if x.pending == 0 {
		x.finalized = true
	}
	return true
}

func (w *world2) wakeAll(x *shared2) {
	w.say("woke %d", len(x.waiting))
	for _, f := range x.waiting {
		f.complete = true
	}
	x.waiting = nil
}

// forgetFuture drops the task's future, registered or complete.
func (w *world2) forgetFuture(t *task2) {
	if t.handle != nil {
		t.handle.waiting = slices.DeleteFunc(t.handle.waiting, func(f *future2) bool { return f == t.future })
	}
	t.future = nil
}

func (w *world2) due(t *task2) (list []*part2) {
	lower := t.sink.bounds[t.interval]
	for _, p := range t.parts {
		at := p.at
		if p.interval < t.interval {
			at = max(at, lower)
		}
		if p.sealedIn == 0 && p.interval <= t.interval && at < t.bound(t.interval) {
			list = append(list, p)
		}
	}
	return list
}

func (w *world2) join(t *task2) {
	p := t.proc
	e := p.entry(t.sink, t.interval)
	if e == nil {
		e = &entry2{sink: t.sink, n: t.interval}
		p.entries = append(p.entries, e)
		sort.Slice(p.entries, func(i, j int) bool {
			a, b := p.entries[i], p.entries[j]
			return a.sink.index < b.sink.index || a.sink == b.sink && a.n < b.n
		})
	}
	id := [2]int{t.sink.index, t.interval}
	skips := p.skips[id]
	delete(p.skips, id)
	if e.state == nil || e.state.count() == 0 {
		b := &builder2{name: t.builderName(), spawner: t, n: t.interval, upper: t.bound(t.interval)}
		b.state = &shared2{upper: b.upper, holders: map[*task2]bool{}, reported: map[*task2]bool{}, builder: b}
		if t.barrier {
			if b.state.pending = max(w.expected(t)-skips, 0); b.state.pending == 0 {
				w.faults["a barrier began with nothing pending"] = true // facts.md O6
			}
		}
		w.builders[b.name] = b
		e.state = b.state
		w.say("created %s", b.name)
	} else if skips != 0 {
		w.faults["a live batch had pending skips"] = true // facts.md O8
	}
	t.handle = e.state
	t.handle.holders[t] = true
	w.say("%s has count %d", e.state.builder.name, e.state.count())
	if w.c.Descriptions == coalesce.Asserted && e.state.upper != t.bound(t.interval) {
		w.panic(t, "descriptions differ")
		return
	}
	p.lockedBy = ""
	if !w.whole {
		t.left = w.due(t)
	}
	t.pc = "push"
	if len(t.left) == 0 {
		t.pc = w.finish(t)
	}
}

// panic unwinds a write task.
func (w *world2) panic(t *task2, why string) {
	w.panicked = true
	w.say("%s panics: %s", t.name, why)
	if t.proc.lockedBy == t.name {
		t.proc.lockedBy = ""
		t.proc.poisoned = true
	}
	if t.handle != nil {
		w.drop(t)
	}
	t.over = true
}

func (w *world2) drop(t *task2) {
	x := t.handle
	delete(x.holders, t)
	if x.owner == t {
		x.owner = nil
	}
	t.handle = nil
	w.dropped(x)
}

// dropped destroys a state that nobody refers to any more. What its task has made and
// nobody fetched is lost with it.
func (w *world2) dropped(x *shared2) {
	if x.count() > 0 || x.owner != nil {
		return
	}
	b := x.builder
	b.closed, b.orphan = true, true
	had := []*part2{}
	if b.unread || !b.gone || b.crashed {
		had = append(had, b.got...)
	}
	for _, q := range b.queue {
		if q.part != nil {
			had = append(had, q.part)
		}
	}
	w.say("%s destroyed with %v", b.name, ids(had))
	if b.gone && !b.crashed {
		if b.unread && b.blob != nil {
			w.leak(b)
		}
		delete(w.builders, b.name)
	}
}

func (p *proc2) startSweep() {
	p.found = map[*entry2]bool{}
	p.at = nil
	if len(p.entries) > 0 {
		p.at = p.entries[0]
	}
}

func (w *world2) beginProbe(p *proc2, who string) {
	x := p.at.state
	if x.count() == 0 {
		return
	}
	p.found[p.at] = true
	if w.c.Probe == coalesce.Upgrade {
		x.temp = who
	}
}

func (w *world2) endProbe(p *proc2) (more bool) {
	if x := p.at.state; x.temp != "" {
		x.temp = ""
		w.dropped(x)
	}
	i := slices.Index(p.entries, p.at) + 1
	if i == len(p.entries) {
		return false
	}
	p.at = p.entries[i]
	return true
}

func (w *world2) retain(p *proc2) {
	before := len(p.entries)
	p.entries = slices.DeleteFunc(p.entries, func(e *entry2) bool { return !p.found[e] })
	p.retained = len(p.entries)
	w.say("retained %d, removed %d", p.retained, before-p.retained)
}

func (w *world2) stepSweeper() {
	p := w.procs[0]
	switch w.sweeper {
	case "lock":
		if p.poisoned {
			w.panicked = true
			w.say("S panics: poisoned registry mutex")
			w.sweeper = "over"
			return
		}
		p.lockedBy = "S"
		p.startSweep()
		w.sweeper = "retain"
		if p.at != nil {
			w.sweeper = "probe"
		}
	case "probe":
		w.beginProbe(p, "S")
		w.sweeper = "drop"
	case "drop":
		w.sweeper = "retain"
		if w.endProbe(p) {
			w.sweeper = "probe"
		}
	case "retain":
		w.retain(p)
		p.lockedBy = ""
		w.sweeper = "over"
	}
}

// die ends a Timely side by a panic. It never says again how far it has got.
func (t *task2) die() {
	t.timely, t.absorbed = "dead", -1
	t.held, t.inFlight, t.skipping = -1, -1, -1
	t.response, t.answer = false, nil
}

// stepTimely is note_skip of the next interval that the worker skips.
func (w *world2) stepTimely(t *task2) {
	p, n := t.proc, t.skipping
	if !w.whole {
		n = t.skips[t.reports]
	}
	me := "T" + strings.ToLower(t.name)
	id := [2]int{t.sink.index, n}
	switch t.timely {
	case "look":
		if p.poisoned {
			w.panicked = true
			w.say("%s panics: poisoned registry mutex", me)
			t.die()
			return
		}
		p.lockedBy = me
		if x := p.live(t.sink, n); x != nil {
			x.temp = me
		}
		t.timely = "report"
	case "report":
		t.timely = "drop"
		if x := p.live(t.sink, n); x != nil {
			why := "poisoned barrier mutex"
			if !x.broken {
				why = "assertion failed: pending > 0"
			}
			if x.broken || !w.report(t, x) {
				w.panicked = true
				w.say("%s panics: %s", me, why)
				t.die()
				p.lockedBy, p.poisoned = "", true
				x.temp = ""
				w.dropped(x)
				return
			}
			if x.finalized {
				w.wakeAll(x)
			}
		} else {
			if t.skipped[n] || !w.whole && t.interval > n && !t.passes[n] {
				w.faults["reported twice"] = true
			}
			p.skips[id]++
			if p.skips[id] == w.expected(t) {
				delete(p.skips, id)
			}
		}
		t.skipped[n] = true
	case "drop":
		if x := p.live(t.sink, n); x != nil {
			x.temp = ""
			w.dropped(x)
		}
		p.lockedBy = ""
		t.timely, t.skipping = "look", -1
		t.reports++
	}
}

func (w *world2) upload(spawner *task2, n int, parts []*part2) *blob2 {
	b := w.newBlob(spawner, n, parts)
	w.uploads++
	w.say("PUT %s %v", b.key, ids(b.parts))
	return b
}

func (w *world2) newBlob(spawner *task2, n int, parts []*part2) *blob2 {
	b := &blob2{key: spawner.name + strconv.Itoa(n+1), status: "in flight",
		order: []int{spawner.sink.index, slices.Index(w.tasks, spawner), n}, parts: slices.Clone(parts)}
	sort.Slice(b.parts, func(i, j int) bool { return b.parts[i].id < b.parts[j].id })
	// A second batch of the same spawner and interval takes the place of the first.
	w.blobs = slices.DeleteFunc(w.blobs, func(o *blob2) bool { return o.key == b.key })
	w.blobs = append(w.blobs, b)
	sort.Slice(w.blobs, func(i, j int) bool { return slices.Compare(w.blobs[i].order, w.blobs[j].order) < 0 })
	return b
}

func (w *world2) stepBuilder(b *builder2) {
	if w.cuts && w.work(b) {
		return
	}
	var finish *task2
	if len(b.queue) > 0 {
		if q := b.queue[0]; q.part != nil {
			b.got = append(b.got, q.part)
			b.queue = b.queue[1:]
			w.say("received %d", q.part.id)
			return
		}
		finish = b.queue[0].finish
	}
	sink := b.spawner.sink
	for _, p := range b.got {
		at := p.at
		if p.interval < b.n {
			at = max(at, sink.bounds[b.n])
		}
		if at >= b.upper {
			w.panicked = true
			w.say("%s panics: valid upper bound", b.name)
			b.gone, b.crashed, b.queue = true, true, nil
			if b.early != nil {
				b.early.status = "leaked"
			}
			return
		}
	}
	b.gone, b.unread, b.reply, b.queue = true, true, finish, nil
	b.blob = b.early
	if len(b.got) > 0 && !w.cuts {
		b.blob = w.upload(b.spawner, b.n, b.got)
	}
	if b.orphan {
		if b.blob != nil {
			w.leak(b)
		}
		delete(w.builders, b.name)
	}
}

func (w *world2) seal(s *sink2) {
	n := s.sealed
	superseded := slices.Contains(s.lost, n)
	w.appendTouches(s)
	if !superseded {
		w.say("P%s seals with %d bytes", s.name, w.diff(s))
	}
	for _, b := range s.batches {
		b.blob.status = "referenced"
		if superseded {
			b.blob.status = "deleted"
		}
		for _, p := range b.blob.parts {
			if !superseded && max(p.at, s.bounds[n]) < s.bounds[n+1] {
				p.sealedIn = n + 1
			}
		}
	}
	what := "sealed"
	if superseded {
		what = "mismatch"
	}
	w.say("%s %d %v", what, n, ids(s.staged()))
	if superseded {
		w.otherReplica(s)
	} else {
		s.sealed++
		late := []*part2{}
		for _, t := range w.tasks {
			for _, p := range t.parts {
				if t.sink == s && p.interval <= n && p.sealedIn == 0 {
					late = append(late, p)
				}
			}
		}
		if len(late) > 0 {
			w.say("without %d %v", n, ids(late))
			w.say("raised to %d %v", s.bounds[n+1], ids(late))
		}
	}
	s.batches, s.answered = nil, map[string]bool{}
}

// otherReplica seals what the view should contain.
func (w *world2) otherReplica(s *sink2) {
	for _, t := range w.tasks {
		for _, p := range t.parts {
			if t.sink == s && p.interval <= s.sealed && p.sealedIn == 0 {
				p.sealedIn = s.sealed + 1
			}
		}
	}
	s.sealed++
}

func (w *world2) sinkOf(name string) *sink2 {
	for _, s := range w.sinks {
		if strings.EqualFold(name[1:], s.name) {
			return s
		}
	}
	panic("no sink of " + name)
}

// after is the first minted interval after n, or -1.
func (s *sink2) after(n int) int {
	for n++; n < len(s.bounds)-1; n++ {
		if s.minted[n] {
			return n
		}
	}
	return -1
}

func (s *sink2) complete() bool { return s.sealed == len(s.bounds)-1 }

// stop drops the operator of a write task, with an answer that waits in its channel,
// and with the sink's last one the append.
func (w *world2) stop(t *task2) {
	t.stop = true
	if w.whole && t.response && t.answer != nil {
		t.answer.status = "leaked"
		w.say("answer lost %v", ids(t.answer.parts))
	}
	t.response, t.answer = false, nil
	for _, other := range w.tasks {
		if other.sink == t.sink && !other.stop {
			return
		}
	}
	for _, spawner := range w.tasks {
		for _, b := range t.sink.batches {
			if b.spawner == spawner {
				w.leak(b)
			}
		}
	}
	t.sink.batches, t.sink.stash = nil, -1
}

func (w *world2) torn(s *sink2) bool {
	return slices.ContainsFunc(w.tasks, func(t *task2) bool { return t.sink == s && t.stop })
}

// timelyOver tells whether a Timely side has nothing left to do, ever.
func (w *world2) timelyOver(t *task2) bool {
	return t.sink.after(t.absorbed) < 0 && t.sink.complete() && t.held < 0 && t.inFlight < 0 && t.skipping < 0
}

func (w *world2) wholeEnabled(name string, timely *task2, seal *sink2) bool {
	switch {
	case name == "S":
		return w.sweeper != "over" && (w.sweeper != "lock" || w.procs[0].lockedBy == "")
	case name == "Z":
		return w.asked < len(w.tasks)
	case timely != nil:
		t := timely
		switch {
		case t.timely == "dead" || w.timelyOver(t):
			return false
		case t.skipping >= 0:
			return t.timely != "look" || t.proc.lockedBy == ""
		case t.stop:
			return false
		}
		return t.sink.after(t.absorbed) >= 0 || t.response || t.inFlight < 0 && t.held >= 0
	case seal != nil:
		s := seal
		if w.torn(s) {
			return false
		}
		if s.after(s.taken) >= 0 {
			return true
		}
		if s.desc < 0 {
			return false
		}
		for _, t := range w.tasks {
			if t.sink == s && (t.timely == "dead" || t.absorbed < s.desc || t.held >= 0 && t.held <= s.desc || t.inFlight >= 0 && t.inFlight <= s.desc) {
				return false
			}
		}
		return true
	}
	s := w.sinkOf(name)
	if name[0] == 'M' {
		return !s.complete() && !w.torn(s) && !s.minted[s.sealed]
	}
	return !s.complete() && s.replicas < w.c.Sinks[s.index].Replica
}

// activate is what a Timely side does next: absorb, take an answer, start.
func (w *world2) activate(t *task2) {
	if n := t.sink.after(t.absorbed); n >= 0 {
		w.say("absorbed %d", n)
		if t.held >= 0 {
			w.say("superseded %d", t.held)
		}
		if t.held >= 0 && t.barrier {
			t.skipping = t.held
		}
		t.absorbed, t.held = n, n
		return
	}
	if !t.response {
		t.inFlight, t.command, t.held = t.held, t.held, -1
		w.say("started %d", t.inFlight)
		return
	}
	s, n := t.sink, t.inFlight
	if b := t.answer; b == nil {
		w.say("responded %d %v", n, ids(nil))
	} else {
		w.say("responded %d %v", n, ids(b.parts))
		if max(s.desc, s.stash, s.taken) > n {
			b.status = "deleted"
			w.say("outdated %d %v", n, ids(b.parts))
		} else {
			if s.stash >= 0 && s.stash < n {
				w.discard(s, "outdated", s.stash)
			}
			s.stash = n
			s.batches = append(s.batches, &builder2{spawner: w.tasks[b.order[1]], blob: b})
		}
	}
	t.inFlight, t.response, t.answer = -1, false, nil
}

// staged is every part that the append has.
func (s *sink2) staged() (parts []*part2) {
	for _, b := range s.batches {
		parts = append(parts, b.blob.parts...)
	}
	return parts
}

// discard deletes what the append has for an interval.
func (w *world2) discard(s *sink2, why string, n int) {
	w.say("%s %d %v", why, n, ids(s.staged()))
	for _, b := range s.batches {
		b.blob.status = "deleted"
	}
	s.batches = nil
}

// append takes a description, or appends the one it holds.
func (w *world2) append(s *sink2) {
	if n := s.after(s.taken); n >= 0 {
		if s.stash >= 0 && s.stash < n {
			w.discard(s, "outdated", s.stash)
			s.stash = -1
		}
		s.taken, s.desc = n, n
		w.say("holds description %d", n)
		return
	}
	w.appendTouches(s)
	n := s.desc
	s.desc, s.stash = -1, -1
	if n != s.sealed {
		w.discard(s, "mismatch", n)
		return
	}
	w.seal(s)
}

// wholeDeadlocked tells whether somebody is left who can neither move nor is done.
func (w *world2) wholeDeadlocked() bool {
	for _, t := range w.tasks {
		first := t.pc == "lock" || t.pc == "own"
		if !t.over && !(first && t.command < 0 && w.timelyOver(t)) {
			return true
		}
		if t.timely != "dead" && !w.timelyOver(t) && !(t.stop && t.skipping < 0) {
			return true
		}
	}
	for _, s := range w.sinks {
		if !w.torn(s) && (!s.complete() || s.after(s.taken) >= 0 || s.desc >= 0) {
			return true
		}
	}
	return false
}

func (w *world2) verdict() string {
	if w.panicked {
		return "panicked"
	}
	for _, t := range w.tasks {
		if !w.whole && (!t.over && t.interval < t.intervals() || t.reports < len(t.skips)) {
			return "deadlocked"
		}
	}
	if w.whole && w.wholeDeadlocked() {
		return "deadlocked"
	}
	for _, b := range w.builders {
		if !b.gone {
			return "deadlocked"
		}
	}
	if w.asked > 0 {
		return "safe"
	}
	for _, s := range w.sinks {
		if s.sealed < len(s.bounds)-1 {
			return "deadlocked"
		}
	}
	for _, p := range w.parts {
		if p.sealedIn != p.interval+1 {
			return "losing"
		}
	}
	return "safe"
}

// facts is what anybody can see, in words, a line each. What is empty is left out.
func (w *world2) facts(out lines) lines {
	var room [64]byte
	tasks := func(in func(t *task2) bool) string {
		text := append(room[:0], '[')
		for _, t := range w.tasks {
			if in(t) {
				text = append(append(text, t.name...), ' ')
			}
		}
		if len(text) == 1 {
			return "[]"
		}
		return string(append(text, ']'))
	}
	for i, p := range w.procs {
		out.say("process %d lock %q poisoned %v last_retained_len %d", i, p.lockedBy, p.poisoned, p.retained)
		for _, s := range w.sinks {
			for n := range len(s.bounds) - 1 {
				entry := "-"
				if p.entry(s, n) != nil {
					entry = "dead"
				}
				if x := p.live(s, n); x != nil {
					entry = x.builder.name
				}
				if skips := p.skips[[2]int{s.index, n}]; entry != "-" || skips != 0 {
					out.say("process %d %s%d %s, %d skips", i, s.name, n+1, entry, skips)
				}
			}
		}
	}
	for _, s := range w.sinks {
		staged := tasks(func(t *task2) bool {
			return slices.ContainsFunc(s.batches, func(b *builder2) bool { return b.spawner == t })
		})
		out.say("sink %s sealed %d answered %v staged %v", s.name, s.sealed, tasks(func(t *task2) bool { return s.answered[t.name] }), staged)
		if w.whole {
			out.say("minted up to the last: %d, taken %d, held %d, stash %d, replicas %d", len(s.minted), s.taken, s.desc, s.stash, s.replicas)
		}
	}
	for _, t := range w.tasks {
		if w.whole && t.timely != "dead" {
			out.say("T%s absorbed %d held %d in flight %d skips %d answered %v command %d", t.name, t.absorbed, t.held, t.inFlight, t.skipping, t.response, t.command)
		}
	}
	for _, t := range w.tasks {
		for _, n := range t.builders {
			b := w.builders[n]
			if b == nil {
				continue
			}
			x := b.state
			holders := tasks(func(t *task2) bool { return x.holders[t] })
			if b.crashed {
				out.say("%s crashed %v", b.name, holders)
				continue
			}
			queue, got := []string{}, []int{}
			for _, q := range b.queue {
				if q.finish != nil {
					queue = append(queue, "Finish of "+q.finish.name)
				} else {
					queue = append(queue, strconv.Itoa(q.part.id))
				}
			}
			for _, p := range b.got {
				if b.unread || !b.gone {
					got = append(got, p.id)
				}
			}
			sort.Ints(got)
			out.say("%s count %d holders %v temporary %q queue %q got %v closed %v gone %v", b.name, x.count(), holders, x.temp, queue, got, b.closed, b.gone)
			out.say("%s owner %v deliverer %v replied to %v", b.name, tasks(func(t *task2) bool { return t == x.owner }),
				tasks(func(t *task2) bool { return t == x.deliverer }), tasks(func(t *task2) bool { return t == b.reply }))
			out.say("%s pending %d finalized %v reported %v", b.name, x.pending, x.finalized, tasks(func(t *task2) bool { return x.reported[t] }))
			out.say("%s registered %v notified %v", b.name,
				tasks(func(t *task2) bool { return t.handle == x && t.future != nil && !t.future.complete }),
				tasks(func(t *task2) bool { return t.handle == x && t.future != nil && t.future.complete }))
		}
	}
	for _, p := range w.parts {
		if p.sealedIn != 0 {
			out.say("part %d sealed in %d", p.id, p.sealedIn)
		}
	}
	w.facts3(out)
	for _, b := range w.blobs {
		if b.status != "deleted" && !w.cuts {
			ids := []int{}
			for _, p := range b.parts {
				ids = append(ids, p.id)
			}
			out.say("%s %s %v given %d", b.key, b.status, ids, b.given)
		}
	}
	out.say("%d PUTs", w.uploads)
	for _, f := range []string{"reported twice", "pending below zero", "pushed behind Finish", "a live batch had pending skips", "a barrier began with nothing pending"} {
		if w.faults[f] {
			out.say("%s", f)
		}
	}
	return out
}

// facts2 is the same of the model.
func (p *play) facts2(out lines) lines {
	name := func(n uint8) string {
		if n == 0 {
			return ""
		}
		return p.m.Name(coalesce.Thread(n - 1))
	}
	list := func(tasks uint8) any {
		if p.sets[tasks] == nil {
			names := []string{}
			for i := range p.m.Tasks {
				if tasks>>i&1 != 0 {
					names = append(names, p.m.Name(coalesce.Thread(i)))
				}
			}
			p.sets[tasks] = plainf("%v", names)
		}
		return p.sets[tasks]
	}
	for i := range p.m.Processes {
		r := &p.s.Registries[i]
		out.say("process %d lock %q poisoned %v last_retained_len %d", i, name(r.Lock), r.Poisoned, r.LastRetained)
		for k := range p.m.Sinks {
			for n := range p.m.Intervals(k) {
				at := k*coalesce.MaxIntervals + n
				entry := "-"
				if slot, ok := r.Entries[at].Slot(); ok {
					entry = p.m.Name(coalesce.Builder(slot))
				} else if r.Entries[at] == coalesce.DeadWeak {
					entry = "dead"
				}
				if entry != "-" || r.Skips[at] != 0 {
					out.say("process %d %s%d %s, %d skips", i, p.m.SinkName(k), n+1, entry, r.Skips[at])
				}
			}
		}
	}
	for i := range p.m.Sinks {
		k := p.s.Sinks[i]
		out.say("sink %s sealed %d answered %v staged %v", p.m.SinkName(i), k.Upper, list(k.Answered), list(k.Staged))
		if p.m.Whole == coalesce.WholeSink {
			out.say("minted up to the last: %d, taken %d, held %d, stash %d, replicas %d", bits.OnesCount8(k.Minted), int(k.Taken)-1, int(k.Desc)-1, int(k.Stash)-1, k.Replica)
		}
	}
	for i := range p.m.Tasks {
		k := p.s.Timely[i]
		timely, _ := p.m.ByName("T" + strings.ToLower(p.m.Name(coalesce.Thread(i))))
		if p.m.Whole == coalesce.WholeSink && p.m.Blocked(&p.s, timely).Kind != coalesce.HasPanicked {
			out.say("T%s absorbed %d held %d in flight %d skips %d answered %v command %d", p.m.Name(coalesce.Thread(i)),
				int(k.Absorbed)-1, int(k.Held)-1, int(k.InFlight)-1, int(k.Skip)-1, k.Response != 0, int(p.s.Tasks[i].Command)-1)
		}
	}
	for slot := range p.s.Batches {
		b := p.s.Batches[slot]
		if b.Id == 0 {
			continue
		}
		builder := p.m.Name(coalesce.Builder(slot))
		if b.Panic != coalesce.NoPanic {
			out.say("%s crashed %v", builder, list(b.Holders))
			continue
		}
		queue := []string{}
		for _, q := range b.Queue[:b.Queued()] {
			if q&coalesce.FinishCommand != 0 {
				queue = append(queue, "Finish of "+p.m.Name(coalesce.Thread(q&^coalesce.FinishCommand)))
			} else {
				queue = append(queue, strconv.Itoa(int(q-1)))
			}
		}
		out.say("%s count %d holders %v temporary %q queue %q got %v closed %v gone %v", builder, b.Count(), list(b.Holders), name(b.Temp), queue, append([]int{}, b.Got.List()...), b.Closed, b.Gone)
		one := func(n uint8) any {
			if n == 0 {
				return list(0)
			}
			return list(1 << (n - 1))
		}
		out.say("%s owner %v deliverer %v replied to %v", builder, one(b.Owner), one(b.Deliverer), one(b.ReplyTo))
		out.say("%s pending %d finalized %v reported %v", builder, b.Pending, b.Finalized, list(b.Reported))
		out.say("%s registered %v notified %v", builder, list(b.Registered), list(b.Notified))
	}
	for id := range p.m.PartCount() {
		if n := p.s.Sealed[id]; n != 0 {
			out.say("part %d sealed in %d", id, n)
		}
	}
	p.facts3(out)
	for _, o := range p.m.List(&p.s) {
		if p.m.Persist == coalesce.WholePersist {
			break
		}
		out.say("%s%d %s %v given %d", p.m.Name(o.Spawner), o.N+1, o.Status.String(), append([]int{}, o.Parts.List()...), o.Given)
	}
	out.say("%d PUTs", p.s.Puts)
	for _, f := range []struct {
		what string
		bit  coalesce.Faults
	}{{"reported twice", coalesce.ReportedTwice}, {"pending below zero", coalesce.PendingBelow}, {"pushed behind Finish", coalesce.PushAfterFinish}} {
		if p.s.Faults&f.bit != 0 {
			out.say("%s", f.what)
		}
	}
	// Of the two other faults no rule, broken or not, brings one about.
	return out
}

// wholeConfig turns a configuration of the short sink into one of the whole sink.
func wholeConfig(r *schedule.Random, c coalesce.Config) coalesce.Config {
	c.Whole = coalesce.WholeSink
	for i := range c.Sinks {
		c.Sinks[i].Superseded = nil
		c.Sinks[i].Replica = r.Pick(coalesce.MaxIntervals + 1)
	}
	for i := range c.Tasks {
		c.Tasks[i].Skips = nil
	}
	return c
}

// anyConfig makes a valid configuration of the short sink in any mode, with the
// broken rules switched on where broken is set.
func anyConfig(r *schedule.Random, broken bool) coalesce.Config {
	mode := coalesce.Mode(r.Pick(3))
	if r.Pick(2) == 0 {
		mode = coalesce.Barrier
	}
	return anyConfigIn(r, mode, broken)
}

// anyConfigIn is the same in one mode.
func anyConfigIn(r *schedule.Random, mode coalesce.Mode, broken bool) coalesce.Config {
	c := randomConfig(r, broken && r.Pick(3) == 0)
	c.Mode = mode
	c.Processes = 1 + r.Pick(2)
	c.Teardown = r.Pick(4) == 0
	if broken {
		c.Wait = coalesce.WaitOrder(r.Pick(2))
		c.Finish = coalesce.Finish(r.Pick(6) % 3)
		c.Asserts = coalesce.Asserts(r.Pick(2))
		c.Reports = coalesce.Reports(r.Pick(2))
		c.Modes = coalesce.Modes(r.Pick(2))
	}
	for i := range c.Sinks {
		s := &c.Sinks[i]
		for n := range len(s.Bounds) - 1 {
			if r.Pick(3) == 0 {
				s.Superseded = append(s.Superseded, n)
			}
		}
		if c.Reports == coalesce.ReportUnchecked && r.Pick(4) == 0 {
			s.Participants = 1 + r.Pick(4)
		}
	}
	for i := range c.Tasks {
		k := &c.Tasks[i]
		s := &c.Sinks[k.Sink]
		k.BestEffort = c.Modes == coalesce.MixedModes && r.Pick(3) == 0
		if c.Mode != coalesce.Barrier {
			continue
		}
		if c.Reports == coalesce.ReportUnchecked && r.Pick(2) == 0 {
			for range r.Pick(4) {
				k.Skips = append(k.Skips, r.Pick(len(s.Bounds)-1))
			}
			k.Writes = r.Pick(2) == 0
			continue
		}
		for _, n := range s.Superseded {
			if r.Pick(2) == 0 {
				k.Skips = append(k.Skips, n)
			}
		}
	}
	return c
}

// plainSteps is how many random steps each mode is held to with either sink.
const plainSteps = 100_000

// TestPlainAllModes holds the model to the second implementation in each mode, with the
// short and the whole sink: before every step the same threads can move, the step does the
// same, and after it everything that can be seen is the same.
func TestPlainAllModes(t *testing.T) {
	t.Parallel()
	verdicts := map[string]int{}
	steps := [2][3]int{}
	happened := map[string]bool{}
	for whole := range steps {
		for mode := range steps[whole] {
			r := schedule.NewRandom(3761735411 + uint64(10*whole+mode))
			for steps[whole][mode] < fewer(plainSteps) {
				c := anyConfigIn(r, coalesce.Mode(mode), r.Pick(3) > 0)
				if whole == 1 {
					c = wholeConfig(r, c)
				}
				c.Cleaner = r.Pick(8) == 0
				n, verdict := plainRun(t, r, c, happened)
				steps[whole][mode] += n
				verdicts[verdict]++
			}
		}
	}
	t.Log("verdicts", verdicts, "steps", steps)
	for _, v := range []string{"safe", "losing", "deadlocked", "panicked"} {
		if verdicts[v] == 0 {
			t.Errorf("no run ended %s: %v", v, verdicts)
		}
	}
	for whole := range steps {
		for mode, n := range steps[whole] {
			if n < fewer(plainSteps) {
				t.Errorf("sink %d, mode %d: %d steps, want %d", whole, mode, n, fewer(plainSteps))
			}
		}
	}
	for _, word := range []string{"retained", "discarded", "destroyed", "PUT", "sealed", "mismatch", "without", "raised", "woke", "minted", "superseded",
		"outdated", "own", "panics:", "other", "None", "created", "pushed", "received", "started", "absorbed", "holds", "responded", "answer", "unsent"} {
		if !happened[word] {
			t.Errorf("%q has never happened", word)
		}
	}
}

// plainRun plays one random run in both and tells how many steps it had and how it ended.
func plainRun(t *testing.T, r *schedule.Random, c coalesce.Config, happened map[string]bool) (steps int, verdict string) {
	t.Helper()
	p := start(t, c)
	threads, names := p.m.Threads(), p.m.Names()
	w := newWorld2(c, names)
	var letters []schedule.Letter
	var es coalesce.Events
	var free []int
	got, want := newLines(), newLines()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s\n%s\n%+v", fmt.Sprintf(format, args...), schedule.Print(letters), c)
	}
	for {
		free = free[:0]
		for i, name := range names {
			b := p.m.Blocked(&p.s, threads[i])
			can := b.Kind == coalesce.Free
			if plain := w.enabled(name); can != plain {
				fail("%s can move: model %v (%s), plain %v", name, can, p.m.Reason(threads[i], b), plain)
			}
			if can {
				free = append(free, i)
			}
		}
		got, want = p.facts2(got.empty()), w.facts(want.empty())
		if !bytes.Equal(*got.text, *want.text) {
			fail("model\n%s\nplain\n%s", *got.text, *want.text)
		}
		if orphaned, broken := p.m.Judge(&p.s); orphaned != p.m.Orphaned(&p.s) || broken != p.m.Violations(&p.s) {
			fail("judged orphaned %v, %b; they are %v, %b", orphaned, broken, p.m.Orphaned(&p.s), p.m.Violations(&p.s))
		}
		if len(free) == 0 {
			break
		}
		i := free[r.Pick(len(free))]
		letters = append(letters, names[i])
		es = es[:0]
		p.m.Step(&p.s, threads[i], &es)
		w.happened = w.happened[:0]
		w.step(names[i])
		did := p.did(es)
		slices.Sort(did)
		slices.Sort(w.happened)
		if !slices.Equal(did, w.happened) {
			fail("%s did: model %q, plain %q", names[i], did, w.happened)
		}
		for _, line := range did {
			for _, word := range strings.Fields(line)[:2] {
				happened[word] = true
			}
		}
	}
	verdict = p.m.Classify(&p.s).String()
	if plain := w.verdict(); verdict != plain {
		fail("verdict: model %s, plain %s", verdict, plain)
	}
	return len(letters), verdict
}

// did is what the events of a step say, in the words of the plain implementation. Events
// that say no more than the states before and after are left out.
func (p *play) did(es coalesce.Events) (list []string) {
	say := func(format string, args ...any) { list = append(list, plainf(format, args...)) }
	for _, e := range es {
		if says, all := p.says3(e); says != "" {
			list = append(list, says)
			if all {
				continue
			}
		}
		parts := append([]int{}, e.Parts.List()...)
		name := p.m.Name(e.Thread)
		builder := func() string { return p.m.Name(coalesce.Builder(int(e.Slot))) }
		switch e.Kind {
		case coalesce.Panicked:
			say("%s panics: %s", name, coalesce.Panic(e.A).String())
		case coalesce.AnsweredNone:
			say("%s None", name)
		case coalesce.AnsweredSome:
			say("%s %v", name, parts)
		case coalesce.Retained:
			say("retained %d, removed %d", e.A, e.B)
		case coalesce.Created:
			say("created %s", builder())
			fallthrough
		case coalesce.Joined:
			say("%s has count %d", builder(), e.B)
		case coalesce.Pushed:
			say("pushed %d, %d queued", parts[0], e.B)
		case coalesce.Received:
			say("received %d", parts[0])
		case coalesce.Uploaded:
			_, n := coalesce.EntryInterval(int(e.Entry))
			spawner := e.Thread
			if e.Slot >= 0 {
				spawner = coalesce.Builder(int(e.Slot)).Spawner()
			}
			say("PUT %s%d %v", p.m.Name(spawner), n+1, parts)
		case coalesce.WroteOwn:
			say("own batch %v", parts)
		case coalesce.Discarded:
			say("discarded %v", parts)
		case coalesce.AnswerLost:
			say("answer lost %v", parts)
		case coalesce.Unsent:
			say("unsent %v", parts)
		case coalesce.Destroyed:
			say("%s destroyed with %v", builder(), parts)
		case coalesce.NotifiedAll:
			say("woke %d", e.A)
		case coalesce.Sealed:
			say("sealed %d %v", e.A, parts)
		case coalesce.Lost:
			say("without %d %v", e.A, parts)
		case coalesce.Raised:
			say("raised to %d %v", e.A, parts)
		case coalesce.Mismatched:
			say("mismatch %d %v", e.A, parts)
		case coalesce.Outdated:
			say("outdated %d %v", e.A, parts)
		case coalesce.Minted:
			say("minted %d", e.A)
		case coalesce.Absorbed:
			say("absorbed %d", e.A)
		case coalesce.Superseded:
			say("superseded %d", e.A)
		case coalesce.Started:
			say("started %d", e.A)
		case coalesce.Responded:
			say("responded %d %v", e.A, parts)
		case coalesce.TookDescription:
			say("holds description %d", e.A)
		case coalesce.ReplicaSealed:
			say("other replica %d", e.A)
		}
	}
	return list
}
