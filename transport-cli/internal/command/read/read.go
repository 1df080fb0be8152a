// Package read is the command that reads configuration and monitor data.
package read

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
	Read(ctx context.Context, c engine.Caller, r request.Read) (engine.Found, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]

	request *argument.Set
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	c := &cobra.Command{
		Use:   "read <resource> [key]",
		Short: "Read configuration or monitor data of a FortiGate",
		Long: `Read a table, one row of it, a singleton, or a monitor endpoint.

Secrets are masked. A listing that is cut says where to go on.`,
		Example: `  forti read firewall/address --filter type==ipmask --filter name=@lan --fields name,subnet
  forti read firewall/policy 12
  forti read monitor/system/status`,
		Args: command.Arguments(1, "resource", "key"),
		RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), o, args) },
	}
	o.request = argument.New(c.Flags(), request.Read{}, "filter", "fields", "start", "count", "params", "vdom")
	return c
}

func run(ctx context.Context, o *Options, args []string) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	o.request.Put("profile", o.Profile)
	o.request.Put("resource", args[0])
	if len(args) > 1 {
		o.request.Put("key", args[1])
	}
	var r request.Read
	if err := o.request.Decode(e, &r); err != nil {
		return err
	}
	found, err := e.Read(ctx, o.Caller, r)
	if err != nil {
		return err
	}
	plain, err := view.Plain(found.Data)
	if err != nil {
		return err
	}
	return o.Answer(found.Data, found.Meta, func(p *view.Page) { draw(p, plain, r.Fields) })
}

func draw(p *view.Page, plain any, fields []string) {
	switch v := plain.(type) {
	case []any:
		p.Rows(view.Objects(v), fields)
	case map[string]any:
		p.Object(v, fields...)
	default:
		p.Text("", view.Word(v))
	}
}
