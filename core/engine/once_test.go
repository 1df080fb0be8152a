package engine_test

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// countedLog counts how often the whole log is read.
type countedLog struct {
	port.AuditLog
	reads *int
}

func (l countedLog) Lines(ctx context.Context) iter.Seq2[[]byte, error] {
	*l.reads++
	return l.AuditLog.Lines(ctx)
}

// countedJournals counts which journals are read.
type countedJournals struct {
	port.Journals
	lists *int
	reads map[plan.ID]int
}

func (j countedJournals) List(ctx context.Context) ([]plan.ID, error) {
	*j.lists++
	return j.Journals.List(ctx)
}

func (j countedJournals) Read(ctx context.Context, id plan.ID) ([]byte, error) {
	j.reads[id]++
	return j.Journals.Read(ctx, id)
}

// However long the log and however many the runs before it, an apply reads the log
// once, lists the journals once, and opens none of a run that ended before the settle
// period.
func TestAnApplyReadsTheLogOnceAndNoJournalThatCannotMatter(t *testing.T) {
	r := newRig(t)
	var old []plan.ID
	for _, name := range []string{"one", "two", "three"} {
		old = append(old, r.done("["+address(name)+"]").PlanID)
		r.world.Clock.Advance(time.Minute)
	}
	id := r.approved("[" + address("four") + "]")
	logs, lists, reads := 0, 0, map[plan.ID]int{}
	r.start(func(p *engine.Ports) {
		p.Audit = countedLog{p.Audit, &logs}
		p.Journals = countedJournals{p.Journals, &lists, reads}
	})
	r.mustApply(id)
	if logs != 1 || lists != 1 {
		t.Errorf("the log was read %d times, the journals listed %d times", logs, lists)
	}
	for _, other := range old {
		if reads[other] != 0 {
			t.Errorf("the journal of plan %s was read %d times", other, reads[other])
		}
	}
}
