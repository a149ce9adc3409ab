//go:build !js

package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// benchLimit is for one benchmark of Go in the browser.
const benchLimit = 3 * time.Minute

// benchWorker runs a compiled Go test in a Web Worker, with what static/worker.js gives
// the search.
const benchWorker = `importScripts("wasm_exec.js");
onmessage = async event => {
	const go = new Go();
	go.argv = ["bench", ...event.data];
	go.env = {GOGC: "400", GOMEMLIMIT: "640MiB"};
	const module = await WebAssembly.compileStreaming(fetch("bench.wasm"));
	await go.run(await WebAssembly.instantiate(module, go.importObject));
	postMessage("ended");
};`

// GoBench is a Go package's benchmarks, compiled to run in the browser.
type GoBench struct{ files fstest.MapFS }

// CompileBench compiles the benchmarks of a package, named as the go command does from
// the top of the repository.
func CompileBench(t testing.TB, pkg string) GoBench {
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "bench.wasm")
	compile := exec.Command("go", "test", "-c", "-tags", "arrow_json_stdlib", "-o", out, pkg)
	compile.Dir, compile.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("compiling %s: %v\n%s", pkg, err, text)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return GoBench{fstest.MapFS{
		"index.html":   {Data: []byte(`<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"></html>`)},
		"bench.js":     {Data: []byte(benchWorker)},
		"bench.wasm":   {Data: wasm},
		"wasm_exec.js": {Data: script},
	}}
}

// Run runs one benchmark for two seconds in a Web Worker of a new tab and returns its metrics by
// unit.
func (g GoBench) Run(t testing.TB, name string) map[string]float64 {
	t.Helper()
	p := Open(t, g.files)
	p.Goto("/")
	Eval[*struct{}](p, fmt.Sprintf(`(() => {
		globalThis.ended = false;
		const worker = new Worker("bench.js");
		worker.onmessage = () => { ended = true; worker.terminate(); };
		worker.postMessage(["-test.run=^$", "-test.benchtime=2s", "-test.bench=^%s$"]);
		return null;
	})()`, name))
	for end := time.Now().Add(benchLimit); !Eval[bool](p, "ended"); time.Sleep(20 * waitPause) {
		if time.Now().After(end) {
			t.Fatalf("%s has not ended after %v; console: %q", name, benchLimit, p.TakeConsole())
		}
	}
	return metrics(t, name, p.TakeConsole())
}

// metrics reads "log: Benchmark... 1 269.5 ns/transition 10 states".
func metrics(t testing.TB, name string, lines []string) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 3 || !strings.Contains(line, "ns/") {
			continue
		}
		for i := len(fields) - 2; i > 0; i -= 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				break
			}
			found[fields[i+1]] = value
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s printed no metrics: %q", name, lines)
	}
	return found
}
