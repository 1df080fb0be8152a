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

// proof is a line of proofs.txt or statements.txt.
type proof struct{ id, dir, test string }

func proofs(t *testing.T) (list []proof) {
	t.Helper()
	for _, file := range []string{"proofs.txt", "statements.txt"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before := len(list)
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			if len(words) == 0 || words[0] == "#" {
				continue
			}
			if len(words) != 3 {
				t.Fatalf("%s: not an id, a package and a test: %q", file, line)
			}
			list = append(list, proof{words[0], words[1], words[2]})
		}
		if len(list) == before {
			t.Fatalf("%s names nothing", file)
		}
	}
	return list
}

// TestEachProofIsATest parses the test sources that are named.
func TestEachProofIsATest(t *testing.T) {
	t.Parallel()
	known := map[string]map[string]bool{}
	for _, p := range proofs(t) {
		if known[p.dir] == nil {
			known[p.dir] = testsOf(t, filepath.Join("..", "..", filepath.FromSlash(p.dir)))
		}
		if !known[p.dir][p.test] {
			t.Errorf("%s: %s has no %s", p.id, p.dir, p.test)
		}
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
