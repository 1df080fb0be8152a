package docs

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/fortios"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
)

func TestAgainstASimulatedFortiGate(t *testing.T) {
	device, server := fortisimtest.Start(t, nil) // listens on loopback, ends with the test
	client := connect(t, server)
	if _, err := client.Object(t.Context(), "firewall/address", "srv-web", ""); err != nil || device.Writes() != 0 {
		t.Errorf("%v, and %d writes", err, device.Writes())
	}
}

// connect points a client at it: any HTTPS client would do, here the one of this
// workspace.
func connect(t *testing.T, s *fortisim.Server) *fortios.Client {
	t.Helper()
	c, err := fortios.New(fortios.Config{
		Host: s.Host, Port: s.Port, VDOM: "root", TLS: fortios.TLS{PinSHA256: s.PinSHA256},
		Token: func(context.Context) (string, error) { return s.Token, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestTheSecondListingIsCut(t *testing.T) {
	device, server := fortisimtest.Start(t, nil)
	client := connect(t, server)
	_, err := device.Inject(fortisim.Rule{
		Match: fortisim.Match{Method: "GET", Path: "cmdb/firewall/address", Nth: 2}, Do: fortisim.Truncate{Bytes: 40},
	})
	if err != nil {
		t.Fatal(err)
	}
	list := func() (n int, err error) {
		_, err = client.List(t.Context(), fortios.ListQuery{Resource: "firewall/address"}, func(json.RawMessage) bool { n++; return true })
		return n, err
	}
	if n, err := list(); err != nil || n != len(device.Rows("root", "firewall/address")) {
		t.Errorf("%d addresses, %v", n, err)
	}
	if _, err := list(); fortios.KindOf(err) != fortios.KindTruncated {
		t.Errorf("a listing that is cut gives %v", err)
	}
}
