package badinput

import (
	"os"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/plan/planfile"
	"github.com/forti-mcp/forti/e2e/internal/harness"
)

const (
	harmless  = `[{"op":"create","resource":"firewall/address","object":{"name":"harmless","subnet":"192.0.2.50/32"}}]`
	different = `[{"op":"delete","resource":"firewall/address","key":"old-scanner"}]`
)

func TestAPlanEditedByHandIsTampered(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(lab *harness.Lab, id, file string){
		"the plan alone": func(lab *harness.Lab, id, file string) {
			lab.Replace(lab.State("plans", id+".json"), strings.ReplaceAll(file, "harmless", "harmful!"))
		},
		"the plan and its digest": func(lab *harness.Lab, id, file string) {
			edited := strings.ReplaceAll(file, "harmless", "harmful!")
			lab.Replace(lab.State("plans", id+".json"), edited)
			lab.Replace(lab.State("plans", id+".digest"), planfile.Digest([]byte(edited)).String()+"\n")
		},
		"the same JSON in another form": func(lab *harness.Lab, id, file string) {
			lab.Replace(lab.State("plans", id+".json"), file+"\n")
		},
		"the digest is missing": func(lab *harness.Lab, id, _ string) { remove(lab, lab.State("plans", id+".digest")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, nil)
			id := lab.Approved(harmless).PlanID
			edit(lab, id, lab.Read(lab.State("plans", id+".json")))
			lab.Device.ForgetRequests()
			wantTampered(t, lab, id)
		})
	}
}

// wantTampered checks the answer of everything that reads the plan.
func wantTampered(t *testing.T, lab *harness.Lab, id string) {
	t.Helper()
	for _, args := range [][]string{{"apply", id}, {"plan", "show", id}} {
		lab.Forti(append(args, "-o", "json")...).Failed(9, "tampered_plan")
	}
	s := lab.Serve()
	s.Call("forti_apply", `{"plan_id":"`+id+`"}`).Structured.Failed(t, "tampered_plan")
	s.Close().Must(0)
	r := lab.Terminal("plan", "approve", id).End().Must(9)
	if strings.Contains(r.Stdout, "to approve") || !strings.Contains(r.Stdout, "tampered_plan") {
		t.Errorf("the terminal showed %s", r.Stdout)
	}
	if n := len(lab.Device.Requests()); n != 0 {
		t.Errorf("the device was sent %d requests", n)
	}
	if list := lab.Forti("plan", "list", "-o", "json").Must(0).Stdout; !strings.Contains(list, id) {
		t.Errorf("the plan is not listed: %s", list)
	}
}

func remove(lab *harness.Lab, path string) {
	lab.TB.Helper()
	if err := os.Remove(path); err != nil {
		lab.TB.Fatal(err)
	}
}

func TestAnApprovalForAnotherDigestIsNone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit    func(file, a, b string) string
		reasons string
	}{
		"a copy":                    {func(file, _, _ string) string { return file }, "changed invalid"},
		"a copy with the id edited": {strings.ReplaceAll, "changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, nil)
			a, b := lab.Approved(harmless).PlanID, lab.Plan(different).PlanID
			file := lab.Read(lab.State("approvals", a+".json"))
			lab.Replace(lab.State("approvals", b+".json"), c.edit(file, a, b))
			d := lab.TryApply(b).Failed(6, "approval_required").Read(t)
			if !strings.Contains(c.reasons, d.Reason) || d.Reason == "" || d.ApproveCommand != "forti plan approve "+b {
				t.Errorf("details: %+v", d)
			}
			s := lab.Serve()
			r := s.Call("forti_apply", `{"plan_id":"`+b+`"}`)
			if again := r.Structured.Failed(t, "approval_required").Read(t); again.Reason != d.Reason || len(r.Content) != 2 {
				t.Errorf("details: %+v, %d blocks", again, len(r.Content))
			}
			s.Close().Must(0)
			lab.WantWrites(0)
			lab.Apply(a) // the approval itself holds
		})
	}
}

func TestAnApprovalCountsOnce(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(harmless).PlanID
	file := lab.Read(lab.State("approvals", id+".json"))
	lab.Apply(id)
	lab.Replace(lab.State("approvals", id+".json"), file) // putting it back changes nothing
	s := lab.Serve()
	for _, f := range []harness.Failure{
		lab.TryApply(id).Failed(6, "approval_required"),
		s.Call("forti_apply", `{"plan_id":"`+id+`"}`).Structured.Failed(t, "approval_required"),
	} {
		d := f.Read(t)
		if d.Reason != "used" || d.Execution == nil || d.Execution.Status != "applied" {
			t.Errorf("details: %s", f.Details)
		}
	}
	s.Close().Must(0)
	lab.WantWrites(1)
	if r := lab.Terminal("plan", "approve", id).End(); r.Status == 0 || strings.Contains(r.Stdout, "to approve") {
		t.Errorf("a plan that was executed can be approved again: %s", r.Stdout)
	}
}
