package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/ledger"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// execute runs the plan to its end. From the claim on nothing is given up in the
// middle: what was begun is finished and recorded, whatever becomes of ctx.
func (r *run) execute(ctx context.Context) (*Execution, error) {
	if err := r.prepare(ctx); err != nil {
		r.gaveUp(ctx, err)
		return nil, err
	}
	r.machine = apply.NewMachine(r.steps())
	book, err := r.walk(ctx, context.WithoutCancel(ctx))
	if err != nil {
		r.gaveUp(ctx, err)
		return nil, err
	}
	r.outcomes = r.machine.Outcomes()
	if book == nil { // the first look again found a change, and nothing was claimed
		err := r.unclaimed()
		r.gaveUp(ctx, err)
		return nil, err
	}
	r.lost, r.broken = r.machine.Lost(), r.machine.Broken() != nil
	return r.finish(context.WithoutCancel(ctx), false)
}

func (r *run) steps() []apply.Step {
	steps := make([]apply.Step, 0, len(r.plan.Operations))
	for _, op := range r.plan.Operations {
		steps = append(steps, apply.Step{
			// A critical plan is probed at its end as well.
			Critical: op.Tier.Rank() >= plan.Critical.Rank() || (r.plan.IsCritical() && op.Index == len(r.plan.Operations)-1),
			Action:   op.Op == plan.OpAction,
			Target:   exchange.Target{Serial: r.plan.Device.Serial, VDOM: op.VDOM},
		})
	}
	return steps
}

// walk does what the machine says. ctx may end the run between operations; safe is
// for what must be finished. The book is nil where the plan was not claimed.
func (r *run) walk(ctx, safe context.Context) (*ledger.Book, error) {
	var book *ledger.Book
	var intent *ledger.Intent
	now := attempt{}
	for {
		do, i := r.machine.Next()
		op := r.plan.Operations[min(i, len(r.plan.Operations)-1)]
		switch do {
		case apply.DoCheck:
			now = r.check(ctx, op)
			r.machine.Checked(now.check, now.why, now.skipped)
			r.recordStop(safe, book, i, now.check)
		case apply.DoClaim:
			var err error
			if book, err = r.claim(safe); err != nil {
				return nil, err
			}
			r.book = book
			r.machine.ClaimMade()
		case apply.DoIntend:
			var err error
			intent, err = book.Intend(safe, i, op.Wire)
			r.machine.IntentRecorded(fault.From(err))
		case apply.DoSend:
			r.news(safe, port.StageSend, i, "", "%s", summary(op))
			x, err := intent.Send(safe, r.session.device, r.secrets)
			if err != nil {
				return book, fault.Wrap(err, fault.Internal, "a request was about to be sent twice")
			}
			x.Text = hush(x.Text, r.secrets)
			r.machine.Sent(x)
		case apply.DoAnswer:
			x, class := r.machine.Answer()
			r.machine.AnswerRecorded(fault.From(book.Record(safe, apply.Record{
				Type: apply.Answered, Op: &i, Class: class, HTTP: x.Status, Sent: x.Sent,
			})))
		case apply.DoReadBack:
			r.news(safe, port.StageVerify, i, "", "reading back %s", label(op.Resource, op.Key))
			r.machine.ReadBack(r.readBack(safe, op, now))
		case apply.DoVerdict:
			o := r.machine.Outcomes()[i]
			r.news(safe, port.StageDone, i, o.Status, "%s", summary(op))
			r.machine.VerdictRecorded(fault.From(book.Record(safe, apply.Record{Type: apply.Judged, Op: &i, Verdict: &o})))
		case apply.DoProbe:
			ok := r.probe(safe)
			r.machine.ProbeDone(ok, fault.From(book.Record(safe, apply.Record{Type: apply.Probed, Op: &i, OK: &ok})))
		case apply.DoFinish:
			return book, nil
		}
	}
}

// recordStop writes down why an operation was not attempted, for those who look at the
// plan later. Before the claim there is no journal to write to.
func (r *run) recordStop(ctx context.Context, book *ledger.Book, i int, c apply.Check) {
	if book == nil || c != apply.CheckDrift && c != apply.CheckFailed {
		return
	}
	o := r.machine.Outcomes()[i]
	if err := book.Record(ctx, apply.Record{Type: apply.Judged, Op: &i, Verdict: &o}); err != nil {
		r.notes = append(r.notes, fmt.Sprintf("why operation %d was not attempted could not be written to the journal", i))
	}
}

// claim publishes the journal: from here on the plan is executed and its approval used.
func (r *run) claim(ctx context.Context) (*ledger.Book, error) {
	// What was asked at the start may be hours old by now: a backup takes its time.
	if err := r.consented(ctx); err != nil {
		return nil, err
	}
	boot, _ := r.engine.ports.Clock.Boot()
	first := apply.Record{Digest: r.plan.digest, Mode: r.profile.Mode, Serial: r.plan.Device.Serial, BootID: boot}
	if r.file != nil {
		first.Approval = canon.Sum(r.file)
	}
	r.news(ctx, port.StageClaim, -1, "", "recording that this plan is being executed")
	book, err := ledger.Claim(ctx, r.engine.ports.Journals, r.engine.ports.Clock.Now, r.plan.ID, first)
	if fault.CodeOf(err) == fault.Conflict {
		if used := r.unused(ctx); used != nil {
			return nil, used
		}
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Config, "the journal cannot be written (%s); nothing was sent; %s", fault.From(err).Message, r.engine.mendState())
	}
	return book, nil
}

// unclaimed is the error of a run that found a change before anything was sent.
func (r *run) unclaimed() error {
	o := r.outcomes[0]
	if o.Code == fault.StalePlan {
		return stale(r.plan, "object", o.Message).With("operation", 0)
	}
	return fault.New(o.Code, "%s", o.Message)
}

// probePauses bound the probe: an interface change may need a moment.
var probePauses = [...]time.Duration{0, 3 * time.Second, 10 * time.Second}

// probe asks for the device's identity over a new connection. Where the profile's
// address is lost, its other addresses are tried: which of them answers is told, and
// decides what a human can do.
func (r *run) probe(ctx context.Context) bool {
	r.news(ctx, port.StageProbe, -1, "", "checking that the device can still be managed")
	for _, pause := range probePauses {
		if pause > 0 && r.engine.ports.Clock.Sleep(ctx, pause) != nil {
			break
		}
		id, err := r.session.device.Probe(ctx)
		if err == nil {
			return id.Serial == r.plan.Device.Serial
		}
	}
	r.reachable = r.elsewhere(ctx)
	return false
}

// elsewhere is the first other address of the profile at which the device answers.
func (r *run) elsewhere(ctx context.Context) string {
	for _, host := range r.profile.AltHosts {
		r.news(ctx, port.StageProbe, -1, "", "trying %s", redact.Line(host, 100))
		p := r.profile
		p.Host = host
		if r.answers(ctx, p) {
			return host
		}
	}
	return ""
}

// answers says whether the plan's device answers at a profile's address, under the
// same trust.
func (r *run) answers(ctx context.Context, p profile.Profile) bool {
	device, err := r.engine.ports.Devices.Open(ctx, p)
	if err != nil {
		return false
	}
	defer device.Close() //nolint:errcheck // nothing was written through it
	id, err := device.Probe(ctx)
	return err == nil && id.Serial == r.plan.Device.Serial
}
