// Package profiles is the command that lists the configured profiles.
package profiles

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	Discover(ctx context.Context, c engine.Caller, r request.Discover) (engine.Found, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked: nothing.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	return &cobra.Command{
		Use:   "profiles",
		Short: "List the configured profiles; nothing is contacted",
		Args:  command.Arguments(0),
		RunE:  func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
}

func run(ctx context.Context, o *Options) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	found, err := e.Discover(ctx, o.Caller, request.Discover{What: request.Devices})
	if err != nil {
		return err
	}
	plain, err := view.Plain(found.Data)
	if err != nil {
		return err
	}
	return o.Answer(found.Data, found.Meta, func(p *view.Page) { draw(p, plain, o.Suffix) })
}

func draw(p *view.Page, plain any, suffix string) {
	list, _ := plain.([]any)
	if len(list) == 0 {
		p.Text("no profile is configured; begin with: ", "forti configure"+suffix)
		return
	}
	p.Rows(view.Objects(list), []string{"name", "host", "port", "vdom", "mode", "default"})
}
