package view_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/view"
	"sharedbatches/core/worlds"
)

var shots = flag.String("shots", "", "write static pages of chosen moments into this directory, to look at")

// shotConfigs are set-ups with many holders, beside the shipped scenarios.
func shotConfigs() map[string]coalesce.Config {
	many := func(workers, processes int, mode coalesce.Mode, whole coalesce.Around) coalesce.Config {
		c := coalesce.Config{Mode: mode, Whole: whole, Processes: processes, Target: 64 << 10, Sinks: []coalesce.SinkConfig{{Name: 'Y', Bounds: []int64{1000, 2000, 3000}}}}
		for w := range workers {
			t := coalesce.TaskConfig{Worker: w}
			if w%2 == 0 {
				t.Parts = []coalesce.PartConfig{{At: 1500, Updates: 64, Bytes: 4096, Changes: []coalesce.Change{{Key: strconv.Itoa(w), From: 5, To: 6}}}}
			}
			c.Tasks = append(c.Tasks, t)
		}
		return c
	}
	return map[string]coalesce.Config{
		"eight": many(8, 2, coalesce.Barrier, coalesce.ShortSink),
		"one8":  many(8, 1, coalesce.BestEffort, coalesce.ShortSink),
		"four":  many(4, 1, coalesce.Barrier, coalesce.ShortSink),
		"whole": many(4, 2, coalesce.Barrier, coalesce.WholeSink),
	}
}

// TestShots writes pages only when asked to.
func TestShots(t *testing.T) {
	if *shots == "" {
		t.Skip("no -shots")
	}
	played := map[string]string{
		"eight": "A A A B B C C D E E E F G G H", "one8": "A A B C C D E E F G G H S A",
		"four": "A A A B B C C", "whole": "My Ta Ta Tb Tb Tc Tc Td Td A A A B B C C C D D Ka Tb",
	}
	for name, c := range shotConfigs() {
		s := &scenario.Scenario{Title: name, Setup: c, Worlds: []coalesce.Probe{coalesce.Upgrade, coalesce.StrongCount}, Panels: scenario.Panels, Reader: scenario.Reader{Key: "0", AsOf: []int64{1500, 2000}}}
		if name == "whole" || name == "four" {
			s.Worlds = s.Worlds[1:]
		}
		r, err := s.Open()
		if err != nil {
			t.Fatal(name, err)
		}
		for _, letter := range strings.Fields(played[name]) {
			if th, ok := r.Models[0].ByName(letter); ok {
				if _, _, err := r.Do(th, worlds.Call); err != nil {
					t.Log(name, letter, err)
				}
			}
		}
		shot(t, name, view.New(s, r.Worlds), r)
	}
	// The window of a skip, the wait of three, and a Finish in the channel: see TestBarrier.
	_, r, v := barrierRun(t)
	for _, k := range []int{17, 20, 34} {
		if err := r.Jump(k); err != nil {
			t.Fatal(err)
		}
		shot(t, "three-"+strconv.Itoa(k), v, r)
	}
	for _, at := range strings.Fields("share@99 partial@22 partial@99 sweep@54 sweep@9 sweep@11 sweep@17 sweep@40 barrier@12 barrier@18 barrier@22 skip@14 skip@2 missing@99 sink@9 sink@24 supersede@99 private@99 processes@20 teardown@99 hole@99 wakeup@99 late@20 surplus@99 sweep@30 sweep@8 mixed@99 deliverer@20 halfdown@99 residue@99") {
		id, step, _ := strings.Cut(at, "@")
		_, r, v := load(t, id)
		n, _ := strconv.Atoi(step)
		if err := r.Jump(min(n, r.Len())); err != nil {
			t.Fatal(err)
		}
		shot(t, id+"-"+step, v, r)
	}
}

func shot(t *testing.T, name string, v *view.View, r *worlds.Run) {
	t.Helper()
	f := v.Frame(r, worlds.Atomic)
	var b strings.Builder
	put := func(parts ...string) {
		for _, p := range parts {
			b.WriteString(p)
		}
	}
	one := map[bool]string{true: " one"}[len(f.Worlds) == 1]
	put(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="style.css"><link rel="stylesheet" href="page.css"></head><body>`,
		`<svg class="only-read" width="0" height="0"><defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-line" d="M2 0V8"/></pattern></defs></svg>`,
		`<div class="page" data-state="running" data-panels="all" data-folds="false"><div class="side"><section class="lesson"><h2>`, name, `</h2></section><section class="explain"><div class="why">`, string(f.Why), `</div></section><section class="rules">`, string(f.Rules), `</section></div>`,
		`<section class="middle"><div class="says"><span class="step-no">`, f.StepNo, `</span><div><p>`, string(f.Says), `</p></div></div><div class="worlds`, one, `">`)
	for _, w := range f.Worlds {
		put(`<section class="world"><div class="world-head"><h2 class="row">`, string(w.Head), `</h2><div>`, string(w.Badge), `</div></div>`,
			`<div class="part" data-panel="registry">`, string(w.Registry), `</div><div class="scene">`, string(w.Scene), `</div><div class="part" data-panel="blobs">`, string(w.Blobs), `</div><div class="part" data-panel="shard">`, string(w.Shard), `</div>`)
		put(`<div class="part" data-panel="sink">`, string(w.Sink), `</div><div class="part" data-panel="reader">`, string(w.Reader), `</div>`)
		put(`</section>`)
	}
	if len(f.Worlds) == 2 {
		put(`<div class="seam">`, string(f.Seam), `</div>`)
	}
	put(`</div></section><section class="threads"><div class="cards">`)
	for _, c := range f.Threads {
		if c.Hidden {
			continue
		}
		if c.Group != "" {
			put(`<h3 class="group">`, c.Group, `</h3>`)
		}
		put(`<article class="thread `, c.State, `"><div class="thread-head">`, string(v.Chip(c.Name)), `<h3>`, c.Title, ` <small>`, string(c.Sub), `</small></h3></div><button class="button act"><span>`, c.Act, `</span><kbd>`, c.Key, `</kbd></button><ol class="program">`, string(c.Program), `</ol><div>`, string(c.Next), `</div></article>`)
	}
	put(`</div></section><section class="time"><div class="strip">`, string(f.Timeline.HTML()), `</div></section></div></body></html>`)
	if err := os.WriteFile(filepath.Join(*shots, name+".html"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
