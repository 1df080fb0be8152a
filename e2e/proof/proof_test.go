package proof

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEachStatementHasItsTest parses the test sources that proofs.txt names.
func TestEachStatementHasItsTest(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("proofs.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]map[string]bool{}
	lines := 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if len(words) != 3 {
			t.Errorf("not an id, a package and a test: %q", line)
			continue
		}
		lines++
		dir := words[1]
		if known[dir] == nil {
			known[dir] = testsOf(t, filepath.Join("..", "..", filepath.FromSlash(dir)))
		}
		if !known[dir][words[2]] {
			t.Errorf("%s: %s has no %s", words[0], dir, words[2])
		}
	}
	if lines == 0 {
		t.Error("nothing is named")
	}
}

// testsOf are the tests of a package that have a body.
func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && len(f.Body.List) > 0 {
				found[f.Name.Name] = true
			}
		}
	}
	return found
}
