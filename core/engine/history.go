package engine

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/ledger"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/rollback"
)

// history is what happened to a plan, by its journal.
type history struct {
	apply.History
	claimed bool
	state   apply.State
	raw     []byte
	good    int
}

// journalOf reads a plan's journal without judging it. claimed is false where there is none.
func (e *Engine) journalOf(ctx context.Context, s *stored) (*history, error) {
	raw, err := e.ports.Journals.Read(ctx, s.ID)
	if fault.CodeOf(err) == fault.NotFound {
		return &history{}, nil
	}
	if err != nil {
		return nil, err
	}
	records, good, err := apply.ParseJournal(raw)
	if err != nil {
		return nil, fault.Wrap(err, fault.Config, "the journal of plan %s is damaged; nothing more is done with this plan, keep the file and look at the device", s.ID)
	}
	h := &history{claimed: true, raw: raw, good: good, History: apply.Replay(records, len(s.Operations))}
	h.state = apply.Interrupted
	if h.Ended {
		h.state = apply.StateOf(h.Outcomes)
	}
	return h, nil
}

// history reads a plan's journal and, where a run was interrupted and nobody works
// on it any more, closes its record. A held lock means a live process.
func (e *Engine) history(ctx context.Context, c Caller, s *stored) (*history, error) {
	h, err := e.journalOf(ctx, s)
	if err != nil {
		return nil, err
	}
	switch {
	case !h.claimed:
		h.state, err = e.waiting(ctx, s)
		return h, err
	case h.Ended:
		e.forget(ctx, s) // the process may have died between the end and this
		return h, nil
	}
	release, err := e.ports.Locks.Lock(ctx, s.Device.Serial)
	if fault.CodeOf(err) == fault.Conflict {
		h.state = apply.Applying
		return h, nil
	}
	if err != nil {
		return nil, err
	}
	defer release()
	return e.recover(ctx, c, s)
}

// waiting is the state of a plan that nobody has executed.
func (e *Engine) waiting(ctx context.Context, s *stored) (apply.State, error) {
	revoked, err := e.revoked(ctx, s)
	switch {
	case err != nil:
		return "", err
	case revoked:
		e.forget(ctx, s)
		return apply.PlanRevoked, nil
	case s.Expired(e.ports.Clock.Now()):
		e.forget(ctx, s)
		return apply.PlanExpired, nil
	}
	if e.outlived(s) != nil {
		return apply.Planned, nil // whoever approved it, it is never applied
	}
	p, err := e.profile(ctx, s.Device.Profile)
	if err != nil {
		return apply.Planned, nil //nolint:nilerr // without its profile a plan is planned and nothing more
	}
	v, _, err := e.consent(ctx, s, p)
	if err != nil {
		return "", err
	}
	if v.Reason == approval.Valid {
		return apply.Approved, nil
	}
	return apply.Planned, nil
}

// recover closes the record of an interrupted run: the operation in flight is
// unknown, the rollback plan is made, the end is written. It never sends a write.
// The caller holds the device's lock, so nobody else works on the plan; the
// journal is read again under it.
func (e *Engine) recover(ctx context.Context, c Caller, s *stored) (*history, error) {
	h, err := e.journalOf(ctx, s)
	if err != nil || !h.claimed || h.Ended {
		return h, err
	}
	h.Settle()
	book, err := ledger.Continue(ctx, e.ports.Journals, e.ports.Clock.Now, s.ID, h.good, h.Next)
	if err != nil {
		return nil, err
	}
	run := &run{engine: e, caller: c, plan: s, outcomes: h.Outcomes, book: book, rollback: h.Rollback}
	run.lost = h.LostManagement
	defer run.close()
	if err := run.recordRecovery(ctx); err != nil {
		return nil, err
	}
	_, _ = run.finish(ctx, true) // how the run ended is read from its journal
	return e.journalOf(ctx, s)
}

// recordRecovery writes down who recovered the run and what became of the
// operation in flight.
func (r *run) recordRecovery(ctx context.Context) error {
	if err := r.book.Record(ctx, apply.Record{Type: apply.Recovered, By: r.caller.Program}); err != nil {
		return err
	}
	for i := range r.outcomes {
		if r.outcomes[i].Status != exchange.NotAttempted {
			o := r.outcomes[i]
			if err := r.book.Record(ctx, apply.Record{Type: apply.Judged, Op: &i, Verdict: &o}); err != nil {
				return err
			}
		}
	}
	return nil
}

// recovery is a run that was interrupted while a request of it was under way.
type recovery struct {
	id plan.ID
	*history
}

// recoverDevice closes the records of all interrupted runs on a device, and writes
// ends that did not reach the audit log. The caller holds the device's lock. It gives
// the runs that were interrupted while a request was under way, now or a moment ago:
// what ended longer ago than the settle period cannot matter to the device any more,
// and its journal is not read.
func (e *Engine) recoverDevice(ctx context.Context, c Caller, serial string, log logFacts) ([]recovery, error) {
	ids, err := e.ports.Journals.List(ctx)
	if err != nil {
		return nil, err
	}
	var found []recovery
	now := e.ports.Clock.Now()
	for _, id := range ids {
		if at, ended := log.ended[id]; ended && now.Sub(at) >= settlePeriod {
			continue
		}
		s, err := e.loadPlan(ctx, id)
		if err != nil || s.Device.Serial != serial {
			continue // a plan that cannot be read is reported where it is asked for
		}
		h, err := e.closed(ctx, c, s, log)
		if err != nil {
			return nil, err
		}
		if h != nil && h.Recovered && h.Intent != nil {
			found = append(found, recovery{id, h})
		}
	}
	e.closeUnclaimed(ctx, c, serial, ids, log)
	return found, nil
}

// closed is the history of a plan that was claimed, its end on record; nil where its
// journal is damaged.
func (e *Engine) closed(ctx context.Context, c Caller, s *stored, log logFacts) (*history, error) {
	h, err := e.journalOf(ctx, s)
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // a damaged journal is reported where its plan is asked for
	}
	if !h.Ended {
		return e.recover(ctx, c, s)
	}
	if _, recorded := log.ended[s.ID]; !recorded {
		e.backfill(ctx, c, s, h)
	}
	return h, nil
}

// closeUnclaimed puts on record that runs which began and died before their claim sent
// nothing. The caller holds the device's lock, so none of them is at work. Best effort.
func (e *Engine) closeUnclaimed(ctx context.Context, c Caller, serial string, claimed []plan.ID, log logFacts) {
	for _, id := range slices.SortedFunc(maps.Keys(log.begun), func(a, b plan.ID) int { return strings.Compare(a.String(), b.String()) }) {
		r := log.begun[id]
		if r.Serial != serial || slices.Contains(claimed, r.PlanID) {
			continue
		}
		entry := e.entry(c, audit.ApplyAborted, nil)
		entry.PlanID, entry.Digest, entry.Kind, entry.Parent = r.PlanID, r.Digest, r.Kind, r.Parent
		entry.Profile, entry.Serial, entry.VDOM, entry.Risk = r.Profile, r.Serial, r.VDOM, r.Risk
		entry.Recovered = true
		_, _ = e.ports.Audit.Append(ctx, entry)
	}
}

// backfill writes the end of a run whose audit record is missing. Best effort: the
// journal has the truth, and the next start tries again.
func (e *Engine) backfill(ctx context.Context, c Caller, s *stored, h *history) {
	entry := e.entry(c, audit.ApplyEnd, s)
	entry.State, entry.Ops, entry.Rollback, entry.Recovered = h.state, auditOps(s.Plan, h.Outcomes), h.Rollback, true
	entry.Journal = canon.Sum(h.raw[:h.good])
	_, _ = e.ports.Audit.Append(ctx, entry)
}

// execution shows a recorded run to callers. What its rollback cannot undo stands in
// the rollback plan, and where nothing can be undone follows from what happened.
func (e *Engine) execution(ctx context.Context, s *stored, h *history) *Execution {
	x := newExecution(s, h.Outcomes, h.state)
	if h.LostManagement {
		x.Notes = append(x.Notes, "after a critical operation the device could not be reached any more")
	}
	if h.Rollback.IsZero() {
		if undo := rollback.Build(s.Plan, h.Outcomes, e.schemaFor(s)); len(undo.Operations) == 0 && !undo.Complete() {
			x.Rollback = &RollbackRef{NotReversible: undo.Irreversible}
		}
		return x
	}
	x.Rollback = &RollbackRef{PlanID: &h.Rollback}
	if undo, err := e.loadPlan(ctx, h.Rollback); err == nil {
		x.Rollback.NotReversible, x.Rollback.Complete = undo.Irreversible, len(undo.Irreversible) == 0
	}
	return x
}

func newExecution(s *stored, outcomes []apply.Outcome, state apply.State) *Execution {
	x := &Execution{Status: string(state), PlanID: s.ID, Digest: s.digest, Operations: []OperationResult{}}
	for i, o := range outcomes {
		x.Operations = append(x.Operations, resultOf(s.Operations[i], o))
		switch o.Status {
		case exchange.Verified:
			x.Verified++
		case exchange.AppliedUnverified:
			x.AppliedUnverified++
		case exchange.Failed, exchange.OutcomeUnknown, exchange.NotAttempted:
		}
	}
	return x
}

func resultOf(op plan.Operation, o apply.Outcome) OperationResult {
	key := op.Key
	if key.IsZero() {
		key = o.Key
	}
	return OperationResult{
		Index: op.Index, Op: op.Op, Resource: op.Resource, Key: key, Status: o.Status, Class: o.Class, Changed: o.Changed,
		Observed: o.Observed, Unverified: o.Unverified, Mismatch: o.Mismatch, SideEffects: o.SideEffects,
		HTTPStatus: o.HTTP, DeviceError: o.DeviceError, Code: o.Code, Message: o.Message, DeviceText: o.DeviceText,
	}
}
