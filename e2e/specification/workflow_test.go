package specification

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// instructions is the text that the server sends before a model's first call.
func instructions(t *testing.T, lab *harness.Lab, request string) string {
	t.Helper()
	var result struct {
		Instructions string `json:"instructions"`
	}
	if err := json.Unmarshal(lab.Message(lab.Pipe(nil, request).Must(0).Stdout).Result, &result); err != nil {
		t.Fatal(err)
	}
	return result.Instructions
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"by-hand","version":"1"}}}`
	discover   = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + harness.ModernMeta + `}}`
)

func TestTheServerSendsTheSameOutlineInInitializeAndServerDiscover(t *testing.T) {
	t.Parallel()
	lab := harness.Empty(t)
	text := instructions(t, lab, initialize)
	if modern := instructions(t, lab, discover); modern != text {
		t.Errorf("two outlines:\n%s\n%s", text, modern)
	}
	at := 0
	for _, tool := range []string{"forti_discover", "forti_read", "forti_plan", "forti_apply {plan_id}"} {
		next := strings.Index(text[at:], tool)
		if next < 0 {
			t.Fatalf("%s is not in its place:\n%s", tool, text)
		}
		at += next
	}
}

func TestDevicesListsTheProfilesFromTheLocalConfigurationWithoutASecret(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.Configure("attic", "--mode", "read_only")
	d.Device.ForgetRequests()
	data, _ := d.ask("forti_discover", `{"what":"devices"}`)
	got := map[string]any{}
	for _, x := range list(t, data["list"]) {
		p := object(t, x)
		hasMembers(t, "a profile", p, "name host port mode", "vdom", "default")
		got[fmt.Sprint(p["name"])] = p["mode"]
	}
	if diff := cmp.Diff(map[string]any{"branch": "guarded", "attic": "read_only"}, got); diff != "" {
		t.Error(diff)
	}
	if n := len(d.Device.Requests()); n != 0 || strings.Contains(fmt.Sprint(data), d.Server.Token) {
		t.Errorf("%d requests, or the token was listed", n)
	}
}

func TestCapabilitiesConnectsToTheDevice(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.Device.ForgetRequests()
	data, _ := d.ask("forti_discover", `{"what":"capabilities","profile":"branch"}`)
	for member, want := range map[string]any{
		"hostname": "fortisim", "serial": d.Device.Serial(), "version": "v7.4.8", "mode": "guarded", "model": "FGVMK6",
	} {
		if data[member] != want {
			t.Errorf("%s is %v, want %v", member, data[member], want)
		}
	}
	if data["catalog_version"] == nil || data["compared"] == nil || data["known_resources"] == nil {
		t.Errorf("the version is compared with nothing, or no resources are counted: %v", data)
	}
	if len(d.Device.Requests()) == 0 {
		t.Error("the device was not asked")
	}
}

func TestCapabilitiesTellThePartInACluster(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	role := func() any {
		data, _ := d.ask("forti_discover", `{"what":"capabilities"}`)
		return data["ha"]
	}
	if diff := cmp.Diff(any(map[string]any{"role": "standalone", "members": 1.0}), role()); diff != "" {
		t.Error(diff)
	}
	if err := d.Device.Put("", "system/ha", "", map[string]any{"mode": "a-p"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(map[string]any{"role": "primary", "members": 2.0}), role()); diff != "" {
		t.Error(diff)
	}
	other := d.Inject(fortisim.Match{Path: "monitor/system/ha-checksums"}, fortisim.Answer{Status: 200, Body: `{"http_method":"GET","status":"success","vdom":"root","serial":"` + d.Device.Serial() +
		`","results":[{"serial_no":"FGVMSIM000000009","is_manage_master":1},{"serial_no":"` + d.Device.Serial() + `","is_manage_master":0}]}`})
	if diff := cmp.Diff(any(map[string]any{"role": "secondary", "members": 2.0}), role()); diff != "" {
		t.Error(diff)
	}
	other.Remove()
	for _, hidden := range []fortisim.Answer{
		{Status: 200, Body: `{"http_method":"GET","status":"success","vdom":"root","serial":"` + d.Device.Serial() + `","results":[]}`},
		{Status: 403, Body: "<html>403 Forbidden</html>", ContentType: "text/html"},
	} {
		in := d.Inject(fortisim.Match{Path: "monitor/system/ha-checksums"}, hidden)
		data, meta := d.ask("forti_discover", `{"what":"capabilities"}`)
		if _, has := data["ha"]; has || !strings.Contains(fmt.Sprint(meta["notes"]), "the token may not see whether") {
			t.Errorf("%d: %v, %v", hidden.Status, data["ha"], meta["notes"])
		}
		in.Remove()
	}
}

func TestResourcesSearchesTablesSingletonsAndTypedMonitorEndpoints(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	for kind, want := range map[string]string{"table": "firewall/address", "singleton": "system/global", "monitor": "monitor/system/status"} {
		data, _ := d.ask("forti_discover", `{"what":"resources","query":"`+want+`","kind":"`+kind+`"}`)
		if first := object(t, list(t, data["list"])[0]); first["path"] != want || first["kind"] != kind {
			t.Errorf("%s: %v", kind, first)
		}
	}
	data, _ := d.ask("forti_discover", `{"what":"resources","query":"addr","kind":"table"}`)
	if first := object(t, list(t, data["list"])[0]); first["path"] != "firewall/address" {
		t.Errorf("addr finds %v first", first)
	}
}

func TestResourceDescribesOneResource(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	data, _ := d.ask("forti_discover", `{"what":"resource","resource":"firewall/address"}`)
	for _, member := range []string{"key", "attributes", "operations", "risk"} {
		if data[member] == nil {
			t.Errorf("no %s", member)
		}
	}
	data, _ = d.ask("forti_discover", `{"what":"resource","resource":"firewall/address","fields":["type","subnet"]}`)
	hasMembers(t, "the attributes", object(t, data["attributes"]), "type subnet")
	if object(t, object(t, data["attributes"])["type"])["options"] == nil {
		t.Error("fields gives no detail")
	}
	data, _ = d.ask("forti_discover", `{"what":"resource","resource":"firewall/address","fields":["type"],"live":true}`)
	if device := object(t, object(t, object(t, data["attributes"])["type"])["device"]); device["options"] == nil {
		t.Errorf("live adds nothing of the device's own: %v", device)
	}
}

func TestReadsAreNarrowedByKeyFieldsFilterStartAndCount(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	data, _ := d.ask("forti_read", `{"resource":"firewall/address","filter":["type==ipmask","name=@LAN,name=@lan"],"fields":["name","subnet"],"count":100}`)
	rows := list(t, data["list"])
	if len(rows) == 0 {
		t.Fatal("nothing was found")
	}
	for _, row := range rows {
		o := object(t, row)
		hasMembers(t, "a row", o, "name subnet", "q_origin_key")
		if name := strings.ToLower(fmt.Sprint(o["name"])); !strings.Contains(name, "lan") {
			t.Errorf("%s was not asked for", name)
		}
	}
	if data, _ = d.ask("forti_read", `{"resource":"firewall/policy","key":1}`); data["policyid"] != 1.0 {
		t.Errorf("policy 1 is %v", data)
	}
	_ = d.refused("forti_read", `{"resource":"firewall/policy","key":12}`, "not_found")
	data, meta := d.ask("forti_read", `{"resource":"firewall/address","start":1,"count":1}`)
	if n := len(list(t, data["list"])); n != 1 || meta["next_start"] != 2.0 {
		t.Errorf("%d rows, meta %v", n, meta)
	}
}

func TestForti_planStoresThePlanForItsOwnerOnlyAndChangesNothing(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	before := d.Device.Snapshot()
	id := d.planned(example)
	info, err := os.Stat(d.State("plans", id+".json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the plan's file: %v, %v", info, err)
	}
	d.WantWrites(0)
	if d.Device.Snapshot() != before {
		t.Error("the device changed")
	}
}

func TestForti_planValidatesEveryOperation(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	f := d.refused("forti_plan", `{"operations":[{"op":"create","resource":"firewall/address","object":{"name":"a","subnt":"192.0.2.1/32"}},`+
		`{"op":"update","resource":"firewall/address","key":"LAN","set":{"subnet":"no address"}},{"op":"update","resource":"firewall/address","key":"LAN","set":{"color":99}}]}`, "usage")
	var got []string
	for _, p := range f.Read(t).Problems {
		got = append(got, p.Pointer)
	}
	if diff := cmp.Diff([]string{"/operations/0/object/subnt", "/operations/1/set/subnet", "/operations/2/set/color"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOperationsRunInOrderAtApplyTime(t *testing.T) {
	t.Parallel()
	d := autonomousDesk(t)
	x := d.applied(d.planned(example))
	if diff := cmp.Diff([]string{"verified", "verified"}, x.Statuses()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"POST /api/v2/cmdb/firewall/address", "PUT /api/v2/cmdb/firewall/address/LAN"}, d.sent("POST PUT DELETE")); diff != "" {
		t.Error(diff)
	}
	if lan, _ := d.Device.Get("root", "firewall/address", "LAN"); lan["comment"] != "managed" || fmt.Sprint(lan["color"]) != "0" {
		t.Errorf("LAN is %v", lan)
	}
}

func TestTheModeIsInDevicesCapabilitiesAndEveryPlanAndNothingSentChangesIt(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	devices, _ := d.ask("forti_discover", `{"what":"devices"}`)
	capabilities, _ := d.ask("forti_discover", `{"what":"capabilities"}`)
	planned, _ := d.ask("forti_plan", example)
	for what, mode := range map[string]any{
		"devices": object(t, list(t, devices["list"])[0])["mode"], "capabilities": capabilities["mode"], "the plan": planned["mode"],
	} {
		if mode != "guarded" {
			t.Errorf("%s say the mode is %v", what, mode)
		}
	}
	if notes := fmt.Sprint(planned["notes"]); !strings.Contains(notes, "guarded mode: a human must approve") {
		t.Errorf("notes: %s", notes)
	}
	for tool, arguments := range map[string]string{
		"forti_discover": `{"what":"devices","mode":"autonomous"}`,
		"forti_read":     `{"resource":"firewall/address","mode":"autonomous"}`,
		"forti_plan":     strings.Replace(example, `{"operations"`, `{"mode":"autonomous","operations"`, 1),
		"forti_apply":    fmt.Sprintf(`{"plan_id":%q,"mode":"autonomous"}`, planned["plan_id"]),
	} {
		_ = d.refused(tool, arguments, "usage")
	}
	_ = d.refused("forti_apply", fmt.Sprintf(`{"plan_id":%q}`, planned["plan_id"]), "approval_required")
}

func TestInAGuardedProfileTheFirstForti_applyIsRefusedInTheseWords(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	id := d.planned(example)
	r := d.try(id)
	if !r.IsError {
		t.Fatal("it was applied")
	}
	want := `{"ok":false,"error":{"code":"approval_required","message":"plan ` + id + ` needs a human approval (guarded mode): forti plan approve ` + id +
		`","details":{"plan_id":"` + id + `","reason":"missing","approve_command":"forti plan approve ` + id + `"}}}`
	if diff := cmp.Diff(value(t, want), value(t, r.Content[0].Text)); diff != "" {
		t.Error(diff)
	}
	advice := "Approval required (guarded mode). Ask the user to run this in their own terminal, then call forti_apply again with the same plan_id:\n  forti plan approve " + id
	if len(r.Content) != 2 || r.Content[1].Type != "text" || r.Content[1].Text != advice {
		t.Errorf("the second block: %+v", r.Content[1:])
	}
	d.WantWrites(0)
}

func TestAnApprovalBelongsToThatPlansDigest(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	id := d.planned(example)
	d.Approve(id)
	file := d.State("plans", id+".json")
	d.Replace(file, strings.Replace(d.Read(file), "192.0.2.50", "192.0.2.51", 1))
	_ = d.refused("forti_apply", `{"plan_id":"`+id+`"}`, "tampered_plan")
	d.WantWrites(0)
}

func TestAnApprovalIsUsedOnce(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	id := d.planned(example)
	d.Approve(id)
	d.applied(id)
	writes := d.Device.Writes()
	f := d.try(id).Structured.Failed(t, "approval_required").Read(t)
	if f.Reason != "used" {
		t.Errorf("reason %s", f.Reason)
	}
	d.WantWrites(writes)
}

func TestInAnAutonomousProfileForti_applyExecutesImmediately(t *testing.T) {
	t.Parallel()
	d := autonomousDesk(t)
	if x := d.applied(d.planned(example)); x.Status != "applied" {
		t.Errorf("%+v", x)
	}
	d.WantWrites(2)
}

func TestAReadOnlyProfileRefusesEveryApply(t *testing.T) {
	t.Parallel()
	d := deskWithLAN(t, "read_only")
	_ = d.refused("forti_apply", `{"plan_id":"`+d.planned(example)+`"}`, "policy_denied")
	d.WantWrites(0)
}

func TestAnObjectOrASerialNumberThatChangedSincePlanningIsStale(t *testing.T) {
	t.Parallel()
	for name, meddle := range map[string]func(d *desk) error{
		"an object": func(d *desk) error {
			return d.Device.Put("root", "firewall/address", "LAN", map[string]any{"comment": "of somebody else"})
		},
		"its absence": func(d *desk) error { return d.Device.Put("root", "firewall/address", "printer", nil) },
		"the serial number": func(d *desk) error {
			d.Device.SetSerial("FGVMSIM000000002")
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := autonomousDesk(t)
			id := d.planned(example)
			if err := meddle(d); err != nil {
				t.Fatal(err)
			}
			_ = d.refused("forti_apply", `{"plan_id":"`+id+`"}`, "stale_plan")
			d.WantWrites(0)
		})
	}
}

func TestACriticalPlanIsBackedUpFirstAndRefusedWhereThatFailsUnlessTheProfileSaysOtherwise(t *testing.T) {
	t.Parallel()
	for _, without := range []bool{false, true} {
		t.Run(fmt.Sprintf("backup_before_critical %v", !without), func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, &harness.Options{Mode: "autonomous"})
			if without {
				file := filepath.Join(d.Home, "config.json")
				d.Replace(file, strings.Replace(d.Read(file), `"mode"`, `"backup_before_critical": false, "mode"`, 1))
			}
			d.Inject(fortisim.Match{Path: "monitor/system/config/backup"}, fortisim.Answer{Status: 500, Body: `{"status":"error","http_status":500}`})
			r := d.try(d.planned(critical))
			if without {
				if r.IsError {
					t.Errorf("%+v", r.Structured.Error)
				}
				d.WantWrites(2)
				return
			}
			_ = r.Structured.Failed(t, "policy_denied")
			d.WantWrites(0)
		})
	}
}

func TestEachOperationIsReadBackAndAnActionIsReportedUnverified(t *testing.T) {
	t.Parallel()
	d := autonomousDesk(t)
	x := d.applied(d.planned(strings.TrimSuffix(example, "]}") + `,{"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"policy":1}}]}`))
	if diff := cmp.Diff([]string{"verified", "verified", "applied_unverified"}, x.Statuses()); diff != "" {
		t.Error(diff)
	}
}

func TestTheRunStopsAtTheFirstFailure(t *testing.T) {
	t.Parallel()
	d := autonomousDesk(t)
	d.Inject(fortisim.Match{Method: "POST"}, fortisim.Answer{Status: 500, Body: `{"http_method":"POST","status":"error","http_status":500,"error":-651,"vdom":"root"}`})
	x := d.try(d.planned(example)).Structured.Failed(t, "device_error").Execution(t)
	if diff := cmp.Diff([]string{"failed", "not_attempted"}, x.Statuses()); diff != "" {
		t.Error(diff)
	}
	d.WantWrites(1)
}

func TestAnApplyWritesARollbackPlanAndAnAuditRecord(t *testing.T) {
	t.Parallel()
	d := guardedDesk(t)
	before := d.Device.Snapshot()
	id := d.planned(example)
	d.Approve(id)
	x := d.applied(id)
	events := strings.Join(harness.Events(d.Audit(id)), " ")
	if !strings.Contains(events, "apply.begin") || !strings.Contains(events, "apply.end") {
		t.Errorf("on record: %s", events)
	}
	undo := x.Rollback.PlanID
	_ = d.refused("forti_apply", `{"plan_id":"`+undo+`"}`, "approval_required")
	d.Approve(undo)
	d.applied(undo)
	if diff := cmp.Diff(before, d.Device.Snapshot()); diff != "" {
		t.Errorf("the configuration is not as it was:\n%s", diff)
	}
}
