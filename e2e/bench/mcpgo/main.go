// Command mcpgo is a minimal MCP server on mark3labs/mcp-go, to compare with.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// What the server says, set when it is linked: base64 of a JSON list of tools, of the
// instructions and of the answer to every call.
var tools, instructions, answer string

func main() {
	if err := serve(); err != nil {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

func serve() error {
	var list []struct {
		mcp.Tool
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
	if err := json.Unmarshal(decode(tools), &list); err != nil {
		return err
	}
	text := decode(answer)
	s := server.NewMCPServer("mcpgo", "1", server.WithInstructions(string(decode(instructions))), server.WithToolCapabilities(false))
	for _, t := range list {
		tool := mcp.Tool{
			Name: t.Name, Title: t.Title, Description: t.Description, Annotations: t.Annotations,
			RawInputSchema: t.InputSchema, RawOutputSchema: t.OutputSchema,
		}
		s.AddTool(tool, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(string(text))}, StructuredContent: json.RawMessage(text)}, nil
		})
	}
	return server.ServeStdio(s)
}

func decode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return data
}
