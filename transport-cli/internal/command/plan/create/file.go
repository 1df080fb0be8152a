package create

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
)

// fileLimit bounds a file of operations, in bytes.
const fileLimit = 4 << 20

// load reads a file of operations and gives it as the JSON of a request.
func load(path string, stdin io.Reader) ([]byte, error) {
	data, err := content(path, stdin)
	if err != nil {
		return nil, err
	}
	if isYAML(path, data) {
		if data, err = fromYAML(data); err != nil {
			return nil, err
		}
	}
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) == 0 {
		return nil, broken("the file is empty")
	}
	if trimmed[0] != '[' {
		return trimmed, nil
	}
	return append(append([]byte(`{"operations":`), trimmed...), '}'), nil
}

func content(path string, stdin io.Reader) ([]byte, error) {
	from := stdin
	if path != "-" {
		f, err := os.Open(path) //nolint:gosec // the operator names the file
		if err != nil {
			return nil, fault.Wrap(err, fault.Usage, "the file %q cannot be read: %s", path, reason(err)).
				With("problems", []fault.Problem{{Pointer: "--file", Problem: reason(err)}})
		}
		defer f.Close() //nolint:errcheck // opened for reading only
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, fileLimit+1))
	switch {
	case err != nil:
		return nil, fault.Wrap(err, fault.Usage, "the operations cannot be read: %s", reason(err))
	case len(data) > fileLimit:
		return nil, broken("the file is larger than 4 MiB; split the change")
	}
	return data, nil
}

// reason is an error of the file system without the path, which is told already.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// isYAML goes by the name; without one, JSON is what begins like it.
func isYAML(path string, data []byte) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return true
	case ".json":
		return false
	}
	trimmed := bytes.TrimSpace(data)
	return len(trimmed) > 0 && trimmed[0] != '[' && trimmed[0] != '{'
}

func broken(problem string) *fault.Error {
	return fault.New(fault.Usage, "the operations: %s", problem).
		With("problems", []fault.Problem{{Pointer: "", Problem: problem}})
}
