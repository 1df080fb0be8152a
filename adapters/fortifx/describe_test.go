package fortifx_test

import (
	"encoding/json"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// "resource: without fields, attributes are listed compactly so that the largest resource
// fits the byte budget." A device that was made from the catalog differs from it in
// nothing that the catalog is certain of.
func TestEveryResourceIsDescribedWithinTheByteBudgetAndAgreesWithItsOwnDevice(t *testing.T) {
	l := newLabOf(t, profile.Guarded, &fortisim.Options{})
	eng := build(t, fortifx.Options{Home: l.home, Logger: zap.NewNop()})
	const budget = 40_000
	described, largest, name := 0, 0, ""
	for _, kind := range []catalog.Kind{catalog.Table, catalog.Singleton} {
		for e := range catalog.Open().Entries(kind) {
			found, err := eng.Discover(t.Context(), engine.Caller{}, request.Discover{What: request.Resource, Resource: e.Path})
			if err != nil {
				t.Errorf("%s: %v", e.Path, err)
				continue
			}
			described++
			size, err := envelope.Size(found)
			if err != nil || size > budget {
				t.Errorf("%s: %d bytes, %v", e.Path, size, err)
			}
			if size > largest {
				largest, name = size, e.Path
			}
		}
	}
	t.Logf("%d resources; the largest, %s, has %d bytes", described, name, largest)
	if described < 700 {
		t.Errorf("%d resources, too few to prove anything", described)
	}
	for _, path := range []string{"firewall/policy", "firewall/address", "system/global", "system/interface", "router/static", "vpn.ipsec/phase1-interface", "user/local"} {
		found, err := eng.Discover(t.Context(), engine.Caller{}, request.Discover{What: request.Resource, Resource: path, Live: true})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		text, err := json.Marshal(found.Data)
		if err != nil || len(text) > budget {
			t.Errorf("%s: %d bytes, %v", path, len(text), err)
		}
		var d struct {
			Differs map[string][]string `json:"differs"`
		}
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		for at, list := range d.Differs {
			for _, what := range list {
				if !strings.Contains(what, "the catalog was uncertain") {
					t.Errorf("%s %s: %s", path, at, what)
				}
			}
		}
	}
}
