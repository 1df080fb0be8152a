package engine_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

// hiding is devices on which the token's admin profile may not read some attributes: they
// are left out, and the answer is a success.
type hiding struct {
	*fake.Device
	hidden []string
}

func (d hiding) Open(context.Context, profile.Profile) (port.Device, error) { return d, nil }

func (d hiding) without(row map[string]any) map[string]any {
	rest := maps.Clone(row)
	for _, name := range d.hidden {
		delete(rest, name)
	}
	return rest
}

func (d hiding) Object(ctx context.Context, at port.Location, key operation.Key) (map[string]any, error) {
	object, err := d.Device.Object(ctx, at, key)
	return d.without(object), err
}

func (d hiding) List(ctx context.Context, q port.ListQuery, yield func(row map[string]any) bool) (port.ListInfo, error) {
	return d.Device.List(ctx, q, func(row map[string]any) bool { return yield(d.without(row)) })
}

// An attribute that a limited profile hides is reported as absent, never as empty or as
// the default.
func TestWhatAProfileHidesIsReportedAsAbsent(t *testing.T) {
	r := newRig(t)
	r.start(func(p *engine.Ports) { p.Devices = hiding{r.world.Device, []string{"hostname", "comment"}} })
	for arguments, hidden := range map[string]string{
		`{"resource":"system/global"}`:                                               "hostname",
		`{"resource":"system/global","fields":["hostname","timezone"]}`:              "hostname",
		`{"resource":"firewall/address","key":"lan","fields":["name","comment"]}`:    "comment",
		`{"resource":"firewall/address","fields":["name","comment"]}`:                "comment",
		`{"resource":"firewall/address","fields":["comment"],"filter":["name=@la"]}`: "comment",
	} {
		found := r.mustRead(arguments)
		r.wantNote(found.Meta.Notes, hidden)
		r.wantNote(found.Meta.Notes, "neither empty nor the default")
		if text := encoded(found.Data, nil, nil); strings.Contains(text, `"`+hidden+`"`) {
			t.Errorf("%s: %s", arguments, text)
		}
	}
	for _, arguments := range []string{
		`{"resource":"firewall/address","key":"lan","fields":["name"]}`, `{"resource":"firewall/address"}`, `{"resource":"firewall/address","key":"lan"}`,
		`{"resource":"firewall/address","fields":["comment"],"filter":["name==nobody"]}`,
	} {
		if notes := r.mustRead(arguments).Meta.Notes; len(notes) != 0 {
			t.Errorf("%s: %q", arguments, notes)
		}
	}
}

func TestAnEmptyListOfAdministratorsProvesNothing(t *testing.T) {
	r := newRig(t, knows(schema.Resource{Path: "system/admin", Kind: schema.Table, Key: "name", KeyType: "string", Scope: "global", Attributes: []schema.Attribute{{Name: "name", Type: "string"}}}))
	r.wantNote(r.mustRead(`{"resource":"system/admin"}`).Meta.Notes, "no proof that there are no administrators")
}

// What went wrong on the way to a device names the profile and its address, and a refused
// token is not tried again.
func TestErrorsOnTheWayToADeviceNameProfileAndAddress(t *testing.T) {
	for name, c := range map[string]struct {
		fault fake.Fault
		code  fault.Code
	}{
		"401": {fake.HTML(401, false), fault.Auth}, "403": {fake.HTML(403, false), fault.PermissionDenied}, "429": {fake.HTML(429, false), fault.Auth},
		"a log-in page": {fake.HTML(200, false), fault.NotFortiOS}, "refused": {fake.Refused(), fault.DeviceUnreachable}, "TLS": {fake.BadCertificate(), fault.TLS},
	} {
		for _, call := range []fake.Call{fake.CallIdentity, fake.CallObject, fake.CallList, fake.CallMonitor, fake.CallSchema} {
			r := newRig(t, func(o *fake.WorldOptions) { o.Profile.Host = "2001:db8::1" })
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: call}, Fault: c.fault})
			err := r.ask(call)
			f := r.wantCode(err, c.code)
			if !strings.HasPrefix(f.Message, "profile demo ([2001:db8::1]:443): ") || f.Details["profile"] != "demo" || f.Details["host"] != "[2001:db8::1]:443" {
				t.Errorf("%s of %s: %s %v", name, call, f.Message, f.Details)
			}
			if n := len(r.calls(call)); n != 1 {
				t.Errorf("%s: %s was asked %d times", name, call, n)
			}
		}
	}
}

// ask makes a read that needs a call.
func (r *rig) ask(call fake.Call) error {
	r.Helper()
	arguments := map[fake.Call]string{
		fake.CallObject: `{"resource":"firewall/address","key":"lan"}`, fake.CallMonitor: `{"resource":"monitor/system/time"}`,
	}[call]
	if call == fake.CallSchema {
		_, err := r.discover(`{"what":"resource","resource":"firewall/address","live":true}`)
		return err
	}
	if arguments == "" {
		arguments = `{"resource":"firewall/address"}`
	}
	_, err := r.read(arguments)
	return err
}
