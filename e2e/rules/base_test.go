package rules

import (
	"testing"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/risk"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// What the catalog has.
const (
	resources = 712
	postCalls = 225
)

func TestEachOfThe712ResourcesMatchesExactlyOneBaseTier(t *testing.T) {
	t.Parallel()
	c := catalog.Open()
	seen := 0
	for _, kind := range []catalog.Kind{catalog.Table, catalog.Singleton} {
		for entry := range c.Entries(kind) {
			seen++
			exactlyOne(t, entry.Path)
		}
	}
	if seen != resources {
		t.Errorf("the catalog has %d resources, want %d", seen, resources)
	}
}

func TestEachPOSTCallMatchesExactlyOneBaseTierAndIsNeverBelowItsClass(t *testing.T) {
	t.Parallel()
	c := catalog.Open()
	seen := 0
	for entry := range c.Entries(catalog.Monitor) {
		endpoint, err := c.Endpoint(entry.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range endpoint.Calls {
			if call.Method != "POST" {
				continue
			}
			seen++
			path := entry.Path
			if call.Action != "" {
				path += "/" + call.Action
			}
			exactlyOne(t, path)
			if _, known := risk.Base(path); !known {
				t.Errorf("%s has no base tier", path)
			}
			atLeast(t, path, call.Class)
		}
	}
	if seen != postCalls {
		t.Errorf("the catalog has %d POST calls, want %d", seen, postCalls)
	}
}

// atLeast checks the tier of a call against the least that its class can do.
func atLeast(t *testing.T, path, class string) {
	t.Helper()
	least, known := map[string]plan.Tier{
		"query": plan.Medium, "counter": plan.Medium, "operate": plan.Medium,
		"session": plan.High, "config": plan.High, "file": plan.High, "device": plan.Critical,
	}[class]
	if !known {
		t.Errorf("%s has the class %q, which no tier is known for", path, class)
	}
	if tier, _ := risk.Base(path); tier.Rank() < least.Rank() {
		t.Errorf("%s is %s, and its class %s is at least %s", path, tier, class, least)
	}
}

func exactlyOne(t *testing.T, path string) {
	t.Helper()
	if m := risk.Matches(path); len(m) != 1 {
		t.Errorf("%s: %d patterns match: %q", path, len(m), m)
	}
}
