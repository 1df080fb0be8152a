package docs

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// statuses is the table of exit statuses: a status for each code.
func statuses(t *testing.T) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, row := range table(t, "docs/cli.md", "| status | error codes | what |") {
		status, err := strconv.Atoi(row[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range quoted(row[1]) {
			all[code] = status
		}
	}
	return all
}

func TestEveryErrorCodeHasAnExitStatus(t *testing.T) {
	var want, got []string
	for _, c := range fault.Codes() {
		want = append(want, string(c))
	}
	for code := range statuses(t) {
		got = append(got, code)
	}
	if diff := cmp.Diff(want, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("codes (-core +page):\n%s", diff)
	}
}

const (
	newAddress = `[{"op":"create","resource":"firewall/address","object":{"name":"printer-3","subnet":"192.0.2.50/32"}}]`
	oldAddress = `[{"op":"create","resource":"firewall/address","object":{"name":"printer-1","subnet":"192.0.2.50/32"}}]`
	twoOfThem  = `[{"op":"delete","resource":"firewall/address","key":"old-scanner"},` +
		`{"op":"create","resource":"firewall/address","object":{"name":"printer-3","subnet":"192.0.2.50/32"}}]`
	refusal = `{"http_method":"POST","http_status":400,"status":"error","error":-651,"vdom":"root","serial":"FGVMSIM000000001"}`
)

// answer replaces the answers of a method below a path.
func answer(lab *harness.Lab, method, path string, f fortisim.Fault) {
	lab.Inject(fortisim.Match{Method: method, Path: path}, f)
}

// failures are ways to each code but three: nothing that can be asked for leads to
// internal, and the device is asked again for more than ten seconds before a write
// counts as not kept or management as lost.
var failures = map[fault.Code]func(lab *harness.Lab) harness.Result{
	fault.Usage: func(lab *harness.Lab) harness.Result { return lab.Forti("read", "--bogus", "-o", "json") },
	fault.ResultTooLarge: func(lab *harness.Lab) harness.Result {
		lab.Replace(lab.Home+"/config.json", strings.Replace(lab.Read(lab.Home+"/config.json"), `"mode"`, `"max_result_bytes": 4000, "mode"`, 1))
		return read(lab, "firewall/policy", "1")
	},
	fault.Config: func(lab *harness.Lab) harness.Result {
		lab.Replace(lab.Home+"/config.json", "{}")
		return read(lab, "system/global")
	},
	fault.Auth: func(lab *harness.Lab) harness.Result {
		lab.Write("token", "wrong\n")
		return read(lab, "system/global")
	},
	fault.PermissionDenied: func(lab *harness.Lab) harness.Result {
		answer(lab, "GET", "cmdb/firewall", fortisim.Answer{Status: http.StatusForbidden, Body: "<html></html>", ContentType: "text/html"})
		return read(lab, "firewall/address")
	},
	fault.PolicyDenied: func(lab *harness.Lab) harness.Result {
		return lab.Forti("plan", "approve", lab.Plan(newAddress).PlanID, "-o", "json")
	},
	fault.ApprovalRequired: func(lab *harness.Lab) harness.Result { return lab.TryApply(lab.Plan(newAddress).PlanID) },
	fault.NotFound:         func(lab *harness.Lab) harness.Result { return read(lab, "firewall/address", "nobody") },
	fault.Conflict: func(lab *harness.Lab) harness.Result {
		return lab.FortiWith(oldAddress, "plan", "create", "-f", "-", "-o", "json")
	},
	fault.StalePlan: func(lab *harness.Lab) harness.Result {
		return planned(lab, newAddress, func(string) {
			if err := lab.Device.Put("root", "firewall/address", "printer-3", map[string]any{"subnet": "192.0.2.51/32"}); err != nil {
				lab.TB.Fatal(err)
			}
		})
	},
	fault.TamperedPlan: func(lab *harness.Lab) harness.Result {
		return planned(lab, newAddress, func(id string) {
			path := lab.State("plans", id+".json")
			lab.Replace(path, strings.Replace(lab.Read(path), "192.0.2.50", "192.0.2.59", 1))
		})
	},
	fault.DeviceUnreachable: func(lab *harness.Lab) harness.Result {
		if err := lab.Server.Close(); err != nil {
			lab.TB.Fatal(err)
		}
		return read(lab, "system/global")
	},
	fault.TLS: func(lab *harness.Lab) harness.Result {
		lab.Configure(harness.Profile, "--pin", strings.Repeat("ab", 32), "--no-test")
		return read(lab, "system/global")
	},
	fault.NotFortiOS: func(lab *harness.Lab) harness.Result {
		answer(lab, "GET", "cmdb/firewall", fortisim.LoginPage{})
		return read(lab, "firewall/address")
	},
	fault.DeviceError: func(lab *harness.Lab) harness.Result {
		answer(lab, "GET", "cmdb/firewall", fortisim.Answer{Status: http.StatusBadGateway, Body: "busy", ContentType: "text/plain"})
		return read(lab, "firewall/address")
	},
	fault.PartialFailure: func(lab *harness.Lab) harness.Result {
		return planned(lab, twoOfThem, func(string) { answer(lab, "POST", "", fortisim.Answer{Status: http.StatusBadRequest, Body: refusal}) })
	},
	fault.OutcomeUnknown: func(lab *harness.Lab) harness.Result {
		return planned(lab, newAddress, func(string) { answer(lab, "POST", "", fortisim.ResetAfter{}) })
	},
}

func read(lab *harness.Lab, words ...string) harness.Result {
	return lab.Forti(append(append([]string{"read"}, words...), "-o", "json")...)
}

// planned stores a plan, lets something happen, and applies it.
func planned(lab *harness.Lab, operations string, happens func(id string)) harness.Result {
	lab.Configure(harness.Profile, "--mode", "autonomous")
	id := lab.Plan(operations).PlanID
	happens(id)
	return lab.TryApply(id)
}

func TestFailuresEndWithTheStatusOfThePage(t *testing.T) {
	t.Parallel()
	table := statuses(t)
	unprovoked := []fault.Code{fault.Internal, fault.VerifyFailed, fault.ManagementConnectivityLost}
	for _, code := range fault.Codes() {
		fail := failures[code]
		if fail == nil {
			if !slices.Contains(unprovoked, code) {
				t.Errorf("nothing here leads to %s", code)
			}
			continue
		}
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			fail(harness.New(t, nil)).Failed(table[string(code)], string(code))
		})
	}
}
