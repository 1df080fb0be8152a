package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
)

func TestForti_applyTakesOnlyThePlanID(t *testing.T) {
	r := newRig(t)
	tests := []struct{ arguments, problem string }{
		{`{}`, "/plan_id: is required"},
		{`{"plan_id":"20261015-104512-a1b2c3","force":true}`, "/force: unknown argument; allowed: plan_id"},
		{`{"plan_id":7}`, "/plan_id: must be a string, not an integer"},
	}
	for _, test := range tests {
		var in request.Apply
		r.wantProblems(r.engine.Decode([]byte(test.arguments), &in), fault.Usage, test.problem)
	}
	for _, id := range []string{"x", "../../etc/passwd", "20261015-104512-a1b2c3/..", "20261015-104512-A1B2C3"} {
		_, err := r.engine.Apply(t.Context(), r.caller, request.Apply{PlanID: id}, nil)
		r.wantProblems(err, fault.Usage, "/plan_id: must look like 20261015-104512-a1b2c3")
	}
	_, err := r.engine.Apply(t.Context(), r.caller, request.Apply{PlanID: "20261015-104512-a1b2c3"}, nil)
	if f := r.wantCode(err, fault.NotFound); !strings.Contains(f.Message, "forti plan list") {
		t.Error(f.Message)
	}
}

// A model never has to guess the mode, and nothing it sends changes it: it is read when
// applying, not when planning.
func TestTheModeIsTheProfilesAtTheTimeOfTheApply(t *testing.T) {
	r := newRig(t, mode(profile.Autonomous))
	v := r.mustPlan("[" + address("a") + "]")
	if v.Mode != profile.Autonomous || v.Approve != "" {
		t.Fatalf("%s", show(v))
	}
	r.operator(func(p *profile.Profile) { p.Mode = profile.Guarded })
	_ = r.stops(v.PlanID, fault.ApprovalRequired, "missing")
	r.operator(func(p *profile.Profile) { p.Mode = profile.ReadOnly })
	_ = r.stops(v.PlanID, fault.PolicyDenied, "read_only")
	r.operator(func(p *profile.Profile) { p.Mode = "" })
	_ = r.stops(v.PlanID, fault.PolicyDenied, "read_only")
	r.operator(func(p *profile.Profile) { p.Mode = profile.Autonomous })
	r.mustApply(v.PlanID)
}

func TestAReadOnlyProfileCanPlanAndSaysThatItCannotApply(t *testing.T) {
	r := newRig(t, mode(profile.ReadOnly))
	v := r.mustPlan("[" + address("a") + "]")
	r.wantNote(v.Notes, "read_only mode")
	if v.Approve != "" || v.Mode != profile.ReadOnly {
		t.Fatalf("%s", show(v))
	}
}

// RC-02: one apply per device, also through two profiles with different host names.
func TestAnApplyThatFindsAnotherAtWorkIsRefused(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id := ready(comment)
		release, err := r.world.State.Another().Locks().Lock(t.Context(), "FGT60FTK20000001")
		if err != nil {
			t.Fatal(err)
		}
		r.world.Device.Forget()
		_ = r.stops(id, fault.Conflict, "busy")
		if n := len(r.world.Device.Requests()); n > 0 {
			t.Fatalf("the device was asked %d times", n)
		}
		release()
		r.mustApply(id)
	})
}

// TestTwoProfilesOfOneDeviceShareItsLock: while one apply is at work, the other waits.
func TestTwoProfilesOfOneDeviceShareItsLock(t *testing.T) {
	r := newRig(t, mode(profile.Autonomous))
	r.world.Profiles.Set(profile.Profile{Name: "other", Host: "fw.example", VDOM: "root", Port: 443, Mode: profile.Autonomous})
	first := r.mustPlan("[" + address("a") + "]").PlanID
	second, err := r.planWith(`{"profile":"other","operations":[` + address("b") + `]}`)
	if err != nil {
		t.Fatal(err)
	}
	inner := 0
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: fake.Fault{After: func() {
		inner++
		_, err := r.apply(second.PlanID)
		if f := fault.From(err); f == nil || f.Code != fault.Conflict || f.Details["reason"] != "busy" {
			t.Errorf("during the first apply: %v", err)
		}
	}}})
	r.mustApply(first)
	if inner != 1 || r.writes() != 1 {
		t.Fatalf("%d tries, %d writes", inner, r.writes())
	}
	r.mustApply(second.PlanID)
}

func TestARunningApplyShowsAsApplying(t *testing.T) {
	r := newRig(t, mode(profile.Autonomous))
	id := r.mustPlan("[" + address("a") + "]").PlanID
	var seen apply.State
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: fake.Fault{After: func() { seen = r.state(id) }}})
	r.mustApply(id)
	if seen != apply.Applying {
		t.Fatalf("it showed as %q", seen)
	}
}

// What the operator denies is neither read, planned nor applied, whenever it was denied.
func TestWhatIsOnTheDenyListIsRefused(t *testing.T) {
	deny := func(p *profile.Profile) { p.Deny = []string{"firewall/address", "system"} }
	t.Run("when planning", func(t *testing.T) {
		r := newRig(t, owner(deny))
		_, err := r.plan("[" + comment[1:])
		r.wantProblems(err, fault.PolicyDenied, "/operations/0/resource: firewall/address is on the deny list")
		_, err = r.plan(critical)
		r.wantProblems(err, fault.PolicyDenied, "/operations/0/resource: system/interface is on the deny list")
		if _, err = r.plan(`[{"op":"update","resource":"firewall/addrgrp","key":"servers","set":{"comment":"x"}}]`); err != nil {
			t.Fatalf("a name that only begins alike: %v", err)
		}
	})
	t.Run("when applying", func(t *testing.T) {
		r := newRig(t)
		id := r.approved(comment)
		r.operator(deny)
		_ = r.stops(id, fault.PolicyDenied, "denied_resource")
	})
	t.Run("in another case", func(t *testing.T) {
		r := newRig(t, owner(func(p *profile.Profile) { p.Deny = []string{"monitor/Vendor"} }))
		_, err := r.read(`{"resource":"monitor/vEndor/thing"}`)
		if r.wantCode(err, fault.PolicyDenied); len(r.world.Device.Requests()) > 0 {
			t.Fatal("the device was asked")
		}
	})
	t.Run("when reading", func(t *testing.T) {
		r := newRig(t, owner(deny))
		_, err := r.read(`{"resource":"firewall/address","key":"lan"}`)
		if f := r.wantCode(err, fault.PolicyDenied); f.Details["reason"] != "denied_resource" || len(r.world.Device.Requests()) > 0 {
			t.Fatalf("%s", show(f.Details))
		}
	})
}

// refusable are calls of the kinds that are refused, and one whose answer is a secret.
var refusable = knows(
	schema.Resource{Path: "monitor/system/os", Kind: schema.Monitor, Calls: []schema.Call{{Method: "POST", Action: "reboot", Class: "device"}}},
	schema.Resource{Path: "monitor/system/api-user", Kind: schema.Monitor, Calls: []schema.Call{
		{Method: "POST", Action: "show-key", Class: "operate", Reveals: true}, {Method: "GET", Action: "select", Reveals: true},
	}},
	schema.Resource{Path: "monitor/system/file", Kind: schema.Monitor, Calls: []schema.Call{
		{Method: "POST", Action: "upload", Class: "file"}, {Method: "GET", Class: "file"},
	}},
)

const reboot = `[{"op":"action","resource":"monitor/system/os/reboot"}]`

func TestActionsOfTheRefusedFamiliesNeedTheOperator(t *testing.T) {
	r := newRig(t, refusable)
	_, err := r.plan(reboot)
	r.wantProblems(err, fault.PolicyDenied, `/operations/0/resource: actions of the family "reboot or shutdown" are refused`)
	r.operator(func(p *profile.Profile) { p.AllowActions = []string{"monitor/system/os/reboot"} })
	id := r.approved(reboot)
	r.operator(func(p *profile.Profile) { p.AllowActions = nil })
	_ = r.stops(id, fault.PolicyDenied, "refused_action")
	r.operator(func(p *profile.Profile) { p.AllowActions = []string{"monitor/system/os/reboot"} })
	r.world.Device.OnAction("monitor/system/os/reboot", func(map[string]any) error { return nil })
	x := r.mustApply(id)
	if x.AppliedUnverified != 1 || x.Rollback.PlanID != nil || len(x.Rollback.NotReversible) != 1 {
		t.Fatalf("%s", show(x))
	}
}

func TestWhatHandsOutSecretsOrFilesIsNeverCalledWhateverTheOperatorAllows(t *testing.T) {
	allow := owner(func(p *profile.Profile) {
		p.AllowActions = []string{"monitor/system/api-user/show-key", "monitor/system/file/upload"}
	})
	for _, path := range []string{"monitor/system/api-user/show-key", "monitor/system/file/upload"} {
		r := newRig(t, refusable, allow)
		_, err := r.plan(`[{"op":"action","resource":"` + path + `"}]`)
		r.wantProblems(err, fault.PolicyDenied, "/operations/0/resource: hands out secrets or files")
	}
	for _, path := range []string{"monitor/system/api-user", "monitor/system/file"} {
		r := newRig(t, refusable, allow)
		_, err := r.read(`{"resource":"` + path + `"}`)
		if f := r.wantCode(err, fault.PolicyDenied); f.Details["reason"] != "reveals" || len(r.world.Device.Requests()) > 0 {
			t.Fatalf("%s: %s", path, show(f.Details))
		}
	}
}

func TestAFullPlanStoreTakesNoMore(t *testing.T) {
	r := newRig(t)
	full := fullStore{Plans: r.world.State.Plans(), n: 1000}
	r.start(func(p *engine.Ports) { p.Plans = full })
	_, err := r.plan("[" + address("a") + "]")
	f := r.wantCode(err, fault.PolicyDenied)
	if f.Details["reason"] != "plan_limit" || !strings.Contains(f.Message, "1000 plans of the last 7 days") || len(r.world.Device.Requests()) > 0 {
		t.Fatalf("%v", f)
	}
}

// RC-07: chance that repeats itself gives a clean error and leaves the first plan alone.
func TestAnIDIsNeverUsedTwice(t *testing.T) {
	r := newRig(t)
	r.world.Random.Constant(0xa1)
	first := r.mustPlan("[" + address("a") + "]")
	before, err := r.world.State.Plans().Get(t.Context(), first.PlanID)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.plan("[" + address("b") + "]")
	_ = r.wantCode(err, fault.Config)
	after, err := r.world.State.Plans().Get(t.Context(), first.PlanID)
	if err != nil || string(before.File) != string(after.File) || before.Digest != after.Digest {
		t.Fatalf("the first plan changed: %v", err)
	}
	r.world.Clock.Advance(time.Second)
	if v := r.mustPlan("[" + address("b") + "]"); v.PlanID == first.PlanID {
		t.Fatal("the id was used twice")
	}
}

// A run that ended before its claim is closed by the next one: nothing was sent.
func TestARunThatDiedBeforeItsClaimIsClosedByTheNext(t *testing.T) {
	r := newRig(t)
	id := r.approved(critical)
	r.world.State.Break(fake.Break{Step: fake.StepBackup, Nth: 1, How: fake.DieBefore})
	_, _ = r.apply(id)
	r.world.Restart()
	r.start()
	r.usable(id)
	r.mustApply(id)
	var got []string
	for _, e := range r.events(id) {
		if e.Event != audit.PlanCreated && e.Event != audit.ApprovalGranted {
			got = append(got, strings.TrimPrefix(string(e.Event), "apply."))
		}
	}
	if want := "begin aborted begin end"; strings.Join(got, " ") != want {
		t.Fatalf("on record: %v, want %s", got, want)
	}
	r.sound()
}

// After a crash the device is left alone until what was under way is surely over: 60 s
// from the intent, where no whole answer of the device is on record.
func TestAfterACrashTheDeviceIsLeftToSettle(t *testing.T) {
	tests := []struct {
		name  string
		dies  int // the record in the journal at which the process dies
		fault fake.Fault
		waits bool
	}{
		{"no answer on record", 2, fake.Fault{}, true},
		{"an answer that was cut off on record", 3, fake.Truncated(true), true},
		{"an answer that never came on record", 3, fake.HeaderTimeout(false), true},
		{"a page of something in between on record", 3, fake.HTML(200, false), true},
		{"a whole answer on record", 3, fake.Fault{}, false},
		{"a refusal on record", 3, fake.CLIError(-651, false), false},
		{"nothing was sent", 3, fake.Refused(), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			id, next := r.approved(comment), r.approved("["+address("b")+"]")
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: test.fault})
			r.world.State.Break(fake.Break{Step: fake.StepJournal, Nth: test.dies, How: fake.DieBefore})
			_, _ = r.apply(id)
			r.world.Restart()
			r.start()
			r.world.Clock.Set(fake.Start.Add(20 * time.Second))
			if !test.waits {
				r.mustApply(next)
				return
			}
			f := r.stops(next, fault.Conflict, "settling")
			if f.Details["retry_after_s"] != 40 {
				t.Fatalf("details: %s", show(f.Details))
			}
			if got := r.state(id); got != apply.UnknownOutcome {
				t.Fatalf("the interrupted plan is %s", got)
			}
			r.usable(next)
			r.world.Clock.Advance(40 * time.Second)
			r.mustApply(next)
		})
	}
}

// R-LOCKOUT-02 is refused where no human looks.
func TestAnAutonomousPlanDoesNotLockItselfOut(t *testing.T) {
	users := schema.Resource{
		Path: "system/api-user", Kind: schema.Table, Key: "name", KeyType: "string", Scope: "global", Methods: []string{"GET", "POST", "PUT", "DELETE"},
		Attributes: []schema.Attribute{{Name: "name", Type: "string"}, {Name: "trusthost", Type: "table", Key: "id", KeyType: "integer", Attributes: []schema.Attribute{
			{Name: "id", Type: "integer"}, {Name: "type", Type: "option"}, {Name: "ipv4-trusthost", Type: "ipv4-classnet"},
		}}},
	}
	const elsewhere = `[{"op":"update","resource":"system/api-user","key":"forti","set":{"trusthost":[{"id":1,"type":"ipv4-trusthost","ipv4-trusthost":"203.0.113.0/24"}]}}]`
	rows := func(trusted string) map[string]any {
		return map[string]any{"name": "forti", "trusthost": []any{map[string]any{"id": 1, "type": "ipv4-trusthost", "ipv4-trusthost": trusted}}}
	}
	t.Run("a host that still covers this machine is no lock-out", func(t *testing.T) {
		r := newRig(t, mode(profile.Autonomous), knows(users), owner(func(p *profile.Profile) { p.APIUser = "forti" }), row("system/api-user", rows("203.0.113.0/24")))
		v := r.mustPlan(strings.Replace(elsewhere, "203.0.113.0/24", "192.0.2.0/28", 1))
		if strings.Contains(show(v.Risk), "R-LOCKOUT-02") {
			t.Fatalf("%s", show(v.Risk))
		}
	})
	for _, m := range []profile.Mode{profile.Guarded, profile.Autonomous} {
		t.Run(string(m), func(t *testing.T) {
			r := newRig(t, mode(m), knows(users), owner(func(p *profile.Profile) { p.APIUser = "forti" }),
				row("system/api-user", rows("192.0.2.0/24")))
			v := r.mustPlan(elsewhere)
			if v.Risk.Tier != plan.Critical || !strings.Contains(show(v.Risk), "R-LOCKOUT-02") {
				t.Fatalf("%s", show(v.Risk))
			}
			if m == profile.Autonomous {
				_ = r.stops(v.PlanID, fault.PolicyDenied, "lockout")
				return
			}
			review, err := r.engine.Review(context.Background(), r.caller, v.PlanID, 80, false)
			if err != nil || !review.Lockout {
				t.Fatalf("the human is not asked for more: %v", err)
			}
		})
	}
}
