//go:build js

package main

import (
	"errors"
	"syscall/js"

	"sharedbatches/core/scenario/compact"
)

// A scenario of the reader's own comes from static/open.js: the compact form that
// data.wasm made of it, and its YAML, by which the data panel names it.

func (p *page) listenOpen() {
	js.Global().Set("sharedBatchesOpen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		why := ""
		p.guard(func() {
			if err := p.openOwn(args[0].String(), args[1].String()); err != nil {
				why = err.Error()
			}
		})
		return why
	}))
}

// openOwn puts it on screen in place of the one before. On an error nothing has changed.
func (p *page) openOwn(text, yaml string) error {
	list, err := compact.Decode(text)
	if err != nil || len(list) != 1 {
		return errors.Join(err, errors.New("open: one scenario is needed"))
	}
	opened, err := open(list[0], nil)
	if err != nil {
		return err
	}
	opened.yaml = yaml
	p.address.flush(p)
	p.sessions[""] = opened
	p.fillMenu()
	p.enter(opened)
	p.address.newEntry(p)
	return nil
}
