// Package export is the command that gives a plan to another machine.
package export

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	Export(ctx context.Context, c engine.Caller, id plan.ID) (*engine.Exported, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	ID   string
	To   string
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	c := &cobra.Command{
		Use:   "export <id>",
		Short: "Write a plan, its screen and what a signer signs, for another machine",
		Long: `Write three files, or write them anew: <id>.json, the plan, whose digest is the
SHA-256 of "forti-plan-v1", a zero byte and the file; <id>.txt, the plan as a
person reads it; and <id>.approval, the statement that a signer signs:

  ssh-keygen -Y sign -n forti-plan-approval-v1 -f KEY <id>.approval

The signature that this makes beside it is taken by forti plan approve --import.
No secret is in any of the files.`,
		Args: command.Arguments(1, "id"),
		RunE: func(c *cobra.Command, args []string) error {
			o.ID = args[0]
			return run(c.Context(), o)
		},
	}
	c.Flags().StringVar(&o.To, "to", "", "Directory for the files (default: the present one).")
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
	x, err := e.Export(ctx, o.Caller, id)
	if err != nil {
		return err
	}
	statement := filepath.Join(o.To, engine.StatementName(id))
	for name, data := range map[string][]byte{
		filepath.Join(o.To, id.String()+".json"): x.Plan,
		filepath.Join(o.To, id.String()+".txt"):  []byte(x.Screen),
		statement:                                []byte(x.Statement),
	} {
		if err := write(name, data); err != nil {
			return err
		}
	}
	return o.Answer(x, nil, func(p *view.Page) {
		p.Field("plan", id.String())
		p.Field("digest", x.Digest.String())
		p.Field("files", filepath.Join(o.To, id.String())+".json, .txt and .approval")
		p.Field("sign", x.Sign)
		p.Field("then", "forti plan approve "+id.String()+" --import "+statement+o.Suffix)
	})
}

// write makes a file, or replaces that of an earlier export of the same plan.
func write(name string, data []byte) error {
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return command.FileFault(err, name, "--to")
	}
	return nil
}
