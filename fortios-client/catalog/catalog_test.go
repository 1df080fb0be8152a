package catalog

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestOpeningAndListingDecodeNothing(t *testing.T) {
	c := Open()
	if got := c.Newest(); got != (Version{7, 6, 6}) {
		t.Errorf("Newest() = %s", got)
	}
	for kind, want := range map[Kind]int{Table: 483, Singleton: 229, Monitor: 424, "": 1136, "other": 0} {
		if got := c.Len(kind); got != want {
			t.Errorf("Len(%q) = %d, want %d", kind, got, want)
		}
	}
	c.Search("address", "")
	c.Nearest("firewall/addres")
	c.Releases()
	if got := c.Decoded(); got != 0 {
		t.Errorf("%d records decoded without a look-up", got)
	}
	if _, err := c.Resource("firewall/address"); err != nil || c.Decoded() != 1 {
		t.Errorf("one look-up decoded %d records (%v)", c.Decoded(), err)
	}
}

func TestOpeningAndWalkingTheIndexAllocateNextToNothing(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { Open() }); n > 3 {
		t.Errorf("Open: %v allocations", n)
	}
	c := Open()
	if n := testing.AllocsPerRun(10, func() { c.Len(Monitor) }); n > 3 {
		t.Errorf("walking the index: %v allocations", n)
	}
}

func TestEntriesAreSortedAndMatchTheirRecords(t *testing.T) {
	c := Open()
	var paths []string
	for e := range c.Entries("") {
		paths = append(paths, e.Path)
	}
	if !slices.IsSorted(paths) || len(slices.Compact(paths)) != c.Len("") {
		t.Error("paths are out of order or occur twice")
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	for range c.Entries(Table) {
		break // a caller may stop early
	}
}

func TestHashIsThatOfTheEmbeddedFile(t *testing.T) {
	c := Open()
	if !strings.HasPrefix(c.Hash(), "sha256:") || len(c.Hash()) != len("sha256:")+64 {
		t.Errorf("Hash() = %q", c.Hash())
	}
	c.hash = "sha256:00"
	if err := c.Check(); err == nil {
		t.Error("Check does not notice another hash")
	}
}

func TestAPathThatIsNotThereIsUnknown(t *testing.T) {
	c := Open()
	resource := func(path string) error { _, err := c.Resource(path); return err }
	endpoint := func(path string) error { _, err := c.Endpoint(path); return err }
	for _, test := range []struct {
		name string
		ask  func(string) error
		path string
	}{
		{"no such resource", resource, "firewall/adress"},
		{"a resource's category alone", resource, "firewall"},
		{"empty", resource, ""},
		{"after the last", resource, "zzz/zzz"},
		{"an endpoint is no resource", resource, "monitor/system/status"},
		{"no such endpoint", endpoint, "monitor/system/nothing"},
		{"a resource is no endpoint", endpoint, "firewall/address"},
		{"a call's action is no part of its path", endpoint, "monitor/azure/application-list/refresh"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.ask(test.path)
			if !errors.Is(err, ErrUnknown) {
				t.Errorf("%q: %v", test.path, err)
			}
		})
	}
}

func TestAResourceOfOtherReleasesNamesThem(t *testing.T) {
	c := Open()
	for _, test := range []struct {
		path, at string
		want     Absence
		text     string
	}{
		{"ztna/web-portal", "7.0.0", TooNew, "catalog: ztna/web-portal is not in FortiOS 7.0.0 (too new); releases that have it: "},
		{"spamfilter/profile", "7.6.0", Gone, "catalog: spamfilter/profile is not in FortiOS 7.6.0 (gone); releases that have it: up to 6.0"},
	} {
		_, err := c.ResourceAt(test.path, version(t, test.at))
		var window *WindowError
		if !errors.As(err, &window) {
			t.Errorf("%s at %s: %v", test.path, test.at, err)
			continue
		}
		if window.Absence != test.want || window.Path != test.path || !strings.HasPrefix(window.Error(), test.text) {
			t.Errorf("%s at %s: %v", test.path, test.at, window)
		}
		if _, err := c.Resource(test.path); err != nil {
			t.Errorf("without a release: %v", err)
		}
	}
}

func TestResourcesAreDecodedOnceAndShared(t *testing.T) {
	c := Open()
	v := Version{7, 4, 4}
	first, err := c.ResourceAt("firewall/policy", v)
	if err != nil {
		t.Fatal(err)
	}
	second, err := c.ResourceAt("firewall/policy", v)
	if err != nil || first != second || c.Decoded() != 1 {
		t.Errorf("second look-up: shared %v, %d decoded, %v", first == second, c.Decoded(), err)
	}
	for e := range c.Entries(Table) {
		if _, err := c.Resource(e.Path); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.cache.byKey); n > cacheSize {
		t.Errorf("%d resources kept, at most %d are meant to be", n, cacheSize)
	}
}

func TestConcurrentLookUpsAgree(t *testing.T) {
	c := Open()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, path := range []string{"firewall/policy", "system/interface", "router/bgp"} {
				if r, err := c.ResourceAt(path, Version{7, 2, 8}); err != nil || r.Path != path {
					t.Errorf("%s: %v", path, err)
				}
			}
			if hits := c.Search("policy", Table); len(hits) == 0 {
				t.Error("search found nothing")
			}
		})
	}
	wg.Wait()
}

func TestNamesAreLookedUpAtAnyDepth(t *testing.T) {
	r, err := Open().Resource("router/bgp")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"neighbor": "neighbor", "neighbor/conditional-advertise/condition-type": "condition-type", "neighbor/none": "", "as/x": "", "": "", "/": ""} {
		a, ok := r.Find(name)
		if ok != (want != "") || ok && a.Name != want {
			t.Errorf("Find(%q) = %v, %v", name, a, ok)
		}
	}
	neighbor, ok := r.Attribute("neighbor")
	if !ok || neighbor.Key != "ip" {
		t.Fatalf("Attribute(neighbor) = %v", neighbor)
	}
	activate, ok := neighbor.Child("activate")
	if _, has := activate.Option("enable"); !ok || !has {
		t.Errorf("Child(activate) = %v", activate)
	}
	if _, has := activate.Option("Enable"); has {
		t.Error("options are matched exactly")
	}
}

func TestCallsAreFoundByMethodAndAction(t *testing.T) {
	e, err := Open().Endpoint("monitor/azure/application-list")
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := e.Call("POST", "refresh"); !ok || c.Class != "operate" || c.String() != "POST refresh" {
		t.Errorf("POST refresh = %v, %v", c, ok)
	}
	if c, ok := e.Call("GET", ""); !ok || c.String() != "GET" {
		t.Errorf("GET = %v, %v", c, ok)
	}
	if _, ok := e.Call("POST", ""); ok {
		t.Error("a POST without its action is another call")
	}
}
