package engine_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/plan/planfile"
)

// TestNothingIsToldThatDidNotHappen: any plan, any trouble with any write, a process that
// dies at any durable step and is started again as often as it likes. Each write goes out
// at most once, an approval is used at most once, nothing that took effect is called not
// attempted or without effect, nothing is called verified that took none, and every write
// has its intent in the journal and its beginning in the audit log.
func TestNothingIsToldThatDidNotHappen(t *testing.T) {
	names := slices.Sorted(maps.Keys(troubles))
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, planted)
		r.world.Device.OnAction("monitor/firewall/policy/clear_counters", func(map[string]any) error { return nil })
		v, ops := r.possible(rt, operations(rt))
		if v == nil {
			return
		}
		r.approve(v.PlanID)
		trouble := rapid.SampledFrom(names).Draw(rt, "trouble")
		if trouble != "none" {
			at := rapid.IntRange(0, len(v.Operations)-1).Draw(rt, "at")
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Skip: at, Times: 1}, Fault: troubles[trouble]})
		}
		lives := rapid.IntRange(0, 3).Draw(rt, "deaths")
		for range lives {
			r.world.State.Break(death(rt))
			_, _ = r.apply(v.PlanID) // how it ended is looked at below
			r.world.Restart()
			r.start()
			r.world.Clock.Advance(2 * time.Minute)
		}
		first, _ := r.apply(v.PlanID)
		sent := len(r.calls(fake.CallSend))
		second, _ := r.apply(v.PlanID)
		if second != nil && first != nil || len(r.calls(fake.CallSend)) != sent {
			rt.Fatalf("the plan ran twice:\n%s", ops)
		}
		r.true(rt, v.PlanID, ops)
	})
}

// death draws a durable step and how the process dies at it.
func death(t *rapid.T) fake.Break {
	b := fake.Break{
		Step: rapid.SampledFrom([]string{fake.StepJournal, fake.StepJournal, fake.StepAudit, fake.StepClaim, fake.StepPlan, fake.StepBackup, fake.StepEraseSecrets}).Draw(t, "step"),
		Nth:  rapid.IntRange(1, 12).Draw(t, "nth"), How: rapid.SampledFrom([]fake.How{fake.DieBefore, fake.DieTorn, fake.DieAfter}).Draw(t, "how"),
	}
	if b.Step != fake.StepJournal {
		b.Nth = 1 + b.Nth%3
	}
	if b.Step == fake.StepAudit && b.How == fake.DieAfter { // there the fake's anchor is lost
		b.How = fake.DieTorn
	}
	return b
}

// true compares what is told of a plan with what the device saw.
func (r *rig) true(t *rapid.T, id plan.ID, ops string) {
	raw, err := r.world.State.Plans().Get(r.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := planfile.Decode(raw.File, raw.Digest)
	if err != nil {
		t.Fatal(err)
	}
	shown := r.shown(id)
	if shown.Execution == nil {
		if len(r.calls(fake.CallSend)) > 0 {
			t.Fatalf("writes were sent and the plan is %s", shown.State)
		}
		return
	}
	intents := r.intents(t, id)
	for i, op := range p.Operations {
		digest, err := op.Wire.Digest()
		if err != nil {
			t.Fatal(err)
		}
		tries, effect, ignored := 0, false, false
		for _, e := range r.world.Device.Requests() {
			if d, err := e.Request.Digest(); e.Call == fake.CallSend && err == nil && d == digest {
				tries, effect, ignored = tries+1, effect || e.Effect, ignored || e.Ignored || !e.Arrived
			}
		}
		same := 0 // the same request can stand in a plan more than once
		for _, other := range p.Operations {
			if d, err := other.Wire.Digest(); err == nil && d == digest {
				same++
			}
		}
		o := shown.Execution.Operations[i]
		switch {
		case tries > same:
			t.Fatalf("operation %d was sent %d times:\n%s", i, tries, ops)
		case tries > intents[digest]:
			t.Fatalf("operation %d was sent %d times with %d intents on record:\n%s", i, tries, intents[digest], ops)
		case same > 1:
		case effect && (o.Status == exchange.NotAttempted || o.Changed == exchange.ChangedNo):
			t.Fatalf("operation %d took effect and is told to be %s, changed %s:\n%s", i, o.Status, o.Changed, ops)
		case tries == 0 && o.Status == exchange.Verified && o.Changed == exchange.ChangedYes:
			t.Fatalf("operation %d was never sent and is told to be verified:\n%s", i, ops)
		case ignored && !effect && o.Status == exchange.Verified && op.Op != plan.OpAction && o.Changed == exchange.ChangedYes:
			t.Fatalf("operation %d took no effect and is told to be verified:\n%s", i, ops)
		}
	}
	begun := 0
	for _, e := range r.events(id) {
		if e.Event == audit.ApplyBegin {
			begun++
		}
	}
	if begun == 0 {
		t.Fatalf("the plan ran without a beginning on record:\n%s", ops)
	}
	if report, err := r.engine.VerifyAudit(r.Context()); err != nil || report.Broken() {
		t.Fatalf("audit: %v %s\n%s", err, show(report), ops)
	}
}

// intents counts the intents in a plan's journal by their request.
func (r *rig) intents(t *rapid.T, id plan.ID) map[canon.Digest]int {
	data, err := r.world.State.Journals().Read(r.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	records, _, err := apply.ParseJournal(data)
	if err != nil {
		t.Fatal(err)
	}
	counted := map[canon.Digest]int{}
	for _, rec := range records {
		if rec.Type == apply.Intended {
			counted[rec.Wire]++
		}
	}
	return counted
}
