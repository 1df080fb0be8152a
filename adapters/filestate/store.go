// Package filestate keeps the state ports in a directory: plans, their secrets,
// approvals, journals, the audit log, backups and locks.
//
// [New] costs nothing and touches nothing; the directory is checked at each use
// and made at the first one that writes. [Open] makes it at once. Reads never
// make anything. What is found must belong to the user alone: a loose mode, a
// foreign owner, a link in the place of a file or a network file system is
// refused with config, naming the path and the command that mends it, and never
// mended silently, because someone may already have looked.
//
// The layout below home is state/FORMAT, state/plans, secrets, approvals,
// journal, backups and locks, state/audit.jsonl, state/reserve, and anchor.json beside state.
package filestate

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/port"
)

// Options adjust a store. The zero value is safe.
type Options struct {
	// AllowNetworkFilesystem takes a home on NFS, SMB or FUSE, whose locks and
	// syncs may promise less than they keep.
	AllowNetworkFilesystem bool
}

// rotateAt is the size in bytes from which the audit log begins a new file.
const rotateAt = 8 << 20

// Store is the state below one home directory. It holds nothing open between
// uses and is safe for concurrent use, also by several processes.
type Store struct {
	home    string
	random  port.Random
	options Options
	// connect opens a directory, network says whether it lies on a network file
	// system and by which name; tests put others in their place.
	connect  func(dir string) (durable.System, error)
	network  func(dir string) (name string, remote bool, err error)
	rotateAt int64

	mu sync.Mutex
	// checked: the whole directory was looked through, swept: leftovers removed.
	checked, swept bool

	// journals counts the journals that are open for appending here.
	journals atomic.Int32

	// auditing orders this process's appends. unconfirmed is set once the disk did
	// not confirm one: from then on what the log holds is not known.
	auditing    sync.Mutex
	unconfirmed error
}

// New makes a store over home without touching it. random gives the
// installation its name.
func New(home string, random port.Random, o *Options) *Store {
	s := &Store{
		home: filepath.Clean(home), random: random, rotateAt: rotateAt, network: networkFilesystem,
		connect: func(dir string) (durable.System, error) {
			r, err := durable.OpenRoot(dir)
			if err != nil {
				return nil, err
			}
			return r, nil
		},
	}
	if o != nil {
		s.options = *o
	}
	return s
}

// Open makes a store and everything that is missing of its directory. Failures:
// config.
func Open(home string, random port.Random, o *Options) (*Store, error) {
	s := New(home, random, o)
	v, err := s.enter(context.Background(), writing)
	if err != nil {
		return nil, err
	}
	v.leave()
	return s, nil
}

// Plans keeps the plans.
func (s *Store) Plans() *Plans { return &Plans{s} }

// Secrets keeps the secret values of plans.
func (s *Store) Secrets() *PlanSecrets { return &PlanSecrets{s} }

// Approvals keeps consent.
func (s *Store) Approvals() *Approvals { return &Approvals{s} }

// Journals keeps the journals.
func (s *Store) Journals() *Journals { return &Journals{s} }

// Audit is the audit log.
func (s *Store) Audit() *AuditLog { return &AuditLog{s} }

// Backups keeps configurations.
func (s *Store) Backups() *Backups { return &Backups{s} }

// Locks keeps the locks.
func (s *Store) Locks() *Locks { return &Locks{s} }

// Home is the directory that the store was made for.
func (s *Store) Home() string { return s.home }
