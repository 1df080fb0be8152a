package crash

import (
	"os"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestASecondApplyOfADeviceIsBusyWhileOneRuns(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	lab.Configure("byname", "--mode", "guarded", "--host", "localhost")
	lab.Configure(harness.Profile)
	id := lab.Approved(twoCreates).PlanID
	other := lab.Plan(another, "--profile", "byname").PlanID // the same device by another name
	lab.Approve(other)
	lab.Device.ForgetRequests()
	hold := lab.Hold(firstWrite, false)
	p := lab.Start("apply", id, "-o", "json")
	p.Await(hold)
	asked := len(lab.Device.Requests())
	for _, plan := range []string{id, other} {
		if d := lab.TryApply(plan).Failed(8, "conflict").Read(t); d.Reason != "busy" {
			t.Errorf("plan %s: reason %q, want busy", plan, d.Reason)
		}
	}
	if s := lab.Show(id).State; s != "applying" {
		t.Errorf("state %q, want applying", s)
	}
	if len(lab.Device.Requests()) != asked {
		t.Error("who had to wait asked the device")
	}
	hold.Release()
	var x harness.Execution
	p.Wait().Must(0).Envelope().Into(t, &x)
	wantStatuses(t, &x, "verified", "verified")
	wantUsed(t, lab, id)
	lab.WantWrites(2)
	lab.Apply(other)
	lab.WantWrites(3)
}

func TestOfAppliesAtOnceOneWins(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(twoCreates).PlanID
	var commands []*harness.Process
	var servers []*harness.Session
	for range 3 {
		commands = append(commands, lab.Start("apply", id, "-o", "json"))
		servers = append(servers, serve(lab, id))
	}
	applied := 0
	for _, p := range commands {
		if wonOrWaits(t, p.Wait().Envelope()) {
			applied++
		}
	}
	for _, s := range servers {
		if wonOrWaits(t, lab.Tool(s.Line()).Structured) {
			applied++
		}
		s.Close().Must(0)
	}
	if applied != 1 {
		t.Errorf("%d applies won", applied)
	}
	lab.WantWrites(2)
	lab.Forti("audit", "verify").Must(0)
}

// wonOrWaits reports whether an apply won; one that did not must be refused as
// busy or used.
func wonOrWaits(t *testing.T, e harness.Envelope) bool {
	t.Helper()
	if e.OK {
		return true
	}
	d := e.Error.Read(t)
	if got := e.Error.Code + " " + d.Reason; got != "conflict busy" && got != "approval_required used" {
		t.Errorf("%s: %s", got, e.Error.Message)
	}
	return false
}
