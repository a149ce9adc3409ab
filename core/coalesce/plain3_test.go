package coalesce_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/schedule"
)

// The whole persist side of the plain second implementation: a window is a slice of
// parts, a flush a thing with a flag for its upload, an inline part a flush that never
// has one.
type persist3 struct {
	cuts   bool // the whole persist side
	target int
	most   int // uploads of a batch in flight
	labels map[string]string
}

type builder3 struct {
	window []*part2
	hand   *part2
	early  *blob2 // what was flushed so far
}

type flush3 struct {
	parts                []*part2
	stored, inline, gone bool
}

func (w *world2) begin3() {
	w.cuts = w.c.Persist == coalesce.WholePersist
	w.labels = map[string]string{}
	if w.target = w.c.Target; w.target == 0 {
		w.target = 128 << 20
	}
	if w.most = w.c.Outstanding; w.most == 0 {
		w.most = 2
	}
}

func sum3(parts []*part2) (n int) {
	for _, p := range parts {
		n += p.bytes
	}
	return n
}

// inFlight is how many uploads of a batch are not complete.
func (b *blob2) inFlight() (n int) {
	if b == nil {
		return 0
	}
	for _, f := range b.cuts {
		if !f.inline && !f.stored {
			n++
		}
	}
	return n
}

// bad tells whether the batch has a time that its upper does not cover.
func (b *builder2) bad() bool {
	for _, p := range b.got {
		at := p.at
		if p.interval < b.n {
			at = max(at, b.spawner.sink.bounds[b.n])
		}
		if at >= b.upper {
			return true
		}
	}
	return false
}

// todo is what a builder task does next; "finish" is the rest of stepBuilder.
func (w *world2) todo(b *builder2) string {
	switch {
	case b.hand != nil && len(b.window) == 0:
		return "add"
	case b.hand != nil, sum3(b.window) > w.target:
		return "flush"
	case len(b.queue) > 0 && b.queue[0].part != nil:
		return "receive"
	case len(b.queue) == 0 && !b.closed:
		return "wait"
	case len(b.window) > 0 && !b.bad():
		return "flush"
	}
	return "finish"
}

func (w *world2) canWork(b *builder2) bool {
	if b.gone {
		return false
	}
	switch w.todo(b) {
	case "wait":
		return false
	case "flush":
		return sum3(b.window) < 4096 || b.early.inFlight() < w.most
	case "finish":
		return b.bad() || b.early.inFlight() == 0
	}
	return true
}

// work does what is not finishing.
func (w *world2) work(b *builder2) bool {
	switch w.todo(b) {
	case "receive":
		p := b.queue[0].part
		b.queue = b.queue[1:]
		b.got = append(b.got, p)
		n := len(b.window)
		fits := n == 0 || sum3(b.window)+p.bytes <= w.target
		asked := 1
		if w.c.Goodbytes == coalesce.Recompute {
			asked = n + 1
			if fits {
				asked += n + 1
			}
		}
		w.say("%s receives %d, asks %d", b.name, p.id, asked)
		if fits {
			b.window = append(b.window, p)
		} else {
			b.hand = p
		}
		if len(b.got) == 1 {
			label := "the view’s name"
			if w.c.Label == coalesce.PeekStash {
				label = "peek_stash"
			}
			w.label(b.spawner.sink, slices.Index(w.procs, b.spawner.proc), label)
		}
		return true
	case "add":
		asked := 0
		if w.c.Goodbytes == coalesce.Recompute {
			asked = 1
		}
		w.say("%s adds %d, asks %d", b.name, b.hand.id, asked)
		b.window, b.hand = []*part2{b.hand}, nil
		return true
	case "flush":
		if b.early == nil {
			b.early = w.newBlob(b.spawner, b.n, nil)
		}
		w.cut(b.name, b.early, b.window)
		b.window = nil
		return true
	}
	return false
}

func (w *world2) cut(who string, b *blob2, parts []*part2) *flush3 {
	f := &flush3{parts: slices.Clone(parts), inline: sum3(parts) < 4096}
	b.cuts = append(b.cuts, f)
	b.parts = append(b.parts, parts...)
	slices.SortFunc(b.parts, func(p, q *part2) int { return p.id - q.id })
	word := ""
	if f.inline {
		word = " inline"
	}
	w.say("%s flushes %d %v%s", who, len(b.cuts)-1, ids(parts), word)
	return f
}

// ownBatch is a batch of the worker's own.
func (w *world2) ownBatch(t *task2, parts []*part2) *blob2 {
	if !w.cuts {
		return w.upload(t, t.interval, parts)
	}
	w.label(t.sink, slices.Index(w.procs, t.proc), "the view’s name")
	b := w.newBlob(t, t.interval, nil)
	var open []*part2
	flush := func() {
		if len(open) > 0 {
			if f := w.cut(t.name, b, open); !f.inline {
				w.store(t.name, b, len(b.cuts)-1)
			}
		}
		open = nil
	}
	for _, p := range parts {
		if sum3(open)+p.bytes > w.target {
			flush()
		}
		open = append(open, p)
		if sum3(open) > w.target {
			flush()
		}
	}
	flush()
	return b
}

func (w *world2) store(who string, b *blob2, k int) {
	b.cuts[k].stored = true
	w.uploads++
	w.say("%s puts %d %v", who, k, ids(b.cuts[k].parts))
}

// nextUpload is the oldest upload in flight of a thread's spawner: the blobs are in
// the order of intervals.
func (w *world2) nextUpload(name string) (*blob2, int) {
	for _, b := range w.blobs {
		if name != "U"+strings.ToLower(w.tasks[b.order[1]].name) {
			continue
		}
		for k, f := range b.cuts {
			if !f.inline && !f.stored {
				return b, k
			}
		}
	}
	return nil, 0
}

func (w *world2) completeUpload(name string) {
	b, k := w.nextUpload(name)
	w.store(name, b, k)
}

// firstLeak is the first leaked object in the order of tasks and intervals.
func (w *world2) firstLeak() (*blob2, int) {
	list := slices.Clone(w.blobs)
	slices.SortFunc(list, func(a, b *blob2) int { return slices.Compare(a.order[1:], b.order[1:]) })
	for _, b := range list {
		if b.status != "leaked" {
			continue
		}
		if !w.cuts {
			return b, 0
		}
		for k, f := range b.cuts {
			if f.stored && !f.gone {
				return b, k
			}
		}
	}
	return nil, 0
}

func (w *world2) clean() {
	b, k := w.firstLeak()
	parts := b.parts
	if w.cuts {
		parts = b.cuts[k].parts
		b.cuts[k].gone = true
	} else {
		b.status = "deleted"
	}
	w.say("J deletes %s %d %v", b.key, k, ids(parts))
}

func (w *world2) label(s *sink2, proc int, label string) {
	at := fmt.Sprintf("%s in process %d", s.name, proc)
	if w.labels[at] == "" {
		w.labels[at] = label
		w.say("%s is counted under %s", at, label)
	}
}

func (w *world2) appendTouches(s *sink2) {
	if w.cuts {
		for i := range w.procs {
			w.label(s, i, "the view’s name")
		}
	}
}

// diff is what an append's state diff has: the figures are those of facts.md section 3.
func (w *world2) diff(s *sink2) int {
	sum := 256
	for _, b := range s.batches {
		if !w.cuts {
			sum += 1476
		}
		for _, f := range b.blob.cuts {
			if f.inline {
				sum += 16 + sum3(f.parts)
			} else {
				sum += 1476
			}
		}
	}
	return sum
}

func (w *world2) facts3(out lines) {
	if !w.cuts {
		return
	}
	for _, t := range w.tasks {
		for _, n := range []string{"K", "L"} {
			if b := w.builders[n+strings.ToLower(t.name)]; b != nil && !b.crashed && !b.gone {
				hand := -1
				if b.hand != nil {
					hand = b.hand.id
				}
				out.say("%s window %v hand %d", b.name, ids(b.window), hand)
			}
		}
	}
	for _, b := range w.blobs {
		for k, f := range b.cuts {
			status := b.status
			switch {
			case f.gone:
				status = "deleted"
			case !f.inline && !f.stored:
				status = "uploading"
			}
			out.say("%s %d %v inline %v %s given %d", b.key, k, ids(f.parts), f.inline, status, b.given)
		}
	}
}

// facts3 is the same of the model.
func (p *play) facts3(out lines) {
	if p.m.Persist == coalesce.ShortPersist {
		return
	}
	for slot := range p.s.Batches {
		if b := &p.s.Batches[slot]; b.Id != 0 && b.Panic == coalesce.NoPanic && !b.Gone {
			out.say("%s window %v hand %d", p.m.Name(coalesce.Builder(slot)), append([]int{}, p.m.Window(&p.s, slot).List()...), int(b.Hand)-1)
		}
	}
	for _, o := range p.m.Pieces(&p.s) {
		out.say("%s%d %d %v inline %v %s given %d", p.m.Name(o.Spawner), o.N+1, o.Flush, append([]int{}, o.Parts.List()...), o.Inline, o.Status.String(), o.Given)
	}
}

// says3 is an event of the persist side in the words of the plain one; all tells that
// it is not said in other words too.
func (p *play) says3(e coalesce.Event) (says string, all bool) {
	who, ids := p.m.Name(e.Thread), append([]int{}, e.Parts.List()...)
	whole := p.m.Persist == coalesce.WholePersist
	switch e.Kind {
	case coalesce.Received:
		if whole {
			return plainf("%s receives %d, asks %d", who, ids[0], e.A), true
		}
	case coalesce.Added:
		return plainf("%s adds %d, asks %d", who, ids[0], e.A), true
	case coalesce.Flushed:
		word := ""
		if e.B == 1 {
			word = " inline"
		}
		return plainf("%s flushes %d %v%s", who, e.A, ids, word), true
	case coalesce.Uploaded:
		if whole {
			return plainf("%s puts %d %v", who, e.A, ids), true
		}
	case coalesce.Cleaned:
		_, n := coalesce.EntryInterval(int(e.Entry))
		return plainf("J deletes %s%d %d %v", p.m.Name(coalesce.Thread(e.B)), n+1, e.A, ids), true
	case coalesce.Labelled:
		return plainf("%s in process %d is counted under %s", p.m.SinkName(p.m.Sink(e.Thread)), e.B, coalesce.MetricsLabel(e.A).String()), true
	case coalesce.Sealed:
		return plainf("P%s seals with %d bytes", p.m.SinkName(p.m.Sink(e.Thread)), e.B), false
	}
	return "", false
}

// persistConfig gives a configuration the whole persist side: parts of all sizes, which
// often add up to a limit exactly, a target that some of them exceed, and, where broken
// is set, any of its rules.
func persistConfig(r *schedule.Random, c coalesce.Config, broken bool) coalesce.Config {
	c.Persist = coalesce.WholePersist
	c.Cleaner = r.Pick(3) == 0
	c.Outstanding = r.Pick(4)
	c.MaxRuns = r.Pick(4)
	c.Runs = coalesce.Configured
	if broken {
		c.Goodbytes = coalesce.Goodbytes(r.Pick(2))
		c.Schema = coalesce.Schema(r.Pick(2))
		c.Label = coalesce.Label(r.Pick(2))
		c.Runs = coalesce.Runs(r.Pick(2))
		if r.Pick(4) > 0 {
			// Times beyond an upper reach a builder task.
			c.Descriptions = coalesce.Unchecked
			k := &c.Tasks[r.Pick(len(c.Tasks))]
			k.Upper = c.Sinks[k.Sink].Bounds[1] + 500
			for j := range k.Parts {
				if p := &k.Parts[j]; p.Interval == 0 && r.Pick(2) == 0 {
					p.At = k.Upper - 1
				} else if p.Interval == 0 {
					p.At = c.Sinks[k.Sink].Bounds[0]
				}
			}
		}
	}
	for i := range c.Tasks {
		for j := range c.Tasks[i].Parts {
			n := []int{1, 1023, 1024, 2048, 4095, 4096, 8192, 8193, 20000}[r.Pick(9)]
			c.Tasks[i].Parts[j].Bytes = n
		}
	}
	// A target that is too small for the limit of flushes is refused.
	for c.Target = 1024 << r.Pick(6); ; c.Target += 1024 {
		if _, err := coalesce.New(c); err == nil {
			return c
		}
	}
}

// TestPlainPersist holds the model's whole persist side to the plain one, over 100,000
// steps at best effort and with the barrier, and fewer in batches of a worker's own.
func TestPlainPersist(t *testing.T) {
	t.Parallel()
	verdicts := map[string]int{}
	happened := map[string]bool{}
	var steps [3]int
	for mode, want := range [3]int{coalesce.BestEffort: plainSteps, coalesce.Barrier: plainSteps, coalesce.PerWorker: plainSteps / 10} {
		r := schedule.NewRandom(40963128 + uint64(mode))
		for steps[mode] < fewer(want) {
			broken := r.Pick(3) > 0
			c := anyConfigIn(r, coalesce.Mode(mode), broken)
			if r.Pick(3) == 0 {
				c = wholeConfig(r, c)
			}
			n, verdict := plainRun(t, r, persistConfig(r, c, broken), happened)
			steps[mode] += n
			verdicts[verdict]++
		}
	}
	t.Log("verdicts", verdicts, "steps", steps)
	for _, v := range []string{"safe", "losing", "deadlocked", "panicked"} {
		if verdicts[v] == 0 {
			t.Errorf("no run ended %s: %v", v, verdicts)
		}
	}
	for _, word := range []string{"receives", "adds", "flushes", "puts", "deletes", "in", "seals"} {
		if !happened[word] {
			t.Errorf("%q has never happened", word)
		}
	}
}
