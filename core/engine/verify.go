package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
)

// VerifyAudit checks the audit chain, its anchor, and that journals and approvals
// agree with it.
func (e *Engine) VerifyAudit(ctx context.Context) (audit.Report, error) {
	first, err := e.ports.Audit.First(ctx)
	if fault.CodeOf(err) == fault.NotFound { // nothing was ever recorded here
		return audit.Report{BadSeq: -1}, nil
	}
	if err != nil {
		return audit.Report{}, err
	}
	anchor, anchored, err := e.ports.Audit.Anchor(ctx)
	if err != nil {
		return audit.Report{}, err
	}
	x := crossCheck{begun: map[plan.ID]int{}, ended: map[plan.ID][]audit.Record{}, granted: map[canon.Digest]bool{}, pruned: map[plan.ID]bool{}}
	report, err := audit.Verify(first, e.ports.Audit.Lines(ctx), func(r audit.Record) {
		x.take(r)
		if anchored && r.Seq == anchor.Seq {
			x.anchorHash = r.Hash
		}
	})
	if err != nil || report.Broken() {
		return report, err
	}
	for _, seq := range x.gaps {
		report.Warnings = append(report.Warnings, fmt.Sprintf("record %d says that records before it were cut off", seq))
	}
	if anchored {
		checkAnchor(&report, anchor, x.anchorHash)
	}
	if report.Torn {
		report.Incomplete = append(report.Incomplete, "the last line is torn; the next record sets it aside")
	}
	if report.Broken() {
		return report, nil
	}
	return report, e.cross(ctx, &report, x)
}

// checkAnchor compares the log with the head that is remembered outside of it. A
// torn last line may be the very record that the anchor remembers.
func checkAnchor(report *audit.Report, anchor audit.Head, found canon.Digest) {
	switch {
	case report.Torn && anchor.Seq == uint64(report.Records): //nolint:gosec // a log has fewer than 2^63 records
	case report.Head == nil || report.Head.Seq < anchor.Seq:
		report.BadSeq, report.Problem = int64(report.Records), fmt.Sprintf("the log ends before record %d, which the anchor remembers: the end was cut off or the state is an older copy", anchor.Seq)
	case found != anchor.Hash:
		report.BadSeq, report.Problem = int64(anchor.Seq), fmt.Sprintf("record %d is not the one that the anchor remembers", anchor.Seq) //nolint:gosec // a log has fewer than 2^63 records
	}
}

// crossCheck is what the log says about plans.
type crossCheck struct {
	begun      map[plan.ID]int
	ended      map[plan.ID][]audit.Record
	granted    map[canon.Digest]bool
	anchorHash canon.Digest
	// pruned are the plans whose removal is on record.
	pruned map[plan.ID]bool
	// gaps are the records that say that others were cut off before them.
	gaps []uint64
}

func (x *crossCheck) take(r audit.Record) {
	switch r.Event {
	case audit.StatePruned:
		x.pruned[r.PlanID] = true
	case audit.Gap:
		x.gaps = append(x.gaps, r.Seq)
	case audit.ApplyBegin:
		x.begun[r.PlanID]++
	case audit.ApplyEnd:
		x.ended[r.PlanID] = append(x.ended[r.PlanID], r)
	case audit.ApprovalGranted:
		if r.Approval != nil {
			x.granted[r.Approval.File] = true
		}
	case audit.PlanCreated, audit.ApprovalRefused, audit.ApprovalRevoked, audit.ApplyRefused, audit.ApplyAborted,
		audit.ApplyRecovered, audit.ConfigChanged, audit.BackupSaved, audit.BackupRemoved, audit.Rotated,
		audit.Repaired:
	}
}

// cross compares the journals with the log.
func (e *Engine) cross(ctx context.Context, report *audit.Report, x crossCheck) error {
	ids, err := e.ports.Journals.List(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		raw, err := e.ports.Journals.Read(ctx, id)
		if err != nil {
			return err
		}
		records, _, err := apply.ParseJournal(raw)
		if err != nil {
			report.Problem = fmt.Sprintf("the journal of plan %s is damaged", id)
			report.BadSeq = int64(report.Records)
			return nil //nolint:nilerr // the report carries it
		}
		x.journal(report, id, raw, records)
		if report.Broken() {
			return nil
		}
	}
	for id := range x.ended {
		if !slices.Contains(ids, id) && !x.pruned[id] {
			report.BadSeq, report.Problem = int64(report.Records), fmt.Sprintf("plan %s was executed and its journal is gone", id)
			return nil
		}
	}
	plans, err := e.ports.Plans.List(ctx)
	if err != nil {
		return err
	}
	for _, id := range plans {
		file, err := e.ports.Approvals.Get(ctx, id)
		if err != nil {
			continue
		}
		if !x.granted[canon.Sum(file)] {
			report.Incomplete = append(report.Incomplete, fmt.Sprintf("the approval of plan %s is not the one on record", id))
		}
	}
	return nil
}

func (x crossCheck) journal(report *audit.Report, id plan.ID, raw []byte, records []apply.Record) {
	broken := func(format string, args ...any) {
		report.BadSeq, report.Problem = int64(report.Records), fmt.Sprintf(format, args...)
	}
	ended, unapproved := false, false
	var state apply.State
	for _, r := range records {
		switch r.Type {
		case apply.Claimed:
			unapproved = r.Mode == profile.Guarded && !x.granted[r.Approval]
		case apply.Ended:
			ended, state = true, r.State
		case apply.Intended, apply.Answered, apply.Judged, apply.Probed, apply.RolledOut, apply.Recovered:
		}
	}
	switch ends := x.ended[id]; {
	case x.begun[id] == 0 && len(x.gaps) > 0:
		report.Incomplete = append(report.Incomplete, fmt.Sprintf("plan %s was executed and its records were cut off, as record %d says", id, x.gaps[0]))
	case x.begun[id] == 0:
		broken("plan %s was executed and the log has no beginning of it", id)
	case unapproved && len(x.gaps) == 0:
		broken("plan %s was executed in guarded mode with an approval that nobody gave on record", id)
	case !ended:
		report.Incomplete = append(report.Incomplete, fmt.Sprintf("the run of plan %s has no end yet", id))
	case len(ends) == 0:
		report.Incomplete = append(report.Incomplete, fmt.Sprintf("the end of plan %s is not in the log yet", id))
	case ends[len(ends)-1].Journal != canon.Sum(raw):
		broken("the journal of plan %s is not the one on record", id)
	case state == apply.UnknownOutcome:
		report.Incomplete = append(report.Incomplete, fmt.Sprintf("the outcome of plan %s is unknown; look at the device", id))
	}
}

// Broken is the error of a broken audit log, for callers that want one.
func Broken(r audit.Report) error {
	if !r.Broken() {
		return nil
	}
	return fault.New(fault.Config, "the audit log is broken at record %d: %s", r.BadSeq, r.Problem).With("bad_seq", r.BadSeq)
}
