package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/forti-mcp/forti/core/fault"
)

// ReadFile reads a file that a flag names, of at most limit bytes. The failure is
// usage, with the flag as its place.
func ReadFile(path, flag string, limit int64) ([]byte, error) {
	f, err := os.Open(path) // #nosec G304 -- the person names the file
	if err != nil {
		return nil, fileFault(err, path, flag, "read", Reason(err))
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	return ReadAll(f, path, flag, limit)
}

// ReadAll is ReadFile for what is open already.
func ReadAll(from io.Reader, name, flag string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case err != nil:
		return nil, fileFault(err, name, flag, "read", Reason(err))
	case int64(len(data)) > limit:
		return nil, fileFault(nil, name, flag, "read", fmt.Sprintf("it is larger than %d KiB", limit>>10))
	}
	return data, nil
}

// FileFault is a file, named by a flag, that cannot be used.
func FileFault(err error, path, flag string) *fault.Error {
	return fileFault(err, path, flag, "used", Reason(err))
}

func fileFault(err error, path, flag, doing, why string) *fault.Error {
	return fault.Wrap(err, fault.Usage, "the file %q cannot be %s: %s", path, doing, why).
		With("problems", []fault.Problem{{Pointer: flag, Problem: why}})
}

// Reason is an error of the file system without the path, which is told already.
func Reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
