package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/compare"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// Present is what the device has now of operations whose outcome is unknown. It says
// what is there, and neither who wrote it nor that a late request cannot still arrive:
// the outcome stays unknown.
type Present struct {
	Operations []PresentState `json:"operations"`
	// Problem is why the device could not be asked, "" where it was.
	Problem string `json:"problem,omitempty"`
	// Next says how to go on.
	Next string `json:"next"`
}

// PresentState is what the device has now of one operation.
type PresentState struct {
	Index int `json:"index"`
	// Observed is desired (as planned), preimage (as before), other, unreadable, or
	// not_checked where an operation leaves nothing to look at.
	Observed exchange.Observed `json:"observed"`
	Text     string            `json:"text"`
}

// present reads the objects of the unknown operations of a run again; nil where it
// has none. It never writes, and a device that does not answer is told, not an error.
func (e *Engine) present(ctx context.Context, s *stored, h *history) *Present {
	var unknown []plan.Operation
	for i, o := range h.Outcomes {
		if o.Status == exchange.OutcomeUnknown {
			unknown = append(unknown, s.Operations[i])
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	found := &Present{Operations: []PresentState{}}
	if at, err := e.returnTo(ctx, s); err != nil {
		found.Problem = fault.From(err).Message
	} else {
		defer at.close()
		for _, op := range unknown {
			found.Operations = append(found.Operations, at.presentOf(ctx, op, h.Outcomes))
		}
	}
	found.Next = e.afterUnknown(s, h, found)
	return found
}

// returnTo connects to the device of a plan, and to no other one.
func (e *Engine) returnTo(ctx context.Context, s *stored) (*session, error) {
	p, err := e.profile(ctx, s.Device.Profile)
	if err != nil {
		return nil, err
	}
	at, err := e.connect(ctx, p, s.Device.VDOM)
	if err != nil {
		return nil, err
	}
	if at.identity.Serial != s.Device.Serial {
		at.close()
		return nil, fault.New(fault.StalePlan, "another device (%s) answers at the address of profile %q than the plan's (%s)", at.identity.Serial, p.Name, s.Device.Serial)
	}
	return at, nil
}

func (s *session) presentOf(ctx context.Context, op plan.Operation, outcomes []apply.Outcome) PresentState {
	state := PresentState{Index: op.Index}
	what := label(op.Resource, op.Key)
	if op.Op == plan.OpAction {
		state.Observed, state.Text = exchange.NotChecked, "an action leaves nothing to look at"
		return state
	}
	observed, err := s.observe(ctx, op, outcomes)
	state.Observed = observed
	switch {
	case err != nil:
		state.Observed, state.Text = exchange.Unreadable, fmt.Sprintf("%s cannot be read: %s", what, fault.From(err).Message)
	case observed == exchange.Desired:
		state.Text = what + " is as the plan wanted it"
	case observed == exchange.Preimage:
		state.Text = what + " is as it was before the plan"
	default:
		state.Text = what + " is neither as before nor as the plan wanted it"
	}
	return state
}

// observe compares what the device has of an operation with what the plan wanted and
// with what was there before.
func (s *session) observe(ctx context.Context, op plan.Operation, outcomes []apply.Outcome) (exchange.Observed, error) {
	resource, err := s.engine.ports.Catalog.Resource(op.Resource, s.release)
	if err != nil {
		return "", err
	}
	if op.Op == plan.OpMove {
		keys, err := s.keys(ctx, resource)
		switch {
		case err != nil:
			return "", err
		case slices.Equal(keys, op.Order.After):
			return exchange.Desired, nil
		case slices.Equal(keys, op.Order.Before):
			return exchange.Preimage, nil
		}
		return exchange.Other, nil
	}
	object, err := s.object(ctx, refOf(op))
	switch {
	case err != nil:
		return "", err
	case asWanted(resource, op, object):
		return exchange.Desired, nil
	case slices.ContainsFunc(op.Pre, func(p plan.Precondition) bool {
		return p.Then == plan.Send && holds(resource, p, object, outcomes)
	}):
		return exchange.Preimage, nil
	}
	return exchange.Other, nil
}

// asWanted reports whether an object is as its operation wanted it.
func asWanted(resource *schema.Resource, op plan.Operation, object map[string]any) bool {
	if op.Op == plan.OpDelete || object == nil {
		return op.Op == plan.OpDelete && object == nil
	}
	result := compare.Attributes(resource.Attributes, op.Expect, object)
	return result.Compared > 0 && len(result.Mismatch) == 0
}

// afterUnknown says how to go on with a plan whose outcome is unknown.
func (e *Engine) afterUnknown(s *stored, h *history, found *Present) string {
	all := func(want exchange.Observed) bool {
		return len(found.Operations) > 0 && !slices.ContainsFunc(found.Operations, func(p PresentState) bool { return p.Observed != want })
	}
	undo := ""
	if !h.Rollback.IsZero() {
		undo = fmt.Sprintf(", or undo what was applied with plan %s", h.Rollback)
	}
	switch {
	case found.Problem != "":
		return "When the device answers again: " + e.command("forti plan show", s.ID)
	case all(exchange.Desired):
		return "Plan the same change again: if nothing is left to do, the plan is empty" + undo + "."
	case all(exchange.Preimage):
		return "If the change is still wanted, make a new plan" + undo + "."
	}
	return "Look at the device with forti read, then make a new plan for what is still wanted" + undo + "."
}
