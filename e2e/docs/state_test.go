package docs

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// places are the patterns of the table of what is stored, and what stands beside
// the plans and approvals.
func places(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	all := map[string]*regexp.Regexp{}
	for _, cells := range table(t, "docs/architecture.md", "| path | what |") {
		dir := filepath.ToSlash(filepath.Dir(quoted(cells[0])[0]))
		all[quoted(cells[0])[0]] = nil
		for _, name := range quoted(cells[1]) {
			if strings.HasPrefix(name, "<id>.") {
				all[dir+"/"+name] = nil
			}
		}
	}
	for name := range all {
		text := regexp.QuoteMeta(name)
		text = strings.ReplaceAll(text, "<id>", `[0-9]{8}-[0-9]{6}-[0-9a-f]{6}`)
		all[name] = regexp.MustCompile("^" + strings.ReplaceAll(text, "<hash>", "[0-9a-f]+") + "$")
	}
	return all
}

// stored walks a home: every file must have its place, which is then seen.
func stored(t *testing.T, lab *harness.Lab, all map[string]*regexp.Regexp, seen map[string]bool) {
	t.Helper()
	err := filepath.WalkDir(lab.Home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(lab.Home, path)
		known := false
		for place, pattern := range all {
			if pattern.MatchString(filepath.ToSlash(name)) {
				known, seen[place] = true, true
			}
		}
		if !known {
			t.Errorf("docs/architecture.md has no place for %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsStoredHasItsPlaceOnThePage(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	all, seen := places(t), map[string]bool{}
	p := lab.Approved(`[{"op":"update","resource":"system/admin","key":"admin","set":{"password":"a-new-Secret-7"}}]`)
	stored(t, lab, all, seen)
	lab.Apply(p.PlanID)
	lab.Forti("plan", "revoke", lab.Plan(newAddress).PlanID).Must(0)
	stored(t, lab, all, seen)
	for place := range all {
		if !seen[place] {
			t.Errorf("docs/architecture.md tells of %s, which an approved critical plan with a secret did not leave", place)
		}
	}
}
