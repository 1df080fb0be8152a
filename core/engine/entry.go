package engine

import (
	"context"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// entry begins an audit record about a plan.
func (e *Engine) entry(c Caller, event audit.Event, s *stored) audit.Entry {
	boot, since := e.ports.Clock.Boot()
	entry := audit.Entry{
		Event: event, At: e.ports.Clock.Now().UTC(), Boot: boot, BootTime: since.Microseconds(),
		Program: c.Program, PID: c.PID, UID: c.UID, User: redact.Line(c.User, 64), Host: redact.Line(c.Host, 64),
		Client: redact.Line(c.Client, 64),
	}
	if s == nil {
		return entry
	}
	entry.PlanID, entry.Digest, entry.Kind, entry.Parent = s.ID, s.digest, s.Kind, s.Parent
	entry.Profile, entry.Serial, entry.VDOM, entry.Risk = s.Device.Profile, s.Device.Serial, s.Device.VDOM, s.Risk.Tier
	return entry
}

// RecordConfig records that the operator made or changed a profile: who set which
// mode, and when, is part of the story. config when the log cannot be written.
func (e *Engine) RecordConfig(ctx context.Context, c Caller, name string, m profile.Mode) error {
	if err := profile.CheckName(name); err != nil {
		return err
	}
	entry := e.entry(c, audit.ConfigChanged, nil)
	entry.Profile, entry.Mode = name, m
	_, err := e.ports.Audit.Append(ctx, entry)
	return err
}

// auditOps lists a plan's operations for a record; outcomes may be nil.
func auditOps(p *plan.Plan, outcomes []apply.Outcome) []audit.Op {
	ops := make([]audit.Op, 0, len(p.Operations))
	for i, op := range p.Operations {
		a := audit.Op{Op: op.Op, Resource: op.Resource, Key: redact.Line(op.Key.String(), 255), Wire: wireDigest(op)}
		if outcomes != nil {
			o := outcomes[i]
			a.Status, a.Class, a.HTTP = string(o.Status), string(o.Class), o.HTTP
			a.Changed, a.Observed = string(o.Changed), string(o.Observed)
		}
		ops = append(ops, a)
	}
	return ops
}

// wireDigest is the hash of an operation's request. It cannot fail for a stored
// plan, whose requests were encoded before.
func wireDigest(op plan.Operation) canon.Digest {
	d, err := op.Wire.Digest()
	if err != nil {
		return canon.Digest{}
	}
	return d
}

// refused records that an apply was refused. It is best effort: the refusal
// stands whether or not it could be recorded.
//
// A refusal that follows one of the same plan is left out, so that asking again and
// again cannot fill the log.
func (e *Engine) refused(ctx context.Context, c Caller, s *stored, err error) {
	if s.log.refused {
		return
	}
	entry := e.entry(c, audit.ApplyRefused, s)
	f := fault.From(err)
	entry.Code = string(f.Code)
	if reason, ok := f.Details["reason"].(string); ok {
		entry.Note = reason
	}
	_, _ = e.ports.Audit.Append(context.WithoutCancel(ctx), entry)
}
