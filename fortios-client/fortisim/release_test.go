package fortisim_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// branch is what a release does, as the table below says it.
type branch struct {
	counts, limit, action bool // members of a listing
	emptyMonitorAction    bool
	statusMembers         int // of system/status
	policySize            int // of a policy's name of a profile
	backup                [2]int
	tokenInURL            int
	list                  bool // cli_error
	transactionShow       int
	sorted                bool
	routeTag, sslPortal   bool // an attribute and a table that come and go
}

func TestTheReleasesDifferAsTheTableSays(t *testing.T) {
	for version, want := range map[string]branch{
		"6.4.1": {statusMembers: 0, policySize: 35, backup: [2]int{200, 405}, tokenInURL: 200, transactionShow: 500, sslPortal: true},
		"6.4.8": {statusMembers: 0, policySize: 35, backup: [2]int{200, 405}, tokenInURL: 200, transactionShow: 500, sorted: true, sslPortal: true},
		"7.0.12": {counts: true, emptyMonitorAction: true, statusMembers: 5, policySize: 35, backup: [2]int{200, 200}, tokenInURL: 200,
			transactionShow: 500, sorted: true, sslPortal: true},
		"7.2.8": {counts: true, emptyMonitorAction: true, statusMembers: 5, policySize: 35, backup: [2]int{200, 200}, tokenInURL: 200,
			transactionShow: 500, sorted: true, sslPortal: true},
		"7.4.8": {counts: true, limit: true, emptyMonitorAction: true, statusMembers: 5, policySize: 47, backup: [2]int{200, 200}, tokenInURL: 401,
			transactionShow: 200, sorted: true, routeTag: true, sslPortal: true},
		"7.6.6": {counts: true, limit: true, action: true, emptyMonitorAction: true, statusMembers: 5, policySize: 47, backup: [2]int{405, 200}, tokenInURL: 401,
			list: true, transactionShow: 200, sorted: true, routeTag: true, sslPortal: true},
	} {
		t.Run(version, func(t *testing.T) {
			if diff := cmp.Diff(want, observe(labOn(t, version)), cmp.AllowUnexported(branch{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func observe(l *lab) branch {
	var b branch
	listing := l.ok("GET", addresses, "")
	_, b.counts = listing["matched_count"]
	_, b.limit = listing["limit_reached"]
	_, b.action = listing["action"]
	status := l.ok("GET", monitor+"system/status", "")
	_, b.emptyMonitorAction = status["action"]
	b.statusMembers = len(status["results"].(map[string]any))
	schema := l.ok("GET", policy+"?action=schema", "")["results"].(map[string]any)["children"].(map[string]any)
	b.policySize = int(schema["profile-protocol-options"].(map[string]any)["size"].(float64))
	b.backup = [2]int{l.do("GET", backupRequest+"?scope=global", "").status, l.do("POST", backupRequest, `{"scope":"global"}`).status}
	_, b.list = l.no("PUT", addresses+"/srv-web", `{"color":99}`, 500, -651).json["cli_error"].([]any)
	l.start()
	b.transactionShow = l.do("GET", "/api/v2/cmdb?action=transaction-show&transaction-id=1", "").status
	b.sorted = l.keys(policy+"?sort=policyid,dsc", "policyid")[0] == 99.0
	_, b.routeTag = l.schemaOf(addresses)["route-tag"]
	b.sslPortal = l.do("GET", "/api/v2/cmdb/vpn.ssl.web/portal", "").status == 200
	token := l.token
	l.token = ""
	b.tokenInURL = l.do("GET", addresses+"?access_token="+token, "").status
	return b
}

func (l *lab) schemaOf(path string) map[string]any {
	l.t.Helper()
	return l.ok("GET", path+"?action=schema", "")["results"].(map[string]any)["children"].(map[string]any)
}

func TestTheSettingAllowsTheTokenInTheURLAgain(t *testing.T) {
	l := labOn(t, "7.6.6")
	l.ok("PUT", "/api/v2/cmdb/system/global", `{"rest-api-key-url-query":"enable"}`)
	token := l.token
	l.token = ""
	if g := l.do("GET", addresses+"?access_token="+token, ""); g.status != 200 {
		t.Errorf("status %d", g.status)
	}
}

func TestEveryResourceOfEveryReleaseCanBeReadAndDescribed(t *testing.T) {
	if testing.Short() {
		t.Skip("every resource is looked at")
	}
	for _, version := range []string{"6.4.8", "7.0.12", "7.2.8", "7.4.8", "7.6.6"} {
		t.Run(version, func(t *testing.T) {
			d := labOn(t, version).device
			read := 0
			for path := range resourcePaths() {
				if !d.Has(path) {
					continue
				}
				read++
				for _, query := range []string{"?count=2", "?action=schema", "?action=default", "?with_meta=1&datasource=1&count=1"} {
					r := ask(d, "GET", "/api/v2/cmdb/"+path+query, "")
					if r.Code != 200 || !json.Valid(r.Body.Bytes()) {
						t.Errorf("%s%s: %d %.200s", path, query, r.Code, r.Body)
					}
				}
			}
			if read < 400 {
				t.Errorf("only %d resources", read)
			}
			if strings.Contains(ask(d, "GET", "/api/v2/cmdb/system/admin", "").Body.String(), "made-up") {
				t.Error("a secret is shown")
			}
		})
	}
}
