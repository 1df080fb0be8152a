//go:build linux || darwin

package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/fault"
)

// What others could have read or changed is refused and not mended.
func TestTheFileAndItsDirectoryMustBeTheUsersAlone(t *testing.T) {
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, spoil := range map[string]func(t *testing.T, dir, file string){
		"a file that others read":       func(t *testing.T, _, file string) { must(t, os.Chmod(file, 0o640)) },
		"a file that others write":      func(t *testing.T, _, file string) { must(t, os.Chmod(file, 0o602)) },
		"a directory that others enter": func(t *testing.T, dir, _ string) { must(t, os.Chmod(dir, 0o711)) },
		"a symbolic link to a file": func(t *testing.T, dir, file string) {
			must(t, os.Rename(file, dir+".json"))
			must(t, os.Symlink(dir+".json", file))
		},
		"a second name": func(t *testing.T, dir, file string) { must(t, os.Link(file, dir+".json")) },
		"a directory in its place": func(t *testing.T, _, file string) {
			must(t, os.Remove(file))
			must(t, os.Mkdir(file, 0o700))
		},
		"a symbolic link to the directory": func(t *testing.T, dir, _ string) {
			must(t, os.Rename(dir, dir+".real"))
			must(t, os.Symlink(dir+".real", dir))
		},
		"a file of another user": func(t *testing.T, _, file string) {
			if os.Geteuid() != 0 {
				t.Skip("only root can give files away")
			}
			must(t, os.Chown(file, 12345, -1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := home(t, with(""))
			path := filepath.Join(dir, "config.json")
			spoil(t, dir, path)
			before, err := os.Lstat(path)
			must(t, err)
			file := config.Open(dir)
			_, _, err = file.List(t.Context())
			f := fault.From(err)
			if fault.CodeOf(err) != fault.Config || !strings.HasPrefix(f.Message, dir) {
				t.Fatalf("got %v", err)
			}
			if err := file.Update(t.Context(), func(*config.Document) error { return nil }); fault.CodeOf(err) != fault.Config {
				t.Errorf("Update: %v", err)
			}
			if after, err := os.Lstat(path); err != nil || after.Mode() != before.Mode() {
				t.Errorf("the mode was changed to %v, %v", after.Mode(), err)
			}
		})
	}
}

func TestTheRefusalNamesTheCommandThatMends(t *testing.T) {
	dir := home(t, with(""))
	path := filepath.Join(dir, "config.json")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err := config.Open(dir).List(t.Context())
	f := fault.From(err)
	if command, _ := f.Details["command"].(string); !strings.Contains(command, "chmod 600 '"+path+"'") || !strings.Contains(f.Message, command) {
		t.Errorf("got %s, %v", f.Message, f.Details)
	}
}
