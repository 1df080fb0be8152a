package fortisim_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

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
