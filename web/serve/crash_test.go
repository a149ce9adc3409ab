//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestLinksSurviveKill kills the real server with SIGKILL while links are being
// written, three times in a row on one file, and then asks for every link that
// was answered.
func TestLinksSurviveKill(t *testing.T) {
	const (
		rounds  = 3
		writers = 8
		enough  = 150 // answers of a round before the kill
	)
	binary := filepath.Join(t.TempDir(), "serve")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir, file := builtDir(t), filepath.Join(t.TempDir(), "links")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answered := map[string]string{} // path to fragment
	for round := range rounds {
		server, address := startServer(t, binary, "-dir", dir, "-links", file)
		var mutex sync.Mutex
		var all sync.WaitGroup
		reached := make(chan struct{})
		before := len(answered)
		for writer := range writers {
			all.Go(func() {
				for n := 2; ; n++ { // A1 would be printed as A
					fragment := fmt.Sprintf("1/sweep/A%dB%dA%d@0", round+2, writer+2, n)
					path, err := postLink(client, address, fragment)
					if err != nil {
						return // the server is gone
					}
					mutex.Lock()
					answered[path] = fragment
					if len(answered) == before+enough {
						close(reached)
					}
					mutex.Unlock()
				}
			})
		}
		<-reached
		if err := server.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = server.Wait()
		all.Wait()
		if len(answered) < before+enough {
			t.Fatalf("round %d: %d links answered", round, len(answered)-before)
		}
	}

	_, address := startServer(t, binary, "-dir", dir, "-links", file)
	for path, fragment := range answered {
		answer, err := client.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if got := answer.Header.Get("Location"); answer.StatusCode != 302 || got != "/#"+fragment {
			t.Errorf("%s: status %d to %q, want %q", path, answer.StatusCode, got, "/#"+fragment)
		}
	}
	t.Logf("%d links answered and found again", len(answered))
}

func TestASecondServerDoesWithoutTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "links")
	dir := builtDir(t)
	start := func() *bufio.Reader {
		read, write := io.Pipe()
		ended := make(chan error, 1)
		ctx, cancel := context.WithCancel(context.Background())
		go func() { ended <- run(ctx, write, settings{dir: dir, links: file}) }()
		t.Cleanup(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
		lines := bufio.NewReader(read)
		if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "http://") {
			t.Fatalf("%q, %v", line, err)
		}
		return lines
	}
	start()
	second := start()
	if line, err := second.ReadString('\n'); err != nil || !strings.Contains(line, "no short links here: links: "+file+": another server has it open") {
		t.Errorf("%q, %v", line, err)
	}
	wantError(t, run(t.Context(), io.Discard, settings{dir: dir, links: dir}), dir, "cannot be opened")
}

// startServer starts the program and returns once it answers.
func startServer(t *testing.T, binary string, args ...string) (server *exec.Cmd, address string) {
	t.Helper()
	server = exec.Command(binary, args...)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill() // the kill of a round has already ended most of them
		_ = server.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(line, "http://")
	host, _, _ := strings.Cut(rest, "/")
	return server, "http://" + host
}

func postLink(client *http.Client, address, fragment string) (path string, err error) {
	answer, err := client.Post(address+"/api/v1/links", "application/json", strings.NewReader(`{"fragment":"`+fragment+`"}`))
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var link struct{ Path string }
	if err := json.NewDecoder(answer.Body).Decode(&link); err != nil || answer.StatusCode != 200 {
		return "", fmt.Errorf("status %d: %v", answer.StatusCode, err)
	}
	return link.Path, nil
}
