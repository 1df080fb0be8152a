package durable

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// tempPrefix marks files that were not published. No reader takes them for data.
const tempPrefix = ".tmp-"

// IsTemp reports whether a file's base name is that of an unpublished file.
func IsTemp(base string) bool { return strings.HasPrefix(base, tempPrefix) }

// Tree is a directory whose files are written durably, mode 0600, directories
// 0700. It is as safe for concurrent use as its System.
type Tree struct{ sys System }

// New makes a Tree of a System. The caller closes the System.
func New(s System) Tree { return Tree{s} }

// Lstat describes a name without following a link.
func (t Tree) Lstat(name string) (fs.FileInfo, error) { return t.sys.Lstat(name) }

// Names lists a directory, unsorted.
func (t Tree) Names(dir string) ([]string, error) { return t.sys.Names(dir) }

// Open opens an existing file for reading.
func (t Tree) Open(name string) (File, error) { return t.sys.OpenFile(name, os.O_RDONLY, 0) }

// OpenAppend opens an existing file for reading and for writing at its end.
func (t Tree) OpenAppend(name string) (File, error) {
	return t.sys.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
}

// CreateEmpty makes a new empty file to append to or to lock; fs.ErrExist where
// the name is taken. Its entry is durable only after [Tree.Settle].
func (t Tree) CreateEmpty(name string) (File, error) {
	return t.sys.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o600)
}

// Fill writes a file's contents.
type Fill func(w io.Writer) error

// Bytes fills a file with data.
func Bytes(data []byte) Fill {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// Create publishes a file that must be new; fs.ErrExist where the name is taken.
// Among all processes one Create of a name succeeds. With any other error than
// ErrSync the file is not there; with ErrSync it may be.
func (t Tree) Create(name string, fill Fill) error {
	f, err := t.create(name, fill)
	if err != nil {
		return err
	}
	return f.Close()
}

// CreateLog is Create for a file that then takes lines.
func (t Tree) CreateLog(name string, first []byte) (*Log, error) {
	f, err := t.create(name, Bytes(first))
	if err != nil {
		return nil, err
	}
	return NewLog(f), nil
}

func (t Tree) create(name string, fill Fill) (File, error) {
	return t.publish(name, fill, func(temp string) error {
		if err := t.sys.Link(temp, name); err != nil {
			return err
		}
		err := syncDir(t.sys, path.Dir(name))
		// The file is published: a temporary name that stays is a second name of
		// it, which readers recognise and Sweep removes.
		_ = t.sys.Remove(temp)
		return err
	})
}

// Replace publishes a file in the place of one that may exist. Readers see the
// old contents or the new, whole.
func (t Tree) Replace(name string, fill Fill) error {
	f, err := t.publish(name, fill, func(temp string) error {
		if err := t.sys.Rename(temp, name); err != nil {
			return err
		}
		return syncDir(t.sys, path.Dir(name))
	})
	if err != nil {
		return err
	}
	return f.Close()
}

// publish writes a temporary file, syncs it and hands its name to place.
func (t Tree) publish(name string, fill Fill, place func(temp string) error) (File, error) {
	temp, f, err := t.temp(path.Dir(name))
	if err != nil {
		return nil, err
	}
	if err = fill(f); err == nil {
		err = syncFile(f)
	}
	if err == nil {
		err = place(temp)
	}
	if err != nil {
		_ = f.Close()
		_ = t.sys.Remove(temp) // best effort: Sweep finds what stays
		return nil, err
	}
	return f, nil
}

// temp makes a temporary file and locks it, so that a Sweep of another process
// does not take it for a leftover.
func (t Tree) temp(dir string) (string, File, error) {
	for range 8 {
		name := path.Join(dir, tempPrefix+rand.Text())
		f, err := t.CreateEmpty(name)
		if err != nil {
			return "", nil, err
		}
		ours, err := t.own(f, name)
		if ours {
			return name, f, nil
		}
		_ = f.Close()
		if err != nil {
			return "", nil, errors.Join(err, t.sys.Remove(name))
		}
	}
	return "", nil, errors.New("temporary files vanish while they are written")
}

// own locks f and reports whether name still leads to it.
func (t Tree) own(f File, name string) (bool, error) {
	locked, err := TryLock(f, Exclusive)
	if errors.Is(err, errors.ErrUnsupported) {
		return true, nil // then Sweep removes nothing either
	}
	if err != nil || !locked {
		return false, err
	}
	return t.Leads(name, f)
}

// Leads reports whether name leads to the open file f, and not to another or to
// nothing.
func (t Tree) Leads(name string, f File) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := t.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, there), err
}

// Remove removes a file durably; no error where there is none.
func (t Tree) Remove(name string) error {
	err := t.sys.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncDir(t.sys, path.Dir(name))
}

// Move renames a file whose contents are durable already.
func (t Tree) Move(name, to string) error {
	if err := t.sys.Rename(name, to); err != nil {
		return err
	}
	return syncDir(t.sys, path.Dir(to))
}

// MakeDir makes a directory durably; fs.ErrExist where the name is taken.
func (t Tree) MakeDir(name string) error {
	if err := t.sys.Mkdir(name, 0o700); err != nil {
		return err
	}
	return syncDir(t.sys, path.Dir(name))
}

// Settle makes the entries of a directory durable, for a file that was created
// in it without being published.
func (t Tree) Settle(dir string) error { return syncDir(t.sys, dir) }

// Sweep removes what processes that died left unpublished in a directory.
func (t Tree) Sweep(dir string) error {
	names, err := t.Names(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, base := range names {
		if IsTemp(base) {
			errs = append(errs, t.sweep(path.Join(dir, base)))
		}
	}
	return errors.Join(errs...)
}

// sweep removes one temporary file unless a living process holds it.
func (t Tree) sweep(name string) error {
	info, err := t.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	f, err := t.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	dead, err := TryLock(f, Exclusive)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err != nil || !dead {
		return err
	}
	return t.Remove(name)
}
