// Package mcp serves the engine's four use cases as MCP tools over JSON-RPC, one
// message per line, in the modern era (2026-07-28, stateless) and the legacy one
// (2025-11-25 and 2025-06-18, a session) at once.
//
//	server, err := mcp.New(engine, &mcp.Options{Version: "0.1.0"})
//	err = server.Serve(ctx, os.Stdin, os.Stdout)
//
// What a model can correct is a tool result with isError; protocol errors are for
// messages that cannot be processed. Every request is answered exactly once, a
// notification never, whatever it holds.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"

	"go.uber.org/zap"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
)

// Engine is what the tools need of the use cases. It cannot approve: consent is
// given in a person's own terminal, and no message leads to it.
type Engine interface {
	// Decode reads a tool's arguments into a request; every problem in one error.
	Decode(data []byte, into any) error
	Mistakes(ctx context.Context, r request.Plan, err error) error
	Discover(ctx context.Context, c engine.Caller, r request.Discover) (engine.Found, error)
	Read(ctx context.Context, c engine.Caller, r request.Read) (engine.Found, error)
	Plan(ctx context.Context, c engine.Caller, r request.Plan) (*engine.PlanView, error)
	Apply(ctx context.Context, c engine.Caller, r request.Apply, progress port.Progress) (*engine.Execution, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options adjust a server. The zero value is safe.
type Options struct {
	// Version is the server's own version, for clients to show; empty: "0.0.0".
	Version string
	// ReadOnly leaves forti_plan and forti_apply out and refuses calls of them.
	ReadOnly bool
	// Caller is who asks, for audit records. Its Client is replaced by what the
	// client calls itself.
	Caller engine.Caller
	// Logger gets defects; nil: none. It never gets request content.
	Logger *zap.Logger
}

// Server answers MCP messages. It is safe for concurrent use; each Serve is a
// client of its own.
type Server struct {
	engine  Engine
	options Options
	tools   []tool
	fixed   fixed
}

// New makes a server over an engine.
func New(e Engine, o *Options) (*Server, error) {
	if e == nil {
		return nil, errors.New("mcp: an engine is needed")
	}
	s := &Server{engine: e}
	if o != nil {
		s.options = *o
	}
	if s.options.Version == "" {
		s.options.Version = "0.0.0"
	}
	if s.options.Logger == nil {
		s.options.Logger = zap.NewNop()
	}
	for _, t := range tools() {
		if !t.writes || !s.options.ReadOnly {
			s.tools = append(s.tools, t)
		}
	}
	s.fixed = newFixed(s)
	return s, nil
}

// Serve answers the messages of r on w, one at a time and in order, each with one
// Write, until r ends, and then returns nil. When ctx ends, it returns nil as soon
// as the running request has been answered. It fails when r cannot be read or w
// cannot be written.
//
// One goroutine reads ahead by one line and one works; they end with the first
// Read of r, or Write of w, that returns after Serve did.
func (s *Server) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	done := make(chan struct{})
	defer close(done)
	arrivals := receive(r, done)
	out := &outlet{w: w}
	ended := make(chan error, 1)
	go func() { ended <- s.work(ctx, arrivals, out) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	return out.outlast(ended)
}

// work answers until there is nothing more to answer, or ctx has ended.
func (s *Server) work(ctx context.Context, arrivals <-chan arrival, out *outlet) error {
	c := &conn{server: s}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case a := <-arrivals:
			if errors.Is(a.err, io.EOF) {
				return nil
			}
			if a.err != nil {
				return fmt.Errorf("mcp: messages cannot be read: %w", a.err)
			}
			if err := out.send(c.answer(ctx, a.line)); err != nil {
				return fmt.Errorf("mcp: answers cannot be written: %w", err)
			}
		}
	}
	return nil
}
