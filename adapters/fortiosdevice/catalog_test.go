package fortiosdevice_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/adapters/fortiosdevice"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

func newCatalog() *fortiosdevice.Catalog { return fortiosdevice.NewCatalog(catalog.Open()) }

func version(t *testing.T, text string) schema.Version {
	t.Helper()
	if text == "" {
		return schema.Version{}
	}
	v, ok := schema.ParseVersion(text)
	if !ok {
		t.Fatalf("%q is no version", text)
	}
	return v
}

func resource(t *testing.T, path, at string) *schema.Resource {
	t.Helper()
	r, err := newCatalog().Resource(path, version(t, at))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func attribute(t *testing.T, r *schema.Resource, path string) *schema.Attribute {
	t.Helper()
	a, ok := r.Find(path)
	if !ok {
		t.Fatalf("%s has no %s", r.Path, path)
	}
	return a
}

func TestCatalogInfoNamesTheFacts(t *testing.T) {
	info := newCatalog().Info()
	if info.Digest.String() != catalog.Open().Hash() {
		t.Errorf("digest %q is not the catalog's %q", info.Digest, catalog.Open().Hash())
	}
	if info.Newest != schema.Version(catalog.Open().Newest()) || info.Tables+info.Singletons != 712 || info.Monitors != 424 {
		t.Errorf("got %+v", info)
	}
}

func TestResourceCarriesTheFacts(t *testing.T) {
	r := resource(t, "firewall/address", "7.4.8")
	if r.Kind != schema.Table || r.Key != "name" || r.KeyType != "string" || r.Scope != "vdom" || r.ReadOnly {
		t.Errorf("got %+v", r)
	}
	ttl := attribute(t, r, "cache-ttl")
	if ttl.Type != "integer" || ttl.Min == nil || ttl.Max == nil || *ttl.Max != 86400 || ttl.Default != int64(0) {
		t.Errorf("cache-ttl is %+v with default %T", ttl, ttl.Default)
	}
	if got := attribute(t, r, "type").Default; got != "ipmask" {
		t.Errorf("the default of type is %v", got)
	}
	if !slices.ContainsFunc(attribute(t, r, "type").Options, func(o schema.Option) bool { return o.Value == "iprange" }) {
		t.Error("type has no option iprange")
	}
	if policy := resource(t, "firewall/policy", "7.4.8"); policy.KeyType != "integer" || !policy.IntegerKey() {
		t.Errorf("policies are keyed by %q", policy.KeyType)
	}
}

func TestSecretsKeepTheirMark(t *testing.T) {
	r := resource(t, "vpn.ipsec/phase1-interface", "7.4.8")
	if !attribute(t, r, "psksecret").Secret {
		t.Error("psksecret is not secret")
	}
}

func TestReferencesBecomePathsAndAttributes(t *testing.T) {
	r := resource(t, "firewall/policy", "7.4.8")
	services := attribute(t, r, "service/name").Refs
	want := schema.Ref{Path: "firewall.service/custom", Attribute: "name"}
	if !slices.Contains(services, want) {
		t.Errorf("service/name refers to %v, not to %v", services, want)
	}
	if refs := attribute(t, r, "srcintf/name").Refs; !slices.Contains(refs, schema.Ref{Path: "system/sdwan/zone", Attribute: "name"}) {
		t.Errorf("a child table is not written below its parent: %v", refs)
	}
}

func TestEveryReferenceOfTheCatalogIsAPath(t *testing.T) {
	c := newCatalog()
	for _, hit := range c.Search("", "") {
		r, err := c.Resource(hit.Path, schema.Version{})
		if err != nil {
			t.Fatal(err)
		}
		eachRef(r.Attributes, func(ref schema.Ref) {
			group, name, ok := strings.Cut(ref.Path, "/")
			if !ok || group == "" || name == "" || ref.Attribute == "" || strings.Contains(name, ".") {
				t.Errorf("%s refers to %+v", r.Path, ref)
			}
		})
	}
}

func eachRef(list []schema.Attribute, visit func(schema.Ref)) {
	for _, a := range list {
		for _, ref := range a.Refs {
			visit(ref)
		}
		eachRef(a.Attributes, visit)
	}
}

func TestOrderIsWhereTheFirstMatchWins(t *testing.T) {
	for path, want := range map[string]bool{
		"firewall/policy": true, "firewall/local-in-policy": true, "router/policy": true, "firewall/shaping-policy": true,
		"firewall.service/custom": false, "firewall.service/category": false, "firewall/vip": false,
		"switch-controller/managed-switch": false, "wireless-controller/wtp": false,
		"firewall/address": false, "system/interface": false,
	} {
		if got := resource(t, path, "").Ordered; got != want {
			t.Errorf("%s: ordered is %v", path, got)
		}
	}
}

func TestAReleaseHasItsOwnAttributes(t *testing.T) {
	has := func(at, name string) bool {
		_, ok := resource(t, "firewall/address", at).Attribute(name)
		return ok
	}
	all := resource(t, "firewall/address", "")
	i := slices.IndexFunc(all.Attributes, func(a schema.Attribute) bool { return strings.HasPrefix(a.Releases, "7.4.0 and later") })
	if i < 0 {
		t.Fatal("firewall/address has no attribute that came with 7.4.0")
	}
	name := all.Attributes[i].Name
	if has("7.2.8", name) || !has("7.4.8", name) {
		t.Errorf("%s (%s): in 7.2.8 %v, in 7.4.8 %v", name, all.Attributes[i].Releases, has("7.2.8", name), has("7.4.8", name))
	}
}

func TestAReleaseNewerThanAllCountsAsTheNewest(t *testing.T) {
	newest := resource(t, "firewall/policy", newCatalog().Info().Newest.String())
	future := resource(t, "firewall/policy", "8.0.1")
	if diff := cmp.Diff(newest, future); diff != "" {
		t.Error(diff)
	}
}

func TestAResourceOutsideItsWindowIsNotFoundWithItsReleases(t *testing.T) {
	_, err := newCatalog().Resource("firewall/policy6", version(t, "7.4.8"))
	f := fault.From(err)
	if f.Code != fault.NotFound || f.Details["releases"] != "up to 6.4" {
		t.Errorf("got %v, details %v", err, f.Details)
	}
	if !strings.Contains(f.Message, "7.4.8") || !strings.Contains(f.Message, "firewall/policy6") {
		t.Errorf("the message names neither release nor path: %q", f.Message)
	}
}

func TestAnUnknownPathIsNotFoundWithTheNearest(t *testing.T) {
	for path, want := range map[string]string{
		"firewall/adress":         "firewall/address",
		"firewall.address":        "firewall/address",
		"monitor/system/statuss":  "monitor/system/status",
		"monitor/system/os/rebot": "monitor/system/os/reboot",
	} {
		_, err := newCatalog().Resource(path, schema.Version{})
		f := fault.From(err)
		near, _ := f.Details["nearest"].([]string)
		if f.Code != fault.NotFound || !slices.Contains(near, want) {
			t.Errorf("%s: %v, nearest %v", path, err, near)
		}
	}
	_, err := newCatalog().Resource("no such thing at all", schema.Version{})
	if near, ok := fault.From(err).Details["nearest"].([]string); !ok || len(near) != 0 {
		t.Errorf("nothing is near, and details say %v", fault.From(err).Details)
	}
}

func TestHostilePathsAreQuotedHarmlessly(t *testing.T) {
	for _, path := range []string{"", "/", "monitor/", "monitor//", "monitor/system/status/", "a\x1b[31m/b", strings.Repeat("x/", 10_000)} {
		_, err := newCatalog().Resource(path, schema.Version{})
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%.20q: %v", path, err)
		}
		if text := fault.From(err).Message; strings.Contains(text, "\x1b") || len(text) > 1000 {
			t.Errorf("%.20q is quoted as %.60q", path, text)
		}
	}
}

func TestAMonitorEndpointHasAllItsCalls(t *testing.T) {
	r := resource(t, "monitor/system/os", "7.4.8")
	if r.Kind != schema.Monitor || len(r.Calls) != 2 {
		t.Fatalf("got %+v", r)
	}
	status := resource(t, "monitor/system/status", "7.4.8")
	if len(status.Calls) != 1 || status.Calls[0].Method != "GET" || status.Calls[0].Action != "" {
		t.Errorf("got %+v", status.Calls)
	}
}

func TestThePathOfOneCallGivesThatCall(t *testing.T) {
	r := resource(t, "monitor/system/os/reboot", "7.4.8")
	if r.Path != "monitor/system/os/reboot" || len(r.Calls) != 1 || r.Calls[0].Action != "reboot" || r.Calls[0].Class != "device" {
		t.Fatalf("got %+v", r)
	}
	if len(r.Calls[0].Params) != 1 || r.Calls[0].Params[0].In != "body" {
		t.Errorf("its parameters are %+v", r.Calls[0].Params)
	}
}

func TestAPathThatIsEndpointAndActionHasTheCallsOfBoth(t *testing.T) {
	r := resource(t, "monitor/system/config/backup", "7.4.8")
	var methods []string
	for _, c := range r.Calls {
		methods = append(methods, c.Method)
		if !c.Reveals {
			t.Errorf("%s does not say that it reveals secrets", c.Method)
		}
	}
	if diff := cmp.Diff([]string{"GET", "POST"}, methods); diff != "" {
		t.Error(diff)
	}
}

// The facts about monitor endpoints come from 7.0.3, 7.6.5 and 7.6.6 alone.
func TestACallIsMissingOnlyWhereThatIsCertain(t *testing.T) {
	const late = "monitor/casb/saas-application/details" // seen in 7.6.5 and 7.6.6
	for at, want := range map[string]bool{"7.0.2": false, "7.0.3": false, "7.2.8": true, "7.4.8": true, "7.6.6": true, "": true} {
		_, err := newCatalog().Resource(late, version(t, at))
		if (err == nil) != want {
			t.Errorf("at %q: %v", at, err)
		}
		if err != nil && fault.From(err).Details["releases"] != "seen in 7.6.5 and later" {
			t.Errorf("details are %v", fault.From(err).Details)
		}
	}
}

func TestSearch(t *testing.T) {
	c := newCatalog()
	t.Run("an empty query lists all, sorted by path", func(t *testing.T) {
		hits := c.Search("", "")
		var paths []string
		for _, h := range hits {
			paths = append(paths, h.Path)
		}
		if len(hits) != 712+424 || !slices.IsSorted(paths) {
			t.Errorf("%d hits, sorted: %v", len(hits), slices.IsSorted(paths))
		}
	})
	t.Run("a kind narrows", func(t *testing.T) {
		for _, h := range c.Search("  ", schema.Singleton) {
			if h.Kind != schema.Singleton {
				t.Errorf("%s is a %s", h.Path, h.Kind)
			}
		}
	})
	t.Run("the thing itself comes first", func(t *testing.T) {
		hits := c.Search("firewall address", schema.Table)
		if len(hits) == 0 || hits[0].Path != "firewall/address" || hits[0].Key != "name" {
			t.Errorf("got %v", hits[:min(3, len(hits))])
		}
	})
	t.Run("nothing is an empty list", func(t *testing.T) {
		if hits := c.Search("zzzzqqqq", ""); hits == nil || len(hits) != 0 {
			t.Errorf("got %v", hits)
		}
	})
}

func TestEachResourceConvertsAtEachReleaseWithoutGaps(t *testing.T) {
	c := newCatalog()
	for _, at := range []string{"6.0.0", "7.4.8"} {
		found := 0
		for _, hit := range c.Search("", "") {
			r, err := c.Resource(hit.Path, version(t, at))
			if err != nil {
				if fault.CodeOf(err) != fault.NotFound || fault.From(err).Details["releases"] == "" {
					t.Fatalf("%s at %s: %v", hit.Path, at, err)
				}
				continue
			}
			found++
			check(t, r.Path, r.Attributes)
		}
		if found < 500 {
			t.Errorf("%s has only %d resources", at, found)
		}
	}
}

func check(t *testing.T, path string, list []schema.Attribute) {
	t.Helper()
	for _, a := range list {
		switch a.Default.(type) {
		case nil, string, int64:
		default:
			t.Errorf("%s/%s: the default is a %T", path, a.Name, a.Default)
		}
		if a.Name == "" || a.Type == "" || a.Key != "" && a.KeyType == "" {
			t.Errorf("%s: %+v", path, a)
		}
		check(t, path+"/"+a.Name, a.Attributes)
	}
}

func TestLookUpsAreKeptAndBounded(t *testing.T) {
	facts := catalog.Open()
	c := fortiosdevice.NewCatalog(facts)
	first, err := c.Resource("firewall/policy", version(t, "7.4.8"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Resource("firewall/policy", version(t, "7.4.8"))
	if err != nil || again != first {
		t.Error("a second look-up converts again")
	}
	for _, hit := range c.Search("", schema.Table)[:100] {
		if _, err := c.Resource(hit.Path, schema.Version{}); err != nil {
			t.Fatal(err)
		}
	}
	if late, _ := c.Resource("firewall/policy", version(t, "7.4.8")); late == first {
		t.Error("the oldest conversion was not given up")
	}
}
