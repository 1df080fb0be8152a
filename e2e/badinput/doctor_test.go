package badinput

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// finding is what the doctor says of one thing.
type finding struct {
	Check, Status, Text, Remedy, Code string
}

// doctor asks the doctor and gives what is bad, and the exit status.
func doctor(t *testing.T, lab *harness.Lab) (bad []finding, status int) {
	t.Helper()
	r := lab.Forti("doctor", "-o", "json")
	var answer struct{ Data []finding }
	if err := json.Unmarshal([]byte(r.Stdout), &answer); err != nil {
		t.Fatalf("%v: %s%s", err, r.Stdout, r.Stderr)
	}
	for _, f := range answer.Data {
		if f.Status == "bad" {
			bad = append(bad, f)
		}
	}
	if (len(bad) == 0) != (r.Status == 0) {
		t.Errorf("status %d with %d bad findings", r.Status, len(bad))
	}
	return bad, r.Status
}

// Whatever is wrong with the files, the doctor names all of it at once, and who runs the
// remedies as they stand has a good installation afterwards.
func TestTheDoctorNamesEveryBadFileWithARemedyThatWorks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(t *testing.T, lab *harness.Lab, id string)
		bad   []string // the paths below home
	}{
		"the home":            {func(t *testing.T, lab *harness.Lab, _ string) { chmod(t, lab.Home, 0o755) }, []string{"."}},
		"the directory above": {func(t *testing.T, lab *harness.Lab, _ string) { chmod(t, lab.User, 0o770) }, []string{".."}},
		"all at once": {func(t *testing.T, lab *harness.Lab, id string) {
			for path, mode := range map[string]os.FileMode{
				"..": 0o772, ".": 0o711, "config.json": 0o644, "anchor.json": 0o640, "state": 0o750, "state/audit.jsonl": 0o606,
				"state/plans": 0o705, "state/plans/" + id + ".json": 0o644, "state/approvals/" + id + ".json": 0o660,
			} {
				chmod(t, filepath.Join(lab.Home, path), mode)
			}
		}, []string{
			"..", ".", "config.json", "anchor.json", "state", "state/audit.jsonl", "state/plans", "state/plans/ID.json", "state/approvals/ID.json",
		}},
		"names beside it": {func(t *testing.T, lab *harness.Lab, id string) {
			for _, path := range []string{"config.json", "state/audit.jsonl", "state/approvals/" + id + ".json"} {
				path = filepath.Join(lab.Home, path)
				if err := os.Link(path, path+".copied"); err != nil {
					t.Fatal(err)
				}
			}
			for _, path := range []string{"config.json.copied", "state/audit.jsonl.copied", "state/approvals/" + id + ".json.copied"} {
				path = filepath.Join(lab.Home, path)
				if err := os.Rename(path, filepath.Join(lab.User, strings.ReplaceAll(filepath.Base(path), "/", "-"))); err != nil {
					t.Fatal(err)
				}
			}
		}, []string{"config.json", "state/audit.jsonl", "state/approvals/ID.json"}},
		"a directory where a file belongs": {func(t *testing.T, lab *harness.Lab, _ string) {
			if err := os.Mkdir(filepath.Join(lab.Home, "state/locks/dev-0.lock"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, []string{"state/locks/dev-0.lock"}},
		"another owner": {func(t *testing.T, lab *harness.Lab, id string) {
			if os.Geteuid() != 0 {
				t.Skip("only root can give files away")
			}
			for _, path := range []string{".", "config.json", "state", "state/plans/" + id + ".json"} {
				if err := os.Chown(filepath.Join(lab.Home, path), 4711, -1); err != nil {
					t.Fatal(err)
				}
			}
		}, []string{".", "config.json", "state", "state/plans/ID.json"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, nil)
			id := lab.Approved(harmless).PlanID
			if bad, _ := doctor(t, lab); len(bad) > 0 {
				t.Fatalf("before anything was spoilt: %+v", bad)
			}
			c.spoil(t, lab, id)
			bad, status := doctor(t, lab)
			if status != 3 {
				t.Errorf("status %d, want that of config", status)
			}
			wantNamed(t, lab, id, c.bad, bad)
			follow(t, bad)
			if bad, _ := doctor(t, lab); len(bad) > 0 {
				t.Fatalf("after the remedies: %+v", bad)
			}
			lab.Apply(id)
		})
	}
}

// wantNamed checks that the findings are about exactly these paths.
func wantNamed(t *testing.T, lab *harness.Lab, id string, paths []string, bad []finding) {
	t.Helper()
	if len(bad) != len(paths) {
		t.Errorf("%d findings, want %d: %+v", len(bad), len(paths), bad)
	}
	for i, path := range paths {
		where := filepath.Join(lab.Home, strings.ReplaceAll(path, "ID", id)) + " "
		if i < len(bad) && (!strings.HasPrefix(bad[i].Text, where) || bad[i].Remedy == "") {
			t.Errorf("finding %d is %+v, want %s", i, bad[i], where)
		}
	}
}

// follow does what the doctor says.
func follow(t *testing.T, bad []finding) {
	t.Helper()
	for _, f := range bad {
		if out, err := exec.CommandContext(t.Context(), "/bin/sh", "-c", f.Remedy).CombinedOutput(); err != nil { //nolint:gosec // that is the test
			t.Errorf("%s: %v %s", f.Remedy, err, out)
		}
	}
}
