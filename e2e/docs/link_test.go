package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestLinksLeadToFilesThatExist(t *testing.T) {
	found := 0
	for _, name := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(page(t, name), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || target == "" {
				continue
			}
			found++
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Join(path.Dir(name), target)))); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no page has a link")
	}
}

// file is a path of the tree as texts name one in backticks.
var file = regexp.MustCompile("`((?:core|adapters|fortios-client|transport-stdio|transport-cli|e2e|docs|\\.ci)/[A-Za-z0-9_./*-]+)`")

func TestPathsNamedOnThePagesExist(t *testing.T) {
	for _, name := range pages(t) {
		for _, m := range file.FindAllStringSubmatch(page(t, name), -1) {
			found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(m[1])))
			if err != nil || len(found) == 0 {
				if exported(t, m[1]) {
					continue
				}
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
	}
}

// exported reports whether a text such as core/apply.Machine names something of a
// package.
func exported(t *testing.T, text string) bool {
	t.Helper()
	dir, name, ok := strings.Cut(text, ".")
	if !ok {
		return false
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^(type|func|var|const) ` + regexp.QuoteMeta(name) + `\b`)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if declared.Match(data) {
			return true
		}
	}
	return false
}
