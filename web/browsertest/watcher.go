//go:build !js

package browsertest

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// watcher keeps what a tab and its Web Workers write to the console and ask for.
type watcher struct {
	mu       sync.Mutex
	messages []string
	requests []string
	foreign  []string
	workers  []chan struct{}           // each closed when the watcher listens to that worker
	alive    map[target.SessionID]bool // workers that the browser has not ended
	ctx      context.Context           // of the tab; nil until it is open
}

func newWatcher() *watcher { return &watcher{alive: map[target.SessionID]bool{}} }

// follow lets the watcher attach to the workers that the tab starts.
func (w *watcher) follow(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ctx = ctx
}

// see takes one event. The tab calls it before it reads the next message of the
// browser, so what happened before the reply to a command is known when the
// command returns.
func (w *watcher) see(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		w.message(string(e.Type), arguments(e.Args))
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + value(e.ExceptionDetails.Exception)
		}
		w.message("exception", text)
	case *log.EventEntryAdded:
		w.message(string(e.Entry.Level), strings.TrimSpace(e.Entry.Text+" "+e.Entry.URL))
	case *network.EventRequestWillBeSent:
		w.request(e.Request.URL)
	case *network.EventWebSocketCreated:
		w.request(e.URL)
	case *network.EventWebTransportCreated:
		w.request(e.URL)
	case *target.EventAttachedToTarget:
		w.worker(e.TargetInfo, e.SessionID)
	case *target.EventDetachedFromTarget:
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.alive, e.SessionID)
	}
}

// worker listens to a Web Worker too. The browser repeats there what the worker
// wrote before.
func (w *watcher) worker(info *target.Info, session target.SessionID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx == nil || !strings.Contains(info.Type, "worker") {
		return
	}
	w.alive[session] = true
	ctx, _ := chromedp.NewContext(w.ctx, chromedp.WithTargetID(info.TargetID), chromedp.WithDetachOnCancel(), chromedp.WithListener(w.see))
	attached := make(chan struct{})
	w.workers = append(w.workers, attached)
	go func() { // see must not wait for the browser
		defer close(attached)
		// It fails when the worker has already ended; then nothing is left to hear.
		_ = chromedp.Do(ctx)
	}()
}

func (w *watcher) message(kind, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages = append(w.messages, kind+": "+text)
}

func (w *watcher) request(address string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests = append(w.requests, address)
	if !local(address) {
		w.foreign = append(w.foreign, address)
	}
}

// local reports whether the address stays on this machine.
func local(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "about", "blob", "data":
		return true
	case "http", "https", "ws", "wss":
		ip := net.ParseIP(u.Hostname())
		return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	}
	return false
}

func (w *watcher) console() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.messages)
}

func (w *watcher) takeConsole() []string {
	w.mu.Lock()
	workers := slices.Clone(w.workers)
	w.mu.Unlock()
	for _, attached := range workers {
		<-attached
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.messages
	w.messages = nil
	return taken
}

func (w *watcher) requested() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.requests)
}

func (w *watcher) living() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.alive)
}

func (w *watcher) takeForeign() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.foreign
	w.foreign = nil
	return taken
}

func arguments(objects []*runtime.RemoteObject) string {
	var texts []string
	for _, object := range objects {
		texts = append(texts, value(object))
	}
	return strings.Join(texts, " ")
}

// value renders one value as the console does, briefly.
func value(object *runtime.RemoteObject) string {
	var text string
	if json.Unmarshal(object.Value, &text) == nil {
		return text
	}
	if len(object.Value) > 0 {
		return string(object.Value)
	}
	if object.Description != "" {
		return object.Description
	}
	return string(object.Type)
}
