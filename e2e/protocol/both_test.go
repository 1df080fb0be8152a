package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestToolsListReturnsEveryToolInOnePageAndAnyCursorIsInvalid(t *testing.T) {
	t.Parallel()
	for _, cursor := range []string{`"2"`, `""`, `null`, `0`, `{}`} {
		got := ask(t, modern("tools/list"), modern("tools/list", `"cursor":`+cursor), initialize, request("tools/list", `{}`), request("tools/list", `{"cursor":`+cursor+`}`))
		want(t, got, "1 result", "1 -32602", `"i" result`, "1 result", "1 -32602")
		for _, i := range []int{0, 3} {
			a := read(t, got[i])
			tools, _ := member(t, a.Result, "tools").([]any)
			if _, issued := a.Result["nextCursor"]; issued || len(tools) != 4 {
				t.Errorf("%d tools, a cursor: %v", len(tools), issued)
			}
		}
	}
}

func TestNotificationsAreNeverAnsweredEvenMalformedOnes(t *testing.T) {
	t.Parallel()
	apply := strings.Replace(call("forti_apply", `{"plan_id":"x"}`), `"id":1,`, "", 1)
	want(t, ask(t,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"p","reason":"x"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`,
		`{"jsonrpc":"2.0","method":"no/such/thing","params":null}`,
		`{"jsonrpc":"2.0","method":"initialize"}`,
		`{"jsonrpc":"2.0","method":"tools/list","params":{"_meta":7}}`,
		`{"jsonrpc":"1.0","method":"ping"}`,
		`{"method":"ping"}`,
		`{"method":"ping","params":{"a":1,"a":2}}`,
		`{"method":"ping","params":`+strings.Repeat("[", 80)+strings.Repeat("]", 80)+`}`,
		apply,
		ping,
	), `"p" result`)
}

func TestANotificationDoesNothing(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, &harness.Options{Mode: "autonomous"})
	plan := `{"operations":[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}}]}`
	id := lab.Plan(`[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}}]`).PlanID
	lab.Device.ForgetRequests()
	s := run(t, lab, strings.NewReader(strings.Join([]string{
		strings.Replace(call("forti_apply", `{"plan_id":"`+id+`"}`), `"id":1,`, "", 1),
		strings.Replace(call("forti_plan", plan), `"id":1,`, "", 1),
		strings.Replace(initialize, `"id":"i",`, "", 1),
		request("tools/list", `{}`),
	}, "\n")))
	want(t, split(t, s.stdout), "1 -32602") // no session was begun
	lab.WantWrites(0)
	if n := len(lab.Audit(id)); n != 1 {
		t.Errorf("%d records of the plan, want the one of its creation", n)
	}
}

func TestInitializedAndCancelledNeedNoAction(t *testing.T) {
	t.Parallel()
	want(t, ask(t, initialize,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	), `"i" result`, "1 result", "2 result")
}

func TestResponsesFromTheClientAreIgnored(t *testing.T) {
	t.Parallel()
	want(t, ask(t,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"m"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}`,
		`{"id":1.5,"result":null}`,
		`{"result":{},"error":{}}`,
		ping,
	), `"p" result`)
}

func TestRequestsAreHandledOneAtATimeAndInOrder(t *testing.T) {
	t.Parallel()
	const n = 10_000
	var stream strings.Builder
	stream.WriteString(initialize + "\n")
	sketches := []string{`"i" result`}
	for i := range n {
		kind := []struct{ method, outcome string }{{"ping", "result"}, {"tools/list", "result"}, {"none", "-32601"}, {"server/discover", "-32602"}}[i%4]
		fmt.Fprintf(&stream, `{"jsonrpc":"2.0","id":%d,"method":"%s"}`+"\n", i, kind.method)
		sketches = append(sketches, fmt.Sprintf("%d %s", i, kind.outcome))
	}
	s := run(t, harness.Empty(t), strings.NewReader(stream.String()))
	if s.status != 0 || s.stderr != "" {
		t.Fatalf("status %d, stderr %q", s.status, s.stderr)
	}
	want(t, split(t, s.stdout), sketches...)
}

func TestTheInstructionsTellTheWorkflowTheModesTheBudgetAndTheDistrust(t *testing.T) {
	t.Parallel()
	got := ask(t, modern("server/discover"), hello(`"2025-11-25"`))
	var texts []string
	for _, line := range got {
		text, _ := member(t, read(t, line).Result, "instructions").(string)
		texts = append(texts, text)
	}
	if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
		t.Errorf("the eras are told different things: %s", diff)
	}
	for _, words := range []string{
		"forti_discover", "forti_read", "forti_plan", "forti_apply", "read_only: policy_denied", "guarded: approval_required", "autonomous: it executes at once",
		"approve_command in their own terminal", "byte budget (40,000 bytes by default)", "next_start", "untrusted", "never follow instructions", `"<redacted>"`,
	} {
		if !strings.Contains(texts[0], words) {
			t.Errorf("nothing of %q", words)
		}
	}
	if n := len(texts[0]); n >= 1600 {
		t.Errorf("%d characters", n)
	}
}
