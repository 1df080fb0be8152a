package apply

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
)

// event is one step of a run as its driver took it.
type event struct {
	do Do
	op int
	// bad: the step failed, or what it found is no reason to go on.
	bad bool
}

// facts are exchanges, one of each class.
var facts = []exchange.Exchange{
	{Sent: true, HeaderComplete: true, Status: 200, Body: exchange.BodyObject, BodyComplete: true, APIStatus: "success", Serial: target.Serial, VDOM: target.VDOM},
	{Sent: true, HeaderComplete: true, Status: 400, Body: exchange.BodyObject, BodyComplete: true, APIStatus: "error"},
	{Sent: true, HeaderComplete: true, Status: 500, Body: exchange.BodyObject, BodyComplete: true, APIStatus: "error", ErrorNumber: -5},
	{Failure: exchange.FailDial},
	{Failure: exchange.FailTLS},
	{Sent: true, Failure: exchange.FailRead},
	{Sent: true, HeaderComplete: true, Status: 200, Body: exchange.BodyHTML, BodyComplete: true},
	{Sent: true, HeaderComplete: true, Status: 302, Body: exchange.BodyNone, BodyComplete: true},
	{Sent: true, HeaderComplete: true, Status: 401, Body: exchange.BodyHTML, BodyComplete: true},
	{Sent: true, HeaderComplete: true, Status: 403, Body: exchange.BodyHTML, BodyComplete: true},
	{Sent: true, HeaderComplete: true, Status: 429, Body: exchange.BodyHTML, BodyComplete: true},
	{Sent: true, HeaderComplete: true, Status: 200, Body: exchange.BodyObject, BodyComplete: true, APIStatus: "success", Serial: "OTHER", VDOM: target.VDOM},
}

var (
	target = exchange.Target{Serial: "FGT60FTK20000001", VDOM: "root"}
	failed = fault.New(fault.Config, "it cannot be written")
)

// walker walks every path that a run can take.
type walker struct {
	ops    []Step
	mutant string
	// visit is called at the end of every path.
	visit func(trace []event, m *Machine)
	paths int
}

func (w *walker) walk(m *Machine, trace []event) {
	do, i := m.Next()
	if do == DoFinish {
		w.paths++
		w.visit(trace, m)
		return
	}
	try := func(bad bool, answer func(m *Machine)) {
		c := *m
		c.outcomes = slices.Clone(m.outcomes)
		answer(&c)
		w.walk(&c, append(trace[:len(trace):len(trace)], w.steps(event{do, i, bad}, trace)...))
	}
	switch do {
	case DoCheck:
		for _, check := range []Check{CheckSend, CheckSkip, CheckDrift, CheckFailed} {
			try(check == CheckDrift || check == CheckFailed, func(m *Machine) { m.Checked(check, failed, Outcome{}) })
		}
	case DoClaim:
		try(false, func(m *Machine) { m.ClaimMade() })
	case DoIntend:
		w.record(try, (*Machine).IntentRecorded)
	case DoSend:
		for _, x := range facts {
			class, _ := exchange.Classify(x, target)
			try(class != exchange.Accepted, func(m *Machine) { m.Sent(x) })
		}
	case DoAnswer:
		w.record(try, (*Machine).AnswerRecorded)
	case DoReadBack:
		for _, f := range []Finding{
			{Observed: exchange.Desired, Comparable: true}, {Observed: exchange.Desired}, {Observed: exchange.Preimage, Comparable: true},
			{Observed: exchange.Other, Comparable: true}, {Observed: exchange.Unreadable},
		} {
			try(f.Observed != exchange.Desired, func(m *Machine) { m.ReadBack(f) })
		}
	case DoVerdict:
		w.record(try, (*Machine).VerdictRecorded)
	case DoProbe:
		for _, ok := range []bool{true, false} {
			w.record(func(bad bool, answer func(m *Machine)) { try(bad || !ok, answer) },
				func(m *Machine, failed *fault.Error) { m.ProbeDone(ok, failed) })
		}
	case DoFinish:
	}
}

// record tries a record that is written and one that cannot be.
func (w *walker) record(try func(bad bool, answer func(m *Machine)), answer func(m *Machine, failed *fault.Error)) {
	try(false, func(m *Machine) { answer(m, nil) })
	try(true, func(m *Machine) { answer(m, failed) })
}

// steps is what the driver does for a step: that step, or, for a mutant, something else.
func (w *walker) steps(e event, before []event) []event {
	switch {
	case w.mutant == "the claim after the first send" && e.do == DoClaim:
		return nil
	case w.mutant == "the claim after the first send" && e.do == DoSend && count(before, DoSend, -1) == 0:
		return []event{e, {do: DoClaim, op: e.op}}
	case w.mutant == "the intent after the send" && e.do == DoIntend:
		return nil
	case w.mutant == "the intent after the send" && e.do == DoSend:
		return []event{e, {do: DoIntend, op: e.op}}
	case w.mutant == "a send that is tried again" && e.do == DoSend && e.bad:
		return []event{e, e}
	case w.mutant == "no answer on record" && e.do == DoAnswer:
		return nil
	case w.mutant == "no verdict on record" && e.do == DoVerdict:
		return nil
	case w.mutant == "a send although its intent could not be written" && e.do == DoIntend && e.bad:
		return []event{e, {do: DoSend, op: e.op}}
	case w.mutant == "no look before the send" && e.do == DoCheck && !e.bad:
		return nil
	}
	return []event{e}
}

func count(trace []event, do Do, op int) int {
	n := 0
	for _, e := range trace {
		if e.do == do && (op < 0 || e.op == op) {
			n++
		}
	}
	return n
}

// problem says what is wrong with a run, or "".
func problem(ops []Step, trace []event, m *Machine) string {
	for n, e := range trace {
		past := trace[:n]
		switch e.do {
		case DoSend:
			switch {
			case count(past, DoClaim, -1) != 1:
				return "a request was sent without a claim"
			case n == 0 || past[n-1] != (event{do: DoIntend, op: e.op}):
				return "a request was sent without its intent on record right before it"
			case count(past, DoCheck, e.op) != 1:
				return "a request was sent without a look at its object"
			case count(past, DoSend, e.op) > 0:
				return "a request was sent twice"
			}
		case DoClaim:
			if count(past, DoClaim, -1) > 0 {
				return "the plan was claimed twice"
			}
		case DoCheck:
			if e.op > 0 && (count(past, DoVerdict, e.op-1) != 1 || count(past, DoSend, e.op-1) != count(past, DoAnswer, e.op-1)) {
				return "an operation began before the one before it was on record"
			}
			for _, p := range past {
				if p.bad {
					return fmt.Sprintf("operation %d began after step %d of operation %d had failed", e.op, p.do, p.op)
				}
			}
		case DoReadBack:
			if ops[e.op].Action {
				return "an action was read back"
			}
		case DoIntend, DoAnswer, DoVerdict, DoProbe, DoFinish:
		}
	}
	return untrue(ops, trace, m)
}

// untrue finds an outcome that the trace contradicts.
func untrue(ops []Step, trace []event, m *Machine) string {
	for i, o := range m.Outcomes() {
		sent := count(trace, DoSend, i) > 0
		switch {
		case sent && o.Status == exchange.NotAttempted:
			return "a request that was sent is called not attempted"
		case !sent && !o.Skipped && o.Status != exchange.NotAttempted:
			return "a request that was not sent is called " + string(o.Status)
		case o.Status == exchange.Verified && !o.Skipped && count(trace, DoReadBack, i) != 1:
			return "verified without a read-back"
		case sent && count(trace, DoVerdict, i) != 1:
			return "a request that was sent has no verdict on record"
		case sent && ops[i].Critical && tookEffect(o) && count(trace, DoProbe, i) != 1:
			return "a critical operation took effect and was not probed"
		case !m.Claimed() && sent:
			return "a request was sent and the plan is not claimed"
		case o.Status != exchange.Verified && o.Status != exchange.AppliedUnverified && sent && o.Code == "":
			return "an unhappy end has no code"
		}
	}
	return ""
}

// kinds are all kinds of step.
func kinds() []Step {
	return []Step{{Target: target}, {Target: target, Critical: true}, {Target: target, Action: true}, {Target: target, Critical: true, Action: true}}
}

// TestEveryPathOfARunKeepsTheOrder: all events, for all plans of one and two operations:
// nothing is sent before the claim and the intent, nothing twice, nothing after the
// first failure, and no outcome says what did not happen.
func TestEveryPathOfARunKeepsTheOrder(t *testing.T) {
	paths := 0
	for _, first := range kinds() {
		for _, second := range append(kinds(), Step{}) {
			ops := []Step{first, second}
			if second == (Step{}) {
				ops = ops[:1]
			}
			w := &walker{ops: ops, visit: func(trace []event, m *Machine) {
				if p := problem(ops, trace, m); p != "" {
					t.Fatalf("%s: %+v\n%+v", p, trace, m.Outcomes())
				}
			}}
			w.walk(NewMachine(ops), nil)
			paths += w.paths
		}
	}
	if paths < 5_000 {
		t.Errorf("only %d paths", paths)
	}
	t.Logf("%d paths", paths)
}

// A driver with a step in the wrong place is found out, so the checks check something.
func TestADriverInTheWrongOrderIsFoundOut(t *testing.T) {
	for _, mutant := range []string{
		"the claim after the first send", "the intent after the send", "a send that is tried again", "no answer on record", "no verdict on record",
		"a send although its intent could not be written", "no look before the send",
	} {
		found := ""
		ops := []Step{{Target: target, Critical: true}, {Target: target}}
		w := &walker{ops: ops, mutant: mutant, visit: func(trace []event, m *Machine) {
			if p := problem(ops, trace, m); p != "" {
				found = p
			}
		}}
		w.walk(NewMachine(ops), nil)
		if found == "" {
			t.Errorf("%s: not found out", mutant)
		}
	}
}

func TestARunWithoutOperationsIsFinished(t *testing.T) {
	if do, _ := NewMachine(nil).Next(); do != DoFinish {
		t.Errorf("next is %d", do)
	}
}

// Read-backs that could settle nothing, or would feed a lock-out, are not made.
func TestWhatIsNotReadBack(t *testing.T) {
	for _, x := range facts {
		m := NewMachine([]Step{{Target: target}})
		m.Checked(CheckSend, nil, Outcome{})
		m.ClaimMade()
		m.IntentRecorded(nil)
		m.Sent(x)
		m.AnswerRecorded(nil)
		do, _ := m.Next()
		_, class := m.Answer()
		none := class == exchange.NotSent || class == exchange.TLSFailed || class == exchange.LockedOut || class == exchange.WrongDevice || x.Status == 401
		if (do == DoReadBack) == none {
			t.Errorf("%s (%d): next is %d", class, x.Status, do)
		}
	}
}

// Each unhappy end says what happened and what to do, without the device's words.
func TestEveryUnhappyEndExplainsItself(t *testing.T) {
	said := map[string]exchange.Class{}
	for _, x := range facts[1:] {
		x.Text = "<b>DEVICE WORDS</b>"
		m := NewMachine([]Step{{Target: target}})
		m.Checked(CheckSend, nil, Outcome{})
		m.ClaimMade()
		m.IntentRecorded(nil)
		m.Sent(x)
		m.AnswerRecorded(nil)
		if do, _ := m.Next(); do == DoReadBack {
			m.ReadBack(Finding{Observed: exchange.Preimage, Comparable: true})
		}
		o := m.Outcomes()[0]
		_, class := m.Answer()
		if o.Message == "" || strings.Contains(o.Message, "DEVICE WORDS") || o.DeviceText != x.Text {
			t.Errorf("%s: %q", class, o.Message)
		}
		if other, twice := said[o.Message]; twice {
			t.Errorf("%s and %s say the same: %s", class, other, o.Message)
		}
		said[o.Message] = class
	}
}
