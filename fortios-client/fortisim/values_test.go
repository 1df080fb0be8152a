package fortisim_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestIPv6MasksAndHardwareAddresses(t *testing.T) {
	l := newLab(t, nil)
	for _, c := range []struct {
		name, path, key, attribute, written, want string
	}{
		{"IPv6 network", "firewall/address6", "net6", "ip6", "2001:DB8:0::/32", "2001:db8::/32"},
		{"IPv6 host bits of a network", "firewall/address6", "net6b", "ip6", "2001:db8::5/64", "2001:db8::/64"},
		{"IPv6 prefix keeps its host bits", "system/admin", "admin", "ip6-trusthost1", "2001:db8::5/64", "2001:db8::5/64"},
		{"IPv6 address", "system/dns", "", "ip6-primary", "2001:db8:0:0::53", "2001:db8::53"},
		{"MAC", "system/interface", "lan", "macaddr", "00:09:0F:AA:BB:CC", "00:09:0f:aa:bb:cc"},
		{"netmask", "system.dhcp/server", "1", "netmask", "255.255.255.0", "255.255.255.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.path == "system.dhcp/server" {
				if err := l.device.Put("root", c.path, c.key, map[string]any{"interface": "lan"}); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.device.Put("root", c.path, c.key, map[string]any{c.attribute: c.written}); err != nil {
				t.Fatal(err)
			}
			row, _ := l.device.Get("root", c.path, c.key)
			if row[c.attribute] != c.want {
				t.Errorf("%s = %v, want %v", c.attribute, row[c.attribute], c.want)
			}
			if err := l.device.Put("root", c.path, c.key, map[string]any{c.attribute: "nonsense"}); err == nil {
				t.Error("nonsense was taken")
			}
		})
	}
}

func TestNestedObjectsChangeByTheirNamedMembers(t *testing.T) {
	l := newLab(t, nil)
	l.ok("PUT", ports+"/lan", `{"ipv6":{"ip6-address":"2001:db8::1/64"}}`)
	l.ok("PUT", ports+"/lan", `{"ipv6":{"ip6-allowaccess":"https ping"}}`)
	ipv6 := l.one(ports + "/lan")["ipv6"].(map[string]any)
	if ipv6["ip6-address"] != "2001:db8::1/64" || ipv6["ip6-allowaccess"] != "ping https" || ipv6["ip6-mode"] != "static" {
		t.Errorf("ipv6: %v", ipv6)
	}
	l.no("PUT", ports+"/lan", `{"ipv6":{"ip6-mode":"maybe"}}`, 500, -651)
	l.no("PUT", ports+"/lan", `{"ipv6":"x"}`, 500, -651)
	if got := l.keys(ports+"?filter=ipv6.ip6-address==2001:db8::1/64", "name"); len(got) != 1 {
		t.Errorf("filter on a nested object: %v", got)
	}
	if !strings.Contains(l.device.Snapshot(), "config ipv6\n") {
		t.Error("the snapshot lacks the nested object")
	}
	l.ok("PUT", ports+"/lan", `{"ipv6":{"ip6-address":"::/0","ip6-allowaccess":""}}`)
	if strings.Contains(l.device.Snapshot(), "config ipv6\n") {
		t.Error("an object with nothing but defaults is not the default")
	}
}

func TestAReferenceMayNameARowOfASingletonsTable(t *testing.T) {
	l := newLab(t, nil)
	body := func(zone string) string {
		return `{"dst":"10.9.0.0/16","device":"wan1","sdwan-zone":[{"name":"` + zone + `"}]}`
	}
	l.no("POST", routes, body("overlay"), 500, -651)
	l.ok("POST", "/api/v2/cmdb/system/sdwan/zone", `{"name":"overlay"}`)
	l.ok("POST", routes, body("overlay"))
}

func TestNamesOfVendorsDatabasesAreTaken(t *testing.T) {
	l := newLab(t, nil)
	l.ok("PUT", "/api/v2/cmdb/system/global", `{"timezone":"Europe/Berlin"}`)
}

func TestTheUserOfAnObjectInAnotherVDOMDoesNotCount(t *testing.T) {
	l := newLab(t, &fortisim.Options{VDOMs: []string{"root", "guest"}})
	l.ok("POST", addresses+"?vdom=guest", `{"name":"srv-web"}`)
	l.ok("DELETE", addresses+"/srv-web?vdom=guest", "")
	l.no("DELETE", addresses+"/srv-web?vdom=root", "", 500, -23)
	l.no("DELETE", "/api/v2/cmdb/system/vdom/root", "", 500, -37)
}

func TestABackupOfSeveralVDOMs(t *testing.T) {
	l := newLab(t, &fortisim.Options{VDOMs: []string{"root", "guest"}})
	backup := func(scope, vdom string) string {
		return l.do("POST", "/api/v2/monitor/system/config/backup?vdom="+vdom, `{"scope":"`+scope+`"}`).text
	}
	all := backup("global", "root")
	for _, want := range []string{":vdom=1:", "config vdom\nedit \"root\"\nnext\nedit \"guest\"\nnext\nend\n", "config global\nconfig ", "config vdom\nedit \"guest\"\nconfig "} {
		if !strings.Contains(all, want) {
			t.Errorf("the backup lacks %q", want)
		}
	}
	if guest := backup("vdom", "guest"); strings.Contains(guest, "srv-web") || strings.Contains(guest, "config system global") {
		t.Error("the backup of a VDOM holds more than the VDOM")
	}
}

func TestWaitingEndsWithTheClient(t *testing.T) {
	waiting, ended := make(chan struct{}), make(chan struct{})
	l := newLab(t, &fortisim.Options{Sleep: func(ctx context.Context, _ time.Duration) error {
		close(waiting)
		<-ctx.Done()
		defer close(ended)
		return ctx.Err()
	}})
	l.inject(fortisim.Latency{Wait: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-waiting
		cancel()
	}()
	if g := l.send(ctx, "PUT", addresses+"/srv-web", newComment); !errors.Is(g.err, context.Canceled) {
		t.Errorf("status %d, error %v", g.status, g.err)
	}
	<-ended
	if l.comment("srv-web") == "changed" {
		t.Error("the write took effect")
	}
}

func TestSeedsHaveNames(t *testing.T) {
	for _, name := range []string{"branch", "factory"} {
		if seed, ok := fortisim.NamedSeed(name); !ok || seed == nil {
			t.Errorf("%s is missing", name)
		}
	}
	if _, ok := fortisim.NamedSeed("nonsense"); ok {
		t.Error("nonsense is a seed")
	}
	factory := newLab(t, &fortisim.Options{Seed: fortisim.Factory})
	if got := factory.keys(addresses, "name"); len(got) != 2 {
		t.Errorf("addresses of a new device: %v", got)
	}
}
