package protocol

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// The official client probes for the modern era first; asked for a legacy version it
// takes what it is offered.
func TestTheOfficialGoSDKNegotiatesEachEra(t *testing.T) {
	t.Parallel()
	for asked, answered := range map[string]string{"": "2026-07-28", "2026-07-28": "2026-07-28", "2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-11-25"} {
		t.Run("version "+asked, func(t *testing.T) {
			t.Parallel()
			lab := harness.Empty(t)
			c := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil)
			session, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: lab.Command("forti-mcp")}, &mcp.ClientSessionOptions{ProtocolVersion: asked})
			if err != nil {
				t.Fatal(err)
			}
			if got := session.InitializeResult(); got.ProtocolVersion != answered || got.ServerInfo == nil || got.ServerInfo.Title != "FortiOS (forti-mcp)" {
				t.Errorf("greeting %+v", got)
			}
			// An error must not make the client close the connection.
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "forti_approve"}); err == nil {
				t.Error("an unknown tool is no protocol error")
			}
			if list, err := session.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 4 {
				t.Errorf("tools: %+v, %v", list, err)
			}
			if err := session.Close(); err != nil {
				t.Errorf("the server did not end well: %v", err)
			}
		})
	}
}
