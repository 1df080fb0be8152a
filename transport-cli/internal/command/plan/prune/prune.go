// Package prune is the command that removes plans that are of no more use.
package prune

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
	Prune(ctx context.Context, c engine.Caller, dryRun bool) (*engine.Pruned, error)
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
		Short: "Remove plans that are of no more use",
		Long: `Remove plans that were not applied within 7 days, plans that were revoked that
long ago, and plans that were executed more than 90 days ago, except the last
200. A plan whose outcome is unknown always stays, and so do the audit log and
the backups. Each removal is on record before it happens.`,
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
	done, err := e.Prune(ctx, o.Caller, o.DryRun)
	if err != nil {
		return err
	}
	return o.Answer(done, nil, func(p *view.Page) { draw(p, done) })
}

func draw(p *view.Page, done *engine.Pruned) {
	rows := make([][]string, 0, len(done.Plans))
	for _, l := range done.Plans {
		rows = append(rows, []string{l.PlanID.String(), string(l.State), l.Why})
	}
	if len(rows) > 0 {
		p.Table([]string{"plan", "state", "why"}, rows)
	}
	word := "removed"
	if done.DryRun {
		word = "would be removed"
	}
	p.Text("", strconv.Itoa(len(rows))+" plans "+word)
}
