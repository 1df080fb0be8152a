package fortisim_test

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestCloneCopiesAnObjectUnderAnotherKey(t *testing.T) {
	l := newLab(t, nil)
	answer := l.ok("POST", addresses+"/srv-web?action=clone&nkey=srv-web-2", "")
	if answer["mkey"] != "srv-web-2" || answer["revision_changed"] != true {
		t.Errorf("answer: %v", answer)
	}
	old, one := l.one(addresses+"/srv-web"), l.one(addresses+"/srv-web-2")
	if one["subnet"] != old["subnet"] || one["uuid"] == old["uuid"] {
		t.Errorf("clone: %v", one)
	}
	if got := l.ok("POST", policy+"/1?action=clone&nkey=7", "")["mkey"]; got != 7.0 {
		t.Errorf("mkey is %v", got)
	}
	if got := l.one(policy + "/7")["name"]; got != "" {
		t.Errorf("the clone's name is %v", got)
	}
	l.no("POST", addresses+"/nobody?action=clone&nkey=x", "", 404, 0)
	l.no("POST", addresses+"/srv-web?action=clone&nkey=srv-mail", "", 500, -5)
	l.no("POST", addresses+"/srv-web?action=clone", "", 500, -10002)
	l.no("PUT", addresses+"/srv-web?action=clone&nkey=x", "", 500, -10002)
}

func TestChildRowsMoveWhereTheirOrderMeansSomething(t *testing.T) {
	l := newLab(t, nil)
	const rules = "/api/v2/cmdb/system/sdwan/service"
	for _, id := range []string{"1", "2", "3"} {
		l.ok("POST", rules, `{"id":`+id+`,"name":"r`+id+`"}`)
	}
	l.ok("PUT", rules+"/3?action=move&before=1", "")
	if diff := cmp.Diff([]any{3.0, 1.0, 2.0}, l.keys(rules, "id")); diff != "" {
		t.Error(diff)
	}
	l.ok("PUT", rules+"/3?action=move&after=2", "")
	if diff := cmp.Diff([]any{1.0, 2.0, 3.0}, l.keys(rules, "id")); diff != "" {
		t.Error(diff)
	}
	l.no("PUT", rules+"/9?action=move&after=2", "", 404, 0)
	l.no("PUT", rules+"/1?action=move&after=9", "", 500, -3)
	l.no("PUT", rules+"/1?action=move", "", 500, -10002)
	l.no("PUT", groups+"/grp-servers/member/srv-web?action=move&after=srv-mail", "", 500, -10002)
}

func TestATableTakesOnlySoManyRows(t *testing.T) {
	l := newLab(t, &fortisim.Options{Seed: fortisim.Factory, Limits: map[string]int{"firewall/address": 3}})
	l.ok("POST", addresses, `{"name":"a"}`)
	l.no("POST", addresses, `{"name":"b"}`, 500, -4)
	l.no("POST", addresses+"/a?action=clone&nkey=b", "", 500, -4)
	l.ok("DELETE", addresses+"/a", "")
	l.ok("POST", addresses, `{"name":"b"}`)
}

func TestARenameReachesWhatNamesTheObject(t *testing.T) {
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	l := newLab(t, &fortisim.Options{Behaviour: &b})
	l.no("PUT", addresses+"/srv-web", `{"name":"srv-www"}`, 500, -37)
	b.RenameAccepted = true
	l.device.SetBehaviour(b)
	l.ok("PUT", addresses+"/srv-web", `{"name":"srv-www","comment":"renamed"}`)
	l.no("GET", addresses+"/srv-web", "", 404, 0)
	if got := l.one(addresses + "/srv-www")["comment"]; got != "renamed" {
		t.Errorf("comment is %v", got)
	}
	if got := l.keys(groups+"?filter=member.name==srv-www", "name"); len(got) != 1 {
		t.Errorf("groups with the new name: %v", got)
	}
	if got := l.keys(policy+"?filter=dstaddr.name==srv-www", "policyid"); len(got) != 1 {
		t.Errorf("policies with the new name: %v", got)
	}
	l.no("PUT", addresses+"/srv-www", `{"name":"srv-mail"}`, 500, -5)
}

func TestMoreBehaviourSwitches(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*fortisim.Behaviour)
		try  func(*lab)
	}{
		{"an echo of a read-only attribute is refused", func(b *fortisim.Behaviour) { b.ReadOnlyEchoRefused = true }, func(l *lab) {
			l.no("PUT", ports+"/lan", `{"devindex":0}`, 500, -37)
		}},
		{"an echo of a read-only attribute is taken", func(*fortisim.Behaviour) {}, func(l *lab) {
			l.ok("PUT", ports+"/lan", `{"devindex":0}`)
		}},
		{"nothing unsets with an empty text", func(b *fortisim.Behaviour) { b.EmptyRefused = true }, func(l *lab) {
			l.no("PUT", ports+"/wan2", `{"ip":""}`, 500, -56)
			l.ok("PUT", addresses+"/srv-web", `{"comment":""}`)
		}},
		{"integer keys are texts", func(b *fortisim.Behaviour) { b.IntegerKeyAsText = true }, func(l *lab) {
			if got := l.ok("POST", "/api/v2/cmdb/system/api-user/forti/trusthost", `{"ipv4-trusthost":"10.0.0.0/8"}`)["mkey"]; got != "3" {
				l.t.Errorf("mkey is %v", got)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
			c.set(&b)
			c.try(newLab(t, &fortisim.Options{Behaviour: &b}))
		})
	}
}

func TestAnotherVDOMsInterfaceNeedsAScopeThatMaySetIt(t *testing.T) {
	l := newLab(t, &fortisim.Options{VDOMs: []string{"root", "guest"}})
	l.no("POST", ports+"?vdom=guest", `{"name":"l1","type":"loopback","vdom":"root"}`, 500, -3)
	l.ok("POST", ports+"?vdom=root", `{"name":"l1","type":"loopback","vdom":"guest"}`)
	l.ok("POST", ports+"?vdom=guest&scope=global", `{"name":"l2","type":"loopback","vdom":"root"}`)
}

func TestVDOMsComeAndGoOnlyInMultiVDOMMode(t *testing.T) {
	const vdoms = "/api/v2/cmdb/system/vdom"
	newLab(t, nil).no("POST", vdoms, `{"name":"lab"}`, 424, -7)
	l := newLab(t, &fortisim.Options{VDOMs: []string{"root", "guest"}})
	l.ok("POST", vdoms, `{"name":"lab"}`)
	if got := l.keys(addresses+"?vdom=lab", "name"); len(got) != 2 {
		t.Errorf("addresses of a new VDOM: %v", got)
	}
	l.ok("DELETE", vdoms+"/lab", "")
	l.no("GET", addresses+"?vdom=lab", "", 403, 0)
}

// member sends a request with a transaction's number.
func (l *lab) member(id int, method, path, body string, want int) string {
	l.t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+l.token)
	request.Header.Set("X-TRANSACTION-ID", strconv.Itoa(id))
	recorder := httptest.NewRecorder()
	l.device.ServeHTTP(recorder, request)
	if recorder.Code != want {
		l.t.Errorf("%s %s: %d, want %d: %s", method, path, recorder.Code, want, recorder.Body)
	}
	return recorder.Body.String()
}

func (l *lab) start() int {
	l.t.Helper()
	results := l.ok("POST", "/api/v2/cmdb?action=transaction-start&vdom=root", `{"timeout":60}`)["results"].(map[string]any)
	return int(results["transaction-id"].(float64))
}

func TestATransactionTakesEffectAtItsCommit(t *testing.T) {
	l := newLab(t, nil)
	id := l.start()
	text := l.member(id, "POST", addresses, `{"name":"tx-1","subnet":"10.1.1.1/32"}`, 200)
	if !strings.Contains(text, `"revision_changed":false`) || !strings.Contains(text, `"mkey":"tx-1"`) || strings.Contains(text, "old_revision") {
		t.Errorf("member: %s", text)
	}
	l.member(id, "PUT", groups+"/grp-servers", `{"member":[{"name":"tx-1"}]}`, 200)
	l.member(id, "POST", addresses, `{"name":"tx-1"}`, 500)
	l.member(id, "POST", addresses, `{"name":"tx-2","color":99}`, 500)
	l.no("GET", addresses+"/tx-1", "", 404, 0)
	lines := l.ok("GET", "/api/v2/cmdb?action=transaction-show&transaction-id="+strconv.Itoa(id), "")["results"].([]any)
	if lines[0] != " config vdom" || lines[3] != `      edit "tx-1"` || lines[5] != `          set subnet "10.1.1.1/32"` {
		t.Errorf("lines: %v", lines)
	}
	if list := l.ok("GET", "/api/v2/cmdb?action=transaction-list", "")["results"].([]any); len(list) != 1 {
		t.Errorf("list: %v", list)
	}
	answer := l.ok("POST", "/api/v2/cmdb?action=transaction-commit", `{"transaction-id":`+strconv.Itoa(id)+`}`)
	if answer["revision_changed"] != false || answer["action"] != "transaction-commit" {
		t.Errorf("commit: %v", answer)
	}
	if got := l.keys(groups+"/grp-servers/member", "name"); len(got) != 1 || got[0] != "tx-1" {
		t.Errorf("members: %v", got)
	}
	l.no("POST", "/api/v2/cmdb?action=transaction-commit", `{"transaction-id":`+strconv.Itoa(id)+`}`, 500, -3)
}

func TestATransactionIsUndoneByAbortExpiryOrConflict(t *testing.T) {
	c := newClock()
	l := newLab(t, &fortisim.Options{Now: c.Now})
	before := l.device.Snapshot()
	one, other := l.start(), l.start()
	l.member(one, "DELETE", addresses+"/old-scanner", "", 200)
	if text := l.member(other, "POST", addresses, `{"name":"x"}`, 500); !strings.Contains(text, "locked by another transaction") {
		t.Errorf("a locked table: %s", text)
	}
	l.ok("POST", "/api/v2/cmdb?action=transaction-abort", `{"transaction_id":`+strconv.Itoa(one)+`}`)
	l.member(other, "POST", addresses, `{"name":"x"}`, 200)
	c.advance(61 * time.Second)
	l.member(other, "POST", addresses, `{"name":"y"}`, 500)
	conflict := l.start()
	l.member(conflict, "POST", addresses, `{"name":"z1"}`, 200)
	l.member(conflict, "PUT", addresses+"/old-scanner", newComment, 200)
	if diff := cmp.Diff(before, l.device.Snapshot()); diff != "" {
		t.Errorf("something took effect: %s", diff)
	}
	l.ok("DELETE", addresses+"/old-scanner", "")
	before = l.device.Snapshot()
	if g := l.do("POST", "/api/v2/cmdb?action=transaction-commit", `{"transaction-id":`+strconv.Itoa(conflict)+`}`); g.status != 500 {
		t.Errorf("commit of a conflict: %d", g.status)
	}
	if diff := cmp.Diff(before, l.device.Snapshot()); diff != "" {
		t.Errorf("half of a transaction took effect: %s", diff)
	}
}

func TestTransactionsCameWith640AndTheirListingWith741(t *testing.T) {
	labOn(t, "6.2.3").no("POST", "/api/v2/cmdb?action=transaction-start", `{}`, 500, -10002)
	l := labOn(t, "7.2.8")
	id := l.start()
	l.no("GET", "/api/v2/cmdb?action=transaction-show&transaction-id="+strconv.Itoa(id), "", 500, -10002)
	l.no("GET", "/api/v2/cmdb?action=transaction-start", "", 500, -10002)
	l.no("POST", "/api/v2/cmdb?action=nonsense", `{}`, 500, -10002)
}
