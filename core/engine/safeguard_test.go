package engine_test

import (
	"bytes"
	"context"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/plan/planfile"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

// everyMode runs a test in each mode that writes; ready plans and, where it must be,
// approves.
func everyMode(t *testing.T, test func(r *rig, ready func(operations string) plan.ID), more ...setting) {
	for _, m := range []profile.Mode{profile.Guarded, profile.Autonomous} {
		t.Run(string(m), func(t *testing.T) {
			r := newRig(t, append([]setting{mode(m)}, more...)...)
			test(r, func(operations string) plan.ID {
				r.Helper()
				if m == profile.Guarded {
					return r.approved(operations)
				}
				return r.mustPlan(operations).PlanID
			})
		})
	}
}

// editedPlans is a store in which somebody edits the plans.
type editedPlans struct {
	port.Plans
	edit func(p *port.StoredPlan)
}

func (s editedPlans) Get(ctx context.Context, id plan.ID) (port.StoredPlan, error) {
	p, err := s.Plans.Get(ctx, id)
	if err == nil {
		s.edit(&p)
	}
	return p, err
}

// edit starts the engine again over edited plans.
func (r *rig) edit(edit func(p *port.StoredPlan)) {
	r.start(func(p *engine.Ports) { p.Plans = editedPlans{p.Plans, edit} })
}

// Safeguard 1: apply checks the plan's digest (tamper check).
func TestApplyChecksThePlansDigest(t *testing.T) {
	replace := func(p *port.StoredPlan) {
		p.File = bytes.Replace(p.File, []byte("192.0.2.50"), []byte("192.0.2.51"), 2)
	}
	tests := []struct {
		name string
		edit func(p *port.StoredPlan)
		code fault.Code
	}{
		{"the file edited by hand", replace, fault.TamperedPlan},
		{"the digest beside it as well", func(p *port.StoredPlan) { replace(p); p.Digest = planfile.Digest(p.File) }, fault.TamperedPlan},
		{"a blank at its end", func(p *port.StoredPlan) { p.File = append(p.File, ' '); p.Digest = planfile.Digest(p.File) }, fault.TamperedPlan},
		{"a version nobody knows", func(p *port.StoredPlan) {
			p.File = bytes.Replace(p.File, []byte(`"v":1`), []byte(`"v":2`), 1)
			p.Digest = planfile.Digest(p.File)
		}, fault.Config},
		{"no digest", func(p *port.StoredPlan) { p.Digest = planfile.Digest(nil) }, fault.TamperedPlan},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			everyMode(t, func(r *rig, ready func(string) plan.ID) {
				id := ready("[" + address("a") + "]")
				r.world.Device.Forget()
				r.edit(test.edit)
				_ = r.stops(id, test.code, "")
				if n := len(r.world.Device.Requests()); n > 0 {
					t.Fatalf("the device was asked %d times", n)
				}
			})
		})
	}
	t.Run("another plan's file under its name", func(t *testing.T) {
		everyMode(t, func(r *rig, ready func(string) plan.ID) {
			a, b := ready("["+address("a")+"]"), ready("["+address("b")+"]")
			other, err := r.world.State.Plans().Get(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			r.edit(func(p *port.StoredPlan) { *p = other })
			_ = r.stops(a, fault.TamperedPlan, "")
		})
	})
	t.Run("a plan whose creation is not on record", func(t *testing.T) {
		everyMode(t, func(r *rig, _ func(string) plan.ID) {
			r.world.State.Break(fake.Break{Step: fake.StepAudit, Nth: 1, How: fake.Refuse})
			v := r.mustPlan("[" + address("a") + "]")
			if v.AuditError == "" {
				t.Fatal("the result does not say that the record is missing")
			}
			_ = r.stops(v.PlanID, fault.Config, "")
		})
	})
}

// TestATamperedPlanIsOnRecord: the refusal itself stands in the audit log.
func TestATamperedPlanIsOnRecord(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	r.edit(func(p *port.StoredPlan) { p.File = append(p.File, ' ') })
	_ = r.stops(id, fault.TamperedPlan, "")
	all := r.events(id)
	if last := all[len(all)-1]; last.Event != audit.ApplyRefused || last.Code != "tampered_plan" {
		t.Fatalf("%s", show(last))
	}
}

// Safeguard 2: apply re-reads every object the plan touches and checks the device's
// serial number, refusing with stale_plan if anything changed since planning.
func TestApplyRefusesAPlanWhoseDeviceChanged(t *testing.T) {
	policies := fake.At("firewall/policy")
	second := row("firewall/policy", map[string]any{"policyid": 2, "name": "second", "schedule": "always"})
	const moved = `[{"op":"update","resource":"firewall/policy","key":2,"position":{"before":1}}]`
	tests := []struct {
		name       string
		operations string
		then       func(r *rig) error
		reason     string
	}{
		{"an object changed", comment, func(r *rig) error { r.meddle("lan", map[string]any{"color": 3}); return nil }, "object"},
		{"the last object of several changed", "[" + address("a") + "," + comment[1:], func(r *rig) error { r.meddle("lan", map[string]any{"color": 3}); return nil }, "object"},
		{"an object to update deleted", comment, func(r *rig) error { return r.world.Device.Remove(fake.At("firewall/address"), fake.Key("lan")) }, "object"},
		{"an object to delete changed", `[{"op":"delete","resource":"firewall/addrgrp","key":"servers"}]`, func(r *rig) error {
			return r.world.Device.Change(fake.At("firewall/addrgrp"), fake.Key("servers"), map[string]any{"comment": "in use"})
		}, "object"},
		{"a member taken out", `[{"op":"update","resource":"firewall/addrgrp","key":"servers","add":{"member":["all"]}}]`, func(r *rig) error {
			return r.world.Device.Change(fake.At("firewall/addrgrp"), fake.Key("servers"), map[string]any{"member": []any{map[string]any{"name": "all"}}})
		}, "object"},
		{"a row to create exists now", "[" + address("a") + "]", func(r *rig) error {
			return r.world.Device.Put(fake.At("firewall/address"), map[string]any{"name": "a"})
		}, "object"},
		{"a singleton changed", `[{"op":"update","resource":"system/global","set":{"hostname":"x"}}]`, func(r *rig) error {
			return r.world.Device.Change(fake.At("system/global"), operation.Key{}, map[string]any{"alias": "mine"})
		}, "object"},
		{"the order of a move changed", moved, func(r *rig) error {
			return r.world.Device.Put(policies, map[string]any{"policyid": 3, "name": "third", "schedule": "always"})
		}, "object"},
		{"the order that a new row's position is in changed", "[" + strings.TrimSuffix(strings.ReplaceAll(policyOn, "%s", ""), "}") + `,"position":{"before":1}}]`, func(r *rig) error {
			return r.world.Device.Move(policies, fake.ID(2), operation.Position{Before: true, Anchor: fake.ID(1)})
		}, "object"},
		{"a neighbour moved", moved, func(r *rig) error {
			return r.world.Device.Move(policies, fake.ID(2), operation.Position{Before: true, Anchor: fake.ID(1)})
		}, "object"},
		{"another serial (a cluster that failed over)", comment, func(r *rig) error { r.world.Device.SetIdentity(otherSerial); return nil }, "serial"},
		{"another build", comment, func(r *rig) error { r.world.Device.SetIdentity(otherBuild); return nil }, "version"},
		{"another version", comment, func(r *rig) error {
			r.world.Device.SetIdentity(func(id *port.Identity) { id.Version = "v7.4.9" })
			return nil
		}, "version"},
		{"another pinned certificate", comment, func(r *rig) error {
			r.operator(func(p *profile.Profile) { p.Trust = "spki-sha256:11" })
			return nil
		}, "profile"},
		{"another address in the profile", comment, func(r *rig) error {
			r.operator(func(p *profile.Profile) { p.Host = "192.0.2.99" })
			return nil
		}, "profile"},
		{"seven days", comment, func(r *rig) error { r.world.Clock.Advance(plan.Lifetime); return nil }, "plan_expired"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			everyMode(t, func(r *rig, ready func(string) plan.ID) {
				id := ready(test.operations)
				if err := test.then(r); err != nil {
					t.Fatal(err)
				}
				f := r.stops(id, fault.StalePlan, test.reason)
				if !strings.Contains(f.Message, "make a new plan") {
					t.Errorf("the next step is missing: %s", f.Message)
				}
				if _, err := r.world.State.Journals().Read(t.Context(), id); fault.CodeOf(err) != fault.NotFound {
					t.Errorf("the plan was claimed: %v", err)
				}
				all := r.events(id)
				if last := all[len(all)-1]; last.Event != audit.ApplyRefused || last.Code != "stale_plan" || last.Note != test.reason {
					t.Errorf("on record: %s", show(last))
				}
			}, second)
		})
	}
}

// A clock that is set back gives a plan no longer life.
func TestAPlanThatWasTooOldStaysSo(t *testing.T) {
	r := newRig(t, mode(profile.Autonomous))
	id := r.mustPlan(comment).PlanID
	r.world.Clock.Advance(plan.Lifetime)
	r.mustPlan("[" + address("later") + "]") // the time is on record
	r.world.Clock.Reboot()
	r.world.Clock.Set(fake.Start)
	_ = r.stops(id, fault.StalePlan, "plan_expired")
}

// A binary that knows other facts does not run a plan that was judged by these.
func TestAPlanJudgedByOtherFactsIsStale(t *testing.T) {
	r := newRig(t)
	id := r.approved(comment)
	other, err := fake.NewCatalog(fake.Builtin()[:5]...)
	if err != nil {
		t.Fatal(err)
	}
	r.start(func(p *engine.Ports) { p.Catalog = other })
	_ = r.stops(id, fault.StalePlan, "engine_changed")
	r.isNoMoreApproved(id, "another catalog", fault.StalePlan)
}

// isNoMoreApproved checks that a plan that was approved and can never be applied is told
// as one that is neither to be approved nor to be applied, and why.
func (r *rig) isNoMoreApproved(id plan.ID, why string, code fault.Code) {
	r.Helper()
	v, err := r.engine.Show(r.Context(), r.caller, id)
	if err != nil {
		r.Fatal(err)
	}
	if v.State != apply.Planned || v.Apply != "" || v.Approve != "" || !strings.Contains(strings.Join(v.Notes, "\n"), why) {
		r.Errorf("%s, apply %q, approve %q, notes %q", v.State, v.Apply, v.Approve, v.Notes)
	}
	lines, err := r.engine.List(r.Context(), r.caller)
	if err != nil || len(lines) != 1 || lines[0].State != apply.Planned {
		r.Errorf("the list says %s (%v)", show(lines), err)
	}
	_, err = r.engine.Review(r.Context(), r.caller, id, 80, false)
	_ = r.wantCode(err, code)
}

// Nor is one that the log has lost: whether it was executed is not known.
func TestAPlanFromBeforeAGapOfTheLogIsNotToldAsApproved(t *testing.T) {
	r := newRig(t)
	id := r.approved(comment)
	r.world.Clock.Advance(time.Minute)
	e := audit.Entry{Event: audit.Gap, At: r.world.Clock.Now()}
	if _, err := r.world.State.Audit().Append(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	_ = r.stops(id, fault.StalePlan, "audit_gap")
	r.isNoMoreApproved(id, "the audit log lost records", fault.StalePlan)
}

func TestAPlanWithoutARecordOfItsCreationIsNotToldAsApproved(t *testing.T) {
	r := newRig(t)
	id := r.approved(comment)
	r.start(func(p *engine.Ports) { p.Audit = emptyLog{p.Audit} })
	r.isNoMoreApproved(id, "no record of the creation", fault.Config)
}

// emptyLog is a log that knows nothing.
type emptyLog struct{ port.AuditLog }

func (emptyLog) Lines(context.Context) iter.Seq2[[]byte, error] {
	return func(func([]byte, error) bool) {}
}

// A row deleted and created again just as it was is the same: what it is counts, not
// its history.
func TestARowThatWasCreatedAgainIdenticallyIsNotStale(t *testing.T) {
	r := newRig(t)
	id := r.approved(comment)
	was := r.object("firewall/address", "lan")
	delete(was, "uuid")
	if err := r.world.Device.Remove(fake.At("firewall/address"), fake.Key("lan")); err != nil {
		t.Fatal(err)
	}
	if err := r.world.Device.Put(fake.At("firewall/address"), was); err != nil {
		t.Fatal(err)
	}
	r.mustApply(id)
}

// Safeguard 3: apply checks that the audit log can be written, and refuses with config
// (nothing sent) if not.
func TestApplyRefusesWhereTheAuditLogCannotBeWritten(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id := ready(comment)
		r.world.State.Break(fake.Break{Step: fake.StepAudit, Nth: 1, How: fake.RefuseAll})
		f := r.stops(id, fault.Config, "")
		if !strings.Contains(f.Message, "nothing was sent") {
			t.Errorf("message: %s", f.Message)
		}
		r.world.State.Mend()
		if r.state(id) == apply.Interrupted {
			t.Fatal("the plan was claimed")
		}
		r.mustApply(id)
	})
}

// Safeguard 4: for a critical-risk plan, apply first saves a configuration backup and
// refuses with policy_denied if it cannot, unless the profile says otherwise.
func TestApplySavesABackupBeforeACriticalPlan(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id := ready(critical)
		x := r.mustApply(id)
		content, stored := r.world.State.Backups().Content(x.Backup.Name)
		if !stored || !bytes.HasPrefix(content, []byte("#config-version=FGT60F-7.4.8")) || !bytes.Contains(content, []byte("ping https ssh")) {
			t.Fatalf("backup %+v:\n%.200s", x.Backup, content)
		}
		var order []fake.Call
		for _, e := range r.world.Device.Requests() {
			if e.Call == fake.CallBackup || e.Call == fake.CallSend {
				order = append(order, e.Call)
			}
		}
		if len(order) != 2 || order[0] != fake.CallBackup {
			t.Fatalf("%v", order)
		}
	})
}

// VR-10.
func TestApplyRefusesACriticalPlanWithoutABackup(t *testing.T) {
	page := func(status int, body exchange.BodyKind) fake.Fault { return fake.Reply(status, body, false) }
	tests := []struct {
		name   string
		fault  fake.Fault
		stop   fake.Break
		change func(text string) string
	}{
		{name: "the device answers 500", fault: page(500, exchange.BodyOther)},
		{name: "the device answers a page", fault: fake.HTML(200, false)},
		{name: "the device cannot be reached", fault: fake.Refused()},
		{name: "the token may not", fault: page(403, exchange.BodyHTML)},
		{name: "the disk is full", stop: fake.Break{Step: fake.StepBackup, Nth: 1, How: fake.Refuse}},
		{name: "it is short", change: cut(100)},
		{name: "it is empty", change: cut(0)},
		{name: "it is of another build", change: swap("build2795", "build2000")},
		{name: "it is no configuration", change: swap("#config-version=", "<html>")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			everyMode(t, func(r *rig, ready func(string) plan.ID) {
				id := ready(critical)
				if test.fault.Facts != nil {
					r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallBackup}, Fault: test.fault})
				}
				if test.stop.Step != "" {
					r.world.State.Break(test.stop)
				}
				if test.change != nil {
					r.start(func(p *engine.Ports) { p.Devices = altered{p.Devices, test.change} })
				}
				_ = r.stops(id, fault.PolicyDenied, "backup")
				if names := r.world.State.Backups().Names(); len(names) > 0 {
					t.Errorf("kept: %v", names)
				}
				r.operator(func(p *profile.Profile) { p.NoBackup = true })
				x := r.mustApply(id)
				r.wantNote(x.Notes, "no backup was made")
				if x.Backup != nil {
					t.Errorf("a backup is named: %+v", x.Backup)
				}
			})
		})
	}
}

func TestAPlanThatIsNotCriticalNeedsNoBackup(t *testing.T) {
	r := newRig(t)
	if x := r.done(comment); x.Backup != nil || len(r.world.State.Backups().Names()) > 0 {
		t.Fatalf("%s", show(x.Backup))
	}
}

// What the mode asks for is told of a plan that waits for it, and of no other; it is that
// of now.
func TestWhatAPlanWaitsForIsToldWhileItWaits(t *testing.T) {
	r := newRig(t)
	id := r.mustPlan(comment).PlanID
	told := func(what string) bool {
		v, err := r.engine.Show(t.Context(), r.caller, id)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(strings.Join(v.Notes, "\n"), what)
	}
	const human = "a human must approve this plan"
	if !told(human) {
		t.Error("it waits for a human, and that is not told")
	}
	r.operator(func(p *profile.Profile) { p.Mode = profile.ReadOnly })
	if told(human) || !told("reviewed but not applied") {
		t.Error("the mode of its planning is told, and not that of now")
	}
	r.operator(func(p *profile.Profile) { p.Mode = profile.Guarded })
	r.approve(id)
	if told(human) {
		t.Error("it was approved, and is told to wait for that")
	}
	r.mustApply(id)
	if told(human) {
		t.Error("it was applied, and is told to wait for an approval")
	}
}
