package fortisim_test

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestSortOrdersFrom642(t *testing.T) {
	l := newLab(t, nil)
	for query, want := range map[string][]any{
		"sort=policyid,dsc":                       {99.0, 5.0, 4.0, 3.0, 2.0, 1.0},
		"sort=status&sort=policyid,dsc":           {5.0, 99.0, 4.0, 3.0, 2.0, 1.0},
		"sort=action,dsc&count=1":                 {99.0},
		"sort=name,asc&filter=policyid%3C4":       {3.0, 1.0, 2.0},
		"sort=nonsense,dsc":                       {1.0, 2.0, 3.0, 4.0, 5.0, 99.0},
		"sort=policyid,dsc&start=1&count=2":       {5.0, 4.0},
		"sort=policyid,dsc&format=policyid|name&": {99.0, 5.0, 4.0, 3.0, 2.0, 1.0},
	} {
		got := l.keys(policy+"?"+query, "policyid")
		if query == "sort=status&sort=policyid,dsc" {
			got = append([]any{got[0]}, got[1:]...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	if got := labOn(t, "6.4.1").keys(policy+"?sort=policyid,dsc", "policyid")[0]; got != 1.0 {
		t.Errorf("6.4.1 sorts: %v", got)
	}
}

func TestMetaInformationOfAnObject(t *testing.T) {
	l := newLab(t, nil)
	row := l.one(addresses + "/net-lan?with_meta=1")
	want := map[string]any{
		"q_ref": 3.0, "q_static": false, "q_no_rename": false, "q_global_entry": false,
		"q_path": "firewall", "q_name": "address", "q_mkey_type": "string", "q_no_edit": false,
	}
	for name, value := range want {
		if row[name] != value {
			t.Errorf("%s = %v, want %v", name, row[name], value)
		}
	}
	if row["q_type"] == nil {
		t.Error("q_type is missing")
	}
	if _, present := labOn(t, "6.0.11").one(addresses + "/net-lan?with_meta=1")["q_no_edit"]; present {
		t.Error("6.0 has q_no_edit")
	}
	if _, present := l.one(addresses + "/net-lan")["q_ref"]; present {
		t.Error("meta information without being asked")
	}
	if meta := l.ok("GET", addresses+"/net-lan?action=meta", "")["results"].(map[string]any); meta["q_ref"] != 3.0 {
		t.Errorf("action=meta: %v", meta)
	}
}

func TestDatasourceSaysWhereReferencesLead(t *testing.T) {
	l := newLab(t, nil)
	row := l.one(policy + "/2?datasource=1")
	want := []any{map[string]any{"name": "grp-servers", "q_origin_key": "grp-servers", "datasource": "firewall.addrgrp"}}
	if diff := cmp.Diff(want, row["dstaddr"]); diff != "" {
		t.Error(diff)
	}
	schedule := map[string]any{"q_origin_key": "always", "name": "always", "datasource": "firewall.schedule.recurring"}
	if diff := cmp.Diff(schedule, row["schedule"]); diff != "" {
		t.Error(diff)
	}
	list := l.ok("GET", policy+"?action=datasource&attr=schedule", "")["results"].([]any)
	if len(list) != 2 {
		t.Errorf("candidates: %v", list)
	}
}

func TestParametersThatNarrowWhatIsShown(t *testing.T) {
	l := newLab(t, nil)
	if row := l.one(addresses + "/srv-web?exclude-default-values=1"); row["color"] != nil || row["comment"] == nil {
		t.Errorf("defaults are shown: %v", row)
	}
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.InapplicableEmpty = true
	l.device.SetBehaviour(b)
	if row := l.one(addresses + "/srv-web?skip=1"); row["subnet"] == nil || row["fqdn"] != nil {
		t.Errorf("what does not apply is shown: %v", row)
	}
	if diff := cmp.Diff([]any{"grp-servers"}, l.keys(groups+"?search=SRV-M", "name")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"srv-web"}, l.keys(addresses+"?key=comment&pattern=web%20server", "name")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{5.0, 99.0}, l.keys(policy+"?skip_to=4", "policyid")); diff != "" {
		t.Error(diff)
	}
	hash := l.one(addresses + "/srv-web?with_contents_hash=1")["q_contents_hash"]
	l.ok("PUT", addresses+"/srv-web", newComment)
	if other := l.one(addresses + "/srv-web?with_contents_hash=1")["q_contents_hash"]; hash == nil || hash == other {
		t.Errorf("hash %v, then %v", hash, other)
	}
}

func TestAnUnfilteredCountEndsTheSearch(t *testing.T) {
	answer := newLab(t, nil).ok("GET", policy+"?filter=policyid%3E1&unfiltered_count=3", "")
	if answer["limit_reached"] != true || answer["matched_count"] != 2.0 || answer["next_idx"] != 2.0 {
		t.Errorf("limit_reached %v, matched_count %v, next_idx %v", answer["limit_reached"], answer["matched_count"], answer["next_idx"])
	}
}

func TestPlainTextPasswordsShowTheSecretsOfThreeTables(t *testing.T) {
	l := newLab(t, nil)
	const phase1 = "/api/v2/cmdb/vpn.ipsec/phase1-interface/to-hq?plain-text-password=1"
	if got := l.one(phase1)["psksecret"]; got != "made-up-pre-shared-key" {
		t.Errorf("psksecret is %v", got)
	}
	if got := l.one("/api/v2/cmdb/user/local/alice?plain-text-password=1")["passwd"]; got != "ENC XXXX" {
		t.Errorf("passwd is %v", got)
	}
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.PlainTextIgnored = true
	l.device.SetBehaviour(b)
	if got := l.one(phase1)["psksecret"]; got != "ENC XXXX" {
		t.Errorf("psksecret is %v", got)
	}
}

func TestActionsOfReads(t *testing.T) {
	l := newLab(t, nil)
	defaults := l.ok("GET", addresses+"?action=default", "")
	if row := defaults["results"].(map[string]any); row["type"] != "ipmask" || row["color"] != 0.0 {
		t.Errorf("defaults: %v", row)
	}
	if got := l.ok("GET", addresses+"?action=revision", "")["revision"]; got != l.ok("GET", addresses, "")["revision"] {
		t.Errorf("revision is %v", got)
	}
	if stats := l.ok("GET", policy+"?action=stats", "")["results"].(map[string]any); stats["current"] != 6.0 {
		t.Errorf("stats: %v", stats)
	}
	schema := l.ok("GET", addresses+"?action=json-schema", "")["results"].(map[string]any)
	if schema["type"] != "array" {
		t.Errorf("JSON schema: %v", schema)
	}
	l.no("GET", addresses+"/nobody?action=meta", "", 404, 0)
	l.no("GET", addresses+"?action=find-index", "", 500, -10002)
	l.ok("GET", addresses+"?nonsense=1", "")
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.UnknownParameterRefused = true
	l.device.SetBehaviour(b)
	l.no("GET", addresses+"?nonsense=1", "", 500, -10002)
	l.ok("GET", addresses+"?count=1", "")
}

func TestStrictPagingGivesEverythingWhereTheSumExceedsTheRows(t *testing.T) {
	l := newLab(t, nil)
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.StrictPaging = true
	l.device.SetBehaviour(b)
	if got := l.keys(policy+"?start=5&count=3", "policyid"); len(got) != 6 {
		t.Errorf("%v", got)
	}
}

func TestStarsAreWildcardsUnlessSwitched(t *testing.T) {
	l := newLab(t, nil)
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.StarIsLiteral = true
	l.device.SetBehaviour(b)
	if got := l.keys(addresses+"?filter=name=*SRV-WEB", "name"); len(got) != 1 {
		t.Errorf("without case: %v", got)
	}
	if got := l.keys(addresses+"?filter=name=*srv-*", "name"); len(got) != 0 {
		t.Errorf("wildcard: %v", got)
	}
}

func TestFiltersSearchNestedRowsInDepth(t *testing.T) {
	l := newLab(t, nil)
	if diff := cmp.Diff([]any{"inside"}, l.keys("/api/v2/cmdb/system/zone?filter=interface-name==voice", "name")); diff != "" {
		t.Error(diff)
	}
}

const million = 1_000_000

func generatedLab(t testing.TB) *fortisim.Device {
	d, err := fortisim.New(&fortisim.Options{Seed: fortisim.Generate("firewall/address", million, hostAddress)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func hostAddress(i int) map[string]any {
	return map[string]any{"name": "host-" + strconv.Itoa(i), "subnet": "10." + strconv.Itoa(i>>16&255) + "." + strconv.Itoa(i>>8&255) + "." + strconv.Itoa(i&255) + "/32"}
}

// ask gives a request to a device without a network.
func ask(d *fortisim.Device, method, path, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+d.Token())
	recorder := httptest.NewRecorder()
	d.ServeHTTP(recorder, request)
	return recorder
}

func TestAPageOfAGeneratedTableMakesOnlyItsRows(t *testing.T) {
	made := 0
	d, err := fortisim.New(&fortisim.Options{Seed: fortisim.Generate("firewall/address", million, func(i int) map[string]any {
		made++
		return hostAddress(i)
	})})
	if err != nil || made > 3 {
		t.Errorf("a start makes %d rows, error %v", made, err)
	}
	for _, start := range []int{0, million / 2, million - 100} {
		made = 0
		if r := ask(d, "GET", addresses+"?count=100&start="+strconv.Itoa(start), ""); r.Code != 200 || made != 100 {
			t.Errorf("status %d, %d rows were made for a page of 100 at %d", r.Code, made, start)
		}
	}
	made = 0
	ask(d, "GET", addresses+"?count=1&filter=name==host-7", "")
	if made < million || made > million+10 {
		t.Errorf("a filter looks at %d rows", made)
	}
}

func TestAGeneratedTableCanBeChanged(t *testing.T) {
	d := generatedLab(t)
	row, ok := d.Get("root", "firewall/address", "host-999999")
	if !ok || row["subnet"] != "10.15.66.63 255.255.255.255" {
		t.Fatalf("last row: %v", row)
	}
	want := func(method, path, body string, status int, part string) {
		t.Helper()
		if r := ask(d, method, path, body); r.Code != status || !strings.Contains(r.Body.String(), part) {
			t.Errorf("%s %s: %d %.300s", method, path, r.Code, r.Body)
		}
	}
	want("GET", addresses+"?start=500000&count=1", "", 200, `"name":"host-500000"`)
	want("PUT", addresses+"/host-500000", `{"comment":"changed"}`, 200, `"revision_changed":true`)
	want("GET", addresses+"?start=500000&count=1", "", 200, `"comment":"changed"`)
	want("DELETE", addresses+"/host-0", "", 200, `"mkey":"host-0"`)
	want("GET", addresses+"/host-0", "", 404, "")
	want("GET", addresses+"?start=499999&count=1", "", 200, `"comment":"changed"`)
	want("POST", addresses, `{"name":"host-5"}`, 500, `-5`)
	want("POST", addresses, `{"name":"new"}`, 500, `-4`)
	want("DELETE", addresses+"/new", "", 404, "")
}

func TestAGeneratedRowThatTheDeviceWouldRefuseIsAnError(t *testing.T) {
	bad := func(i int) map[string]any { return map[string]any{"name": "x" + strconv.Itoa(i), "color": 99} }
	if _, err := fortisim.New(&fortisim.Options{Seed: fortisim.Generate("firewall/address", 10, bad)}); err == nil {
		t.Error("no error")
	}
	keyless := func(int) map[string]any { return map[string]any{"comment": "x"} }
	if _, err := fortisim.New(&fortisim.Options{Seed: fortisim.Generate("firewall/address", 10, keyless)}); err == nil {
		t.Error("no error without a key")
	}
}

func TestAMoveMakesGeneratedRowsReal(t *testing.T) {
	rows := func(i int) map[string]any { return map[string]any{"policyid": i + 1, "name": "p" + strconv.Itoa(i+1)} }
	d, err := fortisim.New(&fortisim.Options{Seed: fortisim.Generate("firewall/policy", 50, rows)})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Move("root", "firewall/policy", "50", true, "1"); err != nil {
		t.Fatal(err)
	}
	if got := d.Rows("root", "firewall/policy"); got[0]["policyid"] != int64(50) || len(got) != 50 {
		t.Errorf("%d rows, the first is %v", len(got), got[0]["policyid"])
	}
}

func BenchmarkPageOfAMillion(b *testing.B) {
	d := generatedLab(b)
	for _, start := range []int{0, million / 2, million - 100} {
		b.Run(strconv.Itoa(start), func(b *testing.B) {
			for b.Loop() {
				if r := ask(d, "GET", addresses+"?count=100&start="+strconv.Itoa(start), ""); r.Code != 200 {
					b.Fatal(r.Code)
				}
			}
		})
	}
}

func BenchmarkStartOfAMillion(b *testing.B) {
	for b.Loop() {
		generatedLab(b)
	}
}

// The order of rows that cannot be moved means nothing, also where their keys are numbers.
func TestASnapshotSortsWhatCannotBeMoved(t *testing.T) {
	l := newLab(t, nil)
	before := l.device.Snapshot()
	row, _ := l.device.Get("root", "router/static", "1")
	if err := l.device.Delete("root", "router/static", "1"); err != nil {
		t.Fatal(err)
	}
	if l.device.Snapshot() == before {
		t.Fatal("a row is gone and the snapshot is the same")
	}
	if err := l.device.Put("root", "router/static", "1", map[string]any{"device": row["device"], "gateway": row["gateway"], "comment": row["comment"]}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, l.device.Snapshot()); diff != "" {
		t.Errorf("-before +after:\n%s", diff)
	}
}
