package port

import (
	"context"
	"io"
	"iter"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
)

// State failures are config (unusable: permissions, damage, full disk), not_found
// and conflict, as each method says. "Durable" means that the data and the
// directory entry have reached the disk when the method returns. All state ports
// are safe for concurrent use by several goroutines and several processes.

// Plans keeps plans, immutable once put.
type Plans interface {
	// Put stores a plan durably, whole or not at all; conflict when the id is taken.
	Put(ctx context.Context, p StoredPlan) error
	// Get gives back what Put stored, byte for byte; not_found when there is none.
	Get(ctx context.Context, id plan.ID) (StoredPlan, error)
	// List gives all ids, newest first.
	List(ctx context.Context) ([]plan.ID, error)
}

// PlanPruner is a store of plans that can forget one, with everything of it: the plan,
// its secrets, its approval, and its journal last, so that a plan is never left without
// the claim that it was executed. What is not there is no error.
type PlanPruner interface {
	Prune(ctx context.Context, id plan.ID) error
}

// Inspector is a store of plans that can look at all of its state. A use stops at the
// first thing that is wrong; this gives them all.
type Inspector interface {
	// Inspect gives what is refused as it is, in the order in which it is to be mended.
	// The details of each may have its path and the command that mends it.
	Inspect(ctx context.Context) []error
}

// StoredPlan is a plan as bytes.
type StoredPlan struct {
	ID plan.ID
	// File is the canonical encoding; Digest is kept beside it.
	File   []byte
	Digest canon.Digest
	// Remarks are a JSON object of what is not part of the plan: the requester's
	// reason and the notes. Apply never reads it.
	Remarks []byte
}

// PlanSecrets keeps the secret values of plans apart from them.
type PlanSecrets interface {
	// Put stores a plan's secrets durably.
	Put(ctx context.Context, id plan.ID, file []byte) error
	// Get gives them back; not_found when erased or never put.
	Get(ctx context.Context, id plan.ID) ([]byte, error)
	// Erase removes them; no error when there are none.
	Erase(ctx context.Context, id plan.ID) error
}

// Approvals keeps consent.
type Approvals interface {
	// Put stores or replaces an approval durably.
	Put(ctx context.Context, id plan.ID, file []byte) error
	// Get gives the approval; not_found when there is none.
	Get(ctx context.Context, id plan.ID) ([]byte, error)
	// Revoke leaves a durable mark that outlives every approval of the plan.
	Revoke(ctx context.Context, id plan.ID) error
	// Revoked reports whether the mark exists.
	Revoked(ctx context.Context, id plan.ID) (bool, error)
}

// Journals keeps one append-only journal per plan. A journal's existence is the
// claim that its plan has been executed.
type Journals interface {
	// Claim creates the journal with its first line, durably and exclusively:
	// among all processes exactly one Claim of a plan succeeds, the others fail
	// with conflict. The caller closes the journal.
	Claim(ctx context.Context, id plan.ID, first []byte) (Journal, error)
	// Continue opens an existing journal for recovery, cutting it to its first
	// good bytes (a torn last line). The caller holds the device's lock.
	Continue(ctx context.Context, id plan.ID, good int) (Journal, error)
	// Read gives the journal's bytes; not_found when the plan is unclaimed.
	Read(ctx context.Context, id plan.ID) ([]byte, error)
	// List gives the plans that have a journal, newest first.
	List(ctx context.Context) ([]plan.ID, error)
}

// Journal takes lines. Append is durable when it returns nil; after an error the
// journal takes no more lines.
type Journal interface {
	Append(ctx context.Context, line []byte) error
	io.Closer
}

// AuditLog is the hash-chained log.
type AuditLog interface {
	// Append seals an entry and writes it durably, and returns the new head.
	// config when the log cannot be written or is damaged other than by a torn tail,
	// which is set aside and recorded first.
	Append(ctx context.Context, e audit.Entry) (audit.Head, error)
	// Head is the newest record; ok is false for an empty log.
	Head(ctx context.Context) (head audit.Head, ok bool, err error)
	// First is the link of the first record.
	First(ctx context.Context) (audit.Link, error)
	// Lines streams all lines, oldest first, each with its newline; the last one
	// without where it is torn.
	Lines(ctx context.Context) iter.Seq2[[]byte, error]
	// Anchor is the head that was remembered outside the log; ok is false when
	// there is none.
	Anchor(ctx context.Context) (head audit.Head, ok bool, err error)
}

// AuditRepairer is an audit log that can make itself go on after damage.
type AuditRepairer interface {
	// Repair keeps the records before the damage, sets the rest aside, and records
	// that with the facts of e. It returns what it did, "" where nothing had to be
	// done.
	Repair(ctx context.Context, e audit.Entry) (string, error)
}

// Backups keeps configurations saved before critical plans.
type Backups interface {
	// Save stores what fill writes, durably and whole; when fill or the store
	// fails, nothing is kept. name is where an operator finds it.
	Save(ctx context.Context, id plan.ID, fill func(w io.Writer) error) (Backup, error)
}

// Backup is a saved configuration.
type Backup struct {
	Name   string       `json:"file"`
	Digest canon.Digest `json:"sha256"`
	Bytes  int64        `json:"bytes"`
}

// BackupLister is a store of backups that tells what it has.
type BackupLister interface {
	// List gives all backups, newest first, without their digests.
	List(ctx context.Context) ([]StoredBackup, error)
}

// BackupPruner is a store of backups that can forget one.
type BackupPruner interface {
	BackupLister
	// Digest is that of a backup's bytes; not_found when there is none.
	Digest(ctx context.Context, id plan.ID) (canon.Digest, error)
	// Remove removes a backup durably; no error where there is none.
	Remove(ctx context.Context, id plan.ID) error
}

// StoredBackup is a backup with its name: the id of the plan that it was made for, or
// one of its own.
type StoredBackup struct {
	ID plan.ID
	Backup
}

// Locks keeps one apply per device at a time across processes. A lock vanishes
// with the process that held it.
type Locks interface {
	// Lock takes the lock of a name without waiting; conflict when it is held.
	// release is called once and never fails.
	Lock(ctx context.Context, name string) (release func(), err error)
}
