package fake

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// Backups is the backups of a [State].
type Backups struct{ state *State }

// Locks is the locks of a [State], shared by all processes on its directory.
type Locks struct{ state *State }

var (
	_ port.Backups      = (*Backups)(nil)
	_ port.BackupPruner = (*Backups)(nil)
	_ port.Locks        = (*Locks)(nil)
)

// Backups is the port.
func (s *State) Backups() *Backups { return &Backups{s} }

// Locks is the port.
func (s *State) Locks() *Locks { return &Locks{s} }

// Save stores what fill writes; see [port.Backups].
func (b *Backups) Save(ctx context.Context, id plan.ID, fill func(w io.Writer) error) (port.Backup, error) {
	if err := ctx.Err(); err != nil {
		return port.Backup{}, err
	}
	var content bytes.Buffer
	if err := fill(&content); err != nil {
		return port.Backup{}, err
	}
	saved := port.Backup{
		Name:   fmt.Sprintf("%s.conf", id),
		Digest: canon.Sum(content.Bytes()), Bytes: int64(content.Len()),
	}
	err := b.state.durable(StepBackup, nil, func(d *disk, torn bool) {
		if !torn {
			d.backups[saved.Name] = content.Bytes()
		}
	})
	if err != nil {
		return port.Backup{}, err
	}
	return saved, nil
}

// List gives all backups; see [port.BackupLister].
func (b *Backups) List(ctx context.Context) ([]port.StoredBackup, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var list []port.StoredBackup
	err := b.state.locked(func(d *disk) error {
		for _, name := range slices.Backward(sortedNames(d.backups)) {
			id, err := plan.ParseID(strings.TrimSuffix(name, ".conf"))
			if err != nil {
				return err
			}
			list = append(list, port.StoredBackup{ID: id, Backup: port.Backup{Name: name, Bytes: int64(len(d.backups[name]))}})
		}
		return nil
	})
	return list, err
}

// Digest is that of a stored backup; see [port.BackupPruner].
func (b *Backups) Digest(ctx context.Context, id plan.ID) (canon.Digest, error) {
	content, ok := b.Content(id.String() + ".conf")
	if !ok {
		return canon.Digest{}, fault.New(fault.NotFound, "there is no backup %s", id)
	}
	return canon.Sum(content), ctx.Err()
}

// Remove removes a backup; see [port.BackupPruner].
func (b *Backups) Remove(ctx context.Context, id plan.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.state.locked(func(d *disk) error {
		delete(d.backups, id.String()+".conf")
		return nil
	})
}

// Names lists what is stored, sorted.
func (b *Backups) Names() []string {
	b.state.disk.mu.Lock()
	defer b.state.disk.mu.Unlock()
	return sortedNames(b.state.disk.backups)
}

// Content is a stored backup.
func (b *Backups) Content(name string) (content []byte, ok bool) {
	b.state.disk.mu.Lock()
	defer b.state.disk.mu.Unlock()
	content, ok = b.state.disk.backups[name]
	return bytes.Clone(content), ok
}

// Lock takes a lock; see [port.Locks].
func (l *Locks) Lock(ctx context.Context, name string) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = l.state.locked(func(d *disk) error {
		if d.locks[name] != nil {
			return fault.New(fault.Conflict, "another apply is at work on this device; try again when it has ended").
				With("reason", "busy")
		}
		d.locks[name] = l.state
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func() { l.free(name) }, nil
}

// free gives a lock back, unless it went with its process and is another's now.
func (l *Locks) free(name string) {
	l.state.disk.mu.Lock()
	defer l.state.disk.mu.Unlock()
	if l.state.disk.locks[name] == l.state {
		delete(l.state.disk.locks, name)
	}
}
