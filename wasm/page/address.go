//go:build js

package main

import (
	"strings"
	"syscall/js"
)

// addressPause is the least time between two changes of the address: browsers refuse
// more than a hundred in half a minute.
const addressPause = 350.0 // milliseconds

// address keeps the fragment of the page's address at the moment that is shown.
type address struct {
	shown   string  // as it was last written or read, with "#"
	at      string  // the browser's form of it
	last    float64 // when it was last written
	behind  bool    // a move was made since
	waiting bool
	write   js.Func
}

// read returns the fragment that the address has now, or "".
func (a *address) read() string {
	a.at = hash()
	a.shown = a.at
	return strings.TrimPrefix(a.shown, "#")
}

func (p *page) listenAddress() {
	a := &p.address
	a.write = js.FuncOf(func(js.Value, []js.Value) any {
		a.waiting = false
		p.guard(func() { a.flush(p) })
		return nil
	})
	p.on(js.Global(), "hashchange", func(js.Value) { p.followAddress() })
	p.on(js.Global(), "pagehide", func(js.Value) { a.flush(p) })
}

// followAddress opens what the address asks for, if that is not what was last read or
// written.
func (p *page) followAddress() {
	a := &p.address
	before := a.shown
	switch fragment := a.read(); {
	case before == a.shown:
	case fragment == "" && p.sessions[""] != nil:
		p.openLesson("")
	case fragment == "":
		p.openLesson(p.firstLesson())
	default:
		if err := p.openFragment(fragment); err != nil {
			p.sayLink(err)
		}
	}
}

// hash is the fragment of the browser's address, with "#".
func hash() string { return js.Global().Get("location").Get("hash").String() }

// moved follows a move, at once or when the browser allows it.
func (a *address) moved() {
	a.behind = true
	if a.waiting {
		return
	}
	// Never within the event itself: the picture comes first.
	delay := max(0, a.last+addressPause-now())
	a.waiting = true
	js.Global().Call("setTimeout", a.write, delay)
}

// now is the page's clock in milliseconds.
func now() float64 { return js.Global().Get("performance").Call("now").Float() }

func (a *address) flush(p *page) {
	if !a.behind || p.good == "" || a.shown == "#"+p.good {
		return
	}
	if hash() != a.at {
		return // a link was followed, and hashchange is still to come: it must not be written over
	}
	a.behind = false
	a.last = now()
	a.put("replaceState", p.good)
}

// newEntry makes the present moment a new entry of the browser's history, so that its
// back button leads to the one before.
func (a *address) newEntry(p *page) {
	if a.behind = false; a.shown != "#"+p.good {
		a.last = now()
		a.put("pushState", p.good)
	}
}

func (a *address) put(method, fragment string) {
	// A sandboxed frame or a busy browser may refuse; then the address lags behind,
	// and nothing else depends on it.
	defer func() {
		if refused := recover(); refused != nil {
			if _, ok := refused.(js.Error); !ok {
				panic(refused)
			}
		}
	}()
	js.Global().Get("history").Call(method, js.Null(), "", "#"+fragment)
	a.shown, a.at = "#"+fragment, hash()
}

// link is the whole address of a fragment.
func link(fragment string) string {
	location := js.Global().Get("location")
	whole, _, _ := strings.Cut(location.Get("href").String(), "#")
	return whole + "#" + fragment
}
