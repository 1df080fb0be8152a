package protocol

import (
	"context"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestTheClientOfMark3labsCompletesTheWorkflowInBothEras(t *testing.T) {
	t.Parallel()
	for asked, answered := range map[string]string{"": "2026-07-28", "2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-11-25"} {
		t.Run("version "+asked, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, &harness.Options{Mode: "autonomous"})
			c := &mcpGo{T: t, client: startMCPGo(t, lab, asked, answered)}
			c.workflow()
			if err := c.client.Close(); err != nil {
				t.Errorf("the server did not end well: %v", err)
			}
			lab.WantWrites(2)
		})
	}
}

// mcpGo is a connected client.
type mcpGo struct {
	*testing.T
	client *client.Client
}

func startMCPGo(t *testing.T, lab *harness.Lab, asked, answered string) *client.Client {
	t.Helper()
	command := func(context.Context, string, []string, []string) (*exec.Cmd, error) {
		return lab.Command("forti-mcp"), nil
	}
	c := client.NewClient(transport.NewStdioWithOptions("forti-mcp", nil, nil, transport.WithCommandFunc(command)), client.WithProtocolVersion(asked))
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	hello, err := c.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: "mcp-go", Version: "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	if c.ProtocolVersion() != answered || hello.ServerInfo.Name != "forti-mcp" || hello.Capabilities.Tools == nil || hello.Instructions == "" {
		t.Errorf("version %s, greeting %+v", c.ProtocolVersion(), hello)
	}
	return c
}

func (c *mcpGo) workflow() {
	c.Helper()
	list, err := c.client.ListTools(c.Context(), mcp.ListToolsRequest{})
	if err != nil || len(list.Tools) != 4 {
		c.Fatalf("tools: %+v, %v", list, err)
	}
	c.call("forti_discover", `{"what":"devices"}`, "")
	c.call("forti_read", `{"resource":"firewall/address","key":"net-lan"}`, "")
	var p harness.Plan
	c.call("forti_plan", `{"operations":[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}}]}`, "").Into(c, &p)
	var x harness.Execution
	c.call("forti_apply", `{"plan_id":"`+p.PlanID+`"}`, "").Into(c, &x)
	if x.Status != "applied" || x.Rollback == nil {
		c.Fatalf("execution: %+v", x)
	}
	c.call("forti_apply", `{"plan_id":"`+x.Rollback.PlanID+`"}`, "").Into(c, &x)
	c.call("forti_read", `{"resource":"firewall/address","key":"printer"}`, "not_found")
	c.call("forti_plan", `{"operations":[]}`, "usage")
	if _, err := c.client.CallTool(c.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "forti_approve"}}); err == nil {
		c.Error("an unknown tool is no protocol error")
	}
}

// call calls a tool; code is that of the expected failure, "" for none.
func (c *mcpGo) call(tool, arguments, code string) harness.Envelope {
	c.Helper()
	r, err := c.client.CallTool(c.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}})
	if err != nil {
		c.Fatalf("%s: %v", tool, err)
	}
	var e harness.Envelope
	if err := json.Unmarshal(r.RawStructuredContent, &e); err != nil {
		c.Fatal(err)
	}
	if r.IsError == e.OK || e.OK != (code == "") || !e.OK && e.Error.Code != code {
		c.Errorf("%s: isError %v, %+v", tool, r.IsError, e.Error)
	}
	return e
}
