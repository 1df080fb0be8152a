//go:build linux || darwin

package owner

import (
	"io/fs"
	"math"
	"os"
	"syscall"
)

// Supported says that this system has owners and modes.
const Supported = true

// Of is the id of the user that a file belongs to; nobody's where it is not known.
func Of(info fs.FileInfo) uint32 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Uid
	}
	return math.MaxUint32
}

// Links is the number of names of a file, 0 where it is not known.
func Links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink) //nolint:unconvert // its type depends on the system
	}
	return 0
}

// Me is the user that this process acts as.
func Me() uint32 { return uint32(os.Geteuid()) } //nolint:gosec // an id, never negative here
