package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/request"
)

// badReads are reads that are refused before the device is asked for anything but who it
// is, place by place.
var badReads = []struct {
	name, arguments string
	code            fault.Code
	problems        []string
}{
	{"no resource", `{}`, fault.Usage, []string{"/resource: is required"}},
	{"an unknown argument", `{"resource":"firewall/address","limit":5}`, fault.Usage, []string{"/limit: unknown argument; allowed: profile, vdom, resource, key"}},
	{"a start below zero", `{"resource":"firewall/address","start":-1}`, fault.Usage, []string{"/start: must be at least 0"}},
	{"too many at once", `{"resource":"firewall/address","count":10001}`, fault.Usage, []string{"/count: must be at most 10000"}},
	{"an empty filter", `{"resource":"firewall/address","filter":[""]}`, fault.Usage, []string{"/filter/0: must have at least 1"}},
	{"a filter that is too long", `{"resource":"firewall/address","filter":["name==` + strings.Repeat("x", 256) + `"]}`, fault.Usage, []string{"/filter/0: must have at most 256"}},
	{"a filter without an operator", `{"resource":"firewall/address","filter":["lan"]}`, fault.Usage, []string{"/filter/0: has no operator; use one of == != =@ !@ <= >= < >, as in name=@lan"}},
	{"an alternative without an operator", `{"resource":"firewall/address","filter":["name==lan,wan"]}`, fault.Usage, []string{`/filter/0: "wan" has no operator`}},
	{"a filter on what is unknown", `{"resource":"firewall/address","filter":["nam==lan"]}`, fault.Usage, []string{`/filter/0: did you mean "name"?`}},
	{"a filter on no name", `{"resource":"firewall/address","filter":["==lan"]}`, fault.Usage, []string{`/filter/0: has no attribute ""`}},
	{"a filter on a secret", `{"resource":"vpn.ipsec/phase1-interface","filter":["psksecret=@a"]}`, fault.Usage, []string{`/filter/0: "psksecret" is secret; it cannot be filtered on`}},
	{"a secret among alternatives", `{"resource":"vpn.ipsec/phase1-interface","filter":["name==x,psksecret=@a"]}`, fault.Usage, []string{`/filter/0: "psksecret" is secret`}},
	{"an option that is none", `{"resource":"firewall/address","filter":["type==net"]}`, fault.Usage, []string{`/filter/0: "net" is not a value of type; it takes ipmask|iprange`}},
	{"an option that is nearly one", `{"resource":"firewall/address","filter":["type==IPMask,type!=iprang"]}`, fault.Usage, []string{`/filter/0: did you mean "ipmask"?`}},
	{"an order of options", `{"resource":"firewall/address","filter":["type<fqdn"]}`, fault.Usage, []string{"/filter/0: type has no order (it is of type option); it takes == != =@ !@"}},
	{"an order of rows", `{"resource":"firewall/addrgrp","filter":["member>=a"]}`, fault.Usage, []string{"/filter/0: member has no order (it is of type table)"}},
	{"a word for an integer", `{"resource":"firewall/address","filter":["color==red"]}`, fault.Usage, []string{`/filter/0: "red" is not an integer, as color is`}},
	{"a word for a bound", `{"resource":"firewall/address","filter":["color<"]}`, fault.Usage, []string{`/filter/0: "" is not an integer`}},
	{"a word for a part of an integer", `{"resource":"firewall/address","filter":["color=@x"]}`, fault.Usage, []string{`/filter/0: "x" is no part of an integer`}},
	{"an integer out of range", `{"resource":"firewall/address","filter":["color==33"]}`, fault.Usage, []string{"/filter/0: 33 is not a value of color; it takes 0 to 32"}},
	{"a network that is none", `{"resource":"firewall/address","filter":["subnet==10.0.0.0/33"]}`, fault.Usage, []string{`/filter/0: "10.0.0.0/33" is not a value of subnet; it takes an IPv4 network such as 192.0.2.0/24`}},
	{"an address that is none", `{"resource":"firewall/address","filter":["start-ip==10.0.0.0/8"]}`, fault.Usage, []string{`/filter/0: it takes an IPv4 address such as 192.0.2.1`}},
	{"a nested filter on what is unknown", `{"resource":"firewall/addrgrp","filter":["member.nam==lan"]}`, fault.Usage, []string{`/filter/0: has no attribute "member.nam"; did you mean "member.name"?`}},
	{"an unknown field", `{"resource":"firewall/address","fields":["name","subnett"]}`, fault.Usage, []string{`/fields/1: did you mean "subnet"?`}},
	{"a filter on one row", `{"resource":"firewall/address","key":"lan","filter":["name==lan"],"start":1,"count":5}`, fault.Usage,
		[]string{"/count: belongs to listings", "/filter: belongs to listings", "/start: belongs to listings"}},
	{"parameters for configuration", `{"resource":"firewall/address","params":{"x":1}}`, fault.Usage, []string{"/params: belongs to monitor endpoints"}},
	{"a key for a singleton", `{"resource":"system/global","key":"x"}`, fault.Usage, []string{"/key: it has no key"}},
	{"a key that reaches elsewhere", `{"resource":"firewall/address","key":".."}`, fault.Usage, []string{`/key: the key ".." would address something else`}},
	{"a key of a monitor endpoint", `{"resource":"monitor/system/status","key":"x","fields":["a"],"filter":["a==b"],"start":1,"count":1}`, fault.Usage,
		[]string{"/count: monitor endpoints take params", "/fields: monitor", "/filter: monitor", "/key: monitor", "/start: monitor"}},
	{"an unknown parameter", `{"resource":"monitor/firewall/policy","params":{"id":"1"}}`, fault.Usage, []string{"/params/id: the call takes policyid"}},
	{"a parameter of the wrong type", `{"resource":"monitor/firewall/policy","params":{"policyid":1}}`, fault.Usage, []string{"/params/policyid: must be of type string"}},
	{"a list as a parameter of what is unknown", `{"resource":"monitor/none/such","params":{"a":[1],"b":{"c":1}}}`, fault.Usage, []string{"/params/a: must be a string, an integer or a boolean", "/params/b: must be"}},
	{"all VDOMs at once", `{"resource":"firewall/address","vdom":"*"}`, fault.Usage, []string{"/vdom: must be the name of one VDOM"}},
	{"several VDOMs", `{"resource":"monitor/system/status","vdom":"root,edge"}`, fault.Usage, []string{"/vdom: must be the name of one VDOM"}},
}

func TestEveryProblemOfAReadIsNamedWithItsPlace(t *testing.T) {
	for _, test := range badReads {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			_, err := r.read(test.arguments)
			r.wantProblems(err, test.code, test.problems...)
			if got := r.calls(fake.CallObject, fake.CallList, fake.CallMonitor); len(got) > 0 {
				t.Fatalf("asked: %v", got)
			}
		})
	}
}

// A program that fills the struct by itself is held to the same.
func TestAKeyFromCodeIsCheckedAsWell(t *testing.T) {
	r := newRig(t)
	for _, key := range []operation.Key{fake.Key(".."), fake.Key("a/../b"), fake.Key("\n"), fake.ID(-1)} {
		_, err := r.engine.Read(t.Context(), r.caller, request.Read{Resource: "firewall/address", Key: key})
		_ = r.wantCode(err, fault.Usage)
		_, err = r.engine.Plan(t.Context(), r.caller, request.Plan{Operations: []request.Operation{{Op: "delete", Resource: "firewall/address", Key: key}}})
		_ = r.wantCode(err, fault.Usage)
	}
	if got := r.calls(fake.CallObject, fake.CallList); len(got) > 0 {
		t.Fatalf("asked: %v", got)
	}
}

func TestAReadOfWhatIsNotThereSaysSo(t *testing.T) {
	r := newRig(t)
	_, err := r.read(`{"resource":"firewall/adress"}`)
	if f := r.wantCode(err, fault.NotFound); f.Details["nearest"] == nil || len(r.world.Device.Requests()) > 0 {
		t.Errorf("%v", f)
	}
	_, err = r.read(`{"resource":"firewall/address","key":"no\u001b[2Jne"}`)
	_ = r.wantCode(err, fault.Usage)
	_, err = r.read(`{"resource":"firewall/address","key":"none"}`)
	if f := r.wantCode(err, fault.NotFound); !strings.Contains(f.Message, `firewall/address none in VDOM "root"`) {
		t.Errorf("%v", f)
	}
	_, err = r.read(`{"resource":"firewall/address","profile":"hoem"}`)
	if f := r.wantCode(err, fault.NotFound); !strings.Contains(f.Message, "the profiles are demo") {
		t.Errorf("%v", f)
	}
}

// "data is the device's JSON as FortiOS sent it: an object for key and singletons, an
// array for listings. meta has resource, profile, device (serial, version, build), vdom."
func TestDataIsWhatTheDeviceSent(t *testing.T) {
	r := newRig(t)
	one := r.mustRead(`{"resource":"firewall/policy","key":1}`)
	if got := objectOf(one); got["name"] != "out" || got["q_origin_key"] != int64(1) {
		t.Errorf("%s", show(got))
	}
	same := r.mustRead(`{"resource":"firewall/policy","key":"1"}`)
	if show(same.Data) != show(one.Data) {
		t.Error("a key in digits is another row")
	}
	single := r.mustRead(`{"resource":"system/global","fields":["hostname","cfg-save"]}`)
	if show(single.Data) != show(object{"hostname": "", "cfg-save": "automatic"}) {
		t.Errorf("%s", show(single.Data))
	}
	list := r.mustRead(`{"resource":"firewall/address","fields":["name"]}`)
	if show(list.Data) != show([]object{{"name": "all"}, {"name": "lan"}}) {
		t.Errorf("%s", show(list.Data))
	}
	m := list.Meta
	if m.Resource != "firewall/address" || m.Profile != "demo" || m.VDOM != "root" || m.Device.Serial != "FGT60FTK20000001" || m.Device.Version != "v7.4.8" || m.Device.Build != 2795 {
		t.Errorf("%s", show(m))
	}
	status := r.mustRead(`{"resource":"monitor/system/status"}`)
	if objectOf(status)["hostname"] != "fgt-demo" || len(status.Meta.Notes) > 0 {
		t.Errorf("%s", show(status))
	}
}

// "list items are ANDed, a comma inside one item ORs."
func TestFiltersNarrow(t *testing.T) {
	r := newRig(t, row("firewall/address", map[string]any{"name": "lan2", "type": "fqdn", "fqdn": "a.example", "color": 7}))
	tests := []struct{ filter, want string }{
		{`"name==lan"`, "lan"},
		{`"name=@lan"`, "lan lan2"},
		{`"name!@lan"`, "all"},
		{`"name!=lan"`, "all lan2"},
		{`"name==lan,name==all"`, "all lan"},
		{`"name=@lan","type==ipmask"`, "lan"},
		{`"color>=7"`, "lan2"},
		{`"color<7","color<=0"`, "all lan"},
		{`"color>6"`, "lan2"},
		{`"type!=ipmask"`, "lan2"},
		{`"fqdn==a.example"`, "lan2"},
		{`"color == 7"`, "lan2"},
		{`"color=@7"`, "lan2"},
		{`"color<=99"`, "all lan lan2"},
	}
	for _, test := range tests {
		var names []string
		found := r.mustRead(`{"resource":"firewall/address","fields":["name"],"filter":[` + test.filter + `]}`)
		for _, row := range rows(found) {
			names = append(names, row.(object)["name"].(string))
		}
		if strings.Join(names, " ") != test.want {
			t.Errorf("%s gives %v, want %s", test.filter, names, test.want)
		}
	}
}

// Listings say where to continue, and continuing gives every row once, to the end.
func TestPagesLeadToTheEnd(t *testing.T) {
	for _, version := range []string{"v7.4.8", "v6.4.9"} { // the older one does not count
		t.Run(version, func(t *testing.T) {
			r := newRig(t, rowsOf(23), func(o *fake.WorldOptions) { o.Device.Version = version })
			var names []string
			for start, pages := 0, 1; ; pages++ {
				found := r.mustRead(fmt.Sprintf(`{"resource":"firewall/address","start":%d,"count":10,"fields":["name"]}`, start))
				for _, row := range rows(found) {
					names = append(names, row.(object)["name"].(string))
				}
				m := found.Meta
				if (m.Total != nil) != (version == "v7.4.8") || m.Total != nil && *m.Total != 25 || *m.Start != start {
					t.Fatalf("%s", show(m))
				}
				if m.NextStart == nil {
					if pages != 3 || m.Truncated != "" {
						t.Fatalf("%d pages: %s", pages, show(m))
					}
					break
				}
				if m.Truncated != "count" || *m.Returned != 10 || *m.NextStart != start+10 {
					t.Fatalf("%s", show(m))
				}
				start = *m.NextStart
			}
			if len(names) != 25 || strings.Join(names, " ") != strings.Join(keysOf(r), " ") {
				t.Fatalf("%v", names)
			}
		})
	}
	t.Run("a page that ends with the table", func(t *testing.T) {
		r := newRig(t)
		if m := r.mustRead(`{"resource":"firewall/address","count":2}`).Meta; m.NextStart != nil || m.Truncated != "" {
			t.Fatalf("%s", show(m))
		}
	})
	t.Run("beyond the end", func(t *testing.T) {
		r := newRig(t)
		if found := r.mustRead(`{"resource":"firewall/address","start":99}`); show(found.Data) != "[]" || found.Meta.NextStart != nil {
			t.Fatalf("%s", show(found))
		}
	})
}

// rowsOf adds n addresses.
func rowsOf(n int) setting {
	return func(o *fake.WorldOptions) {
		for i := range n {
			row("firewall/address", map[string]any{"name": fmt.Sprintf("row%04d", i), "comment": strings.Repeat("x", 100)})(o)
		}
	}
}

func keysOf(r *rig) []string {
	var list []string
	for _, k := range r.world.Device.Keys(fake.At("firewall/address")) {
		list = append(list, k.String())
	}
	return list
}

// A listing that breaks off in the middle is an error, not a short list.
func TestAListingThatBreaksOffIsAnError(t *testing.T) {
	r := newRig(t, rowsOf(10))
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallList}, Fault: fake.Truncated(true)})
	_, err := r.read(`{"resource":"firewall/address"}`)
	_ = r.wantCode(err, fault.DeviceUnreachable)
}

// Field cases 8, 9, 17, 26: what the device refuses or what is no API has its code, its
// cause, and no markup.
func TestReadsThatFail(t *testing.T) {
	tests := []struct {
		name  string
		fault fake.Fault
		code  fault.Code
	}{
		{"the device is down", fake.Refused(), fault.DeviceUnreachable},
		{"another certificate", fake.BadCertificate(), fault.TLS},
		{"the wrong token", fake.HTML(401, false), fault.Auth},
		{"not this resource", fake.HTML(403, false), fault.PermissionDenied},
		{"locked out", fake.HTML(429, false), fault.Auth},
		{"a login page", fake.HTML(200, false), fault.NotFortiOS},
		{"a redirect", fake.Redirected(false), fault.NotFortiOS},
		{"no status in the answer", both(fake.Reply(200, exchange.BodyObject, false), func(e *exchange.Exchange) { e.APIStatus = "" }), fault.NotFortiOS},
		{"500", fake.CLIError(-1, false), fault.DeviceError},
		{"no answer", fake.HeaderTimeout(false), fault.DeviceUnreachable},
	}
	for _, test := range tests {
		for _, arguments := range []string{`{"resource":"firewall/address"}`, `{"resource":"firewall/address","key":"lan"}`, `{"resource":"monitor/system/status"}`} {
			r := newRig(t)
			r.world.Device.Fail(fake.Rule{Fault: test.fault})
			_, err := r.read(arguments)
			f := r.wantCode(err, test.code)
			if strings.ContainsAny(f.Message, "<>") {
				t.Errorf("%s: %s", test.name, f.Message)
			}
			if n := len(r.world.Device.Requests()); n != 1 {
				t.Errorf("%s: %d requests", test.name, n)
			}
		}
	}
}

// Field case 21: a VDOM that does not exist is an error that lists the valid ones.
func TestAnUnknownVDOMIsAnErrorThatListsTheValidOnes(t *testing.T) {
	r := newRig(t, twoVDOMs)
	for _, ask := range []func() error{
		func() error { _, err := r.read(`{"resource":"firewall/address","vdom":"egde"}`); return err },
		func() error {
			_, err := r.read(`{"resource":"firewall/address","key":"lan","vdom":"egde"}`)
			return err
		},
		func() error { _, err := r.read(`{"resource":"monitor/system/status","vdom":"egde"}`); return err },
		func() error { _, err := r.planWith(`{"vdom":"egde","operations":[` + address("a") + `]}`); return err },
	} {
		f := r.wantCode(ask(), fault.NotFound)
		if !strings.Contains(f.Message, `"egde"`) || !strings.Contains(f.Message, "root, edge") {
			t.Errorf("%v", f)
		}
	}
	t.Run("one that the token may not use", func(t *testing.T) {
		r := newRig(t, twoVDOMs)
		r.world.Device.Fail(fake.Rule{Match: fake.Match{Resource: "firewall/address"}, Fault: fake.HTML(403, false)})
		_, err := r.read(`{"resource":"firewall/address","vdom":"edge"}`)
		_ = r.wantCode(err, fault.PermissionDenied)
	})
	t.Run("where the list may not be seen", func(t *testing.T) {
		r := newRig(t)
		_, err := r.read(`{"resource":"firewall/address","vdom":"egde"}`)
		_ = r.wantCode(err, fault.PermissionDenied)
	})
}

// A path that the device could take for a refused one does not get around the refusal.
func TestAnOddPathGetsNowhere(t *testing.T) {
	for _, path := range []string{
		"monitor/system/file/", "monitor//system/file", "monitor/./system/file", "monitor/x/../system/file", "monitor/system/%66ile", "monitor/system/file?x=y",
		"monitor/system/file#", "monitor/system/FILE", "monitor/System/api-user", "monitor/../cmdb/system/admin", "monitor/..", "monitor/system/file;a", "monitor/system\\\\file", "monitor/",
	} {
		r := newRig(t, refusable)
		_, err := r.read(`{"resource":"` + path + `"}`)
		if fault.CodeOf(err) != fault.Usage || len(r.world.Device.Requests()) > 0 {
			t.Errorf("%s: %v, %d requests", path, err, len(r.world.Device.Requests()))
		}
	}
}

// Neither another name of an endpoint nor what lies below it gets around its refusal.
func TestAnotherNameOfARefusedEndpointIsRefused(t *testing.T) {
	for _, path := range []string{"monitor/system/file/select", "monitor/system/file/select/select", "monitor/system/file/download", "monitor/system/api-user/some/thing"} {
		r := newRig(t, refusable)
		_, err := r.read(`{"resource":"` + path + `"}`)
		if fault.CodeOf(err) != fault.PolicyDenied || len(r.world.Device.Requests()) > 0 {
			t.Errorf("%s: %v, %d requests", path, err, len(r.world.Device.Requests()))
		}
	}
	r := newRig(t)
	if found := r.mustRead(`{"resource":"monitor/system/status/select"}`); objectOf(found)["hostname"] != "fgt-demo" {
		t.Errorf("%s", show(found))
	}
}

// Monitor endpoints outside the catalog are read untyped; secrets go by name and form.
func TestAnEndpointThatTheCatalogLacksIsReadUntyped(t *testing.T) {
	r := newRig(t)
	open := untyped{r.world.Device, map[string]any{
		"user": "admin", "api_key": "0123456789", "note": "ENC abcdefghijkl0123456789==", "list": []any{map[string]any{"password": "x", "name": "n"}},
	}}
	r.start(func(p *engine.Ports) { p.Devices = open })
	found := r.mustRead(`{"resource":"monitor/vendor/thing","params":{"a":"b","n":7,"yes":true}}`)
	want := object{"user": "admin", "api_key": "<redacted>", "note": "<redacted>", "list": []any{object{"password": "<redacted>", "name": "n"}}}
	if show(found.Data) != show(want) {
		t.Errorf("%s", show(found.Data))
	}
	if show(found.Meta.Redacted) != show([]string{"/api_key", "/list/*/password", "/note"}) {
		t.Errorf("%v", found.Meta.Redacted)
	}
	r.wantNote(found.Meta.Notes, "read untyped")
}

// Secrets of configuration are masked and named, whatever they look like.
func TestSecretsAreMaskedAndNamed(t *testing.T) {
	r := newRig(t, row("vpn.ipsec/phase1-interface", map[string]any{"name": "hq", "interface": "port2", "psksecret": password}),
		row("vpn.ipsec/phase1-interface", map[string]any{"name": "branch", "interface": "port2", "psksecret": password}))
	one := r.mustRead(`{"resource":"vpn.ipsec/phase1-interface","key":"hq"}`)
	if objectOf(one)["psksecret"] != "<redacted>" || show(one.Meta.Redacted) != show([]string{"/psksecret"}) {
		t.Errorf("%s", show(one))
	}
	list := r.mustRead(`{"resource":"vpn.ipsec/phase1-interface"}`)
	if rows(list)[1].(object)["psksecret"] != "<redacted>" || show(list.Meta.Redacted) != show([]string{"/*/psksecret"}) {
		t.Errorf("%s", show(list))
	}
}
