package engine_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

func TestRecordsOfTheAuditLogAreGivenByPlanEventTimeAndNumber(t *testing.T) {
	r := newRig(t)
	first := r.approved("[" + address("a") + "]")
	r.mustApply(first)
	r.world.Clock.Advance(time.Hour)
	later := r.world.Clock.Now()
	second := r.mustPlan("[" + address("b") + "]").PlanID
	undo := *r.shown(first).Execution.Rollback.PlanID
	for _, tt := range []struct {
		name  string
		query engine.AuditQuery
		want  []audit.Event
		total int
	}{
		{"all", engine.AuditQuery{}, []audit.Event{"plan.created", "approval.granted", "apply.begin", "plan.created", "apply.end", "plan.created"}, 6},
		{"one plan, and what undoes it", engine.AuditQuery{Plan: first}, []audit.Event{"plan.created", "approval.granted", "apply.begin", "plan.created", "apply.end"}, 5},
		{"the plan that undoes", engine.AuditQuery{Plan: undo}, []audit.Event{"plan.created"}, 1},
		{"an event", engine.AuditQuery{Event: audit.ApplyEnd}, []audit.Event{"apply.end"}, 1},
		{"since", engine.AuditQuery{Since: later}, []audit.Event{"plan.created"}, 1},
		{"until", engine.AuditQuery{Until: later, Event: audit.PlanCreated}, []audit.Event{"plan.created", "plan.created"}, 2},
		{"the newest", engine.AuditQuery{Last: 2}, []audit.Event{"apply.end", "plan.created"}, 6},
		{"another profile", engine.AuditQuery{Profile: "nobody"}, []audit.Event{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, err := r.engine.Audit(t.Context(), tt.query)
			if err != nil {
				t.Fatal(err)
			}
			got := []audit.Event{}
			for _, record := range found.Records {
				got = append(got, record.Event)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || found.Total != tt.total {
				t.Errorf("%d in all: %s", found.Total, diff)
			}
		})
	}
	if found, err := r.engine.Audit(t.Context(), engine.AuditQuery{Last: 1}); err != nil || found.Records[0].PlanID != second {
		t.Errorf("the newest is %+v, %v", found, err)
	}
}

func TestADamagedAuditLogIsNotShownAsIfItWereWhole(t *testing.T) {
	r := newRig(t)
	r.mustPlan("[" + address("a") + "]")
	tamper := func(change func([]byte) []byte) {
		if err := r.world.State.Audit().Tamper(change); err != nil {
			t.Fatal(err)
		}
	}
	tamper(func(data []byte) []byte { return append(data, "{\"v\":1"...) })
	found, err := r.engine.Audit(t.Context(), engine.AuditQuery{})
	if err != nil || !found.Torn || len(found.Records) != 1 {
		t.Fatalf("torn: %+v, %v", found, err)
	}
	tamper(func(data []byte) []byte { return bytes.Replace(data, []byte("alice"), []byte("mallo"), 1) })
	if _, err := r.engine.Audit(t.Context(), engine.AuditQuery{}); fault.CodeOf(err) != fault.Config {
		t.Errorf("damaged: %v", err)
	}
	var none plan.ID
	if found, err := newRig(t).engine.Audit(t.Context(), engine.AuditQuery{Plan: none}); err != nil || len(found.Records) != 0 || found.Records == nil {
		t.Errorf("empty: %+v, %v", found, err)
	}
}
