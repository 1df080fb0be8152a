package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/risk"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

var update = flag.Bool("update", false, "write the golden file")

// TestEveryOperationOnEveryResourceHasADecidedRisk: the tier and the rules of each
// operation on each resource, when the operation says no more than that. A change is
// a change of judgement, and its diff is reviewed.
func TestEveryOperationOnEveryResourceHasADecidedRisk(t *testing.T) {
	t.Parallel()
	c := catalog.Open()
	var lines []string
	for entry := range c.Entries(catalog.Table) {
		lines = append(lines, decided(t, entry.Path, plan.OpCreate, plan.OpUpdate, plan.OpDelete))
	}
	for entry := range c.Entries(catalog.Singleton) {
		lines = append(lines, decided(t, entry.Path, plan.OpUpdate))
	}
	for entry := range c.Entries(catalog.Monitor) {
		endpoint, err := c.Endpoint(entry.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range endpoint.Calls {
			if call.Method == "POST" {
				path := strings.TrimSuffix(entry.Path+"/"+call.Action, "/")
				v := assess(risk.Change{Op: plan.OpAction, Resource: path, VDOM: "root", Call: &schema.Call{Method: "POST", Class: call.Class}})
				lines = append(lines, fmt.Sprintf("%s: call %s", path, verdict(v)))
			}
		}
	}
	slices.Sort(lines)
	golden(t, "decided.golden", strings.Join(lines, "\n")+"\n")
}

// decided says what the rules say of a row of a resource, or of a singleton.
func decided(t *testing.T, path string, ops ...plan.Op) string {
	t.Helper()
	none, known := 0, 1000
	var said []string
	for _, op := range ops {
		c := risk.Change{Op: op, Resource: path, VDOM: "root", Users: &none, Rows: &known, Touched: []string{"something"}}
		if len(ops) > 1 {
			c.Key = operation.TextKey("7")
		}
		if op != plan.OpCreate {
			c.Before = map[string]any{"something": "a"}
		}
		if op != plan.OpDelete {
			c.After = map[string]any{"something": "b"}
		}
		v := assess(c)
		if v.Tier == "" || len(v.Operations) != 1 || v.Operations[0].Tier == "" {
			t.Errorf("%s of %s has no tier: %+v", op, path, v)
		}
		said = append(said, fmt.Sprintf("%s %s", op, verdict(v)))
	}
	return path + ": " + strings.Join(said, "; ")
}

// assess judges a change of a device that is managed through port1, and has nothing
// else that the rules ask for.
func assess(c risk.Change) risk.Verdict {
	lookup := func(path, _ string, key operation.Key) (map[string]any, bool) {
		switch path + "/" + key.String() {
		case "system/interface/port1":
			return map[string]any{"name": "port1", "type": "physical", "ip": "192.0.2.1 255.255.255.0"}, true
		case "system/api-user/forti":
			return map[string]any{"name": "forti", "accprofile": "api"}, true
		case "system/global/":
			return map[string]any{"admin-server-cert": "gui"}, true
		}
		return nil, true
	}
	return risk.Assess([]risk.Change{c}, risk.Facts{
		Management: plan.Management{Local: "192.0.2.77:50000", Remote: "192.0.2.1:443", Interface: "port1", APIUser: "forti", Save: "automatic"},
		Lookup:     lookup, Policies: func(string) ([]map[string]any, bool) { return nil, true },
	})
}

func verdict(v risk.Verdict) string {
	out := string(v.Tier)
	for _, rule := range v.Operations[0].Rules {
		if rule != "R-BASE-01" {
			out += " " + rule
		}
	}
	return out
}

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path) // #nosec G304 -- a file of this test
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (run with -update and review the diff):\n%s", name, diff)
	}
}
