package fortifx

import (
	"context"
	"sync"

	"go.uber.org/fx"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/core/port"
)

// State provides the state ports on the files below home, and [Store] for what
// only files can do.
func State() fx.Option {
	return fx.Module("filestate", fx.Provide(
		func(o Options, f *config.File, r port.Random) *Store { return NewStore(f, r) },
		func(s *Store) port.Plans { return plans{s} },
		func(s *Store) port.PlanSecrets { return planSecrets{s} },
		func(s *Store) port.Approvals { return approvals{s} },
		func(s *Store) port.Journals { return journals{s} },
		func(s *Store) port.AuditLog { return auditLog{s} },
		func(s *Store) port.Backups { return backups{s} },
		func(s *Store) port.Locks { return locks{s} },
	))
}

// Store makes the state's files known when they are first needed: whether a home
// on a network file system is taken stands in the configuration, which nothing
// reads before. It is safe for concurrent use.
type Store struct {
	file   *config.File
	random port.Random

	mu    sync.Mutex
	files *filestate.Store
}

// NewStore makes a store over the home of a configuration. It touches nothing.
func NewStore(f *config.File, r port.Random) *Store { return &Store{file: f, random: r} }

// Files is the store itself. Failures: config.
func (s *Store) Files(ctx context.Context) (*filestate.Store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files != nil {
		return s.files, nil
	}
	state, err := s.file.State(ctx)
	if err != nil {
		return nil, err
	}
	s.files = filestate.New(s.file.Home(), s.random, &filestate.Options{AllowNetworkFilesystem: state.AllowNetworkFilesystem})
	return s.files, nil
}
