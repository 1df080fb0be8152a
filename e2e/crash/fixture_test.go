package crash

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

const (
	twoCreates = `[
 {"op":"create","resource":"firewall/address","object":{"name":"first","subnet":"192.0.2.50/32"}},
 {"op":"create","resource":"firewall.service/custom","object":{"name":"second","tcp-portrange":"631"}}
]`
	another = `[{"op":"create","resource":"firewall/address","object":{"name":"third","subnet":"192.0.2.60/32"}}]`
	// critical is preceded by a backup: it makes an administrator's profile.
	critical = `[{"op":"create","resource":"system/accprofile","object":{"name":"auditors","comments":"may look"}}]`
)

// Requests of these plans' applies.
var (
	firstWrite  = fortisim.Match{Method: "POST", Path: "cmdb/firewall/address"}
	firstRead   = fortisim.Match{Method: "GET", Path: "cmdb/firewall/address/first"}
	secondWrite = fortisim.Match{Method: "POST", Path: "cmdb/firewall.service/custom"}
	download    = fortisim.Match{Path: "monitor/system/config/backup"}
)

// program is a running apply, of either program.
type program interface {
	Await(h *fortisim.Hold)
	Kill()
}

// starts are the ways to start an apply.
var starts = map[string]func(lab *harness.Lab, id string) program{
	"forti":     func(lab *harness.Lab, id string) program { return lab.Start("apply", id, "-o", "json") },
	"forti-mcp": func(lab *harness.Lab, id string) program { return serve(lab, id) },
}

// serve starts forti-mcp and asks it to apply a plan.
func serve(lab *harness.Lab, id string) *harness.Session {
	s := lab.Serve()
	s.Begin("forti_apply", `{"plan_id":"`+id+`"}`)
	return s
}

func wantStatuses(t *testing.T, x *harness.Execution, want ...string) {
	t.Helper()
	if x == nil {
		t.Fatal("nothing is told of an execution")
	}
	if diff := cmp.Diff(want, x.Statuses()); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

// wantUsed checks that a plan cannot be applied again and that nothing is sent.
func wantUsed(t *testing.T, lab *harness.Lab, id string) {
	t.Helper()
	before := len(lab.Device.Requests())
	if d := lab.TryApply(id).Failed(6, "approval_required").Read(t); d.Reason != "used" {
		t.Errorf("reason %q, want used", d.Reason)
	}
	if after := len(lab.Device.Requests()); after != before {
		t.Errorf("the device was sent %d requests for a used approval", after-before)
	}
}

// wantEvents checks what the audit log tells of a plan.
func wantEvents(t *testing.T, lab *harness.Lab, id, want string) {
	t.Helper()
	if got := strings.Join(harness.Events(lab.Audit(id)), " "); got != want {
		t.Errorf("audit of %s:\n got %s\nwant %s", id, got, want)
	}
}

// has reports whether the device has an object.
func has(lab *harness.Lab, path, key string) bool {
	_, found := lab.Device.Get("root", path, key)
	return found
}
