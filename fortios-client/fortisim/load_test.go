package fortisim_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestAConfigurationFileIsAStartingState(t *testing.T) {
	raw, err := os.ReadFile("testdata/office.conf")
	if err != nil {
		t.Fatal(err)
	}
	var skipped []string
	seed, err := fortisim.ConfigFile(raw, func(line int, problem string) { skipped = append(skipped, fmt.Sprintf("%d %s", line, problem)) })
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t, &fortisim.Options{Seed: seed})
	want := []string{"3 nonsense: the release does not have it", "36 config system imaginary: the release does not have it"}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Error(diff)
	}
	address := l.one(addresses + "/net%20office")
	if address["comment"] != "first line\nsecond \"line\"" || address["uuid"] != "11111111-2222-4333-8444-555555555555" || address["subnet"] != "192.168.7.0 255.255.255.0" {
		t.Errorf("address: %v", address)
	}
	if diff := cmp.Diff([]any{"net office", "all"}, l.keys(groups+"/grp/member", "name")); diff != "" {
		t.Error(diff)
	}
	port := l.one(ports + "/port1")
	if port["ip"] != "192.168.7.1 255.255.255.0" || port["allowaccess"] != "ping https" || port["ipv6"].(map[string]any)["ip6-address"] != "2001:db8::1/64" {
		t.Errorf("interface: %v", port)
	}
	if s, _ := l.device.Secret("root", "vpn.ipsec/phase1-interface", "to-hq", "psksecret"); s != "ENC AbCdEf==" {
		t.Errorf("secret %q", s)
	}
	strict, err := fortisim.ConfigFile(raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fortisim.New(&fortisim.Options{Seed: strict}); err == nil || !strings.Contains(err.Error(), "line 3: nonsense") {
		t.Errorf("error %v", err)
	}
	if _, err := fortisim.ConfigFile([]byte("config a\n"), nil); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("error %v", err)
	}
}

const backupRequest = "/api/v2/monitor/system/config/backup"

func TestABackupLoadsAsTheSameConfiguration(t *testing.T) {
	for _, vdoms := range [][]string{{"root"}, {"root", "guest"}} {
		for _, version := range []string{"7.0.12", "7.2.8", "7.4.8", "7.6.6"} {
			t.Run(version+" "+strings.Join(vdoms, " "), func(t *testing.T) {
				l := newLab(t, &fortisim.Options{VDOMs: vdoms, Version: release(t, version)})
				l.ok("PUT", addresses+"/srv-web", `{"comment":"two\nlines \\ and \"quotes\" 'too'"}`)
				l.ok("DELETE", addresses+"/old-scanner", "")
				l.ok("PUT", policy+"/5?action=move&before=1", "")
				l.ok("PUT", ports+"/lan", `{"ipv6":{"ip6-address":"2001:db8::1/64"}}`)
				text := l.do("POST", backupRequest, `{"scope":"global"}`).text
				seed, err := fortisim.ConfigFile([]byte(text), nil)
				if err != nil {
					t.Fatal(err)
				}
				other, err := fortisim.New(&fortisim.Options{Seed: seed, VDOMs: vdoms, Version: release(t, version)})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(l.device.Snapshot(), other.Snapshot()); diff != "" {
					t.Errorf("- original, + loaded:\n%s", diff)
				}
			})
		}
	}
}

func TestARestoreGoesBackToTheBackup(t *testing.T) {
	l := newLab(t, nil)
	before := l.device.Snapshot()
	text := l.do("POST", backupRequest, `{"scope":"global"}`).text
	l.ok("POST", addresses, `{"name":"later"}`)
	l.ok("PUT", "/api/v2/cmdb/system/global", `{"hostname":"later"}`)
	const restore = "/api/v2/monitor/system/config/restore"
	upload := func(text string) map[string]any {
		return l.ok("POST", restore, `{"source":"upload","scope":"global","file_content":"`+base64.StdEncoding.EncodeToString([]byte(text))+`"}`)["results"].(map[string]any)
	}
	status := func(results map[string]any) any {
		return l.ok("GET", fmt.Sprintf("/api/v2/monitor/system/config/restore-status?session_id=%v", results["session_id"]), "")["results"].(map[string]any)["status"]
	}
	if got := status(upload("config nonsense")); got != "error" {
		t.Errorf("status %v", got)
	}
	if got := l.one(addresses + "/later")["name"]; got != "later" {
		t.Errorf("a refused restore changed something: %v", got)
	}
	results := upload(text)
	if results["restore_started"] != true || status(results) != "success" {
		t.Errorf("results: %v, status %v", results, status(results))
	}
	if diff := cmp.Diff(before, l.device.Snapshot()); diff != "" {
		t.Error(diff)
	}
	l.no("POST", restore, `{"source":"upload","scope":"global"}`, 424, -651)
}

func TestRecordedAnswersComeFirst(t *testing.T) {
	folder := fstest.MapFS{
		"recordings.json": {Data: []byte(`[
			{"path":"monitor/system/ha-peer","query":"vdom=root","file":"peer.json"},
			{"method":"PUT","path":"cmdb/firewall/address/srv-web","status":500,"file":"no.json"}]`)},
		"peer.json": {Data: []byte(`{"status":"success","results":["recorded"]}`)},
		"no.json":   {Data: []byte(`{"status":"error","error":-99}`)},
	}
	list, err := fortisim.LoadRecordings(folder)
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t, &fortisim.Options{Recordings: list})
	if got := l.ok("GET", "/api/v2/monitor/system/ha-peer?vdom=root&x=1", "")["results"].([]any)[0]; got != "recorded" {
		t.Errorf("results: %v", got)
	}
	l.no("PUT", addresses+"/srv-web", newComment, 500, -99)
	l.ok("GET", addresses+"/srv-web", "")
	l.token = "wrong"
	if g := l.do("GET", "/api/v2/monitor/system/ha-peer?vdom=root", ""); g.status != 401 {
		t.Errorf("status %d without a token", g.status)
	}
	delete(folder, "peer.json")
	if _, err := fortisim.LoadRecordings(folder); err == nil || !strings.Contains(err.Error(), "recording 1") {
		t.Errorf("error %v", err)
	}
}
