package crash

import (
	"os"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestAfterAKillInTheMiddleOfAWriteItsOutcomeIsUnknownAndNothingIsSentTwice(t *testing.T) {
	t.Parallel()
	for by, start := range starts {
		for effect, took := range map[string]bool{"took effect": true, "had no effect": false} {
			t.Run(by+", the write "+effect, func(t *testing.T) {
				t.Parallel()
				lab := harness.New(t, nil)
				id := lab.Approved(twoCreates).PlanID
				hold := lab.Hold(firstWrite, took)
				p := start(lab, id)
				p.Await(hold)
				p.Kill()
				if has(lab, "firewall/address", "first") != took {
					t.Fatalf("the object is there: %v", !took)
				}
				wantUnknown(t, lab, id)
			})
		}
	}
}

// wantUnknown checks everything that is told after the kill.
func wantUnknown(t *testing.T, lab *harness.Lab, id string) {
	t.Helper()
	written := lab.Device.Writes()
	shown := lab.Show(id)
	if shown.State != "outcome_unknown" {
		t.Errorf("state %q", shown.State)
	}
	wantStatuses(t, shown.Execution, "outcome_unknown", "not_attempted")
	if lab.Device.Writes() != written {
		t.Error("plan show changed the device")
	}
	wantUsed(t, lab, id)
	lab.WantWrites(1)
	if has(lab, "firewall.service/custom", "second") {
		t.Error("the second operation took effect")
	}
	wantEvents(t, lab, id, "plan.created approval.granted apply.begin apply.recovered apply.end apply.refused")
	if r := lab.Forti("audit", "verify", "-o", "json"); r.Status != 3 {
		t.Errorf("audit verify: status %d, want 3 (an outcome is unknown)\n%s%s", r.Status, r.Stdout, r.Stderr)
	}
}

func TestAfterAKillTheOperationsThatEndedKeepTheirStatusAndCanBeUndone(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(twoCreates).PlanID
	hold := lab.Hold(secondWrite, true)
	p := lab.Start("apply", id, "-o", "json")
	p.Await(hold)
	p.Kill()
	x := lab.Show(id).Execution
	wantStatuses(t, x, "verified", "outcome_unknown")
	lab.WantWrites(2)
	if x.Rollback == nil || x.Rollback.PlanID == "" {
		t.Fatalf("no rollback plan: %+v", x)
	}
	undo := lab.Show(x.Rollback.PlanID)
	if undo.Kind != "rollback" || undo.State != "planned" || len(undo.Operations) == 0 {
		t.Errorf("rollback plan: %+v", undo)
	}
}

func TestShortlyAfterAKillTheDeviceIsLeftAlone(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id, other := lab.Approved(twoCreates).PlanID, lab.Approved(another).PlanID
	hold := lab.Hold(firstWrite, false)
	p := lab.Start("apply", id, "-o", "json")
	p.Await(hold)
	p.Kill()
	d := lab.TryApply(other).Failed(8, "conflict").Read(t)
	if d.Reason != "settling" || d.RetryAfter < 1 || d.RetryAfter > 60 {
		t.Errorf("reason %q, retry after %d s", d.Reason, d.RetryAfter)
	}
	lab.WantWrites(1)
	if s := lab.Show(other).State; s != "approved" {
		t.Errorf("the other plan is %s, want approved", s)
	}
}

func TestAKillDuringTheBackupLeavesTheApprovalValid(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	plan := lab.Approved(critical)
	if plan.Risk.Tier != "critical" {
		t.Fatalf("the plan is %s; this test needs a critical one", plan.Risk.Tier)
	}
	h := fortisim.NewHold(true)
	t.Cleanup(h.Release)
	slow := lab.Inject(download, h)
	p := lab.Start("apply", plan.PlanID, "-o", "json")
	p.Await(h)
	p.Kill()
	slow.Remove()
	if s := lab.Show(plan.PlanID).State; s != "approved" {
		t.Errorf("state %q, want approved", s)
	}
	lab.WantWrites(0)
	x := lab.Apply(plan.PlanID)
	wantStatuses(t, &x, "verified")
	lab.WantWrites(1)
	wantOneBackup(t, lab, x)
}

// wantOneBackup checks that the saved configuration is the only thing that counts
// as one.
func wantOneBackup(t *testing.T, lab *harness.Lab, x harness.Execution) {
	t.Helper()
	if x.Backup == nil {
		t.Fatal("no backup is told of")
	}
	entries, err := os.ReadDir(lab.State("backups"))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != x.PlanID+".conf" {
		t.Errorf("backups: %v", entries)
	}
	if data := lab.Read(lab.State("backups", x.PlanID+".conf")); "sha256:"+sum(data) != x.Backup.SHA256 && sum(data) != x.Backup.SHA256 {
		t.Errorf("the backup is not the one that is told of: %s", x.Backup.SHA256)
	}
}

func TestAfterAKillTheSecretsOfThePlanAreErasedWithItsRecovery(t *testing.T) {
	t.Parallel()
	const password = "a-new-password-of-alice"
	lab := harness.New(t, &harness.Options{Mode: "autonomous"})
	id := lab.Plan(`[{"op":"update","resource":"user/local","key":"alice","set":{"passwd":"` + password + `"}}]`).PlanID
	if !strings.Contains(lab.Read(lab.State("secrets", id+".json")), password) {
		t.Fatal("the plan's secrets are not where they are expected")
	}
	hold := lab.Hold(fortisim.Match{Method: "PUT", Path: "cmdb/user/local"}, true)
	p := lab.Start("apply", id, "-o", "json")
	p.Await(hold)
	p.Kill()
	wantStatuses(t, lab.Show(id).Execution, "outcome_unknown")
	lab.WantAbsent(lab.Home, password, lab.Server.Token)
	lab.WantWrites(1)
}
