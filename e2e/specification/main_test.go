package specification

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// desk is a lab with a server that a model talks to.
type desk struct {
	*harness.Lab
	*testing.T
	session *harness.Session
}

func newDesk(t *testing.T, o *harness.Options, flags ...string) *desk {
	t.Helper()
	lab := harness.New(t, o)
	return &desk{Lab: lab, T: t, session: lab.Serve(flags...)}
}

// guardedDesk has the address LAN that the document's examples name.
func guardedDesk(t *testing.T) *desk { return deskWithLAN(t, "guarded") }

func autonomousDesk(t *testing.T) *desk { return deskWithLAN(t, "autonomous") }

func deskWithLAN(t *testing.T, mode string) *desk {
	t.Helper()
	d := newDesk(t, &harness.Options{Mode: mode})
	if err := d.Device.Put("root", "firewall/address", "LAN", map[string]any{"subnet": "192.0.2.0 255.255.255.0", "color": 3}); err != nil {
		t.Fatal(err)
	}
	return d
}

// example is the plan of the document's third step.
const example = `{"operations":[` +
	`{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50 255.255.255.255"}},` +
	`{"op":"update","resource":"firewall/address","key":"LAN","set":{"comment":"managed"},"clear":["color"]}]}`

// critical is a plan of the highest risk.
const critical = `{"operations":[{"op":"create","resource":"system/accprofile","object":{"name":"auditors"}},{"op":"delete","resource":"firewall/address","key":"old-scanner"}]}`

// ask calls a tool, which must succeed, and gives its data and meta.
func (d *desk) ask(tool, arguments string) (data, meta map[string]any) {
	d.Helper()
	r := d.session.Call(tool, arguments)
	var list []any
	if !r.IsError && json.Unmarshal(r.Structured.Data, &list) == nil {
		data = map[string]any{"list": list}
	} else {
		r.Structured.Into(d.T, &data)
	}
	if r.Structured.Meta != nil {
		if err := json.Unmarshal(r.Structured.Meta, &meta); err != nil {
			d.Fatal(err)
		}
	}
	return data, meta
}

// refused calls a tool, which must fail with a code.
func (d *desk) refused(tool, arguments, code string) harness.Failure {
	d.Helper()
	r := d.session.Call(tool, arguments)
	return r.Structured.Failed(d.T, code)
}

// planned stores a plan and gives its id.
func (d *desk) planned(arguments string) string {
	d.Helper()
	data, _ := d.ask("forti_plan", arguments)
	id, ok := data["plan_id"].(string)
	if !ok {
		d.Fatalf("no plan was stored: %v", data)
	}
	return id
}

func (d *desk) try(id string) harness.ToolResult {
	d.Helper()
	return d.session.Call("forti_apply", `{"plan_id":"`+id+`"}`)
}

func (d *desk) applied(id string) harness.Execution {
	d.Helper()
	var x harness.Execution
	d.try(id).Structured.Into(d.T, &x)
	return x
}

// sent are the requests of a kind that the device received, as method and path.
func (d *desk) sent(methods string) (list []string) {
	for _, r := range d.Device.Requests() {
		if strings.Contains(methods, r.Method) {
			list = append(list, r.Method+" "+r.Path)
		}
	}
	return list
}

// hasMembers checks that an object has these members and no others but those that
// are allowed beside them.
func hasMembers(t *testing.T, what string, object map[string]any, members string, optional ...string) {
	t.Helper()
	var got []string
	for name := range object {
		if !slices.Contains(optional, name) {
			got = append(got, name)
		}
	}
	want := strings.Fields(members)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s has other members (-want +got):\n%s", what, diff)
	}
}

func object(t *testing.T, v any) map[string]any {
	t.Helper()
	o, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("not an object: %v", v)
	}
	return o
}

func list(t *testing.T, v any) []any {
	t.Helper()
	l, ok := v.([]any)
	if !ok {
		t.Fatalf("not a list: %v", v)
	}
	return l
}
