package engine

import (
	"context"
	"fmt"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

// planLimit is how many plans the store takes before it must be pruned.
const planLimit = 1000

// Plan validates a change and stores it as a plan, without touching the device.
func (e *Engine) Plan(ctx context.Context, c Caller, r request.Plan) (*PlanView, error) {
	if err := e.decoder.Check(&r); err != nil {
		return nil, err
	}
	intentions, err := r.Intentions()
	if err != nil {
		return nil, err
	}
	p, err := e.profile(ctx, r.Profile)
	if err != nil {
		return nil, err
	}
	if err := e.mayPlan(ctx, p, len(intentions)); err != nil {
		return nil, err
	}
	s, err := e.connect(ctx, p, r.VDOM)
	if err != nil {
		return nil, err
	}
	defer s.close()
	w := newPlanning(s, intentions)
	if err := w.work(ctx); err != nil {
		return nil, s.explain(ctx, r.VDOM, err)
	}
	if len(w.ops) == 0 {
		return &PlanView{Status: "no_change", Notes: w.allNotes()}, nil
	}
	if err := w.judge(ctx); err != nil {
		return nil, err
	}
	return e.publish(ctx, c, w, r.Reason)
}

// mayPlan checks the limits that need no device.
func (e *Engine) mayPlan(ctx context.Context, p profile.Profile, operations int) error {
	limit := profile.MaxOperations
	if p.MaxOperations > 0 {
		limit = min(limit, p.MaxOperations)
	}
	if operations > limit {
		problem := fmt.Sprintf("has %d entries, profile %q takes at most %d; split the change", operations, p.Name, limit)
		return fault.New(fault.Usage, "/operations: %s", problem).
			With("problems", []fault.Problem{{Pointer: "/operations", Problem: problem}})
	}
	ids, err := e.ports.Plans.List(ctx)
	if err != nil {
		return err
	}
	if len(ids) >= planLimit {
		return fault.New(fault.PolicyDenied, "%d plans are stored, which is the limit; remove old ones with: forti plan prune%s", len(ids), e.options.CommandSuffix).
			With("reason", "plan_limit")
	}
	return nil
}

// publish stores a worked-out plan and shows it.
func (e *Engine) publish(ctx context.Context, c Caller, w *planning, reason string) (*PlanView, error) {
	draft := plan.Plan{
		Kind: plan.Change, Device: w.target(), Management: w.management, Risk: w.risk, Operations: w.ops,
	}
	stored, err := e.store(ctx, c, &draft, w.secrets, remarks{Reason: reason, Notes: w.allNotes()}, w.s.profile)
	if err != nil {
		return nil, err
	}
	view := e.view(stored, w.s.profile.Mode)
	return view, nil
}
