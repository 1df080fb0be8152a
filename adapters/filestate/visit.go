package filestate

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/core/fault"
)

// The names below home.
const (
	stateDir     = "state"
	plansDir     = "state/plans"
	secretsDir   = "state/secrets"
	approvalsDir = "state/approvals"
	journalDir   = "state/journal"
	backupsDir   = "state/backups"
	locksDir     = "state/locks"
	formatFile   = "state/FORMAT"
	auditFile    = "state/audit.jsonl"
	anchorFile   = "anchor.json"
)

func directories() []string {
	return []string{plansDir, secretsDir, approvalsDir, journalDir, backupsDir, locksDir}
}

// intent says whether a use may make what is missing.
type intent int

const (
	reading intent = iota + 1
	writing
)

// errAbsent: there is no state yet, so there is nothing to read.
var errAbsent = errors.New("there is no state yet")

// visit is one use of the state: the directory opened and checked.
type visit struct {
	store *Store
	tree  durable.Tree
	sys   durable.System
	// install names the installation.
	install string
}

// enter opens and checks the directory. It fails with errAbsent where a reader
// finds none, and with config. The caller leaves.
func (s *Store) enter(ctx context.Context, want intent) (*visit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !owner.Supported {
		return nil, fault.New(fault.Config, "plans, approvals and journals cannot be kept on %s: "+
			"owner-only access is not implemented for it; use Linux or macOS", runtime.GOOS)
	}
	info, err := s.findHome(want)
	if err != nil {
		return nil, err
	}
	v, err := s.visit(info)
	if err != nil {
		return nil, err
	}
	if err := v.check(want); err != nil {
		v.leave()
		return nil, err
	}
	return v, nil
}

// findHome checks home and what lies above it.
func (s *Store) findHome(want intent) (fs.FileInfo, error) {
	if !filepath.IsAbs(s.home) {
		return nil, fault.New(fault.Config, "the home directory %q is not an absolute path; name it from the root", s.home)
	}
	if err := checkAncestors(s.home); err != nil {
		return nil, err
	}
	info, err := os.Lstat(s.home)
	if errors.Is(err, fs.ErrNotExist) && want == writing {
		if err = durable.MakeDir(s.home); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, trouble(err, "make", s.home)
		}
		info, err = os.Lstat(s.home)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errAbsent
	}
	if err != nil {
		return nil, trouble(err, "look at", s.home)
	}
	return info, checkDir(s.home, info)
}

// visit opens home, which must still be the directory that info describes.
func (s *Store) visit(info fs.FileInfo) (*visit, error) {
	name, remote, err := s.network(s.home)
	if err != nil {
		return nil, trouble(err, "look at", s.home)
	}
	if remote && !s.options.AllowNetworkFilesystem {
		return nil, fault.New(fault.Config, "%s lies on a network file system (%s), where locks and syncs cannot be relied on; "+
			"use a local directory, or set state.allow_network_filesystem in config.json", s.home, name).With("path", s.home)
	}
	sys, err := s.connect(s.home)
	if err != nil {
		return nil, trouble(err, "open", s.home)
	}
	spare := durable.Spare(sys, s.spend)
	v := &visit{store: s, tree: durable.New(spare), sys: spare}
	opened, err := v.tree.Lstat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = errors.New("it was exchanged while being opened")
	}
	if err != nil {
		v.leave()
		return nil, trouble(err, "open", s.home)
	}
	return v, nil
}

// leave ends the use. Closing a directory that was only read from cannot lose
// anything.
func (v *visit) leave() { _ = v.sys.Close() }

// path is where an operator finds a name.
func (v *visit) path(name string) string {
	return filepath.Join(v.store.home, filepath.FromSlash(name))
}

// check looks at state itself, makes what is missing for a writer and, at the
// store's first use, looks at everything that is there.
func (v *visit) check(want intent) error {
	if err := v.dir(stateDir, want); err != nil {
		return err
	}
	if err := v.format(want); err != nil {
		return err
	}
	if want == writing {
		for _, dir := range directories() {
			if err := v.dir(dir, want); err != nil {
				return err
			}
		}
	}
	return v.first(want)
}

// first looks through the directory once for each store.
func (v *visit) first(want intent) error {
	s := v.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.checked {
		if err := v.lookThrough(); err != nil {
			return err
		}
		s.checked = true
	}
	if s.swept || want != writing {
		return nil
	}
	for _, dir := range append(directories(), ".", stateDir) {
		if err := v.tree.Sweep(dir); err != nil {
			return trouble(err, "remove leftovers from", v.path(dir))
		}
	}
	s.swept = true
	return nil
}

func (v *visit) lookThrough() error {
	for _, dir := range directories() {
		if err := v.dir(dir, reading); err != nil && !errors.Is(err, errAbsent) {
			return err
		}
	}
	segments, err := v.segments()
	if err != nil {
		return err
	}
	names := []string{anchorFile, auditFile, reserveFile}
	for _, s := range segments {
		names = append(names, s.name)
	}
	for _, name := range names {
		if _, err := v.inspect(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// dir checks a directory; a writer makes it where it is missing, a reader gets
// errAbsent.
func (v *visit) dir(name string, want intent) error {
	info, err := v.tree.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) && want == writing {
		if err = v.tree.MakeDir(name); err != nil && !errors.Is(err, fs.ErrExist) {
			return trouble(err, "make", v.path(name))
		}
		info, err = v.tree.Lstat(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errAbsent
	}
	if err != nil {
		return trouble(err, "look at", v.path(name))
	}
	return checkDir(v.path(name), info)
}

// in enters for the use of one directory.
func (s *Store) in(ctx context.Context, dir string, want intent) (*visit, error) {
	v, err := s.enter(ctx, want)
	if err != nil {
		return nil, err
	}
	if err := v.dir(dir, want); err != nil {
		v.leave()
		return nil, err
	}
	return v, nil
}

// published lists the files of a directory by base name, without temporary ones.
func (v *visit) published(dir string) ([]string, error) {
	all, err := v.tree.Names(dir)
	if err != nil {
		return nil, trouble(err, "list", v.path(dir))
	}
	return slices.DeleteFunc(all, durable.IsTemp), nil
}
