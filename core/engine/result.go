package engine

import (
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

// Found is the answer of Discover and Read.
//
// Data encodes as JSON. An object of the configuration is JSON text as the device wrote
// it (json.RawMessage), its secrets masked; the rows of a listing are a []any of those.
type Found struct {
	Data any
	Meta *envelope.Meta
}

// PlanView is a plan as callers see it: the data of forti_plan.
type PlanView struct {
	// Status is "no_change" where nothing would change; then only Notes is set.
	Status     string          `json:"status,omitempty"`
	PlanID     plan.ID         `json:"plan_id,omitzero"`
	Digest     canon.Digest    `json:"digest,omitzero"`
	Kind       plan.Kind       `json:"kind,omitempty"`
	CreatedAt  *time.Time      `json:"created_at,omitempty"`
	Parent     plan.ID         `json:"parent,omitzero"`
	State      apply.State     `json:"state,omitempty"`
	Device     *plan.Target    `json:"device,omitempty"`
	Risk       *plan.Risk      `json:"risk,omitempty"`
	Summary    []string        `json:"summary,omitempty"`
	Operations []OperationView `json:"operations,omitempty"`
	Mode       profile.Mode    `json:"mode,omitempty"`
	Reason     string          `json:"reason,omitempty"`
	Notes      []string        `json:"notes"`
	// NotReversible lists what a rollback plan cannot undo.
	NotReversible []string `json:"not_reversible,omitempty"`
	Apply         string   `json:"apply,omitempty"`
	Approve       string   `json:"approve,omitempty"`
	AuditError    string   `json:"audit_error,omitempty"`
	// Execution is what happened, for a plan that was applied.
	Execution *Execution `json:"execution,omitempty"`
	// Present is what the device has now, where an outcome is unknown.
	Present *Present `json:"present,omitempty"`
	// Cut names the lists that were shortened to the byte budget. The stored plan has
	// them whole, and so has what Show gives.
	Cut []envelope.Cut `json:"cut,omitempty"`
}

// OperationView is one operation of a plan as callers see it, secrets redacted.
type OperationView struct {
	Index    int           `json:"index"`
	Op       plan.Op       `json:"op"`
	Source   string        `json:"source"`
	Resource string        `json:"resource"`
	Key      operation.Key `json:"key"`
	Risk     plan.Tier     `json:"risk"`
	Diff     []Difference  `json:"diff"`
	Wire     WireView      `json:"wire"`
}

// Difference is one attribute's change.
type Difference struct {
	Attribute string `json:"attribute"`
	From      any    `json:"from"`
	To        any    `json:"to"`
}

// WireView is a request with its secrets redacted.
type WireView struct {
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Query  map[string]string `json:"query"`
	Body   any               `json:"body,omitempty"`
}

// Execution is what an apply did: the data of forti_apply, and error.details
// where it failed.
type Execution struct {
	Status            string            `json:"status"`
	PlanID            plan.ID           `json:"plan_id"`
	Digest            canon.Digest      `json:"digest"`
	Operations        []OperationResult `json:"operations"`
	Verified          int               `json:"verified"`
	AppliedUnverified int               `json:"applied_unverified"`
	Rollback          *RollbackRef      `json:"rollback,omitempty"`
	Backup            *port.Backup      `json:"backup,omitempty"`
	Audit             *audit.Head       `json:"audit,omitempty"`
	AuditError        string            `json:"audit_error,omitempty"`
	Notes             []string          `json:"notes,omitempty"`
	// ReachableAt is the other address of the profile at which a device answers that
	// was lost at its own.
	ReachableAt string `json:"reachable_at,omitempty"`
	// Cut names the lists that were shortened to the byte budget.
	Cut []envelope.Cut `json:"cut,omitempty"`
}

// OperationResult is how one operation ended.
type OperationResult struct {
	Index       int               `json:"index"`
	Op          plan.Op           `json:"op"`
	Resource    string            `json:"resource"`
	Key         operation.Key     `json:"key"`
	Status      exchange.Status   `json:"status"`
	Class       exchange.Class    `json:"class,omitempty"`
	Changed     exchange.Changed  `json:"changed,omitempty"`
	Observed    exchange.Observed `json:"observed,omitempty"`
	Unverified  []string          `json:"unverified_attributes,omitempty"`
	Mismatch    []string          `json:"mismatch,omitempty"`
	SideEffects []string          `json:"side_effects,omitempty"`
	HTTPStatus  int               `json:"http_status,omitempty"`
	DeviceError int               `json:"device_error,omitempty"`
	Code        fault.Code        `json:"code,omitempty"`
	Message     string            `json:"message,omitempty"`
	DeviceText  string            `json:"device_message,omitempty"`
}

// RollbackRef names the generated rollback plan; PlanID is null where nothing
// can be reversed.
type RollbackRef struct {
	PlanID        *plan.ID `json:"plan_id"`
	Complete      bool     `json:"complete"`
	NotReversible []string `json:"not_reversible,omitempty"`
}

// Review is what a human is shown before approving.
type Review struct {
	PlanID plan.ID
	Digest canon.Digest
	// Screen is the whole text, escaped, ready for a terminal of Width columns.
	Screen string
	// Header repeats the device in one line; it is shown above the prompt again.
	Header  string
	Tier    plan.Tier
	Profile string
	Serial  string
	Mode    profile.Mode
	Need    int
	// Signers is the list of those whose signature counts; "" where an answer is
	// typed.
	Signers string
	// List is that list as it was shown.
	List approval.Signers
	// Lockout: the human must type the word "lockout" as well.
	Lockout bool
	// Operations counts the stored operations.
	Operations int
}

// Statement is what a signer signs at a time.
func (r *Review) Statement(signed time.Time) approval.Statement {
	return approval.Statement{
		V: approval.Format, PlanID: r.PlanID, Digest: r.Digest, Serial: r.Serial, Profile: r.Profile, SignedAt: signed.UTC(),
	}
}

// Evidence is how a human consented.
type Evidence struct {
	Method    approval.Method
	Screen    canon.Digest
	Challenge string
	Approver  approval.Approver
	// Signature is an SSH signature, and SignedAt the time that it names.
	Signature string
	SignedAt  time.Time
	// Signers is the digest of the list of signers that was shown.
	Signers canon.Digest
}

// Approved is a recorded consent.
type Approved struct {
	PlanID  plan.ID    `json:"plan_id"`
	Expires time.Time  `json:"expires_at"`
	Have    int        `json:"have"`
	Need    int        `json:"need"`
	Audit   audit.Head `json:"audit"`
	// Apply is the command that applies the plan; "" while approvals are still needed.
	Apply string `json:"apply,omitempty"`
}

// PlanLine is one line of a list of plans.
type PlanLine struct {
	PlanID     plan.ID     `json:"plan_id"`
	Kind       plan.Kind   `json:"kind,omitempty"`
	State      apply.State `json:"state"`
	Profile    string      `json:"profile,omitempty"`
	Risk       plan.Tier   `json:"risk,omitempty"`
	CreatedAt  *time.Time  `json:"created_at,omitempty"`
	Operations int         `json:"operations,omitempty"`
	// Problem is set for plans that cannot be read.
	Problem string `json:"problem,omitempty"`
}
