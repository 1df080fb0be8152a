// Package fortisimtest starts simulated FortiGates for tests.
package fortisimtest

import (
	"context"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// Start serves a device on a free loopback port until the end of the test.
func Start(tb testing.TB, o *fortisim.Options) (*fortisim.Device, *fortisim.Server) {
	tb.Helper()
	device, err := fortisim.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	server, err := device.Listen(context.Background(), "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := server.Close(); err != nil {
			tb.Errorf("closing the simulated FortiGate: %v", err)
		}
	})
	return device, server
}
