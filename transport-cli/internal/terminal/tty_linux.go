package terminal

import "golang.org/x/sys/unix"

const (
	getAttributes = unix.TCGETS
	setAttributes = unix.TCSETS
)

func flushInput(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }

func foregroundGroup(fd int) (int, error) {
	group, err := unix.IoctlGetUint32(fd, unix.TIOCGPGRP)
	return int(group), err
}
