package filestate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// Locks keeps locks as locks/dev-<hash of the name>.lock, held by the kernel for
// as long as the process lives. The files are never removed: a lock on a removed
// file would exclude nobody.
type Locks struct{ store *Store }

var _ port.Locks = (*Locks)(nil)

func lockFile(name string) string {
	sum := sha256.Sum256([]byte(name))
	return locksDir + "/dev-" + hex.EncodeToString(sum[:8]) + ".lock"
}

// Lock takes the lock of a name without waiting.
func (l *Locks) Lock(ctx context.Context, name string) (release func(), err error) {
	v, err := l.store.in(ctx, locksDir, writing)
	if err != nil {
		return nil, err
	}
	defer v.leave()
	for range attempts {
		f, err := v.openOrCreate(lockFile(name))
		if err != nil {
			return nil, err
		}
		held, err := v.hold(lockFile(name), f)
		if held {
			var once sync.Once
			return func() { once.Do(func() { giveBack(f) }) }, nil
		}
		_ = f.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, unsteady(v.path(lockFile(name)))
}

// giveBack gives a lock back. Closing alone would not: a program that is being started at
// this moment, such as a credential helper, has a copy of the open file until it runs.
func giveBack(f durable.File) {
	_ = durable.Unlock(f) // what fails here is done by the close, or by the end of the process
	_ = f.Close()
}

// hold locks an open file. held is false without an error where the file was
// exchanged meanwhile.
func (v *visit) hold(name string, f durable.File) (held bool, err error) {
	locked, err := durable.TryLock(f, durable.Exclusive)
	if err != nil {
		return false, trouble(err, "lock", v.path(name))
	}
	if !locked {
		return false, fault.New(fault.Conflict, "another apply to this device is at work; try again when it has ended").
			With("reason", "busy")
	}
	held, err = v.tree.Leads(name, f)
	if err != nil {
		return false, trouble(err, "look at", v.path(name))
	}
	return held, nil
}
