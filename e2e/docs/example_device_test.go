package docs

import (
	"context"
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/wire"
)

// meter opens devices that count what they send: a device adapter of one's own.
type meter struct {
	port.Devices
	sent *int
}

type metered struct {
	port.Device
	sent *int
}

func (m meter) Open(ctx context.Context, p profile.Profile) (port.Device, error) {
	d, err := m.Devices.Open(ctx, p)
	return metered{d, m.sent}, err
}

func (m metered) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	*m.sent++
	return m.Device.Send(ctx, r, secrets)
}

func TestTheMeterKeepsTheContract(t *testing.T) {
	porttest.RunDevice(t, porttest.DeviceHarness{
		New: newMeter,
		Without: porttest.Without{
			porttest.Storage, porttest.Counting, porttest.TwoVDOMs,
			porttest.Ability(porttest.BadCertificate), porttest.Ability(porttest.NoAnswer), porttest.Ability(porttest.CutBody),
			porttest.Ability(porttest.RedirectTo), porttest.Ability(porttest.BadGateway), porttest.Ability(porttest.NoStatus),
		},
	})
}

func newMeter(t *testing.T) porttest.DeviceFixture {
	d, err := fake.NewDevice(fake.DeviceOptions{Rows: fake.Office()})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(fake.At("system/global"), map[string]any{"hostname": "fgt-demo"}); err != nil {
		t.Fatal(err)
	}
	return porttest.DeviceFixture{
		Devices:  meter{d, new(int)},
		Profile:  profile.Profile{Name: "demo", VDOM: "root"},
		Identity: port.Identity{Serial: "FGT60FTK20000001", Hostname: "fgt-demo", Model: "FGT60F", Version: "v7.4.8", Build: 2795},
		Arrange: func(_ *testing.T, trouble porttest.Trouble) (calm func(), ok bool) {
			f, ok := map[porttest.Trouble]fake.Fault{
				porttest.RefusedConnection: fake.Refused(),
				porttest.ResetBefore:       fake.ResetBefore(),
				porttest.ResetAfter:        fake.ResetAfter(),
				porttest.LoginPage:         fake.HTML(200, false),
				porttest.Unauthorized:      fake.HTML(401, false),
				porttest.Forbidden:         fake.HTML(403, false),
				porttest.LockedOut:         fake.HTML(429, false),
				porttest.AnotherSerial:     fake.OtherSerial(porttest.OtherSerial),
			}[trouble]
			d.Fail(fake.Rule{Fault: f})
			return d.Heal, ok
		},
	}
}
