package fortiosdevice_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
	"github.com/forti-mcp/forti/fortios-client/fortios"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// The client explains numbers and statuses for those who use it alone, the core for
// everybody else: in the same words.
func TestANumberAndAStatusHaveOneMeaning(t *testing.T) {
	known := 0
	for number := -12000; number <= 600; number++ {
		if got, want := fortios.Meaning(number), exchange.Explain(number); got != want {
			t.Errorf("%d is %q to the client and %q to the core", number, got, want)
		}
		if got, want := fortios.StatusMeaning(number), exchange.ExplainStatus(number); got != want {
			t.Errorf("HTTP %d is %q to the client and %q to the core", number, got, want)
		}
		if exchange.Explain(number)+exchange.ExplainStatus(number) != "" {
			known++
		}
	}
	if known < 65 {
		t.Errorf("%d are known", known)
	}
}

// numbers are FortiOS's error numbers, as far as anybody has written them down.
var numbers = []int{
	-1, -2, -3, -4, -5, -7, -8, -9, -10, -14, -15, -16, -17, -18, -19, -20, -23, -30, -31, -33, -36, -37, -39, -45, -48, -49, -50, -54, -55, -56,
	-61, -72, -73, -92, -94, -95, -96, -97, -98, -99, -107, -147, -100, -101, -145, -146, -542, -160, -162, -163, -553, -560, -580, -650, -651, -653,
	-901, -902, -8102, -10000, -10001, -10002,
}

// A number means the same in a read and in a write, and both shapes of the device's words
// are passed on with it.
func TestEachErrorNumberIsMappedAlikeInReadsAndWrites(t *testing.T) {
	l := newLab(t, nil)
	device := l.open()
	for i, number := range numbers {
		for _, status := range []int{http.StatusInternalServerError, http.StatusFailedDependency} {
			said := `"words of the device"`
			if i%2 == 0 {
				said = `["words of","the device"]`
			}
			answer := fortisim.Answer{Status: status, Body: fmt.Sprintf(
				`{"http_method":"GET","status":"error","http_status":%d,"vdom":"root","serial":"FGVMSIM000000001","revision_changed":false,"error":%d,"cli_error":%s}`, status, number, said)}
			in, err := l.sim.Inject(fortisim.Rule{Do: answer})
			if err != nil {
				t.Fatal(err)
			}
			_, err = device.Object(t.Context(), at("firewall/address"), key("srv-web"))
			x := device.Send(t.Context(), must(t)(wire.Delete("firewall/address", "root", key("srv-web"))), nil)
			in.Remove()
			class, _ := exchange.Classify(x, exchange.Target{Serial: "FGVMSIM000000001", VDOM: "root"})
			want := x.Code(class)
			if number == -3 {
				want = fault.DeviceError // to a read it is no proof that the object is absent
			}
			f := wantCode(t, err, want)
			if f.Details["device_error"] != number || f.Details["meaning"] != exchange.Explain(number) || f.Details["http_status"] != status ||
				!strings.Contains(f.Message, exchange.Explain(number)) || exchange.Explain(number) == "" {
				t.Errorf("%d: %s, %v", number, f.Message, f.Details)
			}
			if words, _ := f.Details["device_message"].(string); !strings.HasPrefix(words, "words of") || words != x.Text || x.ErrorNumber != number {
				t.Errorf("%d: a read says %q, a write %q", number, words, x.Text)
			}
		}
	}
}

// wireRow is a row of what is known of FortiOS's refusals, produced by the simulated
// device itself.
type wireRow struct {
	name string
	// device prepares one; ask asks it.
	device func(t *testing.T) *lab
	ask    func(t *testing.T, d port.Device) error
	code   fault.Code
	// says are words of the message: each cause where there are several.
	says []string
	// number is the error number that the answer carries.
	number int
}

var (
	causesOf401 = []string{"wrong, expired or revoked", "trusted hosts", "certificate", "lock this address out", "HTTP 401"}
	causesOf403 = []string{"trusted hosts", "admin profile", "VDOM does not exist", "not one of the API user's", "HTTP 403"}
	causesOf424 = []string{"exists already", "parameter is missing", "not valid", "not set up"}
)

func plainLab(t *testing.T) *lab { t.Helper(); return newLab(t, nil) }

// behaving is a device of a release whose behaviour is switched, with two administrators:
// the profile's own may use the VDOM root and what the admin profile "limited" permits.
func behaving(version string, set func(b *fortisim.Behaviour)) func(t *testing.T) *lab {
	return func(t *testing.T) *lab {
		t.Helper()
		b := fortisim.DefaultBehaviour(release(t, version))
		if set != nil {
			set(&b)
		}
		l := newLab(t, &fortisim.Options{Version: release(t, version), Behaviour: &b, VDOMs: []string{"root", "edge"}, Admins: []fortisim.Admin{
			{Name: "limited", Token: "made-up-token-limited", Profile: "limited", VDOMs: []string{"root"}},
			{Name: "forti", Token: "made-up-token-forti", Access: fortisim.ReadWrite},
		}})
		if err := l.sim.Put("root", "system/accprofile", "limited", map[string]any{"netgrp": "read", "fwgrp": "read-write"}); err != nil {
			t.Fatal(err)
		}
		l.access.Token = token("made-up-token-limited")
		return l
	}
}

func apiUser(attributes map[string]any) func(t *testing.T) *lab {
	return func(t *testing.T) *lab {
		t.Helper()
		l := newLab(t, nil)
		if err := l.sim.Put("root", "system/api-user", "forti", attributes); err != nil {
			t.Fatal(err)
		}
		return l
	}
}

func object(resource, name, vdom string) func(t *testing.T, d port.Device) error {
	return func(t *testing.T, d port.Device) error {
		t.Helper()
		k := operation.Key{}
		if name != "" {
			k = key(name)
		}
		_, err := d.Object(t.Context(), port.Location{Resource: resource, VDOM: vdom}, k)
		return err
	}
}

func monitor(path string) func(t *testing.T, d port.Device) error {
	return func(t *testing.T, d port.Device) error {
		t.Helper()
		_, err := d.Monitor(t.Context(), port.MonitorQuery{At: at(path)})
		return err
	}
}

func list(t *testing.T, d port.Device) error {
	t.Helper()
	_, err := d.List(t.Context(), port.ListQuery{At: at("user/local"), Count: 5}, func(map[string]any) bool { return true })
	return err
}

var wireRows = []wireRow{
	{name: "an unknown token", device: func(t *testing.T) *lab {
		t.Helper()
		l := newLab(t, nil)
		l.access.Token = token("never-made-token-0123456789")
		return l
	}, ask: object("firewall/address", "srv-web", "root"), code: fault.Auth, says: causesOf401},
	{name: "an address that is no trusted host", device: apiUser(map[string]any{"trusthost": []any{map[string]any{"id": 1, "ipv4-trusthost": "198.51.100.0 255.255.255.0"}}}),
		ask: list, code: fault.Auth, says: causesOf401},
	{name: "a client certificate that is missing", device: apiUser(map[string]any{"peer-auth": "enable"}), ask: monitor("monitor/system/status"), code: fault.Auth, says: causesOf401},
	{name: "a VDOM that is not the token's", device: behaving("7.4.8", nil), ask: object("firewall/address", "srv-web", "edge"), code: fault.PermissionDenied, says: causesOf403},
	{name: "a VDOM that does not exist", device: behaving("7.4.8", nil), ask: object("firewall/address", "srv-web", "none"), code: fault.PermissionDenied, says: causesOf403},
	{name: "a table that the profile hides", device: behaving("7.4.8", nil), ask: list, code: fault.PermissionDenied, says: causesOf403},
	{name: "the same as a page", device: behaving("7.4.8", func(b *fortisim.Behaviour) { b.ForbiddenHTML = true }), ask: list, code: fault.PermissionDenied, says: causesOf403},
	{name: "a monitor call that the profile hides", device: behaving("7.4.8", nil), ask: monitor("monitor/system/time"), code: fault.PermissionDenied, says: causesOf403},
	{name: "an object that is missing", device: plainLab, ask: object("firewall/address", "no-such", "root"), code: fault.NotFound, says: []string{"no such object", "table or endpoint", "release or model", "HTTP 404"}},
	{name: "a table that the release lacks", device: plainLab, ask: object("firewall/policy6", "1", "root"), code: fault.NotFound, says: []string{"table or endpoint", "release or model"}},
	{name: "an endpoint that does not exist", device: plainLab, ask: monitor("monitor/firewall/policy6"), code: fault.NotFound, says: []string{"table or endpoint"}},
	{name: "GET of a backup from 7.6.0", device: behaving("7.6.0", nil), ask: func(t *testing.T, d port.Device) error {
		t.Helper()
		_, err := d.Monitor(t.Context(), port.MonitorQuery{At: at("monitor/system/config/backup"), Params: []wire.Pair{{Name: "scope", Value: "vdom"}}})
		return err
	}, code: fault.DeviceError, says: []string{"method", "HTTP 405"}},
	{name: "a feature that is not set up", device: plainLab, ask: monitor("monitor/log/fortianalyzer"), code: fault.DeviceError, says: append(causesOf424, "HTTP 424")},
	{name: "a parameter that is missing", device: plainLab, ask: monitor("monitor/system/check-port-availability"), code: fault.DeviceError, says: []string{"not valid", "HTTP 424, error -651"}, number: -651},
	{name: "a path that is not understood", device: func(t *testing.T) *lab {
		t.Helper()
		l := newLab(t, nil)
		l.inject(fortisim.Match{}, fortisim.Answer{Status: http.StatusBadRequest, Body: `{"http_method":"GET","status":"error","http_status":400,"vdom":"root"}`})
		return l
	}, ask: object("firewall/address", "a/b", "root"), code: fault.DeviceError, says: []string{"does not understand the path", "HTTP 400"}},
	{name: "a request that is too large", device: func(t *testing.T) *lab {
		t.Helper()
		l := newLab(t, nil)
		l.inject(fortisim.Match{}, fortisim.Answer{Status: http.StatusRequestEntityTooLarge, Body: `{"http_method":"GET","status":"error","http_status":413,"vdom":"root"}`})
		return l
	}, ask: list, code: fault.DeviceError, says: []string{"larger than the device takes", "HTTP 413"}},
}

// Each row of what is known: the code, each likely cause, one request and no second one.
func TestEachRefusalThatIsKnownHasItsCodeAndItsCauses(t *testing.T) {
	for _, row := range wireRows {
		t.Run(row.name, func(t *testing.T) {
			l := row.device(t)
			d := l.open()
			f := wantCode(t, row.ask(t, d), row.code)
			for _, words := range row.says {
				if !strings.Contains(f.Message, words) {
					t.Errorf("%q does not say %q", f.Message, words)
				}
			}
			if got, _ := f.Details["device_error"].(int); got != row.number {
				t.Errorf("error number %d, want %d", got, row.number)
			}
			if n := len(l.sim.Requests()); n != 1 {
				t.Errorf("%d requests were sent", n)
			}
		})
	}
}

// Three failed logins lock the address out, and the right token is refused too: the error
// says that it is a lock-out and not a limit of rate.
func TestFailedLoginsLockTheAddressOutAndTheErrorSaysSo(t *testing.T) {
	l := newLab(t, nil)
	right := l.access.Token
	l.access.Token = token("never-made-token-0123456789")
	for range 3 {
		_, err := l.open().Identity(t.Context())
		wantCode(t, err, fault.Auth)
	}
	l.access.Token = right
	_, err := l.open().Identity(t.Context())
	f := wantCode(t, err, fault.Auth)
	if f.Details["reason"] != "locked_out" || f.Details["http_status"] != http.StatusTooManyRequests || !strings.Contains(f.Message, "not a rate limit") || !strings.Contains(f.Message, "wait") {
		t.Errorf("%s, %v", f.Message, f.Details)
	}
	if n := len(l.sim.Requests()); n != 4 {
		t.Errorf("%d requests were sent", n)
	}
}

// A release that asks for an administrator's password says so with a number.
func TestAChangeThatNeedsAPasswordNamesTheCause(t *testing.T) {
	l := behaving("7.6.5", func(b *fortisim.Behaviour) { b.TokensNeedAdminPassword = true })(t)
	l.access.Token = token("made-up-token-forti")
	x := l.open().Send(t.Context(), must(t)(wire.Create("system/admin", "root", map[string]any{"name": "nurse", "accprofile": "super_admin"})), nil)
	class, _ := exchange.Classify(x, exchange.Target{Serial: "FGVMSIM000000001"})
	if x.Status != 500 || x.ErrorNumber != -8102 || x.Code(class) != fault.PermissionDenied || !strings.Contains(exchange.Explain(x.ErrorNumber), "a person must") {
		t.Errorf("%+v", x)
	}
}

// What a limited profile hides is absent, and nothing stands in its place.
func TestAnAttributeThatTheProfileHidesIsAbsent(t *testing.T) {
	l := behaving("7.4.8", nil)(t)
	ha, err := l.open().Object(t.Context(), port.Location{Resource: "system/ha"}, operation.Key{})
	if err != nil {
		t.Fatal(err)
	}
	if v, has := ha["mode"]; has {
		t.Errorf("mode is %v", v)
	}
}
