// Package list is the command that lists the stored plans.
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
	List(ctx context.Context, c engine.Caller) ([]engine.PlanLine, error)
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
		Short: "List the stored plans, newest first",
		Args:  command.Arguments(0),
		RunE:  func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
}

func run(ctx context.Context, o *Options) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	lines, err := e.List(ctx, o.Caller)
	if err != nil {
		return err
	}
	if lines == nil {
		lines = []engine.PlanLine{}
	}
	return o.Answer(lines, nil, func(p *view.Page) { draw(p, lines) })
}

func draw(p *view.Page, lines []engine.PlanLine) {
	if len(lines) == 0 {
		p.Say("no plan is stored")
		return
	}
	rows := make([][]string, 0, len(lines))
	for _, l := range lines {
		created, operations := "", ""
		if l.CreatedAt != nil {
			created = l.CreatedAt.UTC().Format(time.RFC3339)
		}
		if l.Operations > 0 {
			operations = strconv.Itoa(l.Operations)
		}
		rows = append(rows, []string{
			l.PlanID.String(), string(l.State), string(l.Risk), string(l.Kind), l.Profile, operations, created, l.Problem,
		})
	}
	p.Table([]string{"plan", "state", "risk", "kind", "profile", "operations", "created", "problem"}, rows)
}
