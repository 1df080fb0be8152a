package app

import (
	"context"
	"errors"
	"sync"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-stdio/mcp"
)

// lazy is the engine, put together when a tool is first called: every client waits
// for the answer to initialize and lists the tools, and many sessions call none.
type lazy struct {
	options fortifx.Options
	once    sync.Once
	built   *engine.Engine
	// process says who runs this program, for audit records.
	process engine.Caller
	stop    func(ctx context.Context) error
	err     error
}

var _ mcp.Engine = (*lazy)(nil)

var errClosed = errors.New("the engine was closed")

// get puts the engine together, once. A failure is a defect of the program.
func (l *lazy) get() (*engine.Engine, error) {
	l.once.Do(func() {
		l.process = caller()
		l.built, l.stop, l.err = fortifx.Build(context.Background(), l.options)
	})
	if l.err != nil {
		return nil, fault.Wrap(l.err, fault.Internal, "the engine cannot be put together; the details are on the server's standard error")
	}
	return l.built, nil
}

// as is who asks: this process, for the client that c names.
func (l *lazy) as(c engine.Caller) engine.Caller {
	who := l.process
	who.Client = c.Client
	return who
}

// close takes down what was put together.
func (l *lazy) close(ctx context.Context) error {
	l.once.Do(func() { l.err = errClosed })
	if l.stop == nil {
		return nil
	}
	return l.stop(ctx)
}

// Decode is [mcp.Engine.Decode].
func (l *lazy) Decode(data []byte, into any) error {
	e, err := l.get()
	if err != nil {
		return err
	}
	return e.Decode(data, into)
}

// Mistakes is [mcp.Engine.Mistakes].
func (l *lazy) Mistakes(ctx context.Context, r request.Plan, wrong error) error {
	e, err := l.get()
	if err != nil {
		return wrong
	}
	return e.Mistakes(ctx, r, wrong)
}

// Discover is [mcp.Engine.Discover].
func (l *lazy) Discover(ctx context.Context, c engine.Caller, r request.Discover) (engine.Found, error) {
	e, err := l.get()
	if err != nil {
		return engine.Found{}, err
	}
	return e.Discover(ctx, l.as(c), r)
}

// Read is [mcp.Engine.Read].
func (l *lazy) Read(ctx context.Context, c engine.Caller, r request.Read) (engine.Found, error) {
	e, err := l.get()
	if err != nil {
		return engine.Found{}, err
	}
	return e.Read(ctx, l.as(c), r)
}

// Plan is [mcp.Engine.Plan].
func (l *lazy) Plan(ctx context.Context, c engine.Caller, r request.Plan) (*engine.PlanView, error) {
	e, err := l.get()
	if err != nil {
		return nil, err
	}
	return e.Plan(ctx, l.as(c), r)
}

// Apply is [mcp.Engine.Apply].
func (l *lazy) Apply(ctx context.Context, c engine.Caller, r request.Apply, progress port.Progress) (*engine.Execution, error) {
	e, err := l.get()
	if err != nil {
		return nil, err
	}
	return e.Apply(ctx, l.as(c), r, progress)
}
