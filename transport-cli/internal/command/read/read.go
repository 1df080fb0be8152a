// Package read is the command that reads configuration and monitor data.
package read

import (
	"context"
	"strconv"
	"strings"

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
	Each(ctx context.Context, c engine.Caller, r request.Read, yield func(row map[string]any) error) (*engine.Streamed, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	// All streams a whole table.
	All bool

	request *argument.Set
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	c := &cobra.Command{
		Use:   "read <resource> [key]",
		Short: "Read configuration or monitor data of a FortiGate",
		Long: `Read a table, one row of it, a singleton, or a monitor endpoint.

Secrets are masked. A listing that is cut says where to go on. With --all, a
whole table is written row by row as it arrives, however large it is: a line of
JSON for each row, or with -o yaml an item of a list.`,
		Example: `  forti read firewall/address --filter type==ipmask --filter name=@lan --fields name,subnet
  forti read firewall/policy 12
  forti read firewall/address --all | jq -r .name
  forti read monitor/system/status`,
		Args: command.Arguments(1, "resource", "key"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := command.Exclusive(c, "all", "count"); err != nil {
				return err
			}
			return run(c.Context(), o, args)
		},
	}
	c.Flags().BoolVar(&o.All, "all", false, "Write the whole table, row by row.")
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
	if o.All {
		return stream(ctx, o, e, r)
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

// news is how many rows pass between two lines of progress.
const news = 10_000

func stream(ctx context.Context, o *Options, e Engine, r request.Read) error {
	rows := 0
	done, err := e.Each(ctx, o.Caller, r, func(row map[string]any) error {
		if rows++; rows%news == 0 {
			o.Tell(func(p *view.Page) { p.Text("", strconv.Itoa(rows)+" rows") })
		}
		line, err := view.Row(row, o.Format)
		if err != nil {
			return err
		}
		return o.Stream(line)
	})
	if err != nil {
		return err
	}
	o.Tell(func(p *view.Page) {
		p.Text("", strconv.Itoa(done.Rows)+" rows in all")
		if done.Moved {
			p.Text("note: ", "the number of rows changed meanwhile; rows may be missing or stand twice where some were deleted or put in between")
		}
		for _, note := range done.Notes {
			p.Text("note: ", note)
		}
		if len(done.Redacted) > 0 {
			p.Text("redacted: ", strings.Join(done.Redacted, " "))
		}
	})
	return nil
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
