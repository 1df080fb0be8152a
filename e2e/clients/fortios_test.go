package clients

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// build compiles a client that stands in testdata, a module of its own, so that
// nothing of it is among the product's dependencies.
func build(t *testing.T, name string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), name)
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	cmd.Dir = filepath.Join("testdata", name)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(string(out), "reading http") {
		t.Skipf("%s cannot be downloaded here, so it did not run", name)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// step is a line of a client's output.
type step struct {
	Step  string `json:"step"`
	Value any    `json:"value"`
	Error string `json:"error"`
}

// run runs a client and gives what it saw.
func (s *simulator) run(t *testing.T, program string, environment ...string) []step {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = []string{"FORTI_HOST=" + s.address(), "FORTI_TOKEN=" + s.Token}
	cmd.Env = append(cmd.Env, environment...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var steps []step
	for line := range strings.Lines(string(out)) {
		var one step
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		steps = append(steps, one)
	}
	return steps
}

// wantSteps compares what a client saw. The error of a step needs only hold the
// wanted text.
func wantSteps(t *testing.T, got, want []step) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if want[i].Error != "" && strings.Contains(got[i].Error, want[i].Error) {
			got[i].Error = want[i].Error
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheFirstSDKForFortiOSWorksWithTheSimulator(t *testing.T) {
	t.Parallel()
	program := build(t, "fgtdev")
	s := simulate(t, "--release", "6.4.4", "--seed", "branch")
	wantSteps(t, s.run(t, program), []step{
		{Step: "version", Value: "v6.4.4"},
		{Step: "create route", Value: "success"},
		{Step: "read route", Value: values{
			"dst": "10.99.0.0 255.255.0.0", "gateway": "192.168.1.254", "blackhole": "disable", "distance": "10", "weight": "0", "priority": "0",
			"device": "lan", "comment": "made by fgtdev",
		}},
		{Step: "update route", Value: true},
		{Step: "read changed route", Value: "changed"},
		{Step: "delete route"},
		{Step: "create vip", Value: "vip by fgtdev"},
		{Step: "read vip", Value: values{
			"name": "vip by fgtdev", "comment": "x", "extip": "203.0.113.77", "mappedip": []any{values{"range": "192.168.1.77"}}, "extintf": "any",
			"portforward": "enable", "protocol": "tcp", "extport": "8443", "mappedport": "443",
		}},
		{Step: "delete vip"},
		{Step: "create address"},
		{Step: "update address"},
		{Step: "read address", Value: values{"name": "span", "type": "iprange", "comment": "changed", "start-ip": "10.60.0.1", "end-ip": "10.60.0.20", "country": "", "fqdn": "", "subnet": ""}},
		{Step: "delete address"},
		{Step: "read deleted address"},
		{Step: "create policy", Error: "error no is -61"},
		{Step: "read policy", Value: []any{"lan-to-internet", "accept", []any{values{"name": "lan"}}, []any{values{"name": "HTTP"}, values{"name": "HTTPS"}, values{"name": "DNS"}, values{"name": "PING"}}}},
		{Step: "update global"},
		{Step: "read global", Value: values{"admintimeout": "65", "timezone": "04", "hostname": "by-fgtdev", "admin-sport": "443", "admin-ssh-port": "2222"}},
	})
	if got := results[values](t, s, "cmdb/system/global"); got["hostname"] != "by-fgtdev" || got["admintimeout"] != 65.0 {
		t.Errorf("the device is %v, with an idle time of %v", got["hostname"], got["admintimeout"])
	}
	for _, path := range []string{"router/static", "firewall/vip", "firewall/address"} {
		if post, gone := s.sent(t, "POST", "cmdb/"+path), s.sent(t, "DELETE", "cmdb/"+path); post != 1 || gone != 1 {
			t.Errorf("%s: %d creates and %d deletes reached the device", path, post, gone)
		}
	}
}
