package workflow

import (
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestAChangedAuditLogIsFound(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, &harness.Options{Mode: "autonomous"})
	for range 3 {
		lab.Apply(lab.Apply(lab.Plan(oneDelete).PlanID).Rollback.PlanID)
	}
	path := lab.State("audit.jsonl")
	whole := lab.Read(path)
	lab.Forti("audit", "verify").Must(0)
	lines := slices.Collect(strings.Lines(whole))
	for name, edit := range map[string]func(l []string) []string{
		"edited":     func(l []string) []string { l[3] = strings.Replace(l[3], "FGVMSIM", "FGVMXIM", 1); return l },
		"deleted":    func(l []string) []string { return slices.Delete(l, 3, 4) },
		"swapped":    func(l []string) []string { l[3], l[4] = l[4], l[3]; return l },
		"duplicated": func(l []string) []string { return slices.Insert(l, 3, l[3]) },
		"cut off":    func(l []string) []string { return l[:len(l)-2] },
	} {
		t.Run(name, func(t *testing.T) {
			lab.Replace(path, strings.Join(edit(slices.Clone(lines)), ""))
			r := lab.Forti("audit", "verify", "-o", "json").Must(1)
			var v struct {
				Status, Problem string
				BadSeq          *int `json:"bad_seq"`
			}
			r.Envelope().Into(t, &v)
			if v.Status != "broken" || v.Problem == "" || v.BadSeq == nil {
				t.Errorf("verdict: %s", r.Stdout)
			}
			if name != "cut off" && v.BadSeq != nil && (*v.BadSeq < 3 || *v.BadSeq > 4) {
				t.Errorf("the bad record is said to be %d, want 3 or 4", *v.BadSeq)
			}
		})
	}
	lab.Replace(path, whole)
	lab.Forti("audit", "verify").Must(0)
}

func TestATornLastLineIsKeptAsideAndNothingIsLostSilently(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, &harness.Options{Mode: "autonomous"})
	lab.Apply(lab.Plan(oneDelete).PlanID)
	path := lab.State("audit.jsonl")
	whole := lab.Read(path)
	lines := slices.Collect(strings.Lines(whole))
	last := lines[len(lines)-1]
	lab.Replace(path, strings.TrimSuffix(whole, last)+last[:len(last)/2])
	id := lab.Plan(`[{"op":"create","resource":"firewall/address","object":{"name":"next"}}]`).PlanID
	x := lab.Apply(id)
	if x.Status != "applied" {
		t.Errorf("execution: %+v", x)
	}
	if log := lab.Read(path); !strings.Contains(log, `"audit.repaired"`) {
		t.Error("the log does not say that it was repaired")
	}
	if r := lab.Forti("audit", "verify"); r.Status != 0 && r.Status != 3 {
		t.Errorf("audit verify: status %d: %s%s", r.Status, r.Stdout, r.Stderr)
	}
	if !holds(t, lab, last[:len(last)/2]) {
		t.Error("the torn bytes were not kept")
	}
}
