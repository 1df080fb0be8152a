// Package prune is the command that removes backups that are of no more use.
package prune

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	PruneBackups(ctx context.Context, c engine.Caller, dryRun bool) (*engine.PrunedBackups, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open   command.Open[Engine]
	DryRun bool
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	c := &cobra.Command{
		Use:   "prune",
		Short: "Remove old backups",
		Long: `Remove backups that are older than 30 days, except the last 20 of each device. The
backup of a plan whose outcome is unknown always stays. Each removal is on record
before it happens.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "Say what would be removed, and remove nothing.")
	return c
}

func run(ctx context.Context, o *Options) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	done, err := e.PruneBackups(ctx, o.Caller, o.DryRun)
	if err != nil {
		return err
	}
	return o.Answer(done, nil, func(p *view.Page) { draw(p, done) })
}

func draw(p *view.Page, done *engine.PrunedBackups) {
	rows := make([][]string, 0, len(done.Backups))
	for _, l := range done.Backups {
		rows = append(rows, []string{l.SavedAt.UTC().Format(time.RFC3339), l.Profile, l.Serial, strconv.FormatInt(l.Bytes, 10), l.File})
	}
	if len(rows) > 0 {
		p.Table([]string{"saved", "profile", "serial", "bytes", "file"}, rows)
	}
	word := "removed"
	if done.DryRun {
		word = "would be removed"
	}
	p.Text("", strconv.Itoa(len(rows))+" backups "+word)
}
