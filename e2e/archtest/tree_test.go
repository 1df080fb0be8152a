package archtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const base = "github.com/forti-mcp/forti/"

// names are the words of the tree and the imports they stand for.
var names = map[string]string{
	"validator":      "github.com/go-playground/validator/v10",
	"gomock":         "github.com/golang/mock/gomock",
	"go-cmp":         "github.com/google/go-cmp",
	"testing":        "testing",
	"fx":             "go.uber.org/fx",
	"zap":            "go.uber.org/zap",
	"cobra":          "github.com/spf13/cobra",
	"pflag":          "github.com/spf13/pflag",
	"yaml":           "go.yaml.in/yaml/v3",
	"term":           "golang.org/x/term",
	"sys":            "golang.org/x/sys",
	"keyring":        "github.com/zalando/go-keyring",
	"sshsig":         "github.com/hiddeco/sshsig",
	"ssh":            "golang.org/x/crypto/ssh",
	"core":           base + "core",
	"adapters":       base + "adapters",
	"fortios-client": base + "fortios-client",
	"fortisim":       base + "fortios-client/fortisim",
	"fortios":        base + "fortios-client/fortios",
	"catalog":        base + "fortios-client/catalog",
}

// line is one package, or module, of the tree.
type line struct {
	path string
	may  []string
}

type module struct {
	line
	packages []line
}

// readTree reads the block of docs/architecture.md.
func readTree(t *testing.T) []module {
	t.Helper()
	file, err := os.Open(filepath.Join(root(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var modules []module
	inside := false
	for s := bufio.NewScanner(file); s.Scan(); {
		text := s.Text()
		switch {
		case strings.HasPrefix(text, "```"):
			inside = text == "```tree"
		case inside && strings.HasPrefix(text, "  "):
			m := &modules[len(modules)-1]
			m.packages = append(m.packages, parse(t, text))
		case inside:
			modules = append(modules, module{line: parse(t, text)})
		}
	}
	if len(modules) != 6 {
		t.Fatalf("the tree has %d modules, six were expected", len(modules))
	}
	return modules
}

func parse(t *testing.T, text string) line {
	t.Helper()
	path, may, _ := strings.Cut(text, "<")
	l := line{path: strings.TrimSpace(path), may: strings.Fields(may)}
	for _, name := range l.may {
		if names[name] == "" && name != "*" {
			t.Fatalf("the tree says %q, which is not a known name", name)
		}
	}
	return l
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// pkg is what go list says of a package.
type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
}

func list(t *testing.T, dir string, args ...string) []pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports,Deps,Standard"}, args...)...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v", dir, err)
	}
	var found []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			t.Fatal(err)
		}
		found = append(found, p)
	}
}

func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func under(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

func containsUnder(path string, may []string) bool {
	return slices.ContainsFunc(may, func(name string) bool { return name == "*" || under(path, names[name]) })
}
