package fortiosdevice_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/fortiosdevice"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/wire"
	"github.com/forti-mcp/forti/fortios-client/fortios"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
)

// lab is a simulated FortiGate and a profile of it.
type lab struct {
	t       *testing.T
	sim     *fortisim.Device
	server  *fortisim.Server
	profile profile.Profile
	access  fortiosdevice.Access
	options fortiosdevice.Options
}

func newLab(t *testing.T, o *fortisim.Options) *lab {
	t.Helper()
	sim, server := fortisimtest.Start(t, o)
	return &lab{
		t: t, sim: sim, server: server,
		profile: profile.Profile{
			Name: "lab", Host: server.Host, Port: server.Port, VDOM: "root", Mode: profile.Guarded,
			Trust: "spki-sha256:" + server.PinSHA256, Timeout: profile.DefaultTimeout,
		},
		access: fortiosdevice.Access{Token: token(server.Token)},
	}
}

func token(value string) func(context.Context) (redact.Secret, error) {
	return func(context.Context) (redact.Secret, error) { return redact.NewSecret(value), nil }
}

func (l *lab) tryOpen() (port.Device, error) {
	access := func(context.Context, profile.Profile) (fortiosdevice.Access, error) { return l.access, nil }
	return fortiosdevice.NewDevices(access, &l.options).Open(l.t.Context(), l.profile)
}

func (l *lab) open() port.Device {
	l.t.Helper()
	device, err := l.tryOpen()
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = device.Close() })
	return device
}

func (l *lab) inject(match fortisim.Match, f fortisim.Fault) {
	l.t.Helper()
	if _, err := l.sim.Inject(fortisim.Rule{Match: match, Do: f}); err != nil {
		l.t.Fatal(err)
	}
}

// last is the newest request that reached the device.
func (l *lab) last() fortisim.RequestRecord {
	l.t.Helper()
	all := l.sim.Requests()
	if len(all) == 0 {
		l.t.Fatal("no request reached the device")
	}
	return all[len(all)-1]
}

func at(resource string) port.Location { return port.Location{Resource: resource, VDOM: "root"} }

func key(name string) operation.Key { return operation.TextKey(name) }

func must(t *testing.T) func(wire.Request, error) wire.Request {
	return func(r wire.Request, err error) wire.Request {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// wantCode also proves that nobody can print markup, control characters or a
// secret with the error.
func wantCode(t *testing.T, err error, want fault.Code, secrets ...string) *fault.Error {
	t.Helper()
	if fault.CodeOf(err) != want {
		t.Fatalf("got code %q of %v, not %q", fault.CodeOf(err), err, want)
	}
	f := fault.From(err)
	shown := fmt.Sprintf("%s %v %v", f.Message, f.Details, f)
	for _, hostile := range append(secrets, "<html", "<!DOCTYPE", "\x1b", "\n", "\r") {
		if hostile != "" && strings.Contains(shown, hostile) {
			t.Errorf("the error shows %q: %s", hostile, shown)
		}
	}
	return f
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func repeat(s string, n int) string { return string(bytes.Repeat([]byte(s), n)) }

func pemOf(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// bareLab is a profile of something that answers as it likes.
func bareLab(t *testing.T, handler http.HandlerFunc) *lab {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	host, number := splitAddr(t, server.Listener)
	return &lab{t: t, access: fortiosdevice.Access{Token: token("any")}, profile: profile.Profile{
		Name: "bare", Host: host, Port: number, VDOM: "root", Trust: "spki-sha256:" + fortios.PinOf(server.Certificate()),
	}}
}
