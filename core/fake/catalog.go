package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

// Catalog is a catalog of a handful of resources.
type Catalog struct {
	resources map[string]*schema.Resource
	windows   map[string]window
	info      port.CatalogInfo
}

// window bounds the releases that have a resource; zero ends are open.
type window struct{ since, until schema.Version }

var _ port.Catalog = (*Catalog)(nil)

// Newest is the newest release that fake catalogs know.
var Newest = schema.Version{Major: 7, Minor: 6, Patch: 6}

// NewCatalog makes a catalog of resources, or of [Builtin] where there are none.
// It fails where a path is empty or stands twice.
func NewCatalog(resources ...schema.Resource) (*Catalog, error) {
	if len(resources) == 0 {
		resources = Builtin()
	}
	c := &Catalog{resources: map[string]*schema.Resource{}, windows: map[string]window{}, info: port.CatalogInfo{Newest: Newest}}
	for i := range resources {
		r := &resources[i]
		if r.Path == "" || c.resources[r.Path] != nil {
			return nil, fmt.Errorf("fake: the path %q is empty or stands twice", r.Path)
		}
		c.resources[r.Path] = r
		c.count(r.Kind)
	}
	facts, err := json.Marshal(resources)
	if err != nil {
		return nil, fmt.Errorf("fake: a default is neither a string nor an integer: %w", err)
	}
	c.info.Digest = canon.SumIn("fake-catalog", facts)
	return c, nil
}

func (c *Catalog) count(kind schema.Kind) {
	switch kind {
	case schema.Table:
		c.info.Tables++
	case schema.Singleton:
		c.info.Singletons++
	case schema.Monitor:
		c.info.Monitors++
	}
}

// Only limits a resource to the releases from since to until, both included;
// zero ends are open. Call it before the catalog is shared.
func (c *Catalog) Only(path string, since, until schema.Version) {
	c.windows[path] = window{since, until}
	if r := c.resources[path]; r != nil {
		limited := *r
		limited.Releases = c.windows[path].String()
		c.resources[path] = &limited
	}
}

func (w window) String() string {
	switch {
	case w.until.IsZero():
		return w.since.String() + " and later"
	case w.since.IsZero():
		return "up to " + w.until.String()
	}
	return w.since.String() + " to " + w.until.String()
}

func (w window) covers(v schema.Version) bool {
	return v.IsZero() || (w.since.IsZero() || v.Compare(w.since) >= 0) && (w.until.IsZero() || v.Compare(w.until) <= 0)
}

// Info names the facts.
func (c *Catalog) Info() port.CatalogInfo { return c.info }

// Resource describes a path; see [port.Catalog].
func (c *Catalog) Resource(path string, at schema.Version) (*schema.Resource, error) {
	r, known := c.resources[path]
	if !known {
		r, known = c.call(path)
	}
	if !known {
		return nil, fault.New(fault.NotFound, "there is no resource %q; the nearest are in details.nearest", path).
			With("nearest", c.nearest(path))
	}
	if w, limited := c.windows[path]; limited && !w.covers(at) {
		return nil, fault.New(fault.NotFound, "FortiOS %s has no resource %q; it is in %s", at, path, w).
			With("releases", w.String())
	}
	return r, nil
}

// call finds the calls of a monitor endpoint that a path with an action names.
func (c *Catalog) call(path string) (*schema.Resource, bool) {
	at := strings.LastIndex(path, "/")
	if at < 0 {
		return nil, false
	}
	endpoint, known := c.resources[path[:at]]
	if !known {
		return nil, false
	}
	one := *endpoint
	one.Path, one.Calls = path, nil
	for _, call := range endpoint.Calls {
		if call.Action == path[at+1:] {
			one.Calls = append(one.Calls, call)
		}
	}
	return &one, len(one.Calls) > 0
}

// nearest are the three paths with most of their words in common with path.
func (c *Catalog) nearest(path string) []string {
	words := strings.FieldsFunc(strings.ToLower(path), notWord)
	list := slices.Sorted(maps.Keys(c.resources))
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(common(b, words), common(a, words)) })
	return list[:min(3, len(list))]
}

func notWord(r rune) bool { return r == '/' || r == '.' || r == '-' || r == ' ' }

func common(path string, words []string) int {
	n := 0
	for _, w := range words {
		if strings.Contains(path, w) {
			n += len(w)
		}
	}
	return n
}

// Search ranks paths for words; see [port.Catalog].
func (c *Catalog) Search(query string, kind schema.Kind) []port.Hit {
	words := strings.Fields(strings.ToLower(query))
	hits := []port.Hit{}
	rank := map[string]int{}
	for _, path := range slices.Sorted(maps.Keys(c.resources)) {
		r := c.resources[path]
		if kind != "" && r.Kind != kind {
			continue
		}
		if rank[path] = score(r, words); rank[path] > 0 || len(words) == 0 {
			hits = append(hits, port.Hit{Path: path, Kind: r.Kind, Key: r.Key, Releases: r.Releases})
		}
	}
	slices.SortStableFunc(hits, func(a, b port.Hit) int { return cmp.Compare(rank[b.Path], rank[a.Path]) })
	return hits
}

// score counts where the words of a query stand; 0 where one stands nowhere.
func score(r *schema.Resource, words []string) int {
	total := 0
	for _, w := range words {
		n := 0
		switch {
		case strings.EqualFold(r.Path, w):
			n = 100
		case strings.HasSuffix(r.Path, "/"+w):
			n = 50
		case strings.Contains(r.Path, w):
			n = 20
		case named(r.Attributes, w):
			n = 1
		default:
			return 0
		}
		total += n
	}
	return total
}

func named(attributes []schema.Attribute, word string) bool {
	return slices.ContainsFunc(attributes, func(a schema.Attribute) bool {
		return strings.Contains(a.Name, word) || named(a.Attributes, word)
	})
}
