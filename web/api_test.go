//go:build !js

package web

import (
	"io"
	"log"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sharedbatches/web/linkfile"
)

func openLinks(t *testing.T) *linkfile.File {
	t.Helper()
	links, err := linkfile.Open(filepath.Join(t.TempDir(), "links"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { links.Close() })
	return links
}

// TestLinksThatCollide takes the shorter ids of a link away, one after another.
func TestLinksThatCollide(t *testing.T) {
	links := openLinks(t)
	const fragment = "1/sweep/A4B3@6"
	whole := digest(fragment)
	for n := idLength; n <= len(whole); n += idMore {
		for range 2 { // asking again gives the same id
			if id, err := addLink(links, fragment); err != nil || id != whole[:n] {
				t.Fatalf("id %q, error %v; want %q", id, err, whole[:n])
			}
		}
		// What a colliding link, or a fault of the store, would have left there.
		links = openLinks(t)
		for taken := idLength; taken <= n; taken += idMore {
			if _, err := links.Add(whole[:taken], "1/sweep/other@0"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := addLink(links, fragment); err == nil {
		t.Error("no error although every id is taken")
	}
	a := &api{links}
	if _, err := a.findLink(whole[:idLength]); err == nil || !strings.Contains(err.Error(), "there is none") {
		t.Errorf("an id that its content does not have: %v", err)
	}
}

func TestShortLinksAreOffWithoutAStore(t *testing.T) {
	handler := New(testDist())
	request := httptest.NewRequest("POST", "/api/v1/links", strings.NewReader(`{"fragment":"1/sweep/A4@0"}`))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	for _, answer := range []*httptest.ResponseRecorder{recorder, record(t, "/s/szfvqf3fh3no")} {
		if text := answer.Body.String(); answer.Code != 404 || !strings.Contains(text, "short links are off") {
			t.Errorf("status %d, body %s", answer.Code, text)
		}
	}
}

// record asks the handler without short links for an address.
func record(t *testing.T, target string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	New(testDist()).ServeHTTP(recorder, httptest.NewRequest("GET", target, nil))
	return recorder
}

func TestAPersonGetsAPageForALinkThatLeadsNowhere(t *testing.T) {
	answer := ask(t, "GET", "/s/szfvqf3fh3no", "Accept", "text/html,application/xhtml+xml;q=0.9")
	if text := body(t, answer); answer.StatusCode != 404 || !strings.Contains(text, "leads nowhere") {
		t.Errorf("status %d, body %s", answer.StatusCode, text)
	}
	wantHeader(t, answer, "Content-Type", "text/html; charset=utf-8")
	wantHeader(t, answer, "Vary", "Accept")
}

// TestAPanicIsAnswered lets an endpoint panic, here by a store that is none.
func TestAPanicIsAnswered(t *testing.T) {
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	var none *linkfile.File
	recorder := httptest.NewRecorder()
	NewWithLinks(testDist(), none).ServeHTTP(recorder, httptest.NewRequest("GET", "/s/szfvqf3fh3no", nil))
	if recorder.Code != 500 || recorder.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("status %d, %v", recorder.Code, recorder.Header())
	}
}

func TestSegments(t *testing.T) {
	for address, want := range map[string]string{
		"/":                    "",
		"/api/v1/run":          "api|v1|run",
		"/api/v1/lessons/":     "api|v1|lessons|",
		"/api/../s/x":          "s|x",
		"/api/%2e%2E/s/./x":    "s|x",
		"/../../api":           "api",
		"/api/v1/..":           "api|",
		"/api/v1/.":            "api|v1|",
		"/s/..%2f..%2fapi":     "s|../../api",
		"/s/%2e%2e%5cx":        `s|..\x`,
		"//api":                "|api",
		"/s/%00%3Cscript%3E":   "s|\x00<script>",
		"/s/a%20b":             "s|a b",
		"/..":                  "",
		"http://a.example/api": "api",
	} {
		u, err := url.ParseRequestURI(address) // as net/http reads it
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(segments(u), "|"); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
