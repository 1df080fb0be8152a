package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/core/fault"
)

const fileName = "config.json"

// maxFile bounds the file, in bytes.
const maxFile = 1 << 20

// File is the configuration of one home. It holds nothing open between uses and
// is safe for concurrent use.
type File struct {
	home string
	mu   sync.Mutex // one update at a time

	last  atomic.Pointer[decoded]
	grain time.Duration
}

// decoded is what the file with a stamp said. It is never changed.
type decoded struct {
	stamp    owner.Stamp
	document Document
}

// grain is how long a file must have been as it is before its stamp is trusted:
// longer than the grain of any file system's clock.
const grain = 3 * time.Second

// known is what the file says where it is the one that was decoded last. Owner and
// modes are checked each time.
func (f *File) known() (Document, bool) {
	last := f.last.Load()
	if last == nil {
		return Document{}, false
	}
	home, err := os.Lstat(f.home)
	if err != nil || check(f.home, home, fs.ModeDir) != nil {
		return Document{}, false
	}
	info, err := os.Lstat(f.Path())
	if err != nil || check(f.Path(), info, 0) != nil {
		return Document{}, false
	}
	stamp, ok := owner.StampOf(info)
	return last.document.clone(), ok && stamp == last.stamp
}

// remember keeps what a file said. A file that was changed just now may be changed
// again without a trace, so it is read again.
func (f *File) remember(info fs.FileInfo, d Document) {
	stamp, ok := owner.StampOf(info)
	if age := time.Since(stamp.Changed()); ok && age > f.grain {
		f.last.Store(&decoded{stamp, d.clone()})
	}
}

// Open names the configuration of a home, which is absolute. It reads nothing.
func Open(home string) *File { return &File{home: filepath.Clean(home), grain: grain} }

// Home is the directory.
func (f *File) Home() string { return f.home }

// Path is where an operator finds the file.
func (f *File) Path() string { return filepath.Join(f.home, fileName) }

// Read gives what the file says; a missing file says nothing. Failures: config.
func (f *File) Read(ctx context.Context) (Document, error) {
	if err := ctx.Err(); err != nil {
		return Document{}, err
	}
	if d, ok := f.known(); ok {
		return d, nil
	}
	data, info, err := f.content(ctx)
	if err != nil {
		return Document{}, err
	}
	d, err := decodeOrEmpty(data)
	if err == nil && info != nil {
		f.remember(info, d)
	}
	return d, err
}

func decodeOrEmpty(data []byte) (Document, error) {
	if data == nil {
		return Document{Profiles: map[string]Entry{}, Secrets: map[string]Source{}}, nil
	}
	return Decode(data)
}

// Update changes the file: change gets what it says now and its error ends the
// update. The home directory is made where it is missing, the file is replaced
// whole and durably. Failures: config, also where the result could not be read
// again; conflict where somebody else has changed the file meanwhile.
func (f *File) Update(ctx context.Context, change func(*Document) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	before, err := f.bytes(ctx)
	if err != nil {
		return err
	}
	d, err := decodeOrEmpty(before)
	if err != nil {
		return err
	}
	if err := change(&d); err != nil {
		return err
	}
	after, err := d.Encode()
	if err != nil {
		return err
	}
	if now, err := f.bytes(ctx); err != nil || !bytes.Equal(now, before) {
		return errors.Join(err, fault.New(fault.Conflict, "%s has just been changed by somebody else; try again", f.Path()))
	}
	return f.write(after)
}

func (f *File) write(data []byte) error {
	if err := durable.MakeDir(f.home); err != nil && !errors.Is(err, fs.ErrExist) {
		return f.trouble(err, "made", f.home)
	}
	root, err := f.enter()
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing was written through it that could be lost
	if err := durable.New(root).Replace(fileName, durable.Bytes(data)); err != nil {
		return f.trouble(err, "written", f.Path())
	}
	return nil
}

// bytes reads the file; nil where there is none.
func (f *File) bytes(ctx context.Context) ([]byte, error) {
	data, _, err := f.content(ctx)
	return data, err
}

// content is the file's bytes and what it was when they were read; nil where there
// is none.
func (f *File) content(ctx context.Context) ([]byte, fs.FileInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	root, err := f.enter()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer root.Close() //nolint:errcheck // opened for reading only
	tree := durable.New(root)
	const attempts = 8 // a file that is being replaced may change between look and open
	for range attempts {
		data, info, err := f.readOnce(tree)
		if !errors.Is(err, errUnsteady) {
			return data, info, err
		}
	}
	return nil, nil, fault.New(fault.Config, "%s keeps being replaced while it is read; find the program that does it", f.Path())
}

// errUnsteady: the file was replaced between the look and the opening.
var errUnsteady = errors.New("replaced meanwhile")

func (f *File) readOnce(tree durable.Tree) ([]byte, fs.FileInfo, error) {
	info, err := tree.Lstat(fileName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, f.trouble(err, "read", f.Path())
	}
	if err := check(f.Path(), info, 0); err != nil {
		return nil, nil, err
	}
	in, err := tree.Open(fileName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, errUnsteady
	}
	if err != nil {
		return nil, nil, f.trouble(err, "read", f.Path())
	}
	defer in.Close() //nolint:errcheck // opened for reading only
	if opened, err := in.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, nil, errUnsteady
	}
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	switch {
	case err != nil:
		return nil, nil, f.trouble(err, "read", f.Path())
	case len(data) > maxFile:
		return nil, nil, fault.New(fault.Config, "%s is larger than 1 MiB; it cannot be meant", f.Path())
	}
	return data, info, nil
}

// enter opens the home directory, which must be the user's alone. A missing one
// gives fs.ErrNotExist.
func (f *File) enter() (*durable.Root, error) {
	info, err := os.Lstat(f.home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, f.trouble(err, "looked at", f.home)
	}
	if err := check(f.home, info, fs.ModeDir); err != nil {
		return nil, err
	}
	root, err := durable.OpenRoot(f.home)
	if err != nil {
		return nil, f.trouble(err, "opened", f.home)
	}
	if opened, err := root.Lstat("."); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(f.trouble(errors.New("exchanged"), "opened", f.home), root.Close())
	}
	return root, nil
}

// check refuses what is of another type (fs.ModeDir, or 0 for a regular file) and
// what others could read or change. It mends nothing: somebody may have looked.
func check(path string, info fs.FileInfo, kind fs.FileMode) error {
	mode, name := "600", "a regular file"
	if kind == fs.ModeDir {
		mode, name = "700", "a directory"
	}
	if info.Mode().Type() != kind {
		return fault.New(fault.Config, "%s is not %s; put one in its place", path, name).With("path", path)
	}
	if problem := others(info); problem != "" {
		command := fmt.Sprintf("chown %d %s && chmod %s %s", os.Geteuid(), quote(path), mode, quote(path))
		return fault.New(fault.Config, "%s %s; look at what it says, then run: %s", path, problem, command).
			With("path", path).With("command", command)
	}
	return nil
}

func quote(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// trouble is the failure of a call, told without the text of its cause.
func (f *File) trouble(err error, done, path string) error {
	why := "check the disk, its modes and owners"
	switch {
	case errors.Is(err, fs.ErrPermission):
		why = "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		why = "the directory above it does not exist"
	}
	return fault.Wrap(err, fault.Config, "%s cannot be %s: %s", path, done, why).With("path", path)
}

// others says who besides this user could read or change a file, "" for nobody.
func others(info fs.FileInfo) string {
	problem := owner.Private(info)
	if problem == "" && info.Mode().IsRegular() && owner.Supported && owner.Links(info) != 1 {
		return "has a second name (a hard link), through which it can change"
	}
	return problem
}
