package owner

import (
	"io/fs"
	"syscall"
	"time"
)

// Stamp tells two contents of a file apart, as far as the file system can: where the
// same, the file was neither replaced nor written to nor given away, unless within
// the grain of its clock after Changed.
type Stamp struct {
	Device, Inode    uint64
	Size             int64
	Modified, Status int64 // nanoseconds
}

// Changed is when the file was last written, replaced or given away.
func (s Stamp) Changed() time.Time { return time.Unix(0, max(s.Modified, s.Status)) }

// StampOf is the stamp of a file; false where the system has none.
func StampOf(info fs.FileInfo) (Stamp, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Stamp{}, false
	}
	return Stamp{Device: s.Dev, Inode: s.Ino, Size: s.Size, Modified: s.Mtim.Nano(), Status: s.Ctim.Nano()}, true
}
