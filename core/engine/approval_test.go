package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
)

func TestWithoutAnApprovalAGuardedApplyIsRefusedInTheSpecificationsWords(t *testing.T) {
	r := newRig(t)
	id := r.mustPlan("[" + address("a") + "]").PlanID
	f := r.stops(id, fault.ApprovalRequired, "missing")
	command := "forti plan approve " + id.String()
	if want := "plan " + id.String() + " needs a human approval (guarded mode): " + command; f.Message != want {
		t.Errorf("message %q, want %q", f.Message, want)
	}
	if len(f.Details) != 3 || f.Details["plan_id"] != id.String() || f.Details["approve_command"] != command {
		t.Errorf("details: %s", show(f.Details))
	}
	advice := "Approval required (guarded mode). Ask the user to run this in their own terminal, then call forti_apply again with the same plan_id:\n  " + command
	if got := engine.Advice(f); got != advice {
		t.Errorf("advice %q, want %q", got, advice)
	}
}

func TestOnlyAnErrorThatAsksForAHumanCarriesAdvice(t *testing.T) {
	for _, err := range []error{nil, errors.New("x"), fault.New(fault.StalePlan, "x")} {
		if got := engine.Advice(err); got != "" {
			t.Errorf("%v: %q", err, got)
		}
	}
}

// An approval holds for one digest, 24 hours, once.
func TestWhatEndsAnApproval(t *testing.T) {
	const day = 24 * time.Hour
	tests := []struct {
		name   string
		then   func(r *rig, id plan.ID)
		reason string // "" where it still holds
		detail string
	}{
		{"a moment before 24 hours", func(r *rig, _ plan.ID) { r.world.Clock.Advance(day - 1) }, "", ""},
		{"exactly 24 hours", func(r *rig, _ plan.ID) { r.world.Clock.Advance(day) }, "expired", ""},
		{"24 hours while the clock was set back", func(r *rig, _ plan.ID) {
			r.world.Clock.Advance(day)
			r.world.Clock.Set(fake.Start)
		}, "expired", ""},
		{"the clock an hour behind the audit log, after a reboot", func(r *rig, _ plan.ID) {
			r.world.Clock.Reboot()
			r.world.Clock.Set(fake.Start.Add(-time.Hour))
		}, "expired", "clock"},
		{"a clock that is five minutes behind", func(r *rig, _ plan.ID) {
			r.world.Clock.Reboot()
			r.world.Clock.Set(fake.Start.Add(-5 * time.Minute))
		}, "", ""},
		{"revoked", func(r *rig, id plan.ID) {
			if err := r.engine.Revoke(r.Context(), r.caller, id); err != nil {
				r.Fatal(err)
			}
		}, "revoked", ""},
		{"the file edited", func(r *rig, id plan.ID) {
			r.editApproval(id, func(file []byte) []byte { return append(file, ' ') })
		}, "invalid", "form"},
		{"the file of another plan", func(r *rig, id plan.ID) {
			other := r.approved("[" + address("other") + "]")
			r.editApproval(other, func([]byte) []byte { return r.approvalFile(id) })
			r.editApproval(id, func([]byte) []byte { return r.approvalFile(other) })
		}, "", ""},
		{"for another digest", func(r *rig, id plan.ID) {
			r.editApproval(id, edited(func(a *approval.Approval) { a.Digest = canon.Sum([]byte("x")) }))
		}, "changed", ""},
		{"for another serial", func(r *rig, id plan.ID) {
			r.editApproval(id, edited(func(a *approval.Approval) { a.Serial = "FGT60FTK00000099" }))
		}, "changed", ""},
		{"for another profile", func(r *rig, id plan.ID) {
			r.editApproval(id, edited(func(a *approval.Approval) { a.Profile = "edge" }))
		}, "changed", ""},
		{"dated two hours in the future", func(r *rig, id plan.ID) {
			r.editApproval(id, edited(func(a *approval.Approval) { a.Grants[0].At = a.Grants[0].At.Add(2 * time.Hour) }))
		}, "expired", "clock"},
		{"the profile asks for a second approver now", func(r *rig, _ plan.ID) {
			r.operator(func(p *profile.Profile) { p.Approval.Required = 2 })
		}, "missing", ""},
		{"the profile asks for signatures now", func(r *rig, _ plan.ID) {
			r.operator(func(p *profile.Profile) { p.Approval.Signers = "signers" })
		}, "invalid", "signature"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			id := r.approved("[" + address("a") + "]")
			test.then(r, id)
			if test.reason == "" {
				r.mustApply(id)
				return
			}
			f := r.stops(id, fault.ApprovalRequired, test.reason)
			if detail, _ := f.Details["detail"].(string); detail != test.detail {
				t.Errorf("detail %q, want %q", detail, test.detail)
			}
			_ = r.stops(id, fault.ApprovalRequired, test.reason) // asking again changes nothing
		})
	}
}

// approvalFile is the stored approval.
func (r *rig) approvalFile(id plan.ID) []byte {
	r.Helper()
	file, err := r.world.State.Approvals().Get(r.Context(), id)
	if err != nil {
		r.Fatal(err)
	}
	return file
}

func (r *rig) editApproval(id plan.ID, edit func(file []byte) []byte) {
	r.Helper()
	if err := r.world.State.Approvals().Put(r.Context(), id, edit(bytes.Clone(r.approvalFile(id)))); err != nil {
		r.Fatal(err)
	}
}

func edited(change func(a *approval.Approval)) func(file []byte) []byte {
	return func(file []byte) []byte {
		a, err := approval.Parse(file)
		if err != nil {
			panic(err)
		}
		change(a)
		data, err := a.Encode()
		if err != nil {
			panic(err)
		}
		return data
	}
}

// operator changes the profile.
func (r *rig) operator(change func(p *profile.Profile)) {
	r.Helper()
	list, _, err := r.world.Profiles.List(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	change(&list[0])
	r.world.Profiles.Set(list[0])
}

// AP-06: an approval cannot be carried to another plan by editing the id.
func TestTheApprovalOfOnePlanIsWorthNothingForAnother(t *testing.T) {
	r := newRig(t)
	a, b := r.approved("["+address("a")+"]"), r.mustPlan("["+address("b")+"]").PlanID
	copied := edited(func(x *approval.Approval) { x.PlanID = b })(r.approvalFile(a))
	if err := r.world.State.Approvals().Put(t.Context(), b, copied); err != nil {
		t.Fatal(err)
	}
	_ = r.stops(b, fault.ApprovalRequired, "changed")
}

// RC-04: a clock that is set back does not revive an expired approval, however often
// the apply is tried.
func TestAnExpiredApprovalStaysExpiredWhenTheClockIsSetBack(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	r.world.Clock.Advance(25 * time.Hour)
	_ = r.stops(id, fault.ApprovalRequired, "expired")
	r.world.Clock.Reboot()
	r.world.Clock.Set(fake.Start.Add(23 * time.Hour))
	r.mustPlan("[" + address("later") + "]") // on record with the time of the clock that was set back
	for range 3 {
		f := r.stops(id, fault.ApprovalRequired, "expired")
		if f.Details["detail"] != "clock" {
			t.Fatalf("details: %s", show(f.Details))
		}
	}
}

// AP-03: used once, from wherever it is tried again, with the record of the first run.
func TestAUsedApprovalCarriesTheRecordOfItsUse(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	r.mustApply(id)
	second := &rig{T: t, world: r.world, caller: engine.Caller{Program: "other"}}
	second.start()
	for _, each := range []*rig{r, second} {
		f := each.stops(id, fault.ApprovalRequired, "used")
		x, _ := f.Details["execution"].(map[string]any)
		if x["status"] != "applied" {
			t.Fatalf("details: %s", show(f.Details))
		}
		if got := engine.Advice(f); !bytes.Contains([]byte(got), []byte("make a new plan")) {
			t.Fatalf("advice: %s", got)
		}
	}
	if err := r.approveAs(id, "alice"); fault.CodeOf(err) != fault.Conflict {
		t.Fatalf("a used plan could be approved again: %v", err)
	}
	if err := r.engine.Revoke(t.Context(), r.caller, id); fault.CodeOf(err) != fault.Conflict {
		t.Fatalf("a used plan could be revoked: %v", err)
	}
}

func TestWhereTwoMustApproveTwoDifferentPeopleMust(t *testing.T) {
	r := newRig(t, owner(func(p *profile.Profile) { p.Approval.Required = 2 }))
	id := r.approved("[" + address("a") + "]")
	wantMissing := func() {
		t.Helper()
		f := r.stops(id, fault.ApprovalRequired, "missing")
		if f.Details["have"] != 1 || f.Details["need"] != 2 {
			t.Fatalf("details: %s", show(f.Details))
		}
	}
	wantMissing()
	r.approve(id) // alice again
	wantMissing()
	if err := r.approveAs(id, "bob"); err != nil {
		t.Fatal(err)
	}
	r.mustApply(id)
}

func TestTheCountOfApproversIsTheOneThatCounts(t *testing.T) {
	r := newRig(t, owner(func(p *profile.Profile) { p.Approval.Required = 2 }))
	id := r.mustPlan("[" + address("a") + "]").PlanID
	review, err := r.engine.Review(t.Context(), r.caller, id, 80, false)
	if err != nil {
		t.Fatal(err)
	}
	var last *engine.Approved
	for _, host := range []string{"ws1", "ws2"} { // one person at two machines
		ev := engine.Evidence{Method: approval.Typed, Approver: approval.Approver{User: "alice", Host: host}}
		if last, err = r.engine.Approve(t.Context(), r.caller, id, review.Digest, ev); err != nil {
			t.Fatal(err)
		}
	}
	if last.Have != 1 || last.Need != 2 {
		t.Fatalf("have %d of %d", last.Have, last.Need)
	}
	_ = r.stops(id, fault.ApprovalRequired, "missing")
}

func TestWhatCannotBeApproved(t *testing.T) {
	ctx := context.Background()
	tests := []struct {
		name   string
		before func(r *rig, id plan.ID)
		code   fault.Code
	}{
		{"what is revoked", func(r *rig, id plan.ID) { _ = r.engine.Revoke(ctx, r.caller, id) }, fault.PolicyDenied},
		{"what is too old", func(r *rig, _ plan.ID) { r.world.Clock.Advance(plan.Lifetime) }, fault.StalePlan},
		{"a plan of an autonomous profile", func(r *rig, _ plan.ID) {
			r.operator(func(p *profile.Profile) { p.Mode = profile.Autonomous })
		}, fault.PolicyDenied},
		{"by typing, where signatures are asked for", func(r *rig, _ plan.ID) {
			r.operator(func(p *profile.Profile) { p.Approval.Signers = "signers" })
		}, fault.PolicyDenied},
		{"what leaves no trace", func(r *rig, _ plan.ID) {
			r.world.State.Break(fake.Break{Step: fake.StepAudit, Nth: 1, How: fake.Refuse})
		}, fault.Config},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			id := r.mustPlan("[" + address("a") + "]").PlanID
			test.before(r, id)
			_ = r.wantCode(r.approveAs(id, "alice"), test.code)
			if _, err := r.world.State.Approvals().Get(ctx, id); fault.CodeOf(err) != fault.NotFound {
				t.Fatalf("an approval was stored: %v", err)
			}
		})
	}
	t.Run("another digest than the one shown", func(t *testing.T) {
		r := newRig(t)
		id := r.mustPlan("[" + address("a") + "]").PlanID
		for _, digest := range []canon.Digest{{}, canon.Sum([]byte("x"))} {
			_, err := r.engine.Approve(ctx, r.caller, id, digest, engine.Evidence{Method: approval.Typed})
			_ = r.wantCode(err, fault.TamperedPlan)
		}
	})
}

func TestASignedApprovalIsTakenFromThePermittedSigners(t *testing.T) {
	r := newRig(t, owner(func(p *profile.Profile) { p.Approval.Signers = "signers" }),
		func(o *fake.WorldOptions) { o.Signers = []string{"SHA256:carol"} })
	v := r.mustPlan("[" + address("a") + "]")
	sign := func(key string) error {
		message, err := canon.Marshal(map[string]any{
			"v": 1, "plan_id": v.PlanID.String(), "plan_digest": v.Digest.String(), "serial": v.Device.Serial, "profile": "demo",
			"signed_at": r.world.Clock.Now().UTC().Format(time.RFC3339Nano),
		})
		if err != nil {
			t.Fatal(err)
		}
		review, err := r.engine.Review(t.Context(), r.caller, v.PlanID, 80, false)
		if err != nil {
			t.Fatal(err)
		}
		ev := engine.Evidence{
			Method: approval.Signed, Signers: review.List.Digest, Approver: approval.Approver{Key: key}, Signature: fake.Sign(key, message), SignedAt: r.world.Clock.Now(),
		}
		_, err = r.engine.Approve(t.Context(), r.caller, v.PlanID, v.Digest, ev)
		return err
	}
	_ = r.wantCode(sign("SHA256:mallory"), fault.PermissionDenied)
	_ = r.stops(v.PlanID, fault.ApprovalRequired, "missing")
	if err := sign("SHA256:carol"); err != nil {
		t.Fatal(err)
	}
	r.mustApply(v.PlanID)
}

// Two signers: one signature is too few, a second one of the same signer still is, and
// the 24 hours count from the older of two.
func TestTwoSignersMustBeTwo(t *testing.T) {
	r := newRig(t, owner(func(p *profile.Profile) { p.Approval.Signers, p.Approval.Required = "signers", 2 }),
		func(o *fake.WorldOptions) { o.Signers = []string{"SHA256:carol", "SHA256:dave"} })
	v := r.mustPlan("[" + address("a") + "]")
	sign := func(key string, at time.Time) *engine.Approved {
		t.Helper()
		review, err := r.engine.Review(t.Context(), r.caller, v.PlanID, 80, false)
		if err != nil {
			t.Fatal(err)
		}
		message, err := review.Statement(at).Encode()
		if err != nil {
			t.Fatal(err)
		}
		done, err := r.engine.Approve(t.Context(), r.caller, v.PlanID, v.Digest, engine.Evidence{
			Method: approval.Signed, Approver: approval.Approver{Key: key}, Signature: fake.Sign(key, message), SignedAt: at, Signers: review.List.Digest,
		})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	first := r.world.Clock.Now()
	for range 2 {
		if done := sign("SHA256:carol", r.world.Clock.Now()); done.Have != 1 || done.Need != 2 || done.Apply != "" {
			t.Errorf("%s", show(done))
		}
		f := r.stops(v.PlanID, fault.ApprovalRequired, "missing")
		if f.Details["have"] != 1 || f.Details["need"] != 2 {
			t.Errorf("%s", show(f.Details))
		}
		r.world.Clock.Advance(time.Hour)
	}
	if done := sign("SHA256:dave", r.world.Clock.Now()); done.Have != 2 || done.Apply == "" || !done.Expires.Equal(first.Add(24*time.Hour)) {
		t.Errorf("%s, signed first at %s", show(done), first)
	}
	r.world.Clock.Advance(22 * time.Hour)
	_ = r.stops(v.PlanID, fault.ApprovalRequired, "expired")
	r.world.Clock.Advance(-time.Minute)
	r.mustApply(v.PlanID)
}

// carolSigns is a plan that carol is about to sign: sign takes what was shown to her.
func carolSigns(t *testing.T, need int) (r *rig, id plan.ID, shown approval.Signers, sign func(shown canon.Digest) error) {
	t.Helper()
	r = newRig(t, owner(func(p *profile.Profile) { p.Approval.Signers, p.Approval.Required = "signers", need }),
		func(o *fake.WorldOptions) { o.Signers = []string{"carol", "dave"} })
	v := r.mustPlan(critical)
	review, err := r.engine.Review(t.Context(), r.caller, v.PlanID, 80, false)
	if err != nil {
		t.Fatal(err)
	}
	return r, v.PlanID, review.List, func(shown canon.Digest) error {
		at := r.world.Clock.Now()
		message, err := review.Statement(at).Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.engine.Approve(t.Context(), r.caller, v.PlanID, v.Digest, engine.Evidence{
			Method: approval.Signed, Approver: approval.Approver{Key: "carol"}, Signature: fake.Sign("carol", message), SignedAt: at, Signers: shown,
		})
		return err
	}
}

// Who may sign is part of what a person agrees to: a list that was swapped behind the
// screen gives no approval, even where the signature is by a key that is on both.
func TestAnApprovalIsByTheListOfSignersThatWasShown(t *testing.T) {
	r, id, shown, sign := carolSigns(t, 1)
	if !slices.Equal(shown.Names, []string{"carol", "dave"}) {
		t.Errorf("shown: %v", shown)
	}
	for name, digest := range map[string]canon.Digest{"another list": canon.Sum([]byte("x")), "none": {}} {
		if f := r.wantCode(sign(digest), fault.PolicyDenied); f.Details["reason"] != "signers_changed" {
			t.Errorf("%s: %s", name, show(f))
		}
	}
	r.world.Verifier.Permit("carol", "mallory")
	if f := r.wantCode(sign(shown.Digest), fault.PolicyDenied); f.Details["reason"] != "signers_changed" {
		t.Errorf("swapped: %s", show(f))
	}
	_ = r.stops(id, fault.ApprovalRequired, "missing")
	r.world.Verifier.Permit("carol", "dave")
	if err := sign(shown.Digest); err != nil {
		t.Fatal(err)
	}
	r.mustApply(id)
}

// A list that becomes another one ends the approvals by the old one, at the latest moment
// too, and their grants do not count beside new ones.
func TestAnotherListOfSignersEndsAnApproval(t *testing.T) {
	r, id, shown, sign := carolSigns(t, 1)
	if err := sign(shown.Digest); err != nil {
		t.Fatal(err)
	}
	r.world.Verifier.Permit("carol", "dave", "mallory")
	if f := r.stops(id, fault.ApprovalRequired, "changed"); f.Details["detail"] != approval.Relisted {
		t.Errorf("%s", show(f))
	}
	if got := r.state(id); got != apply.Planned {
		t.Errorf("the plan is %s", got)
	}
	r.world.Verifier.Permit("carol", "dave")
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallBackup, Times: 1}, Fault: fake.Fault{After: func() { r.world.Verifier.Permit("carol", "mallory") }}})
	_ = r.stops(id, fault.ApprovalRequired, "changed")
	r.world.Verifier.Permit("carol", "dave")
	r.mustApply(id)

	r, id, shown, sign = carolSigns(t, 2)
	if err := sign(shown.Digest); err != nil {
		t.Fatal(err)
	}
	r.world.Verifier.Permit("carol", "dave", "erin")
	review, err := r.engine.Review(t.Context(), r.caller, id, 80, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := sign(review.List.Digest); err != nil {
		t.Fatal(err)
	}
	if f := r.stops(id, fault.ApprovalRequired, "missing"); f.Details["have"] != 1 {
		t.Errorf("%s", show(f))
	}
}

func TestARevokedPlanIsRevokedWhetherOrNotItWasApproved(t *testing.T) {
	for _, m := range []profile.Mode{profile.Guarded, profile.Autonomous} {
		t.Run(string(m), func(t *testing.T) {
			r := newRig(t, mode(m))
			id := r.mustPlan("[" + address("a") + "]").PlanID
			if err := r.engine.Revoke(t.Context(), r.caller, id); err != nil {
				t.Fatal(err)
			}
			if got := r.state(id); got != apply.PlanRevoked {
				t.Fatalf("the plan is %s", got)
			}
			if m == profile.Autonomous {
				_ = r.stops(id, fault.PolicyDenied, "revoked")
				return
			}
			_ = r.stops(id, fault.ApprovalRequired, "revoked")
			if v, err := r.engine.Show(t.Context(), r.caller, id); err != nil || v.Apply != "" || v.Approve != "" {
				t.Errorf("a revoked plan offers %q and %q, %v", v.Apply, v.Approve, err)
			}
		})
	}
}

// AP-09: what fails before the claim leaves the approval for the next try.
func TestAFailureBeforeTheClaimLeavesTheApprovalUnused(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	r.world.Device.Fail(fake.Rule{Fault: fake.Refused()})
	_ = r.stops(id, fault.DeviceUnreachable, "")
	r.usable(id)
	r.world.Device.Heal()
	r.world.Device.Fail(fake.Rule{Fault: fake.BadCertificate()}) // TR-02: another certificate
	_ = r.stops(id, fault.TLS, "")
	r.usable(id)
	r.world.Device.Heal()
	r.mustApply(id)
	if r.writes() != 1 {
		t.Fatalf("%d writes", r.writes())
	}
}

func TestWhoApprovedStandsInTheAuditLog(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	r.mustApply(id)
	file := canon.Sum(r.approvalFile(id))
	for _, e := range r.events(id) {
		switch e.Event {
		case audit.ApprovalGranted, audit.ApplyBegin, audit.ApplyEnd:
			if e.Approval == nil || e.Approval.Approver != "alice@ws1" || e.Approval.Method != "typed" || e.Approval.File != file {
				t.Errorf("%s: %s", e.Event, show(e.Approval))
			}
		default:
			if e.Approval != nil {
				t.Errorf("%s names an approval", e.Event)
			}
		}
	}
	r.sound()
}

// The head of the log on the screen is a witness outside of the state.
func TestTheScreenNamesTheHeadOfTheAuditLog(t *testing.T) {
	r := newRig(t)
	id := r.mustPlan("[" + address("a") + "]").PlanID
	_ = r.mustPlan("[" + address("b") + "]")
	review, err := r.engine.Review(t.Context(), r.caller, id, 80, false)
	if err != nil {
		t.Fatal(err)
	}
	head, ok, err := r.world.State.Audit().Head(t.Context())
	if err != nil || !ok || head.Seq == 0 {
		t.Fatal(head, ok, err)
	}
	if !strings.Contains(review.Screen, fmt.Sprintf("Audit log: record %d", head.Seq)) || !strings.Contains(review.Screen, head.Hash.String()) {
		t.Errorf("the head %v is not on the screen:\n%s", head, review.Screen)
	}
}

func TestARefusalByAHumanIsOnRecord(t *testing.T) {
	r := newRig(t)
	id := r.mustPlan("[" + address("a") + "]").PlanID
	if err := r.engine.RefuseApproval(t.Context(), r.caller, id, "wrong \x1b[2Jcode"); err != nil {
		t.Fatal(err)
	}
	all := r.events(id)
	last := all[len(all)-1]
	if last.Event != audit.ApprovalRefused || last.Note != `wrong \x1b[2Jcode` {
		t.Fatalf("%s", show(last))
	}
}

// An approval is what a human gave on record. A file alone is none, however well it is
// made, and neither is one of another plan or from before the plan was withdrawn.
func TestAnApprovalThatIsNotOnRecordIsNone(t *testing.T) {
	r := newRig(t)
	v := r.mustPlan("[" + address("a") + "]")
	now := r.world.Clock.Now()
	boot, since := r.world.Clock.Boot()
	forged := &approval.Approval{
		V: approval.Format, PlanID: v.PlanID, Digest: v.Digest, Serial: v.Device.Serial, Profile: "demo",
		Grants: []approval.Grant{{
			Method: approval.Typed, At: now.UTC(), BootID: boot, BootTime: since.Microseconds(),
			Approver: approval.Approver{User: "alice", Host: "ws1"}, Screen: v.Digest, Challenge: "K7Q2M9",
		}},
	}
	r.putApproval(forged)
	f := r.stops(v.PlanID, fault.ApprovalRequired, "invalid")
	if f.Details["detail"] != approval.Unrecorded {
		t.Errorf("%s", show(f))
	}
	if got := r.state(v.PlanID); got != apply.Planned {
		t.Errorf("the plan is %s", got)
	}
	// A human's own approval takes its place, and the same file edited afterwards does not.
	r.approve(v.PlanID)
	given := r.approvalFile(v.PlanID)
	r.editApproval(v.PlanID, edited(func(a *approval.Approval) { a.Grants[0].At = a.Grants[0].At.Add(time.Second) }))
	_ = r.stops(v.PlanID, fault.ApprovalRequired, "invalid")
	r.editApproval(v.PlanID, func([]byte) []byte { return given })
	r.mustApply(v.PlanID)
}

// No grant is added to a file that nobody gave: a second human would vouch for a first
// who does not exist.
func TestAGrantIsNeverAddedToAForgedOne(t *testing.T) {
	r := newRig(t, owner(func(p *profile.Profile) { p.Approval.Required = 2 }))
	id := r.approved("[" + address("a") + "]")
	r.editApproval(id, edited(func(a *approval.Approval) { a.Grants[0].Approver.User = "mallory" }))
	r.approve(id)
	f := r.stops(id, fault.ApprovalRequired, "missing")
	if f.Details["have"] != 1 || f.Details["need"] != 2 {
		t.Fatalf("%s", show(f))
	}
}

// The mark of a revocation may be gone, as where the approvals were put back from an
// older copy: the log still has it.
func TestARevocationOnRecordOutlivesItsMark(t *testing.T) {
	for _, m := range []profile.Mode{profile.Guarded, profile.Autonomous} {
		t.Run(string(m), func(t *testing.T) {
			r := newRig(t, mode(m))
			id := r.mustPlan("[" + address("a") + "]").PlanID
			var given []byte
			if m == profile.Guarded {
				r.approve(id)
				given = r.approvalFile(id)
			}
			if err := r.engine.Revoke(t.Context(), r.caller, id); err != nil {
				t.Fatal(err)
			}
			older := fake.NewState()
			r.start(func(p *engine.Ports) { p.Approvals = older.Approvals() })
			code := fault.PolicyDenied
			if m == profile.Guarded {
				if err := older.Approvals().Put(t.Context(), id, given); err != nil {
					t.Fatal(err)
				}
				code = fault.ApprovalRequired
			}
			_ = r.stops(id, code, "revoked")
			if got := r.state(id); got != apply.PlanRevoked {
				t.Errorf("the plan is %s", got)
			}
		})
	}
}

func (r *rig) putApproval(a *approval.Approval) {
	r.Helper()
	file, err := a.Encode()
	if err != nil {
		r.Fatal(err)
	}
	if err := r.world.State.Approvals().Put(r.Context(), a.PlanID, file); err != nil {
		r.Fatal(err)
	}
}
