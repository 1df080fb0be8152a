package system

import (
	"os"
	"path/filepath"
	"syscall"
)

func executable() (string, error) { return os.Executable() }

// terminal names the terminal of stdin, stdout or stderr.
func terminal() string {
	names, err := filepath.Glob("/dev/tty?*")
	if err != nil {
		return ""
	}
	for fd := range 3 {
		var open syscall.Stat_t
		if syscall.Fstat(fd, &open) != nil || open.Mode&syscall.S_IFMT != syscall.S_IFCHR {
			continue
		}
		for _, name := range names {
			var device syscall.Stat_t
			if syscall.Lstat(name, &device) == nil && device.Mode&syscall.S_IFMT == syscall.S_IFCHR && device.Rdev == open.Rdev {
				return name
			}
		}
	}
	return ""
}
