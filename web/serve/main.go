//go:build !js

// Command serve shows the built playground on this machine only. Built for js it is
// the Worker at the edge instead (main_js.go).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"sharedbatches/web"
	"sharedbatches/web/linkfile"
)

const (
	firstPort     = 8080
	portsToTry    = 100
	closingPeriod = 2 * time.Second // for answers under way when the server is told to stop
)

func main() {
	var s settings
	flag.StringVar(&s.dir, "dir", "dist", "directory of built files")
	flag.IntVar(&s.port, "port", 0, fmt.Sprintf("port to listen on (default: the first free one from %d)", firstPort))
	flag.StringVar(&s.links, "links", "", "file that keeps the short links (default: there are none)")
	flag.Parse()
	flag.Visit(func(f *flag.Flag) { s.portGiven = s.portGiven || f.Name == "port" })
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "serve: %q: only flags are understood: -dir, -port and -links\n", flag.Arg(0))
		os.Exit(2)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, s); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

// settings are what the flags say.
type settings struct {
	dir       string
	port      int
	portGiven bool
	links     string // "": no short links
}

// run serves the files until ctx ends. It prints the address once it answers there.
func run(ctx context.Context, out io.Writer, s settings) error {
	// A root refuses symbolic links that lead out of the directory.
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return fmt.Errorf("%s: cannot be opened: %w (./build.sh build makes it)", s.dir, errors.Unwrap(err))
	}
	defer root.Close()
	if _, err := fs.Stat(root.FS(), "index.html"); err != nil {
		return fmt.Errorf("%s: it has no index.html: ./build.sh build makes it", s.dir)
	}
	var links web.Links // stays nil without a file
	var without error
	if s.links != "" {
		file, err := linkfile.Open(s.links)
		switch {
		case errors.Is(err, linkfile.ErrTaken):
			without = err // the playground is worth having all the same
		case err != nil:
			return err
		default:
			defer file.Close()
			links = file
		}
	}
	listener, err := listen(s.port, s.portGiven)
	if err != nil {
		return err
	}

	server := &http.Server{
		Handler:           web.NewWithLinks(root.FS(), links),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second, // a body has at most 64 KiB
		IdleTimeout:       2 * time.Minute,
	}
	fmt.Fprintf(out, "The playground is at http://%s/ (Ctrl+C ends it)\n", listener.Addr())
	if without != nil {
		fmt.Fprintf(out, "There are no short links here: %v (-links FILE gives this server a file of its own)\n", without)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.Background(), closingPeriod)
	defer cancel()
	if err := server.Shutdown(closing); err != nil {
		return server.Close()
	}
	return nil
}

// listen opens the given port on loopback, or the first free one from firstPort
// when none was given.
func listen(port int, given bool) (net.Listener, error) {
	if !given {
		for port := firstPort; port < firstPort+portsToTry; port++ {
			listener, err := listenLoopback(port)
			if !errors.Is(err, syscall.EADDRINUSE) {
				return listener, err
			}
		}
		return nil, fmt.Errorf("ports %d to %d are all taken: choose another one: ./build.sh serve PORT",
			firstPort, firstPort+portsToTry-1)
	}
	if port < 1 || port > 65535 {
		return nil, fmt.Errorf("port %d: a port is a number from 1 to 65535", port)
	}
	listener, err := listenLoopback(port)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is taken by another program: choose another one with ./build.sh serve PORT, "+
			"or leave the port out to get a free one", port)
	}
	if errors.Is(err, syscall.EACCES) {
		return nil, fmt.Errorf("port %d may not be opened by this user: choose one from 1024 up", port)
	}
	return listener, err
}

func listenLoopback(port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}
