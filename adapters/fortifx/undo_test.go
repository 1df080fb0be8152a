package fortifx_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/fx"
	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// drawOperation draws one operation on the branch office. It need not be possible.
func drawOperation(t *rapid.T) string {
	pick := func(name string, list ...string) string { return rapid.SampledFrom(list).Draw(t, name) }
	number := func(name string, most int) int { return rapid.IntRange(0, most).Draw(t, name) }
	address := func() string {
		return pick("address", "net-lan", "srv-web", "srv-mail", "printer-1", "printer-2", "updates", "old-scanner", "new-0", "new-1")
	}
	group := func() string { return pick("group", "grp-servers", "grp-printers", "grp-new") }
	policy := func() int { return rapid.SampledFrom([]int{1, 2, 3, 4, 5, 6, 99}).Draw(t, "policy") }
	side := func() string { return pick("side", "before", "after") }
	draws := []func() string{
		func() string {
			return fmt.Sprintf(`{"op":"create","resource":"firewall/address","object":{"name":%q,"subnet":"10.%d.0.0/16","color":%d}}`, address(), number("octet", 255), number("color", 32))
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/address","key":%q,"set":{"comment":%q,"allow-routing":"enable"}}`, address(), pick("comment", "x", "", "a \"quoted\" name", "naïve"))
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/address","key":%q,"clear":["comment"]}`, address())
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/address","key":%q,"set":{"type":"iprange","start-ip":"10.1.1.1","end-ip":"10.1.1.%d"}}`, address(), 1+number("last", 200))
		},
		func() string {
			return fmt.Sprintf(`{"op":"delete","resource":"firewall/address","key":%q}`, address())
		},
		func() string {
			return fmt.Sprintf(`{"op":"create","resource":"firewall/addrgrp","object":{"name":%q,"member":[%q,%q]}}`, group(), address(), address())
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/addrgrp","key":%q,"add":{"member":[%q]},"clear":["comment"]}`, group(), address())
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/addrgrp","key":%q,"remove":{"member":[%q]}}`, group(), address())
		},
		func() string { return fmt.Sprintf(`{"op":"delete","resource":"firewall/addrgrp","key":%q}`, group()) },
		func() string {
			return fmt.Sprintf(`{"op":"create","resource":"firewall/policy","object":{"name":"p%d","srcintf":["lan"],"dstintf":["dmz"],"srcaddr":[%q],"dstaddr":["all"],"service":["HTTPS"],"schedule":"always","action":"accept"},"position":{%q:%d}}`, number("name", 3), address(), side(), policy())
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/policy","key":%d,"position":{%q:%d}}`, policy(), side(), policy())
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/policy","key":%d,"set":{"comments":"x","nat":%q},"add":{"service":["SSH"]},"position":{%q:%d}}`, policy(), pick("nat", "enable", "disable"), side(), policy())
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/policy","key":%d,"set":{"srcaddr":[%q],"status":%q}}`, policy(), address(), pick("status", "enable", "disable"))
		},
		func() string {
			return fmt.Sprintf(`{"op":"delete","resource":"firewall/policy","key":%d}`, policy())
		},
		func() string {
			return fmt.Sprintf(`{"op":"create","resource":"firewall.service/custom","object":{"name":"svc-new","tcp-portrange":"%d","comment":"y"}}`, 1+number("port", 60000))
		},
		func() string {
			return fmt.Sprintf(`{"op":"create","resource":"router/static","object":{"dst":"10.%d.0.0/16","gateway":"198.51.100.9","device":"dmz"}}`, number("octet", 255))
		},
		func() string {
			return fmt.Sprintf(`{"op":"update","resource":"router/static","key":%d,"set":{"distance":%d,"comment":"z"}}`, 1+number("route", 2), 1+number("distance", 200))
		},
		func() string {
			return fmt.Sprintf(`{"op":"delete","resource":"router/static","key":%d}`, 1+number("route", 2))
		},
		func() string {
			return pick("one of a kind",
				`{"op":"create","resource":"firewall/vip","object":{"name":"vip-new","extip":"203.0.113.9","extintf":"wan1","mappedip":[{"range":"198.51.100.10"}]}}`,
				`{"op":"create","resource":"firewall/ippool","object":{"name":"pool-new","startip":"203.0.113.20","endip":"203.0.113.21"}}`,
				`{"op":"create","resource":"firewall.schedule/recurring","object":{"name":"night","day":"monday friday","start":"22:00","end":"06:00"}}`,
				`{"op":"update","resource":"system/dns","set":{"primary":"192.0.2.54"},"clear":["secondary"]}`,
				`{"op":"update","resource":"system/ntp","add":{"ntpserver":[{"id":2,"server":"192.0.2.124"}]}}`,
				`{"op":"update","resource":"system/ntp","set":{"ntpserver":[{"id":7,"server":"ntp.example.com"}]}}`,
				`{"op":"update","resource":"system/interface","key":"dmz","set":{"alias":"servers","allowaccess":"ping snmp"}}`,
				`{"op":"update","resource":"system/zone","key":"inside","set":{"intrazone":"allow"}}`,
				`{"op":"update","resource":"user/group","key":"staff","clear":["member"]}`,
				`{"op":"update","resource":"system/global","set":{"hostname":"renamed","admintimeout":30}}`,
				`{"op":"update","resource":"vpn.ipsec/phase1-interface","key":"to-hq","set":{"comments":"x","dpd":"on-idle"}}`,
				`{"op":"update","resource":"vpn.ipsec/phase1-interface","key":"to-hq","set":{"psksecret":"another-made-up-key"}}`,
				`{"op":"delete","resource":"vpn.ipsec/phase2-interface","key":"to-hq-1"}`,
				`{"op":"delete","resource":"user/local","key":"alice"}`)
		},
	}
	return rapid.SampledFrom(draws).Draw(t, "kind")()
}

// undoing is an engine over a simulated FortiGate on which plans are undone.
type undoing struct {
	*lab
	eng *engine.Engine
}

func (u *undoing) plan(operations string) (*engine.PlanView, error) {
	var r request.Plan
	if err := u.eng.Decode([]byte(`{"operations":[`+operations+`]}`), &r); err != nil {
		return nil, err
	}
	return u.eng.Plan(u.t.Context(), engine.Caller{}, r)
}

// possible plans as many of the operations as can be planned one after the other.
func (u *undoing) possible(t *rapid.T, all []string) (last *engine.PlanView, kept string) {
	for _, op := range all {
		more := strings.TrimPrefix(kept+",\n"+op, ",\n")
		v, err := u.plan(more)
		if fault.CodeOf(err) == fault.Internal {
			t.Fatalf("%s\ncannot be planned: %v", more, err)
		}
		if err == nil && v.Status != "no_change" {
			last, kept = v, more
		}
	}
	return last, kept
}

// changeFaults are what befalls one change, by name.
var changeFaults = map[string]fortisim.Fault{
	"none": nil, "reset before": fortisim.ResetBefore{}, "reset after": fortisim.ResetAfter{}, "ignored": fortisim.IgnoreWrite{},
	"refused": fortisim.Answer{Status: 500, Body: `{"http_status":500,"status":"error","error":-651}`},
	"502":     fortisim.Answer{Status: 502, Body: "<html>", ContentType: "text/html"}, "502 with effect": fortisim.Answer{Status: 502, Effect: true},
}

// run applies a plan, of which one change meets a fault, and gives what it says of its
// rollback: nil where there is nothing to undo.
func (u *undoing) run(t *rapid.T, v *engine.PlanView, trouble string, nth int) *engine.RollbackRef {
	if f := changeFaults[trouble]; f != nil {
		for _, method := range []string{"POST", "PUT", "DELETE"} {
			in, err := u.sim.Inject(fortisim.Rule{Match: fortisim.Match{Method: method, Path: "cmdb", Nth: nth, Count: 1}, Do: f})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Remove()
		}
	}
	if _, err := apply(u.t, u.eng, v.PlanID); fault.CodeOf(err) == fault.Internal {
		t.Fatalf("apply: %v", err)
	}
	shown, err := u.eng.Show(u.t.Context(), engine.Caller{}, v.PlanID)
	if err != nil {
		t.Fatal(err)
	}
	if shown.Execution == nil {
		return nil
	}
	return shown.Execution.Rollback
}

// TestARollbackRestoresTheWholeConfiguration: whatever was planned, and however its apply
// ended, the rollback plan can be applied, and the whole configuration of the device is
// what it was before, unless the rollback says that it is not complete.
func TestARollbackRestoresTheWholeConfiguration(t *testing.T) {
	if raceDetector {
		t.Skip("one goroutine at a time works here; the race detector would only make it slow")
	}
	names := slices.Sorted(maps.Keys(changeFaults))
	undone, partly := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		l := newLab(t, profile.Autonomous)
		clock := &leaping{}
		u := &undoing{lab: l, eng: build(t, fortifx.Options{Home: l.home}, fx.Decorate(func(port.Clock) port.Clock { return clock }))}
		before := u.sim.Snapshot()
		v, operations := u.possible(rt, rapid.SliceOfN(rapid.Custom(drawOperation), 1, 5).Draw(rt, "operations"))
		if v == nil {
			return
		}
		trouble, nth := rapid.SampledFrom(names).Draw(rt, "trouble"), rapid.IntRange(1, 3).Draw(rt, "nth")
		undo := u.run(rt, v, trouble, nth)
		clock.forward(2 * time.Minute)
		if undo != nil && undo.PlanID != nil {
			undone++
			if x, err := apply(t, u.eng, *undo.PlanID); err != nil {
				rt.Fatalf("%s at change %d of\n%s\nits rollback: %v %+v", trouble, nth, operations, err, x)
			}
		}
		if undo != nil && len(undo.NotReversible) > 0 {
			partly++
			return
		}
		if diff := gocmp.Diff(strings.Split(before, "\n"), strings.Split(u.sim.Snapshot(), "\n")); diff != "" {
			rt.Fatalf("%s at change %d of\n%s\nnot restored (-before +after the rollback):\n%s", trouble, nth, operations, diff)
		}
	})
	if !t.Failed() && undone <= partly {
		t.Errorf("%d rollbacks were applied, and %d were not complete: too little was shown", undone, partly)
	}
}
