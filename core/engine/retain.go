package engine

import (
	"context"
	"slices"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// What is kept of backups: each for this long, and in any case this many of the newest
// of each device.
const (
	backupsFor  = 30 * 24 * time.Hour
	backupsLast = 20
)

// PrunedBackups is what was removed, or would be.
type PrunedBackups struct {
	Backups []BackupLine `json:"backups"`
	// DryRun: nothing was removed.
	DryRun bool `json:"dry_run,omitempty"`
}

// PruneBackups removes backups that are older than 30 days, except the last 20 of each
// device. One whose plan ended in doubt, or has not ended, always stays. Each removal is
// on record, with the digest of what it removes, before it happens.
//
// Failures: config where the log cannot be written, or where the store cannot prune.
func (e *Engine) PruneBackups(ctx context.Context, c Caller, dryRun bool) (*PrunedBackups, error) {
	store, ok := e.ports.Backups.(port.BackupPruner)
	if !ok {
		return nil, fault.New(fault.Config, "these backups are kept by a store that does not prune; look there")
	}
	lines, err := e.Backups(ctx)
	if err != nil {
		return nil, err
	}
	done := &PrunedBackups{Backups: []BackupLine{}, DryRun: dryRun}
	for _, l := range oldBackups(lines, e.ports.Clock.Now()) {
		if e.needed(ctx, l.ID) {
			continue
		}
		if l.Digest, err = store.Digest(ctx, l.ID); err != nil {
			return nil, err
		}
		if !dryRun {
			if err := e.removeBackup(ctx, c, store, l); err != nil {
				return nil, err
			}
		}
		done.Backups = append(done.Backups, l)
	}
	return done, nil
}

// oldBackups are those that need not be kept for their age or their number. Those whose
// device is not known count as one device's.
func oldBackups(lines []BackupLine, now time.Time) []BackupLine {
	newestFirst := slices.Clone(lines)
	slices.SortStableFunc(newestFirst, func(a, b BackupLine) int { return b.SavedAt.Compare(a.SavedAt) })
	kept := map[string]int{}
	var old []BackupLine
	for _, l := range newestFirst {
		if kept[l.Serial]++; kept[l.Serial] > backupsLast && now.Sub(l.SavedAt) >= backupsFor {
			old = append(old, l)
		}
	}
	return old
}

// needed reports whether somebody may still have to go back to a backup: its plan was
// executed, and what became of that is not known for certain.
func (e *Engine) needed(ctx context.Context, id plan.ID) bool {
	raw, err := e.ports.Journals.Read(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return false
	}
	if err != nil {
		return true
	}
	records, _, err := apply.ParseJournal(raw)
	if err != nil || len(records) == 0 {
		return true
	}
	last := records[len(records)-1]
	return last.Type != apply.Ended || last.State == apply.UnknownOutcome
}

func (e *Engine) removeBackup(ctx context.Context, c Caller, store port.BackupPruner, l BackupLine) error {
	entry := e.entry(c, audit.BackupRemoved, nil)
	entry.PlanID, entry.Profile, entry.Serial, entry.Backup = l.ID, l.Profile, l.Serial, l.Digest
	if err := e.recordRemoval(ctx, entry); err != nil {
		return err
	}
	return store.Remove(ctx, l.ID)
}
