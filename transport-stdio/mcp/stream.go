package mcp

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

// grace is how long an answer may at least take to be written once the server is to
// end: a client that no longer reads must not keep it alive. It takes no longer than
// twice that.
const grace = 500 * time.Millisecond

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

// outlet writes answers, and tells which write is under way.
type outlet struct {
	w io.Writer
	// under is the number of the write under way, 0 between two.
	under atomic.Int64
	count int64
}

// send writes a line, if there is one.
func (o *outlet) send(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	o.count++
	o.under.Store(o.count)
	_, err := o.w.Write(line)
	o.under.Store(0)
	return err
}

// outlast waits for the end of work whose context has ended, and gives its error. A
// write that is under way for longer than the grace is not waited for.
func (o *outlet) outlast(ended <-chan error) error {
	tick := time.NewTicker(grace)
	defer tick.Stop()
	for before := int64(0); ; {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
		}
		now := o.under.Load()
		if now != 0 && now == before {
			return nil
		}
		before = now
	}
}
