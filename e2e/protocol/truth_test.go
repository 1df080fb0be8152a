package protocol

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// official gives the definitions of a published message schema by their names.
func official(t *testing.T, version string) func(name string) *jsonschema.Schema {
	t.Helper()
	folder := os.Getenv("FORTI_TRUTH")
	if folder == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	text, err := os.ReadFile(filepath.Join(folder, "mcp", "schema-"+version+".json")) //nolint:gosec // the operator names the folder
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := decoded(t, string(text)).(map[string]any)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mcp.json", whole); err != nil {
		t.Fatal(err)
	}
	place := "$defs"
	if whole[place] == nil {
		place = "definitions"
	}
	return func(name string) *jsonschema.Schema {
		t.Helper()
		s, err := c.Compile("mcp.json#/" + place + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// fits validates a JSON text.
func fits(t *testing.T, s *jsonschema.Schema, what, text string) {
	t.Helper()
	if err := s.Validate(decoded(t, text)); err != nil {
		t.Errorf("%s: %v in %.600s", what, err, text)
	}
}

// whole is the answer with its result as one text.
func whole(t *testing.T, line string) string {
	t.Helper()
	a := read(t, line)
	if a.Error != nil {
		t.Fatalf("no result: %s", line)
	}
	return string(a.Other["result"])
}

func TestTruthModernResultsFitTheOfficialSchema(t *testing.T) {
	t.Parallel()
	schema := official(t, "2026-07-28")
	for _, args := range [][]string{nil, {"--read-only"}} {
		got := askServer(t, args, modern("server/discover"), modern("tools/list"))
		for i, name := range []string{"Discover", "ListTools"} {
			fits(t, schema(name+"Result"), name, whole(t, got[i]))
			fits(t, schema(name+"ResultResponse"), name, got[i])
		}
	}
	lab := harness.New(t, nil)
	for _, c := range sampleCalls(lab) {
		line := split(t, run(t, lab, strings.NewReader(c.line)).stdout)[0]
		fits(t, schema("CallToolResult"), c.line, whole(t, line))
		fits(t, schema("CallToolResultResponse"), c.line, line)
	}
}

func TestTruthLegacyResultsFitTheOfficialSchemas(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2025-06-18"} {
		schema := official(t, version)
		response := "JSONRPCResultResponse"
		if version == "2025-06-18" {
			response = "JSONRPCResponse"
		}
		got := ask(t, hello(`"`+version+`"`), ping, request("tools/list", `{}`))
		for i, name := range []string{"InitializeResult", "EmptyResult", "ListToolsResult"} {
			fits(t, schema(name), name, whole(t, got[i]))
			fits(t, schema(response), name, got[i])
		}
		lab := harness.New(t, nil)
		for _, c := range sampleCalls(lab) {
			legacy := strings.Replace(c.line, modernMeta+",", "", 1)
			line := split(t, run(t, lab, strings.NewReader(hello(`"`+version+`"`)+"\n"+legacy)).stdout)[1]
			fits(t, schema("CallToolResult"), legacy, whole(t, line))
			fits(t, schema(response), legacy, line)
		}
	}
}

func TestTruthErrorsFitTheOfficialSchemas(t *testing.T) {
	t.Parallel()
	modernSchema, middle, oldest := official(t, "2026-07-28"), official(t, "2025-11-25"), official(t, "2025-06-18")
	for _, line := range []string{
		`{`, `[]`, `1`, `{}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, nested(65),
		padded(limit+1, `"id":1,`, ``), request("none", `{}`), request("ping", `[]`), request("tools/list", `{}`), request("initialize", `{}`),
		modern("tools/list", `"cursor":""`), call("forti_approve", `{}`), modern("ping"), strings.Replace(modern("ping"), "2026-07-28", "1900-01-01", 1),
	} {
		got := ask(t, line)[0]
		fits(t, modernSchema("JSONRPCErrorResponse"), line, got)
		fits(t, middle("JSONRPCErrorResponse"), line, got)
		if read(t, got).ID != nil { // the oldest asks for an id in every error, which this server leaves out
			fits(t, oldest("JSONRPCError"), line, got)
		}
	}
	unsupported := ask(t, strings.Replace(modern("tools/list"), "2026-07-28", "1900-01-01", 1))[0]
	fits(t, modernSchema("UnsupportedProtocolVersionError"), "another version", unsupported)
}

func TestTruthStructuredContentFitsTheOutputSchema(t *testing.T) {
	t.Parallel()
	if os.Getenv("FORTI_TRUTH") == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, x := range listed(t) {
		schemas[x.Name] = compiled(t, x.OutputSchema)
	}
	lab := harness.New(t, nil)
	seen := map[string]bool{}
	for _, c := range sampleCalls(lab) {
		line := split(t, run(t, lab, strings.NewReader(c.line)).stdout)[0]
		var result struct {
			StructuredContent json.RawMessage `json:"structuredContent"`
		}
		if err := json.Unmarshal([]byte(whole(t, line)), &result); err != nil {
			t.Fatal(err)
		}
		fits(t, schemas[c.tool], c.line, string(result.StructuredContent))
		seen[c.tool] = true
	}
	if len(seen) != len(schemas) {
		t.Errorf("not every tool was called: %v", keys(seen))
	}
}
