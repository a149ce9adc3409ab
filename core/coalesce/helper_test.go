package coalesce_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
)

// play is a model with its state and what was answered so far: what a test steps.
type play struct {
	t       testing.TB
	m       *coalesce.Model
	s       coalesce.State
	answers []string // such as "A None" or "B [0 1]", in the order of answering
	sets    [256]any // sets of write tasks in words, as they are first asked for
}

func start(t testing.TB, c coalesce.Config) *play {
	t.Helper()
	m, err := coalesce.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return &play{t: t, m: m, s: m.Start()}
}

func (p *play) thread(name string) coalesce.Thread {
	p.t.Helper()
	th, ok := p.m.ByName(name)
	if !ok {
		p.t.Fatalf("no thread %q: there are %q", name, p.m.Names())
	}
	return th
}

// try steps a thread; the reason is empty when it moved.
func (p *play) try(name string) (coalesce.Events, string) {
	p.t.Helper()
	th := p.thread(name)
	before := p.s
	var es coalesce.Events
	b := p.m.Step(&p.s, th, &es)
	if b.Kind != coalesce.Free {
		if p.s != before || len(es) != 0 {
			p.t.Fatalf("%s is blocked and yet changed the state or did %v", name, es)
		}
		return nil, p.m.Reason(th, b)
	}
	for _, e := range es {
		switch e.Kind {
		case coalesce.AnsweredNone:
			p.answers = append(p.answers, p.m.Name(e.Thread)+" None")
		case coalesce.AnsweredSome:
			p.answers = append(p.answers, fmt.Sprintf("%s %v", p.m.Name(e.Thread), e.Parts.List()))
		}
	}
	return es, ""
}

// step steps a thread that must be able to move, and returns what the last of the
// given number of lines did.
func (p *play) step(name string, times ...int) (es coalesce.Events) {
	p.t.Helper()
	for range append(times, 1)[0] {
		var why string
		if es, why = p.try(name); why != "" {
			p.t.Fatalf("%s is blocked: %s\n%s", name, why, p.tell())
		}
	}
	return es
}

// run steps threads in turn, each written as in "A4".
func (p *play) run(schedule string) {
	p.t.Helper()
	for _, word := range strings.Fields(schedule) {
		name := strings.TrimRight(word, "0123456789")
		count := 1
		if digits := word[len(name):]; digits != "" {
			fmt.Sscan(digits, &count)
		}
		p.step(name, count)
	}
}

// blocked holds a thread's reason to the text.
func (p *play) blocked(name, want string) {
	p.t.Helper()
	if _, why := p.try(name); why != want {
		p.t.Errorf("%s is blocked: %q, want %q", name, why, want)
	}
}

// fewer is a number of random steps: a tenth with -short, and under js/wasm, where
// the same seeds have to show only that nothing differs.
func fewer(steps int) int {
	if testing.Short() || runtime.GOOS == "js" {
		return steps / 10
	}
	return steps
}

// registry is that of the first process.
func registry(s *coalesce.State) *coalesce.Registry { return &s.Registries[0] }

// find is the event of a kind among es.
func find(es coalesce.Events, kind coalesce.EventKind) (coalesce.Event, bool) {
	i := slices.IndexFunc(es, func(e coalesce.Event) bool { return e.Kind == kind })
	if i < 0 {
		return coalesce.Event{}, false
	}
	return es[i], true
}

func (p *play) names(tasks uint8) string {
	var list []string
	for i := range coalesce.MaxTasks {
		if tasks>>i&1 != 0 {
			list = append(list, p.m.Name(coalesce.Thread(i)))
		}
	}
	return strings.Join(list, ",")
}

// entry is what the registry says about an interval of a sink: - for no entry,
// dead, or the builder task of the live batch.
func (p *play) entry(sink, n int) string {
	switch w := p.s.Registries[0].Entries[sink*coalesce.MaxIntervals+n]; w {
	case 0:
		return "-"
	case coalesce.DeadWeak:
		return "dead"
	default:
		slot, _ := w.Slot()
		return p.m.Name(coalesce.Builder(slot))
	}
}

// batch is the shared state that a builder task fills: the strong count, its
// holders, ~ and who sweeps for a temporary, = and the owner, q and the queued
// parts, got and the added parts, closed, done; - when there is none.
func (p *play) batch(builder string) string {
	p.t.Helper()
	b := p.s.Batches[p.thread(builder).Slot()]
	if b.Id == 0 {
		return "-"
	}
	words := []string{fmt.Sprint(b.Count())}
	if b.Holders != 0 {
		words = append(words, p.names(b.Holders))
	}
	if b.Temp != 0 {
		words = append(words, "~"+p.m.Name(coalesce.Thread(b.Temp-1)))
	}
	if b.Owner != 0 {
		words = append(words, "="+p.m.Name(coalesce.Thread(b.Owner-1)))
	}
	if b.Queue[0] != 0 {
		var queue []string
		for _, q := range b.Queue[:b.Queued()] {
			queue = append(queue, fmt.Sprint(q-1))
		}
		words = append(words, "q"+strings.Join(queue, ","))
	}
	if b.Got != 0 {
		words = append(words, "got"+strings.Trim(strings.ReplaceAll(fmt.Sprint(b.Got.List()), " ", ","), "[]"))
	}
	if b.Closed {
		words = append(words, "closed")
	}
	if b.Done {
		words = append(words, "done")
	}
	if b.Panic != coalesce.NoPanic {
		words = append(words, b.Panic.String())
	}
	return strings.Join(words, " ")
}

// tell is the whole state in short, for messages.
func (p *play) tell() string {
	var b strings.Builder
	for sink := range p.m.Sinks {
		for n := range p.m.Intervals(sink) {
			fmt.Fprintf(&b, "%s%d %s; ", p.m.SinkName(sink), n+1, p.entry(sink, n))
		}
	}
	for _, th := range p.m.Threads() {
		if th.Role() == coalesce.BuilderTask && p.s.Batches[th.Slot()].Id != 0 {
			fmt.Fprintf(&b, "%s %s; ", p.m.Name(th), p.batch(p.m.Name(th)))
		}
	}
	return b.String() + strings.Join(p.answers, ", ")
}

// status lists the blobs and who refers to them, such as "sY/wa/p1 leaked [0]".
func (p *play) status() string {
	var list []string
	for _, o := range p.m.List(&p.s) {
		list = append(list, fmt.Sprintf("%s %s %v", o.Key, o.Status, o.Parts.List()))
	}
	return strings.Join(list, ", ")
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func sink(name byte, bounds ...int64) coalesce.SinkConfig {
	return coalesce.SinkConfig{Name: name, Bounds: bounds}
}

// writes is a write task with one part of 512 updates, 16 KiB, for each time.
func writes(worker, sink int, times ...int64) coalesce.TaskConfig {
	c := coalesce.TaskConfig{Worker: worker, Sink: sink}
	for _, at := range times {
		c.Parts = append(c.Parts, coalesce.PartConfig{At: at, Updates: 512, Bytes: 16384})
	}
	return c
}

func under(p coalesce.Probe, c coalesce.Config) coalesce.Config {
	c.Probe = p
	return c
}
