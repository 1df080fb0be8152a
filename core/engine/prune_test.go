package engine_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

func (r *rig) mustPrune(dryRun bool) (ids []plan.ID) {
	r.Helper()
	done, err := r.engine.Prune(r.Context(), r.caller, dryRun)
	if err != nil {
		r.Fatal(err)
	}
	for _, p := range done.Plans {
		ids = append(ids, p.PlanID)
	}
	return ids
}

func TestWhatIsOfNoMoreUseIsPrunedAndTheRestStays(t *testing.T) {
	r := newRig(t)
	applied := r.approved("[" + address("a") + "]")
	r.mustApply(applied)
	undo := *r.shown(applied).Execution.Rollback.PlanID
	forgotten := r.mustPlan("[" + address("b") + "]").PlanID
	doubtful := r.approved("[" + address("c") + "]")
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: fake.ResetAfter()})
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallObject, Skip: 3}, Fault: fake.Refused()})
	_, _ = r.apply(doubtful)
	r.world.Device.Heal()
	if got := r.state(doubtful); got != apply.UnknownOutcome {
		t.Fatalf("the plan is %s", got)
	}
	if ids := r.mustPrune(false); len(ids) > 0 {
		t.Fatalf("too early: %v", ids)
	}
	r.world.Clock.Advance(8 * 24 * time.Hour)
	fresh := r.mustPlan("[" + address("d") + "]").PlanID

	want := map[plan.ID]bool{undo: true, forgotten: true}
	for _, dryRun := range []bool{true, false} {
		got := map[plan.ID]bool{}
		for _, id := range r.mustPrune(dryRun) {
			got[id] = true
		}
		if rollback := r.shown(doubtful).Execution.Rollback; rollback != nil && rollback.PlanID != nil {
			delete(got, *rollback.PlanID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("dry run %v: %s", dryRun, diff)
		}
	}
	for id := range want {
		if _, err := r.engine.Show(t.Context(), r.caller, id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s is there: %v", id, err)
		}
	}
	for _, id := range []plan.ID{applied, doubtful, fresh} {
		if _, err := r.engine.Show(t.Context(), r.caller, id); err != nil {
			t.Errorf("%s is gone: %v", id, err)
		}
	}
	found, err := r.engine.Audit(t.Context(), engine.AuditQuery{Event: audit.StatePruned})
	if err != nil || len(found.Records) < 2 || found.Records[0].Digest.IsZero() {
		t.Errorf("on record: %+v, %v", found, err)
	}
	r.soundButUnknown()
}

func TestAnExecutedPlanStaysAmongTheLast200(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	r.mustApply(id)
	r.world.Clock.Advance(400 * 24 * time.Hour)
	for _, pruned := range r.mustPrune(false) {
		if pruned == id {
			t.Fatal("it was pruned")
		}
	}
	if report, err := r.engine.VerifyAudit(t.Context()); err != nil || report.Broken() {
		t.Errorf("%+v, %v", report, err)
	}
}

// A firewall's management host runs for years: no number of the records may run out.
func TestAMachineMayHaveBeenUpForYears(t *testing.T) {
	r := newRig(t)
	r.world.Clock.Advance(30 * 365 * 24 * time.Hour)
	id := r.approved("[" + address("a") + "]")
	r.mustApply(id)
	r.sound()
}

func TestTheRestsOfAPruneThatDiedAreRemoved(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	other := r.approved("[" + address("b") + "]")
	r.world.Clock.Advance(8 * 24 * time.Hour)
	rest := r.approvalFile(id)
	if ids := r.mustPrune(false); len(ids) != 2 {
		t.Fatalf("pruned: %v", ids)
	}
	for _, x := range []plan.ID{id, other} {
		if _, err := r.world.State.Approvals().Get(t.Context(), x); fault.CodeOf(err) != fault.NotFound {
			t.Fatalf("the approval of %s: %v", x, err)
		}
	}
	if err := r.world.State.Approvals().Put(t.Context(), id, rest); err != nil {
		t.Fatal(err)
	}
	r.mustPrune(true)
	if _, err := r.world.State.Approvals().Get(t.Context(), id); err != nil {
		t.Fatalf("a dry run removes nothing: %v", err)
	}
	r.mustPrune(false)
	if _, err := r.world.State.Approvals().Get(t.Context(), id); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("what the first prune left is there: %v", err)
	}
	r.sound()
}
