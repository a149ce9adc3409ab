//go:build !js

package main

import (
	"slices"
	"testing"

	"sharedbatches/web/browsertest"
)

// The longest run that this model can make is a few hundred steps, so these measure on
// the key scenario's 54.
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

func benchmarkMove(b *testing.B, move string) {
	p := visit(b, keyRun)
	var busy []float64
	for b.Loop() {
		busy = append(busy, browsertest.Eval[[]float64](p, measure+"("+move+")")...)
	}
	slices.Sort(busy)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(busy[len(busy)/2], "p50-ms")
	b.ReportMetric(busy[len(busy)*95/100], "p95-ms")
}

const pressKey = `document.body.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true, cancelable: true, key: `

// BenchmarkForward steps on along the line, from its start again and again.
func BenchmarkForward(b *testing.B) {
	benchmarkMove(b, `i => `+pressKey+`i == 0 ? "Home" : "ArrowRight"}))`)
}

// BenchmarkStep steps threads by their letters: the heart of the lesson, then back.
func BenchmarkStep(b *testing.B) {
	benchmarkMove(b, `i => `+pressKey+`i % 12 < 11 ? "AAAABBBABBA"[i % 12] : "Home", shiftKey: false}))`)
}

func BenchmarkBack(b *testing.B) {
	benchmarkMove(b, `i => `+pressKey+`i == 0 ? "End" : "ArrowLeft"}))`)
}

// BenchmarkJump goes to and fro over the whole run by its slider.
func BenchmarkJump(b *testing.B) {
	benchmarkMove(b, `i => { const s = document.getElementById("slider"); s.value = i * 23 % 55; s.dispatchEvent(new Event("input", {bubbles: true})); }`)
}
