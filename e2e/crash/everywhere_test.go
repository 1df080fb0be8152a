package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// everyKind has all four kinds of operation, a secret, and a critical one, so that a
// backup comes before it and a probe after.
const everyKind = `[
 {"op":"create","resource":"system/accprofile","object":{"name":"auditors","comments":"may look"}},
 {"op":"create","resource":"user/local","object":{"name":"bob","type":"password","passwd":"` + password + `"}},
 {"op":"update","resource":"firewall/address","key":"srv-web","set":{"comment":"seen"}},
 {"op":"delete","resource":"firewall/address","key":"old-scanner"},
 {"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"policy":1}}
]`

const password = "Marked-secret-7f3a9c"

// The program dies at 200 distinct places at least: at each durable step of its own, and
// at each request, before that has its effect and after it.
const (
	leastPoints   = 160
	leastRequests = 44

	_ = uint(leastPoints + leastRequests - 200) // does not compile where there are fewer
)

// template is a home with an approved plan, and its device.
type template struct {
	*harness.Lab
	id string
	// scanner is the row that the plan deletes, comment what it changes.
	scanner map[string]any
	comment any
}

func newTemplate(t *testing.T) template {
	t.Helper()
	lab := harness.New(t, nil)
	scanner, ok := lab.Device.Get("root", "firewall/address", "old-scanner")
	if !ok {
		t.Fatal("the device has no old-scanner")
	}
	id := lab.Approved(everyKind).PlanID
	web, _ := lab.Device.Get("root", "firewall/address", "srv-web")
	return template{lab, id, map[string]any{"subnet": scanner["subnet"], "comment": scanner["comment"]}, web["comment"]}
}

// again is a copy of the home, over the device as it was.
func (l template) again(t *testing.T) *harness.Lab {
	t.Helper()
	for path, row := range map[string]string{"system/accprofile": "auditors", "user/local": "bob"} {
		if _, there := l.Device.Get("root", path, row); there {
			must(t, l.Device.Delete("root", path, row))
		}
	}
	if _, there := l.Device.Get("root", "firewall/address", "old-scanner"); !there {
		must(t, l.Device.Put("root", "firewall/address", "old-scanner", l.scanner))
	}
	must(t, l.Device.Put("root", "firewall/address", "srv-web", map[string]any{"comment": l.comment}))
	l.Device.ForgetRequests()
	user := t.TempDir()
	lab := &harness.Lab{TB: t, Device: l.Device, Server: l.Server, User: user, Home: filepath.Join(user, ".forti")}
	must(t, copyTree(l.Home, lab.Home))
	return lab
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// copyTree copies files and folders with their modes.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := to + strings.TrimPrefix(path, from)
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Mkdir(at, info.Mode().Perm())
		}
		data, err := os.ReadFile(path) //nolint:gosec // a test's own folder
		return errors.Join(err, os.WriteFile(at, data, info.Mode().Perm()))
	})
}

// TestAProcessThatDiesAtAnyDurableStepLeavesTheTruth kills the program before, within
// and after each write, sync, link, rename and removal of an apply.
func TestAProcessThatDiesAtAnyDurableStepLeavesTheTruth(t *testing.T) {
	t.Parallel()
	mortal := harness.Mortal(t)
	const workers = 4
	var died atomic.Int64
	t.Run("points", func(t *testing.T) {
		for w := range workers {
			t.Run(strconv.Itoa(w), func(t *testing.T) {
				t.Parallel()
				l := newTemplate(t)
				for n := w + 1; ; n += workers {
					lab := l.again(t)
					lab.Env = []string{"FORTI_FAILPOINT=" + strconv.Itoa(n)}
					cmd := lab.Command("forti", "apply", l.id, "-o", "json")
					cmd.Path, cmd.Args[0] = mortal, mortal
					out, err := cmd.CombinedOutput()
					var exit *exec.ExitError
					if err != nil && !errors.As(err, &exit) {
						t.Fatal(err)
					}
					lab.Env = nil
					if cmd.ProcessState.ExitCode() >= 0 {
						if err != nil {
							t.Fatalf("point %d: %v\n%s", n, err, out)
						}
						return // it ran to its end: there are no more points
					}
					died.Add(1)
					l.judge(t, lab, fmt.Sprintf("point %d", n))
				}
			})
		}
	})
	if died.Load() < leastPoints {
		t.Errorf("%d points, want at least %d", died.Load(), leastPoints)
	}
	t.Logf("the program died at %d points", died.Load())
}

// TestAProcessThatDiesWhileTheDeviceHoldsARequestLeavesTheTruth kills the program at
// each request of an apply, before the request has its effect and after it.
func TestAProcessThatDiesWhileTheDeviceHoldsARequestLeavesTheTruth(t *testing.T) {
	t.Parallel()
	var died atomic.Int64
	t.Run("requests", func(t *testing.T) {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("effect %v", after), func(t *testing.T) {
				t.Parallel()
				l := newTemplate(t)
				for n := 1; ; n++ {
					lab := l.again(t)
					hold := fortisim.NewHold(after)
					in := lab.Inject(fortisim.Match{Nth: n}, hold)
					p := lab.Start("apply", l.id, "-o", "json")
					held := p.Held(hold)
					if held {
						p.Kill()
						died.Add(1)
					}
					in.Remove()
					t.Cleanup(hold.Release) // not now: what was held must not go on
					if !held {
						p.Wait().Must(0)
						return
					}
					l.judge(t, lab, fmt.Sprintf("request %d, effect %v", n, after))
				}
			})
		}
	})
	if died.Load() < leastRequests {
		t.Errorf("%d requests, want at least %d", died.Load(), leastRequests)
	}
	t.Logf("the program died at %d requests", died.Load())
}

// judge starts the program anew and checks everything that must hold after any death.
func (l template) judge(t *testing.T, lab *harness.Lab, where string) {
	t.Helper()
	before := l.effects(t)
	claimed := lab.Exists(lab.State("journal", l.id+".jsonl"))
	shown := lab.Show(l.id)
	if claimed {
		l.judgeStatuses(t, shown, before, where)
		if d := lab.TryApply(l.id).Failed(6, "approval_required").Read(t); d.Reason != "used" {
			t.Errorf("%s: a second apply says %q", where, d.Reason)
		}
		if after := l.effects(t); after != before {
			t.Errorf("%s: the second start changed the device from %v to %v", where, before, after)
		}
		lab.WantAbsent(lab.Home, password)
	} else {
		if lab.Device.Writes() != 0 || shown.State != "approved" {
			t.Errorf("%s: no claim, %d writes, state %s", where, lab.Device.Writes(), shown.State)
		}
		if x := lab.Apply(l.id); x.Backup == nil {
			t.Errorf("%s: the apply after it has no backup", where)
		}
	}
	seen := map[string]int{}
	for _, r := range lab.Device.Requests() {
		if r.Write {
			seen[r.Method+" "+r.Path]++
		}
	}
	for request, n := range seen {
		if n > 1 {
			t.Errorf("%s: %s was sent %d times", where, request, n)
		}
	}
	if r := lab.Forti("audit", "verify", "-o", "json"); r.Status != 0 && r.Status != 3 {
		t.Errorf("%s: audit verify ends with %d: %s", where, r.Status, r.Stdout)
	}
}

// effects says which of the first four operations the device shows.
func (l template) effects(t *testing.T) (took [4]bool) {
	t.Helper()
	_, took[0] = l.Device.Get("root", "system/accprofile", "auditors")
	_, took[1] = l.Device.Get("root", "user/local", "bob")
	row, _ := l.Device.Get("root", "firewall/address", "srv-web")
	took[2] = row["comment"] == "seen"
	_, there := l.Device.Get("root", "firewall/address", "old-scanner")
	took[3] = !there
	return took
}

// judgeStatuses compares what is told with what the device shows.
func (l template) judgeStatuses(t *testing.T, shown harness.Plan, took [4]bool, where string) {
	t.Helper()
	switch shown.State {
	case "applied", "partial", "outcome_unknown", "failed":
	default:
		t.Errorf("%s: state %q", where, shown.State)
	}
	if shown.Execution == nil || len(shown.Execution.Operations) != 5 {
		t.Fatalf("%s: the record is %+v", where, shown.Execution)
	}
	for i, took := range took {
		o := shown.Execution.Operations[i]
		lie := took && (o.Status == "not_attempted" || o.Status == "failed" && o.Changed == "no") ||
			!took && (o.Status == "verified" || o.Status == "applied_unverified")
		if lie {
			t.Errorf("%s: operation %d took effect: %v, and is told as %s", where, i, took, o.Status)
		}
	}
}

// A program that people use has no points at which it dies.
func TestTheProgramItselfHasNoFailPoints(t *testing.T) {
	t.Parallel()
	lab := harness.Empty(t)
	for _, name := range []string{"forti", "forti-mcp"} {
		raw, err := os.ReadFile(lab.Command(name).Path)
		must(t, err)
		if strings.Contains(string(raw), "FORTI_FAILPOINT") {
			t.Errorf("%s knows fail points", name)
		}
	}
	raw, err := os.ReadFile(harness.Mortal(t))
	must(t, err)
	if !strings.Contains(string(raw), "FORTI_FAILPOINT") {
		t.Error("the test's own program has none")
	}
}
