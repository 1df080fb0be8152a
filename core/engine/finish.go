package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/rollback"
)

// finish makes the rollback plan, closes the journal and the audit record, and
// gives the result. A plan with failures gives an error that carries the record.
func (r *run) finish(ctx context.Context, recovered bool) (*Execution, error) {
	undo := r.storeRollback(ctx)
	state := apply.StateOf(r.outcomes)
	if err := r.book.Record(ctx, apply.Record{Type: apply.Ended, State: state, Rollback: r.rollback}); err != nil {
		r.notes = append(r.notes, "the end of this run could not be written to the journal; a later start completes the record")
		r.broken = true
	}
	x := newExecution(r.plan, r.outcomes, state)
	x.Rollback, x.Backup, x.Notes, x.ReachableAt = undo, r.backup, r.notes, r.reachable
	r.recordEnd(ctx, x, state, recovered)
	r.eraseSecrets(ctx)
	r.news(ctx, port.StageEnd, -1, "", "%s", strings.ReplaceAll(string(state), "_", " "))
	return x, r.verdict(x, state)
}

// storeRollback stores the plan that undoes this run. What fails here is told: the
// run itself stands as it is.
func (r *run) storeRollback(ctx context.Context) *RollbackRef {
	if !r.rollback.IsZero() { // an interrupted run had stored it
		return &RollbackRef{PlanID: &r.rollback}
	}
	resources := r.engine.schemaFor(r.plan)
	undo := rollback.Build(r.plan.Plan, r.outcomes, resources)
	if len(undo.Operations) == 0 && len(undo.Irreversible) == 0 {
		return nil
	}
	ref := &RollbackRef{Complete: undo.Complete(), NotReversible: undo.Irreversible}
	if len(undo.Operations) == 0 {
		return ref
	}
	draft := plan.Plan{
		Kind: plan.Rollback, Parent: r.plan.ID, Device: r.plan.Device, Management: r.plan.Management,
		Operations: undo.Operations, Irreversible: undo.Irreversible,
	}
	r.engine.judgeRollback(ctx, r.live(), &draft, resources, r.moved)
	s, err := r.engine.store(ctx, r.caller, &draft, secretFile{}, remarks{Notes: []string{"undoes plan " + r.plan.ID.String()}}, r.profile)
	if err != nil {
		r.notes = append(r.notes, "no rollback plan could be stored: "+fault.From(err).Message)
		return ref
	}
	r.rollback = s.ID
	ref.PlanID = &s.ID
	if err := r.book.Record(ctx, apply.Record{Type: apply.RolledOut, Rollback: s.ID, Digest: s.digest}); err != nil {
		r.broken = true
	}
	return ref
}

// live is the session where the device can still be asked, else nil: not where it is
// lost or another one answered, and not where it refused the token, since asking again
// feeds its lock-out.
func (r *run) live() *session {
	if r.lost || apply.StateOf(r.outcomes) == apply.UnknownOutcome {
		return nil
	}
	for _, o := range r.outcomes {
		switch o.Class {
		case exchange.NotSent, exchange.TLSFailed, exchange.LockedOut, exchange.WrongDevice:
			return nil
		case exchange.AuthRefused:
			if o.Code == fault.Auth {
				return nil
			}
		case exchange.Ambiguous, exchange.Accepted, exchange.Refused, exchange.RefusedDoubtful, exchange.NotAPI, exchange.Redirect:
		}
	}
	return r.session
}

// recordEnd writes the audit record of the end. Where it cannot, the result says
// so, and the next start of an apply writes it from the journal.
func (r *run) recordEnd(ctx context.Context, x *Execution, state apply.State, recovered bool) {
	if recovered {
		note := r.engine.entry(r.caller, audit.ApplyRecovered, r.plan)
		note.State = state
		if _, err := r.engine.ports.Audit.Append(ctx, note); err != nil {
			x.AuditError = fault.From(err).Message
			return
		}
	}
	entry := r.engine.entry(r.caller, audit.ApplyEnd, r.plan)
	entry.Mode, entry.State, entry.Rollback, entry.Recovered = r.profile.Mode, state, r.rollback, recovered
	entry.Ops, entry.Approval = auditOps(r.plan.Plan, r.outcomes), r.approvalRef()
	if r.backup != nil {
		entry.Backup = r.backup.Digest
	}
	if journal, err := r.engine.ports.Journals.Read(ctx, r.plan.ID); err == nil {
		entry.Journal = canon.Sum(journal)
	}
	head, err := r.engine.ports.Audit.Append(ctx, entry)
	if err != nil {
		x.AuditError = "the end of this apply could not be written to the audit log (" + fault.From(err).Message + "); a later apply completes it"
		return
	}
	x.Audit = &head
}

// eraseSecrets removes the plan's secret values: no run needs them any more.
func (r *run) eraseSecrets(ctx context.Context) {
	if r.engine.ports.Secrets == nil || r.plan.SecretCount() == 0 {
		return
	}
	if err := r.engine.ports.Secrets.Erase(ctx, r.plan.ID); err != nil {
		r.notes = append(r.notes, "the secret values of this plan could not be erased: "+fault.From(err).Message)
	}
}

// gaveUp records that an apply ended before anything was sent: as a refusal, or, where
// its beginning is on record, as its end. Best effort: the error stands either way.
func (r *run) gaveUp(ctx context.Context, err error) {
	ctx = context.WithoutCancel(ctx)
	if !r.begun {
		r.engine.refused(ctx, r.caller, r.plan, err)
		return
	}
	entry := r.engine.entry(r.caller, audit.ApplyAborted, r.plan)
	entry.Mode, entry.Code = r.profile.Mode, string(fault.CodeOf(err))
	_, _ = r.engine.ports.Audit.Append(ctx, entry)
}

// verdict is the error of a run that did not end well, with the record in its
// details; nil for one that did. The worst news wins.
func (r *run) verdict(x *Execution, state apply.State) error {
	code, message := r.worst(state)
	budget := r.profile.Budget(r.engine.options.ResultBytes)
	if code == "" {
		return fitExecution(x, budget-len(`{"ok":true,"data":}`))
	}
	f := fault.New(code, "%s", message)
	room, err := roomOf(f, budget)
	if err != nil {
		return err
	}
	if err := fitExecution(x, room); err != nil {
		return err
	}
	details, err := asDetails(x)
	if err != nil {
		return err
	}
	f.Details = details
	return f
}

func (r *run) worst(state apply.State) (fault.Code, string) {
	i := r.firstUnhappy()
	next := r.advice(state)
	switch {
	case state == apply.UnknownOutcome:
		return fault.OutcomeUnknown, fmt.Sprintf("plan %s: it is not known whether operation %d took effect: %s. %s", r.plan.ID, i, r.outcomes[i].Message, next)
	case r.lost:
		where := "use the console or another path"
		if r.reachable != "" {
			where = fmt.Sprintf("it still answers at %s: make a profile with that host and go on there", redact.Line(r.reachable, 100))
		}
		return fault.ManagementConnectivityLost, fmt.Sprintf("plan %s: the device cannot be reached any more after a critical operation; %s. %s", r.plan.ID, where, next)
	case state == apply.Applied:
		return "", ""
	}
	o := r.outcomes[i]
	if o.Message == "" {
		o.Message = "it was not attempted, because what came before it could not be confirmed"
	}
	if concernsTheWay(o.Code) {
		o.Message = whose(r.plan.Device.Profile, r.plan.Device.Host, r.plan.Device.Port) + o.Message
	}
	message := fmt.Sprintf("plan %s: operation %d (%s) did not succeed: %s. %s", r.plan.ID, i, summary(r.plan.Operations[i]), o.Message, next)
	verified := false
	for _, o := range r.outcomes {
		verified = verified || ((o.Status == exchange.Verified || o.Status == exchange.AppliedUnverified) && !o.Skipped)
	}
	switch {
	case verified:
		return fault.PartialFailure, message
	case state == apply.Partial:
		return fault.VerifyFailed, message
	}
	return o.Code, message
}

// firstUnhappy is the operation that ended the run.
func (r *run) firstUnhappy() int {
	for i, o := range r.outcomes {
		if o.Status != exchange.Verified && o.Status != exchange.AppliedUnverified {
			return i
		}
	}
	return len(r.outcomes) - 1
}

// advice says how to go on after a run that did not end well. Its plan is used up in any case.
func (r *run) advice(state apply.State) string {
	undo := ""
	if !r.rollback.IsZero() {
		undo = fmt.Sprintf(", or undo what was applied with plan %s (%s)", r.rollback, r.engine.command("forti plan show", r.rollback))
	}
	switch {
	case state == apply.UnknownOutcome:
		return fmt.Sprintf("See what the device has now (%s), then plan again%s.", r.engine.command("forti plan show", r.plan.ID), undo)
	case state == apply.FailedState:
		return "Nothing took effect. When the cause is gone, make a new plan."
	}
	return fmt.Sprintf("Look at the device, then make a new plan for what is missing%s.", undo)
}

func shorten(text string) string { return redact.Line(text, 200) }
