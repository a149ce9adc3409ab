//go:build unix

package workertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"sharedbatches/web"
	"sharedbatches/web/linkfile"
)

const (
	config = "../edge/wrangler.json"
	built  = "../../.build/worker/app.wasm"
	edge   = "../../.build/edge" // the files that the edge serves by itself

	startPeriod = time.Minute      // for the runtime to answer
	stopPeriod  = 10 * time.Second // for it to end by itself
)

// answer is what is compared of an answer.
type answer struct {
	status int
	header map[string]string
	body   string // JSON in one normal form
}

// compared are the headers in which both have to agree.
var compared = []string{
	"Content-Type", "Cache-Control", "Location", "Allow", "Vary", "Content-Security-Policy", "X-Content-Type-Options",
	"Referrer-Policy", "Cross-Origin-Resource-Policy", "Access-Control-Allow-Origin", "Set-Cookie", "X-Frame-Options",
}

// securing are those that no answer may lack.
var securing = []string{
	"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Resource-Policy", "Access-Control-Allow-Origin",
}

func TestNative(t *testing.T) {
	base := native(t)
	for _, r := range table() {
		t.Run(r.name, func(t *testing.T) { r.check(t, r.ask(t, base)) })
	}
}

// TestWorker asks both in turn, so that it does not depend on the other test.
func TestWorker(t *testing.T) {
	if os.Getenv("WORKER_TEST") != "required" {
		t.Skip("./build.sh test builds the Worker and then tests it, with WORKER_TEST=required")
	}
	base, worker := native(t), startWorker(t)
	for _, r := range table() {
		t.Run(r.name, func(t *testing.T) {
			got := r.ask(t, worker)
			r.check(t, got)
			same(t, got, r.ask(t, base))
		})
	}
	t.Run("at the same time", func(t *testing.T) {
		r := run("", `{"id":"sweep"}`, 200)
		want := r.ask(t, base)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { same(t, r.ask(t, worker), want) })
		}
		all.Wait()
	})
	t.Run("files", func(t *testing.T) { sameFiles(t, worker) })
}

// sameFiles holds the files that the edge serves, with their headers, to what the
// native handler makes of them.
func sameFiles(t *testing.T, worker string) {
	server := httptest.NewServer(web.New(os.DirFS(edge)))
	defer server.Close()
	for _, name := range []string{"", "index.html", "page.css", "page.wasm", "wasm_exec.js", "docs-example.html", "embed.html", "embed/sweep.html"} {
		if _, err := os.Stat(filepath.Join(edge, name)); err != nil {
			t.Errorf("%s: not built", name)
			continue
		}
		for _, method := range []string{"GET", "HEAD"} {
			r := request{method: method, target: "/" + name}
			got, want := r.ask(t, worker), r.ask(t, server.URL)
			if got.status != 200 || got.header["Cache-Control"] != "no-cache" {
				t.Errorf("%s /%s: status %d, Cache-Control %q", method, name, got.status, got.header["Cache-Control"])
			}
			same(t, got, want)
		}
	}
	for _, name := range []string{"page.wasm.br", "page.wasm.gz", "_headers", "_redirects"} {
		if got := (request{method: "GET", target: "/" + name}).ask(t, worker); got.status != 404 {
			t.Errorf("/%s: status %d, want 404", name, got.status)
		}
	}
}

func (r request) check(t *testing.T, got answer) {
	t.Helper()
	if got.status != r.status || got.header["Content-Type"] != r.kind {
		t.Errorf("status %d, %s; want %d, %s\n%.500s", got.status, got.header["Content-Type"], r.status, r.kind, got.body)
	}
	for _, part := range r.says {
		if !strings.Contains(got.body, part) {
			t.Errorf("no %s in\n%.3000s", part, got.body)
		}
	}
	for name, want := range r.header {
		if got.header[name] != want {
			t.Errorf("%s: got %q, want %q", name, got.header[name], want)
		}
	}
	for _, name := range securing {
		if got.header[name] == "" {
			t.Errorf("the header %s lacks", name)
		}
	}
	if r.method == "HEAD" && got.body != "" {
		t.Errorf("HEAD: body %q", got.body)
	}
	if r.kind == problemKind && r.method != "HEAD" {
		var p struct {
			Title, Detail string
			Status        int
		}
		if err := json.Unmarshal([]byte(got.body), &p); err != nil || p.Status != r.status || p.Title != http.StatusText(r.status) || p.Detail == "" {
			t.Errorf("not a problem of status %d: %v\n%s", r.status, err, got.body)
		}
	}
}

func same(t *testing.T, worker, native answer) {
	t.Helper()
	if worker.status != native.status {
		t.Errorf("status %d of the Worker, %d of the native handler", worker.status, native.status)
	}
	for _, name := range compared {
		if worker.header[name] != native.header[name] {
			t.Errorf("%s: %q of the Worker, %q of the native handler", name, worker.header[name], native.header[name])
		}
	}
	if worker.body != native.body {
		t.Errorf("the bodies differ: Worker\n%.2000s\nnative\n%.2000s", worker.body, native.body)
	}
}

// client opens a connection for each request: the runtime ends one whose request
// was answered before it was read to its end, and does not announce it.
var client = &http.Client{
	Timeout:       20 * time.Second,
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// ask sends the request, its path as it stands in the table.
func (r request) ask(t *testing.T, base string) answer {
	t.Helper()
	address, err := url.Parse(base + r.target)
	if err != nil {
		t.Fatal(err)
	}
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	question, err := http.NewRequest(r.method, address.String(), body)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case r.contentType != "" && r.contentType != "none":
		question.Header.Set("Content-Type", r.contentType)
	case r.contentType == "" && r.method == "POST":
		question.Header.Set("Content-Type", "application/json")
	}
	if r.accept != "" {
		question.Header.Set("Accept", r.accept)
	}
	response, err := client.Do(question)
	if err != nil {
		t.Error(err)
		return answer{}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("%s %s: %v", r.method, r.target, err)
	}
	a := answer{response.StatusCode, map[string]string{}, string(text)}
	for _, name := range compared {
		a.header[name] = strings.Join(response.Header.Values(name), "|")
	}
	var normal bytes.Buffer
	if strings.Contains(a.header["Content-Type"], "json") && json.Indent(&normal, text, "", "  ") == nil {
		a.body = normal.String()
	}
	return a
}

// native starts the handler of this machine, with an empty file of links.
func native(t *testing.T) (base string) {
	t.Helper()
	links, err := linkfile.Open(filepath.Join(t.TempDir(), "links"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(web.NewWithLinks(fstest.MapFS{}, links))
	t.Cleanup(func() { server.Close(); links.Close() })
	return server.URL
}

// startWorker runs the built Worker in its runtime, in a process group of its own
// that is ended with the test.
func startWorker(t *testing.T) (base string) {
	t.Helper()
	for _, needed := range []struct{ file, made string }{
		{built, "./build.sh worker"}, {"node_modules/miniflare", "npm ci in web/workertest"},
	} {
		if _, err := os.Stat(needed.file); err != nil {
			t.Fatalf("no %s: %s makes it", needed.file, needed.made)
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(node, "start.mjs", config)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var messages bytes.Buffer
	command.Stderr = &messages
	command.WaitDelay = stopPeriod // the runtime holds the pipes as well
	in, err1 := command.StdinPipe()
	out, err2 := command.StdoutPipe()
	if err := errors.Join(err1, err2, command.Start()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	address := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		address <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, out)
		ended <- command.Wait()
	}()
	t.Cleanup(func() {
		in.Close() // start.mjs ends the runtime and itself
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the runtime: %v", err)
			}
		case <-time.After(stopPeriod):
			t.Errorf("the runtime did not end within %v", stopPeriod)
		}
		// Whatever is left of the group; normally there is nothing.
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		if messages.Len() > 0 {
			t.Errorf("the runtime wrote:\n%s", messages.String())
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), startPeriod)
	defer cancel()
	select {
	case base = <-address:
	case <-ctx.Done():
	}
	if !strings.HasPrefix(base, "http://127.0.0.1:") {
		t.Fatalf("the runtime did not start within %v: %q", startPeriod, base)
	}
	return strings.TrimSuffix(base, "/")
}
