// Command gosdk is a minimal MCP server on the official Go SDK, to compare with.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	var list []*mcp.Tool
	if err := json.Unmarshal(decode(tools), &list); err != nil {
		return err
	}
	text := decode(answer)
	server := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1"}, &mcp.ServerOptions{Instructions: string(decode(instructions))})
	for _, t := range list {
		server.AddTool(t, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, StructuredContent: json.RawMessage(text)}, nil
		})
	}
	return server.Run(context.Background(), &mcp.StdioTransport{})
}

func decode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return data
}
