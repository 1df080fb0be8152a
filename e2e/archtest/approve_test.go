package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// parseDir gives the files of the packages below a folder, tests left out.
func parseDir(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files[path] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("%s has no Go files", dir)
	}
	return files
}

func TestNothingInTheMCPServerCanApprove(t *testing.T) {
	for path, file := range parseDir(t, filepath.Join(root(t), "transport-stdio", "mcp")) {
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && (id.Name == "Approve" || id.Name == "Review") {
				t.Errorf("%s names %s", path, id.Name)
			}
			return true
		})
	}
}

func TestTheAnswerYesExistsInTheDemoAlone(t *testing.T) {
	for path, file := range parseDir(t, filepath.Join(root(t), "transport-cli")) {
		if strings.Contains(filepath.ToSlash(path), "/command/demo/") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && definesFlag(call) {
				for _, arg := range call.Args {
					if lit, ok := arg.(*ast.BasicLit); ok && lit.Value == `"yes"` {
						t.Errorf("%s defines a flag --yes", path)
					}
				}
			}
			return true
		})
	}
}

// definesFlag reports whether a call looks like one of pflag's definitions.
func definesFlag(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (strings.HasPrefix(selector.Sel.Name, "Bool") || strings.HasPrefix(selector.Sel.Name, "Var"))
}
