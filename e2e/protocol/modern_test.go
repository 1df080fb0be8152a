package protocol

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestARequestIsModernWhenItsMetaContainsTheProtocolVersion(t *testing.T) {
	t.Parallel()
	want(t, ask(t,
		request("tools/list", `{`+modernMeta+`}`),
		request("tools/list", `{"_meta":{`+metaClient+`}}`),
		request("tools/list", `{"_meta":{}}`),
		request("tools/list", `{}`),
	), "1 result", "1 -32602", "1 -32602", "1 -32602")
}

func TestTheModernVersionMustBe20260728(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2025-06-18", "1900-01-01", "2026-07-29", "", "é\u2028"} {
		quoted, err := json.Marshal(version)
		if err != nil {
			t.Fatal(err)
		}
		a := one(t, request("tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":`+string(quoted)+`,`+metaClient+`}}`))
		if a.Error == nil || a.Error.Code != -32022 || a.Error.Message != "Unsupported protocol version" {
			t.Fatalf("%q: %+v", version, a.Error)
		}
		if diff := cmp.Diff(allVersions, member(t, a.Error.Data, "supported")); diff != "" {
			t.Error(diff)
		}
		if got := member(t, a.Error.Data, "requested"); got != version {
			t.Errorf("requested %q is echoed as %q", version, got)
		}
	}
	for _, malformed := range []string{`null`, `20260728`, `["2026-07-28"]`, `{}`} {
		want(t, ask(t, request("tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":`+malformed+`,`+metaClient+`}}`)), "1 -32602")
	}
}

func TestClientCapabilitiesMustBeAnObject(t *testing.T) {
	t.Parallel()
	want(t, ask(t, request("tools/list", `{"_meta":{`+metaVersion+`}}`)), "1 -32602")
	for value, outline := range map[string]string{`{}`: "1 result", `{"roots":{}}`: "1 result", `null`: "1 -32602", `[]`: "1 -32602", `"{}"`: "1 -32602", `1`: "1 -32602"} {
		want(t, ask(t, request("tools/list", `{"_meta":{`+metaVersion+`,"io.modelcontextprotocol/clientCapabilities":`+value+`}}`)), outline)
	}
}

func TestClientInfoIfPresentMustBeAnObject(t *testing.T) {
	t.Parallel()
	for value, outline := range map[string]string{`{}`: "1 result", `{"name":"x","version":"1"}`: "1 result", `null`: "1 -32602", `"x"`: "1 -32602", `[{}]`: "1 -32602"} {
		want(t, ask(t, request("tools/list", `{"_meta":{`+metaVersion+`,`+metaClient+`,"io.modelcontextprotocol/clientInfo":`+value+`}}`)), outline)
	}
}

func TestServerDiscoverHasItsMembersAndNoOthers(t *testing.T) {
	t.Parallel()
	a := one(t, modern("server/discover"))
	if got := names(a.Result); got != "_meta cacheScope capabilities instructions resultType supportedVersions ttlMs" {
		t.Errorf("members: %s", got)
	}
	for name, value := range map[string]any{
		"supportedVersions": allVersions, "capabilities": map[string]any{"tools": map[string]any{}}, "ttlMs": 300000.0, "cacheScope": "private",
	} {
		if diff := cmp.Diff(value, member(t, a.Result, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTheModernToolsListHasItsMembersAndNoOthers(t *testing.T) {
	t.Parallel()
	a := one(t, modern("tools/list"))
	if got := names(a.Result); got != "_meta cacheScope resultType tools ttlMs" {
		t.Errorf("members: %s", got)
	}
	if member(t, a.Result, "ttlMs") != 300000.0 || member(t, a.Result, "cacheScope") != "private" {
		t.Errorf("ttlMs %s, cacheScope %s", a.Result["ttlMs"], a.Result["cacheScope"])
	}
}

func TestTheModernToolsCallIsTheToolResult(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{`{"what":"resources","query":"addr"}`, `{"what":"nothing"}`} {
		a := one(t, call("forti_discover", arguments))
		if got := names(a.Result); got != "_meta content isError resultType structuredContent" {
			t.Errorf("members: %s", got)
		}
	}
}

func TestEveryModernResultCarriesResultTypeAndServerInfo(t *testing.T) {
	t.Parallel()
	for _, line := range []string{modern("server/discover"), modern("tools/list"), call("forti_discover", `{"what":"devices"}`), call("forti_apply", `{}`)} {
		a := one(t, line)
		if member(t, a.Result, "resultType") != "complete" {
			t.Errorf("resultType %s", a.Result["resultType"])
		}
		var meta map[string]map[string]string
		if err := json.Unmarshal(a.Result["_meta"], &meta); err != nil {
			t.Fatal(err)
		}
		info := meta["io.modelcontextprotocol/serverInfo"]
		if len(meta) != 1 || names(info) != "description name title version" || info["name"] != "forti-mcp" || info["version"] == "" ||
			info["title"] != "FortiOS (forti-mcp)" || info["description"] != "FortiGate configuration and monitoring over the FortiOS REST API" {
			t.Errorf("_meta: %s", a.Result["_meta"])
		}
	}
}

func TestTheModernExampleOfTheDocumentListsTheTools(t *testing.T) {
	t.Parallel()
	example := `{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}`
	want(t, ask(t, example), "1 result")
}

func TestTheModernEraHasItsMethodsAndNoOthers(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"ping", "initialize", "resources/list", "tools", "TOOLS/LIST", "notifications/initialized", ""} {
		want(t, ask(t, modern(method)), "1 -32601")
	}
}

func TestTheModernEraNeedsNoSessionAndStartsNone(t *testing.T) {
	t.Parallel()
	want(t, ask(t, modern("tools/list"), request("tools/list", `{}`)), "1 result", "1 -32602")
}

func TestALegacySessionAndModernRequestsShareOneProcess(t *testing.T) {
	t.Parallel()
	got := ask(t, modern("tools/list"), initialize, modern("tools/list"), request("tools/list", `{}`), modern("ping"), ping,
		request("tools/call", `{"name":"forti_discover","arguments":{"what":"devices"}}`), call("forti_discover", `{"what":"devices"}`))
	want(t, got, "1 result", `"i" result`, "1 result", "1 result", "1 -32601", `"p" result`, "1 result", "1 result")
	for i, isModern := range []bool{true, false, true, false, false, false, false, true} {
		for _, name := range []string{"resultType", "_meta", "ttlMs", "cacheScope"} {
			_, has := read(t, got[i]).Result[name]
			if tool := i >= 6 && (name == "ttlMs" || name == "cacheScope"); has != (isModern && !tool) {
				t.Errorf("answer %d: %s is there: %v", i, name, has)
			}
		}
	}
}

// Where a client names itself, the audit log says so, in both eras.
func TestTheClientsNameReachesTheAuditLog(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	plan := `{"operations":[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}}]}`
	named := strings.Replace(call("forti_plan", plan), metaClient, metaClient+`,"io.modelcontextprotocol/clientInfo":{"name":"mo\u001bdern","version":"7"}`, 1)
	s := run(t, lab, strings.NewReader(named+"\n"+initialize+"\n"+request("tools/call", `{"name":"forti_plan","arguments":`+plan+`}`)))
	var clients []string
	for _, line := range split(t, s.stdout) {
		var r struct {
			StructuredContent struct {
				Data struct {
					PlanID string `json:"plan_id"`
				} `json:"data"`
			} `json:"structuredContent"`
		}
		raw := read(t, line).Other["result"]
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		if id := r.StructuredContent.Data.PlanID; id != "" {
			for _, record := range lab.Audit(id) {
				clients = append(clients, record.Client)
			}
		}
	}
	if diff := cmp.Diff([]string{`mo\x1bdern/7`, "shell/0"}, clients); diff != "" {
		t.Error(diff)
	}
}
