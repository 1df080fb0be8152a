package harness

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// atOnce is how many tests run at once where nobody says it: most of their time is
// the pause before the prompt of an approval.
const atOnce = "8"

// Main runs a package's tests and gives the exit status for TestMain. What the
// tests built is removed at the end.
func Main(m *testing.M) int {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		if err := flag.Set("test.parallel", atOnce); err != nil {
			return 1
		}
	}
	status := m.Run()
	if dir, err := programs(); err == nil {
		_ = os.RemoveAll(dir)
	}
	return status
}

// programs builds both programs, once in a process, each as its own module builds
// it, and gives the folder that holds them.
var programs = sync.OnceValues(func() (string, error) {
	root, err := root()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "forti-e2e-")
	if err != nil {
		return "", err
	}
	for name, module := range map[string]string{"forti": "transport-cli", "forti-mcp": "transport-stdio"} {
		if err := build(filepath.Join(root, module), dir, "./cmd/"+name); err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
	}
	return dir, nil
})

func build(module, to, what string, flags ...string) error {
	cmd := exec.Command("go", append(append([]string{"build", "-o", to}, flags...), what)...) //nolint:gosec,noctx // the project's own programs; a build ends
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", what, err, out)
	}
	return nil
}

// Mortal is the path of a forti that dies at the durable step whose number the
// variable FORTI_FAILPOINT names, and whose disk is full from the write on that
// FORTI_FAILPOINT_FULL names, built with the tag failpoint.
func Mortal(tb testing.TB) string {
	tb.Helper()
	root, err := root()
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "forti-mortal")
	if err := build(filepath.Join(root, "transport-cli"), path, "./cmd/forti", "-tags", "failpoint"); err != nil {
		tb.Fatal(err)
	}
	return path
}

// root is the folder that holds the modules.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "transport-cli", "go.mod")); err == nil {
			return at, nil
		}
	}
	return "", fmt.Errorf("no folder above %s holds the modules", dir)
}

// program is the path of a built program.
func program(tb testing.TB, name string) string {
	tb.Helper()
	dir, err := programs()
	if err != nil {
		tb.Fatal(err)
	}
	return filepath.Join(dir, name)
}
