package system

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/user"
	"strconv"

	"github.com/forti-mcp/forti/core/canon"
)

// Process says who runs this program and where, as far as the system tells. It
// is for the record and proves nothing.
type Process struct {
	// User is the login name of UID, "" where the system has none; UID is the
	// effective user, -1 where there are no such ids.
	User string
	UID  int
	PID  int
	Host string
	// TTY is the controlling terminal, "/dev/pts/3", "" where there is none.
	TTY string
}

// Current describes this process.
func Current() Process {
	p := Process{UID: os.Geteuid(), PID: os.Getpid(), TTY: terminal()}
	if u, err := who(p.UID); err == nil {
		p.User = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		p.Host = host
	}
	return p
}

func who(uid int) (*user.User, error) {
	if uid < 0 {
		return user.Current()
	}
	return user.LookupId(strconv.Itoa(uid))
}

// Executable hashes the program that is running. It reads the whole file; call
// it where the hash is needed, not at the start.
func Executable() (canon.Digest, error) {
	path, err := executable()
	if err != nil {
		return canon.Digest{}, fmt.Errorf("system: %w", err)
	}
	f, err := os.Open(path) //nolint:gosec // the path is this program's own
	if err != nil {
		return canon.Digest{}, fmt.Errorf("system: %w", err)
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return canon.Digest{}, fmt.Errorf("system: %w", err)
	}
	return canon.ParseDigest("sha256:" + hex.EncodeToString(sum.Sum(nil)))
}
