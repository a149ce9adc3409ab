//go:build !js

package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRunAnswersOnLoopbackUntilItIsStopped(t *testing.T) {
	dir := builtDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, write, settings{dir: dir}) }()

	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(line, "http://127.0.0.1:")
	if !found {
		t.Fatalf("the printed address is not on loopback: %q", line)
	}
	port, _, _ := strings.Cut(rest, "/")
	answer, err := http.Get("http://127.0.0.1:" + port + "/")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if string(body) != "<p>hello" {
		t.Errorf("got %q", body)
	}

	cancel()
	if err := <-ended; err != nil {
		t.Errorf("stopping: %v", err)
	}
	if _, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
		t.Error("the port still answers after the end")
	}
}

func TestListenWithAPortThatIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	_, err = listen(port, true)
	wantError(t, err, "is taken by another program", "./build.sh serve PORT", taken.Addr().String()[len("127.0.0.1:"):])
}

func TestListenWithoutAPortGoesOnToAFreeOne(t *testing.T) {
	first, err := listen(0, false)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := listen(0, false)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	a, b := first.Addr().(*net.TCPAddr), second.Addr().(*net.TCPAddr)
	if a.Port < firstPort || b.Port <= a.Port || b.Port >= firstPort+portsToTry {
		t.Errorf("got ports %d and %d", a.Port, b.Port)
	}
	if !a.IP.IsLoopback() || !b.IP.IsLoopback() {
		t.Errorf("got addresses %v and %v: not loopback", a, b)
	}
}

func TestListenOutOfRange(t *testing.T) {
	for _, port := range []int{-1, 0, 65536} {
		_, err := listen(port, true)
		wantError(t, err, "from 1 to 65535")
	}
}

func TestRunWithoutAPage(t *testing.T) {
	empty := t.TempDir()
	wantError(t, run(t.Context(), io.Discard, settings{dir: empty}), empty, "no index.html", "./build.sh build")
	missing := filepath.Join(empty, "missing")
	wantError(t, run(t.Context(), io.Discard, settings{dir: missing}), missing, "no such file", "./build.sh build")
}

func builtDir(t *testing.T) string {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<p>hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not contain %q", err, part)
		}
	}
}
