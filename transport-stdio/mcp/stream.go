package mcp

import (
	"context"
	"io"
	"time"

	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

// grace is how long an answer may take to be written once the server is to end:
// a client that no longer reads must not keep it alive.
const grace = time.Second

type arrival struct {
	line jsonrpc.Line
	err  error
}

// receive reads lines until the first error, which it passes on.
func receive(r io.Reader, done <-chan struct{}) <-chan arrival {
	arrivals := make(chan arrival)
	go func() {
		lines := jsonrpc.NewReader(r)
		for {
			line, err := lines.Next()
			select {
			case arrivals <- arrival{line, err}:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return arrivals
}

// outbox writes one answer at a time.
type outbox struct {
	lines   chan []byte
	written chan error
}

func newOutbox(w io.Writer, done <-chan struct{}) *outbox {
	o := &outbox{lines: make(chan []byte), written: make(chan error, 1)}
	go func() {
		for {
			select {
			case line := <-o.lines:
				_, err := w.Write(line)
				o.written <- err
			case <-done:
				return
			}
		}
	}()
	return o
}

// send writes a line, if there is one. Once ctx has ended it waits for no longer
// than the grace, and the line may stay unwritten.
func (o *outbox) send(ctx context.Context, line []byte) error {
	if len(line) == 0 {
		return nil
	}
	o.lines <- line
	select {
	case err := <-o.written:
		return err
	case <-ctx.Done():
	}
	limit := time.NewTimer(grace)
	defer limit.Stop()
	select {
	case err := <-o.written:
		return err
	case <-limit.C:
		return nil
	}
}
