package change

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/schema"
)

func ref(key string) Ref {
	return Ref{Resource: "test/table", VDOM: "root", Key: operation.TextKey(key)}
}

// What was read is overlaid with what the plan does, in the order in which it does it.
func TestAWorldIsTheDeviceAfterThePlan(t *testing.T) {
	w := NewWorld()
	if _, known := w.Object(ref("a")); known || w.Touched(ref("a")) != -1 {
		t.Error("an empty world knows something")
	}
	w.Load(ref("a"), object{"x": "1"})
	w.Load(ref("b"), nil)
	if o, known := w.Object(ref("b")); o != nil || !known {
		t.Error("an absent object is not known to be absent")
	}
	w.Write(ref("a"), object{"x": "2"}, 0)
	w.Write(ref("b"), object{"x": "3"}, 1)
	w.Write(ref("a"), nil, 2)
	if o, known := w.Object(ref("a")); o != nil || !known || w.Touched(ref("a")) != 2 || w.Touched(ref("b")) != 1 {
		t.Errorf("a: %v, touched %d", o, w.Touched(ref("a")))
	}
	rows := w.Rows(ref("").Table())
	if len(rows) != 1 || rows[operation.TextKey("b")]["x"] != "3" {
		t.Errorf("rows: %v", rows)
	}
	if other := (Ref{Resource: "test/table", VDOM: "edge", Key: operation.TextKey("b")}); len(w.Rows(other.Table())) != 0 {
		t.Error("VDOMs are mixed")
	}
}

// A table's order follows its rows: what is created goes to the end.
func TestTheOrderFollowsTheRows(t *testing.T) {
	w := NewWorld()
	table := ref("").Table()
	w.Write(ref("early"), object{}, 0) // an order that is not known does not grow
	if _, known := w.Order(table); known {
		t.Error("an order came from nowhere")
	}
	first := []operation.Key{operation.TextKey("a"), operation.TextKey("b")}
	w.LoadOrder(table, first)
	w.Write(ref("c"), object{}, 0)
	w.Write(ref("a"), nil, 1)
	w.Write(ref("b"), object{"x": "y"}, 2)
	w.Write(ref("z"), nil, 3)
	keys, known := w.Order(table)
	if !known || !slices.Equal(keys, []operation.Key{operation.TextKey("b"), operation.TextKey("c")}) || len(first) != 2 {
		t.Errorf("%v", keys)
	}
	keys[0] = operation.TextKey("mine")
	if again, _ := w.Order(table); again[0] != operation.TextKey("b") {
		t.Error("a caller can change the order")
	}
	w.Move(table, []operation.Key{operation.TextKey("c"), operation.TextKey("b")})
	if keys, _ := w.Order(table); keys[0] != operation.TextKey("c") {
		t.Errorf("%v", keys)
	}
}

func TestAFreeKeyIsAboveAllOthers(t *testing.T) {
	w := NewWorld()
	table := Table{Resource: "firewall/policy"}
	if got := w.FreeKey(table); got != operation.IntegerKey(1) {
		t.Errorf("of an empty table %v", got)
	}
	w.LoadOrder(table, []operation.Key{operation.IntegerKey(7), operation.TextKey("x"), operation.IntegerKey(2)})
	if got := w.FreeKey(table); got != operation.IntegerKey(8) {
		t.Errorf("%v", got)
	}
}

func TestWithChangesNeitherObject(t *testing.T) {
	a, b := object{"x": "1", "y": "2"}, object{"y": "3"}
	if diff := cmp.Diff(object{"x": "1", "y": "3"}, With(a, b)); diff != "" || a["y"] != "2" || len(b) != 1 {
		t.Error(diff)
	}
	if got := With(nil, b); got["y"] != "3" {
		t.Error(got)
	}
}

// What can be written again has no metadata, no secrets and nothing that the device
// writes by itself, at any depth.
func TestWhatCanBeWrittenAgain(t *testing.T) {
	got := Writable(every, object{
		"name": "a", "uuid": "u", "state": "up", "psk": "ENC x", "q_origin_key": "a", "unknown": "x",
		"member": list{object{"name": "m", "note": "n", "q_origin_key": "m"}, "odd"}, "rows": list{object{"id": int64(1), "pw": "ENC x"}}, "inner": object{"ip": "192.0.2.1", "x": "y"},
	})
	want := object{"name": "a", "member": list{object{"name": "m", "note": "n"}}, "rows": list{object{"id": int64(1)}}, "inner": object{"ip": "192.0.2.1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

var call = &schema.Call{Method: "POST", Params: []schema.Param{
	{Name: "id", Type: "integer", Required: true}, {Name: "mode", Type: "string", Options: []string{"a", "b"}}, {Name: "yes", Type: "boolean"},
	{Name: "list", Type: "array"}, {Name: "deep", Type: "object"}, {Name: "free"}, {Name: "pin", Type: "string", Secret: true},
}}

func TestTheParametersOfACall(t *testing.T) {
	good := object{"id": int64(1), "mode": "b", "yes": true, "list": list{"x"}, "deep": object{"a": list{"b"}}, "free": "x", "pin": object{"$secret": object{"name": "n"}}}
	c := checker()
	if diff := cmp.Diff(good, c.Params(call, good, "/params")); diff != "" || len(c.Problems) > 0 {
		t.Errorf("%v\n%s", c.Problems, diff)
	}
	tests := []struct {
		name    string
		params  object
		problem string
	}{
		{"a required one is missing", object{}, "/id: is required"},
		{"an unknown one", object{"id": int64(1), "x": "y"}, "/x: unknown parameter; the call takes id, mode"},
		{"of the wrong type", object{"id": "1"}, "/id: must be of type integer"},
		{"not one of its values", object{"id": int64(1), "mode": "c"}, "/mode: must be one of a, b"},
		{"a text for a list", object{"id": int64(1), "list": "x"}, "/list: must be of type array"},
		{"a text for a truth", object{"id": int64(1), "yes": "true"}, "/yes: must be of type boolean"},
		{"a list for an object", object{"id": int64(1), "deep": list{}}, "/deep: must be of type object"},
		{"a reference to a secret", object{"id": int64(1), "free": list{object{"x": object{"$secret": "s0"}}}}, "/free: $secret is accepted for secrets only"},
		{"the key of an operation", object{"id": object{"$key_of": int64(0)}}, "/id: $key_of does not stand for a parameter"},
		{"a mask", object{"id": int64(1), "pin": "********"}, "/pin: looks like a masked secret"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := checker()
			c.Params(call, test.params, "")
			place, text, _ := strings.Cut(test.problem, ": ")
			if len(c.Problems) != 1 || c.Problems[0].Pointer != place || !strings.Contains(c.Problems[0].Problem, text) {
				t.Errorf("%v", c.Problems)
			}
		})
	}
	c = checker()
	c.Params(&schema.Call{}, object{"x": "y"}, "")
	if len(c.Problems) != 1 || !strings.HasSuffix(c.Problems[0].Problem, "takes none") {
		t.Errorf("%v", c.Problems)
	}
}
