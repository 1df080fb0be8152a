package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"go.uber.org/zap"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-stdio/mcp"
)

// childMode, set in the environment, makes the test binary the program itself.
const childMode = "FORTI_MCP_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childMode) != "" {
		os.Exit(run(os.Args[1:], childGraph, os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// fakeEngine serves nothing but what a test makes of Discover.
type fakeEngine struct {
	mcp.Engine
	discover func(ctx context.Context)
}

func (f fakeEngine) Decode(data []byte, into any) error {
	return request.NewDecoder().Decode(data, into)
}

func (f fakeEngine) Discover(ctx context.Context, _ engine.Caller, _ request.Discover) (engine.Found, error) {
	f.discover(ctx)
	return engine.Found{Data: "found"}, nil
}

func fakeGraph(Options, io.Writer) (graph, error) {
	return graph{engine: fakeEngine{}, logger: zap.NewNop(), stop: func(context.Context) error { return nil }}, nil
}

func TestExitStatuses(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	for name, c := range map[string]struct {
		build  builder
		in     io.Reader
		out    io.Writer
		status int
		says   string
	}{
		"0 when stdin closes":             {fakeGraph, strings.NewReader(ping), io.Discard, 0, ""},
		"1 when stdin cannot be read":     {fakeGraph, iotest.ErrReader(gone), io.Discard, 1, "cannot be read: gone"},
		"1 when stdout cannot be written": {fakeGraph, strings.NewReader(ping), closedWriter{}, 1, "cannot be written"},
		"1 when nothing can be served": {func(Options, io.Writer) (graph, error) { return graph{}, gone },
			strings.NewReader(ping), io.Discard, 1, "forti-mcp: gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var errs bytes.Buffer
			if status := run(nil, c.build, c.in, c.out, &errs); status != c.status || !strings.Contains(errs.String(), c.says) {
				t.Errorf("status %d, stderr %q", status, &errs)
			}
		})
	}
}

func TestTheOptionsReachTheServerAndTheAdapters(t *testing.T) {
	t.Parallel()
	var got Options
	build := func(o Options, errs io.Writer) (graph, error) {
		got = o
		return fakeGraph(o, errs)
	}
	var out bytes.Buffer
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forti_plan","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	if status := run([]string{"--read-only", "--home", "/h"}, build, strings.NewReader(call), &out, io.Discard); status != 0 {
		t.Errorf("status %d", status)
	}
	if got.Home != "/h" || !strings.Contains(out.String(), "runs with --read-only") {
		t.Errorf("options %+v, answer %s", got, &out)
	}
}

func TestTheAdaptersAreClosedOnceAndAfterTheLastAnswer(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	var seen []string
	build := func(o Options, errs io.Writer) (graph, error) {
		g, err := fakeGraph(o, errs)
		g.stop = func(ctx context.Context) error {
			_, limited := ctx.Deadline()
			seen = append(seen, fmt.Sprintf("%d answers, limited %v", strings.Count(out.String(), "\n"), limited))
			return errors.New("closing failed")
		}
		return g, err
	}
	if status := run(nil, build, strings.NewReader(ping), &out, io.Discard); status != 0 {
		t.Errorf("status %d", status)
	}
	if len(seen) != 1 || seen[0] != "1 answers, limited true" {
		t.Errorf("closed: %q", seen)
	}
}

func TestTheCallerIsThisProcess(t *testing.T) {
	t.Parallel()
	l := &lazy{process: caller()}
	if c := l.as(engine.Caller{Program: "other", Client: "shell/1"}); c.Client != "shell/1" || c.Program != Name || c.PID != os.Getpid() {
		t.Errorf("got %+v", c)
	}
	if c := caller(); c.Program != "forti-mcp" || c.PID != os.Getpid() || c.Client != "" {
		t.Errorf("got %+v", c)
	}
}
