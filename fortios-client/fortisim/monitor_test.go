package fortisim_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestSystemStatus(t *testing.T) {
	l := newLab(t, nil)
	answer := l.ok("GET", "/api/v2/monitor/system/status", "")
	want := map[string]any{
		"model_name": "FortiGate", "model_number": "VM64-KVM", "model": "FGVMK6", "hostname": "fortisim", "log_disk_status": "not_available",
	}
	if diff := cmp.Diff(want, answer["results"]); diff != "" {
		t.Error(diff)
	}
	if _, present := answer["http_status"]; present {
		t.Error("a monitor answer has http_status")
	}
	old := labOn(t, "6.2.3").ok("GET", "/api/v2/monitor/system/status/select", "")
	if diff := cmp.Diff(map[string]any{}, old["results"]); diff != "" {
		t.Errorf("6.2.3: %s", diff)
	}
	if old["action"] != "select" {
		t.Errorf("action is %v", old["action"])
	}
}

func TestMonitorEndpoints(t *testing.T) {
	c := newClock()
	l := newLab(t, &fortisim.Options{Now: c.Now})
	if got := l.ok("GET", "/api/v2/monitor/system/time", "")["results"].(map[string]any)["time"]; got != float64(c.Now().Unix()) {
		t.Errorf("time is %v", got)
	}
	state := l.ok("GET", "/api/v2/monitor/web-ui/state", "")["results"].(map[string]any)["admin"].(map[string]any)
	if state["name"] != "forti" || state["profile"].(map[string]any)["fwgrp"] != "read-write" {
		t.Errorf("state: %v", state)
	}
	l.no("GET", "/api/v2/monitor/firewall/nonsense", "", 404, 0)
	l.no("POST", "/api/v2/monitor/system/status", "", 405, 0)
}

func TestUnsavedChangesShowWhereSavingIsManual(t *testing.T) {
	l := newLab(t, nil)
	unsaved := func() any {
		return l.ok("GET", "/api/v2/monitor/system/config-revision", "")["results"].(map[string]any)["current_config_unsaved"]
	}
	l.ok("PUT", addresses+"/srv-web", `{"comment":"x"}`)
	if unsaved() != false {
		t.Error("automatic saving leaves changes unsaved")
	}
	l.ok("PUT", "/api/v2/cmdb/system/global", `{"cfg-save":"manual"}`)
	if unsaved() != true {
		t.Error("manual saving does not leave changes unsaved")
	}
}

func TestUsageComesFromTheRealReferences(t *testing.T) {
	l := newLab(t, nil)
	usage := func(path, name, key string) map[string]any {
		return l.ok("GET", "/api/v2/monitor/system/object/usage?q_path="+path+"&q_name="+name+"&mkey="+key, "")["results"].(map[string]any)
	}
	var got []string
	for _, item := range usage("firewall", "address", "net-lan")["currently_using"].([]any) {
		row := item.(map[string]any)
		got = append(got, strings.Join([]string{row["path"].(string), row["name"].(string), row["mkey"].(string), row["attribute"].(string)}, " "))
	}
	want := []string{"firewall policy 1 srcaddr", "firewall policy 2 srcaddr", "firewall policy 4 srcaddr"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	could := usage("firewall", "address", "old-scanner")
	if len(could["currently_using"].([]any)) != 0 || len(could["can_use"].([]any)) < 20 {
		t.Errorf("unused address: %v", could)
	}
	for _, wrong := range [][3]string{{"firewall", "address", "wan1"}, {"firewall", "nonsense", "x"}} {
		if using := usage(wrong[0], wrong[1], wrong[2])["currently_using"].([]any); len(using) != 0 {
			t.Errorf("%v: %v", wrong, using)
		}
	}
}

func TestTheVerbOfABackupDependsOnTheRelease(t *testing.T) {
	for version, want := range map[string][2]int{"6.4.4": {200, 405}, "7.2.8": {200, 200}, "7.4.8": {200, 200}, "7.6.0": {405, 200}} {
		t.Run(version, func(t *testing.T) {
			l := labOn(t, version)
			const path = "/api/v2/monitor/system/config/backup"
			if g := l.do("GET", path+"?scope=global", ""); g.status != want[0] {
				t.Errorf("GET: %d, want %d", g.status, want[0])
			}
			if g := l.do("POST", path, `{"scope":"global","destination":"file"}`); g.status != want[1] {
				t.Errorf("POST: %d, want %d", g.status, want[1])
			}
		})
	}
}

func TestABackupRendersTheConfiguration(t *testing.T) {
	l := newLab(t, &fortisim.Options{Now: newClock().Now})
	backup := func() string {
		g := l.do("POST", "/api/v2/monitor/system/config/backup", `{"scope":"global","destination":"file"}`)
		if !strings.HasPrefix(g.header.Get("Content-Disposition"), "attachment") {
			t.Errorf("content-disposition: %q", g.header.Get("Content-Disposition"))
		}
		return g.text
	}
	text := backup()
	if !strings.HasPrefix(text, "#config-version=FGVMK6-7.4.8-FW-build2795-250601:opmode=0:vdom=0:user=forti\n") {
		t.Errorf("begins with %.100q", text)
	}
	for _, want := range []string{
		"config system global\n    set hostname \"fortisim\"\nend\n",
		"    edit \"srv-web\"\n",
		"        set subnet 198.51.100.10 255.255.255.255\n",
		"        set service \"HTTP\" \"HTTPS\" \"DNS\" \"PING\"\n",
		"config firewall service custom\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the backup lacks %q", want)
		}
	}
	for _, secret := range []string{"made-up", "ENC XXXX"} {
		if strings.Contains(text, secret) {
			t.Errorf("the backup shows %q", secret)
		}
	}
	enc := regexp.MustCompile(`set psksecret (ENC \S+)`)
	first, second := enc.FindStringSubmatch(text)[1], enc.FindStringSubmatch(backup())[1]
	if first == second {
		t.Error("a secret is displayed the same twice")
	}
	before := l.device.Snapshot()
	l.ok("PUT", "/api/v2/cmdb/vpn.ipsec/phase1-interface/to-hq", `{"psksecret":"`+first+`"}`)
	if before != l.device.Snapshot() {
		t.Error("the encrypted form of a secret is not taken for the secret")
	}
	l.ok("PUT", addresses+"/srv-web", `{"comment":"say \"hi\""}`)
	if !strings.Contains(backup(), `set comment "say \"hi\""`) {
		t.Error("quotes are not escaped")
	}
	l.no("POST", "/api/v2/monitor/system/config/backup", `{"destination":"file"}`, 424, -651)
}

func TestSnapshotsAreEqualExactlyIfConfigurationsAre(t *testing.T) {
	l := newLab(t, nil)
	other := newLab(t, &fortisim.Options{Rand: strings.NewReader("")})
	before := l.device.Snapshot()
	if before != other.device.Snapshot() {
		t.Error("the same seed gives two snapshots")
	}
	l.ok("PUT", groups+"/grp-servers", `{"member":[{"name":"srv-mail"},{"name":"srv-web"}]}`)
	l.ok("DELETE", addresses+"/old-scanner", "")
	l.ok("POST", addresses, `{"comment":"no longer in use","name":"old-scanner","subnet":"192.168.10.240/32"}`)
	l.ok("PUT", "/api/v2/cmdb/system/api-user/forti", `{"trusthost":[{"id":7,"ipv4-trusthost":"127.0.0.0/8"},{"id":9,"ipv4-trusthost":"192.0.2.0/24"}]}`)
	if diff := cmp.Diff(before, l.device.Snapshot()); diff != "" {
		t.Errorf("the same configuration: %s", diff)
	}
	for _, change := range [][3]string{
		{"PUT", policy + "/1?action=move&after=2", ""},
		{"PUT", policy + "/1", `{"comments":"x"}`},
		{"POST", addresses, `{"name":"new"}`},
	} {
		before := l.device.Snapshot()
		l.ok(change[0], change[1], change[2])
		if before == l.device.Snapshot() {
			t.Errorf("%v does not show", change)
		}
	}
}

func TestAnotherAdministratorsChanges(t *testing.T) {
	l := newLab(t, nil)
	if err := l.device.Put("root", "firewall/address", "srv-web", map[string]any{"comment": "by hand", "color": 3}); err != nil {
		t.Fatal(err)
	}
	if row := l.one(addresses + "/srv-web"); row["comment"] != "by hand" || row["color"] != 3.0 {
		t.Errorf("row: %v", row)
	}
	if err := l.device.Move("root", "firewall/policy", "5", true, "1"); err != nil {
		t.Fatal(err)
	}
	if got := l.keys(policy, "policyid")[0]; got != 5.0 {
		t.Errorf("first policy is %v", got)
	}
	if err := l.device.Delete("root", "firewall/address", "srv-web"); err == nil || !strings.Contains(err.Error(), "firewall/address") {
		t.Errorf("deleting what is in use: %v", err)
	}
	if err := l.device.Delete("root", "firewall/address", "old-scanner"); err != nil {
		t.Fatal(err)
	}
	if _, there := l.device.Get("root", "firewall/address", "old-scanner"); there {
		t.Error("the object is still there")
	}
	if n := l.device.Writes(); n != 0 {
		t.Errorf("they count as %d writes of clients", n)
	}
	global, ok := l.device.Get("root", "system/global", "")
	if !ok || global["hostname"] != "fortisim" || !slices.Contains(slices.Collect(maps.Keys(global)), "admin-sport") {
		t.Error("a singleton cannot be read")
	}
}
