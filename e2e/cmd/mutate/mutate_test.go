package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sampleSource = `package sample

var list = []string{"a", "b/{c,d}"}

func f(x, y int) bool {
	if x < y && y != 0 {
		return true
	}
	switch {
	case x == 1:
		return false
	}
	return x >= y
}
`

func TestEachFaultOfAPackageIsNamed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"sample.go": sampleSource, "sample_test.go": "package sample\n\nfunc g() { if true {} }\n", "base_x.go": "package sample\n\nvar left = []string{\"x\"}\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := read(folder, "base_*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range s.faults {
		names = append(names, strings.TrimPrefix(f.name, "sample.go "))
	}
	want := []string{
		`list: without: "a"`, `list: without: "b/c"`, `list: without: "b/d"`,
		"f: always: x < y && y != 0", "f: never: x < y && y != 0", "f: without left of: x < y && y != 0", "f: without right of: x < y && y != 0", "f: or equal: x < y",
		"f: always: x == 1", "f: never: x == 1", "f: always: x >= y", "f: never: x >= y", "f: not equal: x >= y",
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q\nwant\n%q", names, want)
	}
}

func TestAFaultThatIsNoneNeedsAReason(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "equivalent.txt")
	for text, sound := range map[string]bool{"": true, "# why\nx\ny\n": true, "x\n": false, "# why\nx\n\ny\n": false} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := equivalents(path); (err == nil) != sound {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestASurvivorWithoutAReasonFails(t *testing.T) {
	t.Parallel()
	s := &source{faults: []fault{{1, "a"}, {2, "b"}}}
	var out strings.Builder
	if err := report(&out, s, map[string]bool{"a": true}, map[int]bool{1: true}, 1); err != nil {
		t.Errorf("an explained survivor: %v", err)
	}
	if err := report(&out, s, map[string]bool{"a": true}, map[int]bool{1: true, 2: true}, 1); err == nil || !strings.Contains(out.String(), "survives: b") {
		t.Errorf("an unexplained survivor: %v, %s", err, out.String())
	}
}
