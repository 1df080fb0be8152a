//go:build linux || darwin

package credential

import (
	"io/fs"
	"os"
	"syscall"
)

// others says who besides this user could read or change a file, "" for nobody.
func others(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || int(s.Uid) != os.Geteuid():
		return "does not belong to this user"
	case info.Mode().Perm()&0o077 != 0:
		return "is open to other users"
	}
	return ""
}
