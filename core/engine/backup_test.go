package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
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
