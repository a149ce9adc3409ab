//go:build !js

package browsertest

import (
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sharedbatches/web"
)

// lighthousePath is where npm ci puts Lighthouse, which loads a page as a phone would.
const lighthousePath = "web/lighthouse/node_modules/.bin/lighthouse"

// Lighthouse serves dist on loopback and returns how Lighthouse finds its first page on
// a slowed phone: the categories from 0 to 100 under their names, and what the first is
// made of, in milliseconds. It starts a browser of its own.
func Lighthouse(t testing.TB, dist fs.FS) (categories, ms map[string]float64) {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(root, lighthousePath))
	if err == nil {
		_, err = os.Stat(program)
	}
	if err != nil {
		t.Skip("no Lighthouse: install it with: npm ci --prefix web/lighthouse")
	}
	chromium, err := find()
	if err != nil {
		t.Skip(err)
	}
	server := httptest.NewServer(web.New(dist))
	defer server.Close()
	out := filepath.Join(t.TempDir(), "report.json")
	run := exec.Command(program, server.URL+"/", "--quiet", "--output=json", "--output-path="+out,
		"--only-categories=performance,accessibility,best-practices",
		// The same as in start, for the same reasons.
		"--chrome-flags=--headless --no-sandbox --disable-gpu --disable-quic --disable-component-update --no-proxy-server "+
			"--host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'")
	run.Env = append(os.Environ(), "CHROME_PATH="+chromium)
	if text, err := run.CombinedOutput(); err != nil {
		t.Fatalf("lighthouse: %v\n%s", err, text)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Categories map[string]struct{ Score float64 }
		Audits     map[string]struct{ NumericValue float64 }
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatalf("lighthouse: its report: %v", err)
	}
	categories, ms = map[string]float64{}, map[string]float64{}
	for name, c := range report.Categories {
		categories[name] = 100 * c.Score
	}
	for _, name := range []string{"first-contentful-paint", "largest-contentful-paint", "total-blocking-time"} {
		ms[name] = report.Audits[name].NumericValue
	}
	return categories, ms
}
