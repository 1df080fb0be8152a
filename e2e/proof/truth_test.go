package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// truth reads a document of the folder that FORTI_TRUTH names.
func truth(t *testing.T, elements ...string) string {
	t.Helper()
	folder := os.Getenv("FORTI_TRUTH")
	if folder == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	files, err := filepath.Glob(filepath.Join(append([]string{folder}, elements...)...))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v is %v (%v)", elements, files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// numbers are the ids of a document's table, as a format makes them.
func numbers(t *testing.T, text, row, format string) (ids []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^\| *`+row+` *\|`).FindAllStringSubmatch(text, -1) {
		ids = append(ids, strings.ReplaceAll(fmt.Sprintf(format, m[1]), " ", "0"))
	}
	if len(ids) < 20 {
		t.Fatalf("%d rows are not the table", len(ids))
	}
	return ids
}

func TestTruthEverySafetyTestAndFieldCaseHasItsTest(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for _, p := range proofs(t) {
		named[p.id] = true
	}
	ids := append(numbers(t, truth(t, "SAFETY_TESTS.md"), `([A-Z]{2}-\d\d)`, "%s"), numbers(t, truth(t, "FIELD_CASES.md"), `(\d+)`, "FC-%2s")...)
	for _, id := range ids {
		if !named[id] {
			t.Errorf("%s has no test", id)
		}
	}
}

func TestTruthEveryStatementOfTheSpecificationHasItsTest(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for _, p := range proofs(t) {
		named[p.id] = true
	}
	for document, file := range map[string]string{"protocol": "000_*.txt", "tools": "001_*.txt", "workflow": "003_*.txt"} {
		statements := 0
		for i, line := range strings.Split(truth(t, "spec", file), "\n") {
			id := fmt.Sprintf("%s-%d", document, i+1)
			switch states := isStatement(line); {
			case states && !named[id]:
				t.Errorf("%s has no test: %.60s", id, line)
			case !states && named[id]:
				t.Errorf("%s states nothing and is named: %.60s", id, line)
			case states:
				statements++
			}
		}
		if statements < 15 {
			t.Errorf("%s has %d statements", document, statements)
		}
	}
}

// isStatement tells a statement, a row or an example from a heading, the head of a
// table and the words that lead to an example.
func isStatement(line string) bool {
	words := len(strings.Fields(line))
	switch {
	case words == 0:
		return false
	case strings.HasPrefix(line, "`"), strings.HasPrefix(line, "1{"): // a row, an example
		return true
	case strings.HasSuffix(line, ":"):
		return words > 6
	}
	return words > 4 && strings.ContainsAny(line[len(line)-1:], ".;)}`") || words > 10
}
