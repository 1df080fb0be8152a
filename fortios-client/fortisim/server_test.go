package fortisim_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestTheCertificateIsLikeANewFortiGates(t *testing.T) {
	l := newLab(t, nil)
	dialer := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}}
	conn, err := dialer.DialContext(t.Context(), "tcp", l.server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	state := conn.(*tls.Conn).ConnectionState()
	leaf := state.PeerCertificates[0]
	if leaf.Subject.CommonName != "FortiGate" || leaf.Issuer.CommonName != "FGVMSIM000000001" {
		t.Errorf("subject %v, issuer %v", leaf.Subject, leaf.Issuer)
	}
	if len(leaf.DNSNames) != 0 || len(leaf.IPAddresses) != 0 || leaf.VerifyHostname(l.server.Host) == nil {
		t.Error("the certificate has a usable name")
	}
	if state.Version != tls.VersionTLS13 || state.NegotiatedProtocol != "h2" {
		t.Errorf("version %x, protocol %q", state.Version, state.NegotiatedProtocol)
	}
	if _, other := fortisimStart(t); other.PinSHA256 == l.server.PinSHA256 {
		t.Error("two servers have one key")
	}
}

func fortisimStart(t *testing.T) (*fortisim.Device, *fortisim.Server) {
	t.Helper()
	l := newLab(t, nil)
	return l.device, l.server
}

func TestTheServerEndsWithItsContext(t *testing.T) {
	device, err := fortisim.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	server, err := device.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if server.Addr != fmt.Sprintf("%s:%d", server.Host, server.Port) {
		t.Errorf("address %q", server.Addr)
	}
	cancel()
	if err := server.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := server.Close(); err != nil {
		t.Errorf("Close again: %v", err)
	}
	if conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Addr); err == nil {
		_ = conn.Close()
		t.Error("it still listens")
	}
}

func TestAnAddressThatIsTakenIsAnError(t *testing.T) {
	device, server := fortisimStart(t)
	if _, err := device.Listen(t.Context(), server.Addr); err == nil || !strings.Contains(err.Error(), "choose another address") {
		t.Errorf("error %v", err)
	}
}

func TestParallelClients(t *testing.T) {
	l := newLab(t, nil)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 10 {
				name := fmt.Sprintf("p%d-%d", i, n)
				for _, r := range [][3]string{
					{"POST", addresses, `{"name":"` + name + `"}`},
					{"PUT", addresses + "/" + name, newComment},
					{"GET", addresses + "?filter=name=@p", ""},
				} {
					if g := l.send(context.Background(), r[0], r[1], r[2]); g.status != 200 {
						t.Errorf("%v: %d %v", r, g.status, g.err)
					}
				}
				l.device.Snapshot()
			}
		})
	}
	group.Wait()
	if got := l.ok("GET", addresses+"?filter=comment==changed&count=1", "")["matched_count"]; got != 80.0 {
		t.Errorf("%v rows", got)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for name, o := range map[string]*fortisim.Options{
		"serial":        {Serial: "abc"},
		"administrator": {Admins: []fortisim.Admin{{Name: "x"}}},
		"fault":         {Faults: []fortisim.Rule{{}}},
		"seed": {Seed: func(d *fortisim.Device) error {
			return d.Put("root", "firewall/address", "x", map[string]any{"color": 99})
		}},
	} {
		if _, err := fortisim.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestTheDefaultTokenIsARandomOneOfTheDevicesForm(t *testing.T) {
	a, err := fortisim.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := fortisim.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[0-9A-Za-z]{30}$`).MatchString(a.Token()) || a.Token() == b.Token() {
		t.Error("the token is not random, or not 30 letters and digits")
	}
}

func TestUUIDsFollowFromTheSerial(t *testing.T) {
	uuid := func(serial string, rand io.Reader) any {
		d, err := fortisim.New(&fortisim.Options{Serial: serial, Rand: rand})
		if err != nil {
			t.Fatal(err)
		}
		row, _ := d.Get("root", "firewall/address", "srv-web")
		return row["uuid"]
	}
	if uuid("FGVMSIM000000001", nil) != uuid("FGVMSIM000000001", nil) {
		t.Error("two runs differ")
	}
	if uuid("FGVMSIM000000001", nil) == uuid("FGVMSIM000000002", nil) {
		t.Error("two devices do not")
	}
	if uuid("FGVMSIM000000001", strings.NewReader("")) == uuid("FGVMSIM000000001", nil) {
		t.Error("the source is not used")
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if _, err := fortisim.New(nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestTheDefaultSeedStartsInLessThan100Milliseconds(t *testing.T) {
	if raced {
		t.Skip("the race detector is on")
	}
	best := time.Hour // of five: the machine may be busy
	for range 5 {
		begin := time.Now()
		if _, err := fortisim.New(nil); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(begin))
	}
	if best > 100*time.Millisecond {
		t.Errorf("a start takes %v", best)
	}
}

func BenchmarkUsage(b *testing.B) {
	device, err := fortisim.New(nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		request := httptest.NewRequest("GET", "/api/v2/monitor/system/object/usage?q_path=firewall&q_name=address&mkey=net-lan", nil)
		request.Header.Set("Authorization", "Bearer "+device.Token())
		recorder := httptest.NewRecorder()
		device.ServeHTTP(recorder, request)
		if recorder.Code != 200 {
			b.Fatal(recorder.Code)
		}
	}
}
