package fortiosdevice

import (
	"errors"
	"strings"
	"sync"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// Catalog is the compiled-in catalog as the core sees it. It is safe for
// concurrent use; what it returns is shared and must not be changed.
type Catalog struct {
	facts *catalog.Catalog
	cache cache
	info  func() port.CatalogInfo
	// dotted finds a resource's path by its name in references, where dots stand
	// for slashes.
	dotted func() map[string]string
}

var _ port.Catalog = (*Catalog)(nil)

// NewCatalog wraps facts. It decodes nothing.
func NewCatalog(facts *catalog.Catalog) *Catalog {
	c := &Catalog{facts: facts}
	c.info = sync.OnceValue(c.identify)
	c.dotted = sync.OnceValue(c.dottedPaths)
	return c
}

// Info names the facts. The digest is zero where the catalog's own hash cannot
// be read, which a build with a damaged catalog would show.
func (c *Catalog) Info() port.CatalogInfo { return c.info() }

func (c *Catalog) identify() port.CatalogInfo {
	digest, _ := canon.ParseDigest(c.facts.Hash())
	return port.CatalogInfo{
		Digest: digest, Newest: schema.Version(c.facts.Newest()),
		Tables: c.facts.Len(catalog.Table), Singletons: c.facts.Len(catalog.Singleton), Monitors: c.facts.Len(catalog.Monitor),
	}
}

// Resource describes a path as a release has it. A release newer than the newest
// known one is taken for that one: nothing is known of what it dropped or added.
// The path of one call of a monitor endpoint is the endpoint's path and the
// call's action ("monitor/system/os/reboot").
func (c *Catalog) Resource(path string, at schema.Version) (*schema.Resource, error) {
	if newest := schema.Version(c.facts.Newest()); at.Compare(newest) > 0 {
		at = newest
	}
	key := cacheKey{path, at}
	if r, ok := c.cache.get(key); ok {
		return r, nil
	}
	r, err := c.describe(path, at)
	if err != nil {
		return nil, err
	}
	c.cache.put(key, r)
	return r, nil
}

func (c *Catalog) describe(path string, at schema.Version) (*schema.Resource, error) {
	if strings.HasPrefix(path, monitorPrefix) {
		return c.monitor(path, at)
	}
	r, err := c.facts.PossibleAt(path, catalog.Version(at))
	if err != nil {
		return nil, c.absent(path, err)
	}
	return c.resource(r), nil
}

// absent explains a look-up that found nothing.
func (c *Catalog) absent(path string, err error) error {
	var window *catalog.WindowError
	switch {
	case errors.As(err, &window):
		return outside(path, schema.Version(window.Version), window.Window.String())
	case errors.Is(err, catalog.ErrUnknown):
		return c.unknown(path, c.facts.Nearest(path))
	}
	return fault.Wrap(err, fault.Internal, "the compiled-in catalog is damaged; install the program again")
}

func outside(path string, at schema.Version, releases string) error {
	return fault.New(fault.NotFound, "FortiOS %s has no resource %s; releases that have it: %s", at, path, releases).
		With("releases", releases)
}

func (c *Catalog) unknown(path string, nearest []string) error {
	advice := "search for it with discover"
	if len(nearest) > 0 {
		advice = "the nearest are " + strings.Join(nearest, ", ")
	} else {
		nearest = []string{}
	}
	return fault.New(fault.NotFound, "there is no resource %q; %s", shorten(path), advice).With("nearest", nearest)
}

// Search ranks paths for words; an empty query lists all, sorted by path.
func (c *Catalog) Search(query string, kind schema.Kind) []port.Hit {
	hits := []port.Hit{}
	if strings.TrimSpace(query) == "" {
		for e := range c.facts.Entries(catalog.Kind(kind)) {
			hits = append(hits, hit(e))
		}
		return hits
	}
	for _, h := range c.facts.Search(query, catalog.Kind(kind)) {
		hits = append(hits, hit(h.Entry))
	}
	return hits
}

func hit(e catalog.Entry) port.Hit {
	h := port.Hit{Path: e.Path, Kind: schema.Kind(e.Kind), Key: e.Key, Releases: releases(e.Window())}
	if e.Kind == catalog.Monitor {
		h.Releases = seen(e.Window())
	}
	return h
}

// releases is a window in words, "" where it is open.
func releases(w catalog.Window) string {
	if w.Since == "" && w.Until == "" && len(w.Spans) == 0 {
		return ""
	}
	return w.String()
}
