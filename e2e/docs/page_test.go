package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pages are the files that a stranger reads, seen from the root.
func pages(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	for _, pattern := range []string{"docs/*.md", "docs/decisions/*.md"} {
		found, err := filepath.Glob(filepath.Join(local, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			name, err := filepath.Rel(local, path)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, filepath.ToSlash(name))
		}
	}
	return list
}

// root is the folder of the modules. The pages are opened through links within this
// module: the go command answers from its cache where it sees no file that changed,
// and it looks at no file beyond the module.
var (
	root  = filepath.Join("..", "..")
	local = filepath.Join("testdata", "pages")
)

// page is the text of a file, seen from the root.
func page(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(local, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// block is a fenced block of a page.
type block struct{ language, text string }

// blocks are a page's fenced blocks, in order.
func blocks(t *testing.T, name string) []block {
	t.Helper()
	var list []block
	inside := false
	for line := range strings.Lines(page(t, name)) {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && inside:
			inside = false
		case fence:
			inside = true
			list = append(list, block{language: strings.TrimSpace(language)})
		case inside:
			list[len(list)-1].text += line
		}
	}
	if inside {
		t.Fatalf("%s: a block does not end", name)
	}
	return list
}

// only is the one block of a page in a language.
func only(t *testing.T, name, language string) string {
	t.Helper()
	var found []string
	for _, b := range blocks(t, name) {
		if b.language == language {
			found = append(found, b.text)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s has %d blocks in %q, want one", name, len(found), language)
	}
	return found[0]
}

// table is the cells of the first table of a page under a heading row, without
// that row.
func table(t *testing.T, name, heading string) [][]string {
	t.Helper()
	var rows [][]string
	inside := false
	for line := range strings.Lines(page(t, name)) {
		line = strings.TrimSpace(line)
		switch {
		case line == heading:
			inside = true
		case inside && !strings.HasPrefix(line, "|"):
			return rows
		case inside && !strings.HasPrefix(line, "|--"):
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	if !inside {
		t.Fatalf("%s has no table under %q", name, heading)
	}
	return rows
}

// quoted are the words of a text that stand in backticks.
func quoted(text string) []string {
	var words []string
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			words = append(words, part)
		}
	}
	return words
}

func TestEveryKindOfBlockIsCheckedBySomeTest(t *testing.T) {
	// "" is a picture, "tree" is read by e2e/archtest, "text" is compared with the
	// programs' help, the others are run or decoded here.
	known := []string{"", "tree", "text", "go", "sh", "yaml", "json"}
	for _, name := range pages(t) {
		for _, b := range blocks(t, name) {
			if !slices.Contains(known, b.language) {
				t.Errorf("%s: nothing checks a block in %q", name, b.language)
			}
		}
	}
}

func TestCodeOnThePagesIsCompiledAndRun(t *testing.T) {
	var examples strings.Builder
	files, err := filepath.Glob("example_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		examples.Write(data)
	}
	found := 0
	for _, name := range pages(t) {
		for _, b := range blocks(t, name) {
			if b.language != "go" {
				continue
			}
			found++
			if !strings.Contains(examples.String(), "\n"+b.text) {
				t.Errorf("%s: this stands in none of %v:\n%s", name, files, b.text)
			}
		}
	}
	if found == 0 {
		t.Error("no page shows any code")
	}
}
