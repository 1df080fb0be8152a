//go:build linux || darwin

package filestate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
)

func TestTheStatePortsKeepTheirContracts(t *testing.T) {
	t.Run("Plans", func(t *testing.T) {
		porttest.RunPlans(t, harness(func(s *filestate.Store) port.Plans { return s.Plans() }))
	})
	t.Run("PlanSecrets", func(t *testing.T) {
		porttest.RunPlanSecrets(t, harness(func(s *filestate.Store) port.PlanSecrets { return s.Secrets() }))
	})
	t.Run("Approvals", func(t *testing.T) {
		porttest.RunApprovals(t, harness(func(s *filestate.Store) port.Approvals { return s.Approvals() }))
	})
	t.Run("Journals", func(t *testing.T) {
		porttest.RunJournals(t, harness(func(s *filestate.Store) port.Journals { return s.Journals() }))
	})
	t.Run("Backups", func(t *testing.T) { porttest.RunBackups(t, porttest.BackupsHarness{New: backupsFixture}) })
	t.Run("AuditLog", func(t *testing.T) { porttest.RunAuditLog(t, porttest.AuditHarness{New: auditFixture}) })
	t.Run("Locks", func(t *testing.T) { porttest.RunLocks(t, porttest.LocksHarness{New: locksFixture}) })
}

// harness gives a port of a directory as each process sees it: a store of its own.
func harness[P any](of func(*filestate.Store) P) porttest.State[P] {
	return porttest.State[P]{New: func(t *testing.T) func() P {
		h := home(t)
		return func() P { return of(open(t, h)) }
	}}
}

func auditFixture(t *testing.T) porttest.AuditFixture {
	h := home(t)
	return porttest.AuditFixture{
		Open: func() port.AuditLog { return open(t, h).Audit() },
		Damage: func(t *testing.T, change func(data []byte) []byte) {
			path := filepath.Join(h, "state/audit.jsonl")
			must(t, os.WriteFile(path, change(readFile(t, path)), 0o600))
		},
	}
}

func locksFixture(t *testing.T) porttest.LocksFixture {
	h := home(t)
	return porttest.LocksFixture{
		Open: func() port.Locks { return open(t, h).Locks() },
		HoldAndDie: func(t *testing.T, name string) {
			child := start(t, h, "lock", name)
			child.expect("held")
			child.kill()
		},
	}
}

func backupsFixture(t *testing.T) porttest.BackupsFixture {
	h := home(t)
	return porttest.BackupsFixture{
		Backups: open(t, h).Backups(),
		Kept: func(t *testing.T) map[string][]byte {
			kept := map[string][]byte{}
			for _, name := range under(t, filepath.Join(h, "state/backups")) {
				kept[name] = readFile(t, filepath.Join(h, "state/backups", name))
			}
			return kept
		},
	}
}
