package hazard

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// wantRefusedUntil checks that nothing is sent while something is wrong with the
// state, that both programs say so with config, and that the approval is unused after.
func wantRefusedUntil(t *testing.T, lab *harness.Lab, id string, mend func()) {
	t.Helper()
	lab.Device.ForgetRequests()
	s := lab.Serve()
	for _, f := range []harness.Failure{
		lab.TryApply(id).Failed(3, "config"),
		s.Call("forti_apply", `{"plan_id":"`+id+`"}`).Structured.Failed(t, "config"),
	} {
		if !strings.Contains(f.Message, lab.Home) {
			t.Errorf("the place is not named: %s", f.Message)
		}
	}
	s.Close().Must(0)
	lab.WantWrites(0)
	mend()
	lab.Apply(id)
	lab.WantWrites(1)
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnAuditLogThatIsADirectorySendsNothing(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(update).PlanID
	log, aside := lab.State("audit.jsonl"), filepath.Join(lab.User, "aside")
	must(t, os.Rename(log, aside), os.Mkdir(log, 0o700))
	wantRefusedUntil(t, lab, id, func() { must(t, os.Remove(log), os.Rename(aside, log)) })
}

// A copy of the state from before an apply has an approval that was used since.
func TestAStateFromBeforeTheApplyIsRefusedAlsoOnceRepaired(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(update).PlanID
	older := filepath.Join(lab.User, "older")
	must(t, os.CopyFS(older, os.DirFS(lab.State())), strict(older))
	before, _ := lab.Device.Get("root", "firewall/address", "srv-web")
	comment := before["comment"]
	lab.Apply(id)
	must(t, os.RemoveAll(lab.State()), os.Rename(older, lab.State()),
		lab.Device.Put("root", "firewall/address", "srv-web", map[string]any{"comment": comment}))
	lab.Device.ForgetRequests()
	lab.TryApply(id).Failed(3, "config")
	lab.WantWrites(0)
	lab.Forti("audit", "repair").Must(0)
	if d := lab.TryApply(id).Failed(9, "stale_plan").Read(t); d.Reason != "audit_gap" {
		t.Errorf("reason %q, want audit_gap", d.Reason)
	}
	if r := lab.Terminal("plan", "approve", id).End(); r.Status != 9 {
		t.Errorf("status %d, want 9 (stale), for the approval of a plan from before the gap", r.Status)
	}
	lab.WantWrites(0)
	next := lab.Approved(update).PlanID // a new plan and a new approval is the way on
	lab.Apply(next)
	lab.WantWrites(1)
}

// Approvals that are put back from an older copy, or written by hand, are those that the
// log knows, and no others: a revocation stays one without its mark, and a file that says
// all that a good one says is none.
func TestApprovalsThatNobodyGaveApproveNothing(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	revoked := lab.Approved(update).PlanID
	older := filepath.Join(lab.User, "older")
	must(t, os.CopyFS(older, os.DirFS(lab.State("approvals"))), strict(older))
	lab.Forti("plan", "revoke", revoked).Must(0)
	must(t, os.RemoveAll(lab.State("approvals")), os.Rename(older, lab.State("approvals")))
	if d := lab.TryApply(revoked).Failed(6, "approval_required").Read(t); d.Reason != "revoked" {
		t.Errorf("reason %q, want revoked", d.Reason)
	}
	if v := lab.Show(revoked); v.State != "revoked" {
		t.Errorf("the plan is %s", v.State)
	}

	forged := lab.Plan(update).PlanID
	text := strings.ReplaceAll(lab.Read(lab.State("approvals", revoked+".json")), revoked, forged)
	text = strings.ReplaceAll(text, digestOf(lab, revoked), digestOf(lab, forged))
	lab.Replace(lab.State("approvals", forged+".json"), text)
	if f := lab.TryApply(forged).Failed(6, "approval_required"); f.Read(t).Reason != "invalid" || !strings.Contains(f.Message, "no record") {
		t.Errorf("%s %s", f.Message, f.Details)
	}
	if v := lab.Show(forged); v.State != "planned" {
		t.Errorf("the plan is %s", v.State)
	}
	lab.WantWrites(0)
	lab.Approve(forged)
	lab.Apply(forged)
	lab.WantWrites(1)
}

// digestOf is the digest that is kept beside a plan.
func digestOf(lab *harness.Lab, id string) string {
	return strings.TrimSpace(lab.Read(lab.State("plans", id+".digest")))
}

// The same without anybody's approval: a plan is executed at most once in every mode.
func TestAnAutonomousPlanFromBeforeAGapIsNotExecutedAgain(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, &harness.Options{Mode: "autonomous"})
	id := lab.Plan(update).PlanID
	log := lab.State("audit.jsonl")
	before := lab.Read(log)
	other := lab.Plan(`[{"op":"delete","resource":"firewall/address","key":"old-scanner"}]`).PlanID
	lab.Apply(other)
	lab.Replace(log, before)
	lab.Device.ForgetRequests()
	lab.TryApply(id).Failed(3, "config")
	lab.Forti("audit", "repair").Must(0)
	if d := lab.TryApply(id).Failed(9, "stale_plan").Read(t); d.Reason != "audit_gap" {
		t.Errorf("reason %q, want audit_gap", d.Reason)
	}
	lab.WantWrites(0)
	lab.Apply(lab.Plan(update).PlanID)
	lab.WantWrites(1)
}

// strict gives a copied tree the modes of a state directory.
func strict(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o700) //nolint:gosec // a folder of its owner's
		}
		return os.Chmod(path, 0o600)
	})
}
