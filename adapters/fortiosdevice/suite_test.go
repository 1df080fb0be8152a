package fortiosdevice_test

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/forti-mcp/forti/adapters/fortiosdevice"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestCatalogSuite(t *testing.T) {
	porttest.RunCatalog(t, porttest.CatalogHarness{
		New:   func(*testing.T) port.Catalog { return newCatalog() },
		Table: "firewall/address", Singleton: "system/global", Monitor: "monitor/system/status",
		At: schema.Version{Major: 7, Minor: 4, Patch: 8}, Gone: "firewall/policy6", GoneAt: schema.Version{Major: 7, Minor: 4, Patch: 8},
	})
}

// suiteBuilds are the builds of the releases that the suite runs on. 6.4 is not among
// them: its status names neither host nor model (R), which the suite asks for.
var suiteBuilds = []struct {
	version catalog.Version
	build   int
}{
	{catalog.Version{Major: 7, Minor: 4, Patch: 8}, 2795},
	{catalog.Version{Major: 7, Minor: 0, Patch: 12}, 523},
	{catalog.Version{Major: 7, Minor: 2, Patch: 8}, 1639},
	{catalog.Version{Major: 7, Minor: 6, Patch: 5}, 3651},
}

func TestDeviceSuite(t *testing.T) {
	builds := suiteBuilds
	if raceDetector {
		builds = builds[:1] // a release changes what is answered, not who runs beside whom
	}
	for _, r := range builds {
		t.Run(r.version.String(), func(t *testing.T) {
			t.Parallel() // most of the time is waiting for answers that never come
			porttest.RunDevice(t, porttest.DeviceHarness{New: func(t *testing.T) porttest.DeviceFixture {
				return newSuiteDevice(t, r.version, r.build)
			}})
		})
	}
}

// newSuiteDevice is a simulated FortiGate behind a relay, which can refuse or
// show another certificate.
func newSuiteDevice(t *testing.T, version catalog.Version, build int) porttest.DeviceFixture {
	const suiteToken = "only-root-token-0123456789abcd"
	l := newLab(t, &fortisim.Options{
		Version: version,
		VDOMs:   []string{"root", "other"},
		Admins:  []fortisim.Admin{{Name: "suite", Token: suiteToken, Access: fortisim.ReadWrite, VDOMs: []string{"root"}}},
		Seed: func(d *fortisim.Device) error {
			return d.Put("root", "system/interface", "port1", map[string]any{"type": "physical", "ip": "192.0.2.1/24"})
		},
	})
	r := newRelay(t, l.server.Addr)
	l.profile.Host, l.profile.Port = splitAddr(t, r.listener)
	// Long enough for the slowest answer of a simulator under the race detector, which
	// reads its whole catalog to tell who can use an object; a trouble waits it out.
	l.profile.Timeout = 2 * time.Second
	if raceDetector {
		l.profile.Timeout = 5 * time.Second
	}
	l.access.Token = token(suiteToken)
	return porttest.DeviceFixture{
		Devices: fortiosdevice.NewDevices(fixed(l.access), nil), Profile: l.profile,
		Identity: port.Identity{Serial: serial, Hostname: "fortisim", Model: "FGVMK6", Version: "v" + version.String(), Build: build},
		Stored:   l.stored, Arrived: l.sim.Writes, ForeignVDOM: "other",
		Arrange: func(t *testing.T, trouble porttest.Trouble) (func(), bool) { return l.arrange(t, r, trouble) },
	}
}

func fixed(a fortiosdevice.Access) fortiosdevice.Accessor {
	return func(context.Context, profile.Profile) (fortiosdevice.Access, error) { return a, nil }
}

// stored is a row with its secrets in clear.
func (l *lab) stored(at port.Location, key operation.Key) (map[string]any, bool) {
	row, ok := l.sim.Get(at.VDOM, at.Resource, key.String())
	if psk, secret := l.sim.Secret(at.VDOM, at.Resource, key.String(), "psksecret"); secret {
		row["psksecret"] = psk
	}
	return row, ok
}

func (l *lab) arrange(t *testing.T, r *relay, trouble porttest.Trouble) (calm func(), ok bool) {
	switch trouble {
	case porttest.RefusedConnection:
		r.refuse()
		return sync.OnceFunc(r.listen), true
	case porttest.BadCertificate:
		other := httptest.NewUnstartedServer(http.NotFoundHandler())
		other.Config.ErrorLog = log.New(io.Discard, "", 0)
		other.StartTLS()
		t.Cleanup(other.Close)
		r.turn(other.Listener.Addr().String())
		return func() { r.turn(l.server.Addr) }, true
	case porttest.NoAnswer:
		// Nobody lets the request go on: it ends with its client.
		return l.during(t, fortisim.NewHold(false)), true
	}
	f, ok := troubles()[trouble]
	if !ok {
		return nil, false
	}
	return l.during(t, f), true
}

func troubles() map[porttest.Trouble]fortisim.Fault {
	page := func(status int) fortisim.Fault {
		return fortisim.Answer{Status: status, Body: "<html><body>no</body></html>", ContentType: "text/html"}
	}
	return map[porttest.Trouble]fortisim.Fault{
		porttest.ResetBefore: fortisim.ResetBefore{}, porttest.ResetAfter: fortisim.ResetAfter{}, porttest.CutBody: fortisim.Truncate{Bytes: 60},
		porttest.LoginPage: fortisim.LoginPage{}, porttest.RedirectTo: fortisim.Redirect{To: "/login", Status: http.StatusFound},
		porttest.Unauthorized: page(401), porttest.Forbidden: page(403), porttest.LockedOut: page(429), porttest.BadGateway: page(502),
		porttest.NoStatus: fortisim.Answer{Status: 200, Body: `{"results":[]}`}, porttest.AnotherSerial: fortisim.Serial{Value: porttest.OtherSerial},
	}
}

// during lets a fault befall every request until it is called off.
func (l *lab) during(t *testing.T, f fortisim.Fault) (calm func()) {
	t.Helper()
	injected, err := l.sim.Inject(fortisim.Rule{Do: f})
	if err != nil {
		t.Fatal(err)
	}
	return injected.Remove
}

// relay hands connections on to a target that can change.
type relay struct {
	t        *testing.T
	listener net.Listener

	mu     sync.Mutex
	target string
	open   []net.Conn
	turns  sync.WaitGroup
}

func newRelay(t *testing.T, target string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{t: t, listener: listener, target: target}
	r.turns.Go(func() { r.serve(listener) })
	t.Cleanup(func() {
		r.refuse()
		r.turns.Wait()
	})
	return r
}

func (r *relay) serve(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		target := r.target
		r.mu.Unlock()
		device, err := net.Dial("tcp", target)
		if err != nil {
			_ = client.Close()
			continue
		}
		r.mu.Lock()
		r.open = append(r.open, client, device)
		r.mu.Unlock()
		for _, way := range [][2]net.Conn{{client, device}, {device, client}} {
			r.turns.Go(func() {
				_, _ = io.Copy(way[0], way[1])
				_, _ = way[0].Close(), way[1].Close()
			})
		}
	}
}

// turn ends all connections and hands the next ones to another target.
func (r *relay) turn(target string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.target = target
	for _, conn := range r.open {
		_ = conn.Close()
	}
	r.open = nil
}

// refuse ends all connections and takes no more.
func (r *relay) refuse() {
	_ = r.listener.Close()
	r.turn(r.target)
}

// listen takes connections again, at the same address.
func (r *relay) listen() {
	listener, err := net.Listen("tcp", r.listener.Addr().String())
	if err != nil {
		r.t.Error(err)
		return
	}
	r.listener = listener
	r.turns.Go(func() { r.serve(listener) })
}
