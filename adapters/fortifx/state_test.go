//go:build linux || darwin

package fortifx_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/fx"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
)

// give takes something out of a graph over a home.
func give[P any](t *testing.T, home string) P {
	t.Helper()
	var p P
	_, stop, err := fortifx.Build(t.Context(), fortifx.Options{Home: home}, fx.Populate(&p))
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

// processes gives a port as the graph of each process has it.
func processes[P any]() porttest.State[P] {
	return porttest.State[P]{New: func(t *testing.T) func() P {
		home := newHome(t)
		return func() P { return give[P](t, home) }
	}}
}

func TestTheStatePortsOfTheGraphKeepTheirContracts(t *testing.T) {
	t.Run("Plans", func(t *testing.T) { porttest.RunPlans(t, processes[port.Plans]()) })
	t.Run("PlanSecrets", func(t *testing.T) { porttest.RunPlanSecrets(t, processes[port.PlanSecrets]()) })
	t.Run("Approvals", func(t *testing.T) { porttest.RunApprovals(t, processes[port.Approvals]()) })
	t.Run("Journals", func(t *testing.T) { porttest.RunJournals(t, processes[port.Journals]()) })
	t.Run("AuditLog", func(t *testing.T) {
		porttest.RunAuditLog(t, porttest.AuditHarness{Without: porttest.Without{porttest.Damage}, New: func(t *testing.T) porttest.AuditFixture {
			home := newHome(t)
			release, err := give[port.Locks](t, home).Lock(t.Context(), "first use") // makes the state that a log begins in
			if err != nil {
				t.Fatal(err)
			}
			release()
			return porttest.AuditFixture{Open: func() port.AuditLog { return give[port.AuditLog](t, home) }}
		}})
	})
	t.Run("Locks", func(t *testing.T) {
		porttest.RunLocks(t, porttest.LocksHarness{Without: porttest.Without{porttest.Killing}, New: func(t *testing.T) porttest.LocksFixture {
			home := newHome(t)
			return porttest.LocksFixture{Open: func() port.Locks { return give[port.Locks](t, home) }}
		}})
	})
	t.Run("Backups", func(t *testing.T) {
		porttest.RunBackups(t, porttest.BackupsHarness{Without: porttest.Without{porttest.Listing}, New: func(t *testing.T) porttest.BackupsFixture {
			return porttest.BackupsFixture{Backups: give[port.Backups](t, newHome(t))}
		}})
	})
}

func TestABrokenConfigurationStopsEveryStatePort(t *testing.T) {
	home := newHome(t)
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"state":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, call := range calls(t, home) {
		if err := call(t.Context()); fault.CodeOf(err) != fault.Config {
			t.Errorf("%s: %v", name, err)
		}
	}
	if names, err := os.ReadDir(home); err != nil || len(names) != 1 {
		t.Errorf("the home holds %v, %v", names, err)
	}
}

func calls(t *testing.T, home string) map[string]func(context.Context) error {
	id, err := plan.ParseID("20261015-104512-a1b2c3")
	if err != nil {
		t.Fatal(err)
	}
	plans, secrets, approvals := give[port.Plans](t, home), give[port.PlanSecrets](t, home), give[port.Approvals](t, home)
	journals, log := give[port.Journals](t, home), give[port.AuditLog](t, home)
	return map[string]func(context.Context) error{
		"plans put":         func(ctx context.Context) error { return plans.Put(ctx, port.StoredPlan{ID: id}) },
		"plans get":         func(ctx context.Context) error { _, err := plans.Get(ctx, id); return err },
		"plans list":        func(ctx context.Context) error { _, err := plans.List(ctx); return err },
		"secrets put":       func(ctx context.Context) error { return secrets.Put(ctx, id, nil) },
		"secrets get":       func(ctx context.Context) error { _, err := secrets.Get(ctx, id); return err },
		"secrets erase":     func(ctx context.Context) error { return secrets.Erase(ctx, id) },
		"approvals put":     func(ctx context.Context) error { return approvals.Put(ctx, id, nil) },
		"approvals get":     func(ctx context.Context) error { _, err := approvals.Get(ctx, id); return err },
		"approvals revoke":  func(ctx context.Context) error { return approvals.Revoke(ctx, id) },
		"approvals revoked": func(ctx context.Context) error { _, err := approvals.Revoked(ctx, id); return err },
		"journals claim":    func(ctx context.Context) error { _, err := journals.Claim(ctx, id, nil); return err },
		"journals continue": func(ctx context.Context) error { _, err := journals.Continue(ctx, id, 0); return err },
		"journals read":     func(ctx context.Context) error { _, err := journals.Read(ctx, id); return err },
		"journals list":     func(ctx context.Context) error { _, err := journals.List(ctx); return err },
		"audit append":      func(ctx context.Context) error { _, err := log.Append(ctx, audit.Entry{}); return err },
		"audit head":        func(ctx context.Context) error { _, _, err := log.Head(ctx); return err },
		"audit first":       func(ctx context.Context) error { _, err := log.First(ctx); return err },
		"audit anchor":      func(ctx context.Context) error { _, _, err := log.Anchor(ctx); return err },
		"audit lines":       func(ctx context.Context) error { return firstError(ctx, log) },
		"backups": func(ctx context.Context) error {
			_, err := give[port.Backups](t, home).Save(ctx, id, func(io.Writer) error { return nil })
			return err
		},
		"locks": func(ctx context.Context) error { _, err := give[port.Locks](t, home).Lock(ctx, "x"); return err },
	}
}

func firstError(ctx context.Context, log port.AuditLog) error {
	for _, err := range log.Lines(ctx) {
		return err
	}
	return nil
}
