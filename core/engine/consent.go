package engine

import (
	"context"
	"fmt"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
)

// consent tests the approval of a plan that nobody has executed.
func (e *Engine) consent(ctx context.Context, s *stored, p profile.Profile) (approval.Verdict, []byte, error) {
	boot, since := e.ports.Clock.Boot()
	f := approval.Facts{
		Plan: s.Plan, Digest: s.digest, Need: p.Approval.Need(), Signed: p.Approval.Signers != "",
		Now: e.ports.Clock.Now(), BootID: boot, BootTime: since, HighWater: s.log.newest,
	}
	file, err := e.ports.Approvals.Get(ctx, s.ID)
	switch fault.CodeOf(err) {
	case "":
		f.File = file
		f.Recorded = s.log.granted[given{s.ID, s.digest, canon.Sum(file)}]
	case fault.NotFound:
	default:
		f.FileError = err
	}
	if f.Revoked, err = e.revoked(ctx, s); err != nil {
		return approval.Verdict{}, nil, err
	}
	if e.ports.Verifier != nil {
		f.Verify = func(a *approval.Approval, g approval.Grant) (approval.Signer, error) {
			message, err := a.Statement(g.At).Encode()
			if err != nil {
				return approval.Signer{}, err
			}
			return e.ports.Verifier.Verify(ctx, p, message, g)
		}
	}
	return approval.Test(f), file, nil
}

// revoked reports whether a plan was withdrawn, by the mark or by the log.
func (e *Engine) revoked(ctx context.Context, s *stored) (bool, error) {
	mark, err := e.ports.Approvals.Revoked(ctx, s.ID)
	return mark || s.log.revoked[s.ID], err
}

// needApproval is the error of an apply without a valid approval.
func (e *Engine) needApproval(s *stored, v approval.Verdict) error {
	command := e.command("forti plan approve", s.ID)
	f := fault.New(fault.ApprovalRequired, "%s", approvalMessage(s, v, command, e.options.CommandSuffix)).
		With("plan_id", s.ID.String()).With("reason", string(v.Reason)).With("approve_command", command)
	if v.Detail != "" {
		f = f.With("detail", v.Detail)
	}
	if v.Have > 0 && v.Reason == approval.Missing {
		f = f.With("have", v.Have).With("need", v.Need)
	}
	return f
}

func approvalMessage(s *stored, v approval.Verdict, command, suffix string) string {
	needs := fmt.Sprintf("plan %s needs a human approval (guarded mode): %s", s.ID, command)
	switch v.Reason {
	case approval.Missing:
		if v.Have > 0 {
			return fmt.Sprintf("plan %s has %d of %d approvals: %s", s.ID, v.Have, v.Need, command)
		}
		return needs
	case approval.Expired:
		if v.Detail == approval.WrongClock {
			return fmt.Sprintf("the clock is behind the approval of plan %s or behind the audit log, so the age of the approval cannot be told; set the clock (forti doctor%s), then apply again, or approve again: %s", s.ID, suffix, command)
		}
		return fmt.Sprintf("the approval of plan %s has expired; approve it again: %s", s.ID, command)
	case approval.Used:
		return fmt.Sprintf("plan %s was executed already and its approval is used; applying again needs a new plan and a new approval", s.ID)
	case approval.Revoked:
		return fmt.Sprintf("plan %s was revoked; make a new plan", s.ID)
	case approval.Changed:
		if v.Detail == approval.Relisted {
			return fmt.Sprintf("the list of signers is not the one by which plan %s was approved; check each key in it, then review and approve the plan again: %s", s.ID, command)
		}
		return fmt.Sprintf("the approval of plan %s is for another plan, device or profile; review and approve it: %s", s.ID, command)
	case approval.Invalid:
		if v.Detail == approval.Unrecorded {
			return fmt.Sprintf("the audit log has no record that anybody gave the approval of plan %s; review and approve the plan: %s", s.ID, command)
		}
		return fmt.Sprintf("the approval of plan %s cannot be trusted (%s); approve it again: %s", s.ID, v.Detail, command)
	case approval.Valid:
	}
	return needs
}

// Advice is the second text block for a model, where an error asks for a human;
// "" for every other error.
func Advice(err error) string {
	f := fault.From(err)
	if f == nil || f.Code != fault.ApprovalRequired {
		return ""
	}
	command, _ := f.Details["approve_command"].(string)
	reason, _ := f.Details["reason"].(string)
	switch approval.Reason(reason) {
	case approval.Used, approval.Revoked:
		return "This plan cannot be applied (any more). If the change is still wanted, make a new plan with forti_plan and ask the user to approve that one."
	case approval.Expired, approval.Changed, approval.Invalid:
		return "The approval does not hold (any more). Ask the user to review and approve the plan again in their own terminal, then call forti_apply again with the same plan_id:\n  " + command
	case approval.Missing, approval.Valid:
	}
	return "Approval required (guarded mode). Ask the user to run this in their own terminal, then call forti_apply again with the same plan_id:\n  " + command
}
