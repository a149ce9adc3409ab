//go:build !js

package browsertest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// root is the top of the repository. Tests run in their package's directory, which
// is somewhere below it.
var root = findRoot()

func findRoot() string {
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Join("..", dir)
	}
	return dir
}

// names are what the browser is called on different systems.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// browser is the one process that all tests of a run share; each test gets a
// profile of its own in it. Starting a process takes about a second.
var browser struct {
	once sync.Once
	ctx  context.Context
	stop context.CancelFunc
	err  error
}

// start returns the context of the running browser, or skips the test.
func start(t testing.TB) context.Context {
	t.Helper()
	path, err := find()
	if err != nil {
		unavailable(t, err.Error())
	}
	browser.once.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:],
			chromedp.ExecPath(path),
			chromedp.NoSandbox, // the sandbox needs rights that a container lacks; only our own pages are opened
			chromedp.DisableGPU,
			chromedp.Flag("disable-quic", true),
			chromedp.Flag("disable-component-update", true),
			// No name and no address but loopback resolves, whatever a page asks for.
			chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
			chromedp.Flag("no-proxy-server", true),
		)
		allocated, stopAllocated := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, stopBrowser := chromedp.NewContext(allocated)
		browser.ctx = ctx
		browser.stop = func() { stopBrowser(); stopAllocated() }
		browser.err = chromedp.Do(ctx) // without a limit: it would end the browser later
	})
	if browser.err != nil {
		t.Fatalf("%s: does not start: %v", path, browser.err)
	}
	return browser.ctx
}

// Stop ends the browser, if a test has started it. TestMain calls it last.
func Stop() error {
	if browser.stop == nil {
		return nil
	}
	defer browser.stop()
	return chromedp.Cancel(browser.ctx)
}

func find() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("CHROMIUM=%s: cannot be run: %w", path, err)
		}
		return found, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium: install it with: apt-get install chromium fonts-liberation")
}

// Dist returns the built files, or skips the test when nothing is built.
func Dist(t testing.TB) fs.FS {
	t.Helper()
	dist := os.DirFS(filepath.Join(root, "dist"))
	if _, err := fs.Stat(dist, "index.html"); err != nil {
		unavailable(t, "dist has no index.html: build it with: ./build.sh build")
	}
	return dist
}

// unavailable ends a test that lacks what it needs: it fails where browser tests
// are required, so that a run cannot pass by testing nothing.
func unavailable(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("BROWSER_TEST") == "required" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}
