package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// Approve records a human's consent to exactly this digest. The audit record is
// written first: an approval that leaves no trace must not exist.
//
// Failures: tampered_plan where the plan is not the one that was shown, stale_plan
// where its time is over, conflict where it was executed, policy_denied where the
// profile asks for no approval or for another kind, or where the list of signers is not
// the one that was shown.
func (e *Engine) Approve(ctx context.Context, c Caller, id plan.ID, digest canon.Digest, ev Evidence) (*Approved, error) {
	s, p, err := e.approvable(ctx, c, id)
	if err != nil {
		return nil, err
	}
	if digest.IsZero() || s.digest != digest {
		return nil, errSwapped(id)
	}
	a, err := e.consenting(ctx, s, p)
	if err != nil {
		return nil, err
	}
	grant, err := e.grant(ctx, a, p, ev)
	if err != nil {
		return nil, err
	}
	a.Grants = append(a.Grants, grant)
	data, err := a.Encode()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "an approval could not be encoded")
	}
	entry := e.entry(c, audit.ApprovalGranted, s)
	entry.Mode = p.Mode
	entry.Approval = &audit.ApprovalRef{Method: string(grant.Method), Approver: redact.Line(approverName(grant.Approver), 128), File: canon.Sum(data)}
	head, err := e.ports.Audit.Append(ctx, entry)
	if err != nil {
		return nil, fault.Wrap(err, fault.Config, "the audit log cannot be written (%s), so nothing was approved", fault.From(err).Message)
	}
	if err := e.ports.Approvals.Put(ctx, id, data); err != nil {
		return nil, err
	}
	s.log.granted[given{s.ID, s.digest, canon.Sum(data)}] = true
	v, _, err := e.consent(ctx, s, p) // counts different people, as an apply will
	if err != nil {
		return nil, err
	}
	done := &Approved{
		PlanID: id, Expires: a.Expires(), Have: v.Have, Need: p.Approval.Need(), Audit: head,
	}
	if done.Have >= done.Need { // until then there is nothing to apply
		done.Apply = e.command("forti apply", id)
	}
	return done, nil
}

// errSwapped: between two readings the plan became another one.
func errSwapped(id plan.ID) error {
	return fault.New(fault.TamperedPlan, "plan %s is not the plan that was shown; nothing was approved", id)
}

// approvable loads a plan that can still be approved.
func (e *Engine) approvable(ctx context.Context, c Caller, id plan.ID) (*stored, profile.Profile, error) {
	s, err := e.load(ctx, id)
	if err != nil {
		return nil, profile.Profile{}, err
	}
	p, err := e.profile(ctx, s.Device.Profile)
	if err != nil {
		return nil, p, err
	}
	h, err := e.history(ctx, c, s)
	if err != nil {
		return nil, p, err
	}
	switch {
	case !s.recorded:
		return nil, p, e.outlived(s)
	case h.claimed:
		return nil, p, fault.New(fault.Conflict, "plan %s was executed already (%s); make a new plan", id, h.state).With("reason", "already_executed")
	case h.state == apply.PlanExpired:
		return nil, p, stale(s, "plan_expired", "it is older than 7 days")
	case h.state == apply.PlanRevoked:
		return nil, p, fault.New(fault.PolicyDenied, "plan %s was revoked; make a new plan", id).With("reason", "revoked")
	case p.Mode != profile.Guarded:
		return nil, p, fault.New(fault.PolicyDenied, "profile %q is in mode %s: its plans take no approval", p.Name, p.Mode).With("reason", "mode")
	}
	if err := e.behind(s); err != nil {
		return nil, p, err
	}
	return s, p, e.outlived(s)
}

// behind refuses to approve on a clock by which no approval would hold.
func (e *Engine) behind(s *stored) error {
	by := s.log.newest.Sub(e.ports.Clock.Now())
	if s.log.newest.IsZero() || by <= approval.Skew {
		return nil
	}
	return fault.New(fault.Config, "the clock is %s behind the newest record of the audit log, so no approval would hold; set the clock, or see what is recorded: forti audit show%s", by.Round(time.Second), e.options.CommandSuffix)
}

// consenting is the approval to add a grant to: the one on file where it is for
// this plan and still holds, else a new one.
func (e *Engine) consenting(ctx context.Context, s *stored, p profile.Profile) (*approval.Approval, error) {
	v, _, err := e.consent(ctx, s, p)
	if err != nil {
		return nil, err
	}
	if v.Approval != nil && (v.Reason == approval.Missing || v.Reason == approval.Valid) {
		return v.Approval, nil
	}
	return &approval.Approval{
		V: approval.Format, PlanID: s.ID, Digest: s.digest, Serial: s.Device.Serial, Profile: s.Device.Profile,
	}, nil
}

func (e *Engine) grant(ctx context.Context, a *approval.Approval, p profile.Profile, ev Evidence) (approval.Grant, error) {
	now := e.ports.Clock.Now()
	boot, since := e.ports.Clock.Boot()
	g := approval.Grant{
		Method: ev.Method, At: now.UTC(), BootID: boot, BootTime: since.Microseconds(), Approver: ev.Approver,
		Screen: ev.Screen, Challenge: ev.Challenge, Signature: ev.Signature,
	}
	if p.Approval.Signers == "" {
		if ev.Method != approval.Typed {
			return g, fault.New(fault.PolicyDenied, "profile %q names no signers, so a signature proves nothing; approve in a terminal", p.Name)
		}
		return g, nil
	}
	if ev.Method != approval.Signed || e.ports.Verifier == nil {
		return g, fault.New(fault.PolicyDenied, "profile %q takes signed approvals only", p.Name).With("reason", "signature_required")
	}
	if g.At, g.BootID, g.BootTime = ev.SignedAt.UTC(), "", 0; now.Sub(g.At) >= approval.Lifetime || g.At.Sub(now) > approval.Skew {
		return g, fault.New(fault.PolicyDenied, "the signature was made at %s, which is not within the last 24 hours", g.At.Format(time.RFC3339))
	}
	message, err := a.Statement(g.At).Encode()
	if err != nil {
		return g, fault.Wrap(err, fault.Internal, "an approval could not be encoded")
	}
	signer, err := e.ports.Verifier.Verify(ctx, p, message, g)
	if err != nil {
		return g, err
	}
	if ev.Signers.IsZero() || signer.List != ev.Signers {
		return g, fault.New(fault.PolicyDenied, "the list of signers of profile %q is not the one that was shown; nothing was approved; check each key in it, then approve again", p.Name).
			With("reason", "signers_changed")
	}
	g.Signers = ev.Signers
	return g, nil
}

// RefuseApproval records that a human was asked and did not consent.
func (e *Engine) RefuseApproval(ctx context.Context, c Caller, id plan.ID, why string) error {
	s, err := e.load(ctx, id)
	if err != nil {
		return err
	}
	entry := e.entry(c, audit.ApprovalRefused, s)
	entry.Note = redact.Line(why, 200)
	_, err = e.ports.Audit.Append(ctx, entry)
	return err
}

// Revoke withdraws a plan for good: no approval of it counts any more.
func (e *Engine) Revoke(ctx context.Context, c Caller, id plan.ID) error {
	s, err := e.load(ctx, id)
	if err != nil {
		return err
	}
	if _, err := e.history(ctx, c, s); err != nil { // an interrupted run is closed first
		return err
	}
	release, err := e.ports.Locks.Lock(ctx, s.Device.Serial)
	if fault.CodeOf(err) == fault.Conflict {
		return fault.Wrap(err, fault.Conflict, "an apply is at work on device %s; revoke when it has ended", s.Device.Serial).With("reason", "busy")
	}
	if err != nil {
		return err
	}
	defer release()
	h, err := e.journalOf(ctx, s)
	if err != nil {
		return err
	}
	if h.claimed {
		return fault.New(fault.Conflict, "plan %s was executed already (%s); there is nothing to revoke", id, h.state).With("reason", "already_executed")
	}
	if _, err := e.ports.Audit.Append(ctx, e.entry(c, audit.ApprovalRevoked, s)); err != nil {
		return err
	}
	if err := e.ports.Approvals.Revoke(ctx, id); err != nil {
		return err
	}
	if e.ports.Secrets != nil {
		return e.ports.Secrets.Erase(ctx, id)
	}
	return nil
}

// recent lists what was applied to a device in the last 24 hours, for the screen:
// a change that was split over several plans shows there.
func (e *Engine) recent(ctx context.Context, s *stored) (applied, unresolved []string, pending int, err error) {
	ids, err := e.ports.Plans.List(ctx)
	if err != nil {
		return nil, nil, 0, err
	}
	now := e.ports.Clock.Now()
	for _, id := range ids {
		other, err := e.loadPlan(ctx, id)
		if err != nil || other.Device.Serial != s.Device.Serial || id == s.ID {
			continue
		}
		h, err := e.journalOf(ctx, other)
		switch {
		case err != nil:
		case !h.claimed && !other.Expired(now):
			pending++
		case h.state == apply.UnknownOutcome || h.state == apply.Interrupted:
			unresolved = append(unresolved, id.String())
		case h.claimed && now.Sub(h.Claim.At) < 24*time.Hour:
			applied = append(applied, fmt.Sprintf("%s (%d operations, %s)", id, len(other.Operations), h.state))
		}
	}
	return applied, unresolved, pending, nil
}
