// Command classroom checks, plays and explores scenario files.
//
// It exits with 0 when what a file expects holds, 1 when it does not, and 2 when the
// command could not run.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	exitHolds    = 0
	exitDiffers  = 1
	exitCannotDo = 2
)

type cli struct {
	Check   checkCmd   `cmd:"" help:"Validate scenario files and play them against their expectation."`
	Run     runCmd     `cmd:"" help:"Play a scenario and print the trace."`
	Explore exploreCmd `cmd:"" help:"Search every schedule of a scenario."`
	Proofs  proofsCmd  `cmd:"" help:"Decide every published variant by searching its whole space."`
	Meter   meterCmd   `cmd:"" help:"Run a churning view in every mode under a random scheduler and count what it costs."`
	Blobs   blobsCmd   `cmd:"" help:"Write the blobs at the end of a scenario as Arrow files."`
	New     newCmd     `cmd:"" help:"Write a commented template to start from."`
}

// console is where a command prints; tests give their own.
type console struct {
	out, err io.Writer
	terminal bool // whether err is a terminal, so progress may be shown
}

// errDiffers says that an expectation did not hold; what differs is printed already.
var errDiffers = errors.New("expectation does not hold")

func main() {
	info, err := os.Stderr.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	os.Exit(run(os.Args[1:], &console{os.Stdout, os.Stderr, terminal}))
}

func run(args []string, c *console) int {
	var commands cli
	code := -1
	parser, err := kong.New(&commands, kong.Name("classroom"),
		kong.Description("Scripted scenarios of the Shared Batches Playground."),
		kong.Writers(c.out, c.err), kong.Exit(func(n int) { code = n }), kong.Bind(c))
	if err != nil {
		fmt.Fprintln(c.err, err)
		return exitCannotDo
	}
	ctx, err := parser.Parse(args)
	if code >= 0 {
		return code // help was shown
	}
	if err != nil {
		fmt.Fprintln(c.err, "classroom:", err)
		return exitCannotDo
	}
	switch err := ctx.Run(); {
	case err == nil:
		return exitHolds
	case errors.Is(err, errDiffers):
		return exitDiffers
	default:
		fmt.Fprintln(c.err, err)
		return exitCannotDo
	}
}
