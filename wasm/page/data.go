//go:build js

package main

import (
	"strconv"
	"syscall/js"

	"sharedbatches/core/schedule"
)

// The data panel is static/data.js, and what it shows is answered by data.wasm. This
// program only tells it which moment is on screen.

// listenData lets the panel ask for the moment.
func (p *page) listenData() {
	js.Global().Set("sharedBatchesMoment", js.FuncOf(func(js.Value, []js.Value) any { return p.moment() }))
}

// tellData says that another moment is on screen.
func (p *page) tellData() {
	if tell := js.Global().Get("sharedBatchesChanged"); tell.Truthy() {
		tell.Invoke()
	}
}

// moment is what requests to data.wasm name, as package ask documents them, and the
// names that the panel chooses from.
func (p *page) moment() any {
	if p.now == nil {
		return nil
	}
	s, run := &p.now.lesson, p.now.run
	rules, names, sinks := map[string]any{}, []any{}, []any{}
	for _, r := range p.now.rules {
		rules[r.Key] = r.Value
	}
	for _, name := range run.Names {
		names = append(names, name)
	}
	for _, k := range s.Setup.Sinks {
		sinks = append(sinks, string(rune(k.Name)))
	}
	reader, _ := s.ReaderSink()
	asOf := ""
	if len(s.Reader.AsOf) > 0 {
		asOf = strconv.FormatInt(s.Reader.AsOf[0], 10)
	}
	return map[string]any{
		"scenario": s.ID, "yaml": p.now.yaml, "rules": rules, "schedule": schedule.Print(run.Letters()), "cursor": run.Cursor(),
		"worlds": names, "sinks": sinks, "sink": sinks[reader], "asOf": asOf,
	}
}
