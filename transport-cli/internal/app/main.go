// Package app is the program forti: its root command, its wiring and its exit
// statuses.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/forti-mcp/forti/adapters/system"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Main runs the program with its arguments (the program's name left out) and
// environment, and gives its exit status. The first interrupt, SIGTERM or lost
// terminal ends it in order: an apply between two operations. A reader that goes
// away ends nothing in the middle.
func Main(args, env []string, in io.Reader, out, errs io.Writer) int {
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	return newApp(env, in, out, errs).run(ctx, args)
}

// endings are the signals that end the program in order. One that it was told to
// ignore, as by nohup, stays ignored.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// app is one run of the program.
type app struct {
	env   map[string]string
	frame *command.Frame
	flags flags
	// clock waits in ceremonies; tests put another in its place.
	clock terminal.Clock
	// running is set when the arguments were understood and a command begins.
	running bool
	product product
}

func newApp(env []string, in io.Reader, out, errs io.Writer) *app {
	a := &app{
		env:   map[string]string{},
		frame: &command.Frame{In: in, Out: out, Err: errs, Format: view.Table},
		clock: system.Clock{},
	}
	for _, pair := range env {
		if name, value, ok := strings.Cut(pair, "="); ok {
			a.env[name] = value
		}
	}
	return a
}

func (a *app) getenv(name string) string { return a.env[name] }

// run gives the exit status.
func (a *app) run(ctx context.Context, args []string) (exit int) {
	defer func() {
		if r := recover(); r != nil {
			_, _ = fmt.Fprintf(a.frame.Err, "%s\n%s", redact.Line(redact.Text(fmt.Sprint(r)), 500), debug.Stack())
			exit = a.report(fault.New(fault.Internal, "an internal error occurred; the diagnostics are on stderr"))
		}
	}()
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if !a.running {
		a.frame.Format = wanted(args, a.frame.Format)
	}
	if closed := a.product.close(); closed != nil && err == nil {
		err = fault.Wrap(closed, fault.Internal, "the program could not be ended in order")
	}
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = fault.Wrap(err, fault.DeviceUnreachable, "interrupted; %s", fault.From(err).Message)
	}
	return a.report(err)
}
