//go:build !js

package main

import (
	"testing"
	"time"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/web/browsertest"
)

// BenchmarkSearch runs the search's own benchmarks in a Web Worker of the browser.
func BenchmarkSearch(b *testing.B) {
	for _, pkg := range []struct {
		path  string
		names []string
	}{
		{"./core/explore", []string{"BenchmarkToyPushN8", "BenchmarkToyPushN8Symmetry"}},
		{"./core/proof", []string{"BenchmarkFourWorkers", "BenchmarkFourWorkersSymmetry"}},
	} {
		compiled := browsertest.CompileBench(b, pkg.path)
		for _, name := range pkg.names {
			b.Run(name[len("Benchmark"):], func(b *testing.B) {
				var best map[string]float64
				for b.Loop() {
					if m := compiled.Run(b, name); best == nil || m["ns/transition"] < best["ns/transition"] {
						best = m
					}
				}
				b.ReportMetric(0, "ns/op")
				for _, unit := range []string{"ns/transition", "states", "B/state"} {
					b.ReportMetric(best[unit], unit)
				}
			})
		}
	}
}

// BenchmarkSearchLarge lets the page search four workers with two parts each, and reads
// what the browser's processes hold before the search, at its end and after its panel
// is closed, which ends the Worker.
func BenchmarkSearchLarge(b *testing.B) {
	const mib, limit = 1 << 20, 2 * time.Minute
	var seconds, before, during, after float64
	for b.Loop() {
		p := visit(b, "/")
		openOwn(b, p, scenario.Scenario{Title: "Large", Setup: large(), Worlds: []coalesce.Probe{coalesce.Upgrade}, Differ: scenario.NotAsked, Outcome: scenario.NotAsked})
		p.Press("x")
		do(p, `document.getElementById("explore-states").value = "0"; document.getElementById("explore-seconds").value = "0"`)
		p.Memory() // collects
		before = p.Processes()
		from := time.Now()
		p.Click("#explore-run")
		for !browsertest.Eval[bool](p, `document.getElementById("explore-says").textContent !== "" && document.getElementById("explore-cancel").getAttribute("aria-disabled") === "true"`) {
			if time.Since(from) > limit {
				b.Fatalf("the search has not ended after %v", limit)
			}
			time.Sleep(50 * time.Millisecond)
		}
		seconds = time.Since(from).Seconds()
		during = p.Processes()
		b.Log(p.Text("#explore-says"), result(p, 0, "[data-states]"), "states", result(p, 0, "[data-transitions]"), "transitions")
		p.Click("#explore-close")
		p.WaitWorkers(0)
		p.Press("x")
		p.Memory()
		time.Sleep(time.Second) // the system takes back what the ended Worker held
		after = p.Processes()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(seconds, "s-decided")
	b.ReportMetric(before/mib, "MiB-before")
	b.ReportMetric(during/mib, "MiB-during")
	b.ReportMetric(after/mib, "MiB-after")
}

// large is four workers on one sink with two parts each.
func large() coalesce.Config {
	c := coalesce.Config{Sinks: []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000}}}}
	for w := range 4 {
		part := coalesce.PartConfig{At: 1500, Updates: 512, Bytes: 16384}
		c.Tasks = append(c.Tasks, coalesce.TaskConfig{Worker: w, Parts: []coalesce.PartConfig{part, part}})
	}
	return c
}
