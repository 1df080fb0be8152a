package credential

import (
	"io/fs"

	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/adapters/internal/regular"
	"github.com/forti-mcp/forti/core/fault"
)

// fromFile reads a regular file, never through a symbolic link, that belongs to
// this user alone.
func fromFile(name string, from Source) (string, error) {
	data, err := regular.Read(from.File, MaxSecret+2, func(info fs.FileInfo) string { // room for a line break
		if problem := owner.Private(info); problem != "" {
			return problem + "; make a new token if anybody may have read it, and give the file to this user alone: chmod 600"
		}
		return ""
	})
	if err != nil {
		return "", fault.Wrap(err, fault.Config, "%s: %s %s", name, from, err).With("path", from.File)
	}
	return string(data), nil
}
