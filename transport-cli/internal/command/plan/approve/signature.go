package approve

import (
	"context"
	"time"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

// maxSigned bounds a statement and a signature, in bytes.
const maxSigned = 64 << 10

// prepare is how the flags say that the approval is signed.
func (o *Options) prepare(human terminal.Terminal) Prepare {
	switch {
	case o.Import != "":
		return o.elsewhere
	case o.Sign || o.Key != "":
		return func(_ context.Context, r *engine.Review) (Sign, error) { return o.here(r, human), nil }
	}
	return nil
}

// here signs on this machine.
func (o *Options) here(r *engine.Review, human terminal.Terminal) Sign {
	return func(ctx context.Context) (Signature, error) {
		s, err := o.Session()
		if err != nil {
			return Signature{}, err
		}
		now := s.Now().UTC().Truncate(time.Second)
		message, err := r.Statement(now).Encode()
		if err != nil {
			return Signature{}, fault.Wrap(err, fault.Internal, "an approval could not be encoded")
		}
		if err := human.Write("Signing. A hardware key waits for its touch now.\n"); err != nil {
			return Signature{}, fault.Wrap(err, fault.PolicyDenied, "the terminal failed, so nothing was signed")
		}
		armoured, key, err := o.Signer(r.Signers, o.Key).Sign(ctx, message)
		return Signature{Armoured: armoured, Key: key, At: now}, err
	}
}

// elsewhere takes a statement and its signature from files.
func (o *Options) elsewhere(_ context.Context, r *engine.Review) (Sign, error) {
	raw, err := command.ReadFile(o.Import, "--import", maxSigned)
	if err != nil {
		return nil, err
	}
	s, err := approval.ParseStatement(raw)
	if err != nil {
		return nil, err
	}
	if want := r.Statement(s.SignedAt); s != want {
		return nil, fault.New(fault.Usage, "%s is about plan %s of profile %q with another digest or device; export plan %s again and sign that", o.Import, s.PlanID, s.Profile, r.PlanID)
	}
	armoured, err := command.ReadFile(o.Import+".sig", "--import", maxSigned)
	if err != nil {
		return nil, err
	}
	key, err := o.Fingerprint(string(armoured))
	if err != nil {
		return nil, err
	}
	made := Signature{Armoured: string(armoured), Key: key, At: s.SignedAt}
	return func(context.Context) (Signature, error) { return made, nil }, nil
}
