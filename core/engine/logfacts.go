package engine

import (
	"bytes"
	"context"
	"time"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
)

// logFacts is what an apply must know of the audit log.
type logFacts struct {
	// created are the digests with which plans were created.
	created map[plan.ID]canon.Digest
	// gap is when the log was repaired after it had lost records, for the last time.
	gap time.Time
	// doubtful are the plans that were created before that.
	doubtful map[plan.ID]bool
	// refused: the newest record is a refusal of the plan that was asked for.
	refused bool
	// ended are the plans whose end is on record, and when that was written.
	ended map[plan.ID]time.Time
	// pruned are the plans whose removal is on record.
	pruned map[plan.ID]bool
	// begun are runs of which the log has a beginning and nothing after it.
	begun map[plan.ID]audit.Record
	// granted are the approvals that were given, and revoked the plans that were
	// withdrawn: what a file says without the log is not believed, and a mark that is gone
	// is still on record.
	granted map[given]bool
	revoked map[plan.ID]bool
	// newest is the latest time on record. It is not that of the last record: what is
	// refused with a clock that was set back is on record with that clock's time.
	newest time.Time
}

// given is an approval as the log names it: what was approved, and the file of it.
type given struct {
	plan         plan.ID
	digest, file canon.Digest
}

// readLog reads the log once. What decides over plans is parsed and must have its own
// hash: of creations and approvals those of the plans that are asked for, and what says
// that records or plans are gone. Of runs, of which a log can have any number, only the
// names are read, and those that did not end are parsed. Verifying the whole chain is
// audit verify's task; a damaged line proves nothing here.
func (e *Engine) readLog(ctx context.Context, asked ...plan.ID) (logFacts, error) {
	facts := logFacts{
		created: map[plan.ID]canon.Digest{}, doubtful: map[plan.ID]bool{}, begun: map[plan.ID]audit.Record{},
		ended: map[plan.ID]time.Time{}, pruned: map[plan.ID]bool{},
		granted: map[given]bool{}, revoked: map[plan.ID]bool{},
	}
	wanted := make(map[string]bool, len(asked))
	for _, id := range asked {
		wanted[id.String()] = true
	}
	open := map[string][]byte{} // the beginnings of runs that have no end yet
	var last []byte
	for line, err := range e.ports.Audit.Lines(ctx) {
		if err != nil {
			return facts, err
		}
		last = append(last[:0], line...)
		at := timeOf(line)
		if at.After(facts.newest) {
			facts.newest = at
		}
		switch event, id := eventOf(line), planOf(line); event {
		case audit.PlanCreated, audit.ApprovalGranted, audit.ApprovalRevoked:
			if wanted[string(id)] {
				facts.parse(line)
			}
		case audit.Gap, audit.StatePruned:
			facts.parse(line)
		case audit.ApplyBegin:
			open[string(id)] = bytes.Clone(line)
		case audit.ApplyAborted, audit.ApplyEnd:
			delete(open, string(id))
			if done, err := plan.ParseID(string(id)); err == nil && event == audit.ApplyEnd {
				facts.ended[done] = at
			}
		default:
		}
	}
	for _, line := range open {
		facts.parse(line)
	}
	facts.refused = eventOf(last) == audit.ApplyRefused && wanted[string(planOf(last))]
	return facts, nil
}

// parse takes a line that is whole.
func (f *logFacts) parse(line []byte) {
	if r, err := audit.ParseLine(bytes.TrimSuffix(line, []byte("\n"))); err == nil {
		f.take(r)
	}
}

// planOf is the plan of a record, empty where the line has none.
func planOf(line []byte) []byte {
	_, rest, _ := bytes.Cut(line, []byte(`"plan_id":"`))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	return id
}

// eventOf is the event of a record, "" where the line has none.
func eventOf(line []byte) audit.Event {
	_, rest, _ := bytes.Cut(line, []byte(`"event":"`))
	name, _, _ := bytes.Cut(rest, []byte(`"`))
	return audit.Event(name)
}

func (f *logFacts) take(r audit.Record) {
	switch r.Event {
	case audit.PlanCreated:
		f.created[r.PlanID] = r.Digest
	case audit.ApplyBegin:
		f.begun[r.PlanID] = r
	case audit.Gap:
		f.gap = r.At
		for id := range f.created {
			f.doubtful[id] = true
		}
	case audit.StatePruned:
		f.pruned[r.PlanID] = true
	case audit.ApprovalGranted:
		if r.Approval != nil {
			f.granted[given{r.PlanID, r.Digest, r.Approval.File}] = true
		}
	case audit.ApprovalRevoked:
		f.revoked[r.PlanID] = true
	case audit.ApplyRefused, audit.ApplyAborted, audit.ApplyEnd, audit.ApplyRecovered, audit.ApprovalRefused,
		audit.ConfigChanged, audit.BackupSaved, audit.BackupRemoved, audit.Rotated, audit.Repaired:
	}
}

// doubts reports whether the log lost records after a plan was made: the plan may have
// been executed, whatever the rest of the state says. A plan that only a journal
// vouches for goes by its time.
func (f *logFacts) doubts(p *plan.Plan) bool {
	if _, known := f.created[p.ID]; known {
		return f.doubtful[p.ID]
	}
	return !f.gap.IsZero() && !p.CreatedAt.After(f.gap)
}

// timeOf is the time of a record, zero where the line has none. Within a text of the
// record the quotes would be escaped; the name stands near the end of the line.
func timeOf(line []byte) time.Time {
	const name = `"ts":"`
	i := bytes.LastIndex(line, []byte(name))
	if i < 0 {
		return time.Time{}
	}
	rest := line[i+len(name):]
	text, _, _ := bytes.Cut(rest, []byte(`"`))
	at, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return time.Time{}
	}
	return at
}
