package mcp

import (
	"context"
	"fmt"

	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

// The protocol versions. All are offered, newest first.
const (
	Version20260728 = "2026-07-28"
	Version20251125 = "2025-11-25"
	Version20250618 = "2025-06-18"
)

// Versions are the protocol versions that are served, newest first.
func Versions() []string { return []string{Version20260728, Version20251125, Version20250618} }

// The names of a request's metadata.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)

// dispatch gives the result of a request. Each is judged by its own metadata. An
// error that is not a *jsonrpc.Error is a defect.
func (c *conn) dispatch(ctx context.Context, m jsonrpc.Message) ([]byte, error) {
	if m.Params != nil && !jsonrpc.IsObject(m.Params) {
		return nil, invalid("params must be an object")
	}
	meta := jsonrpc.Member(m.Params, "_meta")
	if meta != nil && !jsonrpc.IsObject(meta) {
		return nil, invalid("_meta must be an object")
	}
	if jsonrpc.Member(meta, metaVersion) != nil {
		return c.modern(ctx, m, meta)
	}
	return c.legacy(ctx, m)
}

// modern serves the stateless era.
func (c *conn) modern(ctx context.Context, m jsonrpc.Message, meta []byte) ([]byte, error) {
	client, err := checkMeta(meta)
	if err != nil {
		return nil, err
	}
	fixed := &c.server.fixed
	switch m.Method {
	case "server/discover":
		return fixed.discover()
	case "tools/list":
		return list(m.Params, fixed.modernTools)
	case "tools/call":
		return c.server.call(ctx, m.Params, client, modernFrame)
	}
	return nil, notFound(m.Method)
}

// checkMeta judges a modern request's metadata and gives the client's label.
func checkMeta(meta []byte) (client string, err error) {
	version, ok := jsonrpc.String(jsonrpc.Member(meta, metaVersion))
	switch {
	case !ok:
		return "", invalid("_meta %s must be a string", metaVersion)
	case version != Version20260728:
		return "", &jsonrpc.Error{
			Code:    jsonrpc.UnsupportedVersion,
			Message: "Unsupported protocol version",
			Data:    map[string]any{"supported": Versions(), "requested": version},
		}
	case !jsonrpc.IsObject(jsonrpc.Member(meta, metaCapabilities)):
		return "", invalid("_meta %s is required and must be an object", metaCapabilities)
	}
	info := jsonrpc.Member(meta, metaClient)
	if info != nil && !jsonrpc.IsObject(info) {
		return "", invalid("_meta %s must be an object", metaClient)
	}
	return clientLabel(info), nil
}

// legacy serves the session era.
func (c *conn) legacy(ctx context.Context, m jsonrpc.Message) ([]byte, error) {
	switch m.Method {
	case "initialize":
		return c.initialize(m.Params)
	case "ping":
		return []byte("{}"), nil
	case "server/discover":
		return nil, needsVersion("server/discover needs _meta " + metaVersion)
	case "tools/list", "tools/call":
	default:
		return nil, notFound(m.Method)
	}
	if c.session == "" {
		return nil, needsVersion(fmt.Sprintf("%s needs a session (initialize) or _meta %s", m.Method, metaVersion))
	}
	if m.Method == "tools/list" {
		return list(m.Params, c.server.fixed.legacyTools)
	}
	return c.server.call(ctx, m.Params, c.client, legacyFrame)
}

// initialize starts the session, once.
func (c *conn) initialize(params []byte) ([]byte, error) {
	if c.session != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid Request: the session is already initialized"}
	}
	requested, ok := jsonrpc.String(jsonrpc.Member(params, "protocolVersion"))
	if !ok {
		return nil, needsVersion("protocolVersion is required and must be a string")
	}
	for _, name := range []string{"capabilities", "clientInfo"} {
		if !jsonrpc.IsObject(jsonrpc.Member(params, name)) {
			return nil, invalid("%s is required and must be an object", name)
		}
	}
	version, result := Version20251125, c.server.fixed.init20251125
	if requested == Version20250618 {
		version, result = Version20250618, c.server.fixed.init20250618
	}
	answer, err := result()
	if err != nil {
		return nil, err
	}
	c.session, c.client = version, clientLabel(jsonrpc.Member(params, "clientInfo"))
	return answer, nil
}

// list gives the one page of tools.
func list(params []byte, page func() ([]byte, error)) ([]byte, error) {
	if jsonrpc.Member(params, "cursor") != nil {
		return nil, invalid("cursor is not valid: all tools are on one page and no cursor is ever issued")
	}
	return page()
}

func invalid(format string, args ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "Invalid params: " + fmt.Sprintf(format, args...)}
}

// needsVersion refuses a request that lacks a version, and offers those there are.
func needsVersion(what string) *jsonrpc.Error {
	e := invalid("%s", what)
	e.Data = map[string]any{"supported": Versions()}
	return e
}

func notFound(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.MethodNotFound, Message: "Method not found: " + label(method)}
}
