package fortisim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

const monitor = "/api/v2/monitor/"

// results are the results of a monitor endpoint.
func (l *lab) results(path string) any {
	l.t.Helper()
	return l.ok("GET", monitor+path, "")["results"]
}

func TestMonitorsSpeakOfTheConfiguration(t *testing.T) {
	l := newLab(t, nil)
	object := func(path string) map[string]any { return l.results(path).(map[string]any) }
	list := func(path string) []any { return l.results(path).([]any) }

	ports := object("system/interface?include_vlan=true")
	if voice := ports["voice"].(map[string]any); voice["vlanid"] != 20.0 || voice["interface"] != "lan" || voice["ip"] != "192.168.20.1" || voice["mask"] != 24.0 {
		t.Errorf("a VLAN: %v", voice)
	}
	if wan2 := ports["wan2"].(map[string]any); wan2["link"] != false || wan2["tx_bytes"] != 0.0 {
		t.Errorf("a port that is down: %v", wan2)
	}
	if _, there := object("system/interface")["voice"]; there {
		t.Error("VLANs without being asked for")
	}
	policies := list("firewall/policy/select?ip_version=ipv4")
	if len(policies) != 7 || policies[0].(map[string]any)["policyid"] != 0.0 {
		t.Errorf("policies: %v", policies)
	}
	if _, hit := policies[5].(map[string]any)["hit_count"]; hit {
		t.Error("a disabled policy was hit")
	}
	if n, _ := policies[1].(map[string]any)["hit_count"].(float64); n == 0 {
		t.Error("an enabled policy was not hit")
	}
	l.ok("POST", monitor+"firewall/policy/reset", "")
	if _, hit := list("firewall/policy?policyid=1")[0].(map[string]any)["hit_count"]; hit {
		t.Error("the counters were not reset")
	}
	tunnel := list("vpn/ipsec")[0].(map[string]any)
	if tunnel["name"] != "to-hq" || tunnel["proxyid"].([]any)[0].(map[string]any)["p2name"] != "to-hq-1" {
		t.Errorf("tunnel: %v", tunnel)
	}
	usage := object("system/vdom-resource")["firewall-policy"].(map[string]any)
	if usage["current_usage"] != 6.0 {
		t.Errorf("policies in use: %v", usage)
	}
	if routes := list("router/ipv4?filter=type==static"); len(routes) != 2 {
		t.Errorf("static routes: %v", routes)
	}
	if got := list("system/ha-peer"); len(got) != 1 || got[0].(map[string]any)["serial_no"] != "FGVMSIM000000001" {
		t.Errorf("cluster: %v", got)
	}
	l.ok("PUT", "/api/v2/cmdb/system/ha", `{"mode":"a-p","group-name":"x"}`)
	if got := list("system/ha-checksums"); len(got) != 2 || got[1].(map[string]any)["is_manage_master"] != 0.0 {
		t.Errorf("cluster of two: %v", got)
	}
	if free := list("system/check-port-availability?port_ranges=443,9000-9001"); free[0].(map[string]any)["available"] != false || free[1].(map[string]any)["available"] != true {
		t.Errorf("ports: %v", free)
	}
	l.no("GET", monitor+"log/fortianalyzer", "", 424, 0)
	if got := object("log/device/state")["memory"]; got == nil {
		t.Error("no state of the log devices")
	}
	if got := list("system/current-admins"); got[0].(map[string]any)["admin"] != "forti" {
		t.Errorf("administrators: %v", got)
	}
	if len(list("switch-controller/managed-switch")) != 0 || len(list("wifi/client")) != 0 {
		t.Error("a device without switches has some")
	}
}

func TestMonitorListsFilterSortAndPage(t *testing.T) {
	l := newLab(t, nil)
	names := func(query string) []any {
		var out []any
		for _, item := range l.results("system/available-certificates?" + query).([]any) {
			out = append(out, item.(map[string]any)["name"])
		}
		return out
	}
	for query, want := range map[string][]any{
		"":                             {"Fortinet_CA_SSL", "Fortinet_Factory"},
		"sort=name,dsc":                {"Fortinet_Factory", "Fortinet_CA_SSL"},
		"filter=subject.CN=@factory":   {"Fortinet_Factory"},
		"filter=is_ca==true":           {"Fortinet_CA_SSL"},
		"start=1&count=1":              {"Fortinet_Factory"},
		"filter=name=@factory&count=1": {"Fortinet_Factory"},
	} {
		if diff := cmp.Diff(want, names(query)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	row := l.results("system/available-certificates?format=name|type").([]any)[0].(map[string]any)
	if len(row) != 2 {
		t.Errorf("format: %v", row)
	}
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.MonitorPagesFirst = true
	l.device.SetBehaviour(b)
	if got := names("filter=name=@factory&count=1"); len(got) != 0 {
		t.Errorf("pages first: %v", got)
	}
}

func TestMonitorsComeAndGoWithTheReleases(t *testing.T) {
	for _, c := range []struct {
		version, path string
		status        int
	}{
		{"6.2.3", "firewall/policy6", 200}, {"6.4.4", "firewall/policy6", 404},
		{"7.0.12", "system/fortimanager/status", 200}, {"7.4.8", "system/fortimanager/status", 404},
		{"7.0.12", "system/central-management/status", 404}, {"7.4.8", "system/central-management/status", 200},
	} {
		if g := labOn(t, c.version).do("GET", monitor+c.path, ""); g.status != c.status {
			t.Errorf("%s %s: %d, want %d", c.version, c.path, g.status, c.status)
		}
	}
}

func TestRevisionsAreSavedListedAndHandedOut(t *testing.T) {
	c := newClock()
	l := newLab(t, &fortisim.Options{Now: c.Now})
	before := l.device.Snapshot()
	l.ok("POST", monitor+"system/config-revision/save", `{"comments":"before"}`)
	l.ok("PUT", addresses+"/srv-web", newComment)
	state := l.results("system/config-revision").(map[string]any)
	one := state["revisions"].([]any)[0].(map[string]any)
	if one["comment"] != "before" || one["admin"] != "forti" || one["id"] != 1.0 {
		t.Errorf("revision: %v", one)
	}
	if g := l.do("GET", monitor+"system/config-revision/file?config_id=1", ""); !strings.HasPrefix(g.text, "#config-version=") {
		t.Errorf("file: %.60s", g.text)
	}
	l.ok("POST", monitor+"system/config/restore", `{"source":"revision","config_id":1,"scope":"global"}`)
	if diff := cmp.Diff(before, l.device.Snapshot()); diff != "" {
		t.Error(diff)
	}
	l.ok("POST", monitor+"system/config-revision/delete", `{"config_ids":[1]}`)
	l.no("GET", monitor+"system/config-revision/file?config_id=1", "", 404, 0)
}

func TestUnsavedChangesAreLostAtARestartOrAfterTheTimeout(t *testing.T) {
	c := newClock()
	l := newLab(t, &fortisim.Options{Now: c.Now})
	const global = "/api/v2/cmdb/system/global"
	l.ok("PUT", global, `{"cfg-save":"manual"}`)
	l.ok("PUT", addresses+"/srv-web", newComment)
	l.ok("POST", monitor+"system/os/reboot", `{"event_log_message":"x"}`)
	if l.comment("srv-web") != "web server" {
		t.Errorf("an unsaved change outlived the restart: %v", l.comment("srv-web"))
	}
	l.ok("PUT", addresses+"/srv-web", newComment)
	l.ok("POST", monitor+"system/config/save", "")
	l.ok("POST", monitor+"system/os/reboot", "")
	if l.comment("srv-web") != "changed" {
		t.Error("a saved change did not")
	}
	l.ok("PUT", global, `{"cfg-save":"revert","cfg-revert-timeout":100}`)
	l.ok("POST", monitor+"system/config/save", "")
	l.ok("PUT", addresses+"/srv-web", `{"comment":"for a while"}`)
	c.advance(99 * time.Second)
	l.ok("GET", addresses, "")
	if l.comment("srv-web") != "for a while" {
		t.Error("the change was undone too early")
	}
	c.advance(time.Second)
	l.ok("GET", addresses, "")
	if l.comment("srv-web") != "changed" {
		t.Errorf("the change was not undone: %v", l.comment("srv-web"))
	}
	l.ok("POST", monitor+"system/os/shutdown", "")
	if g := l.send(t.Context(), "GET", addresses, ""); g.err == nil {
		t.Error("a device that is off answers")
	}
}
