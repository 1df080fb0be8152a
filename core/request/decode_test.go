package request

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
)

func TestARequestIsDecodedWhole(t *testing.T) {
	tests := []struct {
		name string
		json string
		into any
		want any
	}{
		{
			"discover", `{"what":"resources","query":"address","start":0,"count":20,"live":false}`,
			&Discover{}, &Discover{What: Resources, Query: "address", Count: 20},
		},
		{
			"read with a text key", `{"resource":"firewall/address","key":"a/b","fields":["name"],"filter":["type==ipmask"]}`,
			&Read{}, &Read{Resource: "firewall/address", Key: operation.TextKey("a/b"), Fields: []string{"name"}, Filter: []string{"type==ipmask"}},
		},
		{
			"read with an integer key", `{"resource":"firewall/policy","key":7,"params":{"a":[1,null,"x"]}}`,
			&Read{}, &Read{Resource: "firewall/policy", Key: operation.IntegerKey(7), Params: map[string]any{"a": []any{int64(1), nil, "x"}}},
		},
		{
			"plan", `{"operations":[
				{"op":"create","resource":"firewall/policy","object":{"name":"x","srcaddr":[{"name":"a"}]},"position":{"before":3}},
				{"op":"update","resource":"firewall/addrgrp","key":"g","set":{"comment":null},"clear":["color"],"add":{"member":[{"name":"b"}]}}
			],"reason":"why"}`,
			&Plan{}, &Plan{Reason: "why", Operations: []Operation{
				{
					Op: "create", Resource: "firewall/policy", Object: map[string]any{"name": "x", "srcaddr": []any{map[string]any{"name": "a"}}},
					Position: &Position{Before: operation.IntegerKey(3)},
				},
				{
					Op: "update", Resource: "firewall/addrgrp", Key: operation.TextKey("g"), Set: map[string]any{"comment": nil},
					Clear: []string{"color"}, Add: map[string][]any{"member": {map[string]any{"name": "b"}}},
				},
			}},
		},
		{"apply", `{"plan_id":"20261015-104512-a1b2c3"}`, &Apply{}, &Apply{PlanID: "20261015-104512-a1b2c3"}},
		{
			"null counts as left out", ` {"resource":"system/global","key":null,"fields":null,"count":null,"params":null} `,
			&Read{}, &Read{Resource: "system/global"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := NewDecoder().Decode([]byte(test.json), test.into); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, test.into, cmp.Comparer(func(a, b operation.Key) bool { return a == b })); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

const allowedInOperation = "op, resource, key, object, set, clear, add, remove, position, params"

func TestEveryProblemIsReportedAtItsPlace(t *testing.T) {
	tests := []struct {
		name string
		into any
		json string
		want []string
	}{
		{
			"a wrong op", &Plan{}, `{"operations":[{"op":"upsert","resource":"firewall/address"}]}`,
			[]string{`/operations/0/op: must be one of "create", "update", "delete", "action"`},
		},
		{"no rows at all", &Read{}, `{"resource":"a/b","count":0}`, []string{"/count: must be at least 1"}},
		{"no results at all", &Discover{}, `{"what":"resources","count":0,"start":0}`, []string{"/count: must be at least 1"}},
		{
			"a list given as a text", &Plan{}, `{"operations":"[{\"op\":\"create\"}]"}`,
			[]string{"/operations: must be a list, not a string"},
		},
		{
			"several at once, in the order of the request", &Plan{}, `{"vdom":7,"operations":[
				{"op":"create","resource":"a/b","objekt":{}},{"op":1},{"op":"delete","resource":"a/b","key":""},
				{},{},{},{},{},{},{},{"op":"x","resource":"a/b"}]}`,
			[]string{
				"/operations/0/objekt: unknown argument; allowed: " + allowedInOperation,
				"/operations/1/op: must be a string, not an integer",
				"/operations/1/resource: is required",
				"/operations/2/key: the key is empty or blank",
				"/operations/3/op: is required", "/operations/3/resource: is required",
				"/operations/4/op: is required", "/operations/4/resource: is required",
				"/operations/5/op: is required", "/operations/5/resource: is required",
				"/operations/6/op: is required", "/operations/6/resource: is required",
				"/operations/7/op: is required", "/operations/7/resource: is required",
				"/operations/8/op: is required", "/operations/8/resource: is required",
				"/operations/9/op: is required", "/operations/9/resource: is required",
				`/operations/10/op: must be one of "create", "update", "delete", "action"`,
				"/vdom: must be a string, not an integer",
			},
		},
		{
			"an entry of the wrong type is one problem", &Plan{}, `{"operations":[5,null,{"op":"delete","resource":"a/b","key":"k"}]}`,
			[]string{"/operations/0: must be an object, not an integer", "/operations/1: must not be null"},
		},
		{"nothing", &Plan{}, ``, []string{"/operations: is required"}},
		{"null", &Plan{}, ` null `, []string{"/operations: is required"}},
		{"no operations", &Plan{}, `{"operations":[]}`, []string{"/operations: must have at least 1 entries, has 0"}},
		{"a list for a request", &Apply{}, `[]`, []string{"must be an object, not a list"}},
		{"an unknown argument", &Apply{}, `{"plan_id":"x","force":true}`, []string{"/force: unknown argument; allowed: plan_id"}},
		{"an argument in another case", &Apply{}, `{"PLAN_ID":"x"}`,
			[]string{"/PLAN_ID: unknown argument; allowed: plan_id", "/plan_id: is required"}},
		{"a name that needs escaping", &Apply{}, `{"plan_id":"x","a/b~c":1}`, []string{"/a~1b~0c: unknown argument; allowed: plan_id"}},
		{
			"wrong types", &Read{}, `{"resource":true,"fields":{"a":1},"count":"5","start":1.5,"params":[1],"key":[1]}`,
			[]string{
				"/count: must be an integer, not a string",
				"/fields: must be a list, not an object",
				"/key: a key is a string or an integer",
				"/params: must be an object, not a list",
				"/resource: must be a string, not a boolean",
				"/start: must be an integer, not a fraction or an integer beyond 2^53",
			},
		},
		{
			"limits", &Read{}, `{"resource":"` + strings.Repeat("é", 257) + `","count":0,"start":-1,"fields":[],"filter":["",null]}`,
			[]string{
				"/count: must be at least 1",
				"/fields: must have at least 1 entries, has 0",
				"/filter/0: must have at least 1 characters, has 0",
				"/filter/1: must not be null",
				"/resource: must have at most 256 characters, has 257",
				"/start: must be at least 0",
			},
		},
		{
			"numbers that cannot be kept exactly", &Plan{},
			`{"operations":[{"op":"create","resource":"a/b","object":{"n":9007199254740993,"l":[{"f":0.5}],"ok":9007199254740991}}]}`,
			[]string{
				"/operations/0/object/l/0/f: is a fraction or an integer beyond 2^53; give an integer or a string",
				"/operations/0/object/n: is a fraction or an integer beyond 2^53; give an integer or a string",
			},
		},
		{
			"what is added is a list", &Plan{}, `{"operations":[{"op":"update","resource":"a/b","key":"k","add":{"member":"x","other":[0.5]}}]}`,
			[]string{
				"/operations/0/add/member: must be a list, not a string",
				"/operations/0/add/other/0: is a fraction or an integer beyond 2^53; give an integer or a string",
			},
		},
		{
			"keys of a position", &Plan{}, `{"operations":[{"op":"update","resource":"a/b","key":"k","position":{"before":"..","after":-1,"at":1}}]}`,
			[]string{
				"/operations/0/position/after: the key must not be negative",
				"/operations/0/position/at: unknown argument; allowed: before, after",
				`/operations/0/position/before: the key ".." would address something else`,
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := NewDecoder().Decode([]byte(test.json), test.into)
			checkProblems(t, err, test.want)
		})
	}
}

func checkProblems(t *testing.T, err error, want []string) {
	t.Helper()
	if fault.CodeOf(err) != fault.Usage {
		t.Fatalf("error %v", err)
	}
	problems, _ := fault.From(err).Details["problems"].([]fault.Problem)
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if text := "usage: " + strings.Join(want, "; "); err.Error() != text {
		t.Errorf("the message is not the problems: %s", err)
	}
}

func TestWhatIsNotStrictJSONIsNotARequest(t *testing.T) {
	tests := []struct{ name, json, want string }{
		{"cut", `{"plan_id":"x"`, "not valid JSON"},
		{"key twice", `{"plan_id":"x","plan_id":"y"}`, `key "plan_id" stands twice`},
		{"key twice, deep inside", `{"operations":[{"object":{"a":1,"a":2}}]}`, `key "a" stands twice`},
		{"trailing bytes", `{"plan_id":"x"} {}`, "bytes follow"},
		{"invalid UTF-8", "{\"plan_id\":\"\xff\"}", "UTF-8"},
		{"lone surrogate", `{"plan_id":"\ud800"}`, "surrogate"},
		{"NUL", `{"plan_id":"\u0000"}`, "NUL"},
		{"too deep", strings.Repeat("[", 100) + strings.Repeat("]", 100), "deeper"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := NewDecoder().Decode([]byte(test.json), &Apply{})
			var e *fault.Error
			if !errors.As(err, &e) || e.Code != fault.Usage || !strings.Contains(e.Message, test.want) {
				t.Errorf("error %v, want usage with %q", err, test.want)
			}
		})
	}
}

func TestAStructFilledByCodeIsCheckedTheSame(t *testing.T) {
	d := NewDecoder()
	if err := d.Check(&Apply{PlanID: "20261015-104512-a1b2c3"}); err != nil {
		t.Error(err)
	}
	checkProblems(t, d.Check(&Read{Count: 10001}), []string{"/count: must be at most 10000", "/resource: is required"})
}

func FuzzDecodingNeverPanics(f *testing.F) {
	f.Add([]byte(`{"operations":[{"op":"create","resource":"a/b","object":{"a":[1,"x",null]},"position":{"before":1}}]}`))
	f.Add([]byte(`{"operations":[{"op":"update","key":0.1,"add":{"m":[{}]},"clear":[null]}]}`))
	f.Add([]byte(`null`))
	d := NewDecoder()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, into := range []any{&Discover{}, &Read{}, &Plan{}, &Apply{}} {
			if err := d.Decode(data, into); err != nil && fault.CodeOf(err) != fault.Usage {
				t.Errorf("%T: %v", into, err)
			}
		}
	})
}
