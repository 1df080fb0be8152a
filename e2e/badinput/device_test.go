package badinput

import (
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// trouble is a device that cannot be used: what makes it so, and the answer.
type trouble struct {
	prepare func(t *testing.T, lab *harness.Lab)
	status  int
	code    string
	says    string
}

// closedPort is a port of this machine on which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// otherPin is a pin that no key has: the lab's own with one digit changed.
func otherPin(lab *harness.Lab) string {
	last := lab.Server.PinSHA256[63:]
	n, _ := strconv.ParseUint(last, 16, 8) // a pin is hex
	return lab.Server.PinSHA256[:63] + strconv.FormatUint(n^1, 16)
}

var troubles = map[string]trouble{
	"an unreachable device": {
		func(t *testing.T, lab *harness.Lab) {
			lab.Configure(harness.Profile, "--port", closedPort(t), "--no-test")
		},
		10, "device_unreachable", "nothing was sent",
	},
	"a wrong token": {
		func(_ *testing.T, lab *harness.Lab) { lab.Write("token", "a-token-that-is-wrong\n") }, 4, "auth", "token",
	},
	"another pin": {
		func(_ *testing.T, lab *harness.Lab) {
			lab.Configure(harness.Profile, "--pin", otherPin(lab), "--no-test")
		}, 10, "tls", "pin",
	},
	"a token file that is missing": {
		func(_ *testing.T, lab *harness.Lab) {
			lab.Configure(harness.Profile, "--token-file", "nowhere", "--no-test")
		}, 3, "config", "nowhere",
	},
}

// uses are requests that need the device, through both programs.
func uses(id string) map[string]struct {
	args            []string
	stdin           string
	tool, arguments string
} {
	operations := `[{"op":"delete","resource":"firewall/address","key":"old-scanner"}]`
	return map[string]struct {
		args            []string
		stdin           string
		tool, arguments string
	}{
		"capabilities": {[]string{"discover", "capabilities"}, "", "forti_discover", `{"what":"capabilities"}`},
		"read":         {[]string{"read", "firewall/address"}, "", "forti_read", `{"resource":"firewall/address"}`},
		"plan":         {[]string{"plan", "create", "-f", "-"}, operations, "forti_plan", `{"operations":` + operations + `}`},
		"apply":        {[]string{"apply", id}, "", "forti_apply", `{"plan_id":"` + id + `"}`},
	}
}

func TestADeviceThatCannotBeUsedIsAClearErrorInBothPrograms(t *testing.T) {
	t.Parallel()
	for name, d := range troubles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, &harness.Options{Mode: "autonomous"})
			id := lab.Plan(`[{"op":"delete","resource":"firewall/address","key":"old-scanner"}]`).PlanID
			d.prepare(t, lab)
			s := lab.Serve()
			for use, u := range uses(id) {
				f := lab.FortiWith(u.stdin, append(u.args, "-o", "json")...).Failed(d.status, d.code)
				g := s.Call(u.tool, u.arguments).Structured.Failed(t, d.code)
				for _, message := range []string{f.Message, g.Message} {
					if !strings.Contains(message, d.says) {
						t.Errorf("%s: the message does not say %q: %s", use, d.says, message)
					}
				}
			}
			r := s.Close().Must(0)
			if strings.Contains(r.Stdout+r.Stderr, lab.Server.Token) {
				t.Error("the token got out")
			}
			lab.WantWrites(0)
		})
	}
}

func TestACertificateThatNobodyVouchesForIsRefused(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	lab.Forti("configure", harness.Profile, "--system-roots", "--no-test").Must(0)
	f := lab.Forti("read", "firewall/address", "-o", "json").Failed(10, "tls")
	if !strings.Contains(f.Message, "certificate") {
		t.Error(f.Message)
	}
	s := lab.Serve()
	s.Call("forti_read", `{"resource":"firewall/address"}`).Structured.Failed(t, "tls")
	s.Close().Must(0)
	if n := len(lab.Device.Requests()); n != 0 {
		t.Errorf("the device was sent %d requests", n)
	}
}

func TestAnUntrustedDeviceNeverSeesTheToken(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	lab.Configure(harness.Profile, "--pin", otherPin(lab), "--no-test")
	lab.Forti("read", "firewall/address", "-o", "json").Failed(10, "tls")
	if n := len(lab.Device.Requests()); n != 0 {
		t.Errorf("the device was sent %d requests", n)
	}
}
