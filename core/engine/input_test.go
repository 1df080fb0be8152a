package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

const (
	createAddress = `{"op":"create","resource":"firewall/address","object":%s}`
	updateLAN     = `{"op":"update","resource":"firewall/address","key":"lan",%s}`
	updateServers = `{"op":"update","resource":"firewall/addrgrp","key":"servers",%s}`
	policyOn      = `{"op":"create","resource":"firewall/policy","object":{"name":"p","srcintf":[{"name":"port1"}],"dstintf":[{"name":"port2"}],` +
		`"srcaddr":[{"name":"lan"}],"dstaddr":[{"name":"all"}],"schedule":"always","service":[{"name":"ALL"}]%s}}`
	tunnel = `{"op":"create","resource":"vpn.ipsec/phase1-interface","object":{"name":"hq","interface":"port2","psksecret":%s}}`
)

// TestEveryProblemOfAPlanIsNamedWithItsPlace: each case is one list of operations and
// what is said of it, place by place.
func TestEveryProblemOfAPlanIsNamedWithItsPlace(t *testing.T) {
	op := func(format string, args ...any) string { return fmt.Sprintf(format, args...) }
	tests := []struct {
		name       string
		operations string
		code       fault.Code
		problems   []string
	}{
		// The words of the request.
		{"an unknown argument, with the permitted ones", `{"op":"delete","resource":"firewall/address","key":"lan","forse":true}`, fault.Usage,
			[]string{"/operations/0/forse: unknown argument; allowed: op, resource, key"}},
		{"no such op", `{"op":"purge","resource":"firewall/address"}`, fault.Usage,
			[]string{`/operations/0/op: must be one of "create", "update", "delete", "action"`}},
		{"a create without its object", `{"op":"create","resource":"firewall/address"}`, fault.Usage,
			[]string{`/operations/0/object: is required for "create"`}},
		{"a delete without a key", `{"op":"delete","resource":"firewall/address"}`, fault.Usage,
			[]string{`/operations/0/key: is required for "delete"`}},
		{"an attribute named twice", op(updateLAN, `"set":{"comment":"x"},"clear":["comment"]`), fault.Usage,
			[]string{"/operations/0/clear/0: is also named by set"}},
		{"an update of nothing", `{"op":"update","resource":"firewall/address","key":"lan"}`, fault.Usage,
			[]string{"/operations/0: needs at least one of set, clear, add, remove, position"}},
		{"a key that reaches the table's parent", `{"op":"delete","resource":"firewall/address","key":".."}`, fault.Usage,
			[]string{`/operations/0/key: the key ".." would address something else`}},
		{"a number that cannot be kept exactly", op(updateLAN, `"set":{"color":1.5}`), fault.Usage,
			[]string{"/operations/0/set/color: is a fraction"}},

		// The resource.
		{"an unknown resource, with the nearest", `{"op":"delete","resource":"firewall/addres","key":"lan"}`, fault.NotFound,
			[]string{"/operations/0/resource: firewall/address"}},
		{"create on a singleton", `{"op":"create","resource":"system/global","object":{"hostname":"x"}}`, fault.Usage,
			[]string{"/operations/0/resource: system/global is a singleton"}},
		{"an update of a table without a key", `{"op":"update","resource":"firewall/address","set":{"comment":"x"}}`, fault.Usage,
			[]string{`/operations/0/key: firewall/address is a table: key is required for "update"`}},
		{"a key for a singleton", `{"op":"update","resource":"system/global","key":"x","set":{"hostname":"x"}}`, fault.Usage,
			[]string{"/operations/0/key: it has no key"}},
		{"an action on a table", `{"op":"action","resource":"firewall/address"}`, fault.Usage,
			[]string{"/operations/0/resource: is not a monitor endpoint"}},
		{"an update of a monitor endpoint", `{"op":"update","resource":"monitor/firewall/policy","set":{"x":"y"}}`, fault.Usage,
			[]string{`/operations/0/resource: is a monitor endpoint; use op "action"`}},
		{"an endpoint that is only read", `{"op":"action","resource":"monitor/system/status"}`, fault.Usage,
			[]string{"/operations/0/resource: read it with forti_read"}},
		{"an endpoint whose actions have names", `{"op":"action","resource":"monitor/firewall/policy"}`, fault.Usage,
			[]string{"/operations/0/resource: monitor/firewall/policy/clear_counters"}},
		{"a resource that cannot be written", `{"op":"update","resource":"system/shown","set":{"a":"b"}}`, fault.Usage,
			[]string{"/operations/0/resource: system/shown is read-only"}},

		// Attributes and their values.
		{"an unknown attribute, with the nearest", op(createAddress, `{"name":"a","subnett":"192.0.2.1/32"}`), fault.Usage,
			[]string{`/operations/0/object/subnett: did you mean "subnet"?`}},
		{"an unknown attribute of a row", op(updateServers, `"set":{"member":[{"nam":"lan"}]}`), fault.Usage,
			[]string{`/operations/0/set/member/0: the key "name" is missing`, `/operations/0/set/member/0/nam: did you mean "name"?`}},
		{"a text where a number belongs", op(updateLAN, `"set":{"color":"red"}`), fault.Usage,
			[]string{"/operations/0/set/color: must be an integer"}},
		{"a number out of range", op(updateLAN, `"set":{"color":33}`), fault.Usage,
			[]string{"/operations/0/set/color: must be from 0 to 32"}},
		{"a text that is too long", op(createAddress, `{"name":"`+strings.Repeat("x", 80)+`"}`), fault.Usage,
			[]string{"/operations/0/object/name: is 80 bytes long, at most 79"}},
		{"an option that is not in the list, with the list", op(createAddress, `{"name":"a","type":"ipnet"}`), fault.Usage,
			[]string{`/operations/0/object/type: "ipnet" is not one of "ipmask", "iprange", "fqdn"`}},
		{"an option as a number", op(policyOn, `,"action":"1"`), fault.Usage,
			[]string{`/operations/0/object/action: "1" is not one of "deny", "accept", "ipsec"`}},
		{"a word that is not in the list", `{"op":"update","resource":"system/interface","key":"port1","set":{"allowaccess":"ping gopher"}}`, fault.Usage,
			[]string{`/operations/0/set/allowaccess: "gopher" is not one of`}},
		{"members in one text", op(updateServers, `"set":{"member":"A B"}`), fault.Usage,
			[]string{`/operations/0/set/member: must be a list; "A B" could be one name or several: write [{"name": …}] for each`}},
		{"an address that is none", op(createAddress, `{"name":"a","subnet":"192.0.2.300/32"}`), fault.Usage,
			[]string{"/operations/0/object/subnet: an IPv4 network such as 192.0.2.0/24"}},
		{"null", op(updateLAN, `"set":{"comment":null}`), fault.Usage,
			[]string{"/operations/0/set/comment: to return an attribute to its default use clear"}},
		{"an attribute that the device alone writes", op(updateLAN, `"set":{"shown":"x"}`), fault.Usage,
			[]string{"/operations/0/set/shown: is read-only on the device"}},
		{"clearing what the device alone writes", op(updateLAN, `"clear":["shown"]`), fault.Usage,
			[]string{"/operations/0/clear/0: shown is read-only on the device"}},
		{"an attribute of a later release", op(updateLAN, `"set":{"modern":"x"}`), fault.Usage,
			[]string{`/operations/0/set/modern: exists in releases 7.6.0 and later, this device runs v7.4.8`}},

		// Keys.
		{"a create without its key", op(createAddress, `{"subnet":"192.0.2.1/32"}`), fault.Usage,
			[]string{`/operations/0/object/name: the key attribute "name" is required`}},
		{"a create whose key reaches elsewhere", op(createAddress, `{"name":".."}`), fault.Usage,
			[]string{`/operations/0/object/name: the key ".." would address something else`}},
		{"a create of a negative number", op(policyOn, `,"policyid":-1`), fault.Usage,
			[]string{"/operations/0/object/policyid: must be from 0"}},
		{"a row renamed", op(updateLAN, `"set":{"name":"lan2"}`), fault.Usage,
			[]string{"/operations/0/set/name: is the key; a row cannot be renamed"}},
		{"a key cleared", op(updateLAN, `"clear":["name"]`), fault.Usage,
			[]string{"/operations/0/clear/0: name is the key"}},
		{"a create of what exists", op(createAddress, `{"name":"lan"}`), fault.Conflict,
			[]string{"/operations/0/object/name: firewall/address lan exists already"}},
		{"an update of what does not exist", `{"op":"update","resource":"firewall/address","key":"wan","set":{"comment":"x"}}`, fault.NotFound,
			[]string{"/operations/0/key: there is no firewall/address wan"}},
		{"a delete of what does not exist", `{"op":"delete","resource":"firewall/address","key":"wan"}`, fault.NotFound,
			[]string{"/operations/0/key: there is no firewall/address wan"}},

		// Clearing and editing lists.
		{"clearing what is unknown", op(updateLAN, `"clear":["color","colour"]`), fault.Usage,
			[]string{`/operations/0/clear/1: did you mean "color"?`}},
		{"clearing what is required", `{"op":"update","resource":"router/static","key":1,"clear":["dst"]}`, fault.Usage,
			[]string{"/operations/0/clear/0: dst is required and cannot be cleared"}},
		{"clearing an address without a default", op(updateLAN, `"clear":["subnet"]`), fault.Usage,
			[]string{"/operations/0/clear/0: subnet has no known default"}},
		{"adding to what is no list", op(updateLAN, `"add":{"comment":["x"]}`), fault.Usage,
			[]string{"/operations/0/add/comment: is not a list; use set"}},
		{"adding to what is unknown", op(updateServers, `"add":{"members":["lan"]}`), fault.Usage,
			[]string{`/operations/0/add/members: did you mean "member"?`}},
		{"removing from what is unknown", op(updateServers, `"remove":{"members":["lan"]}`), fault.Usage,
			[]string{`/operations/0/remove/members: did you mean "member"?`}},

		// Positions.
		{"a position in a table without an order", op(`{"op":"create","resource":"firewall/address","object":{"name":"a"},"position":{"before":"lan"}}`), fault.Usage,
			[]string{"/operations/0/position: firewall/address is not an ordered table"}},
		{"an update's position in a table without an order", op(updateLAN, `"position":{"before":"all"}`), fault.Usage,
			[]string{"/operations/0/position: is not an ordered table"}},
		{"a position beside what does not exist", `{"op":"update","resource":"firewall/policy","key":1,"position":{"after":9}}`, fault.NotFound,
			[]string{"/operations/0/position: there is no firewall/policy 9"}},
		{"both before and after", `{"op":"update","resource":"firewall/policy","key":1,"position":{"after":9,"before":2}}`, fault.Usage,
			[]string{"/operations/0/position: exactly one of before and after"}},

		// Secrets.
		{"a mask for a secret", op(tunnel, `"ENC XXXX"`), fault.Usage,
			[]string{"/operations/0/object/psksecret: looks like a masked secret, which is never sent"}},
		{"our own mask for a secret", op(tunnel, `"<redacted>"`), fault.Usage,
			[]string{"/operations/0/object/psksecret: looks like a masked secret"}},
		{"a named secret where there is no secret", op(updateLAN, `"set":{"comment":{"$secret":{"name":"psk"}}}`), fault.Usage,
			[]string{"/operations/0/set/comment: $secret is accepted on secret attributes only"}},
		{"a named secret that is not listed", op(tunnel, `{"$secret":{"name":"other"}}`), fault.Usage,
			[]string{`/operations/0/object/psksecret: there is no secret named "other"`}},
		{"a reference to a secret of the store", op(tunnel, `{"$secret":"s0"}`), fault.Usage,
			[]string{`/operations/0/object/psksecret: a named secret is {"$secret": {"name": "NAME"}}`}},

		// References.
		{"a member that does not exist", op(updateServers, `"add":{"member":["nobody"]}`), fault.NotFound,
			[]string{`/operations/0/add/member: there is no "nobody" in firewall/address or firewall/addrgrp`}},
		{"a member deleted before", `{"op":"update","resource":"firewall/address","key":"all","set":{"comment":"x"}},
			{"op":"delete","resource":"firewall/address","key":"all"},` + op(updateServers, `"set":{"member":["all"]}`), fault.NotFound,
			[]string{`/operations/2/set/member/0/name: there is no "all"`}},
		{"a member created after", op(updateServers, `"set":{"member":["new"]}`) + "," + address("new"), fault.NotFound,
			[]string{`/operations/0/set/member/0/name: there is no "new"`}},
		{"the key of a later create", op(policyOn, `,"policyid":{"$key_of":1}`), fault.Usage,
			[]string{"/operations/0/object/policyid: $key_of must name an earlier create"}},
		{"the key of a create where no key belongs", address("new") + "," + op(updateLAN, `"set":{"allow-routing":{"$key_of":0}}`), fault.Usage,
			[]string{`/operations/1/set/allow-routing: "new" is not one of "disable", "enable"`}},

		// Several at once.
		{"two problems in one answer", op(createAddress, `{"name":"a","color":99,"subnett":"x"}`) + "," + op(updateLAN, `"set":{"type":"x"}`), fault.Usage,
			[]string{"/operations/0/object/color: must be from 0 to 32", "/operations/0/object/subnett: did you mean", "/operations/1/set/type: is not one of"}},
		{"two missing objects keep their code", `{"op":"delete","resource":"firewall/address","key":"x"},{"op":"delete","resource":"firewall/address","key":"y"}`, fault.NotFound,
			[]string{"/operations/0/key: there is no", "/operations/1/key: there is no"}},
		{"a missing and an existing one are usage", `{"op":"delete","resource":"firewall/address","key":"x"},` + address("lan"), fault.Usage,
			[]string{"/operations/0/key: there is no", "/operations/1/object/name: exists already"}},

		// The parameters of an action.
		{"an unknown parameter", `{"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"polcy":1}}`, fault.Usage,
			[]string{"/operations/0/params/polcy: the call takes policy"}},
		{"a parameter of the wrong type", `{"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"policy":"one"}}`, fault.Usage,
			[]string{"/operations/0/params/policy: must be of type integer"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, oldRelease)
			v, err := r.plan("[" + test.operations + "]")
			if err == nil {
				t.Fatalf("it was planned: %s", show(v))
			}
			r.wantProblems(err, test.code, test.problems...)
			if ids, _ := r.world.State.Plans().List(t.Context()); len(ids) != 0 || r.writes() != 0 {
				t.Fatalf("%d plans stored, %d writes", len(ids), r.writes())
			}
		})
	}
}

// oldRelease: the device runs a release that lacks an attribute, one attribute of its
// addresses is written by the device alone, and one table cannot be written.
func oldRelease(o *fake.WorldOptions) {
	list := fake.Builtin()
	i := slices.IndexFunc(list, func(r schema.Resource) bool { return r.Path == "firewall/address" })
	list[i].Attributes = append(list[i].Attributes,
		schema.Attribute{Name: "shown", Type: "string", ReadOnly: true, Default: "x"},
		schema.Attribute{Name: "modern", Type: "string", Releases: "7.6.0 and later"})
	list = append(list, schema.Resource{
		Path: "system/shown", Kind: schema.Singleton, ReadOnly: true, Attributes: []schema.Attribute{{Name: "a", Type: "string"}},
	})
	c, err := fake.NewCatalog(list...)
	if err != nil {
		panic(err)
	}
	o.Device.Catalog = aged{c}
	o.Named = map[string]string{"psk": "a named value"}
}

// aged is a catalog in which releases before 7.6 lack what is modern.
type aged struct{ port.Catalog }

func (c aged) Resource(path string, at schema.Version) (*schema.Resource, error) {
	r, err := c.Catalog.Resource(path, at)
	if err != nil || at.IsZero() || at.Compare(schema.Version{Major: 7, Minor: 6}) >= 0 {
		return r, err
	}
	older := *r
	older.Attributes = slices.DeleteFunc(slices.Clone(r.Attributes), func(a schema.Attribute) bool { return a.Name == "modern" })
	return &older, nil
}

// TestTheOperationsListIsCheckedAsAWhole: what is wrong with the arguments around the
// operations.
func TestTheOperationsListIsCheckedAsAWhole(t *testing.T) {
	tests := []struct {
		name, arguments string
		problems        []string
	}{
		{"no operations", `{}`, []string{"/operations: is required"}},
		{"an empty list", `{"operations":[]}`, []string{"/operations: must have at least 1"}},
		{"a list as text", `{"operations":"[{\"op\":\"delete\"}]"}`, []string{"/operations: must be a list, not a string"}},
		{"too many", `{"operations":[` + strings.TrimSuffix(strings.Repeat(address("a")+",", 501), ",") + `]}`, []string{"/operations: at most 500"}},
		{"an unknown argument", `{"operations":[` + address("a") + `],"mode":"autonomous"}`, []string{"/mode: unknown argument; allowed: profile, vdom, operations, reason"}},
		{"a reason that is too long", `{"operations":[` + address("a") + `],"reason":"` + strings.Repeat("x", 501) + `"}`, []string{"/reason: at most 500"}},
		{"more VDOMs than one", `{"operations":[` + address("a") + `],"vdom":"*"}`, []string{"/vdom: the name of one VDOM"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			_, err := r.planWith(test.arguments)
			r.wantProblems(err, fault.Usage, test.problems...)
			if n := len(r.world.Device.Requests()); n > 0 {
				t.Fatalf("the device was asked %d times", n)
			}
		})
	}
}

func TestAProfileMayLowerTheNumberOfOperations(t *testing.T) {
	r := newRig(t, owner(func(p *profile.Profile) { p.MaxOperations = 1 }))
	_, err := r.plan("[" + address("a") + "," + address("b") + "]")
	r.wantProblems(err, fault.Usage, "/operations: at most 1; split the change")
}

func TestAPlanNamesOneOfTheProfiles(t *testing.T) {
	plain := `{"operations":[` + address("a") + `]%s}`
	two := func(r *rig) {
		r.world.Profiles.Set(profile.Profile{Name: "edge", Host: "192.0.2.9", VDOM: "root", Mode: profile.Guarded})
	}
	t.Run("an unknown one is an error that lists them", func(t *testing.T) {
		r := newRig(t)
		two(r)
		_, err := r.planWith(fmt.Sprintf(plain, `,"profile":"hoem"`))
		f := r.wantCode(err, fault.NotFound)
		if !strings.Contains(f.Message, "demo, edge") || len(r.world.Device.Requests()) > 0 {
			t.Fatal(f.Message)
		}
	})
	t.Run("the default is used where none is named", func(t *testing.T) {
		r := newRig(t)
		two(r)
		if v, err := r.planWith(fmt.Sprintf(plain, "")); err != nil || v.Device.Profile != "demo" {
			t.Fatalf("%v %v", err, v)
		}
	})
	t.Run("without a default one must be named", func(t *testing.T) {
		r := newRig(t)
		r.world.Profiles = fake.NewProfiles("", profile.Profile{Name: "a"}, profile.Profile{Name: "b"})
		r.start()
		_, err := r.planWith(fmt.Sprintf(plain, ""))
		r.wantProblems(err, fault.Usage, "/profile: name one of a, b")
	})
	t.Run("the only one needs no name", func(t *testing.T) {
		r := newRig(t)
		r.world.Profiles = fake.NewProfiles("", profile.Profile{Name: "only", Host: "192.0.2.1", VDOM: "root", Mode: profile.Guarded})
		r.start()
		if v, err := r.planWith(fmt.Sprintf(plain, "")); err != nil || v.Device.Profile != "only" {
			t.Fatalf("%v %v", err, v)
		}
	})
	t.Run("where none is configured the next step is said", func(t *testing.T) {
		r := newRig(t)
		r.world.Profiles = fake.NewProfiles("")
		r.start()
		_, err := r.planWith(fmt.Sprintf(plain, ""))
		if f := r.wantCode(err, fault.Config); !strings.Contains(f.Message, "forti configure") {
			t.Fatal(f.Message)
		}
	})
}
