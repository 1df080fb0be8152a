package engine

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/plan/planfile"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/risk"
)

// remarks are what goes with a plan without being part of it.
type remarks struct {
	Reason string   `json:"reason"`
	Notes  []string `json:"notes"`
}

// stored is a plan as it stands in the store, checked.
type stored struct {
	*plan.Plan
	digest     canon.Digest
	file       []byte
	remarks    remarks
	auditError string
	log        logFacts
	// recorded reports whether the log has the plan's creation.
	recorded bool
}

// planBytes bounds a stored plan.
const planBytes = 8 << 20

// idTries is how often an id is drawn again when it is taken.
const idTries = 8

// store gives a plan its id and stores it with its secrets, then records that in
// the audit log. A plan without that record cannot be applied.
func (e *Engine) store(ctx context.Context, c Caller, p *plan.Plan, secrets secretFile, r remarks, owner profile.Profile) (*stored, error) {
	p.Engine, p.Catalog, p.Rules = e.options.Version, e.ports.Catalog.Info().Digest, risk.RuleSet
	r.Notes = orEmpty(r.Notes)
	side, err := json.Marshal(r)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "a plan's remarks could not be encoded")
	}
	s := &stored{Plan: p, remarks: r}
	for range idTries {
		err = e.put(ctx, s, secrets, side)
		if fault.CodeOf(err) != fault.Conflict {
			break
		}
	}
	if fault.CodeOf(err) == fault.Conflict {
		return nil, fault.Wrap(err, fault.Config, "no free plan id was found in %d tries; the source of random bytes is not random", idTries)
	}
	if err != nil {
		return nil, err
	}
	entry := e.entry(c, audit.PlanCreated, s)
	entry.Mode, entry.Reason, entry.Ops = owner.Mode, redact.Line(r.Reason, 500), auditOps(p, nil)
	if _, err := e.ports.Audit.Append(ctx, entry); err != nil {
		s.auditError = fault.From(err).Message
	}
	return s, nil
}

func (e *Engine) put(ctx context.Context, s *stored, secrets secretFile, side []byte) error {
	random, err := e.ports.Random.Bytes(plan.RandomBytes)
	if err != nil {
		return fault.Wrap(err, fault.Config, "no random bytes are to be had")
	}
	s.CreatedAt = e.ports.Clock.Now().UTC().Truncate(time.Second)
	s.ID = plan.NewID(s.CreatedAt, [plan.RandomBytes]byte(random))
	if s.file, s.digest, err = planfile.Encode(s.Plan); err != nil {
		return err
	}
	if len(s.file) > planBytes {
		return fault.New(fault.Usage, "/operations: the plan would take %d bytes, at most %d are stored; split the change", len(s.file), planBytes).
			With("problems", []fault.Problem{{Pointer: "/operations", Problem: "the plan is too large; split the change"}})
	}
	if _, err := e.ports.Plans.Get(ctx, s.ID); err == nil {
		return fault.New(fault.Conflict, "plan %s exists already", s.ID)
	}
	if err := e.putSecrets(ctx, s.ID, secrets); err != nil {
		return err
	}
	err = e.ports.Plans.Put(ctx, port.StoredPlan{ID: s.ID, File: s.file, Digest: s.digest, Remarks: side})
	if err != nil && len(secrets.Secrets) > 0 && fault.CodeOf(err) != fault.Conflict { // then they are another plan's
		_ = e.ports.Secrets.Erase(context.WithoutCancel(ctx), s.ID)
	}
	return err
}

func (e *Engine) putSecrets(ctx context.Context, id plan.ID, secrets secretFile) error {
	if len(secrets.Secrets) == 0 {
		return nil
	}
	if e.ports.Secrets == nil {
		return fault.New(fault.Config, "no store for the secrets of plans is set up; use named secrets")
	}
	data, err := canon.Marshal(secrets)
	if err != nil {
		return fault.New(fault.Usage, "a secret value cannot be stored exactly: use valid UTF-8 text without NUL")
	}
	return e.ports.Secrets.Put(ctx, id, data)
}

// load reads a plan and proves that it is the one that was planned: its bytes have
// the digest beside them, and the audit log's record of its creation names the
// same.
func (e *Engine) load(ctx context.Context, id plan.ID) (*stored, error) {
	log, err := e.readLog(ctx, id)
	if err != nil {
		return nil, err
	}
	return e.loadWith(ctx, id, log)
}

// loadWith is load with a log that was read already.
func (e *Engine) loadWith(ctx context.Context, id plan.ID, log logFacts) (*stored, error) {
	s, err := e.loadPlan(ctx, id)
	if err != nil {
		return nil, err
	}
	s.log = log
	s.recorded, err = e.proven(ctx, s)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// proven compares a plan with the record of its creation in the log that was read for it.
func (e *Engine) proven(ctx context.Context, s *stored) (recorded bool, err error) {
	created, recorded := s.log.created[s.ID]
	if !recorded && s.Kind == plan.Rollback && e.vouched(ctx, s) {
		return true, nil
	}
	if recorded && created != s.digest {
		return false, fault.New(fault.TamperedPlan, "plan %s is not the plan that the audit log recorded; make a new plan", s.ID)
	}
	return recorded, nil
}

// vouched reports whether the journal of the plan that a rollback undoes names exactly
// this rollback: it was made, and only its audit record could not be written then.
func (e *Engine) vouched(ctx context.Context, s *stored) bool {
	parent, err := e.loadPlan(ctx, s.Parent)
	if err != nil {
		return false
	}
	h, err := e.journalOf(ctx, parent)
	return err == nil && h.Rollback == s.ID && !s.digest.IsZero() && h.RollbackDigest == s.digest
}

// loadPlan reads a plan and proves that its bytes have the digest beside them.
func (e *Engine) loadPlan(ctx context.Context, id plan.ID) (*stored, error) {
	raw, err := e.ports.Plans.Get(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, fault.Wrap(err, fault.NotFound, "there is no plan %s; forti plan list%s shows the plans", id, e.options.CommandSuffix)
	}
	if err != nil {
		return nil, err
	}
	p, err := planfile.Decode(raw.File, raw.Digest)
	if err != nil {
		return nil, named(err, id)
	}
	if p.ID != id {
		return nil, fault.New(fault.TamperedPlan, "the file of plan %s holds plan %s; make a new plan", id, p.ID)
	}
	s := &stored{Plan: p, digest: raw.Digest, file: raw.File}
	if err := json.Unmarshal(raw.Remarks, &s.remarks); err != nil {
		s.remarks = remarks{Notes: []string{"the remarks that were stored with this plan cannot be read"}}
	}
	return s, nil
}

func named(err error, id plan.ID) error {
	f := fault.From(err)
	return fault.Wrap(f, f.Code, "plan %s: %s", id, f.Message).With("plan_id", id.String())
}

// List gives all stored plans with their states, newest first.
func (e *Engine) List(ctx context.Context, c Caller) ([]PlanLine, error) {
	ids, err := e.ports.Plans.List(ctx)
	if err != nil {
		return nil, err
	}
	log, err := e.readLog(ctx, ids...)
	if err != nil {
		return nil, err
	}
	lines := make([]PlanLine, 0, len(ids))
	for _, id := range ids {
		lines = append(lines, e.line(ctx, c, id, log))
	}
	return lines, nil
}

func (e *Engine) line(ctx context.Context, c Caller, id plan.ID, log logFacts) PlanLine {
	line := PlanLine{PlanID: id}
	s, err := e.loadWith(ctx, id, log)
	if err == nil {
		var h *history
		if h, err = e.history(ctx, c, s); err == nil {
			line.Kind, line.Profile, line.Risk = s.Kind, s.Device.Profile, s.Risk.Tier
			line.CreatedAt, line.Operations, line.State = &s.CreatedAt, len(s.Operations), h.state
			return line
		}
	}
	line.Problem = fault.From(err).Message
	return line
}

// Show gives a stored plan with its state; after an interrupted apply it recovers
// the record first. Where the outcome of an operation is unknown, the device is asked
// what it has now.
func (e *Engine) Show(ctx context.Context, c Caller, id plan.ID) (*PlanView, error) {
	s, err := e.load(ctx, id)
	if err != nil {
		return nil, err
	}
	h, err := e.history(ctx, c, s)
	if err != nil {
		return nil, err
	}
	mode := profile.Mode("")
	if p, err := e.profile(ctx, s.Device.Profile); err == nil {
		mode = p.Mode
	}
	view := e.view(s, mode)
	view.State = h.state
	switch err := e.outlived(s); {
	case err != nil && !h.claimed:
		view.Apply, view.Approve = "", ""
		view.Notes = append(slices.Clone(view.Notes), fault.From(err).Message)
	case h.state == apply.Planned:
		view.Notes = append(slices.Clone(view.Notes), modeNotes(mode)...)
	case h.state == apply.Approved:
		view.Approve = ""
	default: // it cannot be applied any more
		view.Apply, view.Approve = "", ""
	}
	if h.claimed {
		view.Execution = e.execution(ctx, s, h)
		view.Present = e.present(ctx, s, h)
	}
	return view, nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
