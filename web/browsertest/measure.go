//go:build !js

package browsertest

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// call sends one command to the tab and returns its result.
func call[P, R any](p *Page, doing string, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	var result R
	p.do(doing, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		var err error
		result, err = cdp.Call(ctx, target, command, params)
		return err
	}))
	return result
}

// Slow lets the page's scripts, styles and layout take so many times as long. 1 is none.
func (p *Page) Slow(times float64) {
	p.t.Helper()
	call(p, "slowing down", emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
}

// Work is what the page's main thread has done so far, in seconds of its processor's
// time: what other programs take of the machine is not in it.
type Work struct{ All, Script, Style, Layout float64 }

// Less is the work since before.
func (w Work) Less(before Work) Work {
	return Work{w.All - before.All, w.Script - before.Script, w.Style - before.Style, w.Layout - before.Layout}
}

// Work reads the clocks, which the first call starts.
func (p *Page) Work() Work {
	p.t.Helper()
	call(p, "starting the clocks", performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	all := map[string]float64{}
	for _, m := range call(p, "reading the clocks", performance.GetMetrics, cdp.Empty{}).Metrics {
		all[m.Name] = m.Value
	}
	return Work{all["TaskDuration"], all["ScriptDuration"], all["RecalcStyleDuration"], all["LayoutDuration"]}
}

// Memory is what the page's own thread holds, in bytes; its workers are not in it.
type Memory struct {
	Script   float64 // objects of JavaScript
	Document float64 // elements, styles and layout
	Buffers  float64 // array buffers and strings outside
	Wasm     float64 // linear memory of all instances
}

// All is the sum.
func (m Memory) All() float64 { return m.Script + m.Document + m.Buffers + m.Wasm }

// Memory collects garbage and reads what is left.
func (p *Page) Memory() Memory {
	p.t.Helper()
	call(p, "collecting garbage", heapprofiler.CollectGarbage, cdp.Empty{})
	heap := call(p, "reading the heap", runtime.GetHeapUsage, cdp.Empty{})
	const group = "memories"
	prototype := call(p, "looking for memories", runtime.Evaluate, runtime.EvaluateParams{Expression: "WebAssembly.Memory.prototype", ObjectGroup: group})
	found := call(p, "looking for memories", runtime.QueryObjects, runtime.QueryObjectsParams{PrototypeObjectID: prototype.Result.ObjectID, ObjectGroup: group})
	sum := call(p, "adding memories up", runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID:            found.Objects.ObjectID,
		FunctionDeclaration: "function() { return this.reduce((sum, m) => sum + m.buffer.byteLength, 0) }",
		ReturnByValue:       new(true),
	})
	var wasm float64
	if err := json.Unmarshal(sum.Result.Value, &wasm); err != nil {
		p.t.Fatalf("adding memories up: %v", err)
	}
	call(p, "letting go of memories", runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	return Memory{heap.UsedSize, heap.EmbedderHeapUsedSize, heap.BackingStorageSize, wasm}
}

// Processes is what the browser's processes for pages and workers hold of the machine's
// memory of their own, in bytes, or 0 where the system has no /proc.
func (p *Page) Processes() float64 {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionLimit)
	defer cancel()
	all, err := cdp.Call(ctx, chromedp.FromContext(p.ctx).Browser, systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		p.t.Fatalf("asking for the processes: %v", err)
	}
	sum := 0.0
	for _, process := range all.ProcessInfo {
		if process.Type != "renderer" {
			continue
		}
		status, err := os.ReadFile("/proc/" + strconv.FormatInt(int64(process.ID), 10) + "/status")
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
				kilobytes, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
				sum += kilobytes * 1024
			}
		}
	}
	return sum
}
