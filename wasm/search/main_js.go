// Command search is the exhaustive search, for the page to start when it is asked
// for: in a Worker, or, where none can be started, beside the page's own program.
package main

import "syscall/js"

const (
	// sliceTime is how long the search works at a time on the page, in milliseconds.
	sliceTime = 8
	// sliceStates is how many states it expands between looks at the clock.
	sliceStates = 50
)

func main() {
	if js.Global().Get("document").IsUndefined() {
		serveWorker()
	}
	servePage()
}

func now() float64 { return js.Global().Get("performance").Call("now").Float() }

// serveWorker answers the page's messages until the page ends the Worker. While it
// searches it hears nothing, which is why cancelling is ending it.
func serveWorker() {
	post := js.Global().Get("postMessage")
	s := &searcher{now: now, tell: func(m message) { post.Invoke(encode(m)) }}
	hear := js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer s.guard()
		s.hear(args[0].Get("data").String())
		for s.work(1000) {
		}
		return nil
	})
	js.Global().Call("addEventListener", "message", hear)
	post.Invoke("ready")
	select {}
}

// servePage works in slices between the page's events. The page gives the search two
// functions' worth: it leaves sharedBatches.heard for what the search tells, and
// finds sharedBatches.search for what it asks; null ends the search.
func servePage() {
	page := js.Global().Get("sharedBatches")
	heard := page.Get("heard")
	s := &searcher{now: now, tell: func(m message) { heard.Invoke(encode(m)) }}
	channel := js.Global().Get("MessageChannel").New()
	over := make(chan struct{})
	due := func() { channel.Get("port2").Call("postMessage", js.Null()) }
	slice := js.FuncOf(func(js.Value, []js.Value) any {
		defer s.guard()
		for began := now(); s.work(sliceStates); {
			if now()-began > sliceTime || s.answer != nil {
				due()
				break
			}
		}
		return nil
	})
	channel.Get("port1").Set("onmessage", slice)
	hear := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if args[0].IsNull() {
			close(over)
			return nil
		}
		defer s.guard()
		s.hear(args[0].String())
		due()
		return nil
	})
	page.Set("search", hear)
	heard.Invoke("ready")
	<-over
	channel.Get("port1").Call("close")
	slice.Release()
	hear.Release()
}

// guard tells the page of a panic in place of dying of it.
func (s *searcher) guard() {
	switch cause := recover().(type) {
	case nil:
	case error:
		s.tell(&failed{Number: s.ask.Number, Why: cause.Error()})
	case string:
		s.tell(&failed{Number: s.ask.Number, Why: cause})
	default:
		s.tell(&failed{Number: s.ask.Number, Why: "a panic without words"})
	}
}
