// Package durable writes files so that they are whole, and on the disk, or not
// there at all. Every write of the state directory goes through it.
//
// A file appears by being written under a temporary name in its own directory,
// synced, published by link (where it must be new) or rename (where it may
// replace), and by syncing the directory. A sync that fails is final: nothing is
// tried again, because the kernel may have dropped the data and report success
// the second time.
package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrSync is wrapped where the disk did not confirm data or a directory entry.
// What was written may or may not be there after a crash.
var ErrSync = errors.New("the disk did not confirm the write")

// System is the calls that durable work is made of. Names are slash-separated
// and lie inside one directory; no call leaves it. Tests record the calls and
// make them fail.
type System interface {
	// OpenFile opens one file; with O_CREATE|O_EXCL it never follows a link.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Lstat(name string) (fs.FileInfo, error)
	Mkdir(name string, perm fs.FileMode) error
	Link(oldname, newname string) error
	Rename(oldname, newname string) error
	Remove(name string) error
	// Names lists a directory, unsorted.
	Names(dir string) ([]string, error)
	// SyncDir makes a directory's entries durable.
	SyncDir(dir string) error
	io.Closer
}

// File is an open file of a System; *os.File is one.
type File interface {
	io.ReadWriteCloser
	io.ReaderAt
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
	Chmod(mode fs.FileMode) error
	SyscallConn() (syscall.RawConn, error)
}

// Root is a directory of the real file system.
type Root struct{ root *os.Root }

var (
	_ System = (*Root)(nil)
	_ File   = (*os.File)(nil)
)

// OpenRoot opens a directory. The caller closes it.
func OpenRoot(dir string) (*Root, error) {
	r, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Root{r}, nil
}

// OpenFile opens one file, closed on exec.
func (r *Root) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := r.root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // not f: a nil *os.File in an interface is not nil
	}
	return pointed(f), nil
}

// Lstat describes a name without following a link.
func (r *Root) Lstat(name string) (fs.FileInfo, error) { return r.root.Lstat(name) }

// Mkdir makes a directory.
func (r *Root) Mkdir(name string, perm fs.FileMode) error { return r.root.Mkdir(name, perm) }

// Link gives a file one more name; it fails where the name is taken.
func (r *Root) Link(oldname, newname string) error {
	point()
	defer point()
	return r.root.Link(oldname, newname)
}

// Rename moves a file over another.
func (r *Root) Rename(oldname, newname string) error {
	point()
	defer point()
	return r.root.Rename(oldname, newname)
}

// Remove removes a name.
func (r *Root) Remove(name string) error {
	point()
	defer point()
	return r.root.Remove(name)
}

// Names lists a directory.
func (r *Root) Names(dir string) ([]string, error) {
	f, err := r.root.Open(dir)
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	return names, errors.Join(err, f.Close())
}

// SyncDir makes a directory's entries durable.
func (r *Root) SyncDir(dir string) error {
	if !directoriesSync {
		return nil
	}
	f, err := r.root.Open(dir)
	if err != nil {
		return err
	}
	defer point()
	return errors.Join(f.Sync(), f.Close())
}

// Close closes the directory.
func (r *Root) Close() error { return r.root.Close() }

// MakeDir makes the directory dir, 0700, and its entry in the parent durable.
// It is for the one directory that no Root contains.
func MakeDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	parent, err := OpenRoot(filepath.Dir(dir))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSync, err)
	}
	return errors.Join(syncDir(parent, "."), parent.Close())
}

func syncDir(s System, dir string) error {
	if err := s.SyncDir(dir); err != nil {
		return fmt.Errorf("%w: %w", ErrSync, err)
	}
	return nil
}

func syncFile(f File) error {
	if err := f.Sync(); err != nil {
		return fmt.Errorf("%w: %w", ErrSync, err)
	}
	return nil
}
