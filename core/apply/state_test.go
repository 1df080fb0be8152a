package apply

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
)

var (
	verified   = Outcome{Status: exchange.Verified, Changed: exchange.ChangedYes}
	skipped    = Outcome{Status: exchange.Verified, Changed: exchange.ChangedNo, Skipped: true}
	unverified = Outcome{Status: exchange.AppliedUnverified, Changed: exchange.ChangedYes}
	refused    = Outcome{Status: exchange.Failed, Changed: exchange.ChangedNo}
	wrong      = Outcome{Status: exchange.Failed, Changed: exchange.ChangedYes}
	unknown    = Outcome{Status: exchange.OutcomeUnknown, Changed: exchange.ChangedUnknown}
	untried    = Outcome{Status: exchange.NotAttempted, Changed: exchange.ChangedNo}
)

func TestTheStateFollowsFromTheOutcomes(t *testing.T) {
	tests := []struct {
		name     string
		outcomes []Outcome
		want     State
	}{
		{"all verified", []Outcome{verified, verified}, Applied},
		{"verified and unverified", []Outcome{verified, unverified}, Applied},
		{"one skipped", []Outcome{skipped, verified}, Applied},
		{"all skipped", []Outcome{skipped, skipped}, Applied},
		{"one done, one refused", []Outcome{verified, refused}, Partial},
		{"one unverified, the rest untried", []Outcome{unverified, untried}, Partial},
		{"the first refused", []Outcome{refused, untried}, FailedState},
		{"nothing tried", []Outcome{untried, untried}, FailedState},
		{"one skipped, then refused: nothing took effect", []Outcome{skipped, refused, untried}, FailedState},
		{"one skipped, then nothing", []Outcome{skipped, untried}, FailedState},
		{"the first failed and changed something", []Outcome{wrong, untried}, Partial},
		{"the only one failed and changed something", []Outcome{wrong}, Partial},
		{"one unknown", []Outcome{unknown, untried}, UnknownOutcome},
		{"unknown outweighs a partial failure", []Outcome{verified, refused, unknown}, UnknownOutcome},
		{"unknown after success", []Outcome{verified, unknown}, UnknownOutcome},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := StateOf(test.outcomes); got != test.want {
				t.Errorf("state %s, want %s", got, test.want)
			}
		})
	}
}

// One journal of two operations, cut off at each line: what each crash leaves.
func TestEachCrashHasItsMeaning(t *testing.T) {
	lines := []Record{
		{Type: Claimed, PlanID: id},
		{Type: Intended, Op: ptr(0)},
		{Type: Answered, Op: ptr(0), Class: exchange.Accepted, HTTP: 200, Sent: true},
		{Type: Judged, Op: ptr(0), Verdict: &verified},
		{Type: Probed, Op: ptr(0), OK: ptr(true)},
		{Type: Intended, Op: ptr(1)},
		{Type: Answered, Op: ptr(1), Class: exchange.RefusedDoubtful, HTTP: 500, Sent: true},
		{Type: Judged, Op: ptr(1), Verdict: &refused},
		{Type: RolledOut, Rollback: undo},
		{Type: Ended, State: Partial},
	}
	type status = exchange.Status
	tests := []struct {
		name     string
		lines    int
		statuses [2]status
		state    State
	}{
		{"an empty journal is claimed and nothing more", 0, [2]status{exchange.NotAttempted, exchange.NotAttempted}, FailedState},
		{"after the claim", 1, [2]status{exchange.NotAttempted, exchange.NotAttempted}, FailedState},
		{"after an intent anything may have happened", 2, [2]status{exchange.OutcomeUnknown, exchange.NotAttempted}, UnknownOutcome},
		{"after a success that was not read back", 3, [2]status{exchange.AppliedUnverified, exchange.NotAttempted}, Partial},
		{"after a verdict", 4, [2]status{exchange.Verified, exchange.NotAttempted}, Partial},
		{"after a probe", 5, [2]status{exchange.Verified, exchange.NotAttempted}, Partial},
		{"after the second intent", 6, [2]status{exchange.Verified, exchange.OutcomeUnknown}, UnknownOutcome},
		{"after an answer in doubt", 7, [2]status{exchange.Verified, exchange.OutcomeUnknown}, UnknownOutcome},
		{"after the last verdict", 8, [2]status{exchange.Verified, exchange.Failed}, Partial},
		{"after the rollback plan", 9, [2]status{exchange.Verified, exchange.Failed}, Partial},
		{"after the end", 10, [2]status{exchange.Verified, exchange.Failed}, Partial},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := Replay(lines[:test.lines], 2)
			h.Settle()
			got := [2]status{h.Outcomes[0].Status, h.Outcomes[1].Status}
			if got != test.statuses || StateOf(h.Outcomes) != test.state {
				t.Errorf("statuses %v, state %s; want %v, %s", got, StateOf(h.Outcomes), test.statuses, test.state)
			}
			if h.Ended != (test.lines == 10) || h.Next != test.lines || h.InFlight != -1 {
				t.Errorf("ended %t, next %d, in flight %d", h.Ended, h.Next, h.InFlight)
			}
		})
	}
}

func TestAReplayTellsWhatStandsInTheJournal(t *testing.T) {
	h := Replay([]Record{
		{Type: Claimed, PlanID: id, Serial: "FGT60FTEST000001"},
		{Type: Intended, Op: ptr(1), Wire: some},
		{Type: Answered, Op: ptr(1), Class: exchange.Ambiguous},
		{Type: Probed, Op: ptr(0), OK: ptr(false)},
		{Type: RolledOut, Rollback: undo},
		{Type: Recovered, By: "forti"},
	}, 2)
	if h.Claim.PlanID != id || h.InFlight != 1 || h.Intent.Wire != some || h.Answer.Class != exchange.Ambiguous {
		t.Errorf("claim, intent or answer: %+v", h)
	}
	if !h.LostManagement || h.Rollback != undo || !h.Recovered || h.Ended || h.End != nil {
		t.Errorf("probe, rollback or recovery: %+v", h)
	}
}

func TestARequestInFlightIsNotLostToOtherLines(t *testing.T) {
	tests := []struct {
		name string
		line Record
	}{
		{"the verdict of another operation", Record{Type: Judged, Op: ptr(0), Verdict: &verified}},
		{"the verdict of no operation", Record{Type: Judged, Op: ptr(7), Verdict: &verified}},
		{"the answer of another operation", Record{Type: Answered, Op: ptr(0), Class: exchange.Accepted}},
		{"an end", Record{Type: Ended}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := Replay([]Record{{Type: Claimed}, {Type: Intended, Op: ptr(1)}, test.line}, 2)
			h.Settle()
			if got := h.Outcomes[1].Status; got != exchange.OutcomeUnknown {
				t.Errorf("the request in flight is %s", got)
			}
		})
	}
}

func TestASettledOperationSaysWhatIsKnown(t *testing.T) {
	settled := func(answer ...Record) Outcome {
		h := Replay(append([]Record{{Type: Claimed}, {Type: Intended, Op: ptr(0)}}, answer...), 1)
		h.Settle()
		o := h.Outcomes[0]
		if o.Message == "" {
			t.Error("a settled operation says nothing")
		}
		o.Message = ""
		return o
	}
	unknown := Outcome{
		Status: exchange.OutcomeUnknown, Changed: exchange.ChangedUnknown, Observed: exchange.NotChecked, Code: fault.OutcomeUnknown,
	}
	if diff := cmp.Diff(unknown, settled(), keys); diff != "" {
		t.Errorf("without an answer (-want +got):\n%s", diff)
	}
	accepted := Outcome{
		Status: exchange.AppliedUnverified, Changed: exchange.ChangedYes, Observed: exchange.NotChecked, Class: exchange.Accepted, HTTP: 200,
	}
	if diff := cmp.Diff(accepted, settled(Record{Type: Answered, Op: ptr(0), Class: exchange.Accepted, HTTP: 200}), keys); diff != "" {
		t.Errorf("accepted (-want +got):\n%s", diff)
	}
	unknown.Class, unknown.HTTP = exchange.Redirect, 301
	if diff := cmp.Diff(unknown, settled(Record{Type: Answered, Op: ptr(0), Class: exchange.Redirect, HTTP: 301}), keys); diff != "" {
		t.Errorf("in doubt (-want +got):\n%s", diff)
	}
	h := Replay([]Record{{Type: Claimed}}, 1)
	h.Settle()
	if diff := cmp.Diff(untried, h.Outcomes[0], keys); diff != "" {
		t.Errorf("nothing in flight (-want +got):\n%s", diff)
	}
}
