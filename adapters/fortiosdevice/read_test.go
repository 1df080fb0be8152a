package fortiosdevice_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestIdentityIsWhoAnswered(t *testing.T) {
	l := newLab(t, nil)
	id, err := l.open().Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if id.Remote != l.server.Addr || !strings.HasPrefix(id.Local, "127.0.0.1:") {
		t.Errorf("the addresses are %q and %q", id.Local, id.Remote)
	}
	id.Local, id.Remote = "", ""
	want := port.Identity{Serial: "FGVMSIM000000001", Hostname: "fortisim", Model: "FGVMK6", Version: "v7.4.8", Build: 2795, VDOM: "root"}
	if diff := cmp.Diff(want, id); diff != "" {
		t.Error(diff)
	}
	if got := l.last(); got.Path != "/api/v2/monitor/system/status" || got.Query != "vdom=root" {
		t.Errorf("it asked for %s?%s", got.Path, got.Query)
	}
}

func TestIdentityOfAReleaseThatTellsOnlyItsSerial(t *testing.T) {
	l := newLab(t, &fortisim.Options{Version: release(t, "6.2.3")})
	id, err := l.open().Identity(t.Context())
	if err != nil || id.Serial != "FGVMSIM000000001" || id.Version != "v6.2.3" {
		t.Errorf("got %+v, %v", id, err)
	}
}

func TestIdentityGoesToTheVDOMOfTheProfile(t *testing.T) {
	l := newLab(t, &fortisim.Options{
		VDOMs:  []string{"root", "edge"},
		Admins: []fortisim.Admin{{Name: "limited", Token: "only-edge-token-0123456789ab", VDOMs: []string{"edge"}}},
	})
	l.profile.VDOM, l.access.Token = "edge", token("only-edge-token-0123456789ab")
	if id, err := l.open().Identity(t.Context()); err != nil || id.VDOM != "edge" {
		t.Errorf("got %+v, %v", id, err)
	}
	l.profile.VDOM = "root"
	_, err := l.open().Identity(t.Context())
	f := wantCode(t, err, fault.PermissionDenied)
	for _, cause := range []string{"trusted hosts", "admin profile", "VDOM"} {
		if !strings.Contains(f.Message, cause) {
			t.Errorf("the message does not name %q as a cause: %s", cause, f.Message)
		}
	}
	if f.Details["http_status"] != http.StatusForbidden {
		t.Errorf("details are %v", f.Details)
	}
}

func TestAnAnswerWithoutASerialIsNoFortiGate(t *testing.T) {
	l := newLab(t, nil)
	for name, body := range map[string]string{
		"none":       `{"http_method":"GET","status":"success","vdom":"root","results":{}}`,
		"impossible": `{"http_method":"GET","status":"success","vdom":"root","results":{},"serial":"../../etc"}`,
	} {
		t.Run(name, func(t *testing.T) {
			l.inject(fortisim.Match{Path: "monitor/system/status"}, fortisim.Answer{Status: 200, Body: body})
			_, err := l.open().Identity(t.Context())
			wantCode(t, err, fault.NotFortiOS)
		})
	}
}

func TestAnAnswerOfAnotherVDOMIsAnErrorAndNotData(t *testing.T) {
	l := newLab(t, &fortisim.Options{VDOMs: []string{"root", "edge"}})
	const envelope = `{"http_method":"GET","status":"success","vdom":"root","serial":"FGVMSIM000000001","results":[{"name":"x"}]}`
	l.inject(fortisim.Match{}, fortisim.Answer{Status: 200, Body: envelope})
	l.profile.VDOM = "edge"
	device := l.open()
	edge := port.Location{Resource: "firewall/address", VDOM: "edge"}
	_, err := device.Identity(t.Context())
	wantCode(t, err, fault.DeviceError)
	_, err = device.Object(t.Context(), edge, key("x"))
	wantCode(t, err, fault.DeviceError)
	_, err = device.List(t.Context(), port.ListQuery{At: edge}, func(map[string]any) bool { return true })
	wantCode(t, err, fault.DeviceError)
	_, err = device.Monitor(t.Context(), port.MonitorQuery{At: port.Location{Resource: "monitor/system/time", VDOM: "edge"}})
	wantCode(t, err, fault.DeviceError)
}

func TestAGlobalResourceMayAnswerFromAnyVDOM(t *testing.T) {
	l := newLab(t, &fortisim.Options{VDOMs: []string{"root", "edge"}})
	l.profile.VDOM = "edge"
	global, err := l.open().Object(t.Context(), port.Location{Resource: "system/global"}, operation.Key{})
	if err != nil || global["hostname"] != "fortisim" {
		t.Errorf("got %v, %v", global["hostname"], err)
	}
	if got := l.last().Query; got != "vdom=edge" {
		t.Errorf("the profile's VDOM did not go along: %q", got)
	}
}

func TestObjectIsTheRowAsCanonicalValues(t *testing.T) {
	l := newLab(t, nil)
	device := l.open()
	row, err := device.Object(t.Context(), at("firewall/address"), key("srv-web"))
	if err != nil {
		t.Fatal(err)
	}
	if row["name"] != "srv-web" || row["subnet"] != "198.51.100.10 255.255.255.255" || row["color"] != int64(0) {
		t.Errorf("got %v", row)
	}
	if _, err := canon.Encode(row); err != nil {
		t.Errorf("the row is not canonical: %v", err)
	}
	policy, err := device.Object(t.Context(), at("firewall/policy"), operation.IntegerKey(2))
	if err != nil || policy["policyid"] != int64(2) {
		t.Errorf("got %v, %v", policy["policyid"], err)
	}
}

func TestObjectKeysReachNothingElse(t *testing.T) {
	l := newLab(t, nil)
	device := l.open()
	for _, name := range []string{"a/b", "x?vdom=edge", "100%", "..%2f", "ä", "a b"} {
		_, err := device.Object(t.Context(), at("firewall/address"), key(name))
		wantCode(t, err, fault.NotFound)
		segments, err := wire.Segments(l.last().Path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"cmdb", "firewall", "address", name}, segments); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	}
}

func TestAnAbsentObjectIsNotFound(t *testing.T) {
	l := newLab(t, nil)
	_, err := l.open().Object(t.Context(), at("firewall/address"), key("nobody"))
	f := wantCode(t, err, fault.NotFound)
	if !strings.Contains(f.Message, "firewall/address nobody") {
		t.Errorf("the message does not name the object: %s", f.Message)
	}
	t.Run("an empty list as well", func(t *testing.T) {
		l.inject(fortisim.Match{Path: "cmdb/firewall/address"}, fortisim.Answer{
			Status: 200, Body: `{"http_method":"GET","status":"success","vdom":"root","serial":"FGVMSIM000000001","results":[]}`,
		})
		_, err := l.open().Object(t.Context(), at("firewall/address"), key("nobody"))
		wantCode(t, err, fault.NotFound)
	})
}

func TestSecretsComeBackAsTheDeviceGivesThem(t *testing.T) {
	l := newLab(t, nil)
	row, err := l.open().Object(t.Context(), at("vpn.ipsec/phase1-interface"), key("to-hq"))
	if psk, _ := row["psksecret"].(string); err != nil || !strings.HasPrefix(psk, "ENC ") {
		t.Errorf("psksecret is %q, %v", row["psksecret"], err)
	}
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	l := newLab(t, nil)
	l.inject(fortisim.Match{Path: "monitor/system/resource/usage"}, fortisim.Answer{Status: 200, Body: `{"http_method":"GET",
		"results":{"load":0.10,"bytes":9007199254740993,"n":7},"vdom":"root","status":"success","serial":"FGVMSIM000000001"}`})
	got, err := l.open().Monitor(t.Context(), port.MonitorQuery{At: at("monitor/system/resource/usage")})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"load": canon.Number("0.10"), "bytes": canon.Number("9007199254740993"), "n": int64(7)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestListStreamsInTheDevicesOrderWithCounts(t *testing.T) {
	l := newLab(t, nil)
	var ids []any
	info, err := l.open().List(t.Context(), port.ListQuery{At: at("firewall/policy"), Fields: []string{"policyid"}}, func(row map[string]any) bool {
		ids = append(ids, row["policyid"])
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{int64(1), int64(2), int64(3), int64(4), int64(5), int64(99)}, ids); diff != "" {
		t.Error(diff)
	}
	if info != (port.ListInfo{Total: 6, Matched: 6}) {
		t.Errorf("got %+v", info)
	}
}

func TestListDoesNotCountWhereTheReleaseDoesNot(t *testing.T) {
	l := newLab(t, &fortisim.Options{Version: release(t, "6.2.3")})
	info, err := l.open().List(t.Context(), port.ListQuery{At: at("firewall/policy")}, func(map[string]any) bool { return true })
	if err != nil || info != (port.ListInfo{Total: -1, Matched: -1}) {
		t.Errorf("got %+v, %v", info, err)
	}
}

func TestFilterClausesAreAndedAndAlternativesOred(t *testing.T) {
	l := newLab(t, nil)
	var names []any
	info, err := l.open().List(t.Context(), port.ListQuery{At: at("firewall/address"), Filter: []port.Clause{
		{{Attribute: "name", Operator: "=@", Value: "srv"}, {Attribute: "name", Operator: "==", Value: "net-lan"}},
		{{Attribute: "comment", Operator: "!=", Value: "web server"}},
	}}, func(row map[string]any) bool {
		names = append(names, row["name"])
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{"net-lan", "srv-mail", "srv-files"}, names); diff != "" {
		t.Error(diff)
	}
	if info.Matched != 3 || info.Total <= 3 {
		t.Errorf("got %+v", info)
	}
}

// Dots separate nested names on the wire, and one within a name is escaped.
func TestAFilterReachesNestedNamesAndNamesWithADot(t *testing.T) {
	l := newLab(t, nil)
	for name, object := range map[string]map[string]any{
		"a": {"802.1-tlvs": "port-vlan-id", "med-network-policy": []any{map[string]any{"name": "voice"}}},
		"b": {"802.1-tlvs": "", "med-network-policy": []any{map[string]any{"name": "video"}}},
	} {
		if err := l.sim.Put("root", "switch-controller/lldp-profile", name, object); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []port.Condition{
		{Attribute: "802.1-tlvs", Operator: "==", Value: "port-vlan-id"},
		{Attribute: "med-network-policy/name", Operator: "==", Value: "voice"},
	} {
		var names []any
		query := port.ListQuery{At: at("switch-controller/lldp-profile"), Filter: []port.Clause{{c}}}
		if _, err := l.open().List(t.Context(), query, func(row map[string]any) bool {
			names = append(names, row["name"])
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]any{"a"}, names); diff != "" {
			t.Errorf("%s: %s", c.Attribute, diff)
		}
	}
}

func TestAFilterThatCannotBeExpressedIsTheCallersToCorrect(t *testing.T) {
	l := newLab(t, nil)
	query := port.ListQuery{At: at("firewall/address"), Filter: []port.Clause{{{Attribute: "name", Operator: "==", Value: "a,b"}}}}
	_, err := l.open().List(t.Context(), query, func(map[string]any) bool { return true })
	wantCode(t, err, fault.Usage)
	if n := len(l.sim.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestListEndsWhereTheReaderSaysSo(t *testing.T) {
	l := newLab(t, nil)
	device := l.open()
	rows := 0
	if _, err := device.List(t.Context(), port.ListQuery{At: at("firewall/address")}, func(map[string]any) bool {
		rows++
		return rows < 2
	}); err != nil || rows != 2 {
		t.Errorf("%d rows, %v", rows, err)
	}
	if _, err := device.Identity(t.Context()); err != nil {
		t.Errorf("the next read fails: %v", err)
	}
}

func TestADeviceThatIgnoresCountIsCutOff(t *testing.T) {
	l := newLab(t, nil)
	l.inject(fortisim.Match{Path: "cmdb/firewall/address"}, fortisim.Answer{Status: 200,
		Body: `{"http_method":"GET","status":"success","vdom":"root","results":[{"name":"a"},{"name":"b"},{"name":"c"}]}`})
	rows := 0
	_, err := l.open().List(t.Context(), port.ListQuery{At: at("firewall/address"), Count: 2}, func(map[string]any) bool {
		rows++
		return true
	})
	if err != nil || rows != 2 {
		t.Errorf("%d rows, %v", rows, err)
	}
	if got := l.last().Query; got != "vdom=root&count=2" {
		t.Errorf("it asked %q", got)
	}
}

func TestListMemoryIsFlatInTheSizeOfTheTable(t *testing.T) {
	const rows = 40_000 // 24 MB of JSON
	l := bareLab(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"http_method":"GET","results":[`)
		for i := range rows {
			_, _ = fmt.Fprintf(w, `%s{"name":"host-%d","comment":"%s"}`, strings.Repeat(",", min(i, 1)), i, strings.Repeat("x", 570))
		}
		_, _ = io.WriteString(w, `],"vdom":"root","status":"success","serial":"FGVMSIM000000001","size":40000,"matched_count":40000}`)
	})
	device := l.open()
	var least, most uint64 = math.MaxUint64, 0
	got := 0
	info, err := device.List(t.Context(), port.ListQuery{At: at("firewall/address")}, func(map[string]any) bool {
		if got++; got%4000 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			least, most = min(least, m.HeapAlloc), max(most, m.HeapAlloc)
		}
		return true
	})
	if err != nil || got != rows || info.Total != rows {
		t.Fatalf("%d rows of %d, %v", got, info.Total, err)
	}
	if most > least+(4<<20) {
		t.Errorf("the heap grew from %d to %d KiB while listing", least>>10, most>>10)
	}
}

func TestMonitorParametersGoAlong(t *testing.T) {
	l := newLab(t, nil)
	got, err := l.open().Monitor(t.Context(), port.MonitorQuery{At: at("monitor/system/object/usage"), Params: []wire.Pair{
		{Name: "q_path", Value: "firewall"}, {Name: "q_name", Value: "address"}, {Name: "mkey", Value: "net-lan"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "vdom=root&q_path=firewall&q_name=address&mkey=net-lan"; l.last().Query != want {
		t.Errorf("it asked %q", l.last().Query)
	}
	if _, ok := got.(map[string]any)["currently_using"]; !ok {
		t.Errorf("got %v", got)
	}
}

func TestSchemaIsTheDevicesOwn(t *testing.T) {
	l := newLab(t, nil)
	node, err := l.open().Schema(t.Context(), at("firewall/address"))
	if err != nil || node["name"] != "address" || node["mkey"] != "name" {
		t.Errorf("got name %v, mkey %v, %v", node["name"], node["mkey"], err)
	}
}

func TestCancelledReadsEnd(t *testing.T) {
	l := newLab(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	hold := fortisim.NewHold(false)
	l.inject(fortisim.Match{}, hold)
	go func() { <-hold.Held(); cancel() }()
	_, err := l.open().Identity(ctx)
	wantCode(t, err, fault.DeviceUnreachable)
	hold.Release()
}

// Between two requests a cluster may fail over: what another unit has says nothing of
// the one that was asked first.
func TestAnAnswerOfAnotherUnitIsNotTakenForTheFirstOnes(t *testing.T) {
	l := newLab(t, nil)
	d := l.open()
	if _, err := d.Identity(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.sim.SetSerial("FGVMSIM000000009")
	address := port.Location{Resource: "firewall/address", VDOM: "root"}
	for name, read := range map[string]func() error{
		"object":  func() error { _, err := d.Object(t.Context(), address, operation.TextKey("srv-web")); return err },
		"absence": func() error { _, err := d.Object(t.Context(), address, operation.TextKey("none")); return err },
		"monitor": func() error {
			_, err := d.Monitor(t.Context(), port.MonitorQuery{At: port.Location{Resource: "monitor/system/interface", VDOM: "root"}})
			return err
		},
		"list": func() error {
			_, err := d.List(t.Context(), port.ListQuery{At: address}, func(map[string]any) bool { return true })
			return err
		},
	} {
		if err := read(); fault.CodeOf(err) != fault.StalePlan || !strings.Contains(err.Error(), "FGVMSIM000000009") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := l.open().Object(t.Context(), address, operation.TextKey("srv-web")); err != nil {
		t.Errorf("anew: %v", err)
	}
}
