package filestate

import (
	"strings"
	"syscall"
)

// mntLocal is MNT_LOCAL of mount(2): the file system is stored on this machine.
const mntLocal = 0x1000

// networkFilesystem names the file system of a directory where it is one of
// those whose locks and syncs depend on somebody else.
func networkFilesystem(dir string) (name string, remote bool, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return "", false, err
	}
	var b strings.Builder
	for _, c := range s.Fstypename {
		if c == 0 {
			break
		}
		b.WriteByte(byte(c))
	}
	name = b.String()
	return name, s.Flags&mntLocal == 0 || strings.Contains(name, "fuse"), nil
}
