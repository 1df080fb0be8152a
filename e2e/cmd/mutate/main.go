// Command mutate puts faults into a package, one at a time, and says which of them
// its tests do not notice. It is how the tests of the rules of risk are tested:
//
//	go run ./e2e/cmd/mutate core/risk
//
// All faults are compiled into one test binary, each behind a number, and the binary
// runs once for each number. A fault that no test notices is a test that is missing,
// or no fault: those stand in equivalent.txt of the folder of this command, with the
// reason. The exit status is 1 where another survives.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags of the command.
type options struct {
	folder     string
	equivalent string
	except     string
	every      int
	parallel   int
	timeout    time.Duration
	list       bool
}

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	var o options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.StringVar(&o.equivalent, "equivalent", "e2e/cmd/mutate/equivalent.txt", "the faults that are none, each with its reason")
	flags.StringVar(&o.except, "except", "base_*.go", "files to put no faults into; e2e/rules has all of the base tiers written down")
	flags.IntVar(&o.every, "every", 1, "try only each n-th fault")
	flags.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "how many faults to try at once")
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "how long the tests may take with one fault; more counts as noticed")
	flags.BoolVar(&o.list, "list", false, "list the faults and try none")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 {
		return say(errs, 2, "usage: mutate [flags] FOLDER")
	}
	o.folder = flags.Arg(0)
	if err := mutate(ctx, o, out); err != nil {
		return say(errs, 1, "mutate: "+err.Error())
	}
	return 0
}

// say prints a last line and gives the exit status.
func say(to io.Writer, status int, text string) int {
	if _, err := fmt.Fprintln(to, text); err != nil {
		return 1
	}
	return status
}
