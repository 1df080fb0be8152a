package mcp

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"go.uber.org/zap"

	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

// keptBuffer is the most that a connection keeps of a large answer's memory.
const keptBuffer = 256 << 10

// conn is one client: its legacy session, if it started one.
type conn struct {
	server *Server
	// session is the negotiated legacy version; empty before initialize.
	session string
	// client is what the legacy client calls itself.
	client string
	// buffer is reused: an answer is written before the next one is made.
	buffer []byte
}

// answer is the line to send, good until the next call; empty where nothing may be
// sent. A panic anywhere below is answered as an internal error.
func (c *conn) answer(ctx context.Context, line jsonrpc.Line) (out []byte) {
	var m jsonrpc.Message
	defer func() {
		if p := recover(); p != nil {
			c.server.logPanic(p)
			out = c.refusal(m.ID, internal())
		}
		if cap(out) <= keptBuffer {
			c.buffer = out[:0]
		}
	}()
	m, owed := jsonrpc.Parse(line)
	if !owed {
		return nil
	}
	if m.Err != nil {
		return c.refusal(m.ID, m.Err)
	}
	result, err := c.dispatch(ctx, m)
	if err != nil {
		var e *jsonrpc.Error
		if !errors.As(err, &e) {
			c.server.options.Logger.Error("a request failed", zap.Error(err))
			e = internal()
		}
		return c.refusal(m.ID, e)
	}
	return jsonrpc.AppendResult(c.buffer[:0], m.ID, result)
}

func (c *conn) refusal(id []byte, e *jsonrpc.Error) []byte {
	out, err := jsonrpc.AppendError(c.buffer[:0], id, e)
	if err == nil {
		return out
	}
	c.server.options.Logger.Error("an error could not be encoded", zap.Error(err))
	e.Data = nil // a code and a text always encode
	out, _ = jsonrpc.AppendError(c.buffer[:0], id, e)
	return out
}

func internal() *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "Internal error; the details are on the server's standard error"}
}

// logPanic writes down where a handler broke. A panic's value may hold request
// content, so only the runtime's own are shown.
func (s *Server) logPanic(p any) {
	value := fmt.Sprintf("%T", p)
	if e, ok := p.(runtime.Error); ok {
		value = e.Error()
	}
	s.options.Logger.Error("a handler panicked", zap.String("panic", value), zap.StackSkip("stack", 2))
}
