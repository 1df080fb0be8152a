package apply_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/command/apply"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

const id = "20261015-104512-a1b2c3"

// engineOf plays an apply.
type engineOf struct {
	steps []port.Step
	x     *engine.Execution
	err   error
	got   request.Apply
}

func (e *engineOf) Apply(ctx context.Context, _ engine.Caller, r request.Apply, p port.Progress) (*engine.Execution, error) {
	e.got = r
	for _, s := range e.steps {
		p.Step(ctx, s)
	}
	return e.x, e.err
}

func run(t *testing.T, e *engineOf, format view.Format) (out, errs string, err error) {
	t.Helper()
	var o, r bytes.Buffer
	c := apply.New(&command.Frame{Out: &o, Err: &r, Format: format}, func(context.Context) (apply.Engine, error) { return e, nil })
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{id})
	err = c.ExecuteContext(t.Context())
	return o.String(), r.String(), err
}

func execution(t *testing.T, status string) *engine.Execution {
	t.Helper()
	planID, err := plan.ParseID(id)
	if err != nil {
		t.Fatal(err)
	}
	return &engine.Execution{Status: status, PlanID: planID, Verified: 1, Operations: []engine.OperationResult{
		{Index: 0, Op: plan.OpCreate, Resource: "firewall/address", Key: operation.TextKey("one"), Status: "verified"},
		{Index: 1, Op: plan.OpUpdate, Resource: "firewall/policy", Key: operation.IntegerKey(7), Status: "failed", Message: "refused"},
	}}
}

func TestProgressIsToldOnStandardErrorAsItHappens(t *testing.T) {
	e := &engineOf{x: execution(t, "applied"), steps: []port.Step{
		{Stage: port.StageCheck, Operation: -1, Of: 2, Text: "checking"},
		{Stage: port.StageBackup, Operation: -1, Of: 2, Text: "saving a backup"},
		{Stage: port.StageClaim, Operation: -1, Of: 2, Text: "recording"},
		{Stage: port.StageSend, Operation: 0, Of: 2, Text: "create firewall/address \x1b[2Jone"},
		{Stage: port.StageVerify, Operation: 0, Of: 2, Text: "reading back"},
		{Stage: port.StageDone, Operation: 0, Of: 2, Text: "create", Status: "verified"},
		{Stage: port.StageProbe, Operation: -1, Of: 2, Text: "probing"},
		{Stage: port.StageEnd, Operation: -1, Of: 2, Text: "applied"},
	}}
	for _, format := range []view.Format{view.Table, view.JSON} {
		out, errs, err := run(t, e, format)
		if err != nil || e.got.PlanID != id {
			t.Fatalf("%v, applied %q", err, e.got.PlanID)
		}
		want := "checking\nsaving a backup\nrecording\noperation 0, 1 of 2: create firewall/address \\x1b[2Jone\n    reading back\n    verified\nprobing\napplied\n"
		if diff := cmp.Diff(want, errs); diff != "" {
			t.Errorf("%s: stderr (-want +got):\n%s", format, diff)
		}
		if (format == view.JSON) != strings.HasPrefix(out, `{"ok":true,"data":{"status":"applied"`) {
			t.Errorf("%s: stdout %s", format, out)
		}
	}
}

// details is an execution as the engine puts it into an error.
func details(t *testing.T, x *engine.Execution) map[string]any {
	t.Helper()
	v, err := canon.Value(x)
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

func TestAFailureShowsTheRecordThatItCarries(t *testing.T) {
	partial := fault.New(fault.PartialFailure, "operation 1 did not succeed")
	partial.Details = details(t, execution(t, "partial"))
	for _, tt := range []struct {
		name  string
		err   error
		shows bool
	}{
		{"its own", partial, true},
		{"that of the first execution", fault.New(fault.Conflict, "executed already").With("execution", details(t, execution(t, "partial"))), true},
		{"none", fault.New(fault.ApprovalRequired, "needs an approval").With("reason", "missing"), false},
		{"one that is none", fault.New(fault.Conflict, "odd").With("execution", "text"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, _, err := run(t, &engineOf{err: tt.err}, view.Table)
			if fault.CodeOf(err) != fault.CodeOf(tt.err) {
				t.Errorf("error %v", err)
			}
			if shown := strings.Contains(out, "1  update  firewall/policy   7    failed") && strings.Contains(out, "  1: refused"); shown != tt.shows {
				t.Errorf("the record is shown: %v, want %v\n%s", shown, tt.shows, out)
			}
			// In the other formats the error's own envelope has the record.
			if out, _, _ := run(t, &engineOf{err: tt.err}, view.JSON); out != "" {
				t.Errorf("stdout %s", out)
			}
		})
	}
}
