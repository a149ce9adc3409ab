//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"sharedbatches/web/browsertest"
)

// said is the text of an element that is on screen, or "".
func said(p *browsertest.Page, id string) string {
	return squeeze(browsertest.Eval[string](p, fmt.Sprintf(`(e => e.checkVisibility() ? e.innerText : "")(document.getElementById(%q))`, id)))
}

// TestQuestion predicts wrongly, changes nothing by it, and gets the answer with the
// explanations by stepping on.
func TestQuestion(t *testing.T) {
	p := visit(t, "/#1/sweep/")
	p.WaitText("#step-no", "step 6")
	if got := said(p, "question"); got != "" {
		t.Errorf("at step 6 %q is asked already", got)
	}
	p.Press("b")
	p.WaitText("#step-no", "step 7")
	contains(t, "the question", said(p, "ask"), "What does it receive", "The batch", "None", "must wait")
	lacks(t, "the question before the reveal", said(p, "ask"), "last string", "2 → 1", "what happens")
	lacks(t, "the page before the reveal", browsertest.Eval[string](p, `document.getElementById("question").outerHTML`), "last string", "2 → 1")
	p.Press("9", "2", "1")
	contains(t, "the prediction", said(p, "ask"), "your prediction")
	lacks(t, "the question after the prediction", said(p, "ask"), "last string", "what happens")
	if got := browsertest.Eval[string](p, `document.querySelector("#ask :checked").value`); got != "1" {
		t.Errorf("answer %s is chosen, want 1", got)
	}
	p.Axe()
	p.Press("a")
	p.WaitText("#step-no", "step 8")
	contains(t, "the reveal", said(p, "ask"), "your prediction", "what happens", "not the last string", "2 → 1", "takes no registry lock")
	if got := said(p, "ask-says"); got != "It is not what you predicted." {
		t.Errorf("after the reveal the page says %q", got)
	}
	p.Press("2")
	if got := browsertest.Eval[string](p, `document.querySelector("#ask .right").innerText`); strings.Contains(got, "predicted") {
		t.Errorf("the prediction changed after the reveal: %q", got)
	}
	p.Axe()
	p.Press("b")
	if got := browsertest.Eval[bool](p, `document.querySelector("#ask").firstElementChild.open`); got {
		t.Error("the answer does not fold when the reader goes on")
	}
	p.Press("Home")
	if got := said(p, "question"); got != "" {
		t.Errorf("at the start %q is asked", got)
	}
}

// TestQuestionByMouse chooses with the radio buttons, shows the answer without a step,
// and keeps the focus.
func TestQuestionByMouse(t *testing.T) {
	p := visit(t, "/#1/sweep/A4B3@7")
	p.Click(`#ask label:nth-of-type(2)`)
	if got := browsertest.Eval[string](p, `document.activeElement.value`); got != "2" {
		t.Errorf("the focus is on %q, want the chosen answer", got)
	}
	p.Press("ArrowDown")
	contains(t, "the third answer", browsertest.Eval[string](p, `document.querySelector("#ask .chosen").innerText`), "must wait", "your prediction")
	p.Press("ArrowUp")
	p.Click(reach(p, "#ask-show"))
	if got := p.Text("#step-no"); got != "step 7" {
		t.Errorf("showing the answer went to %s", got)
	}
	contains(t, "the reveal", said(p, "question"), "what happens, as you predicted", "You predicted it.")
	p.Press("a")
	p.WaitText("#step-no", "step 8")
}

// TestQuestionPassed: stepping over a question reveals it, on its own line only.
func TestQuestionPassed(t *testing.T) {
	p := visit(t, "/#1/sweep/")
	p.Press("End")
	contains(t, "the question that was passed", browsertest.Eval[string](p, `document.getElementById("question").textContent`), "Not answered.", "what happens")
	p = visit(t, "/#1/sweep/A5B3@6")
	p.Press("ArrowRight", "ArrowRight")
	p.WaitText("#step-no", "step 8")
	if got := said(p, "question"); got != "" {
		t.Errorf("on another line %q is asked", got)
	}
}

func TestGoalReached(t *testing.T) {
	p := visit(t, "/#1/sweep/")
	contains(t, "the goal", said(p, "goal-row"), "Goal:", "lose the batch")
	p.Press("b", "a", "b", "a", "k", "k")
	lacks(t, "the goal at step 12", said(p, "goal-row"), "reached")
	p.Press("a")
	p.WaitText("#step-no", "step 13")
	contains(t, "the goal at step 13", said(p, "goal-row"), "Goal reached at step 13:")
	p.Press("ArrowRight")
	contains(t, "the goal later", said(p, "goal-row"), "Goal reached at step 13:")
	if got := said(p, "next"); got != "See what a reader gets" {
		t.Errorf("the button to go on says %q", got)
	}
	p.Click(reach(p, "#next"))
	p.WaitText("#step-no", "step 30")
}

// TestGoalOfTheBarrier lets A report first and runs the rest, and then By.
func TestGoalOfTheBarrier(t *testing.T) {
	p := visit(t, "/#1/barrier/")
	p.Click("#last")
	p.WaitText("#step-no", "step 39")
	contains(t, "the goal", said(p, "goal-row"), "Goal reached at step 34:")
	p = visit(t, "/#1/barrier/A4B6By5A")
	p.Click("#rest")
	contains(t, "the miss", said(p, "miss"), "Let A report before By does")
	lacks(t, "the goal", said(p, "goal-row"), "reached")
}

// TestGoalMissed lets A finish before the probe and runs the rest.
func TestGoalMissed(t *testing.T) {
	p := visit(t, "/#1/sweep/")
	p.Press("a")
	p.WaitText("#step-no", "step 7")
	p.Click("#rest")
	contains(t, "the miss", said(p, "miss"), "Let A finish between", "Back to step 6")
	lacks(t, "the goal", said(p, "goal-row"), "reached")
	p.Click(reach(p, "#miss-back"))
	p.WaitText("#step-no", "step 6")
	if got := p.Text("#schedule"); got != "A4 B2" {
		t.Errorf("the start of the lesson is %q", got)
	}
	if got := said(p, "miss"); got != "" {
		t.Errorf("after going back the page still says %q", got)
	}
	p.Click(reach(p, "#begin"))
	p.WaitText("#step-no", "start")
	p.Click(reach(p, "#restart"))
	p.WaitText("#step-no", "step 6")
}

func TestHints(t *testing.T) {
	p := visit(t, "/#1/sweep/")
	for n := 1; n <= 3; n++ {
		if got, want := said(p, "hint"), fmt.Sprintf("Hint %d of 3", n); got != want {
			t.Errorf("the button says %q, want %q", got, want)
		}
		p.Click(reach(p, "#hint"))
		if got := browsertest.Eval[int](p, `document.querySelectorAll("#hints p").length`); got != n {
			t.Errorf("%d hints are shown, want %d", got, n)
		}
	}
	if got := said(p, "hint"); got != "" {
		t.Errorf("after the last hint there is a button %q", got)
	}
	p.Press("b")
	p.WaitText("#step-no", "step 7") // keys still act
}

// yaml is the sweep with some text replaced.
func yaml(t *testing.T, pairs ...string) string {
	t.Helper()
	text, err := os.ReadFile("../../scenarios/sweep.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			t.Fatalf("sweep.yaml has no %q", pairs[i])
		}
	}
	return strings.NewReplacer(pairs...).Replace(string(text))
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// pick gives the file picker a file.
func pick(p *browsertest.Page, name, text string) {
	do(p, `const d = new DataTransfer(); d.items.add(new File([`+quoted(text)+`], `+quoted(name)+`)); const e = document.getElementById("own-file"); e.files = d.files; e.dispatchEvent(new Event("change"))`)
}

// TestOwnFile opens a file by the picker, by drop and by paste, steps it, and goes back.
func TestOwnFile(t *testing.T) {
	p := visit(t, "/")
	p.Click("#own-open")
	p.Axe()
	pick(p, "mine.yaml", yaml(t, "The probe that holds on", "My own lesson"))
	p.WaitText("#lesson-title", "My own lesson")
	if browsertest.Eval[bool](p, `document.getElementById("own").open`) {
		t.Error("the window is still open")
	}
	contains(t, "the menu", browsertest.Eval[string](p, `document.getElementById("scenario").selectedOptions[0].text`), "My own lesson", "your file")
	p.Press("b", "1", "a")
	p.WaitText("#step-no", "step 8")
	contains(t, "its question", said(p, "question"), "It is not what you predicted.")
	p.Click("#link")
	contains(t, "what is said of a link", said(p, "link-said"), "no id")
	if got := browsertest.Eval[string](p, `location.hash`); got != "" {
		t.Errorf("the address is %q, but a file of one's own has none", got)
	}
	p.Click("#data-open")
	p.WaitText("#data-title", "Data at step 8")
	p.WaitFor(`document.querySelectorAll("#data .item").length > 0`)
	p.Click(`#data [data-keep="close"]`)

	do(p, `const d = new DataTransfer(); d.items.add(new File([`+quoted(yaml(t, "The probe that holds on", "Dropped"))+`], "b.yaml")); document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: d, bubbles: true, cancelable: true}))`)
	p.WaitText("#lesson-title", "Dropped")
	p.WaitText("#step-no", "step 6")
	do(p, `const d = new DataTransfer(); d.setData("text/plain", `+quoted(yaml(t, "The probe that holds on", "Pasted"))+`); document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true, cancelable: true}))`)
	p.WaitText("#lesson-title", "Pasted")
	p.Click("#scenario-next")
	p.WaitText("#lesson-title", "Two share one batch")
	p.Back()
	p.WaitText("#lesson-title", "Pasted")
}

// TestOwnFaults: a file with faults opens nothing, and each is shown at its line.
func TestOwnFaults(t *testing.T) {
	p := visit(t, "/")
	p.Press("b")
	pick(p, "mine.yaml", yaml(t, "start: 6", "begin: 6", "grain: step", "grain: steps"))
	p.WaitText("#own-says", "mine.yaml has 2 faults. Nothing was opened.")
	faults := said(p, "own-faults")
	contains(t, "the faults", faults, "line 31, column 1", `unknown key "begin"`, "begin: 6", "line 32, column 8", "did you mean step?", "grain: steps")
	p.Axe()
	p.Click("#own-faults li:nth-child(2) button")
	if got := browsertest.Eval[string](p, `(e => e.value.slice(e.selectionStart, e.selectionEnd))(document.activeElement)`); got != "steps" {
		t.Errorf("the button selects %q, want the fault", got)
	}
	p.Press("b") // types over what is selected and steps nothing
	if got := p.Text("#step-no"); got != "step 7" {
		t.Errorf("the run is at %s, want step 7", got)
	}
	do(p, `const e = document.getElementById("own-text"); e.value = `+quoted(yaml(t, "The probe that holds on", "Mended")))
	p.Click("#own-run")
	p.WaitText("#lesson-title", "Mended")

	for name, c := range map[string]struct{ bytes, want string }{
		"large.yaml":  {`new Uint8Array(300000)`, "300000 bytes: allowed are 262144"},
		"broken.yaml": {`Uint8Array.of(116, 105, 116, 108, 101, 58, 10, 65, 255, 66)`, "not valid UTF-8"},
		"empty.yaml":  {`""`, "the file is empty"},
	} {
		do(p, `const d = new DataTransfer(); d.items.add(new File([`+c.bytes+`], `+quoted(name)+`)); const e = document.getElementById("own-file"); e.files = d.files; e.dispatchEvent(new Event("change"))`)
		p.WaitText("#own-says", name+" has a fault. Nothing was opened.")
		contains(t, name, said(p, "own-faults"), c.want)
		if name == "broken.yaml" {
			contains(t, name, said(p, "own-faults"), "line 2, column 2")
		}
	}
	if got := p.Text("#lesson-title"); got != "Mended" {
		t.Errorf("the lesson is %q", got)
	}
}

// TestHostileFile: markup in any text of a file is shown as text and makes no element.
func TestHostileFile(t *testing.T) {
	const evil = `<img src=x onerror=evil=1><script>evil=1</script>'">&`
	single := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	text := yaml(t,
		"title: The probe that holds on", "title: "+single(evil),
		"A is the last holder", evil+" A is the last holder",
		"goal: Make", "goal: >-\n  "+evil+" Make",
		"ask: A finishes now. What does it receive with `upgrade`?", "ask: "+single(evil+"ask"),
		"text: The batch. A is the last worker.", "text: "+single(evil+"text"),
		"because: It is the last worker, but not the last string. The sweep holds one too.", "because: "+single(evil+"because"),
		"- Look at the count while B’s sweep probes the entry of Y.", "- "+single(evil+"hint"),
		"miss: Let A finish between B’s probe begin and probe end.", "miss: "+single(evil+"miss"),
		"text: See what a reader gets", "text: "+single(evil+"next"),
		`{key: "7", from`, "{key: "+single(evil)+", from",
		`reader: {sink: Y, key: "7"`, "notes: [{step: 7, text: "+single(evil+"note")+"}]\nreader: {sink: Y, key: "+single(evil),
	)
	p := visit(t, "/")
	pick(p, evil+".yaml", strings.Replace(text, "start: 6", "begin: 6", 1))
	p.WaitFor(`document.getElementById("own-faults").children.length === 1`)
	pick(p, "evil.yaml", text)
	p.WaitText("#lesson-title", evil)
	p.Click(reach(p, "#hint"))
	p.Click("#unfold")
	for _, key := range []string{"b", "1", "a", "End", "Home"} {
		p.Press(key)
		if n := browsertest.Eval[int](p, `document.querySelectorAll("img, #playground script, #own script").length`); n != 0 {
			t.Errorf("after %s the file has made %d elements", key, n)
		}
	}
	do(p, `const e = document.getElementById("slider"); e.value = 20; e.dispatchEvent(new Event("input", {bubbles: true}))`)
	p.WaitText("#step-no", "step 20") // behind the goal, and before where the button leads
	contains(t, "the button to go on", said(p, "next"), "<img src=x", "next")
	contains(t, "the hint", said(p, "hints"), "<img src=x", "hint")
	p.Press("End")
	if browsertest.Eval[bool](p, `document.getElementById("next").checkVisibility()`) {
		t.Error("the button to go on leads back")
	}
	if browsertest.Eval[bool](p, `"evil" in window`) {
		t.Error("a text of the file ran as a program")
	}
}

// TestMoves: other threads than the lesson's moves wait until its question is answered.
func TestMoves(t *testing.T) {
	p := visit(t, "/")
	pick(p, "mine.yaml", yaml(t, "The probe that holds on", "Only B", "start: 6", "start: 6\nmoves: [B]"))
	p.WaitText("#lesson-title", "Only B")
	p.Press("a", "Enter") // a blocked thread's letter moves the focus
	contains(t, "what is said of A", said(p, "ran"), "not in this lesson’s moves")
	if got := p.Text("#step-no"); got != "step 6" {
		t.Errorf("A moved to %s", got)
	}
	contains(t, "A's card", p.Text("#thread-A"), "not in this lesson’s moves")
	p.Press("b")
	p.WaitText("#step-no", "step 7")
	p.Press("2")
	p.Click(reach(p, "#ask-show"))
	p.Press("a")
	p.WaitText("#step-no", "step 8")
}
