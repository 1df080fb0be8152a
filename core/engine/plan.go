package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

// planLimit is how many plans of the last 7 days the store takes.
const planLimit = 1000

// Plan validates a change and stores it as a plan, without touching the device. The
// result is bounded by the byte budget; [Engine.Show] gives all of it.
func (e *Engine) Plan(ctx context.Context, c Caller, r request.Plan) (*PlanView, error) {
	if err := e.decoder.Check(&r); err != nil {
		return nil, e.Mistakes(ctx, r, err)
	}
	intentions, err := r.Intentions()
	if err != nil {
		return nil, e.Mistakes(ctx, r, err)
	}
	p, err := e.profile(ctx, r.Profile)
	if err != nil {
		return nil, err
	}
	if err := mayPlan(p, len(intentions)); err != nil {
		return nil, err
	}
	if err := e.room(ctx); err != nil {
		return nil, err
	}
	s, err := e.connect(ctx, p, r.VDOM)
	if err != nil {
		return nil, err
	}
	defer s.close()
	w := newPlanning(s, intentions)
	if err := w.work(ctx); err != nil {
		return nil, fewer(s.explain(ctx, r.VDOM, err), s.budget())
	}
	if len(w.ops) == 0 {
		view := &PlanView{Status: "no_change", Notes: w.allNotes()}
		return view, e.fitPlan(view, s.budget())
	}
	if err := mayPlan(p, len(w.ops)); err != nil { // a position is an operation of its own
		return nil, err
	}
	if err := w.judge(ctx); err != nil {
		return nil, err
	}
	return e.publish(ctx, c, w, r.Reason)
}

// mayPlan checks the number of operations.
func mayPlan(p profile.Profile, operations int) error {
	limit := profile.MaxOperations
	if p.MaxOperations > 0 {
		limit = min(limit, p.MaxOperations)
	}
	if operations > limit {
		return problem("/operations", fmt.Sprintf("makes %d operations, profile %q takes at most %d; split the change", operations, p.Name, limit))
	}
	return nil
}

// room checks that the store takes another plan: plans whose time is over do not count.
func (e *Engine) room(ctx context.Context) error {
	ids, err := e.ports.Plans.List(ctx)
	if err != nil {
		return err
	}
	now, live := e.ports.Clock.Now(), 0
	for _, id := range ids {
		if now.Sub(id.Time()) < plan.Lifetime {
			live++
		}
	}
	if live >= planLimit {
		return fault.New(fault.PolicyDenied, "%d plans of the last 7 days are stored, which is the limit; plan again when older ones have expired", live).
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
	view.Notes = append(slices.Clone(view.Notes), modeNotes(view.Mode)...)
	return view, e.fitPlan(view, w.s.budget())
}
