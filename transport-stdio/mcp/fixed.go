package mcp

import (
	"sync"

	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
	"github.com/forti-mcp/forti/transport-stdio/internal/toolschema"
)

// What the server is called.
const (
	Name        = "forti-mcp"
	Title       = "FortiOS (forti-mcp)"
	Description = "FortiGate configuration and monitoring over the FortiOS REST API"
)

// cacheMs is how long a client may keep a result that does not change.
const cacheMs = 300_000

// fixed are the results that never change. Each is encoded once, when it is first
// asked for.
type fixed struct {
	discover, modernTools, legacyTools, init20251125, init20250618 func() ([]byte, error)
	// modernOpening begins a modern result, up to its _meta: see call.
	modernMeta func() ([]byte, error)
}

type object map[string]any

func newFixed(s *Server) fixed {
	once := func(make func() object) func() ([]byte, error) {
		return sync.OnceValues(func() ([]byte, error) { return jsonrpc.Encode(make()) })
	}
	return fixed{
		discover: once(func() object {
			return s.cacheable(object{
				"supportedVersions": Versions(), "capabilities": capabilities(), "instructions": s.instructions(),
			})
		}),
		modernTools:  once(func() object { return s.cacheable(object{"tools": s.list()}) }),
		legacyTools:  once(func() object { return object{"tools": s.list()} }),
		init20251125: once(func() object { return s.initialized(Version20251125) }),
		init20250618: once(func() object { return s.initialized(Version20250618) }),
		modernMeta:   once(s.meta),
	}
}

// cacheable adds what every modern result that may be kept carries.
func (s *Server) cacheable(result object) object {
	result["resultType"] = "complete"
	result["_meta"] = s.meta()
	result["ttlMs"] = cacheMs
	result["cacheScope"] = "private"
	return result
}

func (s *Server) meta() object { return object{metaServer: s.info(Version20260728)} }

func (s *Server) initialized(version string) object {
	return object{
		"protocolVersion": version, "capabilities": capabilities(),
		"serverInfo": s.info(version), "instructions": s.instructions(),
	}
}

// info is the server's own description; 2025-06-18 predates its last part.
func (s *Server) info(version string) object {
	info := object{"name": Name, "title": Title, "version": s.options.Version}
	if version != Version20250618 {
		info["description"] = Description
	}
	return info
}

func capabilities() object { return object{"tools": object{}} }

func (s *Server) list() []object {
	list := make([]object, 0, len(s.tools))
	for _, t := range s.tools {
		list = append(list, object{
			"name": t.name, "title": t.title, "description": t.description,
			"inputSchema": toolschema.Of(t.fields()), "outputSchema": toolschema.Envelope(),
			"annotations": object{
				"title": t.title, "openWorldHint": true,
				"readOnlyHint": t.hints.readOnly, "destructiveHint": t.hints.destructive, "idempotentHint": t.hints.idempotent,
			},
		})
	}
	return list
}
