// Package app is the program forti-mcp: its command line, the protection of the
// protocol stream, the signals, and the wiring of the server to its adapters.
package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/user"
	"time"

	"go.uber.org/zap"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/transport-stdio/mcp"
)

// What the program is.
const (
	Name    = mcp.Name
	Version = "0.1.0"
)

// The exit statuses.
const (
	// ended: stdin closed, or a signal asked for the end.
	ended = 0
	// broken: stdin could not be read, stdout not written, or nothing was served.
	broken = 1
	// misused: the command line is invalid.
	misused = 2
)

// stopTime bounds how long the adapters may take to close. An apply has ended by
// then, so this is about connections and files.
const stopTime = 2 * time.Minute

// Main runs the program and gives its exit status. args are without the program's
// name. Where out is the process's own standard output, it is kept for protocol
// messages: whatever else writes to file descriptor 1 reaches standard error.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	return run(args, build, in, out, errs)
}

func run(args []string, build builder, in io.Reader, out, errs io.Writer) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return show(out, usage)
	case err != nil:
		_, _ = fmt.Fprintf(errs, "forti-mcp: %v\nRun forti-mcp --help for the options.\n", err)
		return misused
	case o.version:
		return show(out, Name+" "+Version+"\n")
	}
	if err := serve(o, build, in, out, errs); err != nil {
		_, _ = fmt.Fprintf(errs, "forti-mcp: %v\n", err)
		return broken
	}
	return ended
}

func show(out io.Writer, text string) int {
	if _, err := io.WriteString(out, text); err != nil {
		return broken
	}
	return ended
}

// serve runs the server until its input or the process is to end.
func serve(o Options, build builder, in io.Reader, out, errs io.Writer) error {
	if out == io.Writer(os.Stdout) {
		private, err := guard()
		if err != nil {
			return fmt.Errorf("standard output cannot be kept for the protocol: %w", err)
		}
		out = private
	}
	ctx, release := untilSignal(context.Background())
	defer release()
	g, err := build(o, errs)
	if err != nil {
		return err
	}
	defer g.close()
	server, err := mcp.New(g.engine, &mcp.Options{Version: Version, ReadOnly: o.ReadOnly, Logger: g.logger})
	if err != nil {
		return err
	}
	return server.Serve(ctx, in, out)
}

// caller says who runs this process, for audit records. What the system does not
// tell stays empty.
func caller() engine.Caller {
	c := engine.Caller{Program: Name, UID: os.Getuid(), PID: os.Getpid()}
	if host, err := os.Hostname(); err == nil {
		c.Host = host
	}
	if u, err := user.Current(); err == nil {
		c.User = u.Username
	}
	return c
}

// builder makes what a server needs. errs takes diagnostics.
type builder func(o Options, errs io.Writer) (graph, error)

// graph is what was built, and how it is taken down.
type graph struct {
	engine mcp.Engine
	logger *zap.Logger
	stop   func(ctx context.Context) error
}

// close takes the adapters down. A failure is logged and changes no exit status:
// every message has been answered by then.
func (g graph) close() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if err := g.stop(ctx); err != nil {
		g.logger.Warn("closing failed", zap.Error(err))
	}
}
