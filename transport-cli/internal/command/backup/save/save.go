// Package save is the command that saves a device's configuration.
package save

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	SaveBackup(ctx context.Context, c engine.Caller, profile string) (*engine.BackupLine, error)
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
		Use:   "save",
		Short: "Save the whole configuration of a FortiGate",
		Long: `Save the whole configuration of a FortiGate, in the state directory with the
backups that are made before critical plans. The file has the device's secrets in it
and is readable by you alone.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
}

func run(ctx context.Context, o *Options) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	b, err := e.SaveBackup(ctx, o.Caller, o.Profile)
	if err != nil {
		return err
	}
	return o.Answer(b, nil, func(p *view.Page) {
		p.Field("profile", b.Profile)
		p.Field("serial", b.Serial)
		p.Field("saved in", b.File)
		p.Field("bytes", strconv.FormatInt(b.Bytes, 10))
		p.Field("digest", b.Digest.String())
	})
}
