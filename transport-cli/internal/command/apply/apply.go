// Package apply is the command that executes a stored plan.
package apply

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	Apply(ctx context.Context, c engine.Caller, r request.Apply, progress port.Progress) (*engine.Execution, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	ID   string
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	return &cobra.Command{
		Use:   "apply <plan-id>",
		Short: "Execute a stored plan as its profile's mode allows",
		Long: `Execute a stored plan. In guarded mode it needs an approval: forti plan approve.

Progress is told on standard error. An interrupt ends the run between two
operations, never within one.`,
		Args: command.Arguments(1, "plan-id"),
		RunE: func(c *cobra.Command, args []string) error {
			o.ID = args[0]
			return run(c.Context(), o)
		},
	}
}

func run(ctx context.Context, o *Options) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() {
		o.Tell(func(p *view.Page) { p.Say("interrupted: this ends after the operation that is under way") })
	})()
	x, err := e.Apply(ctx, o.Caller, request.Apply{PlanID: o.ID}, &Progress{Frame: o.Frame})
	if err != nil {
		return o.failed(err)
	}
	return o.Answer(x, nil, func(p *view.Page) { p.Execution(x) })
}

// failed shows the record that a failure carries and passes the failure on.
func (o *Options) failed(err error) error {
	x, ok := record(err)
	if !ok {
		return err
	}
	if drawn := o.Draw(func(p *view.Page) { p.Execution(x) }); drawn != nil {
		return drawn
	}
	return err
}

// record is the execution in a failure's details: its own, or the recorded one of
// a plan that was executed before.
func record(err error) (*engine.Execution, bool) {
	details := any(fault.From(err).Details)
	if m, ok := fault.From(err).Details["execution"]; ok {
		details = m
	} else if _, own := fault.From(err).Details["operations"]; !own {
		return nil, false
	}
	data, err := json.Marshal(details)
	if err != nil {
		return nil, false
	}
	var x engine.Execution
	return &x, json.Unmarshal(data, &x) == nil
}
