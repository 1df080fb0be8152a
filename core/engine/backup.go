package engine

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// BackupLine is one stored backup.
type BackupLine struct {
	// ID is that of the plan before which the backup was made, or its own.
	ID      plan.ID   `json:"id"`
	SavedAt time.Time `json:"saved_at"`
	// Plan reports whether it was made before a plan.
	Plan    bool   `json:"plan"`
	Profile string `json:"profile,omitempty"`
	Serial  string `json:"serial,omitempty"`
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	// Digest is set for a backup that was just made.
	Digest canon.Digest `json:"sha256,omitzero"`
}

// Backups lists the stored backups, newest first. Failures: config.
func (e *Engine) Backups(ctx context.Context) ([]BackupLine, error) {
	lister, ok := e.ports.Backups.(port.BackupLister)
	if !ok {
		return nil, fault.New(fault.Config, "these backups are kept by a store that does not list them; look there")
	}
	list, err := lister.List(ctx)
	if err != nil {
		return nil, err
	}
	made, err := e.Audit(ctx, AuditQuery{Event: audit.BackupSaved})
	if err != nil {
		return nil, err
	}
	recorded := map[plan.ID]audit.Record{}
	for _, r := range made.Records {
		recorded[r.PlanID] = r
	}
	begun, err := e.begunPlans(ctx)
	if err != nil {
		return nil, err
	}
	lines := make([]BackupLine, 0, len(list))
	for _, b := range list {
		line := BackupLine{ID: b.ID, SavedAt: b.ID.Time(), File: b.Name, Bytes: b.Bytes}
		if s, err := e.loadPlan(ctx, b.ID); err == nil {
			line.Plan, line.Profile, line.Serial = true, s.Device.Profile, s.Device.Serial
		} else if r, known := begun[b.ID]; known { // the plan was pruned since
			line.Plan, line.Profile, line.Serial = true, r.Profile, r.Serial
		}
		if r, known := recorded[b.ID]; known {
			line.Profile, line.Serial, line.SavedAt = r.Profile, r.Serial, r.At
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// begunPlans are the first records of the plans that somebody began to apply.
func (e *Engine) begunPlans(ctx context.Context) (map[plan.ID]audit.Record, error) {
	found, err := e.Audit(ctx, AuditQuery{Event: audit.ApplyBegin})
	if err != nil {
		return nil, err
	}
	begun := make(map[plan.ID]audit.Record, len(found.Records))
	for _, r := range found.Records {
		begun[r.PlanID] = r
	}
	return begun, nil
}

// SaveBackup keeps the whole configuration of a profile's device, its secrets
// included, and puts that on record. Failures: those of reading the device, and config.
func (e *Engine) SaveBackup(ctx context.Context, c Caller, name string) (*BackupLine, error) {
	p, err := e.profile(ctx, name)
	if err != nil {
		return nil, err
	}
	s, err := e.connect(ctx, p, "")
	if err != nil {
		return nil, err
	}
	defer s.close()
	random, err := e.ports.Random.Bytes(plan.RandomBytes)
	if err != nil {
		return nil, fault.Wrap(err, fault.Config, "no random bytes are to be had")
	}
	now := e.ports.Clock.Now().UTC()
	id := plan.NewID(now, [plan.RandomBytes]byte(random))
	b, err := s.backup(ctx, id)
	if err != nil {
		return nil, err
	}
	entry := e.entry(c, audit.BackupSaved, nil)
	entry.PlanID, entry.Profile, entry.Serial, entry.Backup = id, p.Name, s.identity.Serial, b.Digest
	if _, err := e.ports.Audit.Append(ctx, entry); err != nil {
		return nil, fault.Wrap(err, fault.Config, "the backup is in %s, and the audit log could not take the record of it: %s", b.Name, fault.From(err).Message)
	}
	return &BackupLine{ID: id, SavedAt: now, Profile: p.Name, Serial: s.identity.Serial, File: b.Name, Bytes: b.Bytes, Digest: b.Digest}, nil
}

// backupLimit bounds a configuration backup.
const backupLimit = 64 << 20

// backup stores the device's configuration, proved to be one of its release.
func (s *session) backup(ctx context.Context, id plan.ID) (port.Backup, error) {
	return s.engine.ports.Backups.Save(ctx, id, func(w io.Writer) error {
		check := &backupCheck{to: w, build: s.identity.Build}
		if err := s.device.Backup(ctx, s.release, check, backupLimit); err != nil {
			return err
		}
		return check.done()
	})
}

// backupCheck passes a backup on and proves that it is a configuration of this
// device's release.
type backupCheck struct {
	to    io.Writer
	build int
	head  []byte
	size  int64
}

const (
	backupHead    = "#config-version="
	backupMinimum = 512
)

// Write passes bytes on and keeps the first line.
func (b *backupCheck) Write(p []byte) (int, error) {
	if len(b.head) < 256 {
		b.head = append(b.head, p[:min(len(p), 256-len(b.head))]...)
	}
	b.size += int64(len(p))
	return b.to.Write(p)
}

func (b *backupCheck) done() error {
	line, _, _ := bytes.Cut(b.head, []byte("\n"))
	switch {
	case !bytes.HasPrefix(line, []byte(backupHead)):
		return fault.New(fault.DeviceError, "the device's backup is not a FortiOS configuration")
	case !bytes.Contains(line, fmt.Appendf(nil, "build%04d", b.build)):
		return fault.New(fault.DeviceError, "the device's backup is of another build")
	case b.size < backupMinimum:
		return fault.New(fault.DeviceError, "the device's backup has only %d bytes", b.size)
	}
	return nil
}
