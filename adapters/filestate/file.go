package filestate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/core/fault"
)

// maxFile bounds every file that is read whole, in bytes.
const maxFile = 64 << 20

// attempts bounds how often a file is looked at again that another process
// replaces at the same moment.
const attempts = 32

// inspect describes a file and refuses what must not stand in its place.
// fs.ErrNotExist where there is none.
func (v *visit) inspect(name string) (fs.FileInfo, error) {
	for range attempts {
		info, err := v.tree.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil {
			return nil, trouble(err, "look at", v.path(name))
		}
		if err := checkFile(v.path(name), info); err != nil {
			return nil, err
		}
		if names := owner.Links(info); names == 1 || names == 2 && v.beingPublished(name, info) {
			return info, nil
		}
		// Its publisher may have removed the second name just now.
		if again, err := v.tree.Lstat(name); err == nil && os.SameFile(info, again) && owner.Links(again) != 1 {
			return nil, refuseLinks(v.path(name), owner.Links(again))
		}
	}
	return nil, unsteady(v.path(name))
}

// beingPublished reports whether the second name of a file is the temporary one
// that it has between its publication and the removal of that name.
func (v *visit) beingPublished(name string, info fs.FileInfo) bool {
	dir := path.Dir(name)
	names, err := v.tree.Names(dir)
	if err != nil {
		return false
	}
	for _, base := range names {
		if !durable.IsTemp(base) {
			continue
		}
		if other, err := v.tree.Lstat(path.Join(dir, base)); err == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// open opens an existing file with how, and makes sure that it got the file that
// it inspected. fs.ErrNotExist where there is none.
func (v *visit) open(name string, how func(name string) (durable.File, error)) (durable.File, error) {
	for range attempts {
		info, err := v.inspect(name)
		if err != nil {
			return nil, err
		}
		f, err := how(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, trouble(err, "open", v.path(name))
		}
		opened, err := f.Stat()
		if err == nil && os.SameFile(info, opened) {
			return f, nil
		}
		_ = f.Close()
		if err != nil {
			return nil, trouble(err, "look at", v.path(name))
		}
	}
	return nil, unsteady(v.path(name))
}

// openOrCreate opens a file for appending or locking and makes it where it is
// missing.
func (v *visit) openOrCreate(name string) (durable.File, error) {
	for range attempts {
		f, err := v.open(name, v.tree.OpenAppend)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
		f, err = v.tree.CreateEmpty(name)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, trouble(err, "make", v.path(name))
		}
	}
	return nil, unsteady(v.path(name))
}

func unsteady(where string) error {
	return fault.New(fault.Config, "%s keeps being replaced while it is used; find the program that does it", where).With("path", where)
}

// read gives a file's contents. fs.ErrNotExist where there is none.
func (v *visit) read(name string) ([]byte, error) {
	f, err := v.open(name, v.tree.Open)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is larger than %d bytes", maxFile)
	}
	if err != nil {
		return nil, trouble(err, "read", v.path(name))
	}
	return data, nil
}

// create publishes a new file; fs.ErrExist where there is one.
func (v *visit) create(name string, data []byte) error {
	err := v.tree.Create(name, durable.Bytes(data))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return trouble(err, "write", v.path(name))
	}
	return err
}

// replace publishes a file in the place of one that may exist and, where it
// does, must be a file of ours.
func (v *visit) replace(name string, fill durable.Fill) error {
	if _, err := v.inspect(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return v.tree.Replace(name, fill)
}

// remove removes a file durably; no error where there is none.
func (v *visit) remove(name string) error {
	if err := v.tree.Remove(name); err != nil {
		return trouble(err, "remove", v.path(name))
	}
	return nil
}

// exists reports whether a file that must be ours is there.
func (v *visit) exists(name string) (bool, error) {
	_, err := v.inspect(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
