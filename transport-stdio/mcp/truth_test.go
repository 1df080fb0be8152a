package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/forti-mcp/forti/core/fault"
)

// TestTruthResultsAreValidByTheOfficialSchemas holds what the server sends against the
// message schemas that were published with each protocol version.
func TestTruthResultsAreValidByTheOfficialSchemas(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("FORTI_TRUTH")
	if folder == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	calls := []string{}
	for _, name := range []string{"forti_discover", "forti_read", "forti_plan", "forti_apply"} {
		calls = append(calls, `"name":"`+name+`","arguments":`+valid[name])
	}
	for _, version := range []string{Version20250618, Version20251125} {
		schema := official(t, folder, version, "definitions", "$defs")
		hello := strings.Replace(initialize, Version20251125, version, 1)
		check(t, schema("InitializeResult"), hello)
		check(t, schema("EmptyResult"), hello, legacy("ping", `{}`))
		check(t, schema("ListToolsResult"), hello, legacy("tools/list", `{}`))
		for _, call := range calls {
			check(t, schema("CallToolResult"), hello, legacy("tools/call", `{`+call+`}`))
		}
	}
	schema := official(t, folder, Version20260728, "$defs")
	check(t, schema("DiscoverResult"), modern("server/discover"))
	check(t, schema("ListToolsResult"), modern("tools/list"))
	for _, call := range calls {
		check(t, schema("CallToolResult"), modern("tools/call", `,`+call))
	}
	checkErrors(t, schema)
}

// checkErrors validates whole error responses; the older schemas ask for an id
// where the modern one, like this server, leaves an unreadable one out.
func checkErrors(t *testing.T, schema func(string) *jsonschema.Schema) {
	t.Helper()
	whole := func(name, line string) {
		got := talk(t, newServer(t, newFake(), nil), line)[0]
		if err := schema(name).Validate(value(t, got)); err != nil {
			t.Errorf("%s: %v in %s", name, err, got)
		}
	}
	whole("UnsupportedProtocolVersionError", strings.Replace(modern("ping"), Version20260728, "1900-01-01", 1))
	for _, line := range []string{`{`, `[]`, legacy("none", `{}`), legacy("tools/list", `{}`), modern("tools/call", `,"name":"x"`)} {
		whole("JSONRPCErrorResponse", line)
	}
}

// check validates the result of the last line, successful and failed.
func check(t *testing.T, schema *jsonschema.Schema, lines ...string) {
	t.Helper()
	for _, failure := range []error{nil, approvalRequired(), fault.New(fault.NotFound, "no such thing")} {
		e := newFake()
		e.err = failure
		got := talk(t, newServer(t, e, nil), lines...)
		message, ok := value(t, got[len(got)-1]).(map[string]any)
		if !ok || message["result"] == nil {
			t.Fatalf("no result: %s", got)
		}
		if err := schema.Validate(message["result"]); err != nil {
			t.Errorf("%v in %.300s", err, got[len(got)-1])
		}
	}
}

// official gives the named definitions of one version's schema; they stand under
// one of the given names.
func official(t *testing.T, folder, version string, under ...string) func(string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "mcp", "schema-"+version+".json")) //nolint:gosec // the operator names the folder
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := value(t, string(text)).(map[string]any)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mcp.json", whole); err != nil {
		t.Fatal(err)
	}
	for _, place := range under {
		if whole[place] != nil {
			return func(name string) *jsonschema.Schema { return c.MustCompile("mcp.json#/" + place + "/" + name) }
		}
	}
	t.Fatalf("no definitions for %s", version)
	return nil
}

func value(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
