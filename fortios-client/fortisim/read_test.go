package fortisim_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestAnswersHaveTheMembersOfTheRelease(t *testing.T) {
	counts := []string{"size", "matched_count", "next_idx"}
	base := []string{"http_method", "revision", "results", "vdom", "path", "name", "status", "http_status", "serial", "version", "build"}
	for version, more := range map[string][]string{
		"6.2.3": nil,
		"7.2.5": counts,
		"7.4.8": append([]string{"limit_reached"}, counts...),
		"7.6.6": append([]string{"limit_reached", "action"}, counts...),
	} {
		t.Run(version, func(t *testing.T) {
			l := labOn(t, version)
			answer := l.ok("GET", addresses, "")
			want := slices.Sorted(slices.Values(append(slices.Clone(base), more...)))
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(answer))); diff != "" {
				t.Error(diff)
			}
			if answer["version"] != "v"+version {
				t.Errorf("version is %v", answer["version"])
			}
		})
	}
}

func TestNextIndexIsTheLastRowAndFrom8TheSize(t *testing.T) {
	for version, want := range map[string]float64{"7.4.8": -1, "8.0.1": 0} {
		answer := labOn(t, version).ok("GET", addresses, "")
		if got := answer["next_idx"].(float64) - answer["size"].(float64); got != want {
			t.Errorf("%s: next_idx is size%+v, want size%+v", version, got, want)
		}
	}
}

func TestOneObjectIsAListOfOneAndASingletonAnObject(t *testing.T) {
	l := newLab(t, nil)
	answer := l.ok("GET", addresses+"/srv-web", "")
	if list, ok := answer["results"].([]any); !ok || len(list) != 1 || answer["mkey"] != "srv-web" {
		t.Errorf("one object: %v", answer)
	}
	if _, ok := l.ok("GET", "/api/v2/cmdb/system/global", "")["results"].(map[string]any); !ok {
		t.Error("a singleton's results are not an object")
	}
	if got := l.one(policy + "/1")["policyid"]; got != 1.0 {
		t.Errorf("policyid is %v", got)
	}
}

func TestFilters(t *testing.T) {
	l := newLab(t, nil)
	l.ok("POST", addresses, `{"name":"a.b,c"}`)
	for _, c := range []struct {
		name, path string
		filters    []string
		attribute  string
		want       []any
	}{
		{"equal", addresses, []string{"name==srv-web"}, "name", []any{"srv-web"}},
		{"equal minds case", addresses, []string{"name==SRV-WEB"}, "name", nil},
		{"not equal", groups, []string{"name!=grp-servers"}, "name", []any{"grp-printers"}},
		{"contains, without case", addresses, []string{"name=@SRV"}, "name", []any{"srv-web", "srv-mail", "srv-files"}},
		{"contains not", addresses, []string{"name!@r", "name!@n"}, "name", []any{"a.b,c"}[:0:0]},
		{"less", policy, []string{"policyid<3"}, "policyid", []any{1.0, 2.0}},
		{"at most", policy, []string{"policyid<=3"}, "policyid", []any{1.0, 2.0, 3.0}},
		{"more", policy, []string{"policyid>5"}, "policyid", []any{99.0}},
		{"at least", policy, []string{"policyid>=5"}, "policyid", []any{5.0, 99.0}},
		{"and", policy, []string{"policyid>1", "action==accept", "status==enable"}, "policyid", []any{2.0, 3.0, 4.0}},
		{"or", policy, []string{"policyid==1,policyid==99"}, "policyid", []any{1.0, 99.0}},
		{"or with one key", policy, []string{"policyid==1,99"}, "policyid", []any{1.0, 99.0}},
		{"nested rows", groups, []string{"member.name==srv-web"}, "name", []any{"grp-servers"}},
		{"nested rows by the list's name", groups, []string{"member==printer-2"}, "name", []any{"grp-printers"}},
		{"wildcard", addresses, []string{"name=*net-*a*"}, "name", []any{"net-lan"}},
		{"no wildcard", groups, []string{"name!*grp-p*"}, "name", []any{"grp-servers"}},
		{"escaped comma and dot", addresses, []string{`name==a.b\,c`}, "name", []any{"a.b,c"}},
		{"unknown key", addresses, []string{"nonsense==1"}, "name", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := l.in(t)
			query := url.Values{"filter": c.filters}
			got := l.keys(c.path+"?"+query.Encode(), c.attribute)
			if c.name == "contains not" {
				if slices.Contains(got, any("srv-web")) || !slices.Contains(got, any("all")) {
					t.Errorf("rows: %v", got)
				}
				return
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			answer := l.ok("GET", c.path+"?"+query.Encode(), "")
			if answer["matched_count"] != float64(len(c.want)) || answer["size"] == answer["matched_count"] {
				t.Errorf("size %v, matched_count %v", answer["size"], answer["matched_count"])
			}
		})
	}
	l.no("GET", addresses+"?filter=name", "", 500, -10002)
}

func TestFormatPicksAttributesUnlessOneIsUnknown(t *testing.T) {
	l := newLab(t, nil)
	row := l.one(addresses + "/srv-web?format=name|comment")
	if diff := cmp.Diff(map[string]any{"name": "srv-web", "q_origin_key": "srv-web", "comment": "web server"}, row); diff != "" {
		t.Error(diff)
	}
	if row := l.one(addresses + "/srv-web?format=name|nonsense"); len(row) < 10 {
		t.Errorf("an unknown name did not give all attributes: %v", row)
	}
}

func TestPaging(t *testing.T) {
	l := newLab(t, nil)
	for query, want := range map[string][]any{
		"start=0&count=2":                     {1.0, 2.0},
		"start=4&count=2":                     {5.0, 99.0},
		"start=5":                             {99.0},
		"count=1000":                          {1.0, 2.0, 3.0, 4.0, 5.0, 99.0},
		"start=6&count=2":                     nil,
		"start=-1&count=0":                    {1.0, 2.0, 3.0, 4.0, 5.0, 99.0},
		"start=1&count=1&filter=policyid%3E3": {5.0},
		"start=2&count=9223372036854775807":   {3.0, 4.0, 5.0, 99.0},
		"start=9223372036854775807&count=1":   nil,
	} {
		if diff := cmp.Diff(want, l.keys(policy+"?"+query, "policyid")); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.StrictPaging = true
	l.device.SetBehaviour(b)
	l.no("GET", policy+"?start=6&count=1", "", 500, -2)
	l.no("GET", policy+"?count=1000", "", 500, -2)
}

func TestSchemaDescribesTheRelease(t *testing.T) {
	for version, size := range map[string]float64{"7.2.8": 35, "7.4.8": 47} {
		answer := labOn(t, version).ok("GET", policy+"?action=schema", "")
		children := answer["results"].(map[string]any)["children"].(map[string]any)
		if got := children["profile-protocol-options"].(map[string]any)["size"]; got != size {
			t.Errorf("%s: size %v, want %v", version, got, size)
		}
	}
}

func TestVDOMs(t *testing.T) {
	l := newLab(t, &fortisim.Options{VDOMs: []string{"root", "guest"}, Admins: []fortisim.Admin{
		{Name: "all", Token: "made-up-token-all", Access: fortisim.ReadWrite},
		{Name: "guests", Token: "made-up-token-guest", Access: fortisim.ReadWrite, VDOMs: []string{"guest"}},
	}})
	l.ok("POST", addresses+"?vdom=guest", `{"name":"only-guest"}`)
	l.no("GET", addresses+"/only-guest?vdom=root", "", 404, 0)
	if got := l.ok("GET", addresses+"/only-guest?vdom=guest", "")["vdom"]; got != "guest" {
		t.Errorf("vdom is %v", got)
	}
	l.ok("POST", ports+"?vdom=guest", `{"name":"guest-lan","type":"loopback"}`)
	l.no("GET", ports+"/guest-lan?vdom=root", "", 404, 0)
	if got := l.one(ports + "/guest-lan?vdom=guest")["vdom"]; got != "guest" {
		t.Errorf("interface is in %v", got)
	}
	l.no("POST", "/api/v2/cmdb/system/zone?vdom=root", `{"name":"z","interface":[{"interface-name":"guest-lan"}]}`, 500, -651)
	for _, vdom := range []string{"*", "root,guest"} {
		text := l.do("GET", addresses+"?vdom="+url.QueryEscape(vdom), "").text
		if !strings.HasPrefix(text, "[{") || strings.Count(text, `"http_method"`) != 2 {
			t.Errorf("vdom=%s: %.80s", vdom, text)
		}
	}
	if text := l.do("GET", "/api/v2/monitor/system/status?global=1", "").text; strings.Count(text, `"serial"`) != 2 {
		t.Errorf("global=1: %s", text)
	}
	l.token = "made-up-token-guest"
	for _, query := range []string{"", "?vdom=root", "?vdom=nowhere"} {
		g := l.no("GET", addresses+query, "", 403, 0)
		want := []string{"action", "http_method", "http_status", "name", "path", "status", "vdom"}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(g.json))); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
	l.ok("GET", addresses+"?vdom=guest", "")
}

func TestOneVDOMIsStillAListForAllVDOMs(t *testing.T) {
	if text := newLab(t, nil).do("GET", addresses+"?vdom=*", "").text; !strings.HasPrefix(text, "[{") {
		t.Errorf("%.40s", text)
	}
}

func TestAnotherReleaseOrSerialShowsAfterwards(t *testing.T) {
	l := newLab(t, nil)
	l.device.SetVersion(release(t, "7.6.5"), 0)
	l.device.SetSerial("FGVMSIM000000002")
	answer := l.ok("GET", addresses+"/srv-web", "")
	if got := fmt.Sprint(answer["version"], answer["build"], answer["serial"]); got != "v7.6.53651FGVMSIM000000002" {
		t.Errorf("identity is %s", got)
	}
	l.ok("PUT", addresses+"/srv-web", `{"passive-fqdn-learning":"disable"}`)
}

func TestWhatALaterReleaseHasIsMissingEarlier(t *testing.T) {
	l := labOn(t, "7.2.8")
	if _, present := l.one(addresses + "/srv-web")["route-tag"]; present {
		t.Error("7.2.8 has route-tag")
	}
	l.no("PUT", addresses+"/srv-web", `{"route-tag":4}`, 500, -61)
	l.no("GET", "/api/v2/cmdb/system/ngfw-settings", "", 404, 0)
}
