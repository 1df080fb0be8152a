// Package approve is the command by which a person agrees to a plan.
//
// It needs a person at a terminal. There is no flag, no variable and no file that
// answers in a person's place.
package approve

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Options is what the command was asked, and where it finds a person.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	// Human finds the terminal of the person; close gives it back.
	Human func() (t terminal.Terminal, close func(), err error)
	// Session gives what the ceremony needs of this machine.
	Session func() (Session, error)
	// Signer makes signatures with the keys of this machine; key is a file, or "" for
	// the agent's.
	Signer func(list, key string) Signer
	// Fingerprint is the key of an armoured signature.
	Fingerprint func(armoured string) (string, error)
	ID          string
	Wide        bool
	Sign        bool
	Key         string
	Import      string
}

// Signer signs a statement.
type Signer interface {
	Sign(ctx context.Context, message []byte) (armoured, key string, err error)
}

// New makes the command.
func New(o Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "approve <id>",
		Short: "Show a plan as it will run and ask the person at this terminal to approve it",
		Long: `Show a plan as it will run, and ask for a code that is new each time.

Standard input, standard output and the controlling terminal must be one
terminal. Three wrong answers, an interrupt, the end of input and ten minutes
without an answer all mean no. An approval holds for this plan alone, for 24
hours, and is used by one apply.

Where the profile lists signers, the approval is signed with an SSH key as well:
with --sign by a key of the SSH agent or by --key, or elsewhere, by what forti
plan export wrote, and taken with --import. A hardware key must be touched.`,
		Args: command.Arguments(1, "id"),
		RunE: func(c *cobra.Command, args []string) error {
			for _, flag := range []string{"sign", "key"} {
				if err := command.Exclusive(c, flag, "import"); err != nil {
					return err
				}
			}
			o.ID = args[0]
			return run(c.Context(), &o)
		},
	}
	c.Flags().BoolVar(&o.Wide, "wire", false, "Show the whole requests and long values in full.")
	c.Flags().BoolVar(&o.Sign, "sign", false, "Sign the approval with an SSH key, after it was typed.")
	c.Flags().StringVar(&o.Key, "key", "", "Key to sign with: a private key, or a public one whose private half the SSH agent has.")
	c.Flags().StringVar(&o.Import, "import", "", "Statement that was signed elsewhere; its signature is in the file of that name and .sig.")
	return c
}

func run(ctx context.Context, o *Options) error {
	id, err := plan.ParseID(o.ID)
	if err != nil {
		return err
	}
	human, done, err := o.Human()
	if err != nil {
		return nobody(err)
	}
	defer done()
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	s, err := o.Session()
	if err != nil {
		return err
	}
	a, err := (&Ceremony{Engine: e, Terminal: human, Session: s, Caller: o.Caller, Wide: o.Wide, Prepare: o.prepare(human)}).Run(ctx, id)
	if err != nil {
		return err
	}
	return o.Answer(a, nil, func(p *view.Page) { Draw(p, a) })
}

// nobody is the refusal where no person can be asked.
func nobody(err error) error {
	var none *terminal.NoTerminalError
	if !errors.As(err, &none) {
		return fault.Wrap(err, fault.Internal, "the terminal cannot be used")
	}
	return fault.Wrap(err, fault.PolicyDenied,
		"an approval needs a person at a terminal, and %s; run this command yourself in a terminal window, without pipes or redirections", none.Why).
		With("reason", "no_terminal")
}

// Draw shows a recorded approval and what to do next: where others are still needed, the
// plan is not approved yet, and nobody is told that it is.
func Draw(p *view.Page, a *engine.Approved) {
	done := a.Have >= a.Need
	if done {
		p.Field("approved", "plan "+a.PlanID.String())
	} else {
		p.Field("recorded", "approval "+strconv.Itoa(a.Have)+" of "+strconv.Itoa(a.Need)+" of plan "+a.PlanID.String()+"; it is not approved yet")
	}
	p.Field("expires", a.Expires.UTC().Format(time.RFC3339))
	p.Field("audit", strconv.FormatUint(a.Audit.Seq, 10)+" "+a.Audit.Hash.String())
	if !done {
		p.Text("next: ", "somebody else on the list of signers approves the plan too, here or by what forti plan export writes")
		return
	}
	p.Field("apply", a.Apply)
	p.Text("or tell the model: ", strings.Join([]string{"plan", a.PlanID.String(), "is approved; call forti_apply with this plan_id"}, " "))
}
