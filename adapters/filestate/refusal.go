package filestate

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/adapters/internal/shell"
	"github.com/forti-mcp/forti/core/fault"
)

// refuse is the error about something that must not be used as it is.
func refuse(where, problem, command string) error {
	return fault.New(fault.Config, "%s %s; run: %s", where, problem, command).
		With("path", where).With("command", command)
}

// unfit is the error about something above home that is not the user's to mend.
func unfit(where, problem string) error {
	return fault.New(fault.Config, "%s %s; choose another home directory, with --home or FORTI_HOME", where, problem).With("path", where)
}

// checkDir refuses what is not a directory of the user's alone.
func checkDir(where string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(where, "is a symbolic link and a directory belongs there", "rm "+shell.Quote(where))
	case !info.IsDir():
		return refuse(where, "is not a directory", moveAway(where))
	}
	return checkOwned(where, info, "700")
}

// checkFile refuses what is not a regular file of the user's alone. It does not
// count its names.
func checkFile(where string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(where, "is a symbolic link and a file belongs there", "rm "+shell.Quote(where))
	case !info.Mode().IsRegular():
		return refuse(where, "is not a regular file", moveAway(where))
	}
	return checkOwned(where, info, "600")
}

func checkOwned(where string, info fs.FileInfo, mode string) error {
	if uid := owner.Of(info); uid != owner.Me() {
		return refuse(where, fmt.Sprintf("belongs to user %d", uid), fmt.Sprintf("chown %d %s", owner.Me(), shell.Quote(where)))
	}
	if loose := info.Mode().Perm() & 0o077; loose != 0 {
		return refuse(where, fmt.Sprintf("is open to other users (mode %#o)", info.Mode().Perm()), "chmod "+mode+" "+shell.Quote(where))
	}
	return nil
}

func refuseLinks(where string, names uint64) error {
	copied := shell.Quote(where + ".copy")
	return refuse(where, fmt.Sprintf("has %d names (hard links), so it can change from elsewhere", names),
		fmt.Sprintf("cp -p %s %s && mv %s %s", shell.Quote(where), copied, copied, shell.Quote(where)))
}

func moveAway(where string) string {
	return "mv " + shell.Quote(where) + " " + shell.Quote(where+".old")
}

// trouble is the error of a failed call. It keeps the errors that say what to
// do already, and shows nothing of the cause but what the system calls it.
func trouble(err error, doing, where string) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return fault.Wrap(err, fault.Config, "cannot %s %s: %s", doing, where, reason(err)).With("path", where)
}

func reason(err error) string {
	var number syscall.Errno
	switch {
	case errors.Is(err, durable.ErrStopped):
		return "an earlier write to it failed; check the disk, then start the program again"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk is full; free some space and try again"
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only; mount it writable"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied; check the modes and owners of it and of what lies above it"
	case errors.Is(err, durable.ErrSync), errors.Is(err, syscall.EIO):
		return "the disk did not confirm it; check the disk, then start the program again"
	case errors.As(err, &number):
		return number.Error()
	}
	return "it cannot be used as it is"
}
