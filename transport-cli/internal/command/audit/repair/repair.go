// Package repair is the command that makes a damaged audit log go on.
package repair

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	RepairAudit(ctx context.Context, c engine.Caller) (string, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	return &cobra.Command{
		Use:   "repair",
		Short: "Make a damaged audit log go on, and put that on record",
		Long: `Keep the records before the damage, set the rest aside in the state directory,
and write a record of the gap. Nothing is thrown away, and nothing is invented:
forti audit verify says before what is wrong, and the gap stays visible for good.

Until then a damaged log, or a state directory that is older than what was
remembered outside of it, stops every apply. Afterwards the plans from before the gap are stale, approved or
not: nobody knows which of them were executed. Plan again.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
}

// Repaired is the result.
type Repaired struct {
	// Done is what was done; empty where nothing had to be.
	Done string `json:"done"`
}

func run(ctx context.Context, o *Options) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	done, err := e.RepairAudit(ctx, o.Caller)
	if err != nil {
		return err
	}
	return o.Answer(Repaired{Done: done}, nil, func(p *view.Page) {
		if done == "" {
			p.Say("the audit log is whole; nothing was done")
			return
		}
		p.Text("repaired: ", done)
	})
}
