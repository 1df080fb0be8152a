package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
)

// callResult calls one tool in the modern era and gives its result.
func callResult(t *testing.T, s *Server, name, args string) map[string]any {
	t.Helper()
	got := talk(t, s, modern("tools/call", `,"name":"`+name+`","arguments":`+args))
	expect(t, got, "1 result")
	return parse(t, got[0]).Result
}

func blocks(t *testing.T, result map[string]any) []string {
	t.Helper()
	list, _ := result["content"].([]any)
	var texts []string
	for _, b := range list {
		block, _ := b.(map[string]any)
		text, ok := block["text"].(string)
		if block["type"] != "text" || !ok {
			t.Errorf("a block that is no text: %v", b)
		}
		texts = append(texts, text)
	}
	return texts
}

var valid = map[string]string{
	"forti_discover": `{"what":"devices"}`,
	"forti_read":     `{"resource":"firewall/address"}`,
	"forti_plan":     `{"operations":[{"op":"delete","resource":"firewall/address","key":"x"}]}`,
	"forti_apply":    `{"plan_id":"20261015-104512-a1b2c3"}`,
}

func TestEveryToolReturnsTheEnvelopeAsStructuredContentAndAsText(t *testing.T) {
	t.Parallel()
	for name, args := range valid {
		for _, failure := range []error{nil, fault.New(fault.NotFound, "no <such> thing").With("a", 1)} {
			e := newFake()
			e.err = failure
			line := talk(t, newServer(t, e, nil), initialize, legacy("tools/call", `{"name":"`+name+`","arguments":`+args+`}`))[1]
			result := parse(t, line).Result
			texts := blocks(t, result)
			if len(texts) != 1 || !strings.HasSuffix(line, `"structuredContent":`+texts[0]+`}}`) {
				t.Errorf("%s: the text is not the structured content: %s", name, line)
			}
			structured, _ := result["structuredContent"].(map[string]any)
			if ok := structured["ok"]; ok != (failure == nil) || result["isError"] != (failure != nil) {
				t.Errorf("%s: ok %v, isError %v", name, ok, result["isError"])
			}
		}
	}
}

func TestResultsAreValidByTheToolsOwnOutputSchema(t *testing.T) {
	t.Parallel()
	listed, ok := value(t, talk(t, newServer(t, newFake(), nil), modern("tools/list"))[0]).(map[string]any)
	if !ok {
		t.Fatal("no answer")
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("list.json", listed); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"forti_discover", "forti_read", "forti_plan", "forti_apply"} {
		schema, err := c.Compile(fmt.Sprintf("list.json#/result/tools/%d/outputSchema", i))
		if err != nil {
			t.Fatal(err)
		}
		for _, failure := range []error{nil, approvalRequired(), fault.New(fault.Conflict, "busy")} {
			e := newFake()
			e.err = failure
			answer, _ := value(t, talk(t, newServer(t, e, nil), modern("tools/call", `,"name":"`+name+`","arguments":`+valid[name]))[0]).(map[string]any)
			result, _ := answer["result"].(map[string]any)
			if err := schema.Validate(result["structuredContent"]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestEachToolCallsItsUseCase(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"forti_discover": "request.Discover", "forti_read": "request.Read", "forti_plan": "request.Plan", "forti_apply": "request.Apply",
	} {
		e := newFake()
		callResult(t, newServer(t, e, nil), name, valid[name])
		if diff := cmp.Diff([]string{want}, e.calls); diff != "" {
			t.Error(diff)
		}
	}
}

func TestInvalidArgumentsAreToolResults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ tool, args, pointer string }{
		"a wrong op":         {"forti_plan", `{"operations":[{"op":"drop","resource":"a"}]}`, "/operations/0/op"},
		"an unknown name":    {"forti_apply", `{"plan_id":"x","force":true}`, "/force"},
		"missing":            {"forti_discover", `{}`, "/what"},
		"null counts as {}":  {"forti_discover", `null`, "/what"},
		"a list":             {"forti_discover", `["devices"]`, ""},
		"a string":           {"forti_discover", `"devices"`, ""},
		"a lone surrogate":   {"forti_read", `{"resource":"\ud800"}`, ""},
		"approve is no tool": {"forti_apply", `{"plan_id":"x","approve":true}`, "/approve"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newFake()
			result := callResult(t, newServer(t, e, nil), c.tool, c.args)
			text := blocks(t, result)[0]
			if result["isError"] != true || !strings.Contains(text, `"code":"usage"`) || !strings.Contains(text, c.pointer) {
				t.Errorf("got %s", text)
			}
			if len(e.calls) != 0 {
				t.Errorf("the engine was called: %v", e.calls)
			}
		})
	}
}

func TestTheMessageOfAWrongOpIsThatOfTheDocument(t *testing.T) {
	t.Parallel()
	result := callResult(t, newServer(t, newFake(), nil), "forti_plan", `{"operations":[{"op":"drop","resource":"a"}]}`)
	want := `/operations/0/op: must be one of "create", "update", "delete", "action"`
	structured, _ := result["structuredContent"].(map[string]any)
	failure, _ := structured["error"].(map[string]any)
	if failure["message"] != want {
		t.Errorf("got %v", failure["message"])
	}
}

func TestLeftOutArgumentsCountAsNone(t *testing.T) {
	t.Parallel()
	got := talk(t, newServer(t, newFake(), nil), modern("tools/call", `,"name":"forti_discover"`))
	expect(t, got, "1 result")
	if !strings.Contains(got[0], `/what: is required`) {
		t.Error(got[0])
	}
}

func TestAnUnknownToolIsAProtocolError(t *testing.T) {
	t.Parallel()
	for args, message := range map[string]string{
		`"name":"forti_approve","arguments":{}`: "Unknown tool: forti_approve",
		`"name":"\u202eevil","arguments":{}`:    `Unknown tool: \u202eevil`,
		`"name":"","arguments":{}`:              "Unknown tool: ",
		`"name":7`:                              "Invalid params: name is required and must be a string",
		`"arguments":{}`:                        "Invalid params: name is required and must be a string",
	} {
		got := talk(t, newServer(t, newFake(), nil), modern("tools/call", `,`+args))
		expect(t, got, "1 -32602")
		if m := parse(t, got[0]).Error.Message; m != message {
			t.Errorf("%s: got %q, want %q", args, m, message)
		}
	}
}

func TestAReadOnlyServerRefusesPlanAndApply(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"forti_plan", "forti_apply"} {
		e := newFake()
		got := talk(t, newServer(t, e, &Options{ReadOnly: true}), modern("tools/call", `,"name":"`+name+`","arguments":`+valid[name]))
		expect(t, got, "1 -32602")
		want := "Unknown tool: " + name + " (forti-mcp runs with --read-only; plan and apply are disabled)"
		if m := parse(t, got[0]).Error.Message; m != want || len(e.calls) != 0 {
			t.Errorf("got %q, calls %v", m, e.calls)
		}
	}
	for _, name := range []string{"forti_discover", "forti_read"} {
		callResult(t, newServer(t, newFake(), &Options{ReadOnly: true}), name, valid[name])
	}
}

func TestApprovalRequiredCarriesASecondBlockForTheModel(t *testing.T) {
	t.Parallel()
	e := newFake()
	e.err = approvalRequired()
	result := callResult(t, newServer(t, e, nil), "forti_apply", valid["forti_apply"])
	want := []string{
		`{"ok":false,"error":{"code":"approval_required","message":"plan 20261015-104512-a1b2c3 needs a human approval (guarded mode): forti plan approve 20261015-104512-a1b2c3",` +
			`"details":{"approve_command":"forti plan approve 20261015-104512-a1b2c3","plan_id":"20261015-104512-a1b2c3","reason":"missing"}}}`,
		"Approval required (guarded mode). Ask the user to run this in their own terminal, then call forti_apply again with the same plan_id:\n  forti plan approve 20261015-104512-a1b2c3",
	}
	if diff := cmp.Diff(want, blocks(t, result)); diff != "" || result["isError"] != true {
		t.Error(diff)
	}
}

func TestTheClientNamesItselfInTheCaller(t *testing.T) {
	t.Parallel()
	const call = `"name":"forti_discover","arguments":{"what":"devices"}`
	info := func(text string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
			`"io.modelcontextprotocol/clientInfo":` + text + `},` + call + `}}`
	}
	e := newFake()
	talk(t, newServer(t, e, &Options{Caller: engine.Caller{Program: "forti-mcp", User: "alice", Client: "never"}}),
		initialize, legacy("tools/call", `{`+call+`}`), modern("tools/call", `,`+call),
		info(`{"name":"Desk's","version":"1.2"}`), info(`{"name":"a\u001b]0;x\u0007\u202e"}`), info(`{"version":[1],"name":null}`), info(`{"name":"`+strings.Repeat("😀", 40)+`"}`))
	var clients []string
	for _, c := range e.callers {
		clients = append(clients, c.Client)
		if c.Program != "forti-mcp" || c.User != "alice" || len(c.Client) > 64 {
			t.Errorf("caller %+v", c)
		}
	}
	want := []string{"shell/0", "", "Desk's/1.2", `a\x1b]0;x\a\u202e`, "", strings.Repeat(`\U0001f600`, 6)}
	if diff := cmp.Diff(want, clients); diff != "" {
		t.Error(diff)
	}
}

func TestAPanicIsAnInternalErrorAndItsStackGoesToTheLog(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		panic any
		logs  string
	}{
		"a value that may hold content": {"psksecret hunter2", "string"},
		"an error of a library":         {errors.New("psksecret hunter2"), "*errors.errorString"},
		"the runtime's own":             {nil, "nil map"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			core, logs := observer.New(zapcore.DebugLevel)
			e := newFake()
			e.before = func(context.Context) {
				if c.panic != nil {
					panic(c.panic)
				}
				var m map[string]int
				m["x"] = 1
			}
			got := talk(t, newServer(t, e, &Options{Logger: zap.New(core)}),
				modern("tools/call", `,"name":"forti_discover","arguments":{"what":"devices"}`), legacy("ping", `{}`))
			expect(t, got, "1 -32603", "1 result")
			text := logText(t, logs)
			if !strings.Contains(text, c.logs) || !strings.Contains(text, "call_test.go") {
				t.Errorf("the log does not say what and where: %s", text)
			}
			if strings.Contains(text+got[0], "hunter2") {
				t.Errorf("the panic's content got out: %s %s", text, got[0])
			}
		})
	}
}

func TestAnAnswerThatCannotBeEncodedIsAnInternalError(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zapcore.DebugLevel)
	e := newFake()
	e.found.Data = func() {}
	got := talk(t, newServer(t, e, &Options{Logger: zap.New(core)}), modern("tools/call", `,"name":"forti_discover","arguments":{"what":"devices"}`))
	expect(t, got, "1 -32603")
	if logs.Len() != 1 {
		t.Errorf("logged %d times", logs.Len())
	}
}

func TestADefectOfAToolIsShownWithoutItsCauseWhichIsLogged(t *testing.T) {
	t.Parallel()
	core, logs := observer.New(zapcore.DebugLevel)
	e := newFake()
	e.err = errors.New("disk on fire")
	result := callResult(t, newServer(t, e, &Options{Logger: zap.New(core)}), "forti_discover", valid["forti_discover"])
	text := blocks(t, result)[0]
	if strings.Contains(text, "fire") || !strings.Contains(text, `"code":"internal"`) {
		t.Error(text)
	}
	if !strings.Contains(logText(t, logs), "disk on fire") {
		t.Error("the cause is nowhere")
	}
}

func logText(t *testing.T, logs *observer.ObservedLogs) string {
	t.Helper()
	var b strings.Builder
	for _, entry := range logs.All() {
		text, err := json.Marshal(entry.ContextMap())
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(entry.Message + " " + string(text) + "\n")
	}
	return b.String()
}
