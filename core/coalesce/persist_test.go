package coalesce_test

import (
	"fmt"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

// whole is a set-up with the whole persist side: the target, and a write task on sink
// Y for each list of parts' bytes.
func whole(target int, tasks ...[]int) coalesce.Config {
	c := coalesce.Config{Probe: coalesce.StrongCount, Persist: coalesce.WholePersist, Target: target,
		Sinks: []coalesce.SinkConfig{sink('Y', 1000, 2000)}}
	for w, bytes := range tasks {
		k := coalesce.TaskConfig{Worker: w}
		for _, n := range bytes {
			k.Parts = append(k.Parts, coalesce.PartConfig{At: 1500, Updates: 2, Bytes: n})
		}
		c.Tasks = append(c.Tasks, k)
	}
	return c
}

// pieces lists all flushed parts, such as "p1 inline in flight [0]".
func (p *play) pieces() string {
	var list []string
	for _, o := range p.m.Pieces(&p.s) {
		word := ""
		if o.Inline {
			word = "inline "
		}
		list = append(list, fmt.Sprintf("%s %s%s %v", o.Key[strings.LastIndex(o.Key, "/")+1:], word, o.Status, o.Parts.List()))
	}
	return strings.Join(list, ", ")
}

func (p *play) window(builder string) string {
	p.t.Helper()
	slot := p.thread(builder).Slot()
	s := fmt.Sprint(p.m.Window(&p.s, slot).List())
	if h := p.s.Batches[slot].Hand; h != 0 {
		s += fmt.Sprintf(" hand %d", h-1)
	}
	return s
}

// TestFlushRules: a window is flushed before a part that would take it over the
// target; what is left is flushed at the end; small parts make no PUT.
func TestFlushRules(t *testing.T) {
	p := start(t, whole(10000, []int{6000, 4000, 1, 3000}))
	p.run("A7 Ka2")
	equal(t, "two parts fill the window exactly", p.window("Ka"), "[0 1]")
	p.step("Ka")
	equal(t, "one more byte does not fit", p.window("Ka"), "[0 1] hand 2")
	p.blocked("Ua", "no upload is in flight")
	e, _ := find(p.step("Ka"), coalesce.Flushed)
	equal(t, "flushed", fmt.Sprint(e.Parts.List(), e.A, e.B), "[0 1] 0 0")
	equal(t, "window", p.window("Ka"), "[] hand 2")
	equal(t, "pieces", p.pieces(), "p1 uploading [0 1]")
	equal(t, "no PUT yet", p.s.Puts, 0)
	equal(t, "no object yet", p.status(), "")
	p.run("Ka A2 Ka") // add it; A finishes: into_inner, close; the last part
	equal(t, "window", p.window("Ka"), "[2 3]")
	e, _ = find(p.step("Ka"), coalesce.Flushed)
	equal(t, "the rest is inline", fmt.Sprint(e.Parts.List(), e.A, e.B), "[2 3] 1 1")
	p.blocked("Ka", "Ua has an upload of its batch to complete")
	p.blocked("A", "Ka has not finished")
	e, _ = find(p.step("Ua"), coalesce.Uploaded)
	equal(t, "PUT", fmt.Sprint(e.Parts.List(), e.A, p.m.Name(coalesce.Builder(int(e.Slot)))), "[0 1] 0Ka")
	p.blocked("Ua", "no upload is in flight")
	p.run("Ka A")
	p.blocked("Ua", "no upload is in flight")
	equal(t, "answers", strings.Join(p.answers, ""), "A [0 1 2 3]")
	e, _ = find(p.step("Py"), coalesce.Sealed)
	equal(t, "sealed", fmt.Sprint(e.Parts.List()), "[0 1 2 3]")
	equal(t, "state diff: an append, a blob part, an inline part with its data", e.B, 256+1476+16+3001)
	equal(t, "pieces", p.pieces(), "p1 referenced [0 1], p1-2 inline referenced [2 3]")
	equal(t, "objects", p.status(), "sY/wa/p1 referenced [0 1]")
	equal(t, "PUTs", p.s.Puts, 1)
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Safe)
}

// TestOversized: a part above the target is flushed alone and never split.
func TestOversized(t *testing.T) {
	p := start(t, whole(5000, []int{1000, 9000, 100}))
	p.run("A6 Ka2")
	equal(t, "the big part waits in hand", p.window("Ka"), "[0] hand 1")
	p.run("Ka2")
	equal(t, "added, alone above the target", p.window("Ka"), "[1]")
	e, _ := find(p.step("Ka"), coalesce.Flushed)
	equal(t, "flushed before anything else is received", fmt.Sprint(e.Parts.List(), e.A, e.B), "[1] 1 0")
	p.run("Ka A2 Ka Ua Ka A Py")
	equal(t, "pieces", p.pieces(), "p1 inline referenced [0], p1-2 referenced [1], p1-3 inline referenced [2]")
	equal(t, "PUTs", p.s.Puts, 1)
}

// TestInlineLimit: 4096 bytes are an object, one less is not.
func TestInlineLimit(t *testing.T) {
	for bytes, want := range map[int]string{coalesce.InlineLimit - 1: "p1 inline in flight [0]", coalesce.InlineLimit: "p1 uploading [0]"} {
		p := start(t, whole(65536, []int{bytes}))
		p.run("A4 A2 Ka2")
		equal(t, fmt.Sprint(bytes), p.pieces(), want)
	}
}

// TestBackPressure: with two uploads outstanding the builder task cannot flush, its
// part stays in hand, four commands queue, and a pusher waits (facts.md S11).
func TestBackPressure(t *testing.T) {
	p := start(t, whole(10000, []int{6000, 6000, 6000, 6000, 10, 10, 10, 10, 10}))
	p.run("A5 Ka3 A4 Ka5 A2")
	equal(t, "window", p.window("Ka"), "[2] hand 3")
	equal(t, "pieces", p.pieces(), "p1 uploading [0], p1-2 uploading [1]")
	p.blocked("Ka", "2 uploads are outstanding")
	equal(t, "channel", p.s.Batches[0].Queued(), 4)
	p.blocked("A", "4 pushes are queued, Ka must receive one")
	equal(t, "its handle is alive", p.s.Batches[0].Count(), 1)
	p.run("Ua Ka2")
	equal(t, "window", p.window("Ka"), "[3]")
	p.blocked("A", "4 pushes are queued, Ka must receive one")
	p.run("Ka A3 Ka4 Ua2 Ka Ua Ka A Py")
	equal(t, "PUTs", p.s.Puts, 4)
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Safe)

	c := whole(10000, []int{6000, 6000, 6000})
	c.Outstanding = 1
	p = start(t, c)
	p.run("A6 Ka5")
	p.blocked("Ka", "1 upload is outstanding")
}

// TestInlineNeedsNoUpload: an inline flush does not wait for uploads.
func TestInlineNeedsNoUpload(t *testing.T) {
	c := whole(5000, []int{4500, 1000, 4500})
	c.Outstanding = 1
	p := start(t, c)
	p.run("A6 Ka5")
	equal(t, "one in flight, the small one in the window", p.pieces()+" "+p.window("Ka"), "p1 uploading [0] [1] hand 2")
	p.run("Ka2 A2")
	equal(t, "the small one went without waiting", p.pieces(), "p1 uploading [0], p1-2 inline in flight [1]")
	p.blocked("Ka", "1 upload is outstanding")
}

// TestPanicLeavesUploads: what was flushed before the builder task panics stays, also
// what was still in flight, and a cleaner removes it.
func TestPanicLeavesUploads(t *testing.T) {
	c := whole(10000, []int{6000, 6000, 6000, 100})
	c.Tasks[0].Upper = 3000
	c.Tasks[0].Parts[3].At = 2500
	c.Tasks = append(c.Tasks, coalesce.TaskConfig{Worker: 1})
	c.Descriptions = coalesce.Unchecked
	c.Cleaner = true
	p := start(t, c)
	// B opens with upper 2000; A joins and pushes a time beyond it.
	p.run("B3 A7 B A2")
	p.run("Kb7 Ub A3")
	p.step("Kb") // receives the late part
	e, _ := find(p.step("Kb"), coalesce.Panicked)
	equal(t, "panic", coalesce.Panic(e.A), coalesce.BadUpper)
	equal(t, "pieces", p.pieces(), "p1 leaked [0], p1-2 uploading [1]")
	equal(t, "no batch was ever made", p.m.Broken(&p.s, coalesce.Delivered), "")
	p.step("Ub")
	equal(t, "PUTs", p.s.Puts, 2)
	equal(t, "pieces", p.pieces(), "p1 leaked [0], p1-2 leaked [1]")
	equal(t, "leak", p.m.Broken(&p.s, coalesce.NoLeak), "sY/wb/p1, sY/wb/p1-2 are stored, and nothing refers to them.")
	equal(t, "balance", p.m.Broken(&p.s, coalesce.Balance), "")
	p.run("J2")
	p.blocked("J", "no object is leaked")
	equal(t, "leak", p.m.Broken(&p.s, coalesce.NoLeak), "")
	equal(t, "pieces", p.pieces(), "p1 deleted [0], p1-2 deleted [1]")
	equal(t, "balance", p.m.Broken(&p.s, coalesce.Balance), "")
}

// TestDeadStateGoesOn: the task of a destroyed batch waits for its uploads like any
// other; then its objects are leaked, and its inline parts are gone without a trace.
func TestDeadStateGoesOn(t *testing.T) {
	c := whole(5000, []int{6000, 100})
	c.Probe, c.Sweeper = coalesce.Upgrade, true
	p := start(t, c)
	p.run("A5 S2 A S") // the sweep's temporary was the last
	equal(t, "destroyed", p.s.Batches[0].Destroyed(), true)
	p.run("Ka4")
	equal(t, "pieces", p.pieces(), "p1 uploading [0], p1-2 inline in flight [1]")
	p.blocked("Ka", "Ua has an upload of its batch to complete")
	p.run("Ua")
	equal(t, "pieces", p.pieces(), "p1 in flight [0], p1-2 inline in flight [1]")
	es := p.step("Ka")
	if _, ok := find(es, coalesce.Discarded); !ok {
		t.Errorf("no warning about an un-consumed batch: %v", es)
	}
	equal(t, "pieces", p.pieces(), "p1 leaked [0], p1-2 inline leaked [1]")
	equal(t, "objects", p.status(), "sY/wa/p1 leaked [0]")
}

// TestCleaner deletes the leaked blob in the short model too, and the hole stays.
func TestCleaner(t *testing.T) {
	c := s1(coalesce.Upgrade)
	c.Cleaner = true
	p := start(t, c)
	p.blocked("J", "no object is leaked")
	p.run("A4 B3 A B Ka2")
	equal(t, "store", p.status(), "sY/wa/p1 leaked [0]")
	e, _ := find(p.step("J"), coalesce.Cleaned)
	equal(t, "cleaned", fmt.Sprint(e.Parts.List(), " ", p.m.Name(coalesce.Thread(e.B)), e.A), "[0] A0")
	equal(t, "store", p.status(), "")
	equal(t, "leak", p.m.Broken(&p.s, coalesce.NoLeak), "")
	equal(t, "balance", p.m.Broken(&p.s, coalesce.Balance), "")
	p.step("Py")
	equal(t, "the hole stays", p.m.Holds(&p.s, coalesce.ViewTrue), false)
	equal(t, "and the loss", p.m.Holds(&p.s, coalesce.Delivered), false)
	p.blocked("J", "no object is leaked")
	p.run("B5 Kb2 B Px")
	p.blocked("J", "no object is leaked")
	equal(t, "verdict", p.m.Classify(&p.s), coalesce.Losing)
}

// TestGoodbytes: n parts of one window cost n evaluations with the counter, and
// n * n + n when the window is summed up twice for each (facts.md D2).
func TestGoodbytes(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for rule, want := range map[coalesce.Goodbytes]int{coalesce.Counter: n, coalesce.Recompute: n*n + n} {
			c := whole(65536, make([]int, n))
			for i := range n {
				c.Tasks[0].Parts[i].Bytes = 5000
			}
			c.Goodbytes = rule
			p := start(t, c)
			p.run("A3")
			sum := 0
			for range n {
				p.step("A")
				e, _ := find(p.step("Ka"), coalesce.Received)
				sum += int(e.A)
			}
			equal(t, fmt.Sprintf("%d parts, rule %d", n, rule), sum, want)
		}
	}
	// A flush in between: the part in hand is asked once more, alone.
	c := whole(10000, []int{6000, 6000})
	c.Goodbytes = coalesce.Recompute
	p := start(t, c)
	p.run("A5")
	var asked []int32
	for range 2 {
		e, _ := find(p.step("Ka"), coalesce.Received)
		asked = append(asked, e.A)
	}
	p.step("Ka")
	e, _ := find(p.step("Ka"), coalesce.Added)
	equal(t, "asked", fmt.Sprint(append(asked, e.A)), "[2 2 1]")
}

// TestBrokenPersistRules: each rule that is broken on purpose is caught by its
// invariant, and the fixed one is not; private batches have none of them.
func TestBrokenPersistRules(t *testing.T) {
	for _, r := range []struct {
		name    string
		change  func(*coalesce.Config)
		inv     coalesce.Invariant
		because string
	}{
		{"schema", func(c *coalesce.Config) { c.Schema = coalesce.NoSchema }, coalesce.HasSchema, "Parts were written without a schema id: a reader cannot look their schema up."},
		{"label", func(c *coalesce.Config) { c.Label = coalesce.PeekStash }, coalesce.OwnMetrics, "The metrics of view Y are counted under peek_stash."},
		{"runs", func(c *coalesce.Config) { c.Runs = coalesce.HardCoded }, coalesce.FewRuns, "The batch that A opened has 3 runs, and max_runs is 2."},
	} {
		for _, broken := range []bool{false, true} {
			c := whole(10000, []int{6000, 6000, 6000})
			c.MaxRuns, c.Runs = 2, coalesce.Configured
			want := ""
			if broken {
				r.change(&c)
				want = r.because
			}
			p := start(t, c)
			p.run("A6 A2 Ka7 Ua Ka Ua2 Ka A Py")
			for _, i := range p.m.Invariants() {
				expect := ""
				if i == r.inv {
					expect = want
				}
				equal(t, r.name+": "+i.Name(), p.m.Broken(&p.s, i), expect)
			}
			equal(t, "PUTs", p.s.Puts, 3)
			c.Mode = coalesce.PerWorker
			p = start(t, c)
			p.run("A2 Py")
			equal(t, r.name+" in a batch of the worker's own", p.m.Broken(&p.s, r.inv), "")
			equal(t, "PUTs", p.s.Puts, 3)
		}
	}
}

// TestFirstLabelStays: the append named the metrics before a builder came.
func TestFirstLabelStays(t *testing.T) {
	c := whole(10000, []int{6000})
	c.Label = coalesce.PeekStash
	c.Sinks[0].Bounds = []int64{1000, 2000, 3000}
	c.Tasks[0].Parts[0].Interval, c.Tasks[0].Parts[0].At = 1, 2500
	p := start(t, c)
	e, _ := find(append(p.step("A", 5), p.step("Ka")...), coalesce.Labelled)
	equal(t, "nothing was written", e.Kind, coalesce.Locked)
	p.step("A")
	e, ok := find(p.step("Py"), coalesce.Labelled)
	equal(t, "the append comes first", ok && coalesce.MetricsLabel(e.A) == coalesce.OwnLabel, true)
	p.run("A7")
	if _, ok := find(p.step("La"), coalesce.Labelled); ok {
		t.Error("the builder renamed the metrics")
	}
	equal(t, "label", p.m.Broken(&p.s, coalesce.OwnMetrics), "")
}

// TestPersistErrors: what only the whole persist side has, and its limits.
func TestPersistErrors(t *testing.T) {
	for want, change := range map[string]func(*coalesce.Config){
		"outstanding: 3: allowed are 0 (the default) and, with the rule persist whole, 1 to 8": func(c *coalesce.Config) { c.Persist, c.Outstanding = coalesce.ShortPersist, 3 },
		"max_runs: 2: allowed are 0 (the default) and, with the rule persist whole, 1 to 8":    func(c *coalesce.Config) { c.Persist, c.MaxRuns = coalesce.ShortPersist, 2 },
		"outstanding: 9: allowed are 0 (the default) and, with the rule persist whole, 1 to 8": func(c *coalesce.Config) { c.Outstanding = 9 },
		"max_runs: -1: allowed are 0 (the default) and, with the rule persist whole, 1 to 8":   func(c *coalesce.Config) { c.MaxRuns = -1 },
		"tasks[0]: parts[0]: bytes: 0: allowed is 1 to 2147483647":                             func(c *coalesce.Config) { c.Tasks[0].Parts[0].Bytes = 0 },
		"target: 100 bytes: a batch of sink Y could need 9 flushes: allowed are 8": func(c *coalesce.Config) {
			*c = whole(100, []int{100, 100, 100, 100, 100, 100, 100, 100, 100})
		},
	} {
		c := whole(10000, []int{6000})
		change(&c)
		if _, err := coalesce.New(c); err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := coalesce.New(whole(100, []int{100, 100, 100, 100, 100, 100, 100, 100})); err != nil {
		t.Error(err)
	}
}
