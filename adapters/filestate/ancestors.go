package filestate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/adapters/internal/shell"
	"github.com/forti-mcp/forti/core/fault"
)

// maxLinks bounds the symbolic links on the way to home.
const maxLinks = 40

// checkAncestors refuses a home in whose place another user could put a different one.
func checkAncestors(home string) error {
	if found := ancestors(home); len(found) > 0 {
		return found[0]
	}
	return nil
}

// ancestors walks from the root to the directory that holds home and gives each step
// that is refused: every one belongs to root or to the user and is writable by nobody
// else, unless sticky. Symbolic links on the way are followed and judged in the same way.
func ancestors(home string) []error {
	var found []error
	at, todo := "/", steps(filepath.Dir(home))
	if err := checkAncestor(at); err != nil {
		found = append(found, err)
	}
	for links := 0; len(todo) > 0; {
		step := todo[0]
		todo = todo[1:]
		next := filepath.Join(at, step) // ".." is right here: at has no links
		target, err := checkStep(next)
		if err != nil {
			found = append(found, err)
			if info, err := os.Stat(next); err != nil || !info.IsDir() {
				return found // there is nothing behind it
			}
		}
		if target == "" {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return append(found, fault.New(fault.Config, "too many symbolic links on the way to %s", home).With("path", home))
		}
		if filepath.IsAbs(target) {
			at = "/"
		}
		todo = append(steps(target), todo...)
	}
	return found
}

func steps(dir string) []string {
	return strings.FieldsFunc(dir, func(r rune) bool { return r == '/' })
}

// checkStep judges one step and gives the target where it is a symbolic link.
func checkStep(where string) (target string, err error) {
	info, err := os.Lstat(where)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if uid := owner.Of(info); uid != 0 && uid != owner.Me() {
			return "", unfit(where, "is a symbolic link of another user")
		}
		if target, err = os.Readlink(where); err != nil {
			return "", trouble(err, "look at", where)
		}
		return target, nil
	}
	return "", checkAncestor(where)
}

func checkAncestor(where string) error {
	info, err := os.Lstat(where)
	if errors.Is(err, fs.ErrNotExist) {
		return refuse(where, "does not exist", "umask 022 && mkdir -p "+shell.Quote(where))
	}
	if err != nil {
		return trouble(err, "look at", where)
	}
	uid, mode := owner.Of(info), info.Mode()
	switch {
	case !info.IsDir():
		return unfit(where, "is not a directory")
	case uid != 0 && uid != owner.Me():
		return unfit(where, "belongs to another user, who could exchange what lies in it")
	case mode.Perm()&0o022 != 0 && mode&fs.ModeSticky == 0:
		return refuse(where, "can be written to by other users", "chmod go-w "+shell.Quote(where))
	}
	return nil
}
