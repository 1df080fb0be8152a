package engine

import (
	"bytes"
	"context"
	"time"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/plan"
)

// logFacts is what an apply must know of the audit log.
type logFacts struct {
	// created is the record of the plan's creation; nil where there is none.
	created *audit.Record
	// ended are the plans whose end is on record.
	ended map[plan.ID]bool
	// newest is the time of the newest record.
	newest time.Time
}

// readLog reads the log once, parsing only the lines that matter. Verifying the
// whole chain is audit verify's task; a damaged line proves nothing here.
func (e *Engine) readLog(ctx context.Context, id plan.ID) (logFacts, error) {
	facts := logFacts{ended: map[plan.ID]bool{}}
	needle, end := []byte(`"`+id.String()+`"`), []byte(`"event":"`+string(audit.ApplyEnd)+`"`)
	var last []byte
	for line, err := range e.ports.Audit.Lines(ctx) {
		if err != nil {
			return facts, err
		}
		last = append(last[:0], line...)
		if !bytes.Contains(line, needle) && !bytes.Contains(line, end) {
			continue
		}
		r, err := audit.ParseLine(bytes.TrimSuffix(line, []byte("\n")))
		switch {
		case err != nil:
		case r.Event == audit.PlanCreated && r.PlanID == id:
			facts.created = &r
		case r.Event == audit.ApplyEnd:
			facts.ended[r.PlanID] = true
		}
	}
	if r, err := audit.ParseLine(bytes.TrimSuffix(last, []byte("\n"))); err == nil {
		facts.newest = r.At
	}
	return facts, nil
}
