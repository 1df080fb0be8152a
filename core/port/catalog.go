package port

import (
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/schema"
)

// Catalog is the compiled-in knowledge of FortiOS. It needs no device, never
// fails for a known path and is safe for concurrent use. Returned values are
// shared: callers do not change them.
type Catalog interface {
	// Info names the facts: their hash and the newest release they know.
	Info() CatalogInfo
	// Resource describes a path as one release has it; the zero version gives
	// everything known. Failures: not_found, with the nearest paths in
	// details.nearest, or with details.releases where only this release lacks it.
	// The path of one call of a monitor endpoint is the endpoint's path and the
	// action, "monitor/system/os/reboot"; it gives the calls with that action.
	Resource(path string, at schema.Version) (*schema.Resource, error)
	// Search ranks paths for words; an empty query lists all, sorted by path.
	Search(query string, kind schema.Kind) []Hit
}

// CatalogInfo is the catalog's identity.
type CatalogInfo struct {
	Digest                       canon.Digest
	Newest                       schema.Version
	Tables, Singletons, Monitors int
}

// Hit is one line of a search.
type Hit struct {
	Path     string      `json:"path"`
	Kind     schema.Kind `json:"kind"`
	Key      string      `json:"key,omitempty"`
	Releases string      `json:"releases,omitempty"`
}
