package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/risk"
)

// settlePeriod is how long a device is left alone after a request whose answer was
// lost with the process that sent it.
const settlePeriod = 60 * time.Second

// Apply executes a stored plan. progress may be nil.
//
// Cancelling ctx ends the run between two operations, never within one. A failed
// apply's error carries the same record in its details as a successful one returns.
func (e *Engine) Apply(ctx context.Context, c Caller, r request.Apply, progress port.Progress) (*Execution, error) {
	if err := e.decoder.Check(&r); err != nil {
		return nil, err
	}
	id, err := plan.ParseID(r.PlanID)
	if err != nil {
		return nil, err
	}
	run := &run{engine: e, caller: c, progress: progress}
	defer run.close()
	busy, err := run.load(ctx, id)
	if err != nil {
		if fault.CodeOf(err) == fault.TamperedPlan {
			e.refused(ctx, c, &stored{Plan: &plan.Plan{ID: id}}, err)
		}
		return nil, err
	}
	if err := run.admit(ctx, busy); err != nil {
		e.refused(ctx, c, run.plan, err)
		return nil, err
	}
	return run.execute(ctx)
}

// load reads the plan, then takes the device's lock, then reads the log, once: what was
// read before the lock may be old, since a run may have ended in between. busy is why
// there is no lock.
func (r *run) load(ctx context.Context, id plan.ID) (busy, err error) {
	s, err := r.engine.loadPlan(ctx, id)
	if err != nil {
		return nil, err
	}
	r.plan = s
	r.unlock, busy = r.engine.ports.Locks.Lock(ctx, s.Device.Serial)
	if s.log, err = r.engine.readLog(ctx, id); err != nil {
		return busy, err
	}
	s.recorded, err = r.engine.proven(ctx, s)
	return busy, err
}

// run is one execution of a plan, or the closing of an interrupted one.
type run struct {
	engine   *Engine
	caller   Caller
	plan     *stored
	profile  profile.Profile
	progress port.Progress
	session  *session
	begun    bool // the beginning is in the audit log
	unlock   func()
	consent  approval.Verdict
	file     []byte // the approval's bytes
	secrets  map[string]string
	machine  *apply.Machine
	book     interface {
		Record(ctx context.Context, r apply.Record) error
		Close() error
	}
	outcomes []apply.Outcome
	lost     bool
	// reachable is the other address at which a lost device answered.
	reachable string
	broken    bool
	backup    *port.Backup
	rollback  plan.ID
	notes     []string
	// moved are the rows that moves move, as they were before.
	moved map[change.Ref]map[string]any
}

// close gives back what the run holds.
func (r *run) close() {
	if r.book != nil {
		_ = r.book.Close() // every line was made durable by its own append
	}
	if r.session != nil {
		r.session.close()
	}
	if r.unlock != nil {
		r.unlock()
	}
}

// admit asks everything that can be asked without the device, in the order in
// which the answers are decided.
func (r *run) admit(ctx context.Context, busy error) error {
	e, s := r.engine, r.plan
	var err error
	if r.profile, err = e.profile(ctx, s.Device.Profile); err != nil {
		return err
	}
	if r.profile.Mode != profile.Guarded && r.profile.Mode != profile.Autonomous {
		return fault.New(fault.PolicyDenied, "profile %q is read_only: nothing is applied; the operator sets the mode with forti configure", r.profile.Name).
			With("reason", "read_only").With("plan_id", s.ID.String())
	}
	if !s.recorded {
		return e.outlived(s)
	}
	switch {
	case fault.CodeOf(busy) == fault.Conflict:
		return fault.Wrap(busy, fault.Conflict, "another apply is at work on device %s; wait for it to end", s.Device.Serial).With("reason", "busy")
	case busy != nil:
		return busy
	}
	recovered, err := e.recoverDevice(ctx, r.caller, s.Device.Serial, s.log)
	if err != nil {
		return err
	}
	if err := r.unused(ctx); err != nil {
		return err
	}
	if err := r.fresh(ctx); err != nil {
		return err
	}
	if err := r.consented(ctx); err != nil {
		return err
	}
	return e.settled(recovered)
}

// unused refuses a plan that was executed before, with the record of that.
func (r *run) unused(ctx context.Context) error {
	h, err := r.engine.journalOf(ctx, r.plan)
	if err != nil {
		return err
	}
	if !h.claimed {
		if _, ended := r.plan.log.ended[r.plan.ID]; ended {
			return fault.New(fault.Config, "the audit log says that plan %s was executed and its journal is gone: the state is an older copy or was damaged; check with: forti audit verify%s", r.plan.ID, r.engine.options.CommandSuffix)
		}
		return nil
	}
	if h.Ended {
		r.engine.forget(ctx, r.plan)
	}
	var refusal *fault.Error
	if r.profile.Mode == profile.Guarded {
		refusal = fault.From(r.engine.needApproval(r.plan, approval.Verdict{Reason: approval.Used}))
	} else {
		refusal = fault.New(fault.Conflict, "plan %s was executed already (%s); make a new plan", r.plan.ID, h.state).
			With("reason", "already_executed").With("plan_id", r.plan.ID.String())
	}
	if h.state == apply.UnknownOutcome {
		refusal.Message += "; its outcome is unknown, so first see what the device has now: " + r.engine.command("forti plan show", r.plan.ID)
	}
	x := r.engine.execution(ctx, r.plan, h)
	room, err := roomOf(refusal, r.profile.Budget(r.engine.options.ResultBytes))
	if err != nil {
		return err
	}
	if err := fitExecution(x, room); err != nil {
		return err
	}
	record, err := asDetails(x)
	if err != nil {
		return err
	}
	return refusal.With("execution", record)
}

// fresh refuses plans whose time is over or that other facts judged.
func (r *run) fresh(ctx context.Context) error {
	e, s := r.engine, r.plan
	now := e.ports.Clock.Now()
	if s.log.newest.After(now) { // a clock that was set back gives no plan a longer life
		now = s.log.newest
	}
	if s.Expired(now) {
		e.forget(ctx, s)
		return stale(s, "plan_expired", "it is older than 7 days")
	}
	if err := e.outlived(s); err != nil {
		return err
	}
	for _, op := range s.Operations {
		if err := allowed(r.profile, op.Resource); err != nil {
			return err
		}
		if _, refused := risk.Refused(op.Resource); refused && op.Op == plan.OpAction && !slices.Contains(r.profile.AllowActions, op.Resource) {
			return fault.New(fault.PolicyDenied, "the action %s is refused by profile %q", op.Resource, r.profile.Name).
				With("reason", "refused_action")
		}
	}
	if r.profile.Mode == profile.Autonomous && lockout(s.Plan) {
		return fault.New(fault.PolicyDenied, "plan %s would lock this product out of the device (R-LOCKOUT-02); in autonomous mode it is refused", s.ID).
			With("reason", "lockout")
	}
	return nil
}

// outlived refuses a plan of which it is certain that it will never be applied, whoever
// approves it.
func (e *Engine) outlived(s *stored) error {
	switch {
	case !s.recorded:
		return fault.New(fault.Config, "the audit log has no record of the creation of plan %s, so it is not applied; check with: forti audit verify%s, then make a new plan", s.ID, e.options.CommandSuffix)
	case s.log.doubts(s.Plan):
		return stale(s, "audit_gap", "the audit log lost records after it was made, so it may have been executed already")
	case s.Catalog != e.ports.Catalog.Info().Digest || s.Rules != risk.RuleSet:
		return stale(s, "engine_changed", "it was made with another catalog or other risk rules")
	}
	return nil
}

func lockout(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Risk.Reasons, func(r plan.Reason) bool { return r.Rule == "R-LOCKOUT-02" })
}

func stale(s *stored, reason, why string) *fault.Error {
	return fault.New(fault.StalePlan, "plan %s cannot be applied any more: %s; make a new plan", s.ID, why).
		With("reason", reason).With("plan_id", s.ID.String())
}

// consented tests the approval in guarded mode, and in every mode that the plan
// was not revoked.
func (r *run) consented(ctx context.Context) error {
	v, file, err := r.engine.consent(ctx, r.plan, r.profile)
	if err != nil {
		return err
	}
	if r.profile.Mode == profile.Guarded {
		if v.Reason != approval.Valid {
			return r.engine.needApproval(r.plan, v)
		}
		r.consent, r.file = v, file
		return nil
	}
	revoked, err := r.engine.revoked(ctx, r.plan)
	if err != nil {
		return err
	}
	if revoked {
		return fault.New(fault.PolicyDenied, "plan %s was revoked; make a new plan", r.plan.ID).With("reason", "revoked")
	}
	return nil
}

// settled refuses to touch a device that may still be chewing on a request whose
// sender died.
func (e *Engine) settled(recovered []recovery) error {
	now := e.ports.Clock.Now()
	for _, r := range recovered {
		if wait := settlePeriod - now.Sub(r.Intent.At); wait > 0 && underWay(r.Answer) {
			seconds := int(wait.Round(time.Second) / time.Second)
			return fault.New(fault.Conflict, "a request of plan %s was under way when its program ended; wait %d s so that the device can finish it", r.id, seconds).
				With("reason", "settling").With("retry_after_s", seconds)
		}
	}
	return nil
}

// underWay reports whether the device may still be at work on a request: no answer is on
// record, or none that came whole from the device.
func underWay(answer *apply.Record) bool {
	if answer == nil {
		return true
	}
	switch answer.Class {
	case exchange.Ambiguous, exchange.NotAPI, exchange.Redirect, exchange.WrongDevice:
		return true
	case exchange.Accepted, exchange.Refused, exchange.RefusedDoubtful, exchange.AuthRefused, exchange.LockedOut, exchange.NotSent, exchange.TLSFailed:
	}
	return false
}

func asDetails(x *Execution) (map[string]any, error) {
	v, err := canon.Value(x)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "a record could not be encoded")
	}
	m, _ := v.(map[string]any)
	return m, nil
}

// news tells the listener, if there is one.
func (r *run) news(ctx context.Context, stage port.Stage, op int, status exchange.Status, format string, args ...any) {
	if r.progress == nil {
		return
	}
	r.progress.Step(ctx, port.Step{
		Stage: stage, Operation: op, Of: len(r.plan.Operations), Status: string(status), Text: fmt.Sprintf(format, args...),
	})
}
