package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

// Backups are listed with what they were made for: those before critical plans, and
// those that somebody asked for.
func TestBackupsAreListedWithWhatTheyWereMadeFor(t *testing.T) {
	r := newRig(t)
	critical := r.done(`[{"op":"update","resource":"system/interface","key":"port1","set":{"mtu":1400}}]`)
	saved, err := r.engine.SaveBackup(context.Background(), r.caller, "")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := r.engine.Backups(context.Background())
	if err != nil || len(lines) != 2 {
		t.Fatalf("%v: %s", err, show(lines))
	}
	by := map[bool]engine.BackupLine{}
	for _, l := range lines {
		by[l.Plan] = l
		if l.Profile != "demo" || l.Serial == "" || l.Bytes < 512 || l.File == "" || l.SavedAt.IsZero() {
			t.Errorf("%s", show(l))
		}
	}
	if by[true].ID != critical.PlanID || by[false].ID != saved.ID || saved.Digest.IsZero() {
		t.Errorf("%s, saved %s", show(lines), show(saved))
	}
	found, err := r.engine.Audit(context.Background(), engine.AuditQuery{Event: audit.BackupSaved})
	if err != nil || found.Total != 1 || found.Records[0].Backup != saved.Digest || found.Records[0].User != "alice" {
		t.Errorf("%v: %s", err, show(found))
	}
	if report, err := r.engine.VerifyAudit(context.Background()); err != nil || report.Broken() || len(report.Incomplete) != 0 {
		t.Errorf("%v: %s", err, show(report))
	}
}

// A backup that is not a configuration is not kept, and one that leaves no trace is told.
func TestABackupThatFails(t *testing.T) {
	r := newRig(t)
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallBackup}, Fault: fake.Refused()})
	if _, err := r.engine.SaveBackup(context.Background(), r.caller, ""); fault.CodeOf(err) != fault.DeviceUnreachable {
		t.Errorf("%v", err)
	}
	if lines, err := r.engine.Backups(context.Background()); err != nil || len(lines) != 0 {
		t.Errorf("%v: %s", err, show(lines))
	}
	r = newRig(t)
	r.world.State.Break(fake.Break{Step: fake.StepAudit, Nth: 1, How: fake.Refuse})
	if _, err := r.engine.SaveBackup(context.Background(), r.caller, ""); fault.CodeOf(err) != fault.Config || !strings.Contains(err.Error(), ".conf") {
		t.Errorf("%v", err)
	}
}

func (r *rig) mustPruneBackups(dryRun bool) (ids []plan.ID) {
	r.Helper()
	done, err := r.engine.PruneBackups(r.Context(), r.caller, dryRun)
	if err != nil {
		r.Fatal(err)
	}
	for _, b := range done.Backups {
		if b.Digest.IsZero() {
			r.Errorf("%s has no digest", show(b))
		}
		ids = append(ids, b.ID)
	}
	return ids
}

// The last 20 of a device stay, and so does what is younger than 30 days, and what a plan
// in doubt was preceded by.
func TestOldBackupsArePrunedAndTheRestStays(t *testing.T) {
	r := newRig(t)
	doubtful := r.approved(`[{"op":"update","resource":"system/interface","key":"port1","set":{"mtu":1400}}]`)
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: fake.ResetAfter()})
	_, _ = r.apply(doubtful)
	r.world.Device.Heal()
	if got := r.state(doubtful); got != apply.UnknownOutcome {
		t.Fatalf("the plan is %s", got)
	}
	var saved []plan.ID
	for range 22 {
		r.world.Clock.Advance(time.Hour)
		b, err := r.engine.SaveBackup(t.Context(), r.caller, "")
		if err != nil {
			t.Fatal(err)
		}
		saved = append(saved, b.ID)
	}
	if ids := r.mustPruneBackups(false); len(ids) > 0 {
		t.Fatalf("too early: %v", ids)
	}
	r.world.Clock.Advance(30 * 24 * time.Hour)
	want := []plan.ID{saved[1], saved[0]}
	for _, dryRun := range []bool{true, false} {
		if got := r.mustPruneBackups(dryRun); !slices.Equal(got, want) {
			t.Fatalf("dry run %v: %v, want %v", dryRun, got, want)
		}
	}
	lines, err := r.engine.Backups(t.Context())
	if err != nil || len(lines) != 21 || lines[20].ID != doubtful {
		t.Fatalf("%v: %s", err, show(lines))
	}
	found, err := r.engine.Audit(t.Context(), engine.AuditQuery{Event: audit.BackupRemoved})
	if err != nil || found.Total != 2 || found.Records[0].Backup.IsZero() || found.Records[0].Serial == "" {
		t.Errorf("%v: %s", err, show(found))
	}
	// The plan itself is not taken for one that was removed.
	_ = r.mustPrune(false)
	if got := r.state(doubtful); got != apply.UnknownOutcome {
		t.Errorf("the plan is %s", got)
	}
	if report, err := r.engine.VerifyAudit(t.Context()); err != nil || report.Broken() {
		t.Errorf("%v: %s", err, show(report))
	}
}

// A backup is not removed where that leaves no trace.
func TestABackupIsNotRemovedWithoutARecord(t *testing.T) {
	r := newRig(t)
	for range 21 {
		r.world.Clock.Advance(time.Hour)
		if _, err := r.engine.SaveBackup(t.Context(), r.caller, ""); err != nil {
			t.Fatal(err)
		}
	}
	r.world.Clock.Advance(31 * 24 * time.Hour)
	r.world.State.Break(fake.Break{Step: fake.StepAudit, Nth: 1, How: fake.Refuse})
	_, err := r.engine.PruneBackups(t.Context(), r.caller, false)
	_ = r.wantCode(err, fault.Config)
	if lines, err := r.engine.Backups(t.Context()); err != nil || len(lines) != 21 {
		t.Errorf("%v: %d backups", err, len(lines))
	}
}
