//go:build !js

package browsertest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Script sets whether the scripts of pages run, from the next page on. What the test
// itself evaluates always does.
func (p *Page) Script(on bool) {
	p.t.Helper()
	p.do("switching script", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
		return err
	}))
}

// Throttle limits the network to megabits a second, each answer with a latency.
func (p *Page) Throttle(megabits float64, latency time.Duration) {
	p.t.Helper()
	p.do("throttling", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		// Chromium 148 and before want offline beside the rules, later ones in each rule.
		type params struct {
			network.EmulateNetworkConditionsByRuleParams
			Offline bool `json:"offline"`
		}
		var p params
		p.MatchedNetworkConditions = []*network.Conditions{{
			Latency: float64(latency.Milliseconds()), DownloadThroughput: megabits * 1e6 / 8, UploadThroughput: megabits * 1e6 / 8,
		}}
		return target.Call(ctx, network.CommandEmulateNetworkConditionsByRule, p, nil)
	}))
}

// ClickIn clicks the middle of the element inside a frame of the page. Nothing scrolls.
func (p *Page) ClickIn(frame, css string) {
	p.t.Helper()
	var at reached
	p.wait(func() bool {
		at = Eval[reached](p, fmt.Sprintf(`((frame, css) => {
			const f = document.querySelector(frame), e = f.contentDocument && f.contentDocument.querySelector(css);
			if (!e || e.getAttribute("aria-disabled") === "true") return {Reason: "there is none, or it is disabled"};
			const a = f.getBoundingClientRect(), b = e.getBoundingClientRect();
			const x = b.left + b.width / 2, y = b.top + b.height / 2, top = f.contentDocument.elementFromPoint(x, y);
			if (!top || !e.contains(top)) return {Reason: "it is covered"};
			return {X: a.left + f.clientLeft + x, Y: a.top + f.clientTop + y, Reason: ""};
		})(%q, %q)`, frame, css))
		return at.Reason == ""
	}, func() string { return "clicking " + css + " in " + frame + ": " + at.Reason })
	p.ClickAt(at.X, at.Y)
}

// ClickAt clicks a place of the window, whatever is there.
func (p *Page) ClickAt(x, y float64) {
	p.t.Helper()
	p.do("clicking", chromedp.MouseClickXY(x, y))
}

// Frame returns the frame whose address contains part, as a page of its own. The
// browser runs it apart from the page around it, which cannot look into it.
func (p *Page) Frame(part string) *Page {
	p.t.Helper()
	frame := &Page{URL: p.URL, t: p.t, watch: p.watch}
	p.wait(func() bool {
		targets, err := chromedp.Targets(p.ctx)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, info := range targets {
			if info.Type == "iframe" && strings.Contains(info.URL, part) {
				ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID), chromedp.WithDetachOnCancel(), chromedp.WithListener(p.watch.see))
				p.t.Cleanup(cancel)
				frame.ctx = ctx
				return true
			}
		}
		return false
	}, func() string { return "looking for a frame with " + part })
	if err := chromedp.Do(frame.ctx); err != nil {
		p.t.Fatalf("attaching to the frame with %s: %v", part, err)
	}
	return frame
}
