package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var built = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func file(content string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(content), ModTime: built}
}

// testDist is a small dist; "<br>" and "<gz>" stand for compressed bytes.
func testDist() fstest.MapFS {
	return fstest.MapFS{
		"index.html":            file("<h1>page</h1>"),
		"page.wasm":             file("plain wasm"),
		"page.wasm.br":          file("<br>"),
		"page.wasm.gz":          file("<gz> longer"),
		"page.js":               file("1"),
		"page.3f9a01bc.css":     file("a{}"),
		"only.txt":              file("text"),
		"only.txt.gz":           file("<gz>"),
		"lonely.gz":             file("an archive of its own"),
		"docs/index.html":       file("<h1>docs</h1>"),
		"docs/more/picture.svg": file("<svg/>"),
		"unknown.bin":           file("?"),
	}
}

func ask(t *testing.T, method, target string, header ...string) *http.Response {
	t.Helper()
	return askOf(t, New(testDist()), method, target, header...)
}

func askOf(t *testing.T, handler http.Handler, method, target string, header ...string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Result()
}

func body(t *testing.T, answer *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func wantHeader(t *testing.T, answer *http.Response, name string, want ...string) {
	t.Helper()
	got := answer.Header.Values(name)
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

func TestContentTypes(t *testing.T) {
	for target, want := range map[string]string{
		"/":                      "text/html; charset=utf-8",
		"/index.html":            "text/html; charset=utf-8",
		"/docs/":                 "text/html; charset=utf-8",
		"/page.wasm":             "application/wasm",
		"/page.js":               "text/javascript; charset=utf-8",
		"/page.3f9a01bc.css":     "text/css; charset=utf-8",
		"/docs/more/picture.svg": "image/svg+xml; charset=utf-8",
		"/unknown.bin":           "application/octet-stream",
	} {
		answer := ask(t, "GET", target)
		if answer.StatusCode != 200 {
			t.Errorf("%s: status %d", target, answer.StatusCode)
		}
		wantHeader(t, answer, "Content-Type", want)
	}
}

func TestCompressedRepresentations(t *testing.T) {
	for _, c := range []struct{ target, accept, encoding, body, vary string }{
		{"/page.wasm", "gzip, deflate, br, zstd", "br", "<br>", "Accept-Encoding"},
		{"/page.wasm", "gzip", "gzip", "<gz> longer", "Accept-Encoding"},
		{"/page.wasm", "GZIP;Q=0.5", "gzip", "<gz> longer", "Accept-Encoding"},
		{"/page.wasm", "br;q=0.2, gzip;q=0.8", "gzip", "<gz> longer", "Accept-Encoding"},
		{"/page.wasm", "br;q=0, gzip;q=0", "", "plain wasm", "Accept-Encoding"},
		{"/page.wasm", "br;q=2, gzip;level=9", "", "plain wasm", "Accept-Encoding"},
		{"/page.wasm", "*", "br", "<br>", "Accept-Encoding"},
		{"/page.wasm", "br;q=0, *", "gzip", "<gz> longer", "Accept-Encoding"},
		{"/page.wasm", "identity", "", "plain wasm", "Accept-Encoding"},
		{"/page.wasm", "", "", "plain wasm", "Accept-Encoding"},
		{"/only.txt", "br, gzip", "gzip", "<gz>", "Accept-Encoding"},
		{"/only.txt", "br", "", "text", "Accept-Encoding"},
		{"/page.js", "br, gzip", "", "1", ""},
	} {
		answer := ask(t, "GET", c.target, "Accept-Encoding", c.accept)
		name := c.target + " for " + c.accept
		if got := body(t, answer); got != c.body {
			t.Errorf("%s: body %q, want %q", name, got, c.body)
		}
		if got := answer.Header.Get("Content-Encoding"); got != c.encoding {
			t.Errorf("%s: Content-Encoding %q, want %q", name, got, c.encoding)
		}
		if got := strings.Join(answer.Header.Values("Vary"), "|"); got != c.vary {
			t.Errorf("%s: Vary %q, want %q", name, got, c.vary)
		}
		if answer.ContentLength != int64(len(c.body)) {
			t.Errorf("%s: Content-Length %d, want %d", name, answer.ContentLength, len(c.body))
		}
	}
	wantHeader(t, ask(t, "GET", "/page.wasm", "Accept-Encoding", "br"), "Content-Type", "application/wasm")
}

func TestAStaleCompressedFileIsNotServed(t *testing.T) {
	dist := testDist()
	dist["page.wasm"].ModTime = built.Add(time.Second)
	answer := askOf(t, New(dist), "GET", "/page.wasm", "Accept-Encoding", "br, gzip")
	if got := body(t, answer); got != "plain wasm" {
		t.Errorf("got %q", got)
	}
}

func TestCompressedFilesHaveNoAddressOfTheirOwn(t *testing.T) {
	for target, want := range map[string]int{
		"/page.wasm.br": 404, "/page.wasm.gz": 404, "/only.txt.gz": 404, "/lonely.gz": 200,
	} {
		if got := ask(t, "GET", target).StatusCode; got != want {
			t.Errorf("%s: status %d, want %d", target, got, want)
		}
	}
}

func TestARealTransportUnpacksWhatIsServed(t *testing.T) {
	want := strings.Repeat("the same bytes ", 1000)
	var packed bytes.Buffer
	squeezer := gzip.NewWriter(&packed)
	io.WriteString(squeezer, want)
	squeezer.Close()
	server := httptest.NewServer(New(fstest.MapFS{"a.txt": file(want), "a.txt.gz": file(packed.String())}))
	defer server.Close()
	answer, err := http.Get(server.URL + "/a.txt") // asks for gzip and unpacks it
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got := body(t, answer); got != want || !answer.Uncompressed {
		t.Errorf("got %d bytes, uncompressed %v; want %d bytes", len(got), answer.Uncompressed, len(want))
	}
}

func TestCaching(t *testing.T) {
	for target, want := range map[string]string{
		"/":                  cacheChecked,
		"/?v=1":              cacheChecked, // a page may be shared with any query
		"/page.wasm":         cacheChecked,
		"/page.wasm?v=":      cacheChecked,
		"/page.wasm?v=2":     cacheForever,
		"/page.3f9a01bc.css": cacheForever,
		"/nothing?v=2":       "no-store",
	} {
		answer := ask(t, "GET", target)
		if got := answer.Header.Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control %q, want %q", target, got, want)
		}
	}
}

func TestETags(t *testing.T) {
	dist := testDist()
	handler := New(dist)
	plain := askOf(t, handler, "GET", "/page.wasm").Header.Get("ETag")
	packed := askOf(t, handler, "GET", "/page.wasm", "Accept-Encoding", "br").Header.Get("ETag")
	if plain == "" || packed == "" || plain == packed {
		t.Fatalf("tags %q and %q: want two different ones", plain, packed)
	}
	for _, header := range []string{packed, "W/" + packed, `"other", ` + packed, "*"} {
		answer := askOf(t, handler, "GET", "/page.wasm", "Accept-Encoding", "br", "If-None-Match", header)
		if answer.StatusCode != 304 || body(t, answer) != "" {
			t.Errorf("If-None-Match %s: status %d, want 304 without a body", header, answer.StatusCode)
		}
		wantHeader(t, answer, "ETag", packed)
		wantHeader(t, answer, "Vary", "Accept-Encoding")
		wantHeader(t, answer, "Cache-Control", cacheChecked)
		wantHeader(t, answer, "Content-Length")
	}
	for _, header := range []string{plain, `"other"`, ""} {
		answer := askOf(t, handler, "GET", "/page.wasm", "Accept-Encoding", "br", "If-None-Match", header)
		if answer.StatusCode != 200 {
			t.Errorf("If-None-Match %s: status %d, want 200", header, answer.StatusCode)
		}
	}

	// The handler notices a new build without being started again.
	dist["page.wasm"] = &fstest.MapFile{Data: []byte("other wasm"), ModTime: built.Add(time.Second)}
	if got := askOf(t, handler, "GET", "/page.wasm").Header.Get("ETag"); got == plain {
		t.Error("the tag stayed the same when the file changed")
	}
}

func TestSecurityHeadersAreOnEveryAnswer(t *testing.T) {
	for _, c := range []struct {
		method, target string
		status         int
	}{
		{"GET", "/", 200}, {"HEAD", "/page.wasm", 200}, {"GET", "/nothing", 404}, {"POST", "/", 405}, {"GET", "/docs", 301},
	} {
		answer := ask(t, c.method, c.target)
		if answer.StatusCode != c.status {
			t.Errorf("%s %s: status %d, want %d", c.method, c.target, answer.StatusCode, c.status)
		}
		wantHeader(t, answer, "Content-Security-Policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'")
		wantHeader(t, answer, "X-Content-Type-Options", "nosniff")
		wantHeader(t, answer, "Referrer-Policy", "no-referrer")
		wantHeader(t, answer, "Cross-Origin-Resource-Policy", "cross-origin")
		wantHeader(t, answer, "Access-Control-Allow-Origin", "*")
		wantHeader(t, answer, "X-Frame-Options") // it must be embeddable
		wantHeader(t, answer, "Set-Cookie")
	}
}

func TestMethods(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		answer := ask(t, method, "/page.wasm")
		if answer.StatusCode != 405 || !strings.Contains(body(t, answer), "GET or HEAD, not "+method) {
			t.Errorf("%s: status %d, want 405 and a reason", method, answer.StatusCode)
		}
		wantHeader(t, answer, "Allow", "GET, HEAD")
	}
	get, head := ask(t, "GET", "/page.wasm"), ask(t, "HEAD", "/page.wasm")
	if content := body(t, head); content != "" || head.StatusCode != 200 {
		t.Errorf("HEAD: status %d, body %q", head.StatusCode, content)
	}
	for _, name := range []string{"Content-Length", "Content-Type", "ETag", "Cache-Control", "Vary"} {
		wantHeader(t, head, name, get.Header.Values(name)...)
	}
	if missing := ask(t, "HEAD", "/nothing"); missing.StatusCode != 404 || body(t, missing) != "" {
		t.Errorf("HEAD of nothing: status %d", missing.StatusCode)
	}
}

func TestDirectoriesAreNeverListed(t *testing.T) {
	for target, want := range map[string]int{
		"/docs/": 200, "/docs/more": 404, "/docs/more/": 404, "/index.html/": 404,
	} {
		answer := ask(t, "GET", target)
		if content := body(t, answer); answer.StatusCode != want || strings.Contains(content, "picture.svg") {
			t.Errorf("%s: status %d, want %d; body %q", target, answer.StatusCode, want, content)
		}
	}
	wantHeader(t, ask(t, "GET", "/docs?a=b"), "Location", "./docs/?a=b")
}

func TestTraversalStaysInside(t *testing.T) {
	outside := t.TempDir()
	dist := filepath.Join(outside, "dist")
	write := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret.txt"), "secret")
	write(filepath.Join(dist, "index.html"), "page")
	if err := os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(dist, "link.txt")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dist)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	handler := New(root.FS())
	if got := askOf(t, handler, "GET", "/").StatusCode; got != 200 {
		t.Fatalf("/: status %d", got)
	}
	for _, target := range []string{
		"/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/x/../../secret.txt", "//secret.txt", "/./index.html",
		"/..%5csecret.txt", "/%00", "/index.html%00.txt", "/link.txt", "/" + filepath.ToSlash(outside) + "/secret.txt",
	} {
		answer := askOf(t, handler, "GET", target)
		if content := body(t, answer); answer.StatusCode != 404 || strings.Contains(content, ">secret<") || content == "secret" {
			t.Errorf("%s: status %d, body %q", target, answer.StatusCode, content)
		}
	}
}

func TestNotFoundIsInPlainWordsAndInert(t *testing.T) {
	answer := ask(t, "GET", "/%3Cscript%3Ealert(1)%3C/script%3E")
	content := body(t, answer)
	if answer.StatusCode != 404 || !strings.Contains(content, "There is nothing at") {
		t.Errorf("status %d, body %q", answer.StatusCode, content)
	}
	if strings.Contains(content, "<script>") {
		t.Errorf("the path came back as markup: %q", content)
	}
	wantHeader(t, answer, "Content-Type", "text/html; charset=utf-8")
}
