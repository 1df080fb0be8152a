// Package owner says whose a file is, and who else could read or change it.
package owner

import "io/fs"

const (
	foreign = "does not belong to this user"
	open    = "is open to other users"
)

// Private says why a file or directory is not this user's alone, "" where it is.
func Private(info fs.FileInfo) string {
	switch {
	case !Supported:
		return ""
	case Of(info) != Me():
		return foreign
	case info.Mode().Perm()&0o077 != 0:
		return open
	}
	return ""
}

// Steady says why somebody other than this user and the superuser could change a
// file, "" where nobody could. Others may read it.
func Steady(info fs.FileInfo) string {
	switch uid := Of(info); {
	case !Supported:
		return ""
	case uid != Me() && uid != 0:
		return foreign
	case info.Mode().Perm()&0o022 != 0:
		return "can be changed by other users"
	}
	return ""
}
