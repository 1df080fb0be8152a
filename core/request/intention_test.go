package request

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/operation"
)

var sameKeys = cmp.Comparer(func(a, b operation.Key) bool { return a == b })

func TestFlatOperationsBecomeOneOfFour(t *testing.T) {
	key := operation.TextKey("k")
	p := Plan{Operations: []Operation{
		{Op: "create", Resource: "a/b", Object: map[string]any{"name": "x"}, Position: &Position{After: key}},
		{Op: "update", Resource: "a/b", Key: key, Set: map[string]any{"s": "1"}, Clear: []string{"c"}, Add: map[string][]any{"a": {"1"}}, Remove: map[string][]any{"r": {"1"}}},
		{Op: "update", Resource: "a/b", Key: key, Position: &Position{Before: operation.IntegerKey(0)}},
		{Op: "update", Resource: "system/global", Set: map[string]any{"s": "1"}},
		{Op: "delete", Resource: "a/b", Key: key},
		{Op: "action", Resource: "monitor/a/b/c", Params: map[string]any{"p": "1"}},
	}}
	origin := func(resource, pointer string) operation.Origin {
		return operation.Origin{Resource: resource, Pointer: pointer}
	}
	want := []operation.Operation{
		operation.Create{Origin: origin("a/b", "/operations/0"), Object: map[string]any{"name": "x"}, Position: &operation.Position{Anchor: key}},
		operation.Update{
			Origin: origin("a/b", "/operations/1"), Key: key, Set: map[string]any{"s": "1"}, Clear: []string{"c"},
			Add: map[string][]any{"a": {"1"}}, Remove: map[string][]any{"r": {"1"}},
		},
		operation.Update{Origin: origin("a/b", "/operations/2"), Key: key, Position: &operation.Position{Before: true, Anchor: operation.IntegerKey(0)}},
		operation.Update{Origin: origin("system/global", "/operations/3"), Set: map[string]any{"s": "1"}},
		operation.Delete{Origin: origin("a/b", "/operations/4"), Key: key},
		operation.Action{Origin: origin("monitor/a/b/c", "/operations/5"), Params: map[string]any{"p": "1"}},
	}
	got, err := p.Intentions()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, sameKeys); diff != "" {
		t.Errorf("intentions (-want +got):\n%s", diff)
	}
}

func TestFieldsBelongToTheirOp(t *testing.T) {
	everything := Operation{
		Resource: "a/b", Key: operation.TextKey("k"), Object: map[string]any{}, Set: map[string]any{"s": "1"}, Clear: []string{"c"},
		Add: map[string][]any{"a": nil}, Remove: map[string][]any{"r": nil}, Position: &Position{Before: operation.IntegerKey(1)}, Params: map[string]any{},
	}
	misplaced := func(op string, names ...string) []string {
		var texts []string
		for _, name := range names {
			texts = append(texts, "/operations/0/"+name+`: does not belong to "`+op+`"`)
		}
		return texts
	}
	tests := []struct {
		op   string
		want []string
	}{
		{"create", misplaced("create", "key", "set", "clear", "add", "remove", "params")},
		{"update", misplaced("update", "object", "params")},
		{"delete", misplaced("delete", "object", "set", "clear", "add", "remove", "position", "params")},
		{"action", misplaced("action", "key", "object", "set", "clear", "add", "remove", "position")},
	}
	for _, test := range tests {
		t.Run(test.op, func(t *testing.T) {
			o := everything
			o.Op = test.op
			list, err := Plan{Operations: []Operation{o}}.Intentions()
			checkProblems(t, err, test.want)
			if list != nil {
				t.Errorf("there is a list besides the error: %v", list)
			}
		})
	}
}

func TestOperationsThatCannotBeMeantAreRefused(t *testing.T) {
	key := operation.TextKey("k")
	tests := []struct {
		name string
		o    Operation
		want []string
	}{
		{"create without an object", Operation{Op: "create"}, []string{`/operations/0/object: is required for "create"`}},
		{"delete without a key", Operation{Op: "delete"}, []string{`/operations/0/key: is required for "delete"`}},
		{
			"update of nothing", Operation{Op: "update", Key: key, Set: map[string]any{}},
			[]string{"/operations/0: an update needs at least one of set, clear, add, remove, position"},
		},
		{
			"an attribute named twice",
			Operation{
				Op: "update", Key: key, Set: map[string]any{"a": "1", "b": "1"}, Clear: []string{"x", "a"},
				Add: map[string][]any{"b": nil, "m~/": nil}, Remove: map[string][]any{"m~/": nil, "x": nil},
			},
			[]string{
				"/operations/0/clear/1: is also named by set; name an attribute once",
				"/operations/0/add/b: is also named by set; name an attribute once",
				"/operations/0/remove/m~0~1: is also named by add; name an attribute once",
				"/operations/0/remove/x: is also named by clear; name an attribute once",
			},
		},
		{
			"a position before and after", Operation{Op: "update", Key: key, Position: &Position{Before: key, After: key}},
			[]string{"/operations/0/position: needs exactly one of before and after"},
		},
		{
			"a position nowhere", Operation{Op: "create", Object: map[string]any{}, Position: &Position{}},
			[]string{"/operations/0/position: needs exactly one of before and after"},
		},
		{"an op that nobody checked", Operation{Op: "purge"}, []string{`/operations/0/op: "purge" is not an op`}},
		{"no op", Operation{}, []string{`/operations/0/op: "" is not an op`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.o.Resource = "a/b"
			_, err := Plan{Operations: []Operation{test.o}}.Intentions()
			checkProblems(t, err, test.want)
		})
	}
}

func TestProblemsOfAllOperationsComeTogether(t *testing.T) {
	p := Plan{Operations: []Operation{{Op: "delete"}, {Op: "update", Key: operation.TextKey("k"), Set: map[string]any{"s": "1"}}, {Op: "create"}}}
	_, err := p.Intentions()
	checkProblems(t, err, []string{`/operations/0/key: is required for "delete"`, `/operations/2/object: is required for "create"`})
}
