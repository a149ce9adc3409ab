//go:build !js

package main

import (
	"fmt"
	"slices"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/scenario/compact"
	"sharedbatches/core/schedule"
	"sharedbatches/web/browsertest"
)

// keyRun is the key scenario's 54 steps.
const keyRun = "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@0"

// measure makes 50 moves and returns, for each, the milliseconds that the page was busy
// from the input to the painted frame: the event itself, and the frame that follows it.
// The wait for that frame is the screen's, not the page's, and is left out.
const measure = `(async move => {
	const busy = [];
	for (let i = 0; i < 50; i++) {
		const before = performance.now();
		move(i);
		let spent = performance.now() - before;
		spent += await new Promise(done => requestAnimationFrame(() => {
			const frame = performance.now(), after = new MessageChannel();
			after.port1.onmessage = () => done(performance.now() - frame);
			after.port2.postMessage(null);
		}));
		busy.push(spent);
	}
	return busy;
})`

// pressKey lacks the key and the closing }));
const pressKey = `document.body.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true, cancelable: true, key: `

// toolkit is what the moves below are written with.
const toolkit = `
	const press = key => ` + pressKey + `key, shiftKey: false}));
	const slide = step => { const s = document.getElementById("slider"); s.value = step; s.dispatchEvent(new Event("input", {bubbles: true})); };
	const length = Number(document.getElementById("slider").max), middle = Math.floor(length / 2);
`

// move is the i-th of fifty.
type move struct{ name, script string }

// moves go over any run: on from its middle, back to its middle, and to and fro over
// the whole by the slider.
var moves = []move{
	{"forward", `i => i == 0 ? slide(Math.max(0, middle - 25)) : press("ArrowRight")`},
	{"back", `i => i == 0 ? slide(Math.min(length, middle + 25)) : press("ArrowLeft")`},
	{"jump", `i => slide(i * Math.floor(length * 0.43) % (length + 1))`},
}

// step steps threads by their letters: the heart of the lesson, then back.
var step = move{"step", `i => press(i % 12 < 11 ? "AAAABBBABBA"[i % 12] : "Home")`}

// benchmarkMove reports the middle and the worst but 5 % of what a move takes, and what
// its main thread's processor spends on it, which other programs disturb less.
func benchmarkMove(b *testing.B, p *browsertest.Page, m move) {
	var busy []float64
	before := p.Work()
	for b.Loop() {
		busy = append(busy, browsertest.Eval[[]float64](p, "(() => {"+toolkit+"return "+measure+"("+m.script+")})()")...)
	}
	work := p.Work().Less(before)
	slices.Sort(busy)
	each := 1000 / float64(len(busy))
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(busy[len(busy)/2], "p50-ms")
	b.ReportMetric(busy[len(busy)*95/100], "p95-ms")
	b.ReportMetric(work.All*each, "cpu-ms")
	b.ReportMetric(work.Script*each, "script-ms")
	b.ReportMetric(work.Style*each, "style-ms")
	b.ReportMetric(work.Layout*each, "layout-ms")
}

func BenchmarkMove(b *testing.B) {
	for _, m := range append(moves, step) {
		b.Run(m.name, func(b *testing.B) { benchmarkMove(b, visit(b, keyRun), m) })
	}
}

// BenchmarkMoveSlow is BenchmarkMove with the processor slowed four times.
func BenchmarkMoveSlow(b *testing.B) {
	for _, m := range append(moves, step) {
		b.Run(m.name, func(b *testing.B) {
			p := visit(b, keyRun)
			p.Slow(4)
			benchmarkMove(b, p, m)
		})
	}
}

// BenchmarkMoveLong moves in about the longest run that any set-up has. Every run of
// the model ends, so none has the 10,000 steps that a schedule may have; the history
// itself is measured at that length in core/schedule.
func BenchmarkMoveLong(b *testing.B) {
	long := longest(b)
	for _, m := range moves {
		b.Run(m.name, func(b *testing.B) {
			p := visit(b, "/")
			openOwn(b, p, long)
			p.Press("End")
			benchmarkMove(b, p, m)
			b.ReportMetric(browsertest.Eval[float64](p, `Number(document.getElementById("slider").max)`), "steps")
		})
	}
}

// openOwn opens a scenario as one of the reader's own, whose YAML is not asked for.
func openOwn(t testing.TB, p *browsertest.Page, s scenario.Scenario) {
	t.Helper()
	do(p, fmt.Sprintf("const why = sharedBatchesOpen(%q, %q); if (why) throw new Error(why)", compact.Encode([]scenario.Scenario{s}), "title: "+s.Title))
}

// longest is the longest of some random runs of the largest set-up: all sinks, intervals,
// write tasks and parts that the limits allow, and everything that can be a step.
func longest(t testing.TB) scenario.Scenario {
	t.Helper()
	c := coalesce.Config{Whole: coalesce.WholeSink, Persist: coalesce.WholePersist}
	for i := range coalesce.MaxSinks {
		s := coalesce.SinkConfig{Name: byte('V' + i), Bounds: []int64{1000}}
		for k := range coalesce.MaxIntervals {
			s.Bounds = append(s.Bounds, int64(2000+1000*k))
		}
		c.Sinks = append(c.Sinks, s)
	}
	for w := range coalesce.MaxTasks {
		task := coalesce.TaskConfig{Worker: w, Sink: w % coalesce.MaxSinks}
		for k := range coalesce.MaxParts / coalesce.MaxTasks {
			task.Parts = append(task.Parts, coalesce.PartConfig{Interval: k, At: int64(1500 + 1000*k), Updates: 512, Bytes: 14256})
		}
		c.Tasks = append(c.Tasks, task)
	}
	s := scenario.Scenario{Title: "Long", Setup: c, Worlds: []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount},
		Differ: scenario.NotAsked, Outcome: scenario.NotAsked}
	w, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	var best []schedule.Letter
	for seed := range uint64(40) {
		run := w.NewRun()
		letters, err := schedule.NewRandom(seed).Run(func() (list []schedule.Letter) {
			for _, thread := range run.Models[0].Threads() {
				if _, blocked := run.Blocked(run.Now(), thread); !blocked {
					list = append(list, run.Models[0].Name(thread))
				}
			}
			return list
		}, func(letter schedule.Letter) error { return run.Play([]schedule.Letter{letter}) })
		if err != nil {
			t.Fatal(err)
		}
		if len(letters) > len(best) {
			best = letters
		}
	}
	s.Schedule = schedule.Print(best)
	return s
}

// BenchmarkMemory opens every lesson, goes to its end and back, and reports what the
// page holds then, in MiB, beside what it held at first.
func BenchmarkMemory(b *testing.B) {
	const mib = 1 << 20
	p := visit(b, "/")
	first := p.Memory()
	for b.Loop() {
		for i := range lessons {
			browsertest.Eval[*struct{}](p, fmt.Sprintf(`(async () => {%s
				const choice = document.getElementById("scenario");
				choice.value = %q;
				choice.dispatchEvent(new Event("change", {bubbles: true}));
				const frame = () => new Promise(requestAnimationFrame);
				await frame(); press("End"); await frame(); press("Home"); await frame();
				return null;
			})()`, toolkit, lessons[i].ID))
		}
	}
	if n := browsertest.Eval[int](p, `document.getElementById("scenario").options.length`); n < len(lessons) {
		b.Fatalf("the page lists %d lessons, not %d", n, len(lessons))
	}
	last := p.Memory()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(first.All()/mib, "MiB-first")
	b.ReportMetric(last.All()/mib, "MiB-last")
	b.ReportMetric(last.Wasm/mib, "MiB-wasm")
	b.ReportMetric(last.Script/mib, "MiB-script")
	b.ReportMetric(last.Document/mib, "MiB-document")
	b.ReportMetric(last.Buffers/mib, "MiB-buffers")
}
