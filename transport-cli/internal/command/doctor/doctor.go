// Package doctor is the command that checks an installation.
package doctor

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	Diagnose(ctx context.Context, profile string) []engine.Finding
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked, and what it works with.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	// Home is the directory of configuration and state; it fails where that is absent.
	Home func() (path string, err error)
}

// New makes the command.
func New(o Options) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check home, configuration, state, clock, and the device of each profile",
		Long: `Check the home directory and its modes, the configuration, the state and its audit
log, the clock, and for each profile (or the one of --profile) whether its device
answers, is trusted, takes the token, runs a release that the catalog knows, and what
the token may read. Nothing is changed. Each problem is told with its remedy.

Exit status: 0 where nothing is bad, else that of the first bad finding's code.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
}

func run(ctx context.Context, o *Options) error {
	path, err := o.Home()
	if err != nil {
		return o.answer([]engine.Finding{{
			Check: "home", Status: engine.Bad, Text: fault.From(err).Message, Code: fault.CodeOf(err),
			Remedy: "begin with: forti configure" + o.Suffix,
		}})
	}
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	home := engine.Finding{Check: "home", Status: engine.Good, Text: path}
	return o.answer(append([]engine.Finding{home}, e.Diagnose(ctx, o.Profile)...))
}

// answer shows the findings, and fails with the code of the first bad one.
func (o *Options) answer(found []engine.Finding) error {
	if err := o.Answer(found, nil, func(p *view.Page) { draw(p, found) }); err != nil {
		return err
	}
	for _, f := range found {
		if f.Status == engine.Bad {
			return fault.New(f.Code, "not all is well: %s", f.Check)
		}
	}
	return nil
}

func draw(p *view.Page, found []engine.Finding) {
	for _, f := range found {
		name := f.Check
		if f.Profile != "" {
			name = f.Profile + " " + name
		}
		text := name + ": " + f.Text
		switch f.Status {
		case engine.Good:
			p.Text("good     ", text)
		case engine.Warning:
			p.Text("warning  ", text)
		case engine.Bad:
			p.Text("bad      ", text)
		}
		if f.Remedy != "" {
			p.Text("         remedy: ", f.Remedy)
		}
	}
}
