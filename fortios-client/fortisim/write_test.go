package fortisim_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/google/go-cmp/cmp"
)

func TestACreateAnswers200WithKeyAndRevisions(t *testing.T) {
	l := newLab(t, nil)
	answer := l.ok("POST", addresses, `{"name":"srv-new","subnet":"10.1.2.3/32","comment":"x/y"}`)
	if answer["mkey"] != "srv-new" || answer["revision_changed"] != true || answer["revision"] == answer["old_revision"] {
		t.Errorf("answer: %v", answer)
	}
	row := l.one(addresses + "/srv-new")
	want := map[string]any{"name": "srv-new", "q_origin_key": "srv-new", "subnet": "10.1.2.3 255.255.255.255", "comment": "x/y", "type": "ipmask"}
	for name, value := range want {
		if row[name] != value {
			t.Errorf("%s = %v, want %v", name, row[name], value)
		}
	}
	if id, _ := row["uuid"].(string); len(id) != 36 || strings.HasPrefix(id, "00000000") {
		t.Errorf("uuid %q was not given", row["uuid"])
	}
	if text := l.do("GET", addresses+"/srv-new", "").text; !strings.Contains(text, `"x\/y"`) {
		t.Errorf("slashes are not escaped: %s", text)
	}
}

func TestAPutChangesOnlyTheNamedAttributesAndReplacesLists(t *testing.T) {
	l := newLab(t, nil)
	answer := l.ok("PUT", groups+"/grp-servers", `{"member":[{"name":"srv-web"},{"name":"srv-files"},{"name":"srv-web"}]}`)
	if answer["mkey"] != "grp-servers" || answer["revision_changed"] != true {
		t.Errorf("answer: %v", answer)
	}
	row := l.one(groups + "/grp-servers")
	want := []any{
		map[string]any{"name": "srv-web", "q_origin_key": "srv-web"},
		map[string]any{"name": "srv-files", "q_origin_key": "srv-files"},
	}
	if diff := cmp.Diff(want, row["member"]); diff != "" {
		t.Error(diff)
	}
	if row["comment"] != "public servers" {
		t.Errorf("comment changed to %v", row["comment"])
	}
	again := l.ok("PUT", groups+"/grp-servers", `{"comment":"public servers"}`)
	if again["revision_changed"] != false {
		t.Error("a write that changes nothing has revision_changed true")
	}
}

func TestADeleteRemovesTheRow(t *testing.T) {
	l := newLab(t, nil)
	answer := l.ok("DELETE", addresses+"/old-scanner", "")
	if answer["mkey"] != "old-scanner" || answer["revision_changed"] != true {
		t.Errorf("answer: %v", answer)
	}
	g := l.no("GET", addresses+"/old-scanner", "", http.StatusNotFound, 0)
	if g.json["mkey"] != "old-scanner" || g.json["revision"] == nil || g.json["error"] != nil || g.json["results"] != nil {
		t.Errorf("404: %v", g.json)
	}
}

func TestAKeylessDeletePurgesWhatIsNotUsed(t *testing.T) {
	for _, path := range []string{addresses, addresses + "/", addresses + "/.", addresses + "/%2E", addresses + "/old-scanner/.."} {
		t.Run(path, func(t *testing.T) {
			l := newLab(t, nil)
			l.ok("DELETE", path, "")
			var left []string
			for _, row := range l.device.Rows("root", "firewall/address") {
				left = append(left, row["name"].(string))
			}
			want := []string{"all", "net-lan", "net-voice", "srv-web", "srv-mail", "srv-files", "printer-1", "printer-2", "net-hq"}
			if diff := cmp.Diff(want, left); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMoveChangesTheOrderAndKeepsTheKeys(t *testing.T) {
	l := newLab(t, nil)
	for _, step := range []struct {
		request string
		want    []any
	}{
		{"/4?action=move&before=1", []any{4.0, 1.0, 2.0, 3.0, 5.0, 99.0}},
		{"/4?action=move&after=3", []any{1.0, 2.0, 3.0, 4.0, 5.0, 99.0}},
		{"/1?action=move&after=99", []any{2.0, 3.0, 4.0, 5.0, 99.0, 1.0}},
		{"/1?action=move&before=1", []any{2.0, 3.0, 4.0, 5.0, 99.0, 1.0}},
	} {
		l.ok("PUT", policy+step.request, "")
		if diff := cmp.Diff(step.want, l.keys(policy, "policyid")); diff != "" {
			t.Errorf("%s: %s", step.request, diff)
		}
	}
	l.no("PUT", policy+"/1?action=move", "", 500, -10002)
	l.no("PUT", policy+"/1?action=move&before=2&after=3", "", 500, -10002)
	l.no("PUT", policy+"/1?action=move&before=77", "", 500, -3)
	l.no("PUT", policy+"/77?action=move&before=1", "", 404, 0)
	l.no("PUT", addresses+"/srv-web?action=move&before=all", "", 500, -10002)
}

func TestTheDeviceGivesIntegerKeys(t *testing.T) {
	l := newLab(t, nil)
	body := `"srcintf":[{"name":"lan"}],"dstintf":[{"name":"dmz"}],"srcaddr":[{"name":"all"}],"dstaddr":[{"name":"all"}],"service":[{"name":"ALL"}],"schedule":"always"}`
	for _, step := range []struct {
		name, key string
		want      any
	}{
		{"absent", "", 100.0},
		{"zero", `"policyid":0,`, 101.0},
		{"explicit", `"policyid":50,`, 50.0},
		{"after an explicit smaller one", "", 102.0},
	} {
		if got := l.ok("POST", policy, "{"+step.key+body)["mkey"]; got != step.want {
			t.Errorf("%s: mkey %v, want %v", step.name, got, step.want)
		}
	}
	if got := l.one(policy + "/50")["q_origin_key"]; got != 50.0 {
		t.Errorf("q_origin_key %v (%T) is not typed as the key", got, got)
	}
}

func TestRefusalsCarryTheDevicesNumbers(t *testing.T) {
	l := newLab(t, nil)
	newPolicy := func(more string) string {
		return `{"srcintf":[{"name":"lan"}],"dstintf":[{"name":"dmz"}],"srcaddr":[{"name":"all"}],"dstaddr":[{"name":"all"}],"service":[{"name":"ALL"}],"schedule":"always"` + more + `}`
	}
	for _, c := range []struct {
		name, method, path, body string
		status, number           int
	}{
		{"unknown attribute", "POST", addresses, `{"name":"a","colour":3}`, 500, -61},
		{"attribute of a later release", "PUT", addresses + "/srv-web", `{"agent-id":"x"}`, 500, -61},
		{"option that is not in the list", "PUT", policy + "/1", `{"action":"maybe"}`, 500, -651},
		{"member of an option set that is not in the list", "PUT", ports + "/lan", `{"allowaccess":"ping gopher"}`, 500, -651},
		{"integer above its range", "PUT", addresses + "/srv-web", `{"color":33}`, 500, -651},
		{"integer below its range", "PUT", routes + "/1", `{"distance":-1}`, 500, -651},
		{"word for an integer", "PUT", addresses + "/srv-web", `{"color":"red"}`, 500, -651},
		{"text that is too long", "PUT", addresses + "/srv-web", `{"comment":"` + strings.Repeat("x", 256) + `"}`, 500, -1},
		{"bad address", "PUT", addresses + "/srv-web", `{"subnet":"10.0.0.300/24"}`, 500, -651},
		{"mask with holes", "PUT", addresses + "/srv-web", `{"subnet":"10.0.0.0 255.0.255.0"}`, 500, -651},
		{"list for a text", "PUT", addresses + "/srv-web", `{"comment":[]}`, 500, -651},
		{"text for a list", "PUT", groups + "/grp-servers", `{"member":"srv-web"}`, 500, -651},
		{"list of bare names", "PUT", groups + "/grp-servers", `{"member":["srv-web"]}`, 500, -1},
		{"missing reference in a list", "PUT", groups + "/grp-servers", `{"member":[{"name":"nobody"}]}`, 500, -651},
		{"missing reference", "PUT", routes + "/1", `{"device":"wan9"}`, 500, -651},
		{"empty needed list", "PUT", groups + "/grp-servers", `{"member":[]}`, 500, -56},
		{"needed attribute left out", "POST", groups, `{"name":"g"}`, 500, -56},
		{"no key", "POST", addresses, `{"comment":"x"}`, 500, -56},
		{"existing key", "POST", addresses, `{"name":"srv-web"}`, 500, -5},
		{"script in a name", "POST", addresses, `{"name":"a<b"}`, 500, -173},
		{"policy name that another has", "POST", policy, newPolicy(`,"name":"lan-to-hq"`), 500, -651},
		{"the same route again", "POST", routes, `{"seq-num":0,"dst":"0.0.0.0/0","gateway":"203.0.113.1","device":"wan1"}`, 500, -15},
		{"read-only attribute", "PUT", ports + "/lan", `{"devindex":9}`, 500, -37},
		{"delete of an object in use", "DELETE", addresses + "/srv-web", "", 500, -23},
		{"delete of an interface in use", "DELETE", ports + "/voice", "", 500, -23},
		{"delete of a port", "DELETE", ports + "/wan2", "", 500, -37},
		{"delete of a tunnel that policies use", "DELETE", "/api/v2/cmdb/vpn.ipsec/phase1-interface/to-hq", "", 500, -23},
		{"put of a missing object", "PUT", addresses + "/nobody", `{"comment":"x"}`, 404, 0},
		{"delete of a missing object", "DELETE", addresses + "/nobody", "", 404, 0},
		{"table that does not exist", "GET", "/api/v2/cmdb/firewall/nonsense", "", 404, 0},
		{"put without a key", "PUT", policy, `{}`, 405, 0},
		{"post on a singleton", "POST", "/api/v2/cmdb/system/global", `{}`, 405, 0},
		{"delete of a singleton", "DELETE", "/api/v2/cmdb/system/global", "", 405, 0},
		{"post on a vendor's table", "POST", "/api/v2/cmdb/firewall/internet-service", `{"id":1}`, 405, 0},
		{"body that is not JSON", "POST", addresses, `{"name":`, 400, 0},
		{"two objects in a body", "POST", addresses, `{"name":"a"}{"name":"b"}`, 400, 0},
		{"unencoded slash in a key", "GET", addresses + "/a/b", "", 400, 0},
		{"unknown action", "GET", addresses + "?action=dance", "", 500, -10002},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := l.in(t)
			before := l.device.Snapshot()
			g := l.no(c.method, c.path, c.body, c.status, c.number)
			if diff := cmp.Diff(before, l.device.Snapshot()); diff != "" {
				t.Errorf("a refused request changed the configuration:\n%s", diff)
			}
			if c.status == 500 && g.json["revision_changed"] != false {
				t.Errorf("revision_changed is %v, want false", g.json["revision_changed"])
			}
		})
	}
}

func TestCLIErrorIsATextAndFrom765AList(t *testing.T) {
	body := `{"srcintf":[{"name":"homeNetwork"}]}`
	text := "node_check_object fail! for name homeNetwork\n\nvalue parse error before 'homeNetwork'\nCommand fail. Return code -651\n"
	if got := labOn(t, "7.4.1").no("PUT", policy+"/1", body, 500, -651).json["cli_error"]; got != text {
		t.Errorf("7.4.1: %q", got)
	}
	want := []any{"node_check_object fail! for name homeNetwork", "value parse error before 'homeNetwork'", "Command fail. Return code -651"}
	if diff := cmp.Diff(want, labOn(t, "7.6.5").no("PUT", policy+"/1", body, 500, -651).json["cli_error"]); diff != "" {
		t.Errorf("7.6.5: %s", diff)
	}
}

func TestNothingIsAppliedAfterABadAttribute(t *testing.T) {
	l := newLab(t, nil)
	l.no("PUT", addresses+"/srv-web", `{"comment":"new","color":99}`, 500, -651)
	if row, _ := l.device.Get("root", "firewall/address", "srv-web"); row["comment"] != "web server" {
		t.Errorf("comment is %v", row["comment"])
	}
}

func TestValuesReadBackInTheDevicesForm(t *testing.T) {
	l := newLab(t, nil)
	for _, c := range []struct{ name, path, body, attribute, want string }{
		{"CIDR", addresses + "/srv-web", `{"subnet":"10.9.8.0/24"}`, "subnet", "10.9.8.0 255.255.255.0"},
		{"bare host", addresses + "/srv-web", `{"subnet":"10.9.8.7"}`, "subnet", "10.9.8.7 255.255.255.255"},
		{"host bits of a network", routes + "/2", `{"dst":"10.5.6.7/16"}`, "dst", "10.5.0.0 255.255.0.0"},
		{"host bits of a host", ports + "/lan", `{"ip":"192.168.10.1/24"}`, "ip", "192.168.10.1 255.255.255.0"},
		{"option set", ports + "/lan", `{"allowaccess":"ssh http ping"}`, "allowaccess", "ping ssh http"},
		{"number as text", routes + "/1", `{"distance":"15"}`, "distance", "15"},
		{"unset address", ports + "/wan2", `{"ip":""}`, "ip", "0.0.0.0 0.0.0.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := l.in(t)
			l.ok("PUT", c.path, c.body)
			if got := l.one(c.path)[c.attribute]; got != c.want && got != number(c.want) {
				t.Errorf("%s = %v, want %v", c.attribute, got, c.want)
			}
		})
	}
}

func number(text string) any {
	n := 0.0
	for _, r := range text {
		if r < '0' || r > '9' {
			return nil
		}
		n = n*10 + float64(r-'0')
	}
	return n
}

func TestChildRows(t *testing.T) {
	l := newLab(t, nil)
	hosts := "/api/v2/cmdb/system/api-user/forti/trusthost"
	if got := l.ok("POST", hosts, `{"ipv4-trusthost":"10.0.0.0/8"}`)["mkey"]; got != 3.0 {
		t.Errorf("id %v was given, want 3", got)
	}
	l.ok("PUT", hosts+"/3", `{"ipv4-trusthost":"10.1.0.0/16"}`)
	if got := l.one(hosts + "/3")["ipv4-trusthost"]; got != "10.1.0.0 255.255.0.0" {
		t.Errorf("trusted host is %v", got)
	}
	l.ok("DELETE", hosts+"/2", "")
	if diff := cmp.Diff([]any{1.0, 3.0}, l.keys(hosts, "id")); diff != "" {
		t.Error(diff)
	}
	members := groups + "/grp-servers/member"
	l.ok("POST", members, `{"name":"srv-files"}`)
	l.no("PUT", members+"/srv-files", `{"name":"srv-web"}`, 405, 0)
	l.no("POST", members, `{"name":"srv-files"}`, 500, -5)
	l.no("DELETE", members+"/nobody", "", 404, 0)
	l.no("DELETE", members, "", 500, -56)
	l.ok("DELETE", "/api/v2/cmdb/system/api-user/forti/vdom", "")
	if got := l.one("/api/v2/cmdb/system/api-user/forti")["vdom"]; len(got.([]any)) != 0 {
		t.Errorf("the child table was not purged: %v", got)
	}
}

func TestSecretsReadMaskedAndStay(t *testing.T) {
	l := newLab(t, nil)
	const phase1 = "/api/v2/cmdb/vpn.ipsec/phase1-interface/to-hq"
	row := l.one(phase1)
	if row["psksecret"] != "ENC XXXX" || row["ppk-secret"] != "" {
		t.Errorf("set %q, unset %q", row["psksecret"], row["ppk-secret"])
	}
	l.ok("PUT", phase1, `{"comments":"changed"}`)
	if s, _ := l.device.Secret("root", "vpn.ipsec/phase1-interface", "to-hq", "psksecret"); s != "made-up-pre-shared-key" {
		t.Error("a change of the comment changed the secret")
	}
	before := l.device.Snapshot()
	l.ok("PUT", phase1, `{"psksecret":"another"}`)
	if before == l.device.Snapshot() {
		t.Error("the snapshot does not show that a secret changed")
	}
	if strings.Contains(l.device.Snapshot(), "another") {
		t.Error("the snapshot shows a secret")
	}
}

func TestAnAddressShowsOnlyWhatItsTypeHas(t *testing.T) {
	l := newLab(t, nil)
	for key, want := range map[string][3]bool{"srv-web": {true, false, false}, "dhcp-clients": {false, true, false}, "updates": {false, false, true}} {
		row := l.one(addresses + "/" + key)
		for i, name := range []string{"subnet", "start-ip", "fqdn"} {
			if _, present := row[name]; present != want[i] {
				t.Errorf("%s: %s present: %v, want %v", key, name, present, want[i])
			}
		}
	}
	l.ok("PUT", addresses+"/srv-web", `{"fqdn":"www.example.com"}`)
	l.ok("PUT", addresses+"/srv-web", `{"type":"fqdn"}`)
	if got := l.one(addresses + "/srv-web")["fqdn"]; got != "" {
		t.Errorf("a value for another type was kept: %v", got)
	}
}

func TestBehaviourSwitches(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*fortisim.Behaviour)
		try  func(*lab)
	}{
		{"unknown attributes are ignored", func(b *fortisim.Behaviour) { b.IgnoreUnknown = true }, func(l *lab) {
			l.ok("PUT", addresses+"/srv-web", `{"colour":3}`)
		}},
		{"read-only attributes are ignored", func(b *fortisim.Behaviour) { b.IgnoreReadOnly = true }, func(l *lab) {
			l.ok("PUT", ports+"/lan", `{"devindex":9}`)
			if got := l.one(ports + "/lan")["devindex"]; got != 0.0 {
				l.t.Errorf("devindex is %v", got)
			}
		}},
		{"another number for ranges", func(b *fortisim.Behaviour) { b.RangeError = -45 }, func(l *lab) {
			l.no("PUT", addresses+"/srv-web", `{"color":33}`, 500, -45)
		}},
		{"a create of what exists succeeds", func(b *fortisim.Behaviour) { b.DuplicateAccepted = true }, func(l *lab) {
			answer := l.ok("POST", addresses, `{"name":"srv-web","comment":"other"}`)
			if answer["revision_changed"] != false || l.one(addresses + "/srv-web")["comment"] != "web server" {
				l.t.Errorf("answer: %v", answer)
			}
		}},
		{"a refused create is saved", func(b *fortisim.Behaviour) { b.CreateSavedDespite500 = true }, func(l *lab) {
			l.no("POST", groups, `{"name":"half","member":[{"name":"srv-web"},{"name":"nobody"}]}`, 500, -651)
			if got := len(l.one(groups + "/half")["member"].([]any)); got != 1 {
				l.t.Errorf("%d members were saved", got)
			}
		}},
		{"defaults are left out", func(b *fortisim.Behaviour) { b.DefaultsAbsent = true }, func(l *lab) {
			if row := l.one(addresses + "/srv-web"); row["color"] != nil || row["comment"] == nil {
				l.t.Errorf("row: %v", row)
			}
		}},
		{"option sets stay as written", func(b *fortisim.Behaviour) { b.OptionSetsAsWritten = true }, func(l *lab) {
			l.ok("PUT", ports+"/lan", `{"allowaccess":"ssh ping"}`)
			if got := l.one(ports + "/lan")["allowaccess"]; got != "ssh ping" {
				l.t.Errorf("allowaccess is %v", got)
			}
		}},
		{"host bits stay", func(b *fortisim.Behaviour) { b.ClassnetKeepsHost = true }, func(l *lab) {
			l.ok("PUT", routes+"/2", `{"dst":"10.5.6.7/16"}`)
			if got := l.one(routes + "/2")["dst"]; got != "10.5.6.7 255.255.0.0" {
				l.t.Errorf("dst is %v", got)
			}
		}},
		{"what does not apply is empty", func(b *fortisim.Behaviour) { b.InapplicableEmpty = true }, func(l *lab) {
			if got := l.one(addresses + "/srv-web")["fqdn"]; got != "" {
				l.t.Errorf("fqdn is %v", got)
			}
		}},
		{"every write gives a revision", func(b *fortisim.Behaviour) { b.NoopChangesRevision = true }, func(l *lab) {
			if l.ok("PUT", addresses+"/srv-web", `{}`)["revision_changed"] != true {
				l.t.Error("revision_changed is false")
			}
		}},
		{"one object has no counts", func(b *fortisim.Behaviour) { b.OneHasCounts = false }, func(l *lab) {
			if got := l.ok("GET", addresses+"/srv-web", "")["size"]; got != nil {
				l.t.Errorf("size is %v", got)
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

func TestATunnelBringsItsInterface(t *testing.T) {
	l := newLab(t, nil)
	const phase1 = "/api/v2/cmdb/vpn.ipsec/phase1-interface"
	l.ok("POST", phase1, `{"name":"to-dc","interface":"wan1","remote-gw":"203.0.113.9","proposal":"aes256-sha256","psksecret":"made-up"}`)
	if got := l.one(ports + "/to-dc")["type"]; got != "tunnel" {
		t.Errorf("type is %v", got)
	}
	l.ok("DELETE", phase1+"/to-dc", "")
	l.no("GET", ports+"/to-dc", "", 404, 0)
}

func TestAKeyMayHoldASlash(t *testing.T) {
	l := newLab(t, nil)
	l.ok("POST", addresses, `{"name":"10.0.0.0/8"}`)
	if got := l.one(addresses + "/10.0.0.0%2F8")["name"]; got != "10.0.0.0/8" {
		t.Errorf("name is %v", got)
	}
	l.ok("DELETE", addresses+"/10.0.0.0%2F8", "")
}
