package coalesce_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// A plain second implementation of the best-effort rules, written from the design
// and not from the model: pointers, slices and maps, a struct for each thing, a
// program counter that is a word. It shares with the model only the configuration
// and the names of threads.
type plainWorld struct {
	probe    coalesce.Probe
	asserted bool
	sinks    []*plainSink
	tasks    []*plainTask
	parts    []*plainPart
	builders map[string]*plainBuilder // by name, while anybody can still see them
	blobs    []*plainBlob
	entries  []*plainEntry // of the registry, in the order in which a sweep visits them
	retained int
	lockedBy string
	poisoned bool
	sweeper  *plainSweeper
	hasPanic bool
	history  []string // answers
	uploads  int
	found    map[*plainEntry]bool // what the running sweep found alive
	at       *plainEntry          // where it is
}

type plainSink struct {
	index    int
	name     string
	bounds   []int64
	sealed   int // intervals
	parts    []*plainPart
	answered map[string]bool
	batches  []*plainBuilder // handed to the append
}

type plainTask struct {
	name     string
	sink     *plainSink
	upper    int64
	parts    []*plainPart
	interval int
	pc       string
	handle   *plainShared
	left     []*plainPart // still to push
	panicked bool
}

type plainSweeper struct{ pc string }

type plainPart struct {
	id       int
	interval int
	at       int64
	sealedIn int // 0: not; 1 is the first interval
}

type plainEntry struct {
	sink  *plainSink
	n     int
	state *plainShared // may be dead
}

// plainShared is what the handles point to.
type plainShared struct {
	upper   int64
	holders map[string]bool
	temp    string
	owner   string
	builder *plainBuilder
}

type plainBuilder struct {
	name    string
	spawner *plainTask
	n       int
	upper   int64
	queue   []*plainPart
	got     []*plainPart
	closed  bool
	orphan  bool
	done    bool
	crashed bool
	state   *plainShared
	blob    *plainBlob
}

type plainBlob struct {
	key    string
	order  []int // sink, task, interval
	parts  []int
	status string
	given  int
}

func newPlain(c coalesce.Config, names []string) *plainWorld {
	w := &plainWorld{probe: c.Probe, asserted: c.Descriptions == coalesce.Asserted, builders: map[string]*plainBuilder{}}
	for i, s := range c.Sinks {
		w.sinks = append(w.sinks, &plainSink{index: i, name: string(rune(s.Name)), bounds: s.Bounds, answered: map[string]bool{}})
	}
	for i, k := range c.Tasks {
		t := &plainTask{name: names[i], sink: w.sinks[k.Sink], upper: k.Upper, pc: "lock"}
		for _, p := range plainOrder(k.Parts) {
			part := &plainPart{id: len(w.parts), interval: p.Interval, at: p.At}
			w.parts = append(w.parts, part)
			t.parts = append(t.parts, part)
			t.sink.parts = append(t.sink.parts, part)
		}
		w.tasks = append(w.tasks, t)
	}
	if c.Sweeper {
		w.sweeper = &plainSweeper{"lock"}
	}
	return w
}

// plainOrder is the order in which a task's two correction buffers give up their
// parts: rows, then errors, and either by interval.
func plainOrder(parts []coalesce.PartConfig) []coalesce.PartConfig {
	list := slices.Clone(parts)
	kind := map[bool]int{true: 1}
	slices.SortStableFunc(list, func(a, b coalesce.PartConfig) int {
		return 2*(kind[a.Error != ""]-kind[b.Error != ""]) + cmp.Compare(a.Interval, b.Interval)
	})
	return list
}

func (x *plainShared) count() int {
	n := len(x.holders)
	if x.temp != "" {
		n++
	}
	return n
}

func (x *plainShared) alive() bool { return x.count() > 0 }

// bound is the upper with which the task opens its interval.
func (t *plainTask) bound() int64 {
	if t.upper != 0 && t.interval == 0 {
		return t.upper
	}
	return t.sink.bounds[t.interval+1]
}

func (t *plainTask) finished() bool { return t.interval == len(t.sink.bounds)-1 }

func (t *plainTask) builderName() string {
	return "KL"[t.interval%2:t.interval%2+1] + strings.ToLower(t.name)
}

// timeIn is when the part's updates happen for interval n: raised to its lower.
func (p *plainPart) timeIn(s *plainSink, n int) int64 { return max(p.at, s.bounds[n]) }

func (w *plainWorld) entryOf(s *plainSink, n int) *plainEntry {
	for _, e := range w.entries {
		if e.sink == s && e.n == n {
			return e
		}
	}
	return nil
}

// enabled tells whether a thread can move.
func (w *plainWorld) enabled(name string) bool {
	for _, t := range w.tasks {
		if t.name == name {
			return w.taskEnabled(t)
		}
	}
	switch name[0] {
	case 'K', 'L':
		b := w.builders[name]
		return b != nil && !b.done && !b.crashed && (len(b.queue) > 0 || b.closed)
	case 'P':
		s := w.sinkOf(name)
		for _, t := range w.tasks {
			if t.sink == s && !s.answered[t.name] {
				return false
			}
		}
		return s.sealed < len(s.bounds)-1
	}
	return w.sweeper.pc != "over" && (w.sweeper.pc != "lock" || w.lockedBy == "")
}

func (w *plainWorld) sinkOf(name string) *plainSink {
	for _, s := range w.sinks {
		if strings.EqualFold(name[1:], s.name) {
			return s
		}
	}
	panic("no sink of " + name)
}

func (w *plainWorld) taskEnabled(t *plainTask) bool {
	if t.panicked || t.finished() {
		return false
	}
	switch t.pc {
	case "lock":
		return t.sink.sealed >= t.interval && w.lockedBy == ""
	case "join":
		e := w.entryOf(t.sink, t.interval)
		return e != nil && e.state.alive() || w.builders[t.builderName()] == nil
	case "push":
		b := t.handle.builder
		return len(b.queue) < 4 || b.crashed
	case "await":
		return t.handle.builder.done || t.handle.builder.crashed
	}
	return true
}

func (w *plainWorld) step(name string) {
	for _, t := range w.tasks {
		if t.name == name {
			w.stepTask(t)
			return
		}
	}
	switch name[0] {
	case 'K', 'L':
		w.stepBuilder(w.builders[name])
	case 'P':
		w.seal(w.sinkOf(name))
	default:
		w.stepSweeper()
	}
}

func (w *plainWorld) stepTask(t *plainTask) {
	switch t.pc {
	case "lock":
		if w.poisoned {
			w.panic(t)
			return
		}
		w.lockedBy = t.name
		t.pc = "test"
	case "test":
		t.pc = "join"
		if len(w.entries) > 2*w.retained {
			w.startSweep()
			t.pc = "probe"
		}
	case "probe":
		w.beginProbe(t.name)
		t.pc = "drop"
	case "drop":
		t.pc = "retain"
		if w.endProbe() {
			t.pc = "probe"
		}
	case "retain":
		w.retain()
		t.pc = "join"
	case "join":
		w.join(t)
	case "push":
		b := t.handle.builder
		if b.crashed {
			w.panic(t)
			return
		}
		b.queue = append(b.queue, t.left[0])
		if t.left = t.left[1:]; len(t.left) == 0 {
			t.pc = "into_inner"
		}
	case "into_inner":
		x := t.handle
		delete(x.holders, t.name)
		if x.alive() {
			w.answer(t, nil)
			return
		}
		x.owner = t.name
		t.pc = "close"
	case "close":
		t.handle.builder.closed = true
		t.pc = "await"
	case "await":
		b := t.handle.builder
		if b.crashed {
			w.panic(t)
			return
		}
		delete(w.builders, b.name)
		if b.blob == nil {
			w.answer(t, nil)
			return
		}
		b.blob.given++
		w.answer(t, b)
	}
}

func (w *plainWorld) answer(t *plainTask, b *plainBuilder) {
	got := "None"
	if b != nil {
		got = fmt.Sprint(b.blob.parts)
		t.sink.batches = append(t.sink.batches, b)
	}
	w.history = append(w.history, t.name+" "+got)
	t.sink.answered[t.name] = true
	t.handle, t.pc = nil, "lock"
	t.interval++
}

func (w *plainWorld) join(t *plainTask) {
	e := w.entryOf(t.sink, t.interval)
	if e == nil {
		e = &plainEntry{sink: t.sink, n: t.interval}
		w.entries = append(w.entries, e)
		sort.Slice(w.entries, func(i, j int) bool {
			a, b := w.entries[i], w.entries[j]
			return a.sink.index < b.sink.index || a.sink == b.sink && a.n < b.n
		})
	}
	if e.state == nil || !e.state.alive() {
		b := &plainBuilder{name: t.builderName(), spawner: t, n: t.interval, upper: t.bound()}
		b.state = &plainShared{upper: t.bound(), holders: map[string]bool{}, builder: b}
		w.builders[b.name] = b
		e.state = b.state
	}
	t.handle = e.state
	t.handle.holders[t.name] = true
	if w.asserted && e.state.upper != t.bound() {
		w.poisoned = true
		w.panic(t)
		return
	}
	w.lockedBy = ""
	t.left = nil
	lower := t.sink.bounds[t.interval]
	for _, p := range t.parts {
		late := p.interval < t.interval && max(p.at, lower) < t.sink.bounds[t.interval+1]
		if p.sealedIn == 0 && (p.interval == t.interval || late) {
			t.left = append(t.left, p)
		}
	}
	t.pc = "into_inner"
	if len(t.left) > 0 {
		t.pc = "push"
	}
}

// panic unwinds a task: its handle is dropped, its lock is released.
func (w *plainWorld) panic(t *plainTask) {
	w.hasPanic = true
	t.panicked = true
	if w.lockedBy == t.name {
		w.lockedBy = ""
	}
	if x := t.handle; x != nil {
		delete(x.holders, t.name)
		if x.owner == t.name {
			x.owner = ""
		}
		w.dropped(x)
	}
	t.handle = nil
}

// dropped destroys a state that nobody refers to any more.
func (w *plainWorld) dropped(x *plainShared) {
	if x.count() == 0 && x.owner == "" {
		x.builder.closed = true
		x.builder.orphan = true
	}
}

func (w *plainWorld) startSweep() {
	w.found = map[*plainEntry]bool{}
	w.at = nil
	if len(w.entries) > 0 {
		w.at = w.entries[0]
	}
}

func (w *plainWorld) beginProbe(who string) {
	x := w.at.state
	if !x.alive() {
		return
	}
	w.found[w.at] = true
	if w.probe == coalesce.Upgrade {
		x.temp = who
	}
}

// endProbe tells whether there is another entry.
func (w *plainWorld) endProbe() bool {
	if x := w.at.state; x.temp != "" {
		x.temp = ""
		w.dropped(x)
	}
	i := slices.Index(w.entries, w.at) + 1
	if i == len(w.entries) {
		return false
	}
	w.at = w.entries[i]
	return true
}

func (w *plainWorld) retain() {
	w.entries = slices.DeleteFunc(w.entries, func(e *plainEntry) bool { return !w.found[e] })
	w.retained = len(w.entries)
}

func (w *plainWorld) stepSweeper() {
	switch w.sweeper.pc {
	case "lock":
		if w.poisoned {
			w.hasPanic = true
			w.sweeper.pc = "over"
			return
		}
		w.lockedBy = "S"
		w.startSweep()
		w.sweeper.pc = "retain"
		if w.at != nil {
			w.sweeper.pc = "probe"
		}
	case "probe":
		w.beginProbe("S")
		w.sweeper.pc = "drop"
	case "drop":
		w.sweeper.pc = "retain"
		if w.endProbe() {
			w.sweeper.pc = "probe"
		}
	case "retain":
		w.retain()
		w.lockedBy = ""
		w.sweeper.pc = "over"
	}
}

func (w *plainWorld) stepBuilder(b *plainBuilder) {
	if len(b.queue) > 0 {
		b.got = append(b.got, b.queue[0])
		b.queue = b.queue[1:]
		return
	}
	sink := b.spawner.sink
	blob := &plainBlob{status: "in flight"}
	for _, p := range b.got {
		if p.timeIn(sink, b.n) >= b.upper {
			b.crashed = true
			w.hasPanic = true
			return
		}
		blob.parts = append(blob.parts, p.id)
	}
	sort.Ints(blob.parts)
	if len(b.got) > 0 {
		w.uploads++
		b.blob = blob
		blob.key = fmt.Sprintf("s%s/w%s/p%d", sink.name, strings.ToLower(b.spawner.name), b.n+1)
		blob.order = []int{sink.index, slices.Index(w.tasks, b.spawner), b.n}
		w.blobs = append(w.blobs, blob)
		sort.Slice(w.blobs, func(i, j int) bool { return slices.Compare(w.blobs[i].order, w.blobs[j].order) < 0 })
	}
	b.done = true
	if b.orphan {
		blob.status = "leaked"
		delete(w.builders, b.name)
	}
}

func (w *plainWorld) seal(s *plainSink) {
	upper := s.bounds[s.sealed+1]
	for _, b := range s.batches {
		b.blob.status = "referenced"
		for _, p := range b.got {
			if p.timeIn(s, s.sealed) < upper {
				p.sealedIn = s.sealed + 1
			}
		}
	}
	s.sealed++
	s.batches, s.answered = nil, map[string]bool{}
}

// verdict is how a run that cannot go on has ended.
func (w *plainWorld) verdict() string {
	if w.hasPanic {
		return "panicked"
	}
	lost := false
	for _, s := range w.sinks {
		if s.sealed < len(s.bounds)-1 {
			return "deadlocked"
		}
		for _, p := range s.parts {
			lost = lost || p.sealedIn != p.interval+1
		}
	}
	if lost {
		return "losing"
	}
	return "safe"
}

// facts is what anybody can see, in words, a line each.
func (w *plainWorld) facts(out lines) lines {
	out.say("lock %q poisoned %v last_retained_len %d", w.lockedBy, w.poisoned, w.retained)
	for _, s := range w.sinks {
		for n := range len(s.bounds) - 1 {
			entry := "-"
			if e := w.entryOf(s, n); e != nil {
				entry = "dead"
				if e.state.alive() {
					entry = e.state.builder.name
				}
			}
			out.say("entry %s%d %s", s.name, n+1, entry)
		}
		answered := []string{}
		for _, t := range w.tasks {
			if s.answered[t.name] {
				answered = append(answered, t.name)
			}
		}
		staged := []string{}
		for _, t := range w.tasks {
			for _, b := range s.batches {
				if b.spawner == t {
					staged = append(staged, t.name)
				}
			}
		}
		out.say("sink %s sealed %d answered %v staged %v", s.name, s.sealed, answered, staged)
	}
	for _, t := range w.tasks {
		for _, n := range []string{"K", "L"} {
			b := w.builders[n+strings.ToLower(t.name)]
			if b == nil {
				continue
			}
			x := b.state
			holders := []string{}
			for _, t := range w.tasks {
				if x.holders[t.name] {
					holders = append(holders, t.name)
				}
			}
			if b.crashed {
				out.say("%s crashed %v", b.name, holders)
				continue
			}
			queue, got := []int{}, []int{}
			for _, p := range b.queue {
				queue = append(queue, p.id)
			}
			for _, p := range b.got {
				got = append(got, p.id)
			}
			sort.Ints(got)
			out.say("%s count %d holders %v temporary %q owner %q queue %v got %v closed %v done %v", b.name, x.count(), holders, x.temp, x.owner, queue, got, b.closed, b.done)
		}
	}
	for _, p := range w.parts {
		out.say("part %d sealed in %d", p.id, p.sealedIn)
	}
	for _, b := range w.blobs {
		out.say("%s %s %v given %d", b.key, b.status, b.parts, b.given)
	}
	out.say("%d PUTs", w.uploads)
	return out
}

// facts is the same of the model.
func (p *play) facts(out lines) lines {
	name := func(n uint8) string {
		if n == 0 {
			return ""
		}
		return p.m.Name(coalesce.Thread(n - 1))
	}
	list := func(tasks uint8) []string {
		out := []string{}
		for i := range p.m.Tasks {
			if tasks>>i&1 != 0 {
				out = append(out, p.m.Name(coalesce.Thread(i)))
			}
		}
		return out
	}
	ints := func(ps []int) []int { return append([]int{}, ps...) }
	r := registry(&p.s)
	out.say("lock %q poisoned %v last_retained_len %d", name(r.Lock), r.Poisoned, r.LastRetained)
	for i := range p.m.Sinks {
		for n := range p.m.Intervals(i) {
			out.say("entry %s%d %s", p.m.SinkName(i), n+1, p.entry(i, n))
		}
		k := p.s.Sinks[i]
		out.say("sink %s sealed %d answered %v staged %v", p.m.SinkName(i), k.Upper, list(k.Answered), list(k.Staged))
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
		queue := []int{}
		for _, q := range b.Queue[:b.Queued()] {
			queue = append(queue, int(q)-1)
		}
		out.say("%s count %d holders %v temporary %q owner %q queue %v got %v closed %v done %v", builder, b.Count(), list(b.Holders), name(b.Temp), name(b.Owner), queue, ints(b.Got.List()), b.Closed, b.Done)
	}
	for id := range p.m.PartCount() {
		out.say("part %d sealed in %d", id, p.s.Sealed[id])
	}
	for _, o := range p.m.List(&p.s) {
		out.say("%s %s %v given %d", o.Key, o.Status.String(), o.Parts.List(), o.Given)
	}
	out.say("%d PUTs", p.s.Puts)
	return out
}

// TestPlain holds the model to the plain implementation: after every step the same
// threads can move, and everything that can be seen is the same.
func TestPlain(t *testing.T) {
	t.Parallel()
	steps := fewer(100_000)
	r := schedule.NewRandom(37617)
	verdicts := map[string]int{}
	for done := 0; done < steps; {
		c := randomConfig(r, true)
		p := start(t, c)
		w := newPlain(c, p.m.Names())
		var letters []schedule.Letter
		got, want := newLines(), newLines()
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("%s\n%s\n%+v", fmt.Sprintf(format, args...), schedule.Print(letters), c)
		}
		for {
			var free []string
			for _, name := range p.m.Names() {
				can := p.m.Blocked(&p.s, p.thread(name)).Kind == coalesce.Free
				if plain := w.enabled(name); can != plain {
					fail("%s can move: model %v, plain %v", name, can, plain)
				}
				if can {
					free = append(free, name)
				}
			}
			got, want = p.facts(got.empty()), w.facts(want.empty())
			if !bytes.Equal(*got.text, *want.text) {
				fail("model\n%s\nplain\n%s", *got.text, *want.text)
			}
			if !slices.Equal(p.answers, w.history) {
				fail("answers: model %q, plain %q", p.answers, w.history)
			}
			if len(free) == 0 {
				break
			}
			name := free[r.Pick(len(free))]
			letters = append(letters, name)
			p.step(name)
			w.step(name)
			done++
		}
		v := p.m.Classify(&p.s).String()
		if plain := w.verdict(); v != plain {
			fail("verdict: model %s, plain %s", v, plain)
		}
		verdicts[v]++
	}
	t.Log(verdicts)
	for _, v := range []string{"safe", "losing", "panicked"} {
		if verdicts[v] == 0 {
			t.Errorf("no run ended %s: %v", v, verdicts)
		}
	}
}
