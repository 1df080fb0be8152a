package fortisim_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestTheReadmesFaultsAreRead(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(raw), "```yaml\n")
	file, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("the README has no file of faults")
	}
	got, err := fortisim.ParseFaults([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	want := []fortisim.Rule{
		{Match: fortisim.Match{Method: "PUT", Path: "cmdb/firewall/policy", Nth: 2}, Do: fortisim.ResetAfter{}},
		{Match: fortisim.Match{Path: "monitor", Query: "scope=global", After: 3, Count: 1}, Do: fortisim.Latency{Wait: 2 * time.Second}},
		{Do: fortisim.Refuse{}}, {Do: fortisim.ResetBefore{}}, {Do: fortisim.LoginPage{}}, {Do: fortisim.IgnoreWrite{}},
		{Do: fortisim.Truncate{Bytes: 100}},
		{Do: fortisim.Answer{Status: 503, Body: "busy", ContentType: "text/plain", Effect: true}},
		{Do: fortisim.Redirect{To: "https://192.0.2.9/", Status: 302}},
		{Do: fortisim.SlowDrip{Bytes: 64, Wait: 100 * time.Millisecond}},
		{Do: fortisim.Shorten{Attribute: "comment", Length: 10}},
		{Do: fortisim.DropEntry{Attribute: "member", Key: "srv-web"}},
		{Do: fortisim.Serial{Value: "FGVMSIM000000009"}},
		{Do: fortisim.NewHold(true)},
		{Match: fortisim.Match{After: 20}, Do: fortisim.Become{Serial: "FGVMSIM000000002", Version: catalog.Version{Major: 7, Minor: 6, Patch: 5}}},
		{Do: fortisim.LoseManagement{For: 20 * time.Second}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(fortisim.Hold{})); diff != "" {
		t.Error(diff)
	}
}

func TestAFileOfFaultsIsReadStrictlyAndErrorsNameTheLine(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", "not YAML"},
		{"not a mapping", "- refuse", "line 1: a mapping"},
		{"no list", "faults: refuse", "line 1: faults must be a list"},
		{"unknown at the top", "fault: []", `line 1: "fault" is not known`},
		{"unknown in a rule", "faults:\n- doo: refuse", `line 2: "doo" is not known`},
		{"unknown in a match", "faults:\n- match:\n    verb: GET\n  do: refuse", `line 3: "verb" is not known`},
		{"name twice", "faults:\n- do: refuse\n  do: refuse", "line 3"},
		{"no fault", "faults:\n- match: {nth: 1}", "line 2: a rule needs a fault"},
		{"unknown fault", "faults:\n- do: explode", `line 2: "explode" is not a fault`},
		{"two faults", "faults:\n- do: {latency: 1s, serial: X}", "line 2: do must name one fault"},
		{"bad method", "faults:\n- {match: {method: PATCH}, do: refuse}", `"PATCH" is not GET`},
		{"negative number", "faults:\n- {match: {nth: -1}, do: refuse}", `"-1" is not a whole number`},
		{"bad time", "faults:\n- do: {latency: soon}", `"soon" is not a time`},
		{"bad status", "faults:\n- do: {answer: {status: 99}}", `"99" is not an HTTP status`},
		{"redirect to nowhere", "faults:\n- do: {redirect: {status: 302}}", "line 2: the fault needs to"},
		{"empty become", "faults:\n- do: {become: {build: 0}}", "the fault needs serial or version"},
		{"bad release", "faults:\n- do: {become: {version: new}}", `"new" is not a release`},
		{"bad serial", "faults:\n- do: {become: {serial: x}}", `"x" is not a serial number`},
		{"unknown value", "faults:\n- do:\n    truncate:\n      byte: 1", `line 4: "byte" is not known`},
		{"two documents", "faults: []\n---\nfaults: []", "more than one document"},
		{"too large", strings.Repeat(" ", 1<<20+1), "larger than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := fortisim.ParseFaults([]byte(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestADeviceBecomesAnotherAfterNRequests(t *testing.T) {
	l := newLab(t, &fortisim.Options{Faults: []fortisim.Rule{{
		Match: fortisim.Match{Nth: 3}, Do: fortisim.Become{Serial: "FGVMSIM000000002", Version: catalog.Version{Major: 7, Minor: 6, Patch: 5}},
	}}})
	var got []any
	for range 4 {
		answer := l.ok("GET", addresses+"/srv-web", "")
		got = append(got, answer["serial"], answer["version"])
	}
	want := []any{"FGVMSIM000000001", "v7.4.8", "FGVMSIM000000001", "v7.4.8", "FGVMSIM000000002", "v7.6.5", "FGVMSIM000000002", "v7.6.5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestManagementIsLostAfterAChange(t *testing.T) {
	c := newClock()
	l := newLab(t, &fortisim.Options{Now: c.Now})
	in := l.inject(fortisim.LoseManagement{For: time.Minute})
	if g := l.send(t.Context(), "PUT", addresses+"/srv-web", newComment); g.err == nil {
		t.Errorf("an answer came: %d", g.status)
	}
	in.Remove()
	if l.comment("srv-web") != "changed" {
		t.Error("the change had no effect")
	}
	if g := l.send(t.Context(), "GET", addresses, ""); g.err == nil {
		t.Errorf("the device answers: %d", g.status)
	}
	c.advance(time.Minute)
	l.ok("GET", addresses, "")
	in = l.inject(fortisim.LoseManagement{Answer: true})
	l.ok("PUT", addresses+"/srv-web", `{"comment":"again"}`)
	in.Remove()
	c.advance(time.Hour)
	if g := l.send(t.Context(), "GET", addresses, ""); g.err == nil {
		t.Errorf("the device answers: %d", g.status)
	}
	l.device.Reconnect()
	l.ok("GET", addresses, "")
}

func TestASwitchOfTheVDOMModeTakesManagementAwayFor20Seconds(t *testing.T) {
	c := newClock()
	l := newLab(t, &fortisim.Options{Now: c.Now})
	l.ok("PUT", "/api/v2/cmdb/system/global", `{"vdom-mode":"multi-vdom"}`)
	if g := l.send(t.Context(), "GET", addresses, ""); g.err == nil {
		t.Errorf("the device answers: %d", g.status)
	}
	c.advance(20 * time.Second)
	l.ok("GET", addresses, "")
	l.ok("POST", monitor+"system/admin/change-vdom-mode", `{"vdom-mode":"no-vdom"}`)
	if g := l.send(t.Context(), "GET", addresses, ""); g.err == nil {
		t.Errorf("the device answers: %d", g.status)
	}
}

func TestTheAnswerToAChangeOfManagementCanBeLost(t *testing.T) {
	b := fortisim.DefaultBehaviour(catalog.Version{})
	b.ManagementAnswerLost = true
	l := newLab(t, &fortisim.Options{Behaviour: &b})
	if g := l.send(t.Context(), "PUT", ports+"/mgmt", `{"allowaccess":"ping"}`); g.err == nil {
		t.Errorf("an answer came: %d", g.status)
	}
	if got := l.one(ports + "/mgmt")["allowaccess"]; got != "ping" {
		t.Errorf("allowaccess is %v", got)
	}
	l.ok("PUT", ports+"/mgmt", `{"description":"x"}`)
}
