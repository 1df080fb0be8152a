package badinput

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// mistake is a wrong request: how it is made through both programs, and what both
// must answer. Where one has no way to make it, its part is empty.
type mistake struct {
	args      []string
	stdin     string
	tool      string
	arguments string
	status    int
	code      string
	// pointer is where the mistake is; says is part of the message.
	pointer, says string
}

func planned(operations string, m mistake) mistake {
	m.args, m.stdin = []string{"plan", "create", "-f", "-"}, operations
	m.tool, m.arguments = "forti_plan", `{"operations":`+operations+`}`
	return m
}

func usage(pointer, says string) mistake {
	return mistake{status: 2, code: "usage", pointer: pointer, says: says}
}

func notFound(pointer, says string) mistake {
	return mistake{status: 7, code: "not_found", pointer: pointer, says: says}
}

// on is a list of one operation on a table.
func on(op, rest string) string {
	return `[{"op":"` + op + `","resource":"firewall/address"` + rest + `}]`
}

var mistakes = map[string]mistake{
	"an unknown argument of forti_read": {
		args: []string{"read", "firewall/address", "--colour", "1"}, tool: "forti_read", arguments: `{"resource":"firewall/address","colour":1}`,
		status: 2, code: "usage", says: "colour",
	},
	"an unknown argument of forti_apply": {
		args: []string{"apply", "20261015-104512-a1b2c3", "--yes"}, tool: "forti_apply", arguments: `{"plan_id":"20261015-104512-a1b2c3","yes":true}`,
		status: 2, code: "usage", says: "yes",
	},
	"an unknown argument of an operation": planned(on("create", `,"obj":{"name":"x"}`), usage("/operations/0/obj", "allowed: op, resource")),
	"an unknown look-up": {
		args: []string{"discover", "everything"}, tool: "forti_discover", arguments: `{"what":"everything"}`, status: 2, code: "usage", says: "one of",
	},
	"an unknown resource, read": {
		args: []string{"read", "firewall/adress"}, tool: "forti_read", arguments: `{"resource":"firewall/adress"}`,
		status: 7, code: "not_found", says: "firewall/address",
	},
	"an unknown resource, planned": planned(
		`[{"op":"create","resource":"firewall/adress","object":{"name":"x"}}]`, notFound("/operations/0/resource", "firewall/address")),
	"an unknown attribute, read": {
		args: []string{"read", "firewall/address", "--fields", "subnett"}, tool: "forti_read", arguments: `{"resource":"firewall/address","fields":["subnett"]}`,
		status: 2, code: "usage", pointer: "/fields/0", says: `"subnet"`,
	},
	"an unknown attribute, planned":        planned(on("create", `,"object":{"name":"x","colour":1}`), usage("/operations/0/object/colour", `"color"`)),
	"a wrong type: a number for a network": planned(on("create", `,"object":{"name":"x","subnet":5}`), usage("/operations/0/object/subnet", "IPv4")),
	"a wrong type: text for an object":     planned(on("create", `,"object":"x"`), usage("/operations/0/object", "must be an object")),
	"a wrong type: an object for a list":   planned(on("update", `,"key":"net-lan","add":[1]`), usage("/operations/0/add", "must be an object")),
	"a missing key, of an update":          planned(on("update", `,"set":{"comment":"x"}`), usage("/operations/0/key", "required")),
	"a missing key, of a delete":           planned(on("delete", ``), usage("/operations/0/key", "required")),
	"a missing key, of a new object":       planned(on("create", `,"object":{"comment":"x"}`), usage("/operations/0/object/name", "required")),
	"an object that is not there":          planned(on("delete", `,"key":"nobody"`), notFound("/operations/0/key", "nobody")),
	"a wrong op":                           planned(on("drop", `,"key":"x"`), usage("/operations/0/op", `must be one of "create", "update", "delete", "action"`)),
	"no operations":                        planned(`[]`, usage("/operations", "at least 1")),
	"an unknown plan": {
		args: []string{"apply", "20261015-104512-a1b2c3"}, tool: "forti_apply", arguments: `{"plan_id":"20261015-104512-a1b2c3"}`,
		status: 7, code: "not_found", says: "forti plan list",
	},
	"something that is no plan id": {
		args: []string{"apply", "../../etc/passwd"}, tool: "forti_apply", arguments: `{"plan_id":"../../etc/passwd"}`, status: 2, code: "usage", says: "plan",
	},
	"an unknown profile": {
		args: []string{"read", "firewall/address", "-p", "nobody"}, tool: "forti_read", arguments: `{"resource":"firewall/address","profile":"nobody"}`,
		status: 7, code: "not_found", says: harness.Profile,
	},
	"an operations file that is cut off": {
		args: []string{"plan", "create", "-f", "-"}, stdin: `{"operations":[{"op":"create",`, status: 2, code: "usage", says: "JSON",
	},
	"an operations file with a key twice": {
		args: []string{"plan", "create", "-f", "-"}, stdin: "- op: create\n  op: delete\n", status: 2, code: "usage", says: "twice",
	},
	"an empty operations file": {args: []string{"plan", "create", "-f", "/dev/null"}, status: 2, code: "usage", says: "empty"},
	"an operations file that is not there": {
		args: []string{"plan", "create", "-f", "nowhere.json"}, status: 2, code: "usage", says: "nowhere.json",
	},
	"arguments that are no object": {tool: "forti_read", arguments: `"firewall/address"`, code: "usage", says: "object"},
}

func TestAWrongRequestIsAClearErrorInBothPrograms(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	s := lab.Serve()
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			if m.args != nil {
				r := lab.FortiWith(m.stdin, append(m.args, "-o", "json")...)
				m.check(t, r.Failed(m.status, m.code))
				if !strings.HasPrefix(r.Stderr, "error ("+m.code+"): ") {
					t.Errorf("stderr: %q", r.Stderr)
				}
			}
			if m.tool != "" {
				m.check(t, s.Call(m.tool, m.arguments).Structured.Failed(t, m.code))
			}
		})
	}
	s.Close().Must(0)
	lab.WantWrites(0)
	if stored, err := filepath.Glob(filepath.Join(lab.State("plans"), "*.json")); err != nil || len(stored) > 0 {
		t.Errorf("a plan was stored: %q, %v", stored, err)
	}
}

func (m mistake) check(t *testing.T, f harness.Failure) {
	t.Helper()
	if !strings.Contains(f.Message, m.says) {
		t.Errorf("the message does not say %q: %s", m.says, f.Message)
	}
	if m.pointer == "" {
		return
	}
	for _, p := range f.Read(t).Problems {
		if p.Pointer == m.pointer {
			return
		}
	}
	t.Errorf("no problem at %s: %s", m.pointer, f.Details)
}

func TestAllMistakesOfARequestAreReportedTogether(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	f := lab.FortiWith(`[
		{"op":"create","resource":"firewall/address","object":{"name":"x","colour":1}},
		{"op":"create","resource":"firewall/address","object":{"name":"y","subnet":"nowhere"}}]`,
		"plan", "create", "-f", "-", "-o", "json").Failed(2, "usage")
	var pointers []string
	for _, p := range f.Read(t).Problems {
		pointers = append(pointers, p.Pointer)
	}
	if got := strings.Join(pointers, " "); got != "/operations/0/object/colour /operations/1/object/subnet" {
		t.Errorf("problems at %s", got)
	}
}
