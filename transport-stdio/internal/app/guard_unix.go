//go:build unix

package app

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// firstFree is the lowest descriptor that is not one of the standard three.
const firstFree = 3

// guard keeps standard output for the protocol: it gives a copy that no child
// process inherits, and lets file descriptor 1 lead to standard error.
func guard() (*os.File, error) {
	fd, err := unix.FcntlInt(uintptr(unix.Stdout), unix.F_DUPFD_CLOEXEC, firstFree)
	if err != nil {
		return nil, fmt.Errorf("copying file descriptor 1: %w", err)
	}
	if err := redirect(unix.Stderr, unix.Stdout); err != nil {
		return nil, fmt.Errorf("pointing file descriptor 1 at standard error: %w", err)
	}
	return os.NewFile(uintptr(fd), "protocol"), nil //nolint:gosec // a descriptor is never negative here
}
