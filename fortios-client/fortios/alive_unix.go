//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package fortios

import (
	"errors"
	"net"
	"syscall"
)

// alive reports whether an idle connection is silent, as it should be. An end of
// the connection that has already arrived, or bytes that nobody asked for, would
// otherwise be noticed only after a request was sent on it.
func alive(conn net.Conn) bool {
	holder, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := holder.SyscallConn()
	if err != nil {
		return false
	}
	silent := false
	err = raw.Read(func(fd uintptr) bool {
		var one [1]byte
		// The socket does not block. Whatever is read here is lost, and the
		// connection is not used in that case.
		_, err := syscall.Read(int(fd), one[:]) //nolint:gosec // A descriptor fits into an int.
		silent = errors.Is(err, syscall.EAGAIN)
		return true
	})
	return err == nil && silent
}
