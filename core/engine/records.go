package engine

import (
	"bytes"
	"context"
	"time"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// AuditQuery narrows the records of the audit log. Zero fields do not narrow.
type AuditQuery struct {
	Plan    plan.ID
	Profile string
	Event   audit.Event
	// Since and Until bound the time of a record; Until is excluded.
	Since, Until time.Time
	// Last is how many of the newest that fit are given; 0 for all.
	Last int
}

func (q AuditQuery) takes(r audit.Record) bool {
	return (q.Plan.IsZero() || q.Plan == r.PlanID || q.Plan == r.Parent) &&
		(q.Profile == "" || q.Profile == r.Profile) &&
		(q.Event == "" || q.Event == r.Event) &&
		(q.Since.IsZero() || !r.At.Before(q.Since)) &&
		(q.Until.IsZero() || r.At.Before(q.Until))
}

// AuditRecords are records of the audit log, oldest first.
type AuditRecords struct {
	Records []audit.Record `json:"records"`
	// Total is how many fit the query, those left out included.
	Total int `json:"total"`
	// Torn: the last line of the log is incomplete.
	Torn bool `json:"torn,omitempty"`
}

// Audit gives records of the audit log. It reads line by line, keeps no more than
// what it gives, and checks each line's own form and hash; whether the chain holds is
// for [Engine.VerifyAudit] to say. Failures: config where a line is damaged.
func (e *Engine) Audit(ctx context.Context, q AuditQuery) (*AuditRecords, error) {
	found := &AuditRecords{Records: []audit.Record{}}
	for line, err := range e.ports.Audit.Lines(ctx) {
		if fault.CodeOf(err) == fault.NotFound { // nothing was ever recorded here
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		body, whole := bytes.CutSuffix(line, []byte("\n"))
		if !whole {
			found.Torn = true
			break
		}
		r, err := audit.ParseLine(body)
		if err != nil {
			return nil, fault.Wrap(err, fault.Config, "the audit log is damaged; find out where with: forti audit verify%s", e.options.CommandSuffix)
		}
		if q.takes(r) {
			found.add(r, q.Last)
		}
	}
	return found, nil
}

func (a *AuditRecords) add(r audit.Record, last int) {
	a.Total++
	a.Records = append(a.Records, r)
	if last > 0 && len(a.Records) > last {
		a.Records = a.Records[1:]
	}
}

// RepairAudit makes a damaged audit log go on, on record: what stood before the
// damage stays, the rest is set aside, and nothing is thrown away. It says what was
// done, "" where nothing had to be. Only an operator decides to call it.
//
// Failures: config where the log cannot be written, or where its store cannot repair.
func (e *Engine) RepairAudit(ctx context.Context, c Caller) (string, error) {
	r, ok := e.ports.Audit.(port.AuditRepairer)
	if !ok {
		return "", fault.New(fault.Config, "this audit log is kept by a store that does not repair; look there")
	}
	return r.Repair(ctx, e.entry(c, audit.Repaired, nil))
}
