// Package list is the command that lists the stored backups.
package list

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
	Backups(ctx context.Context) ([]engine.BackupLine, error)
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
		Use:   "list",
		Short: "List the stored backups, newest first; nothing is contacted",
		Args:  command.Arguments(0),
		RunE:  func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
}

func run(ctx context.Context, o *Options) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	lines, err := e.Backups(ctx)
	if err != nil {
		return err
	}
	return o.Answer(lines, nil, func(p *view.Page) { draw(p, lines) })
}

func draw(p *view.Page, lines []engine.BackupLine) {
	if len(lines) == 0 {
		p.Say("no backup is stored; one is made before each critical plan, and by: forti backup save")
		return
	}
	rows := make([][]string, 0, len(lines))
	for _, l := range lines {
		before := ""
		if l.Plan {
			before = "plan " + l.ID.String()
		}
		rows = append(rows, []string{l.SavedAt.UTC().Format(time.RFC3339), l.Profile, l.Serial, before, strconv.FormatInt(l.Bytes, 10), l.File})
	}
	p.Table([]string{"saved", "profile", "serial", "before", "bytes", "file"}, rows)
}
