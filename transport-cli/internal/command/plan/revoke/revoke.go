// Package revoke is the command that withdraws a plan for good.
package revoke

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	Revoke(ctx context.Context, c engine.Caller, id plan.ID) error
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
		Use:   "revoke <id>",
		Short: "Withdraw a plan for good; no approval of it counts any more",
		Args:  command.Arguments(1, "id"),
		RunE: func(c *cobra.Command, args []string) error {
			o.ID = args[0]
			return run(c.Context(), o)
		},
	}
}

// Revoked is the result.
type Revoked struct {
	PlanID plan.ID `json:"plan_id"`
	State  string  `json:"state"`
}

func run(ctx context.Context, o *Options) error {
	id, err := plan.ParseID(o.ID)
	if err != nil {
		return err
	}
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	if err := e.Revoke(ctx, o.Caller, id); err != nil {
		return err
	}
	return o.Answer(Revoked{PlanID: id, State: "revoked"}, nil, func(p *view.Page) {
		p.Text("revoked: ", "plan "+id.String()+" cannot be applied any more")
	})
}
