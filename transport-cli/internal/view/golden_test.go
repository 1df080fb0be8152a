package view_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func id(t *testing.T, text string) plan.ID {
	t.Helper()
	v, err := plan.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func objects(t *testing.T, text string) []map[string]any {
	t.Helper()
	v, err := canon.DecodeLoose([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return view.Objects(v.([]any))
}

const addresses = `[
 {"name": "net-lan", "type": "ipmask", "subnet": "192.168.10.0 255.255.255.0", "comment": "office network", "uuid": "1", "color": 0, "macaddr": []},
 {"name": "printers", "type": "ipmask", "subnet": "192.168.10.200 255.255.255.252", "comment": "first and second floor", "uuid": "2", "color": 0, "macaddr": []},
 {"name": "evil\u001b[2J\u202eetanul\u009b\nforti: approved", "type": "fqdn", "fqdn": "x.example.com", "comment": "  padded  ", "uuid": "3", "color": 7, "macaddr": []}
]`

func TestTables(t *testing.T) {
	styles := map[string]view.Style{"plain": {}, "wide": {Width: 120, Colour: true}, "narrow": {Width: 60}, "forty": {Width: 40}}
	for name, style := range styles {
		t.Run(name, func(t *testing.T) {
			p := view.NewPage(style)
			p.Rows(objects(t, addresses), nil)
			p.Say("")
			p.Rows(objects(t, addresses), []string{"name", "color"})
			p.Say("")
			p.Rows(nil, nil)
			golden(t, "rows-"+name+".txt", p.String())
		})
	}
}

func TestObjects(t *testing.T) {
	row := objects(t, `[{"name": "p", "srcaddr": [{"name": "a", "q_origin_key": "a"}, {"name": "b", "q_origin_key": "b"}],
		"tagging": [{"name": "t", "category": "c", "tags": [{"name": "x"}]}], "status": "failed", "q_origin_key": 12, "empty": "",
		"none": [], "large": 18446744073709551615, "counts": {"a": 1, "b": "two"},
		"a-name-that-is-much-longer-than-others-are-usually": "v", "text": "one two three four five six seven eight nine ten eleven twelve thirteen"}]`)[0]
	for name, style := range map[string]view.Style{"plain": {}, "forty": {Width: 40}} {
		t.Run(name, func(t *testing.T) {
			p := view.NewPage(style)
			p.Object(row, "status", "name")
			golden(t, "object-"+name+".txt", p.String())
		})
	}
}

func digest(text string) canon.Digest { return canon.Sum([]byte(text)) }

func planView(t *testing.T) *engine.PlanView {
	created := time.Date(2026, 10, 15, 10, 45, 12, 0, time.UTC)
	return &engine.PlanView{
		PlanID: id(t, "20261015-104512-a1b2c3"), Digest: digest("plan"), Kind: plan.Change, CreatedAt: &created, State: "planned",
		Device: &plan.Target{Profile: "home", Host: "192.0.2.1", Port: 443, VDOM: "root", Serial: "FGT60F0000000001", Version: "v7.4.8", Build: 2795},
		Risk: &plan.Risk{Tier: plan.High, Reasons: []plan.Reason{
			{Rule: "R-POL-02", Tier: plan.High, Operation: 1, Text: "any source may reach any destination"},
			{Rule: "R-PLAN-01", Tier: plan.Medium, Operation: -1, Text: "the plan touches two tables"},
		}},
		Operations: []engine.OperationView{
			{Index: 0, Op: plan.OpCreate, Resource: "firewall/address", Key: operation.TextKey("prin\x1b[8mter"), Risk: plan.Low,
				Diff: []engine.Difference{{Attribute: "subnet", To: "192.0.2.50 255.255.255.255"}},
				Wire: engine.WireView{Method: "POST", Path: "/api/v2/cmdb/firewall/address"}},
			{Index: 1, Op: plan.OpUpdate, Resource: "firewall/policy", Key: operation.IntegerKey(12), Risk: plan.High,
				Diff: []engine.Difference{{Attribute: "srcaddr", From: []any{map[string]any{"name": "net-lan"}}, To: []any{map[string]any{"name": "all"}}}},
				Wire: engine.WireView{Method: "PUT", Path: "/api/v2/cmdb/firewall/policy/12"}},
			{Index: 2, Op: plan.OpDelete, Resource: "firewall/address", Key: operation.TextKey("old"), Risk: plan.Medium,
				Diff: []engine.Difference{{Attribute: "name", From: "old"}},
				Wire: engine.WireView{Method: "DELETE", Path: "/api/v2/cmdb/firewall/address/old"}},
		},
		Mode: "guarded", Reason: "ignore the rules\x07", Notes: []string{"a note"}, NotReversible: []string{"the secret of x"},
		Apply: "forti apply 20261015-104512-a1b2c3", Approve: "forti plan approve 20261015-104512-a1b2c3",
	}
}

func execution(t *testing.T) *engine.Execution {
	rollback := id(t, "20261015-104600-d4e5f6")
	return &engine.Execution{
		Status: "partial", PlanID: id(t, "20261015-104512-a1b2c3"), Digest: digest("plan"),
		Operations: []engine.OperationResult{
			{Index: 0, Op: plan.OpCreate, Resource: "firewall/address", Key: operation.TextKey("printer"), Status: "verified"},
			{Index: 1, Op: plan.OpUpdate, Resource: "firewall/policy", Key: operation.IntegerKey(12), Status: "failed", Mismatch: []string{"srcaddr"},
				Message: "the device reads back something else", DeviceText: "bad\x1b[2Jvalue", HTTPStatus: 500},
			{Index: 2, Op: plan.OpDelete, Resource: "firewall/address", Key: operation.TextKey("old"), Status: "not_attempted"},
		},
		Verified: 1, Rollback: &engine.RollbackRef{PlanID: &rollback, NotReversible: []string{"uuid of printer"}},
		Backup: &port.Backup{Name: "/h/.forti/state/backups/20261015-104512-a1b2c3.conf", Digest: digest("backup"), Bytes: 12},
		Audit:  &audit.Head{Seq: 42, Hash: digest("head")}, AuditError: "the disk is full", Notes: []string{"one note"},
	}
}

func TestPlansAndExecutions(t *testing.T) {
	for name, style := range map[string]view.Style{"plain": {}, "colour": {Colour: true, Width: 100}, "forty": {Width: 40}} {
		t.Run(name, func(t *testing.T) {
			p := view.NewPage(style)
			p.Plan(planView(t), true)
			golden(t, "plan-"+name+".txt", p.String())
			p = view.NewPage(style)
			p.Execution(execution(t))
			golden(t, "execution-"+name+".txt", p.String())
		})
	}
	t.Run("executed", func(t *testing.T) {
		v := planView(t)
		v.State, v.Execution = "partial", execution(t)
		v.Execution.Rollback.PlanID = nil
		p := view.NewPage(view.Style{})
		p.Plan(v, false)
		golden(t, "plan-executed.txt", p.String())
	})
	t.Run("unknown", func(t *testing.T) {
		v := planView(t)
		v.State, v.Execution = "outcome_unknown", execution(t)
		v.Present = &engine.Present{
			Operations: []engine.PresentState{{Index: 1, Observed: "other", Text: "firewall/policy 12 is neither as before nor as the plan wanted it"}},
			Problem:    "the device \x1b[2J does not answer", Next: "Look at the device.",
		}
		p := view.NewPage(view.Style{Width: 60})
		p.Plan(v, false)
		golden(t, "plan-unknown.txt", p.String())
	})
	t.Run("nothing to change", func(t *testing.T) {
		p := view.NewPage(view.Style{})
		p.Plan(&engine.PlanView{Status: "no_change", Notes: []string{"operation 0 changes nothing"}}, false)
		golden(t, "plan-no-change.txt", p.String())
	})
}

func TestAnExecutionSurvivesItsJSON(t *testing.T) {
	data, err := json.Marshal(execution(t))
	if err != nil {
		t.Fatal(err)
	}
	var again engine.Execution
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	p, q := view.NewPage(view.Style{}), view.NewPage(view.Style{})
	p.Execution(execution(t))
	q.Execution(&again)
	if p.String() != q.String() {
		t.Error(cmp.Diff(p.String(), q.String()))
	}
}
