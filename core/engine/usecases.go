package engine

import (
	"context"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
)

// Discover answers the four look-ups of request.Discover.
func (e *Engine) Discover(ctx context.Context, c Caller, r request.Discover) (Found, error) {
	return Found{}, fault.New(fault.Internal, "discover is being built")
}

// Read reads configuration or monitor data.
func (e *Engine) Read(ctx context.Context, c Caller, r request.Read) (Found, error) {
	return Found{}, fault.New(fault.Internal, "read is being built")
}

// Plan validates a change and stores it as a plan, without touching the device.
func (e *Engine) Plan(ctx context.Context, c Caller, r request.Plan) (*PlanView, error) {
	return nil, fault.New(fault.Internal, "plan is being built")
}

// Apply executes a stored plan. progress may be nil.
func (e *Engine) Apply(ctx context.Context, c Caller, r request.Apply, progress port.Progress) (*Execution, error) {
	return nil, fault.New(fault.Internal, "apply is being built")
}

// Show gives a stored plan with its state; after an interrupted apply it recovers
// the record first.
func (e *Engine) Show(ctx context.Context, c Caller, id plan.ID) (*PlanView, error) {
	return nil, fault.New(fault.Internal, "show is being built")
}

// List gives all stored plans with their states, newest first.
func (e *Engine) List(ctx context.Context, c Caller) ([]PlanLine, error) {
	return nil, fault.New(fault.Internal, "list is being built")
}

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

// Advice is the second text block for a model, where an error asks for a human;
// "" for every other error.
func Advice(err error) string { return "" }
