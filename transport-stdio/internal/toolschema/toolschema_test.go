package toolschema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/request"
)

type sample struct {
	Name   string           `json:"name" validate:"required,max=8" doc:"The name."`
	Kind   string           `json:"kind,omitempty" validate:"omitempty,oneof=a b"`
	Note   string           `json:"note,omitempty" validate:"omitempty,min=2,max=4"`
	Count  int              `json:"count,omitempty" validate:"omitempty,min=1,max=10"`
	On     bool             `json:"on,omitempty"`
	Key    operation.Key    `json:"key,omitzero"`
	Words  []string         `json:"words,omitempty" validate:"omitempty,min=1,max=2,dive,min=1,max=3"`
	Open   map[string]any   `json:"open,omitempty"`
	Lists  map[string][]any `json:"lists,omitempty"`
	Nested *struct {
		To operation.Key `json:"to,omitzero"`
	} `json:"nested,omitempty"`
}

func TestEachShapeHasItsSchema(t *testing.T) {
	t.Parallel()
	properties, ok := Of(request.Describe(sample{}))["properties"].(Schema)
	if !ok {
		t.Fatal("no properties")
	}
	for name, want := range map[string]string{
		"name":   `{"description":"The name.","maxLength":8,"minLength":1,"type":"string"}`,
		"kind":   `{"enum":["a","b"],"type":"string"}`,
		"note":   `{"maxLength":4,"minLength":2,"type":"string"}`,
		"count":  `{"maximum":10,"minimum":1,"type":"integer"}`,
		"on":     `{"type":"boolean"}`,
		"key":    `{"anyOf":[{"type":"string"},{"type":"integer"}]}`,
		"words":  `{"items":{"maxLength":3,"minLength":1,"type":"string"},"maxItems":2,"minItems":1,"type":"array"}`,
		"open":   `{"type":"object"}`,
		"lists":  `{"additionalProperties":{"items":{"anyOf":[{"type":"object"},{"type":"string"},{"type":"number"},{"type":"boolean"}]},"type":"array"},"type":"object"}`,
		"nested": `{"additionalProperties":false,"properties":{"to":{"anyOf":[{"type":"string"},{"type":"integer"}]}},"type":"object"}`,
	} {
		got, err := json.Marshal(properties[name])
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v\nwant %s", name, got, err, want)
		}
	}
}

var requests = map[string]any{
	"discover": request.Discover{}, "read": request.Read{}, "plan": request.Plan{}, "apply": request.Apply{},
}

// TestEveryInputSchemaIsStrictAndPlain holds the requests against what clients
// were seen to choke on.
func TestEveryInputSchemaIsStrictAndPlain(t *testing.T) {
	t.Parallel()
	for name, r := range requests {
		s := Of(request.Describe(r))
		if s["additionalProperties"] != false {
			t.Errorf("%s: unknown arguments are not refused", name)
		}
		for _, combinator := range []string{"anyOf", "oneOf", "allOf", "not", "$ref"} {
			if _, ok := s[combinator]; ok {
				t.Errorf("%s: %s at the root", name, combinator)
			}
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, unfit := range []string{`"$ref"`, `"type":[`, `:true`, `"items":false`, `:{}`, `[{}`} {
			if strings.Contains(string(text), unfit) {
				t.Errorf("%s: the schema holds %s", name, unfit)
			}
		}
	}
}

// TestTheSchemaAndTheDecoderAgree sends the same arguments through both.
func TestTheSchemaAndTheDecoderAgree(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		request any
		args    string
		valid   bool
	}{
		{&request.Discover{}, `{"what":"devices"}`, true},
		{&request.Discover{}, `{}`, false},
		{&request.Discover{}, `{"what":"everything"}`, false},
		{&request.Discover{}, `{"what":"resources","query":"addr","kind":"table"}`, true},
		{&request.Discover{}, `{"what":"resources","count":10001}`, false},
		{&request.Discover{}, `{"what":"resources","start":-1}`, false},
		{&request.Discover{}, `{"what":"resource","live":"yes"}`, false},
		{&request.Read{}, `{"resource":"firewall/policy","key":12}`, true},
		{&request.Read{}, `{"resource":"firewall/policy","key":"12"}`, true},
		{&request.Read{}, `{"resource":"firewall/policy","key":[12]}`, false},
		{&request.Read{}, `{"resource":""}`, false},
		{&request.Read{}, `{"resource":"a","limit":1}`, false},
		{&request.Read{}, `{"resource":"a","filter":["` + long + `"]}`, false},
		{&request.Read{}, `{"resource":"a","params":{"x":1,"y":"z"}}`, true},
		{&request.Plan{}, `{"operations":[]}`, false},
		{&request.Plan{}, `{"operations":[{"op":"create","resource":"a","object":{"name":"n"}}]}`, true},
		{&request.Plan{}, `{"operations":[{"op":"create","resource":"a","object":{"a":1,"b":"x","c":[{"d":true}],"e":{"f":null}}}]}`, true},
		{&request.Plan{}, `{"operations":[{"op":"update","resource":"a","add":{"member":[{"name":"x"},"y",3]}}]}`, true},
		{&request.Plan{}, `{"operations":[{"op":"drop","resource":"a"}]}`, false},
		{&request.Plan{}, `{"operations":[{"op":"update","resource":"a","add":{"member":"x"}}]}`, false},
		{&request.Plan{}, `{"operations":[{"op":"update","resource":"a","position":{"before":1,"beside":2}}]}`, false},
		{&request.Apply{}, `{"plan_id":"20261015-104512-a1b2c3"}`, true},
		{&request.Apply{}, `{"plan_id":""}`, false},
		{&request.Apply{}, `{"plan_id":"x","mode":"autonomous"}`, false},
	} {
		t.Run(fmt.Sprintf("%T %.60s", c.request, c.args), func(t *testing.T) {
			t.Parallel()
			bySchema := compile(t, Of(request.Describe(c.request))).Validate(decoded(t, c.args)) == nil
			byDecoder := request.NewDecoder().Decode([]byte(c.args), c.request) == nil
			if bySchema != c.valid || byDecoder != c.valid {
				t.Errorf("schema %v, decoder %v, want %v", bySchema, byDecoder, c.valid)
			}
		})
	}
}

func TestTheEnvelopeNeedsOkAndACompleteError(t *testing.T) {
	t.Parallel()
	s := compile(t, Envelope())
	for args, valid := range map[string]bool{
		`{"ok":true,"data":[1],"meta":{}}`:                                      true,
		`{"ok":true,"data":{"a":[]}}`:                                           true,
		`{"ok":true,"data":null}`:                                               true,
		`{"ok":true,"data":"text"}`:                                             true,
		`{"ok":true,"data":1.5}`:                                                true,
		`{"ok":true,"data":false}`:                                              true,
		`{"ok":false,"error":{"code":"usage","message":"m"}}`:                   true,
		`{"ok":false,"error":{"code":"usage","message":"m","details":{"a":1}}}`: true,
		`{"data":1}`:                                   false,
		`{"ok":"true"}`:                                false,
		`{"ok":true,"meta":[]}`:                        false,
		`{"ok":false,"error":{"code":"usage"}}`:        false,
		`{"ok":false,"error":{"code":1,"message":""}}`: false,
	} {
		if got := s.Validate(decoded(t, args)) == nil; got != valid {
			t.Errorf("%s: valid %v, want %v", args, got, valid)
		}
	}
}

func compile(t *testing.T, s Schema) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tool.json", decoded(t, string(text))); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("tool.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
