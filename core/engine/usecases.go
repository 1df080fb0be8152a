package engine

import (
	"context"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

// Review gives the approval screen of a plan for a terminal of width columns
// (0: 80; at least 40) and the digest that an approval must name.
func (e *Engine) Review(ctx context.Context, id plan.ID, width int) (*Review, error) {
	return nil, fault.New(fault.Internal, "review is being built")
}

// Approve records a human's consent to exactly this digest.
func (e *Engine) Approve(ctx context.Context, c Caller, id plan.ID, digest canon.Digest, ev Evidence) (*Approved, error) {
	return nil, fault.New(fault.Internal, "approve is being built")
}

// RefuseApproval records that a human was asked and did not consent.
func (e *Engine) RefuseApproval(ctx context.Context, c Caller, id plan.ID, why string) error {
	return fault.New(fault.Internal, "refuse is being built")
}

// Revoke withdraws a plan for good: no approval of it counts any more.
func (e *Engine) Revoke(ctx context.Context, c Caller, id plan.ID) error {
	return fault.New(fault.Internal, "revoke is being built")
}

// VerifyAudit checks the audit chain and its cross-references.
func (e *Engine) VerifyAudit(ctx context.Context) (audit.Report, error) {
	return audit.Report{}, fault.New(fault.Internal, "verify is being built")
}

