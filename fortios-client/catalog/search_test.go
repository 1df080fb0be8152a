package catalog

import (
	"slices"
	"strings"
	"testing"
)

func paths(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Path)
	}
	return out
}

func TestSearchRanksTheNearestMeaningFirst(t *testing.T) {
	c := Open()
	for _, test := range []struct {
		name, query string
		kind        Kind
		want        []string // the first hits
	}{
		{"the exact path", "firewall/address", "", []string{"firewall/address"}},
		{"a path with blanks", "firewall address", "", []string{"firewall/address"}},
		{"a path with other separators", "firewall-service.custom", "", []string{"firewall.service/custom"}},
		{"an endpoint without its first segment", "system status", "", []string{"monitor/system/status"}},
		{"case and plural", "Firewall Policies", "", []string{"firewall/policy"}},
		{"a last segment, ties by path", "address", "", []string{"firewall/address", "wireless-controller/address"}},
		{"a short path before a long one", "interfaces", "", []string{"system/interface", "monitor/system/interface"}},
		{"words in any order", "route static", "", []string{"router/static"}},
		{"one word that the path has in two", "virtualwanlink", "", []string{"system/virtual-wan-link"}},
		{"two words that the path has in one", "ip pool", "", []string{"firewall/ippool"}},
		{"a hyphen that the path lacks", "sd-wan", "", []string{"system/sdwan"}},
		{"an attribute", "blackhole", "", []string{"router/static", "router/static6"}},
		{"a word of the path and an attribute", "policy srcaddr-negate", "", []string{"firewall/policy"}},
		{"only tables", "status", Table, nil},
		{"only endpoints", "address", Monitor, []string{"monitor/firewall/address-dynamic"}},
		{"only singletons", "dns", Singleton, []string{"system/dns"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			hits := c.Search(test.query, test.kind)
			got := paths(hits)
			if len(got) < len(test.want) || !slices.Equal(got[:len(test.want)], test.want) {
				t.Errorf("Search(%q) = %q, want first %q", test.query, got[:min(len(got), 5)], test.want)
			}
			for _, h := range hits {
				if test.kind != "" && h.Kind != test.kind {
					t.Errorf("%s is a %s", h.Path, h.Kind)
				}
			}
		})
	}
}

func TestSearchOrdersClassesOfMatches(t *testing.T) {
	// each class beats the next: whole path, segment, prefix, inside, attribute, option
	hits := Open().Search("address", "")
	class := func(h Hit) int {
		path := strings.TrimPrefix(h.Path, "monitor/")
		last := path[strings.LastIndex(path, "/")+1:]
		switch {
		case last == "address":
			return 0
		case h.By == ByPath && slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/-.", r) }), "address"):
			return 1
		case h.By == ByPath:
			return 2
		case h.By == ByAttribute:
			return 3
		default:
			return 4
		}
	}
	if !slices.IsSortedFunc(hits, func(a, b Hit) int { return class(a) - class(b) }) {
		t.Errorf("classes are mixed: %q", paths(hits))
	}
	byClass := make(map[int]int)
	for i, h := range hits {
		byClass[class(h)]++
		if i == 0 || hits[i-1].Score != h.Score {
			continue
		}
		if a, b := centrality()[hits[i-1].Path], centrality()[h.Path]; a < b || a == b && hits[i-1].Path >= h.Path {
			t.Errorf("%s comes before %s with the same score", hits[i-1].Path, h.Path)
		}
	}
	if len(byClass) != 5 {
		t.Errorf("hits of each class expected: %v", byClass)
	}
}

func TestSearchSaysWhatMatched(t *testing.T) {
	c := Open()
	for _, test := range []struct {
		query string
		by    Found
		name  string
	}{
		{"blackhole", ByAttribute, "blackhole"},
		{"SRCADDR-negate", ByAttribute, "srcaddr-negate"},
		{"unauthuser_72", ByOption, "unauthuser_72"},
		{"fds-license-expiring-days", ByAttribute, "FDS-license-expiring-days"},
		{"last_update_time", ByAttribute, "last_update_time"},
		{"ippool", ByPath, ""},
	} {
		hits := c.Search(test.query, "")
		if len(hits) == 0 || hits[0].By != test.by || hits[0].Name != test.name {
			t.Errorf("Search(%q) = %+v, want by %s %q", test.query, hits[:min(len(hits), 2)], test.by, test.name)
		}
	}
}

func TestSearchPrefersEntriesWithAllWords(t *testing.T) {
	c := Open()
	hits := c.Search("policy schedule", Table)
	if len(hits) == 0 {
		t.Error("no table has both words")
	}
	for _, h := range hits {
		r, err := c.Resource(h.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"policy", "schedule"} {
			if !strings.Contains(h.Path, word) && !mentions(r.Attributes, word) {
				t.Errorf("%s lacks %s", h.Path, word)
			}
		}
	}
	if got := paths(c.Search("static blackhole", "")); !slices.Equal(got, []string{"router/static", "router/static6", "switch-controller/managed-switch"}) {
		t.Errorf("entries with one of two words are left out where others have both: %q", got)
	}
	if one := c.Search("policy nosuchwordatall", Table); len(one) != len(c.Search("policy", Table)) {
		t.Error("a word that nothing has must not hide the others")
	}
	for _, nothing := range []string{"", " -/. ", "nosuchwordatall"} {
		if hits := c.Search(nothing, ""); len(hits) != 0 {
			t.Errorf("Search(%q) found %d", nothing, len(hits))
		}
	}
	if hits := c.Search(strings.Repeat("word x y z ", 1000), ""); len(hits) > c.Len("") {
		t.Error("more hits than entries")
	}
}

func mentions(list []Attribute, word string) bool {
	return slices.ContainsFunc(list, func(a Attribute) bool {
		return strings.Contains(a.Name, word) || slices.ContainsFunc(a.Options, func(o Option) bool { return strings.Contains(o.Value, word) }) ||
			mentions(a.Attributes, word)
	})
}

func TestNearestOffersWhatMayHaveBeenMeant(t *testing.T) {
	c := Open()
	for _, test := range []struct{ name, path, want string }{
		{"a letter is missing", "firewall/addres", "firewall/address"},
		{"letters are swapped", "firewall/plocy", "firewall/policy"},
		{"another separator", "firewall.address", "firewall/address"},
		{"the CLI's blanks", "firewall service custom", "firewall.service/custom"},
		{"a slash for a dot", "vpn/ipsec/phase1-interface", "vpn.ipsec/phase1-interface"},
		{"plural", "system/interfaces", "system/interface"},
		{"the last segment alone", "static", "router/static"},
		{"an endpoint", "monitor/system/statuses", "monitor/system/status"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.Nearest(test.path)
			if len(got) == 0 || len(got) > 3 || got[0] != test.want {
				t.Errorf("Nearest(%q) = %q, want first %q", test.path, got, test.want)
			}
		})
	}
	for _, far := range []string{"", "qqqqqqqqqqqqqq", strings.Repeat("firewall/address", 100)} {
		if got := c.Nearest(far); len(got) != 0 {
			t.Errorf("Nearest(%.20q) = %q", far, got)
		}
	}
}

func TestDistanceCountsChanges(t *testing.T) {
	for _, test := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"abc", "abc", 3, 0}, {"abc", "abd", 3, 1}, {"abc", "ab", 3, 1}, {"abc", "acb", 3, 1},
		{"abc", "xyz", 3, 3}, {"abc", "xyz", 1, 2}, {"", "abc", 3, 3}, {"abc", "", 2, 3},
	} {
		if got := distance(test.a, test.b, test.limit); got != test.want {
			t.Errorf("distance(%q, %q, %d) = %d, want %d", test.a, test.b, test.limit, got, test.want)
		}
	}
}
