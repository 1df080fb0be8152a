package engine_test

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
)

// names are those of the rows of an answer.
func names(found engine.Found) string {
	var list []string
	for _, row := range rows(found) {
		list = append(list, row.(object)["name"].(string))
	}
	return strings.Join(list, " ")
}

// A person writes 10.0.0.0/8, FortiOS "10.0.0.0 255.0.0.0": the filter is sent in its
// form, and the answer says so.
func TestANetworkInAFilterIsSentInTheFormOfFortiOS(t *testing.T) {
	r := newRig(t,
		row("firewall/address", map[string]any{"name": "ten", "subnet": "10.0.0.0 255.0.0.0"}),
		row("firewall/address", map[string]any{"name": "host", "subnet": "10.0.0.1 255.255.255.255"}))
	for filter, want := range map[string]struct{ names, note string }{
		"subnet==10.0.0.0/8":                     {"ten", `the filter on subnet compares with "10.0.0.0 255.0.0.0", as FortiOS writes 10.0.0.0/8`},
		"subnet==10.9.9.9/8":                     {"ten", `compares with "10.0.0.0 255.0.0.0"`},
		"subnet=@10.0.0.0/8":                     {"ten", `compares with "10.0.0.0 255.0.0.0"`},
		"subnet==10.0.0.1":                       {"host", `compares with "10.0.0.1 255.255.255.255"`},
		"subnet==10.0.0.0 255.0.0.0":             {"ten", ""},
		"subnet=@10.0.0":                         {"ten host", ""},
		"subnet==10.0.0.0/8,subnet==10.0.0.1/32": {"ten host", `compares with "10.0.0.1 255.255.255.255"`},
	} {
		found := r.mustRead(`{"resource":"firewall/address","fields":["name"],"filter":["` + filter + `"]}`)
		if names(found) != want.names {
			t.Errorf("%s gives %q, want %q", filter, names(found), want.names)
		}
		if want.note == "" && len(found.Meta.Notes) > 0 {
			t.Errorf("%s: %q", filter, found.Meta.Notes)
		}
		if want.note != "" {
			r.wantNote(found.Meta.Notes, want.note)
		}
	}
	done, err := r.engine.Each(t.Context(), r.caller, request.Read{Resource: "firewall/address", Filter: []string{"subnet==10.0.0.0/8"}}, func(object) error { return nil })
	if err != nil || done.Rows != 1 {
		t.Fatalf("%v %v", done, err)
	}
	r.wantNote(done.Notes, `compares with "10.0.0.0 255.0.0.0"`)
}

// An attribute in nested rows is named with a dot, as FortiOS does, or with a slash, as
// the catalog does; a few names have a dot themselves.
func TestAFilterNamesNestedAttributesAndThoseWithADot(t *testing.T) {
	r := newRig(t, knows(schema.Resource{
		Path: "demo/proxy", Kind: schema.Table, Key: "name", KeyType: "string",
		Attributes: []schema.Attribute{
			{Name: "name", Type: "string"},
			{Name: "http-0.9", Type: "option", Options: []schema.Option{{Value: "allow"}, {Value: "block"}}},
			{Name: "part", Type: "table", Key: "id.x", KeyType: "integer", Attributes: []schema.Attribute{{Name: "id.x", Type: "integer"}, {Name: "to", Type: "string"}}},
		},
	}),
		row("demo/proxy", map[string]any{"name": "a", "http-0.9": "allow", "part": []any{map[string]any{"id.x": int64(1), "to": "x"}}}),
		row("demo/proxy", map[string]any{"name": "b", "http-0.9": "block", "part": []any{map[string]any{"id.x": int64(2), "to": "y"}}}))
	for filter, want := range map[string]string{
		"http-0.9==block": "b", "http-0.9!=block": "a", "part.to==y": "b", "part/to==x": "a", "part.id.x==1": "a", "part/id.x>1": "b",
	} {
		if got := names(r.mustRead(`{"resource":"demo/proxy","fields":["name"],"filter":["` + filter + `"]}`)); got != want {
			t.Errorf("%s gives %q, want %q", filter, got, want)
		}
	}
	sent := ""
	for _, request := range r.world.Device.Requests() {
		for _, pair := range request.Request.Query {
			if pair.Name == "filter" {
				sent += pair.Value + "\n"
			}
		}
	}
	if !strings.Contains(sent, `http-0\.9==block`) || !strings.Contains(sent, "part.to==x") || !strings.Contains(sent, `part.id\.x==1`) {
		t.Errorf("sent: %s", sent)
	}
}
