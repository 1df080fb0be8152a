package credential

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/core/fault"
)

// fromFile reads a regular file, never through a symbolic link, that belongs to
// this user alone.
func fromFile(name string, from Source) (string, error) {
	refuse := func(err error, problem string) (string, error) {
		return "", fault.Wrap(err, fault.Config, "%s: %s %s", name, from, problem).With("path", from.File)
	}
	info, err := os.Lstat(from.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse(err, "does not exist")
	case err != nil:
		return refuse(err, "cannot be looked at; check the modes of what lies above it")
	case !info.Mode().IsRegular():
		return refuse(nil, "is not a regular file")
	}
	if problem := owner.Private(info); problem != "" {
		return refuse(nil, problem+"; make a new token if anybody may have read it, and give the file to this user alone: chmod 600")
	}
	in, err := os.Open(from.File) // #nosec G304 -- the operator names the file
	if err != nil {
		return refuse(err, "cannot be opened")
	}
	defer in.Close() //nolint:errcheck // opened for reading only
	if opened, err := in.Stat(); err != nil || !os.SameFile(info, opened) {
		return refuse(err, "was replaced while it was read; try again")
	}
	data, err := io.ReadAll(io.LimitReader(in, MaxSecret+3)) // room for a line break, and one byte too many
	if err != nil {
		return refuse(err, "cannot be read")
	}
	return string(data), nil
}
