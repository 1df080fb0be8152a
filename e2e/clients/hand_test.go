package clients

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// The tools with arguments that the demo can answer.
var calls = []struct{ tool, arguments, says string }{
	{"forti_discover", `{"what":"devices"}`, `"name":"demo"`},
	{"forti_read", `{"resource":"firewall/address","count":2}`, `"returned":2`},
	{"forti_plan", `{"operations":[{"op":"delete","resource":"firewall/address","key":"old-scanner"}]}`, `"plan_id":"`},
	{"forti_apply", `{"plan_id":"20261015-104512-a1b2c3"}`, `"code":"not_found"`},
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"shell","version":"0"}}}`

func legacyCall(id int, tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

func modern(id int, method string) string {
	return `{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,"method":"` + method + `","params":{` + harness.ModernMeta + `}}`
}

func TestAModernSessionByHand(t *testing.T) {
	t.Parallel()
	lines := []string{modern(1, "server/discover"), modern(2, "tools/list")}
	for i, c := range calls {
		lines = append(lines, harness.ModernCall(3+i, c.tool, c.arguments))
	}
	got := piped(t, lines...)
	var hello struct {
		SupportedVersions []string
		ResultType        string
		Instructions      string
		TTLMS             int `json:"ttlMs"`
		CacheScope        string
	}
	decode(t, got[0], &hello)
	if strings.Join(hello.SupportedVersions, " ") != "2026-07-28 2025-11-25 2025-06-18" || hello.ResultType != "complete" ||
		hello.Instructions == "" || hello.TTLMS != 300000 || hello.CacheScope != "private" {
		t.Errorf("server/discover: %s", got[0].Result)
	}
	fourTools(t, got[1])
	answers(t, got[2:])
}

func TestALegacySessionByHand(t *testing.T) {
	t.Parallel()
	lines := []string{
		initialize,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	}
	for i, c := range calls {
		lines = append(lines, legacyCall(3+i, c.tool, c.arguments))
	}
	got := piped(t, lines...)
	var hello struct{ ProtocolVersion string }
	decode(t, got[0], &hello)
	if hello.ProtocolVersion != "2025-11-25" {
		t.Errorf("initialize: %s", got[0].Result)
	}
	fourTools(t, got[1])
	answers(t, got[2:])
}

// piped is the answers of `printf … | forti-mcp --demo`: nothing but JSON-RPC on
// standard output, one answer for each request in order, status 0 at the end.
func piped(t *testing.T, lines ...string) []harness.Message {
	t.Helper()
	lab := harness.Empty(t)
	r := lab.Pipe([]string{"--demo"}, lines...).Must(0)
	if lab.Exists(lab.Home) {
		t.Error("the person's own home was touched")
	}
	home, _, named := strings.Cut(r.Stderr[strings.LastIndex(r.Stderr, " in ")+len(" in "):], ",")
	if !named || !filepath.IsAbs(home) || lab.Exists(home) {
		t.Errorf("the demo's home must be named and removed at the end: %q", r.Stderr)
	}
	var got []harness.Message
	for line := range strings.Lines(r.Stdout) {
		m := lab.Message(line)
		got = append(got, m)
		if string(m.ID) != strconv.Itoa(len(got)) {
			t.Fatalf("answer %d has the id %s", len(got), m.ID)
		}
	}
	if len(got) != 2+len(calls) {
		t.Fatalf("%d answers, want %d:\n%s", len(got), 2+len(calls), r.Stdout)
	}
	return got
}

func decode(t *testing.T, m harness.Message, into any) {
	t.Helper()
	if m.Error != nil {
		t.Fatalf("%d %s", m.Error.Code, m.Error.Message)
	}
	if err := json.Unmarshal(m.Result, into); err != nil {
		t.Fatal(err)
	}
}

func fourTools(t *testing.T, m harness.Message) {
	t.Helper()
	var list struct{ Tools []struct{ Name string } }
	decode(t, m, &list)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if strings.Join(names, " ") != "forti_discover forti_read forti_plan forti_apply" {
		t.Errorf("tools: %v", names)
	}
}

func answers(t *testing.T, got []harness.Message) {
	t.Helper()
	lab := &harness.Lab{TB: t}
	for i, c := range calls {
		lab.Tool(got[i])
		if !strings.Contains(string(got[i].Result), c.says) {
			t.Errorf("%s: want %s in %s", c.tool, c.says, got[i].Result)
		}
	}
}

func TestAReadOnlyServerHasTwoToolsAndRefusesTheOthersAsSpecified(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	s := lab.Serve("--read-only")
	s.Send(modern(100, "tools/list"))
	var list struct{ Tools []struct{ Name string } }
	decode(t, s.Line(), &list)
	if len(list.Tools) != 2 || list.Tools[0].Name != "forti_discover" || list.Tools[1].Name != "forti_read" {
		t.Errorf("tools: %+v", list.Tools)
	}
	for _, c := range calls[2:] {
		s.Begin(c.tool, c.arguments)
		m := s.Line()
		want := "Unknown tool: " + c.tool + " (forti-mcp runs with --read-only; plan and apply are disabled)"
		if m.Error == nil || m.Error.Code != -32602 || m.Error.Message != want {
			t.Errorf("%s: %+v", c.tool, m)
		}
	}
	if r := s.Call("forti_read", `{"resource":"firewall/address","key":"net-lan"}`); !r.Structured.OK {
		t.Errorf("read: %+v", r.Structured.Error)
	}
	s.Close().Must(0)
	lab.WantWrites(0)
	if stored, err := filepath.Glob(filepath.Join(lab.State("plans"), "*.json")); err != nil || len(stored) > 0 {
		t.Errorf("plans were stored: %q, %v", stored, err)
	}
}

func TestTwoServersWorkOnOneHomeAtOnce(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	servers := []*harness.Session{lab.Serve(), lab.Serve()}
	plans := make([]harness.Plan, len(servers))
	for _, s := range servers { // both are asked before either is heard
		s.Begin("forti_plan", calls[2].arguments)
	}
	for i, s := range servers {
		lab.Tool(s.Line()).Structured.Into(t, &plans[i])
	}
	if plans[0].PlanID == plans[1].PlanID {
		t.Errorf("both stored plan %s", plans[0].PlanID)
	}
	for i, s := range servers { // each knows the other's plan
		id := plans[1-i].PlanID
		if d := s.Call("forti_apply", `{"plan_id":"`+id+`"}`).Structured.Failed(t, "approval_required").Read(t); d.PlanID != id {
			t.Errorf("details: %+v", d)
		}
	}
	for _, s := range servers {
		s.Close().Must(0)
	}
	lab.Forti("audit", "verify").Must(0)
}

func TestTwoDemosAtOnceDoNotKnowEachOther(t *testing.T) {
	t.Parallel()
	lab := harness.Empty(t)
	one, two := lab.Serve("--demo"), lab.Serve("--demo")
	var p harness.Plan
	one.Call("forti_plan", calls[2].arguments).Structured.Into(t, &p)
	two.Call("forti_apply", `{"plan_id":"`+p.PlanID+`"}`).Structured.Failed(t, "not_found")
	one.Call("forti_apply", `{"plan_id":"`+p.PlanID+`"}`).Structured.Failed(t, "approval_required")
	for _, s := range []*harness.Session{one, two} {
		s.Close().Must(0)
	}
}
