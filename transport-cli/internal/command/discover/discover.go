// Package discover is the command that looks up devices, capabilities and the
// catalog of resources.
package discover

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/argument"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	argument.Decoder
	Discover(ctx context.Context, c engine.Caller, r request.Discover) (engine.Found, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what a look-up was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	What request.What

	request *argument.Set
}

// New makes the command with a command for each look-up below it.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	return command.Group("discover", "Find devices, their capabilities, resources and attributes",
		lookup(&Options{Frame: f, Open: open, What: request.Devices}, &cobra.Command{
			Use: "devices", Short: "List the configured profiles", Args: command.Arguments(0),
		}, ""),
		lookup(&Options{Frame: f, Open: open, What: request.Capabilities}, &cobra.Command{
			Use: "capabilities", Short: "Ask a FortiGate who it is and what this program may do with it", Args: command.Arguments(0),
		}, ""),
		lookup(&Options{Frame: f, Open: open, What: request.Resources}, &cobra.Command{
			Use: "resources [query]", Short: "Search the catalog of resources", Args: command.Arguments(0, "query"),
		}, "query", "kind", "start", "count"),
		lookup(&Options{Frame: f, Open: open, What: request.Resource}, &cobra.Command{
			Use: "resource <path>", Short: "Describe a resource and its attributes", Args: command.Arguments(1, "path"),
		}, "resource", "fields", "live"),
	)
}

// lookup finishes a command; positional is the field that its argument fills.
func lookup(o *Options, c *cobra.Command, positional string, fields ...string) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			o.request.Put(positional, args[0])
		}
		return run(c.Context(), o)
	}
	o.request = argument.New(c.Flags(), request.Discover{}, fields...)
	return c
}

func run(ctx context.Context, o *Options) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	o.request.Put("what", string(o.What))
	if o.What != request.Devices {
		o.request.Put("profile", o.Profile)
	}
	var r request.Discover
	if err := o.request.Decode(e, &r); err != nil {
		return err
	}
	found, err := e.Discover(ctx, o.Caller, r)
	if err != nil {
		return err
	}
	plain, err := view.Plain(found.Data)
	if err != nil {
		return err
	}
	return o.Answer(found.Data, found.Meta, func(p *view.Page) { draw(p, plain) })
}
