//go:build js

package main

import "syscall/js"

// pageStates is the limit of states where the search runs on the page: reading the
// answer of more would make the page wait.
const pageStates = 100_000

// host runs the search for the page: search.wasm, which boot.js fetches and compiles
// once, when it is first asked for, in a Worker or, where none can be started, on the
// page, where it works in slices between events.
type host struct {
	p    *page
	hear func(message)

	barred bool // no Worker can be started here
	worker js.Value
	ready  bool
	asked  []string // messages for a Worker that is not ready; kept until it is, for the slices

	here bool // it has been started on the page

	onMessage, onError, onModule, onFailure, onHeard js.Func
}

func newHost(p *page, hear func(message)) *host {
	h := &host{p: p, hear: hear, worker: js.Null()}
	guarded := func(do func(event js.Value)) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			p.guard(func() { do(args[0]) })
			return nil
		})
	}
	h.onMessage = guarded(func(event js.Value) {
		if event.Get("target").Equal(h.worker) {
			h.heard(event.Get("data").String())
		}
	})
	h.onError = guarded(func(event js.Value) {
		if event.Get("target").Equal(h.worker) {
			event.Call("preventDefault")
			h.broke()
		}
	})
	h.onModule = guarded(func(module js.Value) {
		if !h.worker.IsNull() {
			h.worker.Call("postMessage", module)
		}
	})
	h.onFailure = guarded(func(cause js.Value) {
		h.end()
		h.hear(&failed{Number: -1, Why: "the search could not be loaded (" + cause.Get("message").String() + "): check the connection and run it again"})
	})
	h.onHeard = guarded(func(text js.Value) {
		if h.here {
			h.heard(text.String())
		}
	})
	return h
}

// send passes a message to the search, which is started if there is none.
func (h *host) send(m message) {
	text := encode(m)
	switch h.start(); {
	case !h.ready:
		h.asked = append(h.asked, text)
	case h.here:
		boot().Call("search", text)
	default:
		h.worker.Call("postMessage", text)
	}
}

// boot is what boot.js has left for the page.
func boot() js.Value { return js.Global().Get("sharedBatches") }

// start starts the search, if there is none: in a Worker if that is possible.
func (h *host) start() {
	if h.here || !h.worker.IsNull() {
		return
	}
	class := js.Global().Get("Worker")
	if h.barred = h.barred || !class.Truthy(); h.barred {
		h.startHere()
		return
	}
	defer func() {
		if refused := recover(); refused != nil {
			if _, ok := refused.(js.Error); !ok {
				panic(refused)
			}
			h.barred = true
			h.end()
			h.startHere()
		}
	}()
	h.worker = class.New(boot().Get("base").String() + "worker.js")
	h.worker.Call("addEventListener", "message", h.onMessage)
	h.worker.Call("addEventListener", "error", h.onError)
	h.worker.Call("addEventListener", "messageerror", h.onError)
	boot().Call("searchModule").Call("then", h.onModule, h.onFailure)
}

// startHere starts the search as a second program on the page.
func (h *host) startHere() {
	h.here = true
	boot().Set("heard", h.onHeard)
	boot().Call("searchHere").Call("catch", h.onFailure)
}

func (h *host) heard(text string) {
	switch text {
	case "ready":
		h.ready = true
		asked := h.asked
		h.asked = nil
		for _, text := range asked {
			if h.here {
				boot().Call("search", text)
			} else {
				h.worker.Call("postMessage", text)
			}
		}
	case "ended":
		h.broke()
	default:
		m, err := decode(text)
		if err != nil {
			panic(err)
		}
		h.hear(m)
	}
}

// broke goes on without a Worker if it never came to life; one that did had an
// accident, such as no more memory.
func (h *host) broke() {
	alive, asked := h.ready, h.asked
	h.end()
	if alive {
		h.hear(&failed{Number: -1, Why: "the search stopped: the browser gave it no more memory"})
		return
	}
	h.barred, h.asked = true, asked
	h.startHere()
}

// end ends the search and gives its memory back.
func (h *host) end() {
	if !h.worker.IsNull() {
		h.worker.Call("terminate")
	}
	if h.here && h.ready {
		boot().Call("search", js.Null())
	}
	h.worker, h.ready, h.here, h.asked = js.Null(), false, false, nil
}
