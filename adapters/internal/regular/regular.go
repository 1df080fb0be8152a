// Package regular reads a file that the operator named: a regular one, never through a
// symbolic link, whose owner and modes the caller judges, and no more of it than the
// caller bears.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Problem is why a file was not read. Its text is a predicate: the caller puts the
// file's name before it.
type Problem struct {
	text string
	err  error
}

func (p *Problem) Error() string { return p.text }

// Unwrap gives the cause, nil where the file itself is the cause.
func (p *Problem) Unwrap() error { return p.err }

// Read gives the contents of path, at most limit bytes. judge says what is wrong with
// the file, "" for nothing.
//
// Failures: [*Problem]; fs.ErrNotExist where there is no such file.
func Read(path string, limit int64, judge func(fs.FileInfo) string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		return nil, &Problem{"does not exist", err}
	case err != nil:
		return nil, &Problem{"cannot be looked at; check the modes of what lies above it", err}
	case !info.Mode().IsRegular():
		return nil, &Problem{"is not a regular file", nil}
	}
	if problem := judge(info); problem != "" {
		return nil, &Problem{problem, nil}
	}
	in, err := os.Open(path) // #nosec G304 -- the operator names the file
	if err != nil {
		return nil, &Problem{"cannot be opened", err}
	}
	defer in.Close() //nolint:errcheck // opened for reading only
	if opened, err := in.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, &Problem{"was replaced while it was read; try again", err}
	}
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	switch {
	case err != nil:
		return nil, &Problem{"cannot be read", err}
	case int64(len(data)) > limit:
		return nil, &Problem{fmt.Sprintf("is larger than %d KiB", limit>>10), nil}
	}
	return data, nil
}
