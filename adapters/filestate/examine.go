package filestate

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/core/plan"
)

// configFile is the operator's. It is read by others, under the same rule.
const configFile = "config.json"

// Inspect gives everything at home and on the way to it that is refused as it is, in
// the order in which it is to be mended. It reads no contents, makes nothing and mends
// nothing. A use of the state stops at the first of these.
func (s *Store) Inspect(ctx context.Context) []error {
	if !owner.Supported {
		_, err := s.enter(ctx, reading)
		return []error{err}
	}
	found := ancestors(s.home)
	info, err := os.Lstat(s.home)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found
	case err != nil:
		return append(found, trouble(err, "look at", s.home))
	}
	if err := checkDir(s.home, info); err != nil {
		found = append(found, err)
	}
	if !info.IsDir() {
		return found
	}
	v, err := s.visit(info)
	if err != nil {
		return append(found, err)
	}
	defer v.leave()
	for _, name := range []string{configFile, anchorFile} {
		found = v.examine(found, name)
	}
	for _, dir := range append([]string{stateDir}, directories()...) {
		found = v.examineAll(ctx, found, dir)
	}
	return found
}

// examineAll adds what is refused of a directory and of the files in it.
func (v *visit) examineAll(ctx context.Context, found []error, dir string) []error {
	info, err := v.tree.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found
	case err != nil:
		return append(found, trouble(err, "look at", v.path(dir)))
	}
	if err := checkDir(v.path(dir), info); err != nil {
		found = append(found, err)
	}
	if !info.IsDir() {
		return found
	}
	names, err := v.published(dir)
	if err != nil {
		return append(found, err)
	}
	for _, base := range names {
		if ctx.Err() != nil {
			return append(found, ctx.Err())
		}
		if ours(dir, base) {
			found = v.examine(found, dir+"/"+base)
		}
	}
	return found
}

// ours reports whether a name in a directory is one that some use looks at. What else
// lies there harms nothing.
func ours(dir, base string) bool {
	name := dir + "/" + base
	switch dir {
	case stateDir:
		return name == formatFile || name == auditFile || name == reserveFile ||
			strings.HasPrefix(base, segmentPrefix) && strings.HasSuffix(base, segmentSuffix)
	case locksDir:
		return strings.HasSuffix(base, ".lock")
	}
	text, _, _ := strings.Cut(base, ".")
	id, err := plan.ParseID(text)
	return err == nil && slices.Contains([]string{
		planFile(id), digestFile(id), remarksFile(id), secretsFile(id), approvalFile(id), journalFile(id), backupFile(id),
	}, name)
}

func (v *visit) examine(found []error, name string) []error {
	if _, err := v.inspect(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		found = append(found, err)
	}
	return found
}
