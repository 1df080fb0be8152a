// Package apply is the pure part of executing a plan: which step comes next,
// what each answer means for it, what the journal says happened, and what state
// a plan is in. It performs nothing.
package apply

import (
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

// State is the derived state of a plan. It is never stored by itself, so it
// cannot disagree with the evidence.
type State string

// The states of a plan.
const (
	Planned        State = "planned"
	Approved       State = "approved"
	PlanExpired    State = "expired"
	PlanRevoked    State = "revoked"
	Applying       State = "applying"
	Applied        State = "applied"
	Partial        State = "partial"
	UnknownOutcome State = "outcome_unknown"
	FailedState    State = "failed"
	// Interrupted: the journal has no end and nobody works on it any more.
	Interrupted State = "interrupted"
)

// History is what a journal tells.
type History struct {
	Claim    Record
	Outcomes []Outcome
	// InFlight is the operation whose intent has no verdict, or -1.
	InFlight int
	// IntentAt is the record of that intent, and Answer its answer if one came.
	Intent, Answer *Record
	// Rollback is the plan that undoes this one, and RollbackDigest its digest.
	Rollback       plan.ID
	RollbackDigest canon.Digest
	Ended          bool
	Recovered      bool
	// LostManagement: a probe failed.
	LostManagement bool
	End            *Record
	// Next is the number of the next line.
	Next int
}

// Replay reads the records of a plan with n operations. Operations without a
// verdict are not_attempted, the one in flight is judged by [History.Settle].
func Replay(records []Record, n int) History {
	h := History{InFlight: -1, Outcomes: make([]Outcome, n), Next: len(records)}
	for i := range h.Outcomes {
		h.Outcomes[i] = Outcome{Status: exchange.NotAttempted, Changed: exchange.ChangedNo}
	}
	for i := range records {
		h.take(&records[i])
	}
	return h
}

func (h *History) take(r *Record) {
	switch r.Type {
	case Claimed:
		h.Claim = *r
	case Intended:
		h.InFlight, h.Intent, h.Answer = index(r, len(h.Outcomes)), r, nil
	case Answered:
		if index(r, len(h.Outcomes)) == h.InFlight {
			h.Answer = r
		}
	case Judged:
		i := index(r, len(h.Outcomes))
		if i >= 0 && r.Verdict != nil {
			h.Outcomes[i] = *r.Verdict
		}
		if i == h.InFlight {
			h.InFlight = -1
		}
	case Probed:
		if r.OK != nil && !*r.OK {
			h.LostManagement = true
		}
	case RolledOut:
		h.Rollback, h.RollbackDigest = r.Rollback, r.Digest
	case Ended:
		h.Ended, h.End = true, r
	case Recovered:
		h.Recovered = true
	}
}

func index(r *Record, n int) int {
	if r.Op == nil || *r.Op < 0 || *r.Op >= n {
		return -1
	}
	return *r.Op
}

// Settle judges the operation that was in flight when the process died. Its
// request may have reached the device, so nothing better than the answer on
// record is believed: a recorded success is applied but unverified, a recorded
// proof that nothing was sent is failed, anything else is unknown.
func (h *History) Settle() {
	if h.InFlight < 0 {
		return
	}
	o := Outcome{
		Status: exchange.OutcomeUnknown, Changed: exchange.ChangedUnknown, Observed: exchange.NotChecked,
		Code:    fault.OutcomeUnknown,
		Message: "the program ended while this request was under way; it may or may not have taken effect",
	}
	if h.Answer != nil {
		o.Class, o.HTTP = h.Answer.Class, h.Answer.HTTP
		switch v := exchange.Decide(o.Class, exchange.NotChecked); v.Status {
		case exchange.AppliedUnverified:
			o.Status, o.Changed, o.Code = v.Status, v.Changed, ""
			o.Message = "the device accepted the request; the program ended before it could be read back"
		case exchange.Failed:
			if o.Class == exchange.NotSent || o.Class == exchange.TLSFailed {
				o.Status, o.Changed, o.Code = v.Status, v.Changed, fault.DeviceUnreachable
				o.Message = "no byte of the request left before the program ended"
			}
		case exchange.Verified, exchange.OutcomeUnknown, exchange.NotAttempted:
		}
	}
	h.Outcomes[h.InFlight] = o
	h.InFlight = -1
}

// StateOf derives the state of a plan that was claimed and has ended. An
// operation that was skipped neither took effect nor failed.
func StateOf(outcomes []Outcome) State {
	took, other := 0, 0
	for _, o := range outcomes {
		switch {
		case o.Status == exchange.OutcomeUnknown:
			return UnknownOutcome
		case o.Status == exchange.Verified && o.Changed == exchange.ChangedNo:
		case o.Status == exchange.Verified || o.Status == exchange.AppliedUnverified:
			took++
		case o.Changed == exchange.ChangedYes:
			took++
			other++
		default:
			other++
		}
	}
	switch {
	case took == 0 && other > 0:
		return FailedState
	case other > 0:
		return Partial
	}
	return Applied
}
