// Package show is the command that shows a stored plan.
package show

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
	Show(ctx context.Context, c engine.Caller, id plan.ID) (*engine.PlanView, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	ID   string
	Wire bool
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	c := &cobra.Command{
		Use:   "show <id>",
		Short: "Show a stored plan, its state and what became of it",
		Args:  command.Arguments(1, "id"),
		RunE: func(c *cobra.Command, args []string) error {
			o.ID = args[0]
			return run(c.Context(), o)
		},
	}
	c.Flags().BoolVar(&o.Wire, "wire", false, "Show the bodies of the requests too, secrets masked.")
	return c
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
	v, err := e.Show(ctx, o.Caller, id)
	if err != nil {
		return err
	}
	return o.Answer(v, nil, func(p *view.Page) { p.Plan(v, o.Wire) })
}
