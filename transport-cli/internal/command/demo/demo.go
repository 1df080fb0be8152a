// Package demo is the command that shows the whole workflow on a simulated
// FortiGate: everything is real but the device, and every step proves what it
// says or ends the demonstration.
package demo

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/argument"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/approve"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product: all of it.
type Engine interface {
	argument.Decoder
	approve.Engine
	Discover(ctx context.Context, c engine.Caller, r request.Discover) (engine.Found, error)
	Read(ctx context.Context, c engine.Caller, r request.Read) (engine.Found, error)
	Plan(ctx context.Context, c engine.Caller, r request.Plan) (*engine.PlanView, error)
	Show(ctx context.Context, c engine.Caller, id plan.ID) (*engine.PlanView, error)
	Apply(ctx context.Context, c engine.Caller, r request.Apply, progress port.Progress) (*engine.Execution, error)
	VerifyAudit(ctx context.Context) (audit.Report, error)
}

var _ Engine = (*engine.Engine)(nil)

// Stage is a simulated FortiGate on loopback, a throw-away home with a guarded
// profile of it, and the product working there.
type Stage struct {
	Engine Engine
	// Profile is the profile's name, Serial the device's.
	Profile, Serial string
	Host            string
	Port            int
	// Snapshot is the device's whole configuration as text.
	Snapshot func() string
	// Writes counts the changes that were sent to the device.
	Writes func() int
	// Close ends the device and removes the home.
	Close func() error
}

// Options is what the command was asked, and what it works with.
type Options struct {
	*command.Frame
	// Set builds a stage.
	Set func(ctx context.Context) (*Stage, error)
	// Human finds the terminal of a person, Session gives what a ceremony needs.
	Human   func() (t terminal.Terminal, close func(), err error)
	Session func() (approve.Session, error)
	// Yes lets a scripted terminal answer, in this command alone.
	Yes bool
}

// New makes the command.
func New(o Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole workflow on a simulated FortiGate; your own home and devices are not touched",
		Long: `Start a simulated FortiGate on this machine, make a throw-away home with a
guarded profile of it, and go through the workflow over real HTTPS: discover,
read, plan, be refused, approve, apply, read back, verify the audit log, roll
back. The exit status is 0 only if every step did what it says.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
	c.Flags().BoolVar(&o.Yes, "yes", false, "Let the demonstration type the approvals itself.")
	return c
}

// Told is what one step told.
type Told struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

func run(ctx context.Context, o *Options) (err error) {
	human, done, err := o.human()
	if err != nil {
		return err
	}
	defer done()
	stage, err := o.Set(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closed := stage.Close(); closed != nil && err == nil {
			err = fault.Wrap(closed, fault.Internal, "the demonstration could not be cleared away")
		}
	}()
	s := &story{Options: o, Stage: stage, human: human, before: stage.Snapshot()}
	if t, scripted := human.(*script); scripted {
		t.serial = stage.Serial
	}
	if err := s.tell(ctx); err != nil {
		return err
	}
	return o.Answer(s.told, nil, func(p *view.Page) {
		p.Say("")
		p.Title("Every step did what it says. Nothing of it is left on this machine.")
	})
}

// human is the person at the terminal, or the script where --yes asks for it.
func (o *Options) human() (terminal.Terminal, func(), error) {
	if o.Yes {
		return newScript(o), func() {}, nil
	}
	t, done, err := o.Human()
	var none *terminal.NoTerminalError
	if errors.As(err, &none) {
		return nil, nil, fault.Wrap(err, fault.PolicyDenied, "the demonstration asks a person for an approval, and %s; run it in a terminal, or with --yes", none.Why).
			With("reason", "no_terminal")
	}
	return t, done, err
}
