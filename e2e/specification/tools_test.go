package specification

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestForti_planReadsTheCurrentObjectsAndWritesOnlyALocalPlanFile(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	d.planned(example) // the state is there from now on
	d.Device.ForgetRequests()
	before := d.files()
	id := d.planned(example)
	d.WantWrites(0)
	if got := d.sent("POST PUT DELETE"); got != nil {
		t.Errorf("the device was sent %v", got)
	}
	if !slices.ContainsFunc(d.sent("GET"), func(r string) bool { return strings.Contains(r, "/firewall/address") }) {
		t.Errorf("the current objects were not read: %v", d.sent("GET"))
	}
	fresh := slices.DeleteFunc(d.files(), func(f string) bool { return slices.Contains(before, f) })
	if !slices.Contains(fresh, "state/plans/"+id+".json") {
		t.Errorf("no plan among %v", fresh)
	}
	for _, f := range fresh {
		if !strings.HasPrefix(f, "state/plans/"+id+".") {
			t.Errorf("%s was written as well", f)
		}
	}
}

// files are those below the home.
func (d *desk) files() (list []string) {
	d.Helper()
	err := filepath.WalkDir(d.Home, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			name, _ := filepath.Rel(d.Home, path)
			list = append(list, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		d.Fatal(err)
	}
	return list
}

func TestForti_readReadsTablesSingletonsAndMonitorData(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	for arguments, want := range map[string]string{
		`{"resource":"firewall/address"}`:             "list",
		`{"resource":"firewall/address","key":"LAN"}`: "name",
		`{"resource":"firewall/policy","key":1}`:      "policyid",
		`{"resource":"firewall/policy","key":"1"}`:    "policyid",
		`{"resource":"system/global"}`:                "hostname",
		`{"resource":"monitor/system/status"}`:        "model_name",
	} {
		if data, _ := d.ask("forti_read", arguments); data[want] == nil {
			t.Errorf("%s: no %s in %v", arguments, want, data)
		}
	}
}

func TestMonitorPathsThatAreNotInTheCatalogAreReadUntyped(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.Inject(fortisim.Match{Path: "monitor/system/brand-new"}, fortisim.Answer{Status: 200, Body: `{"status":"success","http_method":"GET","vdom":"root","results":{"brand":"new"}}`})
	if data, _ := d.ask("forti_read", `{"resource":"monitor/system/brand-new"}`); data["brand"] != "new" {
		t.Errorf("read: %v", data)
	}
	_ = d.refused("forti_discover", `{"what":"resource","resource":"monitor/system/brand-new"}`, "not_found")
}

func TestEachFilterAndFieldHas1To256Characters(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	fits := "name==" + strings.Repeat("ä", 250)
	d.ask("forti_read", `{"resource":"firewall/address","filter":["`+fits+`"],"fields":["name"]}`)
	for _, wrong := range []string{
		`"filter":[""]`, `"filter":["` + fits + `x"]`, `"fields":[""]`, `"fields":["` + strings.Repeat("n", 257) + `"]`,
	} {
		f := d.refused("forti_read", `{"resource":"firewall/address",`+wrong+`}`, "usage")
		if p := f.Read(t).Problems; len(p) != 1 || !strings.HasSuffix(p[0].Pointer, "/0") {
			t.Errorf("%.40s: %+v", wrong, p)
		}
	}
}

func TestFilterOperatorsNarrowAsTheyRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	for i, comment := range map[int]string{10: "red brick", 20: "blue brick", 30: "blue wood"} {
		if err := d.Device.Put("root", "firewall/address", fmt.Sprint("f", i), map[string]any{"comment": comment, "color": i}); err != nil {
			t.Fatal(err)
		}
	}
	for filter, want := range map[string]string{
		`"color==20"`:                           "f20",
		`"color!=20"`:                           "f10 f30",
		`"comment=@blue"`:                       "f20 f30",
		`"comment!@blue"`:                       "f10",
		`"color<20"`:                            "f10",
		`"color<=20"`:                           "f10 f20",
		`"color>20"`:                            "f30",
		`"color>=20"`:                           "f20 f30",
		`"color==10,color==30"`:                 "f10 f30",
		`"comment=@blue","comment=@brick"`:      "f20",
		`"name==f10,name==f20","comment=@blue"`: "f20",
	} {
		data, _ := d.ask("forti_read", `{"resource":"firewall/address","fields":["name"],"filter":["name=@f","color>=10",`+filter+`]}`)
		var got []string
		for _, row := range list(t, data["list"]) {
			if name := fmt.Sprint(object(t, row)["name"]); name != "none" {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s gives %v, want %s", filter, got, want)
		}
	}
}

func TestDataIsTheDevicesJSONAsFortiOSSentIt(t *testing.T) {
	t.Parallel()
	const row = `{"name":"raw","color":7,"z":1.50,"a":"<b>\u00e9","big":12345678901234567890,"list":[{"name":"x","q_origin_key":"x"}],"none":null}`
	d := newDesk(t, nil)
	answer := func(results string) string {
		return `{"http_method":"GET","results":` + results + `,"vdom":"root","path":"firewall","name":"address","status":"success","http_status":200,"serial":"` +
			d.Device.Serial() + `","version":"v7.4.8","build":2795}`
	}
	d.Inject(fortisim.Match{Method: "GET", Path: "cmdb/firewall/address/raw"}, fortisim.Answer{Status: 200, Body: answer("[" + row + "]")})
	d.Inject(fortisim.Match{Method: "GET", Path: "cmdb/firewall/addrgrp"}, fortisim.Answer{Status: 200, Body: answer("[" + row + "," + row + "]")})
	for arguments, want := range map[string]string{
		`{"resource":"firewall/address","key":"raw"}`: row,
		`{"resource":"firewall/addrgrp"}`:             "[" + row + "," + row + "]",
	} {
		got := d.session.Call("forti_read", arguments).Structured.Data
		if diff := cmp.Diff(value(t, want), value(t, string(got))); diff != "" {
			t.Errorf("%s (-device +data):\n%s", arguments, diff)
		}
		if want != string(got) {
			t.Errorf("%s is not in the device's own words:\n%s\n%s", arguments, want, got)
		}
	}
}

// value is a document's value, numbers as they are written.
func value(t *testing.T, text string) (v any) {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	if err := in.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestSecretsAreReplacedAndNamedInMeta(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	if err := d.Device.Put("root", "vpn.ipsec/phase1-interface", "hq", map[string]any{"interface": "wan1", "psksecret": "a-Secret-nobody-sees"}); err != nil {
		t.Fatal(err)
	}
	data, meta := d.ask("forti_read", `{"resource":"vpn.ipsec/phase1-interface"}`)
	if got := object(t, list(t, data["list"])[0])["psksecret"]; got != "<redacted>" {
		t.Error("the secret is not replaced")
	}
	if !slices.Contains(list(t, meta["redacted"]), any("/*/psksecret")) {
		t.Errorf("meta: %v", meta)
	}
	_, meta = d.ask("forti_read", `{"resource":"vpn.ipsec/phase1-interface","key":"hq"}`)
	if !slices.Contains(list(t, meta["redacted"]), any("/psksecret")) {
		t.Errorf("meta: %v", meta)
	}
}

func TestMetaOfAListingSaysWhereItIsAndWhereItGoesOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	total := len(d.Device.Rows("root", "firewall/address"))
	_, meta := d.ask("forti_read", `{"resource":"firewall/address","start":1,"count":2}`)
	hasMembers(t, "meta", meta, "resource profile device vdom start returned next_start total truncated")
	hasMembers(t, "the device", object(t, meta["device"]), "serial version build")
	got := []any{meta["resource"], meta["profile"], meta["vdom"], meta["start"], meta["returned"], meta["next_start"], meta["total"]}
	if diff := cmp.Diff([]any{"firewall/address", "branch", "root", 1.0, 2.0, 3.0, float64(total)}, got); diff != "" {
		t.Error(diff)
	}
	_, meta = d.ask("forti_read", `{"resource":"firewall/address","key":"none"}`)
	hasMembers(t, "the meta of one object", meta, "resource profile device vdom")
}

// next_start leads through a table of any size: rows are found by their place, new ones
// stand at the end, and so each comes once.
func TestNextStartWalksALargeTableToItsEndWhileRowsAreAdded(t *testing.T) {
	t.Parallel()
	const generated, added = 100_000, 12
	d := newDesk(t, &harness.Options{Device: &fortisim.Options{Limits: map[string]int{"firewall/address": 2 * generated}, Seed: fortisim.Generate("firewall/address", generated, func(i int) map[string]any {
		return map[string]any{"name": fmt.Sprintf("host-%06d", i)}
	})}}, "--max-result-bytes", "1000000")
	seen, start, more := map[string]int{}, 0.0, true
	for page := 0; more; page++ {
		data, meta := d.ask("forti_read", fmt.Sprintf(`{"resource":"firewall/address","fields":["name"],"count":10000,"start":%.0f}`, start))
		for _, row := range list(t, data["list"]) {
			seen[fmt.Sprint(object(t, row)["name"])]++
		}
		start, more = meta["next_start"].(float64)
		if page < added {
			if err := d.Device.Put("root", "firewall/address", fmt.Sprintf("new-%02d", page), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range generated + added {
		name := fmt.Sprintf("host-%06d", i)
		if i >= generated {
			name = fmt.Sprintf("new-%02d", i-generated)
		}
		if seen[name] != 1 {
			t.Fatalf("%s came %d times", name, seen[name])
		}
	}
}

func TestResultsAreBoundedByTheByteBudget(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil, "--max-result-bytes", "4000")
	for tool, arguments := range map[string]string{
		"forti_discover": `{"what":"resources","count":1000}`,
		"forti_read":     `{"resource":"firewall/policy"}`,
		"forti_plan":     `{"operations":[` + strings.Repeat(`{"op":"create","resource":"firewall/address","object":{"nam":"x"}},`, 99) + `{"op":"create","resource":"firewall/address","object":{"nam":"x"}}]}`,
	} {
		r := d.session.Call(tool, arguments)
		if n := len(r.Content[0].Text); n > 4000 {
			t.Errorf("%s: %d bytes", tool, n)
		}
	}
}

func TestTheResultOfForti_plan(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	data, _ := d.ask("forti_plan", example)
	hasMembers(t, "the data", data, "plan_id digest kind created_at device risk summary operations mode notes apply approve")
	hasMembers(t, "the device", object(t, data["device"]), "profile host port vdom serial version", "build", "model", "tls")
	if id := data["plan_id"]; data["apply"] != fmt.Sprint("forti apply ", id) || data["approve"] != fmt.Sprint("forti plan approve ", id) {
		t.Errorf("commands: %v, %v", data["apply"], data["approve"])
	}
	if data["mode"] != "guarded" || data["kind"] != "change" || len(list(t, data["summary"])) != 2 {
		t.Errorf("data: %v", data)
	}
	for _, op := range list(t, data["operations"]) {
		o := object(t, op)
		if len(list(t, o["diff"])) == 0 {
			t.Errorf("no diff: %v", o)
		}
		hasMembers(t, "the exact request", object(t, o["wire"]), "method path query body")
	}
	data, _ = autonomousDesk(t).ask("forti_plan", example)
	if _, has := data["approve"]; has {
		t.Error("an approve command outside guarded mode")
	}
}

func TestTheWireOfAPlanIsWhatIsSentAndItsSecretsAreRedacted(t *testing.T) {
	t.Parallel()
	d := autonomousDesk(t)
	data, _ := d.ask("forti_plan", `{"operations":[{"op":"create","resource":"user/local","object":{"name":"nurse","type":"password","passwd":"a-Secret-nobody-sees","status":"disable"}}]}`)
	wire := object(t, object(t, list(t, data["operations"])[0])["wire"])
	if text := fmt.Sprint(data); strings.Contains(text, "nobody-sees") || object(t, wire["body"])["passwd"] != "<redacted>" {
		t.Error("the secret is in the result, or not marked")
	}
	d.applied(fmt.Sprint(data["plan_id"]))
	for _, r := range d.Device.Requests() {
		if !r.Write {
			continue
		}
		body := map[string]any{}
		if err := json.Unmarshal(r.Body, &body); err != nil || body["passwd"] != "a-Secret-nobody-sees" {
			t.Fatalf("%s %s was not sent the secret (%v, %d bytes)", r.Method, r.Path, err, len(r.Body))
		}
		body["passwd"] = "<redacted>"
		if diff := cmp.Diff(wire["body"], any(body)); diff != "" || wire["method"] != r.Method || wire["path"] != r.Path {
			t.Errorf("%s %s was sent for %v (-wire +sent):\n%s", r.Method, r.Path, wire, diff)
		}
	}
	d.WantWrites(1)
}

func TestForti_applyAcceptsNothingButAPlansID(t *testing.T) {
	t.Parallel()
	d := autonomousDesk(t)
	id := d.planned(example)
	for _, more := range []string{`"operations":[]`, `"mode":"autonomous"`, `"approve":true`, `"approval":"yes"`, `"profile":"branch"`, `"vdom":"root"`, `"force":true`} {
		f := d.refused("forti_apply", `{"plan_id":"`+id+`",`+more+`}`, "usage")
		if !strings.Contains(f.Message, "allowed: plan_id") {
			t.Errorf("%s: %s", more, f.Message)
		}
	}
	d.WantWrites(0)
}

func TestTheResultOfForti_apply(t *testing.T) {
	t.Parallel()
	d := autonomousDesk(t)
	id := d.planned(example)
	var data map[string]any
	d.try(id).Structured.Into(t, &data)
	hasMembers(t, "the data", data, "status plan_id digest operations verified applied_unverified rollback", "audit")
	if data["status"] != "applied" || data["plan_id"] != id || data["verified"] != 2.0 || data["applied_unverified"] != 0.0 {
		t.Errorf("data: %v", data)
	}
	if object(t, data["rollback"])["plan_id"] == nil {
		t.Errorf("no rollback plan: %v", data["rollback"])
	}
	data = nil
	d.try(d.planned(critical)).Structured.Into(t, &data)
	backup := object(t, data["backup"])
	if info, err := os.Stat(d.State("backups", filepath.Base(fmt.Sprint(backup["file"])))); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup %v: %v, %v", backup, info, err)
	}
}

func TestFailuresOfForti_applyCarryTheSameRecord(t *testing.T) {
	t.Parallel()
	for code, c := range map[string]struct {
		fault    fortisim.Fault
		statuses []string
	}{
		"partial_failure": {fortisim.Answer{Status: 500, Body: `{"http_method":"PUT","status":"error","http_status":500,"error":-651,"vdom":"root"}`}, []string{"verified", "failed"}},
		"outcome_unknown": {fortisim.ResetAfter{}, []string{"verified", "outcome_unknown"}},
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			d := autonomousDesk(t)
			id := d.planned(example)
			d.Inject(fortisim.Match{Method: "PUT"}, c.fault)
			f := d.try(id).Structured.Failed(t, code)
			x := f.Execution(t)
			if diff := cmp.Diff(c.statuses, x.Statuses()); diff != "" || x.PlanID != id || x.Verified != 1 || x.Rollback == nil {
				t.Errorf("%+v\n%s", x, diff)
			}
		})
	}
}
