//go:build linux || darwin

package durable

import (
	"errors"
	"syscall"
)

const directoriesSync = true

// TryLock takes the advisory lock of an open file without waiting and reports
// whether it got it. Closing the file, or the end of the process in whatever
// way, releases it.
func TryLock(f File, mode LockMode) (bool, error) {
	how := syscall.LOCK_EX
	if mode == Shared {
		how = syscall.LOCK_SH
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = flock(int(fd), how|syscall.LOCK_NB) })
	if errors.Is(failed, syscall.EWOULDBLOCK) {
		return false, nil
	}
	err = errors.Join(err, failed)
	return err == nil, err
}

func flock(fd, how int) error {
	for {
		if err := syscall.Flock(fd, how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// Unlock gives the lock of an open file back before the file is closed.
func Unlock(f File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = flock(int(fd), syscall.LOCK_UN) })
	return errors.Join(err, failed)
}
