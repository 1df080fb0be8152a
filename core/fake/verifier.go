package fake

import (
	"context"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

// Verifier checks grants that were signed with [Sign].
type Verifier struct{ signers []string }

var _ port.Verifier = (*Verifier)(nil)

// NewVerifier permits signers by the name that stands in a grant as its key.
func NewVerifier(signers ...string) *Verifier { return &Verifier{signers: slices.Clone(signers)} }

// Sign makes a signature that [Verifier] takes as one by the named signer.
func Sign(signer string, message []byte) string {
	return canon.SumIn("fake-signature:"+signer, message).String()
}

// Verify checks a grant; see [port.Verifier].
func (v *Verifier) Verify(ctx context.Context, p profile.Profile, message []byte, g approval.Grant) (approval.Signer, error) {
	switch {
	case ctx.Err() != nil:
		return approval.Signer{}, ctx.Err()
	case !slices.Contains(v.signers, g.Approver.Key):
		return approval.Signer{}, fault.New(fault.PermissionDenied, "%q may not approve for the profile %s", g.Approver.Key, p.Name)
	case g.Signature != Sign(g.Approver.Key, message):
		return approval.Signer{}, fault.New(fault.PermissionDenied, "the signature does not fit what was to be signed")
	}
	return approval.Signer{Name: g.Approver.Key, List: v.digest()}, nil
}

// Signers is the list; see [port.Verifier].
func (v *Verifier) Signers(ctx context.Context, _ profile.Profile) (approval.Signers, error) {
	return approval.Signers{Digest: v.digest(), Names: slices.Clone(v.signers)}, ctx.Err()
}

// Permit makes the list another one.
func (v *Verifier) Permit(signers ...string) { v.signers = slices.Clone(signers) }

func (v *Verifier) digest() canon.Digest { return canon.Sum([]byte(strings.Join(v.signers, "\n"))) }
