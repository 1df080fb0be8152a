// Package durabletest records the calls that durable work is made of, makes them
// fail, and shows what a crash between any two of them can leave on the disk.
// Only tests import it.
package durabletest

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/forti-mcp/forti/adapters/internal/durable"
)

// Kind names a call.
type Kind string

// The calls that change something or make a change durable, and the caller's
// own marks.
const (
	Create   Kind = "create"
	Write    Kind = "write"
	Truncate Kind = "truncate"
	Sync     Kind = "sync"
	Mkdir    Kind = "mkdir"
	Link     Kind = "link"
	Rename   Kind = "rename"
	Remove   Kind = "remove"
	SyncDir  Kind = "syncdir"
	Mark     Kind = "mark"
)

// Call is one call that was made.
type Call struct {
	Kind Kind
	// Name is the file or directory, for writes and syncs the name under which it
	// was opened; To the new name.
	Name, To string
	// File numbers the file itself, whatever its names.
	File int
	Data []byte
	Size int64
	// Err is why it failed.
	Err error
}

// Recorder sees the calls of all systems that it wraps. It is safe for
// concurrent use.
type Recorder struct {
	// Fault says which call fails, and how. A write that fails has written half.
	Fault func(c Call) error

	mu    sync.Mutex
	calls []Call
	files map[string]int
	next  int
}

// Calls are the calls so far.
func (r *Recorder) Calls() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// Mark records where the test stands.
func (r *Recorder) Mark(text string) {
	_ = r.do(Call{Kind: Mark, Name: text}, func() error { return nil })
}

// Wrap records a system.
func (r *Recorder) Wrap(s durable.System) durable.System { return &system{s, r} }

// do makes a call unless it is to fail, and records it.
func (r *Recorder) do(c Call, call func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Fault != nil && c.Kind != Mark {
		c.Err = r.Fault(c)
	}
	if c.Err == nil {
		c.Err = call()
	}
	if c.Err == nil {
		r.follow(&c)
	}
	r.calls = append(r.calls, c)
	return c.Err
}

// follow keeps track of which name leads to which file.
func (r *Recorder) follow(c *Call) {
	if r.files == nil {
		r.files = map[string]int{}
	}
	switch c.Kind {
	case Create:
		r.next++
		r.files[c.Name], c.File = r.next, r.next
	case Link:
		r.files[c.To], c.File = r.files[c.Name], r.files[c.Name]
	case Rename:
		r.files[c.To], c.File = r.files[c.Name], r.files[c.Name]
		delete(r.files, c.Name)
	case Remove:
		delete(r.files, c.Name)
	case Write, Truncate, Sync, Mkdir, SyncDir, Mark:
	}
}

func (r *Recorder) file(name string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files[name]
}

type system struct {
	durable.System
	recorder *Recorder
}

func (s *system) OpenFile(name string, flag int, perm fs.FileMode) (durable.File, error) {
	if flag&os.O_CREATE == 0 {
		f, err := s.System.OpenFile(name, flag, perm)
		if err != nil {
			return nil, err
		}
		return &file{f, s.recorder, name, s.recorder.file(name)}, nil
	}
	var f durable.File
	err := s.recorder.do(Call{Kind: Create, Name: name}, func() (err error) {
		f, err = s.System.OpenFile(name, flag, perm)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &file{f, s.recorder, name, s.recorder.file(name)}, nil
}

func (s *system) Mkdir(name string, perm fs.FileMode) error {
	return s.recorder.do(Call{Kind: Mkdir, Name: name}, func() error { return s.System.Mkdir(name, perm) })
}

func (s *system) Link(name, to string) error {
	return s.recorder.do(Call{Kind: Link, Name: name, To: to}, func() error { return s.System.Link(name, to) })
}

func (s *system) Rename(name, to string) error {
	return s.recorder.do(Call{Kind: Rename, Name: name, To: to}, func() error { return s.System.Rename(name, to) })
}

func (s *system) Remove(name string) error {
	return s.recorder.do(Call{Kind: Remove, Name: name}, func() error { return s.System.Remove(name) })
}

func (s *system) SyncDir(dir string) error {
	return s.recorder.do(Call{Kind: SyncDir, Name: dir}, func() error { return s.System.SyncDir(dir) })
}

type file struct {
	durable.File
	recorder *Recorder
	name     string
	number   int
}

func (f *file) Write(p []byte) (int, error) {
	err := f.recorder.do(Call{Kind: Write, Name: f.name, File: f.number, Data: slices.Clone(p)}, func() error {
		_, err := f.File.Write(p)
		return err
	})
	if err == nil {
		return len(p), nil
	}
	n, wrong := f.File.Write(p[:len(p)/2])
	return n, errors.Join(err, wrong)
}

func (f *file) Truncate(size int64) error {
	return f.recorder.do(Call{Kind: Truncate, Name: f.name, File: f.number, Size: size}, func() error { return f.File.Truncate(size) })
}

func (f *file) Sync() error {
	return f.recorder.do(Call{Kind: Sync, Name: f.name, File: f.number}, func() error { return f.File.Sync() })
}
