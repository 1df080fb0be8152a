package hazard

import (
	"slices"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestOfTwoApprovalsAtOnceOneApplyIsMade(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Plan(update).PlanID
	one, two := lab.Terminal("plan", "approve", id), lab.Terminal("plan", "approve", id)
	first, second := lab.Answer(one.Expect("to approve: ")), lab.Answer(two.Expect("to approve: "))
	one.Type(first + "\n")
	two.Type(second + "\n")
	granted := 0
	for _, r := range []harness.Result{one.End(), two.End()} {
		if r.Status == 0 {
			granted++
		}
	}
	if granted == 0 {
		t.Error("nobody could approve")
	}
	lab.Apply(id)
	if d := lab.TryApply(id).Failed(6, "approval_required").Read(t); d.Reason != "used" {
		t.Errorf("reason %q, want used", d.Reason)
	}
	lab.WantWrites(1)
	recorded := 0
	for _, e := range harness.Events(lab.Audit(id)) {
		if e == "approval.granted" {
			recorded++
		}
	}
	if recorded != granted {
		t.Errorf("%d approvals were granted, %d are on record", granted, recorded)
	}
	lab.Forti("audit", "verify").Must(0)
}

func TestTheCodeOfOneTerminalApprovesNothingInAnother(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Plan(update).PlanID
	one, two := lab.Terminal("plan", "approve", id), lab.Terminal("plan", "approve", id)
	code := lab.Answer(one.Expect("to approve: "))
	for range 3 { // each prompt forgets what was typed before it
		two.Expect("to approve: ")
		two.Type(code + "\n")
	}
	if r := two.End(); r.Status <= 0 {
		t.Error("another session's code approved")
	}
	one.Type("\x03")
	one.End()
	lab.TryApply(id).Failed(6, "approval_required")
	lab.WantWrites(0)
}

func TestAPlanThatIsBeingAppliedCannotBeApprovedAgain(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(update).PlanID
	hold := lab.Hold(write, false)
	p := lab.Start("apply", id, "-o", "json")
	p.Await(hold)
	if r := lab.Terminal("plan", "approve", id).End(); r.Status != 8 {
		t.Errorf("status %d, want 8 (conflict), in the middle of its apply:\n%s", r.Status, r.Stdout)
	}
	hold.Release()
	p.Wait().Must(0)
	if d := lab.TryApply(id).Failed(6, "approval_required").Read(t); d.Reason != "used" {
		t.Errorf("reason %q, want used", d.Reason)
	}
	lab.WantWrites(1)
}

// The screen was drawn before the apply began, and is answered while it runs.
func TestAnAnswerDuringTheApplyGivesNoSecondOne(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(update).PlanID
	person := lab.Terminal("plan", "approve", id)
	code := lab.Answer(person.Expect("to approve: "))
	hold := lab.Hold(write, false)
	p := lab.Start("apply", id, "-o", "json")
	p.Await(hold)
	person.Type(code + "\n")
	person.End()
	hold.Release()
	p.Wait().Must(0)
	if d := lab.TryApply(id).Failed(6, "approval_required").Read(t); d.Reason != "used" {
		t.Errorf("reason %q, want used", d.Reason)
	}
	lab.WantWrites(1)
	if !slices.Contains(harness.Events(lab.Audit(id)), "apply.end") {
		t.Error("the apply has no end on record")
	}
	lab.Forti("audit", "verify").Must(0)
}
