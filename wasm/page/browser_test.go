//go:build !js

package main

import (
	"fmt"
	"strings"
	"testing"

	"sharedbatches/web/browsertest"
)

// world returns the text of one world's part, with every gap one blank.
func world(p *browsertest.Page, i int, part string) string {
	return squeeze(browsertest.Eval[string](p, fmt.Sprintf(`document.getElementById("world-%d-%s").innerText`, i, part)))
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// drawing returns what a screen reader says of a world's drawing.
func drawing(p *browsertest.Page, i int) string {
	return browsertest.Eval[string](p, fmt.Sprintf(`document.querySelector("#world-%d-scene svg").getAttribute("aria-label")`, i))
}

func contains(t *testing.T, what, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(w)) {
			t.Errorf("%s: %q does not say %q", what, text, w)
		}
	}
}

func lacks(t *testing.T, what, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(strings.ToLower(text), strings.ToLower(w)) {
			t.Errorf("%s: %q says %q", what, text, w)
		}
	}
}

// atOrphan checks what a person reads three steps after load: in the world of upgrade
// A was told None and the batch is orphaned, in the other A has the batch.
func atOrphan(t *testing.T, p *browsertest.Page) {
	t.Helper()
	p.WaitText("#step-no", "step 9")
	if got := p.Text("#schedule"); got != "A4 B3 A B" {
		t.Errorf("the schedule is %q", got)
	}
	contains(t, "upgrade's badge", world(p, 0, "badge"), "orphan")
	lacks(t, "strong_count's badge", world(p, 1, "badge"), "orphan", "None")
	contains(t, "strong_count's badge", world(p, 1, "badge"), "A ")
	contains(t, "upgrade's drawing", drawing(p, 0), "no holder")
	lacks(t, "strong_count's drawing", drawing(p, 1), "no holder")
	contains(t, "the seam", p.Text("#seam"), "7")
}

func TestOrphanByKeys(t *testing.T) {
	p := visit(t, "/")
	p.WaitText("#step-no", "step 6")
	if got := browsertest.Eval[string](p, `document.activeElement.tagName`); got != "BODY" {
		t.Errorf("on load the focus is on %s; nothing should have it", got)
	}
	p.Press("b", "a")
	p.WaitText("#step-no", "step 8")
	contains(t, "the narration of step 8", p.Text("#says"), "None", "strong_count")
	contains(t, "the announcement of step 8", browsertest.Eval[string](p, `document.getElementById("broken").textContent`), "Broken now, upgrade", "delivered")
	contains(t, "the explanation of None", p.Text("#why"), "nobody")
	p.Press("b")
	atOrphan(t, p)
}

// TestOrphanByClicks presses the one button that is suggested, three times.
func TestOrphanByClicks(t *testing.T) {
	p := visit(t, "/")
	for _, want := range []string{"step 7", "step 8", "step 9"} {
		p.Click("#suggest")
		p.WaitText("#step-no", want)
	}
	atOrphan(t, p)
}

// TestOrphanOnCards presses the Step buttons of the cards; the button keeps the focus.
func TestOrphanOnCards(t *testing.T) {
	p := visit(t, "/")
	for _, name := range []string{"B", "A", "B"} {
		p.Click("#step-" + name)
	}
	atOrphan(t, p)
	if got := browsertest.Eval[string](p, `document.activeElement.id`); got != "step-B" {
		t.Errorf("the focus is on %q, want step-B", got)
	}
	p.Press("Enter")
	p.WaitText("#step-no", "step 10")
}

// TestReader plays the key scenario to the sealed hole and to its end, and reads what a
// reader of the view gets in both worlds.
func TestReader(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@30")
	p.WaitText("#step-no", "step 30")
	row := func(i int, asOf string) string {
		return squeeze(browsertest.Eval[string](p, fmt.Sprintf(
			`[...document.querySelectorAll("#world-%d-shard tr")].map(r => r.innerText).find(r => r.includes(%q)) || ""`, i, asOf)))
	}
	contains(t, "upgrade, AS OF 1500 at step 30", row(0, "1500"), "5", "6")
	contains(t, "strong_count, AS OF 1500 at step 30", row(1, "1500"), "6")
	lacks(t, "strong_count, AS OF 1500 at step 30", row(1, "AS OF 1500")[len("AS OF 1500"):], "5")
	p.Press("End")
	p.WaitText("#step-no", "step 54")
	lacks(t, "upgrade, AS OF 2000 at step 54", strings.TrimPrefix(row(0, "2000"), "AS OF 2000"), "5", "waits")
	contains(t, "upgrade, AS OF 2000 at step 54", row(0, "2000"), "6")
	contains(t, "upgrade, AS OF 1500 at step 54", row(0, "1500"), "5", "6")
	p.Click("#unfold")
	contains(t, "upgrade's blobs", world(p, 0, "blobs"), "leaked")
	lacks(t, "strong_count's blobs", world(p, 1, "blobs"), "leaked")
	rules := p.Text("#rules")
	contains(t, "the rules", rules, "8", "12", "30")
}

// TestNothingToWrite holds that under strong_count the second interval has nothing to write.
func TestNothingToWrite(t *testing.T) {
	p := visit(t, "/#1/sweep;probe=strong_count/A4B3AB@9")
	if n := browsertest.Eval[int](p, `[...document.querySelectorAll(".world")].filter(w => w.checkVisibility()).length`); n != 1 {
		t.Fatalf("%d worlds are shown, want 1", n)
	}
	p.Press("End")
	p.WaitText("#step-no", "step 52")
	lacks(t, "strong_count's badge", world(p, 0, "badge"), "orphan", "lost")
	contains(t, "the changed rules", p.Text("#changed"), "probe=strong_count")
	contains(t, "strong_count's shard", world(p, 0, "shard"), "3000")
	p.Click("#unchange")
	p.WaitFor(`[...document.querySelectorAll(".world")].filter(w => w.checkVisibility()).length === 2`)
	p.WaitText("#step-no", "step 6")
}

func TestReloadAndBrowserBack(t *testing.T) {
	p := visit(t, "/")
	p.Press("b", "a", "b")
	p.WaitFor(`location.hash.endsWith("@9")`)
	hash := browsertest.Eval[string](p, `location.hash`)
	p.Reload()
	running(p)
	p.WaitText("#step-no", "step 9")
	if got := browsertest.Eval[string](p, `location.hash`); got != hash {
		t.Errorf("after reload the fragment is %s, want %s", got, hash)
	}
	atOrphan(t, p)
	p.Click("#scenario-next")
	p.WaitFor(`location.hash.startsWith("#1/partial/")`)
	lesson := p.Text("#lesson-title")
	p.Back()
	p.WaitFor(`location.hash.startsWith("#1/sweep/")`)
	p.WaitText("#step-no", "step 9")
	if got := p.Text("#lesson-title"); got == lesson {
		t.Errorf("after going back the lesson is still %q", got)
	}
	do(p, `history.forward()`)
	p.WaitText("#lesson-title", lesson)
	// A fragment that is typed into the address is followed.
	do(p, `location.hash = "#1/sweep/A4B2@5"`)
	p.WaitText("#step-no", "step 5")
}

// TestLinkRightAfterSteps follows a link while the address of the last step is still to
// be written: it must not be written over the link.
func TestLinkRightAfterSteps(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B2@6")
	p.WaitText("#step-no", "step 6")
	// The timer of the address runs between the change of the address and its event.
	do(p, `const real = setTimeout, held = [];
		globalThis.setTimeout = (f, ...rest) => held.push(f);
		document.getElementById("dock-B").click();
		globalThis.setTimeout = real;
		if (!held.length) throw "nothing is held back";
		location.hash = "#1/share/";
		for (const f of held) f();`)
	p.WaitText("#lesson-title", "Two share one batch")
}

// TestMalformedLinks holds that a link with a mistake names its place and leaves the
// scenario at its start.
func TestMalformedLinks(t *testing.T) {
	for _, c := range []struct {
		fragment string
		says     []string
	}{
		{"2/sweep/A4", []string{"another version of this page (version 2; this page reads 1)", "Shown instead: The probe that holds on, step 6."}},
		{"1/nowhere/A4", []string{"nowhere", "Two share one batch"}},
		{"1/sweep/A4?", []string{"column 11"}},
		{"1/sweep/A4@9", []string{"column 12", "cursor"}},
		{"1/sweep/A4Q", []string{"step 5", "Q"}},
		{"1/sweep/A4B3By", []string{"step 8", "lock"}},
		{"1/sweep;colour=red/A4", []string{"colour", "probe", "descriptions"}},
		{"1/sweep;probe=guess/A4", []string{"guess", "upgrade", "strong_count"}},
		{"1/sweep;probe=upgrade;probe=upgrade/A4", []string{"column", "once"}},
	} {
		t.Run(c.fragment, func(t *testing.T) {
			p := visit(t, "/#"+c.fragment)
			contains(t, "the message", p.Text("#message-text"), c.says...)
			p.WaitText("#step-no", "step 6")
			if got := p.Text("#schedule"); got != "A4 B2" {
				t.Errorf("the start state is %q, want A4 B2", got)
			}
			if got := browsertest.Eval[string](p, `decodeURIComponent(location.hash)`); got != "#"+c.fragment {
				t.Errorf("the address became %s", got)
			}
			p.Press("Escape")
			p.WaitFor(`!document.getElementById("message").checkVisibility()`)
		})
	}
}

// TestEntry runs schedules and links that are typed, and reads the error of a wrong one.
func TestEntry(t *testing.T) {
	p := visit(t, "/")
	entry := func(text string) {
		t.Helper()
		p.Click("#entry")
		do(p, `document.getElementById("entry").select()`)
		p.Type(text)
		p.Press("Enter")
	}
	entry("A4 B3 Q")
	p.WaitText("#entry-error", "Q")
	contains(t, "the error", p.Text("#entry-error"), "step 8", "Q")
	if got := p.Text("#schedule"); got != "A4 B2" {
		t.Errorf("after an error the schedule is %q, want A4 B2", got)
	}
	entry("B5 A2")
	p.WaitText("#step-no", "step 7")
	if got := p.Text("#schedule"); got != "B5 A2" {
		t.Errorf("the schedule is %q, want B5 A2", got)
	}
	if got := p.Texts("#entry-error"); len(got) != 0 {
		t.Errorf("the error %q is still shown", got)
	}
	entry("https://example.org/any/#1/share/A2@1")
	p.WaitText("#step-no", "step 1")
	contains(t, "the lesson", p.Text("#lesson-title"), "share")
}

// TestBranches goes back, chooses otherwise, and returns to what was abandoned.
func TestBranches(t *testing.T) {
	p := visit(t, "/")
	if got := p.Texts("#branches > *"); len(got) != 0 {
		t.Errorf("there is one line, but branches say %q", got)
	}
	p.Press("a")
	p.WaitText("#step-no", "step 7")
	if got := p.Text("#schedule"); got != "A4 B2 A" {
		t.Fatalf("the schedule is %q", got)
	}
	p.WaitFor(`document.querySelector("#branches").innerText.trim() !== ""`)
	p.Press("ArrowDown")
	p.WaitText("#schedule", "A4 B3")
	p.Press("ArrowUp")
	p.WaitText("#schedule", "A4 B2 A")
	p.Click("#branches button")
	p.WaitFor(`document.getElementById("schedule").innerText !== "A4 B2 A" || document.getElementById("slider").max === "54"`)
	p.Press("End")
	p.WaitText("#step-no", "step 54")
	p.Press("Home")
	p.WaitText("#step-no", "start")
}

func TestPlayAndPause(t *testing.T) {
	p := visit(t, "/")
	p.Press("Space")
	p.WaitFor(`document.getElementById("play").getAttribute("aria-label").startsWith("Pause")`)
	p.WaitText("#step-no", "step 7")
	p.Press("Space")
	p.WaitFor(`document.getElementById("play").getAttribute("aria-label").startsWith("Play")`)
	step := p.Text("#step-no")
	// Longer than the pause between two steps: what does not stop would move now.
	do(p, `await new Promise(done => setTimeout(done, 1300))`)
	if got := p.Text("#step-no"); got != step {
		t.Errorf("after pause it went from %s to %s", step, got)
	}
	// A hidden page pauses.
	p.Press("Space")
	do(p, `Object.defineProperty(document, "hidden", {value: true, configurable: true}), document.dispatchEvent(new Event("visibilitychange"))`)
	p.WaitFor(`document.getElementById("play").getAttribute("aria-label").startsWith("Play")`)
	do(p, `delete document.hidden`)
	// It plays to the end and stops there.
	p.Press("End", "ArrowLeft", "Space")
	p.WaitText("#step-no", "step 54")
	p.WaitFor(`document.getElementById("play").getAttribute("aria-disabled") === "true" && document.getElementById("play").getAttribute("aria-label").startsWith("Play")`)
	p.Press("ArrowRight")
	p.WaitText("#step-no", "step 54")
}

// TestTransport jumps by buttons, slider and timeline, and ignores presses at the ends.
func TestTransport(t *testing.T) {
	p := visit(t, "/")
	p.Click("#last")
	p.WaitText("#step-no", "step 54")
	for _, id := range []string{"forward", "last", "play"} {
		if browsertest.Eval[string](p, `document.getElementById("`+id+`").getAttribute("aria-disabled")`) != "true" {
			t.Errorf("at the end %s is not disabled", id)
		}
	}
	p.Click("#first")
	p.WaitText("#step-no", "start")
	do(p, `document.getElementById("back").click()`)
	p.WaitText("#step-no", "start")
	p.Click("#forward")
	p.WaitText("#step-no", "step 1")
	p.Click("#back")
	p.WaitText("#step-no", "start")
	do(p, `document.getElementById("slider").focus()`)
	p.Press("ArrowRight", "ArrowRight")
	p.WaitText("#step-no", "step 2")
	says := browsertest.Eval[string](p, `document.getElementById("slider").getAttribute("aria-valuetext")`)
	contains(t, "the slider", says, "step 2")
	do(p, `document.querySelector("#strip [data-step='7']").dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	p.WaitText("#step-no", "step 7")
	p.Press("Home")
	p.Click("#rest")
	p.WaitText("#step-no", "step 54")
	do(p, `document.activeElement.blur()`)
	p.Press("Shift+ArrowLeft")
	p.WaitText("#step-no", "step 7")
	p.Click(reach(p, "#begin"))
	p.WaitText("#step-no", "start")
}

// TestTimelinePatched holds that a timeline that was changed part by part is the one that
// is written whole after a reload.
func TestTimelinePatched(t *testing.T) {
	p := visit(t, keyRun)
	drawing := func() string {
		return browsertest.Eval[string](p, `document.getElementById("strip").innerHTML`)
	}
	p.Press("ArrowRight", "ArrowRight", "ArrowRight", "End", "ArrowLeft", "ArrowLeft", "Home", "ArrowRight", "ArrowRight", "ArrowRight",
		"ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
	p.WaitText("#step-no", "step 9")
	p.WaitFor(`location.hash.endsWith("@9")`)
	patched := drawing()
	p.Reload()
	running(p)
	p.WaitText("#step-no", "step 9")
	if whole := drawing(); patched != whole {
		t.Errorf("patched:\n%s\nwhole:\n%s", patched, whole)
	}
}

// TestTimelineEdge holds that the timeline scrolls to where a step begins: at its left edge
// neither a step nor the sign of the difference is cut, wherever a jump leads.
func TestTimelineEdge(t *testing.T) {
	p := visit(t, keyRun)
	for _, width := range []int{1440, 720, 390} {
		p.Viewport(width, 900)
		cut := browsertest.Eval[[]string](p, `(async () => {
			const strip = document.getElementById("strip"), slider = document.getElementById("slider"), cut = [];
			let scrolled = 0;
			for (let step = 1; step <= 54; step++) {
				strip.scrollLeft = 0;
				slider.value = step;
				slider.dispatchEvent(new Event("input", {bubbles: true}));
				await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
				const names = strip.querySelector(".lane-names"), box = strip.getBoundingClientRect();
				const edge = getComputedStyle(names).position === "sticky" ? names.getBoundingClientRect().right : box.left;
				if (strip.scrollLeft > 0 && strip.scrollLeft < strip.scrollWidth - strip.clientWidth - 1) scrolled++;
				else continue; // at an end there is no choice
				for (const e of strip.querySelectorAll(".tick > .hit, .notch")) {
					const r = e.getBoundingClientRect();
					if (r.left < edge - 1 && r.right > edge + 1) cut.push(step + ": " + e.outerHTML);
				}
				const here = strip.querySelector(".pill").getBoundingClientRect();
				if (here.left < edge || here.right > box.right) cut.push(step + ": the cursor is not in view");
			}
			return scrolled > 5 ? cut : ["scrolled at " + scrolled + " steps only"];
		})()`)
		if len(cut) > 0 {
			t.Errorf("%d pixels wide: cut at the left edge: %q", width, cut)
		}
	}
}

// TestGrain makes a whole call with one press, and says where it stopped.
func TestGrain(t *testing.T) {
	p := visit(t, "/")
	p.Press("Home", "Shift+A")
	p.WaitText("#step-no", "step 3")
	contains(t, "what was run", p.Text("#ran"), "A", "3 steps")
	p.Click("#grain-2")
	p.Click("#step-B")
	contains(t, "what was run", p.Text("#ran"), "B")
	p.WaitFor(`document.getElementById("grain-2").getAttribute("aria-pressed") === "true"`)
}

// TestLetters moves the focus among several threads of one letter, and steps with Enter.
func TestLetters(t *testing.T) {
	p := visit(t, "/")
	p.Press("Home") // B and By are both free to move
	p.WaitText("#step-no", "start")
	active := func() string { return browsertest.Eval[string](p, `document.activeElement.id`) }
	p.Press("b")
	p.WaitFor(`document.activeElement.id === "step-B"`)
	p.Press("b")
	p.WaitFor(`document.activeElement.id === "step-By"`)
	if got := p.Text("#step-no"); got != "start" {
		t.Errorf("moving the focus stepped to %s", got)
	}
	p.Press("Enter")
	p.WaitText("#schedule", "By")
	// The lock is By's now: B is blocked, so the letter steps By.
	p.Press("b")
	p.WaitText("#schedule", "By2")
	if got := active(); got != "step-By" {
		t.Errorf("the focus is on %s, want step-By", got)
	}
	// A is the only A and blocked: the reason is said, and it is the description of its button.
	p.Press("a")
	p.WaitText("#ran", "A is blocked: registry lock held by By")
	do(p, `document.getElementById("step-A").focus()`)
	reason := browsertest.Eval[string](p, `document.getElementById(document.activeElement.getAttribute("aria-describedby")).textContent`)
	contains(t, "the description of A's button", reason, "lock held by By")
	p.Press("Enter")
	p.WaitText("#schedule", "By2")
}

// TestKeysLeftAlone holds that keys inside a field and keys with modifiers do nothing,
// and that letters can be turned off.
func TestKeysLeftAlone(t *testing.T) {
	p := visit(t, "/")
	p.Click("#entry")
	p.Type("BAB ?")
	p.Press("ArrowLeft", "Home")
	if got := browsertest.Eval[string](p, `document.getElementById("entry").value`); got != "BAB ?" {
		t.Errorf("the field holds %q", got)
	}
	if got := p.Text("#step-no"); got != "step 6" {
		t.Errorf("keys in the field moved to %s", got)
	}
	do(p, `document.activeElement.blur()`)
	for _, modifier := range []string{"ctrlKey", "altKey", "metaKey"} {
		if browsertest.Eval[bool](p, `!document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "b", bubbles: true, cancelable: true, `+modifier+`: true}))`) {
			t.Errorf("the key was taken in spite of %s", modifier)
		}
	}
	if got := p.Text("#step-no"); got != "step 6" {
		t.Errorf("keys with modifiers moved to %s", got)
	}
	p.Press("?")
	p.WaitFor(`document.getElementById("help").open`)
	p.Press("b")
	p.Click("#letters")
	p.Press("Escape")
	p.WaitFor(`!document.getElementById("help").open`)
	do(p, `document.activeElement.blur()`)
	p.Press("b", "ArrowRight")
	p.WaitText("#step-no", "step 7")
	p.Press("ArrowLeft")
	p.WaitText("#step-no", "step 6")
}

// TestPanic forces a panic inside a listener and goes on.
func TestPanic(t *testing.T) {
	p := visit(t, "/")
	p.Press("b", "a")
	p.WaitText("#step-no", "step 8")
	do(p, `document.getElementById("playground").dispatchEvent(new CustomEvent("sharedbatches:panic"))`)
	p.WaitText("#card-text", "forced")
	if got := p.Text("#card-schedule"); got != "A4 B3 A" {
		t.Errorf("the card's schedule is %q", got)
	}
	link := browsertest.Eval[string](p, `document.getElementById("card-link").getAttribute("href")`)
	if link != "#1/sweep/A4B3A@8" {
		t.Errorf("the card's link is %q", link)
	}
	p.Axe()
	p.Click("#card-go")
	p.WaitFor(`!document.getElementById("card").checkVisibility()`)
	p.WaitText("#step-no", "step 8")
	do(p, `document.activeElement.blur()`)
	p.Press("b")
	atOrphan(t, p)
}

func TestTerms(t *testing.T) {
	p := visit(t, "/")
	p.Hover(`#lesson-text .term[data-term="sink"]`)
	p.WaitText("#tip", "view")
	if got := browsertest.Eval[string](p, `document.querySelector('#lesson-text .term[data-term="sink"]').getAttribute("aria-describedby")`); got != "tip" {
		t.Errorf("the term's description is %q", got)
	}
	p.Press("Escape")
	p.WaitFor(`!document.getElementById("tip").checkVisibility()`)
	do(p, `document.querySelector('#lesson-text .term[data-term="registry"]').focus()`)
	p.WaitText("#tip", "workers")
	p.Viewport(390, 844)
	p.Tap(reach(p, `#lesson-text .term[data-term="sweep"]`))
	p.WaitText("#tip", "cleaning")
	if n, culprit := p.SidewaysOverflow(); n > 0 {
		t.Errorf("with a tip the page is %d pixels too wide: %s", n, culprit)
	}
	// Every term on the page, folded panels included, has its sentence.
	p.Press("?")
	p.WaitFor(`document.getElementById("help").open`)
	unknown := browsertest.Eval[[]string](p, `[...document.querySelectorAll(".term")].map(e => e.dataset.term)
		.filter(k => ![...document.querySelectorAll("#words dt")].some(d => d.textContent === k))`)
	if len(unknown) > 0 {
		t.Errorf("terms without a sentence: %q", unknown)
	}
}

// TestCopy says "copied" only when the browser confirms it.
func TestCopy(t *testing.T) {
	p := visit(t, "/")
	do(p, `Object.defineProperty(navigator, "clipboard", {configurable: true, value: {writeText: t => { window.took = t; return Promise.resolve(); }}})`)
	p.Click("#copy")
	p.WaitText("#copied", "copied")
	if got := browsertest.Eval[string](p, `window.took`); got != "A4 B2" {
		t.Errorf("%q was copied", got)
	}
	p.Click("#link")
	p.WaitText("#link-said", "Link copied")
	if got := browsertest.Eval[string](p, `window.took`); !strings.HasPrefix(got, p.URL+"/#1/sweep/A4B3") || !strings.HasSuffix(got, "@6") {
		t.Errorf("%q was copied", got)
	}
	for _, refuse := range []string{`{writeText: () => Promise.reject(new Error("no"))}`, `undefined`} {
		do(p, `Object.defineProperty(navigator, "clipboard", {configurable: true, value: `+refuse+`})`)
		p.Click("#copy")
		p.WaitText("#copied", "not allowed")
		if got := browsertest.Eval[string](p, `document.getElementById("entry").value.slice(document.getElementById("entry").selectionStart, document.getElementById("entry").selectionEnd)`); got != "A4 B2" {
			t.Errorf("%q is selected", got)
		}
	}
}

// TestShortLink asks a server without short links, one that makes them, and one that
// is gone; the long link is named where there is no short one.
func TestShortLink(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B3@7")
	p.Click("#short")
	p.WaitText("#short-said", "this server has none. The long link")
	p.TakeConsole() // the browser tells of the 404
	do(p, `window.real = window.fetch; window.fetch = async (url, o) => { window.asked = [url, o.body]; return new Response('{"path":"/s/abcd"}', {status: 201}); }`)
	p.Click("#short")
	p.WaitText("#short-said", p.URL+"/s/abcd")
	if got := browsertest.Eval[string](p, `window.asked.join(" ")`); got != p.URL+`/api/v1/links {"fragment":"1/sweep/A4B3@7"}` {
		t.Errorf("asked %s", got)
	}
	do(p, `window.fetch = () => Promise.reject(new TypeError("gone"))`)
	p.Click("#short")
	p.WaitText("#short-said", "cannot be reached. The long link")
}
