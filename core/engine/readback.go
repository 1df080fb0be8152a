package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/compare"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// attempt is what the look before the request found, for the comparison after it.
type attempt struct {
	check   apply.Check
	why     *fault.Error
	skipped apply.Outcome
	object  map[string]any
	keys    []operation.Key
}

// check looks at an operation's object once more, right before its request.
func (r *run) check(ctx context.Context, op plan.Operation) attempt {
	if err := ctx.Err(); err != nil {
		return attempt{check: apply.CheckFailed, why: fault.Wrap(err, fault.DeviceUnreachable, "the apply was told to stop before this operation")}
	}
	if op.Op == plan.OpAction {
		return attempt{check: apply.CheckSend}
	}
	resource := r.schema(op.Resource)
	if resource == nil {
		return attempt{check: apply.CheckFailed, why: fault.New(fault.Internal, "%s is not in the catalog any more", op.Resource)}
	}
	a := attempt{}
	var err error
	if a.object, err = r.object(ctx, op, op.Key); err == nil && counted(op) {
		a.keys, err = r.session.keys(ctx, resource)
	}
	if err != nil {
		f := fault.From(err)
		a.check, a.why = apply.CheckFailed, fault.Wrap(err, f.Code, "%s could not be read before its change (%s)", label(op.Resource, op.Key), f.Message)
		return a
	}
	if op.Op == plan.OpMove {
		if r.moved == nil {
			r.moved = map[change.Ref]map[string]any{}
		}
		r.moved[refOf(op)] = a.object
	}
	r.decide(resource, op, &a)
	return a
}

// counted operations look at the keys of the whole table before and after.
func counted(op plan.Operation) bool { return op.Op == plan.OpMove || op.Op == plan.OpDelete }

// object reads an operation's object; nil where there is none.
func (r *run) object(ctx context.Context, op plan.Operation, key operation.Key) (map[string]any, error) {
	return r.session.object(ctx, change.Ref{Resource: op.Resource, VDOM: op.VDOM, Key: key})
}

func (r *run) decide(resource *schema.Resource, op plan.Operation, a *attempt) {
	if op.Op == plan.OpMove {
		switch orderFits(op, a.keys) {
		case orderSend:
			a.check = apply.CheckSend
		case orderSkip:
			a.check = apply.CheckSkip
		case orderOther:
			a.drift(op, "stands in another order now")
		}
		return
	}
	for _, pre := range op.Pre {
		if !holds(resource, pre, a.object, r.machine.Outcomes()) {
			continue
		}
		a.check = apply.CheckSend
		if pre.Then == plan.Skip {
			a.check = apply.CheckSkip
			a.skipped = postOf(resource, a.object)
		}
		return
	}
	a.drift(op, "is not as it was when planned")
}

func (a *attempt) drift(op plan.Operation, what string) {
	a.check = apply.CheckDrift
	a.why = fault.New(fault.StalePlan, "%s %s: somebody else changed it", label(op.Resource, op.Key), what)
}

// holds reports whether a precondition holds: a state of the object, or that it is
// as it was read back after an earlier operation of the run with these outcomes.
func holds(resource *schema.Resource, pre plan.Precondition, object map[string]any, outcomes []apply.Outcome) bool {
	if pre.After == 0 {
		return fits(resource, pre, object)
	}
	earlier := outcomes[pre.After-1]
	if object == nil {
		return earlier.Gone
	}
	digest, err := compare.ImageDigest(resource, object)
	return err == nil && digest == earlier.Post
}

// postOf notes the state of an object for later comparisons.
func postOf(resource *schema.Resource, object map[string]any) apply.Outcome {
	if object == nil {
		return apply.Outcome{Gone: true}
	}
	digest, err := compare.ImageDigest(resource, object)
	if err != nil {
		return apply.Outcome{}
	}
	return apply.Outcome{Post: digest}
}

// readPauses bound the reads after a write: a device may need a moment.
var readPauses = [...]time.Duration{0, 2 * time.Second, 8 * time.Second}

// readBack reads an object back until it is as wanted, at most a few times.
func (r *run) readBack(ctx context.Context, op plan.Operation, before attempt) apply.Finding {
	var f apply.Finding
	_, class := r.machine.Answer()
	for _, pause := range readPauses {
		if pause > 0 && r.engine.ports.Clock.Sleep(ctx, pause) != nil {
			return f
		}
		var again bool
		if f, again = r.look(ctx, op, before); !again {
			return f
		}
		settled := class != exchange.Accepted && f.Observed != exchange.Unreadable
		if f.Observed == exchange.Desired || settled {
			return f
		}
	}
	return f
}

// look reads the object once; again is false where to ask once more would change
// nothing, or do harm.
func (r *run) look(ctx context.Context, op plan.Operation, before attempt) (f apply.Finding, again bool) {
	resource := r.schema(op.Resource)
	if f, another := r.anotherKey(op); another {
		return f, true
	}
	object, err := r.object(ctx, op, op.Key)
	var keys []operation.Key
	if err == nil && counted(op) {
		keys, err = r.session.keys(ctx, resource)
	}
	if err != nil {
		return apply.Finding{Observed: exchange.Unreadable, Note: apply.Outcome{
			Message: "the object could not be read back: " + fault.From(err).Message,
		}}, !final(err)
	}
	switch op.Op {
	case plan.OpDelete:
		return deleted(resource, op, object, keys, before), true
	case plan.OpMove:
		return moved(resource, op, object, keys, before), true
	case plan.OpCreate, plan.OpUpdate, plan.OpAction:
	}
	return written(resource, op, object, before), true
}

// anotherKey finds a create whose answer names another row than the planned one:
// something was made, and it is not what was asked for.
func (r *run) anotherKey(op plan.Operation) (apply.Finding, bool) {
	x, class := r.machine.Answer()
	if op.Op != plan.OpCreate || class != exchange.Accepted || x.MKey == "" || x.MKey == op.Key.String() {
		return apply.Finding{}, false
	}
	return apply.Finding{Observed: exchange.Other, Note: apply.Outcome{
		Key:     operation.TextKey(x.MKey).As(op.Key.IsInteger()),
		Message: fmt.Sprintf("the device says that it made the row %s instead of %s", shorten(x.MKey), op.Key),
	}}, true
}

// written judges a create or an update.
func written(resource *schema.Resource, op plan.Operation, object map[string]any, before attempt) apply.Finding {
	if object == nil {
		f := apply.Finding{Observed: exchange.Other, Note: apply.Outcome{Gone: true}}
		if before.object == nil {
			f.Observed = exchange.Preimage
		}
		return f
	}
	result := compare.Attributes(resource.Attributes, op.Expect, object)
	f := apply.Finding{Observed: exchange.Desired, Note: postOf(resource, object)}
	f.Note.Unverified, f.Note.Mismatch = result.Unverified, result.Mismatch
	f.Comparable = result.Compared > 0
	if before.object != nil {
		f.Note.SideEffects = sideEffects(resource, op, before.object, object)
	}
	if len(result.Mismatch) == 0 {
		return f
	}
	f.Observed = exchange.Other
	if before.object != nil && postOf(resource, before.object).Post == f.Note.Post {
		f.Observed = exchange.Preimage
	}
	f.Note.Message = mismatchText(op, result.Mismatch, masked(resource, object))
	return f
}

// sideEffects are attributes that changed although the operation did not name them.
func sideEffects(resource *schema.Resource, op plan.Operation, before, after map[string]any) []string {
	names := compare.Changes(resource.Attributes, compare.Image(resource, before), compare.Image(resource, after))
	return slices.DeleteFunc(names, func(name string) bool { _, named := op.Expect[name]; return named })
}

func mismatchText(op plan.Operation, names []string, object map[string]any) string {
	var words []string
	for _, name := range names {
		words = append(words, fmt.Sprintf("%s: wanted %s, the device has %s", name, valueText(op.Expect[name]), valueText(object[name])))
	}
	return strings.Join(words, "; ")
}

func valueText(v any) string {
	data, err := canon.Encode(shown(v))
	if err != nil {
		return "a value that cannot be shown"
	}
	return shorten(string(data))
}

// deleted judges a delete: the row is gone, and no other row went with it.
func deleted(resource *schema.Resource, op plan.Operation, object map[string]any, keys []operation.Key, before attempt) apply.Finding {
	if object != nil {
		f := apply.Finding{Observed: exchange.Other, Comparable: true, Note: postOf(resource, object)}
		if postOf(resource, before.object).Post == f.Note.Post {
			f.Observed = exchange.Preimage
		}
		return f
	}
	f := apply.Finding{Observed: exchange.Desired, Comparable: true, Note: apply.Outcome{Gone: true}}
	if lost := missing(before.keys, keys, op.Key); len(lost) > 0 {
		f.Observed = exchange.Other
		f.Note.Message = fmt.Sprintf("ALARM: the delete removed %d more rows of %s: %s; restore them from the backup or by hand", len(lost), op.Resource, shorten(strings.Join(lost, ", ")))
	}
	return f
}

// missing are the keys that are gone besides the deleted one.
func missing(before, after []operation.Key, deleted operation.Key) []string {
	var lost []string
	for _, key := range before {
		if key != deleted && !slices.Contains(after, key) {
			lost = append(lost, key.String())
		}
	}
	return lost
}

// moved judges a move: the whole order is the wanted one.
func moved(resource *schema.Resource, op plan.Operation, object map[string]any, keys []operation.Key, before attempt) apply.Finding {
	f := apply.Finding{Observed: exchange.Other, Comparable: true, Note: postOf(resource, object)}
	switch {
	case slices.Equal(keys, op.Order.After):
		f.Observed = exchange.Desired
	case slices.Equal(keys, before.keys):
		f.Observed = exchange.Preimage
	}
	if f.Observed != exchange.Desired {
		f.Note.Order = keys
		f.Note.Message = fmt.Sprintf("the order of %s is not the wanted one: it stands %s", label(op.Resource, op.Key), place(keys, op.Key))
	}
	return f
}
