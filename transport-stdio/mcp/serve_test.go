package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

func TestTheServerRunsUntilStdinCloses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		answers, out := io.Pipe()
		ended := make(chan error)
		go func() { ended <- newServer(t, newFake(), nil).Serve(t.Context(), in, out) }()
		lines := bufio.NewScanner(answers)
		for range 3 {
			if _, err := io.WriteString(client, legacy("ping", `{}`)+"\n"); err != nil {
				t.Fatal(err)
			}
			if !lines.Scan() || lines.Text() != `{"id":1,"jsonrpc":"2.0","result":{}}` {
				t.Fatalf("got %q", lines.Text())
			}
			synctest.Wait()
			select {
			case err := <-ended:
				t.Fatalf("ended early: %v", err)
			default:
			}
		}
		if err := client.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestALastMessageWithoutNewlineIsHandled(t *testing.T) {
	t.Parallel()
	expect(t, talk(t, newServer(t, newFake(), nil), "", " \t", legacy("ping", `{}`), "", legacy("ping", `{}`)), "1 result", "1 result")
}

func TestAnEmptyStreamIsServed(t *testing.T) {
	t.Parallel()
	expect(t, talk(t, newServer(t, newFake(), nil)))
}

func TestAnIdleServerEndsAtOnceWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, client := io.Pipe()
		ended := make(chan error)
		go func() { ended <- newServer(t, newFake(), nil).Serve(ctx, in, io.Discard) }()
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = client.Close() // lets the reading goroutine end, which the bubble insists on
	})
}

func TestABusyServerEndsAfterTheRunningOperationReturned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		release, ended := make(chan struct{}), make(chan error)
		e := newFake()
		e.before = func(ctx context.Context) {
			<-ctx.Done() // the operation hears of it, and still takes its time
			<-release
		}
		in, client := io.Pipe()
		w := &lineWriter{t: t}
		go func() { ended <- newServer(t, e, nil).Serve(ctx, in, w) }()
		call := modern("tools/call", `,"name":"forti_apply","arguments":{"plan_id":"x"}`)
		go func() { _, _ = io.WriteString(client, call+"\n"+call+"\n") }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		select {
		case err := <-ended:
			t.Fatalf("ended within the operation: %v", err)
		default:
		}
		close(release)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		expect(t, w.lines, "1 result")
		if len(e.calls) != 1 {
			t.Errorf("a further request was begun: %v", e.calls)
		}
		_ = client.Close()
	})
}

func TestAClientThatNoLongerReadsDoesNotKeepTheServerAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, client := io.Pipe()
		answers, out := io.Pipe()
		ended := make(chan error)
		go func() { ended <- newServer(t, newFake(), nil).Serve(ctx, in, out) }()
		if _, err := io.WriteString(client, legacy("ping", `{}`)+"\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_, _ = client.Close(), answers.Close()
	})
}

func TestServeFailsWhenItCannotReadOrWrite(t *testing.T) {
	t.Parallel()
	cause := errors.New("gone")
	s := newServer(t, newFake(), nil)
	in := io.MultiReader(strings.NewReader(legacy("ping", `{}`)+"\n"), iotest.ErrReader(cause))
	if err := s.Serve(t.Context(), in, io.Discard); !errors.Is(err, cause) {
		t.Errorf("reading: %v", err)
	}
	r, w := io.Pipe()
	_ = r.CloseWithError(cause)
	if err := s.Serve(t.Context(), strings.NewReader(legacy("ping", `{}`)), w); !errors.Is(err, cause) {
		t.Errorf("writing: %v", err)
	}
}

func TestAnOverlongLineIsAnsweredAndTheNextOneServed(t *testing.T) {
	t.Parallel()
	long := `{"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":"` + strings.Repeat("x", 3*jsonrpc.MaxLine) + `"}}`
	expect(t, talk(t, newServer(t, newFake(), nil), long, legacy("ping", `{}`), long), "5 -32600", "1 result", "5 -32600")
}

func TestAnEngineIsNeeded(t *testing.T) {
	t.Parallel()
	if _, err := New(nil, nil); err == nil {
		t.Error("a server without an engine")
	}
	s, err := New(newFake(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := talk(t, s, initialize); !strings.Contains(got[0], `"version":"0.0.0"`) {
		t.Error(got)
	}
}
