package engine_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestEveryFailureOfAnApplySaysWhatToDo holds the words of each way in which an apply
// can fail, so that a reader can judge whether they tell what to do next.
func TestEveryFailureOfAnApplySaysWhatToDo(t *testing.T) {
	const critical = `[{"op":"update","resource":"system/interface","key":"port1","set":{"mtu":1400}}]`
	one, two := "["+address("one")+"]", "["+address("one")+","+address("two")+"]"
	send := func(skip int, f fake.Fault) func(r *rig, id plan.ID) {
		return func(r *rig, _ plan.ID) {
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Skip: skip, Times: 1}, Fault: f})
		}
	}
	always := func(f fake.Fault) func(r *rig, id plan.ID) {
		return func(r *rig, _ plan.ID) { r.world.Device.Fail(fake.Rule{Fault: f}) }
	}
	operator := func(change func(p *profile.Profile)) func(r *rig, id plan.ID) {
		return func(r *rig, _ plan.ID) { r.operator(change) }
	}
	failures := []struct {
		name    string
		mode    profile.Mode
		ops     string
		prepare func(r *rig, id plan.ID)
	}{
		{"not approved", "", one, nil},
		{"one of two approvals", "", one, func(r *rig, id plan.ID) {
			r.operator(func(p *profile.Profile) { p.Approval.Required = 2 })
			r.approve(id)
		}},
		{"approved a day ago", "", one, func(r *rig, id plan.ID) { r.approve(id); r.world.Clock.Advance(24 * time.Hour) }},
		{"revoked", "", one, func(r *rig, id plan.ID) {
			if err := r.engine.Revoke(r.Context(), r.caller, id); err != nil {
				r.Fatal(err)
			}
		}},
		{"applied already, guarded", "", one, func(r *rig, id plan.ID) { r.approve(id); r.mustApply(id) }},
		{"applied already, autonomous", profile.Autonomous, one, func(r *rig, id plan.ID) { r.mustApply(id) }},
		{"the approval is of another plan", "", one, func(r *rig, id plan.ID) {
			other := r.approved(two)
			if err := r.world.State.Approvals().Put(r.Context(), id, r.approvalFile(other)); err != nil {
				r.Fatal(err)
			}
		}},
		{"the approval's file is damaged", "", one, func(r *rig, id plan.ID) {
			if err := r.world.State.Approvals().Put(r.Context(), id, []byte("{}")); err != nil {
				r.Fatal(err)
			}
		}},
		{"a profile that only reads", profile.ReadOnly, one, nil},
		{"the operator denies the resource now", profile.Autonomous, one, operator(func(p *profile.Profile) { p.Deny = []string{"firewall/address"} })},
		{"the plan's time is over", profile.Autonomous, one, func(r *rig, _ plan.ID) { r.world.Clock.Advance(8 * 24 * time.Hour) }},
		{"the plan was edited", profile.Autonomous, one, func(r *rig, _ plan.ID) { r.edit(func(p *port.StoredPlan) { p.File = append(p.File, ' ') }) }},
		{"the log is not writable", profile.Autonomous, one, func(r *rig, _ plan.ID) {
			r.world.State.Break(fake.Break{Step: fake.StepAudit, Nth: 1, How: fake.RefuseAll})
		}},
		{"the journal is not writable", profile.Autonomous, one, func(r *rig, _ plan.ID) {
			r.world.State.Break(fake.Break{Step: fake.StepClaim, Nth: 1, How: fake.RefuseAll})
		}},
		{"another apply is at work", profile.Autonomous, one, func(r *rig, id plan.ID) {
			if _, err := r.world.State.Another().Locks().Lock(r.Context(), r.shown(id).Device.Serial); err != nil {
				r.Fatal(err)
			}
		}},
		{"no backup", profile.Autonomous, critical, func(r *rig, _ plan.ID) {
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallBackup}, Fault: fake.Refused()})
		}},
		{"the device is down", profile.Autonomous, one, always(fake.Refused())},
		{"another certificate", profile.Autonomous, one, always(fake.BadCertificate())},
		{"the token is refused", profile.Autonomous, one, always(fake.Reply(401, exchange.BodyHTML, false))},
		{"a login page", profile.Autonomous, one, always(fake.HTML(200, false))},
		{"another device", profile.Autonomous, one, always(fake.OtherSerial("FGT60FTK00000099"))},
		{"somebody changed the object", profile.Autonomous, `[{"op":"update","resource":"firewall/address","key":"lan","set":{"comment":"x"}}]`,
			func(r *rig, _ plan.ID) { r.meddle("lan", object{"comment": "mine"}) }},
		{"the first request is refused", profile.Autonomous, one, send(0, fake.CLIError(-651, false))},
		{"the first request is forbidden", profile.Autonomous, one, send(0, fake.Reply(403, exchange.BodyJSON, false))},
		{"the device cannot be reached for the first request", profile.Autonomous, one, send(0, fake.Refused())},
		{"the first request is stored otherwise", profile.Autonomous, one, send(0, fake.Altered("subnet", "192.0.2.0 255.255.255.0"))},
		{"the second request is refused", profile.Autonomous, two, send(1, fake.CLIError(-651, false))},
		{"no answer", profile.Autonomous, one, send(0, fake.ResetAfter())},
		{"the device is lost", profile.Autonomous, critical, func(r *rig, _ plan.ID) { r.lose(1) }},
	}
	var text strings.Builder
	for _, tt := range failures {
		m := tt.mode
		if m == "" {
			m = profile.Guarded
		}
		r := newRig(t, mode(m))
		id := r.mustPlan(tt.ops).PlanID
		if tt.prepare != nil {
			tt.prepare(r, id)
		}
		_, err := r.apply(id)
		f := fault.From(err)
		if f == nil {
			t.Errorf("%s: the apply succeeded", tt.name)
			continue
		}
		fmt.Fprintf(&text, "%s\n  %s", tt.name, f.Code)
		if reason, ok := f.Details["reason"].(string); ok {
			fmt.Fprintf(&text, " (%s)", reason)
		}
		fmt.Fprintf(&text, "\n  %s\n\n", f.Message)
	}
	path := filepath.Join("testdata", "failures.txt")
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("-golden +got:\n%s", diff)
	}
}
