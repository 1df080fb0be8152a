package porttest

import (
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

// CatalogHarness is the harness of [RunCatalog].
type CatalogHarness struct {
	New func(t *testing.T) port.Catalog
	// Table, Singleton and Monitor are paths that the catalog knows, in every
	// release that At names.
	Table, Singleton, Monitor string
	// Action is the path of a monitor POST with an action; empty means
	// "monitor/firewall/policy/clear_counters".
	Action string
	At     schema.Version
	// Gone is a path that the release GoneAt lacks, and another one has.
	Gone   string
	GoneAt schema.Version
	// Without may declare Windows.
	Without Without
}

// RunCatalog checks [port.Catalog].
func RunCatalog(t *testing.T, h CatalogHarness) {
	run := func(name string, test func(t *testing.T, c port.Catalog)) {
		t.Run(name, func(t *testing.T) { test(t, h.New(t)) })
	}
	run("Info names the facts", func(t *testing.T, c port.Catalog) { catalogInfo(t, c, h.New(t)) })
	run("Resource describes every path that Search lists", catalogConsistent)
	run("a known path is found, in a release and without one", h.known)
	run("the path of a call describes that call alone", func(t *testing.T, c port.Catalog) {
		path := h.Action
		if path == "" {
			path = "monitor/firewall/policy/clear_counters"
		}
		catalogAction(t, c, path, h.At)
	})
	run("an unknown path is not found, with the nearest paths", catalogNearest)
	run("a path that a release lacks is not found, with the releases", func(t *testing.T, c port.Catalog) {
		h.Without.need(t, Windows, h.Gone != "")
		_, err := c.Resource(h.Gone, h.GoneAt)
		wantCode(t, err, fault.NotFound)
		if err != nil && fault.From(err).Details["releases"] == nil {
			t.Errorf("details.releases is missing: %v", fault.From(err).Details)
		}
		_, err = c.Resource(h.Gone, schema.Version{})
		must(t, err)
	})
	run("Search puts the path itself first", func(t *testing.T, c port.Catalog) {
		for _, path := range []string{h.Table, h.Singleton, h.Monitor} {
			if hits := c.Search(path, ""); len(hits) == 0 || hits[0].Path != path {
				t.Errorf("%s is not the first of %d hits", path, len(hits))
			}
		}
	})
	run("Search limits by kind", h.kinds)
	run("Search without a find is empty", func(t *testing.T, c port.Catalog) {
		if hits := c.Search("xyzzyqwv", ""); len(hits) != 0 {
			t.Errorf("%v", hits)
		}
	})
	run("many may ask at once", func(t *testing.T, c port.Catalog) {
		for _, err := range race(16, func(int) error {
			c.Search(h.Table, schema.Table)
			_, err := c.Resource(h.Table, h.At)
			return err
		}) {
			must(t, err)
		}
	})
}

func catalogInfo(t *testing.T, c, again port.Catalog) {
	info := c.Info()
	if info.Digest.IsZero() || info.Newest.IsZero() || info.Tables == 0 {
		t.Errorf("%+v", info)
	}
	if again.Info() != info {
		t.Errorf("the same facts are named %+v and %+v", info, again.Info())
	}
	counts := map[schema.Kind]int{}
	for _, hit := range c.Search("", "") {
		counts[hit.Kind]++
	}
	if counts[schema.Table] != info.Tables || counts[schema.Singleton] != info.Singletons || counts[schema.Monitor] != info.Monitors {
		t.Errorf("%+v, but %v are listed", info, counts)
	}
}

func catalogAction(t *testing.T, c port.Catalog, path string, at schema.Version) {
	r, err := c.Resource(path, at)
	must(t, err)
	if r.Path != path || r.Kind != schema.Monitor || len(r.Calls) != 1 || r.Calls[0].Method != "POST" || !strings.HasSuffix(path, "/"+r.Calls[0].Action) {
		t.Errorf("%+v", r)
	}
	_, err = c.Resource(path+"-not", at)
	wantCode(t, err, fault.NotFound)
}

func catalogConsistent(t *testing.T, c port.Catalog) {
	hits := c.Search("", "")
	if !slices.IsSortedFunc(hits, func(a, b port.Hit) int { return compareText(a.Path, b.Path) }) {
		t.Error("an empty query does not list by path")
	}
	for _, hit := range hits {
		r, err := c.Resource(hit.Path, schema.Version{})
		if err != nil || r.Path != hit.Path || r.Kind != hit.Kind || r.Key != hit.Key {
			t.Errorf("%+v is described as %+v, %v", hit, r, err)
			continue
		}
		wellFormed(t, r)
	}
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func wellFormed(t *testing.T, r *schema.Resource) {
	t.Helper()
	// A table whose key is not known has no key type either.
	known := r.Key != "" && (r.KeyType == "integer" || r.KeyType == "string")
	if unknown := r.Key == "" && r.KeyType == ""; r.Kind == schema.Table && !known && !unknown {
		t.Errorf("the table %s has the key %q of type %q", r.Path, r.Key, r.KeyType)
	}
	seen := map[string]bool{}
	for _, a := range r.Attributes {
		if a.Name == "" || a.Type == "" || seen[a.Name] {
			t.Errorf("%s has the attribute %q of type %q, twice: %v", r.Path, a.Name, a.Type, seen[a.Name])
		}
		seen[a.Name] = true
		if a.IsTable() && a.Key == "" {
			t.Errorf("the child table %s of %s has no key", a.Name, r.Path)
		}
		switch a.Default.(type) {
		case nil, string, int64:
		default:
			t.Errorf("the default of %s in %s is a %T", a.Name, r.Path, a.Default)
		}
	}
}

func (h CatalogHarness) known(t *testing.T, c port.Catalog) {
	for path, kind := range map[string]schema.Kind{h.Table: schema.Table, h.Singleton: schema.Singleton, h.Monitor: schema.Monitor} {
		for _, at := range []schema.Version{{}, h.At} {
			r, err := c.Resource(path, at)
			if err != nil || r.Path != path || r.Kind != kind {
				t.Errorf("%s at %q: %+v, %v", path, at, r, err)
				continue
			}
			wellFormed(t, r)
		}
	}
}

func catalogNearest(t *testing.T, c port.Catalog) {
	for _, path := range []string{"firewall/adress", "firewall", "firewall/address/x", "", "nothing/alike"} {
		_, err := c.Resource(path, schema.Version{})
		wantCode(t, err, fault.NotFound)
		nearest, _ := fault.From(err).Details["nearest"].([]string)
		for _, n := range nearest {
			if _, err := c.Resource(n, schema.Version{}); err != nil {
				t.Errorf("%q is told to be near and does not exist", n)
			}
		}
		if path == "firewall/adress" && len(nearest) == 0 {
			t.Errorf("nothing is near %q: %v", path, fault.From(err).Details)
		}
	}
}

func (h CatalogHarness) kinds(t *testing.T, c port.Catalog) {
	for _, kind := range []schema.Kind{schema.Table, schema.Singleton, schema.Monitor} {
		hits := c.Search("", kind)
		for _, hit := range hits {
			if hit.Kind != kind {
				t.Errorf("%s is a %s, not a %s", hit.Path, hit.Kind, kind)
			}
		}
		if len(hits) == 0 {
			t.Errorf("there is no %s", kind)
		}
	}
}
