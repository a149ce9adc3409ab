package web_test

import (
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"sharedbatches/web"
)

// TestFraming holds that one page may have frames of our own origin and no other page
// may have any, natively and in what the edge is told.
func TestFraming(t *testing.T) {
	edge, err := os.ReadFile("edge/_headers")
	if err != nil {
		t.Fatal(err)
	}
	handler := web.New(fstest.MapFS{"index.html": {}, "docs-example.html": {}, "embed/sweep.html": {}})
	policies := regexp.MustCompile(`(?m)^  Content-Security-Policy: (.*)$`).FindAllStringSubmatch(string(edge), -1)
	if len(policies) != 2 {
		t.Fatalf("the edge has %d policies, want 2", len(policies))
	}
	for path, want := range map[string]string{"/": policies[0][1], "/embed/sweep.html": policies[0][1], "/docs-example.html": policies[1][1]} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
		got := answer.Header().Get("Content-Security-Policy")
		if got != want {
			t.Errorf("%s: the policy is %q, at the edge %q", path, got, want)
		}
		if frames := strings.Contains(got, "frame-src 'self'"); frames != (path == "/docs-example.html") {
			t.Errorf("%s: the policy is %q", path, got)
		}
	}
}
