//go:build linux || darwin

package filestate

import (
	"io/fs"
	"math"
	"os"
	"syscall"
)

// supported: owners, modes, locks and syncs are what this package needs.
const supported = true

// owner is the id of the user that a file belongs to.
func owner(info fs.FileInfo) uint32 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Uid
	}
	return math.MaxUint32 // nobody: refused everywhere
}

// links is the number of names of a file.
func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink) //nolint:unconvert // its type depends on the system
	}
	return 0
}

// userID is the user that this process acts as.
func userID() uint32 { return uint32(os.Geteuid()) } //nolint:gosec // an id, never negative here
