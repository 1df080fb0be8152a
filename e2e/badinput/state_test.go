package badinput

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// loose are parts of the state, with modes that let others read them.
var loose = map[string]struct {
	path string
	mode fs.FileMode
}{
	"the home directory":  {".", 0o755},
	"the state directory": {"state", 0o755},
	"the plans' folder":   {"state/plans", 0o750},
	"the audit log":       {"state/audit.jsonl", 0o644},
	"the configuration":   {"config.json", 0o644},
	"the plan":            {"state/plans/ID.json", 0o604},
}

func TestAStateThatOthersCanReadIsRefusedAndNotMendedSilently(t *testing.T) {
	t.Parallel()
	for name, c := range loose {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, nil)
			id := lab.Approved(harmless).PlanID
			path := filepath.Join(lab.Home, strings.ReplaceAll(c.path, "ID", id))
			chmod(t, path, c.mode)
			lab.Device.ForgetRequests()
			wantRefused(t, lab, id, path)
			if mode := mode(t, path); mode != c.mode {
				t.Errorf("the mode is %v now", mode)
			}
			strict := fs.FileMode(0o600)
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				strict = 0o700
			}
			chmod(t, path, strict)
			lab.Apply(id) // the remedy helps, and the approval is still valid
		})
	}
}

// wantRefused checks that nothing is applied and that path and remedy are named.
func wantRefused(t *testing.T, lab *harness.Lab, id, path string) {
	t.Helper()
	s := lab.Serve()
	for _, f := range []harness.Failure{
		lab.TryApply(id).Failed(3, "config"),
		s.Call("forti_apply", `{"plan_id":"`+id+`"}`).Structured.Failed(t, "config"),
	} {
		if d := f.Read(t); d.Path != path || !strings.Contains(f.Message, path) || !strings.Contains(f.Message, "chmod") {
			t.Errorf("want %s and a remedy: %s %s", path, f.Message, f.Details)
		}
	}
	s.Close().Must(0)
	lab.WantWrites(0)
}

func TestAnApprovalThatOthersCanReadIsNotTrusted(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(harmless).PlanID
	chmod(t, lab.State("approvals", id+".json"), 0o640)
	if d := lab.TryApply(id).Failed(6, "approval_required").Read(t); d.Reason != "invalid" {
		t.Errorf("reason %q, want invalid", d.Reason)
	}
	lab.WantWrites(0)
}

func chmod(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestLinksInThePlaceOfTheStateAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path string
		link func(from, to string) error
	}{
		"state, a symbolic link":        {"state", os.Symlink},
		"plans, a symbolic link":        {"state/plans", os.Symlink},
		"the audit log, symbolic":       {"state/audit.jsonl", os.Symlink},
		"the plan, a symbolic link":     {"state/plans/ID.json", os.Symlink},
		"the plan, a hard link":         {"state/plans/ID.json", os.Link},
		"the approval, a symbolic link": {"state/approvals/ID.json", os.Symlink},
		"the approval, a hard link":     {"state/approvals/ID.json", os.Link},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, nil)
			id := lab.Approved(harmless).PlanID
			path := filepath.Join(lab.Home, strings.ReplaceAll(c.path, "ID", id))
			aside := filepath.Join(lab.User, "aside")
			if err := os.Rename(path, aside); err != nil {
				t.Fatal(err)
			}
			if err := c.link(aside, path); err != nil {
				t.Fatal(err)
			}
			r := lab.TryApply(id)
			if r.Status == 0 || r.Envelope().OK {
				t.Errorf("the plan was applied: %s", r.Stdout)
			}
			lab.WantWrites(0)
		})
	}
}

func TestFilesOfAnUnknownFormAreRefusedAndNeverGuessed(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(file string) string{
		"an unknown version": func(file string) string { return strings.Replace(file, `"v":1`, `"v":2`, 1) },
		"a key twice":        func(file string) string { return strings.Replace(file, `"v":1`, `"v":1,"v":1`, 1) },
		"a key in capitals":  func(file string) string { return strings.Replace(file, `"plan_id"`, `"Plan_ID"`, 1) },
		"something behind":   func(file string) string { return file + "{}" },
		"nothing":            func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, nil)
			id := lab.Approved(harmless).PlanID
			path := lab.State("approvals", id+".json")
			before := lab.Read(path)
			if edit(before) == before {
				t.Fatal("nothing was edited")
			}
			lab.Replace(path, edit(before))
			if r := lab.TryApply(id); r.Status == 0 || r.Envelope().OK {
				t.Errorf("the plan was applied: %s", r.Stdout)
			}
			lab.WantWrites(0)
		})
	}
}
