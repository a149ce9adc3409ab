//go:build !js

package main

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"sharedbatches/core/part"
	"sharedbatches/core/part/row"
	"sharedbatches/web/browsertest"
)

// opened waits until the data panel shows what was asked for.
func opened(p *browsertest.Page, title string) {
	p.WaitFor(`document.getElementById("data").dataset.program === "ready"`)
	p.WaitText("#data-title", title)
}

// cells are the cells of the last table of an element, row by row.
func cells(p *browsertest.Page, css string) [][]string {
	return browsertest.Eval[[][]string](p, fmt.Sprintf(
		`[...[...document.querySelectorAll(%q)].pop().tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent))`, css))
}

// button presses the button of the data panel with that text.
func press(p *browsertest.Page, text string) {
	p.WaitFor(fmt.Sprintf(`[...document.querySelectorAll("#data button")].some(b => b.textContent === %q && b.checkVisibility())`, text))
	do(p, fmt.Sprintf(`[...document.querySelectorAll("#data button")].find(b => b.textContent === %q && b.checkVisibility()).click()`, text))
}

func asked(p *browsertest.Page, name string) (n int) {
	for _, address := range p.Requests() {
		if strings.HasPrefix(strings.TrimPrefix(address, "/"), name) {
			n++
		}
	}
	return n
}

// all pages through a table of the panel.
func all(p *browsertest.Page, css, what string) (list [][]string) {
	for {
		list = append(list, cells(p, css)...)
		if browsertest.Eval[bool](p, `(b => !b || b.getAttribute("aria-disabled") === "true")([...document.querySelectorAll("#data button")].find(b => b.textContent === "Next 50" && b.checkVisibility()))`) {
			return list
		}
		press(p, "Next 50")
		p.WaitFor(fmt.Sprintf(`[...document.querySelectorAll("#data .pager [role=status]")].some(e => e.textContent.startsWith("%s %d to"))`, what, len(list)+1))
	}
}

// TestLeakedBlob opens the leaked object of the key scenario: it holds exactly the
// rows that the view lacks AS OF 1500, cell by cell.
func TestLeakedBlob(t *testing.T) {
	p := visit(t, keyRun)
	p.Press("End")
	p.WaitText("#step-no", "step 54")
	p.Click("#unfold")
	if n := asked(p, "data.wasm"); n != 0 {
		t.Errorf("data.wasm was asked for %d times before anything was opened", n)
	}
	p.Click(`#world-0-blobs .object.leak`)
	opened(p, "sY/wa/p1")
	says := strings.Join(p.Texts("#data .about p"), " ")
	contains(t, "the leaked object", says, "leaked since step 12", "step 8, A got None", "step 9", "All 512 rows", "part 0, written by A", "changes at 1500")
	facts := p.Text("#data .facts")
	contains(t, "the facts", squeeze(facts), "updates 512", "goodbytes 14,256", "17,498 bytes", "struct<bucket: utf8")
	contains(t, "the schema", squeeze(p.Texts("#data .rows-table")[0]), "bucket string no", "diff int64 no")
	retracted, inserted := map[string]string{}, map[string]string{}
	for _, c := range all(p, "#data .rows-table", "rows") {
		if c[2] != "1500" {
			t.Fatalf("row %q", c)
		}
		if c[3] == "1" {
			inserted[c[0]] = c[1]
		} else {
			retracted[c[0]] = c[1]
		}
	}
	if len(inserted) != 256 || len(retracted) != 256 {
		t.Fatalf("it inserts %d rows and retracts %d, want 256 each", len(inserted), len(retracted))
	}
	press(p, "Read AS OF")
	p.WaitText("#data-title", "Reading view Y")
	p.WaitFor(`document.querySelectorAll(".data-world h3 + .tone").length === 2`)
	contains(t, "upgrade's read", p.Texts(".data-world h3 + .tone")[0], "AS OF 1500", "wrong in 256 of 256", "from 2000 on", "right again")
	contains(t, "strong_count's read", p.Texts(".data-world h3 + .tone")[1], "right in all 256")
	do(p, `document.querySelector("#data .controls input[type=checkbox]").click()`)
	p.WaitFor(`document.querySelector(".data-world").textContent.includes("only what differs")`)
	wrong := all(p, `.data-world[data-of="0"] .rows-table`, "buckets")
	for _, c := range wrong {
		if retracted[c[0]] != c[1] || inserted[c[0]] != c[2] || c[3] != "✗ "+c[1]+" in place of "+c[2] {
			t.Errorf("AS OF 1500 %q; the object retracts %s and inserts %s", c, retracted[c[0]], inserted[c[0]])
		}
	}
	if len(wrong) != 256 {
		t.Errorf("%d buckets are wrong, want the object's 256", len(wrong))
	}
	p.Axe()
}

// TestDownload holds that a download is what core/part reads, under the page's policy.
func TestDownload(t *testing.T) {
	p := visit(t, keyRun)
	p.Press("End")
	p.Click("#data-open")
	opened(p, "Data at step 54")
	// What is saved is taken at the door: the name and the bytes of the link that is clicked.
	do(p, `window.saved = []; const made = URL.createObjectURL; URL.createObjectURL = blob => { saved.push(blob); return made.call(URL, blob); };
		window.names = []; HTMLAnchorElement.prototype.click = new Proxy(HTMLAnchorElement.prototype.click ?? HTMLElement.prototype.click, {apply(f, a, args) { names.push(a.download); return Reflect.apply(f, a, args); }})`)
	press(p, "sY/wa/p1512 updates, leaked")
	opened(p, "sY/wa/p1")
	press(p, "Download sY-wa-p1.arrow")
	p.WaitFor(`window.saved.length === 1`)
	text := browsertest.Eval[string](p, `saved[0].arrayBuffer().then(b => btoa(String.fromCharCode(...new Uint8Array(b))))`)
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(file) != 17498 {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	made, err := part.Decode(part.NewAllocator(), row.View, file)
	if err != nil {
		t.Fatal(err)
	}
	if u := made.Update(0); made.Len() != 512 || u.Row[0].Text() != "7" || u.Row[1].Int() != 5 || u.Time != 1500 || u.Diff != -1 {
		t.Errorf("%d updates, the first is %v", made.Len(), u)
	}
	made.Release()
	press(p, "Trace as JSON")
	p.WaitFor(`window.saved.length === 2`)
	type trace struct {
		Steps []struct {
			Step   int
			Thread string
			Worlds []struct {
				World, Label string
				Changed      []string
			}
		}
	}
	got := browsertest.Eval[trace](p, `saved[1].text().then(JSON.parse)`)
	if len(got.Steps) != 54 || got.Steps[7].Thread != "A" || len(got.Steps[7].Worlds[0].Changed) == 0 {
		t.Errorf("the trace has %d steps: %+v", len(got.Steps), got.Steps[7])
	}
	if got := browsertest.Eval[string](p, `names.join()`); got != "sY-wa-p1.arrow,sweep-trace.json" {
		t.Errorf("saved as %s", got)
	}
}

// TestDataByKeys opens, reads and closes with keys alone, and steps meanwhile.
func TestDataByKeys(t *testing.T) {
	p := visit(t, keyRun)
	do(p, `document.getElementById("data-open").focus()`)
	p.Press("Enter")
	opened(p, "Data at step")
	p.WaitFor(`document.activeElement.id === "data-title"`)
	// The panel follows the run.
	p.Press("Home", "ArrowRight")
	p.WaitText("#data-title", "Data at step 1")
	p.Press("End")
	p.WaitText("#data-title", "Data at step 54")
	press(p, "Read AS OF")
	p.WaitFor(`document.querySelectorAll(".data-world h3 + .tone").length === 2`)
	do(p, `document.querySelector("#data .controls .entry-text").focus(); document.querySelector("#data .controls .entry-text").select()`)
	p.Type("2999")
	p.WaitFor(`document.querySelector(".data-world .tone").textContent.includes("AS OF 2999 is answered, and right")`)
	do(p, `document.querySelector("#data .slider").focus()`)
	p.Press("ArrowRight")
	p.WaitFor(`document.querySelector(".data-world .tone").textContent.includes("AS OF 3000 waits")`)
	if got := browsertest.Eval[string](p, `document.activeElement.type`); got != "range" {
		t.Errorf("the focus is on %s, want the slider", got)
	}
	press(p, "◂ change")
	p.WaitFor(`document.querySelector(".data-world .tone").textContent.includes("AS OF 2000")`)
	spans := strings.Join(p.Texts(`.data-world[data-of="0"] .spans li`), "; ")
	contains(t, "the strip", spans, "1500 to 1999: wrong", "2000 to 2999: right", "3000 on: a read waits")
	press(p, "SUBSCRIBE")
	p.WaitFor(`document.querySelectorAll(".data-world .messages").length === 2`)
	do(p, `document.querySelector("#data .controls .entry-text").focus(); document.querySelector("#data .controls .entry-text").select()`)
	p.Type("1000")
	p.WaitFor(`document.querySelector(".data-world").textContent.includes("snapshot 1000")`)
	messages := squeeze(strings.Join(p.Texts(`.data-world[data-of="0"] .messages > li > p`), "; "))
	contains(t, "what a consumer got", messages, "snapshot 1000 the content AS OF 1000: 256 rows", "progress 2000 no more changes below 2000", "diffs 2000 ✗ late 512 changes, late: they happened at 1500")
	second := squeeze(p.Texts(`.data-world[data-of="0"] .rows-table`)[len(p.Texts(`.data-world[data-of="0"] .rows-table`))-1])
	contains(t, "the second view", second, "1500 ✗ wrong", "2000 ✓ right")
	p.Axe()
	p.Press("Escape")
	p.WaitFor(`document.getElementById("data").hidden && document.activeElement.id === "data-open"`)
}

// TestDataOpens opens what hangs in the drawing: a queued push, and a batch.
func TestDataOpens(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B3@7")
	click := func(css string) {
		t.Helper()
		do(p, fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new MouseEvent("click", {bubbles: true}))`, css))
	}
	click(`#world-0-scene [data-open^="slot:"]`)
	opened(p, "Part 0 in slot 0 of Ka at step 7, upgrade")
	click(`#world-1-scene [data-open^="crate:"] rect`)
	opened(p, "The batch of Ka for Y1 at step 7, strong_count")
	click(`#world-1-shard .truth code`)
	opened(p, "Reading view Y")
	p.WaitFor(`document.querySelectorAll(".data-world h3 + .tone.waits").length === 2`)
}

// TestDataBeside holds that the drawings and what steps them stay in view while the data
// are read, in a large window; on a phone the dock and the way back do.
func TestDataBeside(t *testing.T) {
	p := visit(t, keyRun)
	p.Press("End")
	seen := func(list ...string) {
		t.Helper()
		for _, css := range list {
			if !browsertest.Eval[bool](p, fmt.Sprintf(`(e => { const r = e.getBoundingClientRect(), at = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
				return r.top >= 0 && r.bottom <= innerHeight && e.contains(at); })(document.querySelector(%q))`, css)) {
				t.Errorf("%s is not in view", css)
			}
		}
	}
	p.Click("#data-open")
	opened(p, "Data at step 54")
	seen("#says", "#world-0-scene svg.hang", "#world-1-scene svg.hang", "#back", "#play", "#data-title", "#data-close")
	do(p, `document.getElementById("data").scrollTop = 1e6; scrollTo(0, 1e6)`)
	seen("#world-0-scene svg.hang", "#world-1-scene svg.hang", "#back", "#data-close")
	p.Click("#back")
	opened(p, "Data at step 53")
	p.Click("#data-close")
	p.WaitFor(`document.getElementById("slider").checkVisibility()`)
	p.Viewport(390, 844)
	p.Click(reach(p, "#data-open"))
	opened(p, "Data at step 53")
	do(p, `scrollTo(0, 1e6)`)
	seen("#data-close", "#dock-back", "#dock-play")
	p.Click("#data-close")
	p.WaitFor(`!document.getElementById("data").checkVisibility() && document.getElementById("data-open").getBoundingClientRect().bottom < innerHeight`)
}

// TestDataFails holds that the page steps on when data.wasm cannot be had, and that
// trying again helps once it can.
func TestDataFails(t *testing.T) {
	p := visit(t, keyRun)
	do(p, `window.real = fetch; window.fetch = async () => { throw new TypeError("Failed to fetch"); }`)
	p.Click("#data-open")
	p.WaitText("#data .data-loading", "could not be fetched")
	contains(t, "the failure", p.Text("#data .data-loading"), "Try again", "Stepping goes on")
	p.Press("Home", "ArrowRight", "ArrowRight")
	p.WaitText("#step-no", "step 2")
	// Cut short, it does not compile.
	do(p, `window.fetch = async (...a) => { const r = await real(...a); return new Response((await r.arrayBuffer()).slice(0, 1e6)); }`)
	press(p, "Try again")
	p.WaitText("#data .data-loading", "incomplete or damaged")
	do(p, `window.fetch = async () => new Response("", {status: 503})`)
	press(p, "Try again")
	p.WaitText("#data .data-loading", "503")
	do(p, `window.fetch = real; window.compile = WebAssembly.compileStreaming; WebAssembly.compileStreaming = async () => { throw new RangeError("out of memory"); }`)
	press(p, "Try again")
	p.WaitText("#data .data-loading", "no memory left")
	do(p, `WebAssembly.compileStreaming = compile`)
	// Stopped by the reader.
	do(p, `window.fetch = (url, {signal}) => new Promise((_, no) => signal.addEventListener("abort", () => no(signal.reason)))`)
	press(p, "Try again")
	press(p, "Stop")
	p.WaitText("#data .data-loading", "Loading was stopped")
	do(p, `window.fetch = real`)
	press(p, "Try again")
	opened(p, "Data at step 2")
	p.Press("ArrowRight")
	p.WaitText("#data-title", "Data at step 3")
}

// TestDataWithoutWorker falls back to the page where no Worker can be had.
func TestDataWithoutWorker(t *testing.T) {
	p := visit(t, keyRun)
	do(p, `window.Worker = class { constructor() { throw new DOMException("no", "SecurityError"); } }`)
	p.Click("#data-open")
	opened(p, "Data at step")
	press(p, "Part 0 of A"+p.Text("#data .items:last-of-type li:first-child span"))
	opened(p, "Part 0 at step")
}

// TestDataIsText holds that markup in an answer makes no element.
func TestDataIsText(t *testing.T) {
	p := visit(t, keyRun)
	do(p, `window.Worker = class { constructor() { throw new DOMException("no", "SecurityError"); } }`)
	p.Click("#data-open")
	opened(p, "Data at step")
	do(p, `const rows = sharedBatchesData.rows; const evil = "<img src=x><b>&amp;";
		const spoil = v => typeof v === "string" ? v + evil : Array.isArray(v) ? v.map(spoil) : v && typeof v === "object" ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, k === "open" ? x : spoil(x)])) : v;
		sharedBatchesData.rows = q => JSON.stringify(spoil(JSON.parse(rows(q))))`)
	for _, view := range []string{"Contents", "Read AS OF", "SUBSCRIBE"} {
		press(p, view)
		p.WaitFor(`document.querySelector("#data .data-body").textContent.includes("<img src=x>")`)
	}
	press(p, "Contents")
	p.WaitFor(`document.querySelector("#data .item")`)
	do(p, `document.querySelector("#data .item").click()`)
	p.WaitFor(`document.querySelector("#data .facts")?.textContent.includes("<img src=x>")`)
	if n := browsertest.Eval[int](p, `document.querySelectorAll("#data img").length`); n != 0 {
		t.Errorf("markup in data made %d elements", n)
	}
}

// TestDataPrefetch waits without a step until data.wasm is fetched in advance; a
// reader who saves data is spared.
func TestDataPrefetch(t *testing.T) {
	p := visit(t, "/")
	do(p, `Object.defineProperty(navigator, "connection", {value: {saveData: true}, configurable: true})`)
	p.Press("b")
	p.WaitText("#step-no", "step 7")
	do(p, `await new Promise(done => setTimeout(done, 4000))`)
	if asked(p, "data.wasm") != 0 {
		t.Error("data.wasm was fetched in spite of Save-Data")
	}
	do(p, `delete navigator.connection`)
	p.Press("a")
	p.WaitFor(`document.getElementById("data").dataset.program === "ready"`)
	p.Click("#data-open")
	p.WaitText("#data", "prefetched")
}

// TestDataBar holds that the bar's guess of data.wasm's length is near the truth.
func TestDataBar(t *testing.T) {
	info, err := fs.Stat(browsertest.Dist(t), "data.wasm")
	if err != nil {
		t.Fatal(err)
	}
	const about = 13.1e6 // aboutBytes of static/data.js
	if size := float64(info.Size()); size < 0.85*about || size > 1.15*about {
		t.Errorf("data.wasm has %.0f bytes; static/data.js says about %.0f", size, about)
	}
}

// TestDataLooks visits the panel's views in every size and theme.
func TestDataLooks(t *testing.T) {
	p := visit(t, keyRun)
	p.Press("End")
	p.Click("#data-open")
	opened(p, "Data at step 54")
	views := []struct {
		name string
		open func()
	}{
		{"contents", func() {}},
		{"blob", func() { press(p, "sY/wa/p1512 updates, leaked"); opened(p, "sY/wa/p1") }},
		{"read", func() {
			press(p, "Read AS OF")
			p.WaitFor(`document.querySelectorAll(".data-world h3 + .tone").length === 2`)
		}},
		{"subscribe", func() {
			press(p, "SUBSCRIBE")
			p.WaitFor(`document.querySelectorAll(".data-world .messages").length === 2`)
		}},
	}
	for _, v := range views {
		v.open()
		for _, theme := range []string{"light", "dark"} {
			p.Theme(theme)
			for _, s := range sizes {
				p.Viewport(s.width, s.height)
				do(p, `document.getElementById("data").scrollIntoView({block: "start", behavior: "instant"})`)
				if n, culprit := p.SidewaysOverflow(); n > 0 {
					t.Errorf("%s, %d pixels wide, %s: the page is %d pixels too wide: %s", v.name, s.width, theme, n, culprit)
				}
				p.Screenshot(fmt.Sprintf("data-%s-%d-%s", v.name, s.width, theme))
				if s.width == 1440 || s.width == 390 && theme == "light" {
					p.Axe()
				}
			}
		}
		p.Viewport(1440, 900)
	}
}

// BenchmarkDataOpen opens a blob again and again, as a learner does after the first.
func BenchmarkDataOpen(b *testing.B) {
	p := visit(b, keyRun)
	p.Press("End")
	p.Click("#data-open")
	opened(p, "Data at step 54")
	ms := browsertest.Eval[[]float64](p, `(async () => {
		const took = [];
		for (let i = 0; i < 50; i++) {
			const from = performance.now();
			const button = document.querySelectorAll('#world-0-blobs [data-open^="blob:"]')[i % 3];
			button.dispatchEvent(new MouseEvent("click", {bubbles: true}));
			while (!document.getElementById("data-title").textContent.includes(button.dataset.open.slice(5))) await new Promise(done => setTimeout(done, 0));
			took.push(performance.now() - from);
		}
		return took.sort((a, b) => a - b);
	})()`)
	b.ReportMetric(ms[25], "p50-ms")
	b.ReportMetric(ms[47], "p95-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkDataFirst opens the first blob on a page that has not fetched data.wasm yet,
// over 10 Mbit/s.
func BenchmarkDataFirst(b *testing.B) {
	total, n := 0.0, 0
	for b.Loop() {
		p := visit(b, keyRun)
		p.Press("End")
		p.WaitText("#step-no", "step 54")
		p.Throttle(10, 20*time.Millisecond)
		total += browsertest.Eval[float64](p, `(async () => {
			const from = performance.now();
			document.querySelector('#world-0-blobs [data-open^="blob:"]').dispatchEvent(new MouseEvent("click", {bubbles: true}));
			while (!document.getElementById("data-title").textContent.includes("Object")) await new Promise(done => setTimeout(done, 0));
			return performance.now() - from;
		})()`)
		n++
	}
	b.ReportMetric(total/float64(n), "ms/first")
	b.ReportMetric(0, "ns/op")
}
