package engine

import (
	"slices"

	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/compare"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

var noKey operation.Key

func refOf(op plan.Operation) change.Ref {
	return change.Ref{Resource: op.Resource, VDOM: op.VDOM, Key: op.Key}
}

// fits reports whether an object is in the state of a precondition. After and None
// are not states of an object by itself and never fit here.
func fits(r *schema.Resource, pre plan.Precondition, object map[string]any) bool {
	switch {
	case pre.Absent:
		return object == nil
	case object == nil || r == nil:
		return false
	case !pre.Object.IsZero():
		digest, err := compare.ImageDigest(r, object)
		return err == nil && digest == pre.Object
	case len(pre.Match) > 0:
		result := compare.Attributes(r.Attributes, pre.Match, object)
		return result.Compared > 0 && len(result.Mismatch) == 0
	}
	return false
}

// orderFits says what an order of keys means for a move: Send where it is the one
// that the move was planned on, Skip where it is the wanted one and the plan
// accepts that, 0 where it is neither.
func orderFits(op plan.Operation, keys []operation.Key) orderVerdict {
	for _, pre := range op.Pre {
		switch {
		case pre.Then == plan.Send && slices.Equal(keys, op.Order.Before):
			return orderSend
		case pre.Then == plan.Skip && slices.Equal(keys, op.Order.After):
			return orderSkip
		}
	}
	return orderOther
}

type orderVerdict int

const (
	orderOther orderVerdict = iota
	orderSend
	orderSkip
)

// played is the order of keys after a create or a delete. One that has nothing to do,
// as in the rollback of a request that took no effect, changes nothing.
func played(keys []operation.Key, op plan.Operation) []operation.Key {
	if op.Op == plan.OpDelete {
		return slices.DeleteFunc(slices.Clone(keys), func(k operation.Key) bool { return k == op.Key })
	}
	if slices.Contains(keys, op.Key) {
		return keys
	}
	return append(slices.Clone(keys), op.Key)
}
