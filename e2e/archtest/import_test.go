package archtest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEveryPackageKeepsTheImportRules(t *testing.T) {
	for _, m := range readTree(t) {
		t.Run(m.path, func(t *testing.T) {
			for _, p := range list(t, filepath.Join(root(t), m.path), "./...") {
				checkPackage(t, m, p)
			}
		})
	}
}

func checkPackage(t *testing.T, m module, p pkg) {
	own := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, base+m.path), "/")
	if slices.Contains(m.may, "*") {
		return
	}
	at := place(m, own)
	if at < 0 && own != "" {
		t.Errorf("%s has no line in the tree of docs/architecture.md", p.ImportPath)
		return
	}
	for _, imported := range p.Imports {
		if !permitted(m, at, imported) {
			t.Errorf("%s imports %s, which its line in docs/architecture.md does not permit", p.ImportPath, imported)
		}
	}
}

// place is the line of a package, or of the nearest listed folder above it.
func place(m module, own string) int {
	best := -1
	for i, l := range m.packages {
		if under(own, l.path) && (best < 0 || len(l.path) > len(m.packages[best].path)) {
			best = i
		}
	}
	return best
}

func permitted(m module, at int, imported string) bool {
	if imported == "testing" || strings.HasPrefix(imported, "testing/") {
		return at >= 0 && slices.Contains(m.packages[at].may, "testing")
	}
	if standard(imported) {
		return m.path != "core" || pure(imported)
	}
	if own, inside := strings.CutPrefix(imported, base+m.path+"/"); inside {
		i := place(m, own)
		return i >= 0 && (at < 0 || i <= at)
	}
	return containsUnder(imported, m.may) || (at >= 0 && containsUnder(imported, m.packages[at].may))
}

// pure reports whether the core may import a standard package.
func pure(imported string) bool {
	if imported == "net/netip" || imported == "net/url" {
		return true
	}
	for _, impure := range []string{"os", "net", "syscall", "crypto/rand", "math/rand", "log", "plugin", "unsafe"} {
		if under(imported, impure) {
			return false
		}
	}
	return true
}

func TestTheCoreDependsOnNoFrameworkAndNoSibling(t *testing.T) {
	for _, p := range list(t, filepath.Join(root(t), "core"), "-deps", "./...") {
		for _, forbidden := range []string{"fx", "zap", "adapters", "fortios-client"} {
			if under(p.ImportPath, names[forbidden]) {
				t.Errorf("core depends on %s", p.ImportPath)
			}
		}
	}
}

func TestOnlyTheRequestsImportTheValidator(t *testing.T) {
	for _, p := range list(t, filepath.Join(root(t), "core"), "./...") {
		if slices.Contains(p.Imports, names["validator"]) && p.ImportPath != base+"core/request" {
			t.Errorf("%s imports the validator", p.ImportPath)
		}
	}
}

func TestTestDoublesStayOutOfPrograms(t *testing.T) {
	for _, dir := range []string{"transport-stdio/cmd/forti-mcp", "transport-cli/cmd/forti"} {
		for _, p := range list(t, filepath.Join(root(t), filepath.FromSlash(dir)), "-deps", ".") {
			for _, double := range []string{"core/fake", "core/port/porttest", "core/port/portmock"} {
				if under(p.ImportPath, base+double) {
					t.Errorf("%s depends on %s", dir, p.ImportPath)
				}
			}
			if p.ImportPath == "testing" {
				t.Errorf("%s depends on testing", dir)
			}
		}
	}
}

func TestTransportsDoNotKnowEachOther(t *testing.T) {
	for dir, other := range map[string]string{"transport-stdio": "transport-cli", "transport-cli": "transport-stdio"} {
		for _, p := range list(t, filepath.Join(root(t), dir), "-deps", "./...") {
			if under(p.ImportPath, base+other) {
				t.Errorf("%s depends on %s", dir, p.ImportPath)
			}
		}
	}
}

func TestTheSimulatorDoesNotKnowTheClient(t *testing.T) {
	for _, p := range list(t, filepath.Join(root(t), "fortios-client"), "-deps", "./fortisim/...") {
		if under(p.ImportPath, names["fortios"]) {
			t.Errorf("the simulator depends on %s", p.ImportPath)
		}
	}
}
