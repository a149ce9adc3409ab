package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"sharedbatches/scenarios"
)

// call runs the command in process and gives its exit code and what it printed.
func call(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(args, &console{out: &o, err: &e})
	return code, o.String(), e.String()
}

// file writes a scenario made of a built-in one with some text replaced.
func file(t *testing.T, name, id string, replace ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", id+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(replace...).Replace(string(text))
	if len(replace) > 0 && changed == string(text) {
		t.Fatalf("nothing of %q is in %s.yaml", replace, id)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCheck(t *testing.T) {
	good := file(t, "good.yaml", "sweep")
	wrong := file(t, "wrong.yaml", "sweep", "puts: 3", "puts: 4")
	bad := file(t, "bad.yaml", "sweep", "target: 65536", "targte: 65536")
	for _, c := range []struct {
		name  string
		paths []string
		code  int
		says  string
	}{
		{"holds", []string{good}, exitHolds, "good.yaml: holds"},
		{"an id", []string{"sweep"}, exitHolds, "sweep: holds"},
		{"differs", []string{wrong}, exitDiffers, "puts: got 3, expected 4"},
		{"invalid", []string{bad}, exitDiffers, `unknown key "targte": did you mean target?`},
		{"evaluations", []string{file(t, "looks.yaml", "goodbytes", "evaluations: 20", "evaluations: 19")}, exitDiffers, "expect: recompute: evaluations: got 20, expected 19"},
		{"one of two", []string{good, wrong}, exitDiffers, "good.yaml: holds"},
	} {
		code, out, errs := call(t, append([]string{"check"}, c.paths...)...)
		if code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit %d, %q, %q; want %d and %q", c.name, code, out, errs, c.code, c.says)
		}
	}
	if code, _, errs := call(t, "check", "nothing.yaml"); code != exitCannotDo || !strings.Contains(errs, "no such file") {
		t.Errorf("a missing file: exit %d, %q", code, errs)
	}
	if code, _, errs := call(t, "check", t.TempDir()); code != exitCannotDo || !strings.Contains(errs, "no .yaml file") {
		t.Errorf("an empty folder: exit %d, %q", code, errs)
	}
}

func TestCheckFormats(t *testing.T) {
	wrong := file(t, "wrong.yaml", "sweep", "puts: 3", "puts: 4")
	bad := file(t, "bad.yaml", "sweep", "at: 1500", "at: soon")
	_, out, _ := call(t, "check", "--format", "json", "sweep", wrong, bad)
	var reports []report
	if err := json.Unmarshal([]byte(out), &reports); err != nil {
		t.Fatal(err)
	}
	if len(reports) != 3 || reports[0].Verdict != "holds" || reports[1].Verdict != "differs" || reports[2].Verdict != "invalid" || reports[2].Messages[0].Line == 0 {
		t.Errorf("json: %+v", reports)
	}
	// A reader that is not ours takes the JUnit form.
	_, out, _ = call(t, "check", "--format", "junit", "sweep", wrong, bad)
	var suite junit.Testsuite
	if err := xml.Unmarshal([]byte(out), &suite); err != nil {
		t.Fatal(err)
	}
	if suite.Tests != 3 || suite.Failures != 1 || suite.Errors != 1 || len(suite.Testcases) != 3 {
		t.Errorf("junit: %+v", suite)
	}
	if f := suite.Testcases[1].Failure; f == nil || !strings.Contains(f.Data, "puts: got 3, expected 4") {
		t.Errorf("junit: failure %+v", f)
	}
	if e := suite.Testcases[2].Error; e == nil || !strings.Contains(e.Data, "bad.yaml:") {
		t.Errorf("junit: error %+v", e)
	}
}

func TestRun(t *testing.T) {
	code, out, errs := call(t, "run", "sweep")
	if code != exitHolds || !strings.Contains(out, "into_inner Ka 2->1; answered None Ka, only the sweep is left") || !strings.Contains(out, "upgrade: losing; AS OF 1500 5 (truth 6)") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	for _, says := range []string{
		"upgrade: meter: PUTs: 3; parts per append: 2 in 3; state-diff bytes: 3720; consensus commands: 3; leaked blobs: 1; sweeps per builder: 2 in 5; others’ entries probed: 1\n",
		"strong_count: meter: PUTs: 2; parts per append: 2 in 3; state-diff bytes: 3720; consensus commands: 3; leaked blobs: 0; ",
	} {
		if !strings.Contains(out, says) {
			t.Errorf("%q, want %q", out, says)
		}
	}
	code, out, _ = call(t, "run", "sweep", "--schedule", "A4 B3 A B", "--rule", "probe=strong_count")
	if code != exitHolds || strings.Contains(out, "upgrade") || !strings.Contains(out, "strong_count: unfinished") {
		t.Errorf("exit %d, %q", code, out)
	}
	for _, c := range []struct{ schedule, says string }{
		{"A4 B3 A B A Ka2 A", "goal: reached at step 13\n"},
		{"A4 B4 A", "goal: not reached: "}, // the probe is over before A finishes
	} {
		if _, out, _ = call(t, "run", "sweep", "--schedule", c.schedule); !strings.Contains(out, c.says) {
			t.Errorf("%s: %q, want %q", c.schedule, out, c.says)
		}
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"run", "sweep", "--schedule", "A4 C"}, `thread "C"`},
		{[]string{"run", "sweep", "--schedule", "A4 Py"}, "step 5: thread Py is blocked: A, By have not answered for Y"},
		{[]string{"run", "sweep", "--schedule", "A0"}, "column 2"},
		{[]string{"run", "sweep", "--rule", "probe=guess"}, "allowed are upgrade, strong_count"},
		{[]string{"run", "sweep", "--rule", "probe"}, "key=value"},
		{[]string{"run"}, "expected"},
		{[]string{"dance"}, "unexpected argument dance"},
	} {
		if code, _, errs := call(t, c.args...); code != exitCannotDo || !strings.Contains(errs, c.says) {
			t.Errorf("%q: exit %d, %q, want %q", c.args, code, errs, c.says)
		}
	}
}

// exploreJSON runs explore and decodes its JSON as a stranger would.
func exploreJSON(t *testing.T, want int, args ...string) []map[string]any {
	t.Helper()
	code, out, errs := call(t, append([]string{"explore", "--json"}, args...)...)
	if code != want {
		t.Fatalf("%q: exit %d, want %d: %s", args, code, want, errs)
	}
	if errs != "" && want == exitHolds {
		t.Errorf("%q: progress in a pipe: %q", args, errs)
	}
	var rs []map[string]any
	if err := json.Unmarshal([]byte(out), &rs); err != nil {
		t.Fatal(err)
	}
	return rs
}

func TestExplore(t *testing.T) {
	rs := exploreJSON(t, exitHolds, "sweep")
	for _, key := range []string{
		"states", "transitions", "symmetry", "grain", "free_threads", "exhaustive", "stopped_by", "schedules", "losing", "losing_all",
		"losing_part", "deadlocking", "panicking", "shortest_orphaning", "shortest_wrong_seal", "no_return", "invariants_broken",
		"milliseconds", "states_per_second", "bytes_per_state",
	} {
		if _, ok := rs[0][key]; !ok {
			t.Errorf("the JSON has no %s", key)
		}
	}
	if rs[0]["losing"] == "0" || rs[1]["losing"] != "0" || rs[1]["shortest_orphaning"] != nil {
		t.Errorf("upgrade loses %v, strong_count %v with %v", rs[0]["losing"], rs[1]["losing"], rs[1]["shortest_orphaning"])
	}
	if p := rs[0]["shortest_orphaning"].(map[string]any); p["length"] != 9.0 {
		t.Errorf("shortest orphaning %v", p)
	}

	rs = exploreJSON(t, exitHolds, "sweep", "--grain", "call")
	if rs[0]["losing"] != "0" || rs[0]["grain"] != "call" {
		t.Errorf("whole calls: %v", rs[0])
	}
	_, out, _ := call(t, "explore", "sweep", "--grain", "call", "--probe", "upgrade")
	if !strings.Contains(out, "cannot happen when calls are indivisible") || strings.Contains(out, "safe") {
		t.Errorf("whole calls are worded %q", out)
	}

	rs = exploreJSON(t, exitHolds, "share", "--max-states", "50")
	if rs[0]["exhaustive"] != false || rs[0]["stopped_by"] != "states" {
		t.Errorf("stopped: %v", rs[0])
	}
	_, out, _ = call(t, "explore", "share", "--max-states", "50")
	if !strings.Contains(out, "at least") || !strings.Contains(out, "none of them losing so far") || strings.Contains(out, "exhaustive") {
		t.Errorf("stopped is worded %q", out)
	}

	one := exploreJSON(t, exitHolds, "share", "--workers", "3", "--no-symmetry")
	merged := exploreJSON(t, exitHolds, "share", "--workers", "3")
	if one[0]["schedules"] != merged[0]["schedules"] || one[0]["states"].(float64) <= merged[0]["states"].(float64) {
		t.Errorf("symmetry: %v schedules in %v states, without %v in %v", merged[0]["schedules"], merged[0]["states"], one[0]["schedules"], one[0]["states"])
	}
	last := exploreJSON(t, exitHolds, "sweep", "--last", "Ka", "--last", "Py")
	if len(last[0]["last_threads"].([]any)) != 2 {
		t.Errorf("last: %v", last[0]["last_threads"])
	}
	if code, _, errs := call(t, "explore", "sweep", "--last", "Q"); code != exitCannotDo || !strings.Contains(errs, `"Q"`) {
		t.Errorf("an unknown last thread: exit %d, %q", code, errs)
	}
	if code, _, errs := call(t, "explore", "sweep", "--workers", "9"); code != exitCannotDo || !strings.Contains(errs, "allowed are 1 to 8") {
		t.Errorf("nine workers: exit %d, %q", code, errs)
	}
}

// TestExploreJudges changes an expectation so that the search contradicts it.
func TestExploreJudges(t *testing.T) {
	claims := file(t, "claims.yaml", "share", "verdict: safe", "verdict: losing")
	exploreJSON(t, exitDiffers, claims)
}

func TestNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if code, out, errs := call(t, "new", path); code != exitHolds || !strings.Contains(out, "written") {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	if code, out, _ := call(t, "check", path); code != exitHolds {
		t.Errorf("the template does not hold: %q", out)
	}
	if code, _, errs := call(t, "new", path); code != exitCannotDo || !strings.Contains(errs, "exists already") {
		t.Errorf("twice: exit %d, %q", code, errs)
	}
}

// TestHelp holds that every command says what it does.
func TestHelp(t *testing.T) {
	code, out, _ := call(t, "--help")
	if code != exitHolds {
		t.Errorf("exit %d", code)
	}
	for _, c := range []string{"check", "run", "explore", "proofs", "meter", "new"} {
		if !strings.Contains(out, c) {
			t.Errorf("help does not name %s", c)
		}
	}
	if len(scenarios.IDs) == 0 {
		t.Error("no built-in scenarios")
	}
}
