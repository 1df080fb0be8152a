package create

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
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

func content(path string, stdin io.Reader) (data []byte, err error) {
	const room = fileLimit + 1 // to tell the file that is too large
	if path == "-" {
		data, err = command.ReadAll(io.LimitReader(stdin, room), path, "--file", room)
	} else {
		data, err = command.ReadFile(path, "--file", room)
	}
	if err == nil && len(data) > fileLimit {
		return nil, broken("the file is larger than 4 MiB; split the change")
	}
	return data, err
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
