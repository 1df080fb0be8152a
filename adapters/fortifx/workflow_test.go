package fortifx_test

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

func planned(t *testing.T, eng *engine.Engine, name string) *engine.PlanView {
	t.Helper()
	v, err := eng.Plan(t.Context(), engine.Caller{}, request.Plan{Operations: []request.Operation{
		{Op: "create", Resource: "firewall/address", Object: map[string]any{"name": name, "subnet": "192.0.2.7/32"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func apply(t *testing.T, eng *engine.Engine, id plan.ID) (*engine.Execution, error) {
	t.Helper()
	return eng.Apply(t.Context(), engine.Caller{}, request.Apply{PlanID: id.String()}, nil)
}

func TestReadPlanApplyOverHTTPSAndFiles(t *testing.T) {
	l := newLab(t, profile.Autonomous)
	eng := l.build()
	if _, err := eng.Read(t.Context(), engine.Caller{}, request.Read{Resource: "firewall/address", Key: operation.TextKey("net-lan")}); err != nil {
		t.Fatal(err)
	}
	v := planned(t, eng, "new")
	if l.sim.Writes() != 0 {
		t.Error("planning wrote to the device")
	}
	done, err := apply(t, eng, v.PlanID)
	if err != nil || done.Verified != 1 {
		t.Fatalf("got %+v, %v, %v", done, err, fault.From(err))
	}
	if row, ok := l.sim.Get("root", "firewall/address", "new"); !ok || row["subnet"] != "192.0.2.7 255.255.255.255" {
		t.Errorf("the device has %v", row)
	}
	if report, err := eng.VerifyAudit(t.Context()); err != nil || report.BadSeq != -1 {
		t.Errorf("got %+v, %v", report, err)
	}
	t.Run("another process sees the same state", func(t *testing.T) {
		shown, err := l.build().Show(t.Context(), engine.Caller{}, v.PlanID)
		if err != nil || shown.Execution == nil || shown.Execution.Verified != 1 {
			t.Errorf("got %+v, %v", shown, err)
		}
	})
}

func TestTheModeIsTheOperatorsAlone(t *testing.T) {
	l := newLab(t, profile.Guarded)
	eng := l.build()
	v := planned(t, eng, "new")
	_, err := apply(t, eng, v.PlanID)
	if fault.CodeOf(err) != fault.ApprovalRequired {
		t.Errorf("guarded: %v", err)
	}
	err = l.file.Update(t.Context(), func(d *config.Document) error {
		e := d.Profiles["lab"]
		e.Mode = profile.ReadOnly
		d.Profiles["lab"] = e
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := apply(t, eng, v.PlanID); fault.CodeOf(err) != fault.PolicyDenied {
		t.Errorf("read-only: %v", err)
	}
	if l.sim.Writes() != 0 {
		t.Error("something was written")
	}
}

func TestAReadOnlyProgramWritesNothingWhateverTheProfileSays(t *testing.T) {
	l := newLab(t, profile.Autonomous)
	eng := build(t, fortifx.Options{Home: l.home, ReadOnly: true})
	if _, err := apply(t, eng, planned(t, eng, "new").PlanID); err == nil {
		t.Error("the apply succeeded")
	}
	if l.sim.Writes() != 0 {
		t.Errorf("%d writes reached the device", l.sim.Writes())
	}
}

func TestCommandsNameAHomeThatIsNotTheDefault(t *testing.T) {
	l := newLab(t, profile.Guarded)
	v := planned(t, l.build(), "new")
	want := ` --home '` + strings.ReplaceAll(l.home, "'", `'\''`) + `'`
	if !strings.HasSuffix(v.Apply, want) || !strings.HasSuffix(v.Approve, want) {
		t.Errorf("got %q and %q", v.Apply, v.Approve)
	}
	v = planned(t, build(t, fortifx.Options{Home: l.home, DefaultHome: true}), "new")
	if v.Apply != "forti apply "+v.PlanID.String() || v.Approve != "forti plan approve "+v.PlanID.String() {
		t.Errorf("got %q and %q", v.Apply, v.Approve)
	}
}

func TestOnlyVisibleProfilesAreSeen(t *testing.T) {
	l := newLab(t, profile.Guarded)
	eng := build(t, fortifx.Options{Home: l.home, Visible: []string{"another"}})
	_, err := eng.Read(t.Context(), engine.Caller{}, request.Read{Profile: "lab", Resource: "firewall/address"})
	if err == nil || len(l.sim.Requests()) > 0 {
		t.Errorf("%d requests, %v", len(l.sim.Requests()), err)
	}
}

func TestAResultKeepsTheProgramsBudget(t *testing.T) {
	l := newLab(t, profile.Guarded)
	found, err := build(t, fortifx.Options{Home: l.home, ResultBytes: 4000}).
		Read(t.Context(), engine.Caller{}, request.Read{Resource: "firewall/address"})
	if err != nil || found.Meta == nil || found.Meta.Truncated != "byte_budget" {
		t.Errorf("got %+v, %v", found.Meta, err)
	}
}

func TestATokenThatCannotBeHadIsAConfigError(t *testing.T) {
	l := newLab(t, profile.Guarded)
	err := l.file.Update(t.Context(), func(d *config.Document) error {
		e := d.Profiles["lab"]
		e.Token = config.Source{Env: "FORTI_TEST_NO_SUCH_VARIABLE"}
		d.Profiles["lab"] = e
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.build().Read(t.Context(), engine.Caller{}, request.Read{Resource: "firewall/address"})
	if fault.CodeOf(err) != fault.Config || !strings.Contains(fault.From(err).Message, "FORTI_TEST_NO_SUCH_VARIABLE") {
		t.Errorf("got %v", err)
	}
	if len(l.sim.Requests()) > 0 {
		t.Error("something was sent")
	}
}
