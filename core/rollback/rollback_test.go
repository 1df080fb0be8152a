package rollback

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

var same = cmp.Options{
	cmp.Comparer(func(a, b canon.Digest) bool { return a == b }), cmp.Comparer(func(a, b operation.Key) bool { return a == b }), cmpopts.EquateEmpty(),
}

var before, after = canon.Sum([]byte("before")), canon.Sum([]byte("after"))

func known(path string) *schema.Resource {
	if path == "gone/table" {
		return nil
	}
	return &schema.Resource{Path: path, Kind: schema.Table, Key: "name", KeyType: "string", Attributes: []schema.Attribute{
		{Name: "name", Type: "string"}, {Name: "comment", Type: "string"}, {Name: "psk", Type: "password", Secret: true}, {Name: "uuid", Type: "uuid"},
		{Name: "state", Type: "string", ReadOnly: true}, {Name: "ip", Type: "ipv4-address"}, {Name: "n", Type: "integer"},
		{Name: "keys", Type: "table", Key: "id", KeyType: "integer", Attributes: []schema.Attribute{{Name: "id", Type: "integer"}, {Name: "key", Type: "password", Secret: true}}},
	}}
}

func update(set map[string]any) plan.Operation {
	return plan.Operation{
		Op: plan.OpUpdate, Source: "/operations/0", Resource: "firewall/address", VDOM: "root", Key: operation.TextKey("a"),
		Pre: []plan.Precondition{{Then: plan.Send, Object: before}}, Before: map[string]any{"name": "a", "comment": "old"}, Expect: set,
	}
}

func built(ops []plan.Operation, outcomes ...apply.Outcome) Undo {
	return Build(&plan.Plan{Operations: ops}, outcomes, known)
}

func outcome(status exchange.Status, changed exchange.Changed, observed exchange.Observed) apply.Outcome {
	o := apply.Outcome{Status: status, Changed: changed, Observed: observed}
	if observed == exchange.Desired || observed == exchange.Other {
		o.Post = after
	}
	return o
}

// What goes into a rollback, and on which conditions, by how the operation ended.
func TestTheStatusOfAnOperationDecidesWhatUndoesIt(t *testing.T) {
	send, skip := plan.Send, plan.Skip
	asWritten := plan.Precondition{Then: send, Match: map[string]any{"comment": "new"}}
	tests := []struct {
		name    string
		outcome apply.Outcome
		pre     []plan.Precondition // nil: left out
		unseen  bool                // what else changed is not known
	}{
		{"verified", outcome(exchange.Verified, exchange.ChangedYes, exchange.Desired), []plan.Precondition{{Then: send, Object: after}}, false},
		{"applied, not read back", outcome(exchange.AppliedUnverified, exchange.ChangedYes, exchange.Unreadable), []plan.Precondition{asWritten, {Then: skip, Object: before}}, true},
		{"failed, another value", outcome(exchange.Failed, exchange.ChangedYes, exchange.Other), []plan.Precondition{{Then: send, Object: after}, {Then: skip, Object: before}}, false},
		{"failed, accepted and as before", outcome(exchange.Failed, exchange.ChangedYes, exchange.Preimage), []plan.Precondition{asWritten, {Then: skip, Object: before}}, false},
		{"unknown, seen as wanted", outcome(exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.Desired), []plan.Precondition{{Then: send, Object: after}, {Then: skip, Object: before}}, false},
		{"unknown, seen as before", outcome(exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.Preimage), []plan.Precondition{asWritten, {Then: skip, Object: before}}, true},
		{"unknown, not looked at", outcome(exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.NotChecked), []plan.Precondition{asWritten, {Then: skip, Object: before}}, true},
		{"failed without effect", outcome(exchange.Failed, exchange.ChangedNo, exchange.Preimage), nil, false},
		{"not attempted", outcome(exchange.NotAttempted, exchange.ChangedNo, ""), nil, false},
		{"skipped", apply.Outcome{Status: exchange.Verified, Changed: exchange.ChangedNo, Skipped: true, Observed: exchange.Desired}, nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			undo := built([]plan.Operation{update(map[string]any{"comment": "new"})}, test.outcome)
			if test.pre == nil {
				if len(undo.Operations) > 0 || !undo.Complete() {
					t.Fatalf("%+v", undo)
				}
				return
			}
			if len(undo.Operations) != 1 || undo.Complete() == test.unseen {
				t.Fatalf("%+v", undo)
			}
			if test.unseen && !strings.Contains(undo.Irreversible[0], "what the device changed beside comment was not seen") {
				t.Errorf("%q", undo.Irreversible)
			}
			op := undo.Operations[0]
			if diff := cmp.Diff(test.pre, op.Pre, same); diff != "" {
				t.Errorf("preconditions (-want +got):\n%s", diff)
			}
			if op.Op != plan.OpUpdate || op.Wire.Method != "PUT" || cmp.Diff(map[string]any{"comment": "old"}, op.Wire.Body) != "" {
				t.Errorf("%s %v", op.Wire.Method, op.Wire.Body)
			}
		})
	}
}

// What cannot be undone is named, each thing once.
func TestWhatCannotBeUndoneIsNamed(t *testing.T) {
	verified := outcome(exchange.Verified, exchange.ChangedYes, exchange.Desired)
	edit := func(change func(op *plan.Operation)) plan.Operation {
		op := update(map[string]any{"comment": "new"})
		change(&op)
		return op
	}
	tests := []struct {
		name    string
		op      plan.Operation
		outcome apply.Outcome
		named   string
		inverse bool
	}{
		{"a secret beside something else", edit(func(o *plan.Operation) { o.Expect["psk"], o.Lost = map[string]any{"$secret": "s0"}, []string{"psk"} }), verified, "psk: a secret cannot be restored", true},
		{"a secret that was not set before", edit(func(o *plan.Operation) { o.Expect = map[string]any{"psk": map[string]any{"$secret": "s0"}} }), verified, "psk: its former value is not known", false},
		{"an address without a former value", edit(func(o *plan.Operation) { o.Expect = map[string]any{"ip": "192.0.2.1"} }), verified, "ip: its former value is not known", false},
		{"a former number that is not whole", edit(func(o *plan.Operation) {
			o.Expect, o.Before = map[string]any{"n": int64(1)}, map[string]any{"n": map[string]any{"$num": "1.5"}}
		}), verified, "n: its former value is not known", false},
		{"an attribute that nobody knows", edit(func(o *plan.Operation) { o.Expect = map[string]any{"x": "y"} }), verified, "x: its former value is not known", false},
		{"a list that the device changed and that may hold secrets", edit(func(o *plan.Operation) { o.Before["keys"] = []any{} }),
			func() apply.Outcome { o := verified; o.SideEffects = []string{"keys"}; return o }(), "keys: the device changed it as well", true},
		{"an action", plan.Operation{Op: plan.OpAction, Resource: "monitor/a/b"}, verified, "an action cannot be undone", false},
		{"a row of a table that the catalog lost", edit(func(o *plan.Operation) { o.Op, o.Resource, o.Expect = plan.OpDelete, "gone/table", nil }), verified, "the catalog does not know the resource", false},
		{"a deleted row with a number that is not whole", edit(func(o *plan.Operation) {
			o.Op, o.Expect, o.Before = plan.OpDelete, nil, map[string]any{"n": map[string]any{"$num": "1.5"}}
		}), verified, "a number that cannot be written exactly", false},
		{"a row that the device made instead", edit(func(o *plan.Operation) { o.Op = plan.OpCreate }),
			apply.Outcome{Status: exchange.Failed, Changed: exchange.ChangedYes, Observed: exchange.Other, Key: operation.TextKey("b")}, "it made the row b instead", false},
		{"rows that a delete took with it", edit(func(o *plan.Operation) { o.Op, o.Expect = plan.OpDelete, nil }),
			apply.Outcome{Status: exchange.Failed, Changed: exchange.ChangedYes, Observed: exchange.Other, Gone: true, Message: "2 more rows"}, "2 more rows", true},
		{"an answer from another device", edit(func(*plan.Operation) {}),
			apply.Outcome{Status: exchange.OutcomeUnknown, Class: exchange.WrongDevice}, "another device or VDOM answered", false},
		{"a key with control characters", edit(func(o *plan.Operation) { o.Op, o.Key = plan.OpAction, operation.TextKey("a\x1b[2J") }), verified, `a\x1b[2J`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			undo := built([]plan.Operation{test.op}, test.outcome)
			if undo.Complete() || len(undo.Irreversible) != 1 || !strings.Contains(undo.Irreversible[0], test.named) {
				t.Errorf("named: %q", undo.Irreversible)
			}
			if (len(undo.Operations) == 1) != test.inverse {
				t.Errorf("%d operations", len(undo.Operations))
			}
		})
	}
}

// A row is created again without what the device writes by itself and without secrets.
// A device changes attributes that nobody named, such as the subnet of an address whose
// type becomes iprange; what the read-back saw of it is undone too.
func TestSideEffectsAreUndone(t *testing.T) {
	op := update(map[string]any{"comment": "new"})
	op.Before["ip"] = "192.0.2.1"
	o := outcome(exchange.Verified, exchange.ChangedYes, exchange.Desired)
	o.SideEffects = []string{"ip", "psk"}
	undo := built([]plan.Operation{op}, o)
	if len(undo.Operations) != 1 {
		t.Fatalf("got %+v", undo)
	}
	got := undo.Operations[0]
	if diff := cmp.Diff(map[string]any{"comment": "old", "ip": "192.0.2.1"}, got.Wire.Body); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"name": "a", "comment": "new"}, got.Before); diff != "" {
		t.Errorf("what is undone (-want +got):\n%s", diff)
	}
	want := []string{"update firewall/address a: psk: the device changed it as well, and its former value is not known"}
	if diff := cmp.Diff(want, undo.Irreversible); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestADeletedRowIsCreatedFromWhatCanBeWritten(t *testing.T) {
	op := update(nil)
	op.Op, op.Lost = plan.OpDelete, []string{"psk"}
	op.Before = map[string]any{"name": "a", "comment": "old", "uuid": "u", "state": "up", "unknown": "x"}
	undo := built([]plan.Operation{op}, apply.Outcome{Status: exchange.Verified, Changed: exchange.ChangedYes, Observed: exchange.Desired, Gone: true})
	if len(undo.Operations) != 1 || len(undo.Irreversible) != 1 {
		t.Fatalf("%+v", undo)
	}
	got := undo.Operations[0]
	if diff := cmp.Diff(map[string]any{"name": "a", "comment": "old"}, got.Wire.Body); diff != "" || got.Op != plan.OpCreate || !got.Pre[0].Absent {
		t.Errorf("%s %+v", diff, got)
	}
}

// The inverses run in reverse order, each on what the one before it leaves.
func TestInversesRunInReverseOrder(t *testing.T) {
	one, two := update(map[string]any{"comment": "one"}), update(map[string]any{"comment": "two"})
	two.Index, two.Source, two.Before, two.Pre = 1, "/operations/1", map[string]any{"name": "a", "comment": "one"}, []plan.Precondition{{Then: plan.Send, After: 1}}
	verified := outcome(exchange.Verified, exchange.ChangedYes, exchange.Desired)
	undo := built([]plan.Operation{one, two}, verified, verified)
	if len(undo.Operations) != 2 {
		t.Fatalf("%+v", undo)
	}
	first, second := undo.Operations[0], undo.Operations[1]
	if first.Source != "/operations/1" || first.Expect["comment"] != "one" || second.Expect["comment"] != "old" || second.Index != 1 ||
		cmp.Diff([]plan.Precondition{{Then: plan.Send, After: 1}}, second.Pre, same) != "" {
		t.Errorf("%+v\n%+v", first, second)
	}
}

// A row returns behind its former predecessor; where that is gone, before its former
// successor; where both are gone, its place cannot be restored.
func TestARowReturnsToItsFormerNeighbours(t *testing.T) {
	keys := func(list string) []operation.Key {
		var out []operation.Key
		for name := range strings.FieldsSeq(list) {
			out = append(out, operation.TextKey(name))
		}
		return out
	}
	tests := []struct {
		name, former, now, where, anchor, after string
	}{
		{"behind its predecessor", "a b c", "b a c", "after", "a", "a b c"},
		{"before its successor", "b c", "c b", "before", "c", "b c"},
		{"the predecessor is gone", "x b c", "c b", "before", "c", "b c"},
		{"both are gone", "x b y", "c b", "", "", ""},
		{"it stands there already", "a b c", "a b c", "none", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			move := plan.Operation{
				Op: plan.OpMove, Source: "/operations/0", Resource: "firewall/policy", Key: operation.TextKey("b"), Pre: []plan.Precondition{{Then: plan.Send, None: true}},
				Order: &plan.Order{Position: operation.Position{Anchor: operation.TextKey("c")}, Before: keys(test.former), After: keys(test.now)},
			}
			undo := built([]plan.Operation{move}, outcome(exchange.Verified, exchange.ChangedYes, exchange.Desired))
			switch test.where {
			case "":
				if undo.Complete() || len(undo.Operations) > 0 {
					t.Errorf("%+v", undo)
				}
			case "none":
				if !undo.Complete() || len(undo.Operations) > 0 {
					t.Errorf("%+v", undo)
				}
			default:
				got := undo.Operations[0].Order
				if got.Position.Where() != test.where || got.Position.Anchor.String() != test.anchor || cmp.Diff(keys(test.after), got.After, same) != "" {
					t.Errorf("%+v", got)
				}
			}
		})
	}
}

// A list whose rows may hold secrets is restored where none of them was set: what is lost
// is said by the operation.
func TestAListWhoseSecretsAreNotSetIsRestored(t *testing.T) {
	op := update(map[string]any{"keys": []any{}})
	op.Before["keys"] = []any{map[string]any{"id": int64(1)}}
	undo := built([]plan.Operation{op}, outcome(exchange.Verified, exchange.ChangedYes, exchange.Desired))
	if !undo.Complete() || len(undo.Operations) != 1 || cmp.Diff(op.Before["keys"], undo.Operations[0].Expect["keys"]) != "" {
		t.Errorf("%+v", undo)
	}
	op.Lost = []string{"keys"}
	undo = built([]plan.Operation{op}, outcome(exchange.Verified, exchange.ChangedYes, exchange.Desired))
	if undo.Complete() || len(undo.Operations) != 0 {
		t.Errorf("secrets are lost: %+v", undo)
	}
}
