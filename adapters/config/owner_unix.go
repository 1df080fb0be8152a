//go:build linux || darwin

package config

import (
	"io/fs"
	"os"
	"syscall"
)

func homeVariables() []string { return []string{"HOME"} }

// others says who besides this user could read or change a file, "" for nobody.
func others(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || int(s.Uid) != os.Geteuid():
		return "does not belong to this user"
	case info.Mode().Perm()&0o077 != 0:
		return "is open to other users"
	case info.Mode().IsRegular() && s.Nlink != 1:
		return "has a second name (a hard link), through which it can change"
	}
	return ""
}
