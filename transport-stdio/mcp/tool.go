package mcp

import (
	"context"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/request"
)

// tool is one use case as a model sees it.
type tool struct {
	name, title, description string
	hints                    hints
	// writes: left out and refused by a read-only server.
	writes bool
	fields func() []request.Field
	run    run
}

// hints are what a client may show of a tool's behaviour.
type hints struct{ readOnly, destructive, idempotent bool }

// run decodes the arguments and carries the tool out.
type run func(ctx context.Context, e Engine, c engine.Caller, args []byte) (any, *envelope.Meta, error)

// tools are the four, in the order of the workflow.
func tools() []tool {
	return []tool{
		{
			name: "forti_discover", title: "Discover FortiGate profiles and resources", description: discoverText,
			hints:  hints{readOnly: true, idempotent: true},
			fields: described[request.Discover],
			run: decoded(func(ctx context.Context, e Engine, c engine.Caller, r request.Discover) (any, *envelope.Meta, error) {
				found, err := e.Discover(ctx, c, r)
				return found.Data, found.Meta, err
			}),
		},
		{
			name: "forti_read", title: "Read FortiGate configuration and monitor data", description: readText,
			hints:  hints{readOnly: true, idempotent: true},
			fields: described[request.Read],
			run: decoded(func(ctx context.Context, e Engine, c engine.Caller, r request.Read) (any, *envelope.Meta, error) {
				found, err := e.Read(ctx, c, r)
				return found.Data, found.Meta, err
			}),
		},
		{
			name: "forti_plan", title: "Plan a FortiGate change", description: planText, writes: true,
			hints:  hints{readOnly: true},
			fields: described[request.Plan],
			run: func(ctx context.Context, e Engine, c engine.Caller, args []byte) (any, *envelope.Meta, error) {
				var r request.Plan
				if err := e.Decode(args, &r); err != nil {
					return nil, nil, e.Mistakes(ctx, r, err)
				}
				view, err := e.Plan(ctx, c, r)
				return view, nil, err
			},
		},
		{
			name: "forti_apply", title: "Apply a planned FortiGate change", description: applyText, writes: true,
			hints:  hints{destructive: true},
			fields: described[request.Apply],
			run: decoded(func(ctx context.Context, e Engine, c engine.Caller, r request.Apply) (any, *envelope.Meta, error) {
				execution, err := e.Apply(ctx, c, r, nil)
				return execution, nil, err
			}),
		},
	}
}

func described[R any]() []request.Field {
	var r R
	return request.Describe(r)
}

func decoded[R any](use func(ctx context.Context, e Engine, c engine.Caller, r R) (any, *envelope.Meta, error)) run {
	return func(ctx context.Context, e Engine, c engine.Caller, args []byte) (any, *envelope.Meta, error) {
		var r R
		if err := e.Decode(args, &r); err != nil {
			return nil, nil, err
		}
		return use(ctx, e, c, r)
	}
}
