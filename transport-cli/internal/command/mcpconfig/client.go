package mcpconfig

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
)

// client is an MCP client and the form of its configuration.
type client struct {
	name, file string
	write      func(program string, args []string) (string, error)
}

// clients are those whose configuration is known.
var clients = []client{
	{"claude-desktop", "claude_desktop_config.json (Settings, Developer, Edit Config)", object("mcpServers", false)},
	{"claude-code", ".mcp.json in the project's folder", object("mcpServers", true)},
	{"vscode", ".vscode/mcp.json in the workspace", object("servers", true)},
	{"cursor", "~/.cursor/mcp.json", object("mcpServers", false)},
	{"codex", "~/.codex/config.toml", table},
}

type server struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// object writes the JSON form: the servers by name below one member.
func object(member string, typed bool) func(program string, args []string) (string, error) {
	return func(program string, args []string) (string, error) {
		s := server{Command: program, Args: args}
		if typed {
			s.Type = "stdio"
		}
		return indented(map[string]map[string]server{member: {"forti": s}})
	}
}

func indented(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return "", fault.Wrap(err, fault.Internal, "the configuration could not be encoded")
	}
	return b.String(), nil
}

// table writes the TOML form. A JSON string is a TOML string.
func table(program string, args []string) (string, error) {
	quoted := make([]string, 0, len(args)+1)
	for _, word := range append([]string{program}, args...) {
		text, err := json.Marshal(word)
		if err != nil {
			return "", fault.Wrap(err, fault.Internal, "the configuration could not be encoded")
		}
		quoted = append(quoted, string(text))
	}
	return "[mcp_servers.forti]\ncommand = " + quoted[0] + "\nargs = [" + strings.Join(quoted[1:], ", ") + "]\n", nil
}
