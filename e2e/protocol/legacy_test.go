package protocol

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hello is the line of an initialize with id 1.
func hello(version string) string {
	return request("initialize", `{"protocolVersion":`+version+`,"capabilities":{},"clientInfo":{"name":"shell","version":"0"}}`)
}

func TestInitializeRequiresAVersionCapabilitiesAndClientInfo(t *testing.T) {
	t.Parallel()
	for name, params := range map[string]string{
		"no version":               `{"capabilities":{},"clientInfo":{}}`,
		"a version that is null":   `{"protocolVersion":null,"capabilities":{},"clientInfo":{}}`,
		"a version that is number": `{"protocolVersion":20251125,"capabilities":{},"clientInfo":{}}`,
		"no capabilities":          `{"protocolVersion":"2025-11-25","clientInfo":{}}`,
		"capabilities null":        `{"protocolVersion":"2025-11-25","capabilities":null,"clientInfo":{}}`,
		"capabilities a list":      `{"protocolVersion":"2025-11-25","capabilities":[],"clientInfo":{}}`,
		"no clientInfo":            `{"protocolVersion":"2025-11-25","capabilities":{}}`,
		"clientInfo a string":      `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":"shell"}`,
		"nothing":                  `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A session has not begun then, so the next initialize starts it.
			want(t, ask(t, request("initialize", params), initialize), "1 -32602", `"i" result`)
		})
	}
	want(t, ask(t, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`), "1 -32602")
}

func TestInitializeWithoutAVersionListsTheSupportedOnes(t *testing.T) {
	t.Parallel()
	for _, params := range []string{`{}`, `{"capabilities":{},"clientInfo":{}}`, `{"protocolVersion":7,"capabilities":{},"clientInfo":{}}`} {
		a := one(t, request("initialize", params))
		if diff := cmp.Diff(allVersions, member(t, a.Error.Data, "supported")); diff != "" {
			t.Errorf("%s: %s", params, diff)
		}
	}
	if a := one(t, request("initialize", `{"protocolVersion":"2025-11-25"}`)); a.Error.Data != nil {
		t.Errorf("data where only other fields are wrong: %v", a.Error.Data)
	}
}

func TestInitializeAnswersWithTheRequestedVersionOrTheNewestLegacyOne(t *testing.T) {
	t.Parallel()
	for requested, answered := range map[string]string{
		"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-11-25", "2024-11-05": "2025-11-25",
		"2026-07-28": "2025-11-25", "2099-01-01": "2025-11-25", "": "2025-11-25", "x": "2025-11-25",
	} {
		if got := member(t, one(t, hello(`"`+requested+`"`)).Result, "protocolVersion"); got != answered {
			t.Errorf("%q is answered with %v, want %s", requested, got, answered)
		}
	}
}

func TestTheInitializeResultHasItsMembersAndNoOthers(t *testing.T) {
	t.Parallel()
	for version, members := range map[string]string{
		"2025-11-25": "description name title version",
		"2025-06-18": "name title version", // which predates the description
	} {
		a := one(t, hello(`"`+version+`"`))
		if got := names(a.Result); got != "capabilities instructions protocolVersion serverInfo" {
			t.Errorf("members: %s", got)
		}
		var info map[string]string
		if err := json.Unmarshal(a.Result["serverInfo"], &info); err != nil {
			t.Fatal(err)
		}
		if names(info) != members || info["name"] != "forti-mcp" || info["title"] != "FortiOS (forti-mcp)" {
			t.Errorf("%s: serverInfo %v", version, info)
		}
		if string(a.Result["capabilities"]) != `{"tools":{}}` {
			t.Errorf("capabilities %s", a.Result["capabilities"])
		}
	}
}

func TestASecondInitializeIsAnError(t *testing.T) {
	t.Parallel()
	got := ask(t, initialize, hello(`"2025-11-25"`), hello(`"2025-06-18"`), hello(`7`), request("tools/list", `{}`))
	want(t, got, `"i" result`, "1 -32600", "1 -32600", "1 -32600", "1 result")
}

func TestPingAnswersAnEmptyObjectAlsoBeforeInitialize(t *testing.T) {
	t.Parallel()
	got := ask(t, ping, initialize, ping)
	if got[0] != `{"id":"p","jsonrpc":"2.0","result":{}}` || got[2] != got[0] {
		t.Errorf("got %s and %s", got[0], got[2])
	}
}

func TestALegacyMethodNeedsASessionAndTheAnswerListsTheVersions(t *testing.T) {
	t.Parallel()
	discover := request("tools/call", `{"name":"forti_discover","arguments":{"what":"devices"}}`)
	for _, line := range []string{request("tools/list", `{}`), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, discover, request("server/discover", `{}`)} {
		a := one(t, line)
		if a.Error == nil || a.Error.Code != -32602 {
			t.Fatalf("%s: %+v", line, a)
		}
		if diff := cmp.Diff(allVersions, member(t, a.Error.Data, "supported")); diff != "" {
			t.Error(diff)
		}
	}
	want(t, ask(t, initialize, request("tools/list", `{}`), discover, request("server/discover", `{}`)), `"i" result`, "1 result", "1 result", "1 -32602")
}

func TestALegacyToolsListIsThePlainList(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2025-06-18"} {
		got := ask(t, hello(`"`+version+`"`), request("tools/list", `{}`), request("tools/call", `{"name":"forti_discover","arguments":{"what":"devices"}}`))
		if list := names(read(t, got[1]).Result); list != "tools" {
			t.Errorf("tools/list: %s", list)
		}
		if result := names(read(t, got[2]).Result); result != "content isError structuredContent" {
			t.Errorf("tools/call: %s", result)
		}
	}
}

func TestTheEraOfEachRequestIsJudgedByItsOwnMeta(t *testing.T) {
	t.Parallel()
	wrong := strings.Replace(modern("tools/list"), "2026-07-28", "2025-11-25", 1)
	want(t, ask(t, initialize, wrong, request("tools/list", `{"_meta":{"progressToken":1}}`)), `"i" result`, "1 -32022", "1 result")
}

// The document's "Try it by hand".
func TestTheExampleSessionOfTheDocument(t *testing.T) {
	t.Parallel()
	got := ask(t,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"shell","version":"0"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "")
	want(t, got, "1 result", "2 result")
	begin := `{"id":1,"jsonrpc":"2.0","result":{"capabilities":{"tools":{}},"instructions":"forti-mcp manages FortiGate firewalls through the FortiOS REST API only (never SSH or CLI commands). `
	end := `","protocolVersion":"2025-11-25","serverInfo":{"description":"FortiGate configuration and monitoring over the FortiOS REST API","name":"forti-mcp","title":"FortiOS (forti-mcp)","version":"0.1.0"}}}`
	if !strings.HasPrefix(got[0], begin) || !strings.HasSuffix(got[0], end) {
		t.Errorf("the first line: %s", got[0])
	}
}
