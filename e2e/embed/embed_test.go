// Package embed proves that the core can be used alone.
package embed

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = `module example.org/ours

go 1.26.0

require github.com/forti-mcp/forti/core v0.0.0

replace github.com/forti-mcp/forti/core => `

// outside copies the example into a folder outside of the workspace.
func outside(t *testing.T) string {
	t.Helper()
	core, err := filepath.Abs(filepath.Join("..", "..", "core"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, from := range map[string]string{"main.go": filepath.Join("testdata", "module", "main.go"), "go.sum": filepath.Join(core, "go.sum")} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module+core+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

func TestAStrangersModulePlansAndAppliesWithTheCoreAlone(t *testing.T) {
	dir := outside(t)
	out := goTool(t, dir, "run", ".")
	if want := "create firewall/address printer (subnet 192.0.2.50 255.255.255.255) -> applied verified\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	for dep := range strings.SplitSeq(goTool(t, dir, "list", "-deps", "."), "\n") {
		for _, foreign := range []string{"go.uber.org/", "github.com/forti-mcp/forti/adapters", "github.com/forti-mcp/forti/fortios-client", "testing"} {
			if strings.HasPrefix(dep, foreign) {
				t.Errorf("the module depends on %s", dep)
			}
		}
	}
}

func TestTheExampleIsShort(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "module", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) > 0 {
			lines++
		}
	}
	if lines >= 60 {
		t.Errorf("the example has %d lines", lines)
	}
}
