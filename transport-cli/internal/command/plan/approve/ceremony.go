package approve

import (
	"context"
	"time"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/screen"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

// Engine is what the command needs of the product.
type Engine interface {
	Review(ctx context.Context, c engine.Caller, id plan.ID, width int, wide bool) (*engine.Review, error)
	Approve(ctx context.Context, c engine.Caller, id plan.ID, digest canon.Digest, ev engine.Evidence) (*engine.Approved, error)
	RefuseApproval(ctx context.Context, c engine.Caller, id plan.ID, why string) error
}

var _ Engine = (*engine.Engine)(nil)

// Session is what a ceremony needs of this machine.
type Session struct {
	Clock terminal.Clock
	// Now is the time that a signature made here names.
	Now func() time.Time
	// Random are bytes that nobody else knows; the code depends on them.
	Random []byte
	// Approver is who sits here, as the operating system tells.
	Approver approval.Approver
}

// Ceremony shows one plan to one person and records the answer.
type Ceremony struct {
	Engine   Engine
	Terminal terminal.Terminal
	Session  Session
	Caller   engine.Caller
	// Wide shows the bodies of the requests and full texts too.
	Wide bool
	// Prepare is how the approval will be signed, found before anybody is asked; nil
	// for an approval that is typed alone.
	Prepare Prepare
}

// Prepare makes ready to sign what was reviewed. Sign is called after the person
// agreed.
type Prepare func(ctx context.Context, r *engine.Review) (sign Sign, err error)

// Sign makes a signature, or takes one that was made elsewhere.
type Sign func(ctx context.Context) (Signature, error)

// Signature is an armoured SSH signature, the fingerprint of its key and the time
// that the signed statement names.
type Signature struct {
	Armoured, Key string
	At            time.Time
}

// sessionBytes is the least number of random bytes of a session.
const sessionBytes = 16

// Run shows the plan and asks. What is shown, what is hashed and what is approved
// come from one review; nothing is read again in between, and the engine refuses
// where the stored plan is not that one any more. Everything but a yes is
// policy_denied, and recorded.
func (c *Ceremony) Run(ctx context.Context, id plan.ID) (*engine.Approved, error) {
	if len(c.Session.Random) < sessionBytes {
		return nil, fault.New(fault.Internal, "an approval needs %d random bytes", sessionBytes)
	}
	width, _ := c.Terminal.Size()
	r, err := c.Engine.Review(ctx, c.Caller, id, max(width, screen.MinWidth), c.Wide)
	if err != nil {
		return nil, err
	}
	sign, err := c.signing(ctx, r)
	if err != nil {
		return nil, err
	}
	code := screen.Code(c.Session.Random, r.Digest.String())
	prompt, wanted := screen.Prompt(r.Tier, r.Profile, r.Serial, code, r.Lockout)
	answer, err := terminal.Consent(ctx, c.Terminal, c.Session.Clock, terminal.Question{
		Screen: r.Screen, Header: r.Header, Operations: r.Operations, Prompt: prompt, Wanted: wanted,
	})
	if err != nil {
		return nil, c.refuse(ctx, id, "the terminal failed", err)
	}
	if answer != terminal.Yes {
		return nil, c.refuse(ctx, id, string(answer), nil)
	}
	approver := c.Session.Approver
	if name := c.Terminal.Name(); name != "" {
		approver.TTY = name
	}
	ev := engine.Evidence{Method: approval.Typed, Screen: canon.Sum([]byte(r.Screen)), Challenge: code, Approver: approver}
	if sign != nil {
		made, err := sign(ctx)
		if err != nil {
			return nil, err
		}
		ev.Method, ev.Signature, ev.SignedAt, ev.Approver.Key = approval.Signed, made.Armoured, made.At, made.Key
		ev.Signers = r.List.Digest
	}
	return c.Engine.Approve(ctx, c.Caller, id, r.Digest, ev)
}

// signing is how the approval will be signed, nil where it is typed alone.
func (c *Ceremony) signing(ctx context.Context, r *engine.Review) (Sign, error) {
	switch {
	case r.Signers == "" && c.Prepare == nil:
		return nil, nil //nolint:nilnil // no signature is an answer here
	case r.Signers == "":
		return nil, fault.New(fault.Usage, "profile %q takes approvals that are typed; leave --sign and --import out", r.Profile)
	case c.Prepare == nil:
		return nil, fault.New(fault.PolicyDenied, "profile %q asks for approvals signed with an SSH key; approve with --sign, or take a signature made elsewhere with --import", r.Profile).
			With("reason", "signature_needed")
	}
	return c.Prepare(ctx, r)
}

// refuse records that a person was asked and did not agree. The record is
// attempted whatever became of ctx: an interrupt is an answer too.
func (c *Ceremony) refuse(ctx context.Context, id plan.ID, why string, cause error) error {
	f := fault.Wrap(cause, fault.PolicyDenied, "plan %s was not approved: %s", id, why).
		With("reason", "not_approved").With("answer", why).With("plan_id", id.String())
	if err := c.Engine.RefuseApproval(context.WithoutCancel(ctx), c.Caller, id, why); err != nil {
		f = f.With("audit_error", fault.From(err).Message)
		f.Message += "; this could not be recorded (" + fault.From(err).Message + ")"
	}
	return f
}
