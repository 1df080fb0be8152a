package protocol

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// tool is an entry of tools/list.
type tool struct {
	Name, Title, Description  string
	InputSchema, OutputSchema map[string]any
	Annotations               struct {
		Title                                                        string
		ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool
	}
}

func listed(t *testing.T, args ...string) []tool {
	t.Helper()
	var list []tool
	line := askServer(t, args, modern("tools/list"))[0]
	if err := json.Unmarshal(read(t, line).Result["tools"], &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestThereAreFourToolsEachWithATitleRepeatedInItsAnnotations(t *testing.T) {
	t.Parallel()
	var got []string
	for _, x := range listed(t) {
		a := x.Annotations
		if x.Title == "" || a.Title != x.Title || x.Description == "" {
			t.Errorf("%s: title %q, in the annotations %q", x.Name, x.Title, a.Title)
		}
		got = append(got, fmt.Sprint(x.Name, " ", *a.ReadOnlyHint, *a.DestructiveHint, *a.IdempotentHint, *a.OpenWorldHint))
	}
	if diff := cmp.Diff([]string{ // read-only, destructive, idempotent, open world
		"forti_discover true false true true", "forti_read true false true true", "forti_plan true false false true", "forti_apply false true false true",
	}, got); diff != "" {
		t.Error(diff)
	}
}

func TestEveryInputSchemaIsStrict(t *testing.T) {
	t.Parallel()
	for _, x := range listed(t) {
		if x.InputSchema["additionalProperties"] != false || x.InputSchema["type"] != "object" {
			t.Errorf("%s: %v", x.Name, x.InputSchema)
		}
		a := one(t, call(x.Name, `{"surplus":1}`))
		e := envelopeOf(t, a)
		properties, _ := x.InputSchema["properties"].(map[string]any)
		allowed, ok := strings.CutPrefix(e.Error.Message[strings.Index(e.Error.Message, "/surplus"):], "/surplus: unknown argument; allowed: ")
		allowed, _, _ = strings.Cut(allowed, ";")
		list := strings.Split(allowed, ", ")
		slices.Sort(list)
		if diff := cmp.Diff(keys(properties), list); !ok || diff != "" {
			t.Errorf("%s: %s\n%s", x.Name, e.Error.Message, diff)
		}
	}
}

// TestTheSchemasAreWhatEveryClientSwallows walks every schema.
func TestTheSchemasAreWhatEveryClientSwallows(t *testing.T) {
	t.Parallel()
	for _, x := range listed(t) {
		for _, s := range []map[string]any{x.InputSchema, x.OutputSchema} {
			if s["type"] != "object" {
				t.Errorf("%s: the root's type is %v", x.Name, s["type"])
			}
			for _, combinator := range []string{"anyOf", "oneOf", "allOf", "not"} {
				if _, has := s[combinator]; has {
					t.Errorf("%s: %s at the root", x.Name, combinator)
				}
			}
			walk(t, x.Name, s)
		}
	}
}

// walk checks a schema and those below it.
func walk(t *testing.T, at string, s any) {
	t.Helper()
	schema, ok := s.(map[string]any)
	if !ok {
		t.Fatalf("%s: %v in the place of a schema", at, s)
	}
	if _, typed := schema["type"].(string); !typed && schema["anyOf"] == nil {
		t.Errorf("%s: no type", at)
	}
	if _, has := schema["$ref"]; has {
		t.Errorf("%s: $ref", at)
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		walk(t, at+"/"+name, p)
	}
	alternatives, _ := schema["anyOf"].([]any)
	for i, p := range alternatives {
		walk(t, fmt.Sprintf("%s/anyOf/%d", at, i), p)
	}
	if items, has := schema["items"]; has {
		walk(t, at+"/items", items)
	}
	if rest, has := schema["additionalProperties"]; has && rest != false {
		walk(t, at+"/*", rest)
	}
}

func TestTheOutputSchemaOfEveryToolDescribesTheEnvelope(t *testing.T) {
	t.Parallel()
	for _, x := range listed(t) {
		s := compiled(t, x.OutputSchema)
		for text, valid := range map[string]bool{
			`{"ok":true,"data":{},"meta":{}}`:                                   true,
			`{"ok":true,"data":[1]}`:                                            true,
			`{"ok":false,"error":{"code":"c","message":"m"}}`:                   true,
			`{"ok":false,"error":{"code":"c","message":"m","details":{"a":1}}}`: true,
			`{"data":1}`:                           false,
			`{"ok":1}`:                             false,
			`{"ok":true,"meta":[]}`:                false,
			`{"ok":false,"error":{"code":"c"}}`:    false,
			`{"ok":false,"error":{"message":"m"}}`: false,
			`{"ok":false,"error":"c"}`:             false,
			`{"ok":false,"error":{"code":"c","message":"m","details":"d"}}`: false,
		} {
			if got := s.Validate(decoded(t, text)) == nil; got != valid {
				t.Errorf("%s: %s is valid: %v", x.Name, text, got)
			}
		}
	}
}

func compiled(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", schema); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEveryToolReturnsTheEnvelopeTwiceAndIsErrorWhenItIsNotOk(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	for _, c := range sampleCalls(lab) {
		s := run(t, lab, strings.NewReader(c.line))
		e := envelopeOf(t, read(t, split(t, s.stdout)[0]))
		if e.OK != (c.code == "") || !e.OK && e.Error.Code != c.code {
			t.Errorf("%.300s: ok %v, %+v", c.line, e.OK, e.Error)
		}
	}
}

// sample is a call and the code of its failure; "" for success.
type sample struct{ tool, line, code string }

// sampleCalls has a success and several failures of every tool.
func sampleCalls(lab *harness.Lab) []sample {
	operations := `[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}}]`
	id := lab.Plan(operations).PlanID
	make := func(tool, arguments, code string) sample { return sample{tool, call(tool, arguments), code} }
	return []sample{
		make("forti_discover", `{"what":"devices"}`, ""),
		make("forti_discover", `{"what":"capabilities"}`, ""),
		make("forti_discover", `{"what":"resources","query":"addr"}`, ""),
		make("forti_discover", `{"what":"resource","resource":"firewall/address"}`, ""),
		make("forti_discover", `{"what":"resource","resource":"firewall/address","live":true}`, ""),
		make("forti_discover", `{"what":"everything"}`, "usage"),
		make("forti_discover", `{"what":"resource","resource":"no/such"}`, "not_found"),
		make("forti_read", `{"resource":"firewall/address"}`, ""),
		make("forti_read", `{"resource":"firewall/address","key":"net-lan"}`, ""),
		make("forti_read", `{"resource":"system/global"}`, ""),
		make("forti_read", `{"resource":"monitor/system/status"}`, ""),
		make("forti_read", `{"resource":"firewall/address","key":"nobody"}`, "not_found"),
		make("forti_read", `{"resource":"firewall/address","filter":["nothing==1"]}`, "usage"),
		make("forti_plan", `{"operations":`+operations+`}`, ""),
		make("forti_plan", `{"operations":[{"op":"update","resource":"firewall/address","key":"net-lan","set":{"comment":""}}]}`, ""),
		make("forti_plan", `{"operations":[]}`, "usage"),
		make("forti_plan", `{"operations":[{"op":"delete","resource":"firewall/address","key":"nobody"}]}`, "not_found"),
		make("forti_apply", `{"plan_id":"`+id+`"}`, "approval_required"),
		make("forti_apply", `{"plan_id":"20261015-104512-a1b2c3"}`, "not_found"),
		make("forti_apply", `{}`, "usage"),
	}
}

func TestInvalidArgumentsAreAToolResultWithTheFailingPointer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 257)
	for _, c := range []struct{ tool, arguments, says string }{
		{"forti_plan", `{"operations":[{"op":"drop","resource":"firewall/address"}]}`, `/operations/0/op: must be one of "create", "update", "delete", "action"`},
		{"forti_plan", `{"operations":[{"op":"create","resource":"a","objekt":{}}]}`, "/operations/0/objekt: unknown argument; allowed: op, resource, key, object, set, clear, add, remove, position, params"},
		{"forti_plan", `{}`, "/operations"},
		{"forti_discover", `{"what":7}`, "/what"},
		{"forti_discover", `{"what":"resources","count":10001}`, "/count"},
		{"forti_discover", `{"what":"devices","wha~t/":1}`, "/wha~0t~1"},
		{"forti_read", `{"resource":"firewall/address","filter":[""]}`, "/filter/0"},
		{"forti_read", `{"resource":"firewall/address","filter":["a==1","` + long + `"]}`, "/filter/1"},
		{"forti_read", `{"resource":"firewall/address","fields":["name",""]}`, "/fields/1"},
		{"forti_read", `{"resource":"firewall/address","fields":["` + long + `"]}`, "/fields/0"},
		{"forti_apply", `{"plan_id":"x","operations":[]}`, "/operations: unknown argument; allowed: plan_id"},
	} {
		e := envelopeOf(t, one(t, call(c.tool, c.arguments)))
		if e.OK || e.Error.Code != "usage" || !strings.Contains(e.Error.Message, c.says) {
			t.Errorf("%s %.100s: %+v", c.tool, c.arguments, e.Error)
		}
	}
}

func TestFilterOperatorsAndAttributeNamesAreChecked(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	ask := func(arguments string) harness.Envelope {
		return envelopeOf(t, read(t, split(t, run(t, lab, strings.NewReader(call("forti_read", arguments))).stdout)[0]))
	}
	for _, operator := range []string{"==", "!=", "=@", "!@", "<", "<=", ">", ">="} {
		if e := ask(`{"resource":"firewall/address","filter":["name` + operator + `net"]}`); !e.OK {
			t.Errorf("%s: %+v", operator, e.Error)
		}
	}
	if e := ask(`{"resource":"firewall/address","filter":["name==net-lan,name==net-dmz"]}`); !e.OK {
		t.Errorf("a comma: %+v", e.Error)
	}
	for _, wrong := range []string{`"filter":["name~net"]`, `"filter":["nothing==1"]`, `"fields":["nothing"]`} {
		if e := ask(`{"resource":"firewall/address",` + wrong + `}`); e.OK || e.Error.Code != "usage" {
			t.Errorf("%s: %+v", wrong, e)
		}
	}
}

func TestDiscoverAnswersFromTheCatalogExceptCapabilitiesAndLive(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	requests := func(arguments string) int {
		lab.Device.ForgetRequests()
		line := split(t, run(t, lab, strings.NewReader(call("forti_discover", arguments))).stdout)[0]
		if e := envelopeOf(t, read(t, line)); !e.OK {
			t.Errorf("%s: %+v", arguments, e.Error)
		}
		return len(lab.Device.Requests())
	}
	for arguments, contacts := range map[string]bool{
		`{"what":"devices"}`:                                            false,
		`{"what":"resources","query":"policy"}`:                         false,
		`{"what":"resource","resource":"firewall/policy"}`:              false,
		`{"what":"capabilities"}`:                                       true,
		`{"what":"resource","resource":"firewall/address","live":true}`: true,
	} {
		if n := requests(arguments); (n > 0) != contacts {
			t.Errorf("%s: %d requests", arguments, n)
		}
	}
}

func TestTheDescriptionsStandOnTheirOwn(t *testing.T) {
	t.Parallel()
	says := map[string][]string{
		"forti_discover": {"Start here.", `what "devices"`, `what "capabilities"`, `what "resources"`, `what "resource"`, "live: true", "without contacting a device"},
		"forti_read":     {"key", "fields", "filter", "== != =@ (contains) !@ (does not contain) < <= > >=", "meta.next_start", "untrusted", "<redacted>"},
		"forti_plan":     {"- create:", "- update:", "- delete:", "- action:", `"before"`, `"$key_of"`, `"$secret"`, "nothing on it changes", "forti_apply with plan_id"},
		"forti_apply":    {"read_only: error policy_denied", "guarded: error approval_required", "approve_command", "autonomous: executes at once", "stale_plan", "rollback.plan_id", "partial_failure", "outcome_unknown", "management_connectivity_lost", "not_attempted"},
	}
	for _, x := range listed(t) {
		for _, words := range says[x.Name] {
			if !strings.Contains(x.Description, words) {
				t.Errorf("%s: nothing of %q", x.Name, words)
			}
		}
		properties, _ := x.InputSchema["properties"].(map[string]any)
		for name, p := range properties {
			if property, _ := p.(map[string]any); property["description"] == nil {
				t.Errorf("%s: %s is not described", x.Name, name)
			}
		}
	}
}

func TestTheWholeToolsListStaysUnder14KB(t *testing.T) {
	t.Parallel()
	for _, line := range ask(t, modern("tools/list"), initialize, request("tools/list", `{}`)) {
		if len(line) >= 14_000 {
			t.Errorf("%d bytes", len(line))
		}
	}
}
