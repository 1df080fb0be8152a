package engine

import (
	"context"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// What is kept: a plan that was executed for this long, and in any case this many of
// the newest of them. One that was never executed is kept while it could be.
const (
	keptFor  = 90 * 24 * time.Hour
	keptLast = 200
)

// Pruned is what was removed, or would be.
type Pruned struct {
	Plans []PrunedPlan `json:"plans"`
	// DryRun: nothing was removed.
	DryRun bool `json:"dry_run,omitempty"`
}

// PrunedPlan is one plan that was removed.
type PrunedPlan struct {
	PlanID plan.ID     `json:"plan_id"`
	State  apply.State `json:"state"`
	Why    string      `json:"why"`
}

// Prune removes plans that are of no more use: those that can never be applied any more
// and never were, and those that were executed more than 90 days ago, except the last
// 200. A plan whose outcome is unknown, or that is being applied, always stays, and so
// do the audit log and the backups. Each removal is on record, with the digests of what
// it removes, before it happens.
//
// Failures: config where the log cannot be written, or where the store cannot prune.
func (e *Engine) Prune(ctx context.Context, c Caller, dryRun bool) (*Pruned, error) {
	store, ok := e.ports.Plans.(port.PlanPruner)
	if !ok {
		return nil, fault.New(fault.Config, "these plans are kept by a store that does not prune; look there")
	}
	lines, err := e.List(ctx, c)
	if err != nil {
		return nil, err
	}
	done := &Pruned{Plans: useless(lines, e.ports.Clock.Now()), DryRun: dryRun}
	if dryRun {
		return done, nil
	}
	for _, p := range done.Plans {
		if err := e.prune(ctx, c, store, p.PlanID); err != nil {
			return nil, err
		}
	}
	return done, e.pruneRests(ctx, store, lines)
}

// useless are the plans to remove; lines are newest first.
func useless(lines []PlanLine, now time.Time) []PrunedPlan {
	out := []PrunedPlan{}
	executed := 0
	for _, l := range lines {
		if l.Problem != "" || l.CreatedAt == nil {
			continue // what is not understood stays for a person
		}
		age := now.Sub(*l.CreatedAt)
		switch l.State {
		case apply.PlanExpired:
			out = append(out, PrunedPlan{l.PlanID, l.State, "it was not applied within 7 days"})
		case apply.PlanRevoked:
			if age >= plan.Lifetime {
				out = append(out, PrunedPlan{l.PlanID, l.State, "it was revoked"})
			}
		case apply.Applied, apply.Partial, apply.FailedState:
			if executed++; executed > keptLast && age >= keptFor {
				out = append(out, PrunedPlan{l.PlanID, l.State, "it was executed more than 90 days ago"})
			}
		case apply.Planned, apply.Approved, apply.Applying, apply.Interrupted, apply.UnknownOutcome:
		}
	}
	return out
}

func (e *Engine) prune(ctx context.Context, c Caller, store port.PlanPruner, id plan.ID) error {
	s, err := e.loadPlan(ctx, id)
	if err != nil {
		return err
	}
	entry := e.entry(c, audit.StatePruned, s)
	if journal, err := e.ports.Journals.Read(ctx, id); err == nil {
		entry.Journal = canon.Sum(journal)
	}
	if err := e.recordRemoval(ctx, entry); err != nil {
		return err
	}
	return store.Prune(ctx, id)
}

// recordRemoval puts a removal on record before it happens.
func (e *Engine) recordRemoval(ctx context.Context, entry audit.Entry) error {
	if _, err := e.ports.Audit.Append(ctx, entry); err != nil {
		return fault.Wrap(err, fault.Config, "the audit log cannot be written (%s), so nothing more was removed", fault.From(err).Message)
	}
	return nil
}

// pruneRests removes what a crash left of plans whose removal is on record; it removes
// nothing where nothing is left.
func (e *Engine) pruneRests(ctx context.Context, store port.PlanPruner, lines []PlanLine) error {
	log, err := e.readLog(ctx)
	if err != nil {
		return err
	}
	for _, l := range lines {
		delete(log.pruned, l.PlanID) // on record and still a plan: the last removal died early, and the next one finds it
	}
	for id := range log.pruned {
		if err := store.Prune(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
