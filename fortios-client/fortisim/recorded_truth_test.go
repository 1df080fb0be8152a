package fortisim_test

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// question asks the simulator what a real device was asked when it gave a
// recorded answer.
type question struct {
	file               string
	version            string
	method, path, body string
	// named are nodes whose members are names of objects: their values are
	// compared, their names not.
	named []string
	// prepare brings the device into the state of the recorded one.
	prepare func(*lab)
	// header and options of the request, where it needs any.
	header  map[string]string
	options func(*fortisim.Options)
}

// appliance makes the device look like hardware.
func appliance(o *fortisim.Options) { o.Model = "FG180F" }

// put prepares an object.
func put(objectPath, key string, values map[string]any) func(*lab) {
	return func(l *lab) {
		l.t.Helper()
		if err := l.device.Put("root", objectPath, key, values); err != nil {
			l.t.Fatal(err)
		}
	}
}

var questions = []question{
	{file: "cmdb_get_group", version: "6.2.3", path: groups},
	{file: "cmdb_get_one_address", version: "6.2.3", path: addresses + "/srv-web"},
	{file: "cmdb_get_404", version: "6.2.3", path: "/api/v2/cmdb/firewall/address6/Example"},
	{file: "cmdb_post_created", version: "6.2.3", method: "POST", path: addresses, body: `{"name":"192.0.2.1"}`},
	{file: "cmdb_put_changed", version: "6.2.3", method: "PUT", path: groups + "/grp-servers", body: `{"comment":"x"}`},
	{file: "cmdb_delete_done", version: "6.2.3", method: "DELETE", path: addresses + "/old-scanner"},
	{file: "cmdb_firewall_address_list", version: "7.2.5", path: addresses, prepare: everyAddressType},
	{file: "cmdb_firewall_policy_vdom_all_trimmed", version: "6.2.5", path: policy + "?vdom=*"},
	{file: "cmdb_interface_list_format", version: "8.0.1", path: ports + "?format=name|mode|role|type|vdom"},
	{file: "cmdb_system_interface_full_vlan", version: "7.2.8", path: ports + "?filter=type==vlan"},
	{file: "cmdb_system_ha_full", version: "6.4.4", path: "/api/v2/cmdb/system/ha", prepare: managedCluster},
	{file: "cmdb_system_ha_without_permission", version: "6.4.4", path: "/api/v2/cmdb/system/ha", prepare: managedCluster,
		options: func(o *fortisim.Options) {
			o.Admins = []fortisim.Admin{{Name: "limited", Token: "made-up-token", Profile: "no_access"}}
		}},
	{file: "cmdb_action_schema_firewall.service_category", version: "7.2.8", path: "/api/v2/cmdb/firewall.service/category?action=schema"},
	{file: "cmdb_action_schema_firewall_addrgrp", version: "7.2.8", path: groups + "?action=schema"},
	{file: "cmdb_action_schema_router_static", version: "7.2.8", path: routes + "?action=schema"},
	{file: "cmdb_action_schema_system_vdom", version: "7.2.8", path: "/api/v2/cmdb/system/vdom?action=schema"},
	{file: "error_403_vdom_not_allowed", version: "7.4.1", path: monitor + "system/status?vdom=nowhere"},
	{file: "error_405_post_on_singleton", version: "7.2.4", method: "POST", path: "/api/v2/cmdb/system/global", body: `{}`},
	{file: "error_405_put_without_key", version: "7.0.12", method: "PUT", path: policy, body: `{}`},
	{file: "error_651_missing_reference", version: "7.4.1", method: "POST", path: policy, body: `{"srcintf":[{"name":"homeNetwork"}]}`},
	{file: "error_8102_admin_password_required", version: "7.6.5", method: "POST", path: "/api/v2/cmdb/system/api-user", body: `{"name":"x"}`,
		options: func(o *fortisim.Options) {
			b := fortisim.DefaultBehaviour(o.Version)
			b.TokensNeedAdminPassword = true
			o.Behaviour = &b
		}},
	{file: "monitor_firewall_ippool_vdom_all", version: "7.0.12", path: monitor + "firewall/ippool?vdom=*", named: []string{"/results"},
		prepare: put("firewall/ippool", "pool", map[string]any{"type": "port-block-allocation", "startip": "198.51.100.90", "endip": "198.51.100.90"})},
	{file: "monitor_firewall_policy_v4_vdom_all", version: "6.4.4", path: monitor + "firewall/policy/select?vdom=*&ip_version=ipv4"},
	{file: "monitor_license_status", version: "6.0.11", path: monitor + "license/status/select", options: appliance},
	{file: "monitor_license_status_registered", version: "7.2.5", path: monitor + "license/status", options: appliance},
	{file: "monitor_license_status_vm_trial", version: "6.2.5", path: monitor + "license/status/select"},
	{file: "monitor_log_current-disk-usage", version: "6.2.5", path: monitor + "log/current-disk-usage"},
	{file: "monitor_log_device_state_vdom_all", version: "6.2.5", path: monitor + "log/device/state?vdom=*"},
	{file: "monitor_system_available-certificates_vdom", version: "6.2.3", path: monitor + "system/available-certificates?vdom=*"},
	{file: "monitor_system_config-revision", version: "6.2.5", path: monitor + "system/config-revision", named: []string{"/results/categories"},
		prepare: func(l *lab) { l.ok("POST", monitor+"system/config-revision/save", `{"comments":"x"}`) }},
	{file: "monitor_system_firmware", version: "8.0.1", path: monitor + "system/firmware"},
	{file: "monitor_system_fortimanager_status_vdom_all", version: "6.0.11", path: monitor + "system/fortimanager/status?vdom=*"},
	{file: "monitor_system_ha-checksums", version: "6.0.11", path: monitor + "system/ha-checksums", named: []string{"/results/checksum"}},
	{file: "monitor_system_ha-peer", version: "7.2.8", path: monitor + "system/ha-peer"},
	{file: "monitor_system_ha-statistics", version: "6.2.3", path: monitor + "system/ha-statistics"},
	{file: "monitor_system_interface_vdom_all", version: "6.2.5", path: monitor + "system/interface/select?vdom=*&include_vlan=true&include_aggregate=true", named: []string{"/results"}},
	{file: "monitor_system_link-monitor", version: "6.2.3", path: monitor + "system/link-monitor?vdom=*", named: []string{"/results", "/results/*"}, prepare: linkMonitor("wan1")},
	{file: "monitor_system_link-monitor_error_and_empty", version: "6.4.4", path: monitor + "system/link-monitor?vdom=*", named: []string{"/results", "/results/*"}, prepare: linkMonitor("wan2")},
	{file: "monitor_system_sdn-connector", version: "7.0.12", path: monitor + "system/sdn-connector/status?vdom=*",
		prepare: put("system/sdn-connector", "cloud", map[string]any{"type": "aws"})},
	{file: "monitor_system_status", version: "7.2.13", path: monitor + "system/status"},
	{file: "monitor_system_status_empty_results", version: "6.2.5", path: monitor + "system/status"},
	{file: "monitor_system_status_vm", version: "7.6.7", path: monitor + "system/status"},
	{file: "monitor_system_time", version: "6.0.11", path: monitor + "system/time?vdom=root"},
	{file: "monitor_vpn_ssl_stats_vdom_all", version: "6.0.11", path: monitor + "vpn/ssl/stats?vdom=*"},
	{file: "monitor_web-ui_state", version: "7.0.6", path: monitor + "web-ui/state", named: []string{"/results/admin/vdom_info"}},
	{file: "transaction_start", version: "7.4.1", method: "POST", path: "/api/v2/cmdb?action=transaction-start&vdom=root", body: `{"timeout":60}`},
	{file: "transaction_show", version: "7.4.1", path: "/api/v2/cmdb?action=transaction-show&transaction-id=1", prepare: func(l *lab) {
		l.member(l.start(), "POST", addresses, `{"name":"x"}`, 200)
	}},
	{file: "transaction_write_cached", version: "7.4.1", method: "POST", path: ports, body: `{"name":"officeNetwork","type":"loopback","vdom":"root"}`,
		header: map[string]string{"X-TRANSACTION-ID": "1"}, prepare: openTransaction},
	{file: "transaction_commit", version: "7.4.1", method: "POST", path: "/api/v2/cmdb?action=transaction-commit&vdom=root", body: `{"transaction-id":1}`, prepare: openTransaction},
}

func openTransaction(l *lab) { l.start() }

func linkMonitor(port string) func(*lab) {
	return put("system/link-monitor", "wan-mon", map[string]any{"srcintf": port, "server": []any{map[string]any{"address": "192.0.2.1"}}})
}

func everyAddressType(l *lab) {
	for _, body := range addressTypes {
		l.ok("POST", addresses, body)
	}
}

func managedCluster(l *lab) {
	put("system/accprofile", "no_access", map[string]any{"netgrp": "read"})(l)
	put("system/ha", "", map[string]any{"ha-mgmt-status": "enable", "ha-mgmt-interfaces": []any{
		map[string]any{"id": 1, "interface": "wan1", "gateway": "192.0.2.4"},
	}})(l)
}

// differences is the checked file: by recording, the paths that only one side
// has, or has with another type, each with the reason.
type explained map[string]map[string]string

func explanations(t *testing.T) explained {
	t.Helper()
	raw, err := os.ReadFile("testdata/differences.json")
	if err != nil {
		t.Fatal(err)
	}
	var out explained
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTruthEveryRecordedAnswerHasTheShapeOfTheSimulators(t *testing.T) {
	truth(t)
	why := explanations(t)
	for _, q := range questions {
		t.Run(q.file, func(t *testing.T) {
			want := shapeOf(recorded(t, "fortios", "recorded", q.file+".json"), q.named)
			if q.file == "monitor_system_status_vm" {
				want = under("/results", want)
			}
			have := shapeOf(q.ask(t), q.named)
			if q.file == "monitor_system_status_vm" { // the source left the envelope out
				maps.DeleteFunc(have, func(at string, _ []string) bool { return !strings.HasPrefix(at, "/results") })
			}
			used := map[string]bool{}
			for _, difference := range compareShapes(want, have) {
				place, _, _ := strings.Cut(difference, ": ")
				reason := explainedAs(why[q.file], place, used)
				if reason == "" {
					t.Error(difference)
				}
			}
			for pattern := range why[q.file] {
				if !used[pattern] {
					t.Errorf("the explanation of %s is of no use any more", pattern)
				}
			}
		})
	}
}

// explainedAs is the reason for a difference; "*" in the file stands for any
// name.
func explainedAs(reasons map[string]string, place string, used map[string]bool) string {
	for pattern, reason := range reasons {
		if ok, err := path.Match(pattern, place); err == nil && ok || place == pattern {
			used[pattern] = true
			return reason
		}
	}
	return ""
}

func (q question) ask(t *testing.T) any {
	t.Helper()
	o := &fortisim.Options{Version: release(t, q.version)}
	if q.options != nil {
		q.options(o)
	}
	l := newLab(t, o)
	if q.prepare != nil {
		q.prepare(l)
	}
	method := q.method
	if method == "" {
		method = "GET"
	}
	var text string
	if q.header != nil {
		text = l.member(1, method, q.path, q.body, 200)
	} else {
		text = l.do(method, q.path, q.body).text
	}
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// shapeOf is the set of paths in a value with the kinds of what stands there.
// All items of a list count as one, and so do all objects of a named node.
func shapeOf(v any, named []string) map[string][]string {
	out := map[string][]string{}
	add := func(at, kind string) {
		if !slices.Contains(out[at], kind) {
			out[at] = append(out[at], kind)
			slices.Sort(out[at])
		}
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		add(at, kind(v))
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(at, item)
			}
		case map[string]any:
			for name, inside := range v {
				if slices.Contains(named, at) {
					name = "*"
				}
				walk(at+"/"+name, inside)
			}
		}
	}
	walk("", v)
	return out
}

func under(prefix string, shape map[string][]string) map[string][]string {
	out := map[string][]string{}
	for at, kinds := range shape {
		out[prefix+at] = kinds
	}
	return out
}

// compareShapes lists "path: what differs", in order.
func compareShapes(want, have map[string][]string) []string {
	all := maps.Clone(want)
	maps.Copy(all, have)
	var out []string
	missing := "\x00"
	for _, at := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(at, missing+"/") {
			continue // below what is missing as a whole
		}
		if len(want[at]) == 0 || len(have[at]) == 0 {
			missing = at
		}
		switch w, h := want[at], have[at]; {
		case len(w) == 0:
			out = append(out, at+": only the simulator has it")
		case len(h) == 0:
			out = append(out, at+": only the recording has it")
		case !slices.Equal(w, h):
			out = append(out, at+": recorded "+strings.Join(w, " or ")+", simulated "+strings.Join(h, " or "))
		}
	}
	return out
}

func TestTruthEveryRecordingIsAsked(t *testing.T) {
	files, err := filepath.Glob(truth(t, "fortios", "recorded", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		asked := slices.ContainsFunc(questions, func(q question) bool { return q.file == name })
		if !asked && name != "error_html_bodies" { // compared as text, elsewhere
			t.Errorf("nobody asks for %s", name)
		}
	}
}
