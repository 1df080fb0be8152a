package porttest_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
)

// inner is set in the process in which the suites meet the broken fakes.
const inner = "PORTTEST_BROKEN"

// broken is a fake with one fault, and the subtest that has to notice it.
type broken struct {
	name    string
	noticed string
	run     func(t *testing.T)
}

// TestBroken runs the suites on broken fakes. It fails, and so it runs in a
// process of its own.
func TestBroken(t *testing.T) {
	if os.Getenv(inner) == "" {
		t.Skip("runs inside TestSuitesNoticeBrokenFakes")
	}
	for _, b := range slices.Concat(brokenState(), brokenWorld(), brokenDevices()) {
		t.Run(b.name, b.run)
	}
	t.Run("none", func(t *testing.T) {
		porttest.RunDevice(t, deviceOn(func(d port.Device) port.Device { return d }))
	})
}

func TestSuitesNoticeBrokenFakes(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBroken$", "-test.v") //nolint:gosec // the test's own binary
	cmd.Env = append(os.Environ(), inner+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatal("no broken fake was noticed")
	}
	failed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\s*--- FAIL: TestBroken/(\S+)`).FindAllStringSubmatch(string(out), -1) {
		failed[m[1]] = true
	}
	for _, b := range slices.Concat(brokenState(), brokenWorld(), brokenDevices()) {
		want := strings.ReplaceAll(b.name+"/"+b.noticed, " ", "_")
		if !failed[want] {
			t.Errorf("%s: %q did not fail", b.name, b.noticed)
		}
		if whole := strings.ReplaceAll("none/"+b.noticed, " ", "_"); failed[whole] {
			t.Errorf("%q fails on a whole device, too", b.noticed)
		}
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
