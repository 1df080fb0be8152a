package engine_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
)

// calls are the requests of a kind that reached the device, in order.
func (r *rig) calls(kinds ...fake.Call) []string {
	var list []string
	for _, e := range r.world.Device.Requests() {
		if slices.Contains(kinds, e.Call) {
			list = append(list, fmt.Sprintf("%s %s %s", e.Call, e.Request.Method, strings.TrimPrefix(e.Request.Path, "/api/v2/")))
		}
	}
	return list
}

// Safeguard 5: runs the operations in order and verifies each one by reading it back
// (monitor actions cannot be read back and are reported applied_unverified).
func TestApplyRunsTheOperationsInOrderAndReadsEachBack(t *testing.T) {
	r := counterRig(t)
	id := r.approved(everyKind)
	r.world.Device.Forget()
	x := r.mustApply(id)
	got := r.calls(fake.CallObject, fake.CallList, fake.CallSend)
	const rows, groups = "GET cmdb/firewall/address", "GET cmdb/firewall/addrgrp"
	want := []string{
		"object GET cmdb/system/global",
		"list " + rows, "object " + groups + "/servers", // the whole plan, once
		"object " + rows + "/new", "send POST cmdb/firewall/address", "object " + rows + "/new",
		"object " + rows + "/lan", "send PUT cmdb/firewall/address/lan", "object " + rows + "/lan",
		"object " + groups + "/servers", "list " + groups, "send DELETE cmdb/firewall/addrgrp/servers", "object " + groups + "/servers", "list " + groups,
		"send POST monitor/firewall/policy/clear_counters",
	}
	if len(got) < len(want) || strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Fatalf("requests:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var statuses []string
	for _, op := range x.Operations {
		statuses = append(statuses, string(op.Status))
	}
	if strings.Join(statuses, " ") != "verified verified verified applied_unverified" || x.Verified != 3 || x.AppliedUnverified != 1 || x.Status != "applied" {
		t.Fatalf("%s", show(x))
	}
}

// lose makes the device unreachable for good after the n-th write, as a change that
// cuts the management does.
func (r *rig) lose(n int) {
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Skip: n - 1, Times: 1}, Fault: fake.Fault{After: func() {
		for _, c := range []fake.Call{fake.CallProbe, fake.CallIdentity, fake.CallSend} {
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: c}, Fault: fake.Refused()})
		}
	}}})
}

// Safeguard 6: after each critical-risk operation, apply probes management connectivity
// with a fresh connection.
func TestApplyProbesAfterEachCriticalOperation(t *testing.T) {
	r := newRig(t)
	x := r.done("[" + critical[1:len(critical)-1] + "," + comment[1:len(comment)-1] + `,{"op":"update","resource":"system/interface","key":"port1","set":{"role":"dmz"}}]`)
	got := r.calls(fake.CallSend, fake.CallProbe)
	want := []string{
		"send PUT cmdb/system/interface/port1", "probe GET monitor/system/status",
		"send PUT cmdb/firewall/address/lan",
		"send PUT cmdb/system/interface/port1", "probe GET monitor/system/status",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("%s", strings.Join(got, "\n"))
	}
	if x.Verified != 3 {
		t.Fatalf("%s", show(x))
	}
}

func TestALostDeviceEndsTheRunAsManagementConnectivityLost(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id := ready("[" + critical[1:len(critical)-1] + "," + address("a") + "]")
		r.lose(1)
		_, err := r.apply(id)
		f := r.wantCode(err, fault.ManagementConnectivityLost)
		shown := r.shown(id).Execution
		r.wantNote(shown.Notes, "could not be reached any more")
		ops := shown.Operations
		if ops[0].Status != exchange.Verified || ops[1].Status != exchange.NotAttempted || r.writes() != 1 {
			t.Fatalf("%s", show(ops))
		}
		rollback, _ := f.Details["rollback"].(map[string]any)
		if rollback["plan_id"] == nil || f.Details["backup"] == nil || f.Details["status"] != "partial" || !strings.Contains(f.Message, "console") {
			t.Fatalf("%s\n%s", f.Message, show(f.Details))
		}
		probes := 0
		for _, e := range r.world.Device.Requests() {
			if e.Call == fake.CallProbe {
				probes++
			}
		}
		if probes != 3 {
			t.Fatalf("%d probes", probes)
		}
		r.sound()
	})
}

// The probe fails three times at the profile's address; the fourth is at the first of
// the others.
func TestALostDeviceIsLookedForAtTheOtherAddressesOfItsProfile(t *testing.T) {
	for _, tt := range []struct {
		name   string
		struck int
		want   string
	}{
		{"at the first", 3, "192.0.2.11"}, {"at the second", 4, "fw.example.net"}, {"nowhere", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, owner(func(p *profile.Profile) { p.AltHosts = []string{"192.0.2.11", "fw.example.net"} }))
			id := r.approved(critical)
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallProbe, Times: tt.struck}, Fault: fake.Refused()})
			_, err := r.apply(id)
			f := r.wantCode(err, fault.ManagementConnectivityLost)
			if at, _ := f.Details["reachable_at"].(string); at != tt.want || !strings.Contains(f.Message, cmp.Or(tt.want, "console")) {
				t.Fatalf("%q: %s", at, f.Message)
			}
		})
	}
}

func TestAProbeIsGivenTime(t *testing.T) {
	r := newRig(t)
	id := r.approved(critical)
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallProbe, Times: 2}, Fault: fake.Refused()})
	r.mustApply(id)
	total := time.Duration(0)
	for _, d := range r.world.Clock.Sleeps() {
		total += d
	}
	if total == 0 || total > 15*time.Second {
		t.Fatalf("waited %s", total)
	}
}

func TestAProbeThatMeetsAnotherDeviceIsALoss(t *testing.T) {
	r := newRig(t)
	id := r.approved(critical)
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallProbe}, Fault: fake.OtherSerial("FGT60FTK00000099")})
	_, err := r.apply(id)
	_ = r.wantCode(err, fault.ManagementConnectivityLost)
}

// Which code wins: an unknown outcome over a lost device over a partial failure.
func TestTheWorstNewsWins(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "," + critical[1:])
	r.lose(2)
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallObject, Resource: "system/interface", Skip: 2}, Fault: fake.Refused()})
	_, err := r.apply(id)
	_ = r.wantCode(err, fault.ManagementConnectivityLost) // accepted, unreadable, and the probe failed

	r = newRig(t)
	id = r.approved("[" + address("a") + "," + critical[1:])
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Skip: 1}, Fault: fake.ResetAfter()})
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallProbe}, Fault: fake.Refused()})
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallObject, Resource: "system/interface", Skip: 2}, Fault: fake.Refused()})
	_, err = r.apply(id)
	_ = r.wantCode(err, fault.OutcomeUnknown)
}

// Safeguard 7: stops at the first failure. Where nothing took effect the error has the
// failing operation's own code, with the record in its details.
func TestApplyStopsAtTheFirstFailure(t *testing.T) {
	tests := []struct {
		name  string
		fault fake.Fault
		code  fault.Code
	}{
		{"a value is refused", fake.CLIError(-651, false), fault.DeviceError},
		{"a duplicate", fake.CLIError(-5, false), fault.Conflict},
		{"the device is down", fake.Refused(), fault.DeviceUnreachable},
		{"another certificate", fake.BadCertificate(), fault.TLS},
		{"the token is refused", fake.HTML(401, false), fault.Auth},
		{"the token may not write", fake.HTML(403, false), fault.PermissionDenied},
		{"locked out", fake.HTML(429, false), fault.Auth},
		{"accepted and not there", fake.Ignored(), fault.VerifyFailed},
		{"no answer", fake.ResetBefore(), fault.OutcomeUnknown},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			everyMode(t, func(r *rig, ready func(string) plan.ID) {
				id := ready("[" + address("a") + "," + address("b") + "]")
				r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: test.fault})
				_, err := r.apply(id)
				f := r.wantCode(err, test.code)
				if n := len(r.world.Device.Requests()); n == 0 || len(r.calls(fake.CallSend)) != 1 {
					t.Fatalf("sent: %v", r.calls(fake.CallSend))
				}
				ops, _ := f.Details["operations"].([]any)
				if len(ops) != 2 || show(ops[1].(map[string]any)["status"]) != `"not_attempted"` {
					t.Fatalf("%s", show(f.Details))
				}
			})
		})
	}
}

// 401 and 429: nothing more is asked of the device, which counts log-ins that fail.
func TestADeviceThatRefusesTheTokenIsNotAskedAgain(t *testing.T) {
	for _, status := range []int{401, 429} {
		r := newRig(t)
		id := r.approved(mainJob)
		r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Skip: 4}, Fault: fake.HTML(status, false)})
		_, err := r.apply(id)
		_ = r.wantCode(err, fault.PartialFailure)
		all := r.world.Device.Requests()
		if last := all[len(all)-1]; last.Call != fake.CallSend {
			t.Errorf("%d: asked again: %s %s", status, last.Call, last.Request.Path)
		}
		if got := r.shown(id).Execution.Operations[4]; got.Observed != exchange.NotChecked || got.Status != exchange.Failed {
			t.Errorf("%s", show(got))
		}
	}
}

// An answer from another device: no read-back, no probe, and no offer to undo there.
func TestAnAnswerFromAnotherDeviceIsTheEnd(t *testing.T) {
	for name, other := range map[string]fake.Fault{"serial": fake.OtherSerial("FGT60FTK00000099"), "vdom": fake.OtherVDOM("edge")} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			id := r.approved("[" + address("a") + "," + address("b") + "]")
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Skip: 1}, Fault: other})
			_, err := r.apply(id)
			f := r.wantCode(err, fault.OutcomeUnknown)
			all := r.world.Device.Requests()
			if last := all[len(all)-1]; last.Call != fake.CallSend {
				t.Errorf("asked again: %s", last.Request.Path)
			}
			if !strings.Contains(f.Message, "ANOTHER DEVICE OR VDOM") {
				t.Errorf("%s", f.Message)
			}
			rollback, _ := f.Details["rollback"].(map[string]any)
			if rollback["complete"] != false || !strings.Contains(show(rollback["not_reversible"]), "firewall/address b") {
				t.Errorf("%s", show(rollback))
			}
			parsed, err := plan.ParseID(rollback["plan_id"].(string))
			if err != nil {
				t.Fatal(err)
			}
			if undo := r.shown(parsed); len(undo.Operations) != 1 || undo.Operations[0].Key != fake.Key("a") {
				t.Errorf("%s", show(undo.Summary))
			}
		})
	}
}

// Safeguard 8: writes a rollback plan and an audit record.
func TestApplyWritesARollbackPlanAndAnAuditRecord(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id := ready(comment)
		x := r.mustApply(id)
		undo := r.shown(*x.Rollback.PlanID)
		if undo.Kind != plan.Rollback || undo.Parent != id || undo.State != apply.Planned || !x.Rollback.Complete {
			t.Fatalf("%s", show(undo))
		}
		all := r.events(id)
		begin, end := all[len(all)-2], all[len(all)-1]
		if begin.Event != audit.ApplyBegin || end.Event != audit.ApplyEnd || end.State != apply.Applied || end.Rollback != undo.PlanID ||
			end.Ops[0].Status != "verified" || end.Ops[0].Changed != "yes" || end.Ops[0].HTTP != 200 {
			t.Fatalf("%s", show(all))
		}
		journal, err := r.world.State.Journals().Read(t.Context(), id)
		if err != nil || end.Journal != canon.Sum(journal) {
			t.Fatalf("the journal's hash is not in the record: %v", err)
		}
		if x.Audit == nil || x.Audit.Seq != end.Seq || x.AuditError != "" {
			t.Fatalf("%s", show(x.Audit))
		}
		r.sound()
	})
}

// AU-03: a log that fails during the run does not end it; the record is told to be
// missing, and the next apply to the device completes it.
func TestAnEndThatCannotBeRecordedIsCompletedByTheNextApply(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id, next := ready(comment), ready("["+address("b")+"]")
		r.world.State.Break(fake.Break{Step: fake.StepAudit, Nth: 2, How: fake.RefuseAll})
		x := r.mustApply(id)
		if x.AuditError == "" || x.Audit != nil || x.Status != "applied" {
			t.Fatalf("%s", show(x))
		}
		r.world.State.Mend()
		report, err := r.engine.VerifyAudit(t.Context())
		if err != nil || report.Broken() || len(report.Incomplete) == 0 {
			t.Fatalf("%v %s", err, show(report))
		}
		r.mustApply(next)
		all := r.events(id)
		end := all[len(all)-1]
		if end.Event != audit.ApplyEnd || !end.Recovered || end.State != apply.Applied || end.Ops[0].Status != "verified" {
			t.Fatalf("%s", show(end))
		}
		r.sound()
	})
}

// A journal that fails stops the run: before a request nothing is sent, after one the
// true status is told.
func TestAJournalThatCannotBeWrittenStopsTheRun(t *testing.T) {
	two := "[" + address("a") + "," + address("b") + "]"
	tests := []struct {
		name   string
		at     fake.Break
		code   fault.Code
		writes int
		first  exchange.Status
	}{
		{"the claim", fake.Break{Step: fake.StepClaim, Nth: 1, How: fake.Refuse}, fault.Config, 0, ""},
		{"the first intent", fake.Break{Step: fake.StepJournal, Nth: 1, How: fake.RefuseAll}, fault.Config, 0, exchange.NotAttempted},
		{"the first answer", fake.Break{Step: fake.StepJournal, Nth: 2, How: fake.RefuseAll}, fault.PartialFailure, 1, exchange.Verified},
		{"the first verdict", fake.Break{Step: fake.StepJournal, Nth: 3, How: fake.RefuseAll}, fault.PartialFailure, 1, exchange.Verified},
		{"the second intent", fake.Break{Step: fake.StepJournal, Nth: 4, How: fake.RefuseAll}, fault.PartialFailure, 1, exchange.Verified},
		{"the end", fake.Break{Step: fake.StepJournal, Nth: 8, How: fake.RefuseAll}, "", 2, exchange.Verified},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			id := r.approved(two)
			r.world.State.Break(test.at)
			x, err := r.apply(id)
			f := r.wantCode(err, test.code)
			if r.writes() != test.writes {
				t.Fatalf("%d writes", r.writes())
			}
			if test.first == "" {
				r.world.State.Mend()
				r.usable(id)
				return
			}
			told := show(x)
			if f != nil {
				told = show(f.Details["operations"])
			}
			if !strings.Contains(told, string(test.first)) {
				t.Fatalf("%s", told)
			}
			r.world.State.Mend()
			if got := r.state(id); got != apply.FailedState && got != apply.Partial && got != apply.Applied && got != apply.UnknownOutcome {
				t.Fatalf("the plan is %s", got)
			}
			_ = r.stops(id, fault.ApprovalRequired, "used")
		})
	}
}

func TestProgressTellsTheStagesInOrder(t *testing.T) {
	r := newRig(t)
	r.done(critical)
	var got []string
	for _, s := range r.world.Progress.Steps() {
		got = append(got, fmt.Sprintf("%s %d/%d", s.Stage, s.Operation, s.Of))
	}
	want := "check -1/1,backup -1/1,claim -1/1,send 0/1,verify 0/1,done 0/1,probe -1/1,end -1/1"
	if strings.Join(got, ",") != want {
		t.Fatalf("%s\nwant %s", strings.Join(got, ","), want)
	}
}
