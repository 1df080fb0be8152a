package apply

import (
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
)

// Machine walks a plan's operations and says what must happen next. It is told
// what happened and never does anything itself, so that every order of events
// can be tested. The order is: check the operation again, claim the plan (once),
// put the intent on record, send, put the answer on record, read back, put the
// verdict on record, probe after critical operations; stop at the first failure.
type Machine struct {
	ops      []Step
	outcomes []Outcome
	at       int
	todo     Do
	claimed  bool
	lost     bool
	exchange exchange.Exchange
	class    exchange.Class
	reread   bool
	// unread: the read-back of this operation failed.
	unread bool
	broken *fault.Error
}

// Step says what the machine must know of an operation.
type Step struct {
	// Critical operations are followed by a probe.
	Critical bool
	// Action calls have nothing to read back.
	Action bool
	// Target is whom the operation is meant for.
	Target exchange.Target
}

// Do is what must happen next.
type Do int

// The steps. Each is answered by the method named in its comment.
const (
	// DoCheck: re-read the operation's object and compare (Checked).
	DoCheck Do = iota + 1
	// DoClaim: publish the journal (ClaimMade).
	DoClaim
	// DoIntend: put the intent on record (IntentRecorded).
	DoIntend
	// DoSend: send the request (Sent).
	DoSend
	// DoAnswer: put the answer on record (AnswerRecorded).
	DoAnswer
	// DoReadBack: read the object back (ReadBack).
	DoReadBack
	// DoVerdict: put the outcome on record (VerdictRecorded).
	DoVerdict
	// DoProbe: ask for the device's identity on a fresh connection (ProbeDone).
	DoProbe
	// DoFinish: nothing is left to do for the operations.
	DoFinish
)

// NewMachine makes a machine for a plan's operations.
func NewMachine(ops []Step) *Machine {
	m := &Machine{ops: ops, outcomes: make([]Outcome, len(ops)), todo: DoCheck}
	for i := range m.outcomes {
		m.outcomes[i] = Outcome{Status: exchange.NotAttempted, Changed: exchange.ChangedNo}
	}
	if len(ops) == 0 {
		m.todo = DoFinish
	}
	return m
}

// Next is what must happen next, and for which operation.
func (m *Machine) Next() (Do, int) { return m.todo, m.at }

// Outcomes are the ends of the operations so far.
func (m *Machine) Outcomes() []Outcome { return m.outcomes }

// Lost reports whether a probe failed: management connectivity is gone.
func (m *Machine) Lost() bool { return m.lost }

// Claimed reports whether the plan was claimed, so that its approval is used.
func (m *Machine) Claimed() bool { return m.claimed }

// Check is the result of looking at an operation's object again.
type Check int

// The results.
const (
	// CheckSend: a precondition holds that says send.
	CheckSend Check = iota + 1
	// CheckSkip: a precondition holds that says that nothing need be sent.
	CheckSkip
	// CheckDrift: no precondition holds: somebody else changed the object.
	CheckDrift
	// CheckFailed: the object could not be read.
	CheckFailed
)

// Checked answers DoCheck. For CheckDrift and CheckFailed why says what was
// found; the operation was not attempted.
func (m *Machine) Checked(c Check, why *fault.Error, skipped Outcome) {
	switch c {
	case CheckSend:
		m.todo = DoIntend
		if !m.claimed {
			m.todo = DoClaim
		}
	case CheckSkip:
		skipped.Status, skipped.Changed, skipped.Observed = exchange.Verified, exchange.ChangedNo, exchange.Desired
		skipped.Skipped = true
		m.outcomes[m.at] = skipped
		m.todo = DoVerdict
		if !m.claimed {
			m.todo = DoClaim
		}
	case CheckDrift, CheckFailed:
		m.blame(why)
		m.todo = DoFinish
	}
}

func (m *Machine) blame(why *fault.Error) {
	o := &m.outcomes[m.at]
	if why != nil {
		o.Code, o.Message = why.Code, why.Message
	}
}

// ClaimMade answers DoClaim; failures end an apply before it began and are the
// caller's to report.
func (m *Machine) ClaimMade() {
	m.claimed = true
	m.todo = DoIntend
	if m.outcomes[m.at].Skipped {
		m.todo = DoVerdict
	}
}

// IntentRecorded answers DoIntend. Without a record nothing is sent.
func (m *Machine) IntentRecorded(failed *fault.Error) {
	if failed != nil {
		m.blame(failed)
		m.todo = DoFinish
		return
	}
	m.todo = DoSend
}

// Sent answers DoSend with the facts of the exchange.
func (m *Machine) Sent(x exchange.Exchange) {
	m.exchange = x
	m.class, m.reread = exchange.Classify(x, m.ops[m.at].Target)
	m.todo = DoAnswer
}

// Answer is the newest exchange and its class.
func (m *Machine) Answer() (exchange.Exchange, exchange.Class) { return m.exchange, m.class }

// AnswerRecorded answers DoAnswer. Where the record failed the operation is still
// judged, but it is the last one.
func (m *Machine) AnswerRecorded(failed *fault.Error) {
	m.noteBroken(failed)
	if m.reread && !m.ops[m.at].Action {
		m.todo = DoReadBack
		return
	}
	m.judge(exchange.Decide(m.class, exchange.NotChecked), Finding{Observed: exchange.NotChecked})
}

func (m *Machine) noteBroken(failed *fault.Error) {
	if failed != nil {
		m.broken = failed
	}
}

// Broken is the failure of the journal that ended the run early, or nil.
func (m *Machine) Broken() *fault.Error { return m.broken }

// Finding is what a read-back found.
type Finding struct {
	Observed exchange.Observed
	// Comparable is false where the object was read and nothing of what was sent
	// can be compared (secrets only).
	Comparable bool
	// Note is filled into the outcome: Mismatch, Unverified, SideEffects, Key,
	// Post, Gone, Message.
	Note Outcome
}

// ReadBack answers DoReadBack.
func (m *Machine) ReadBack(f Finding) {
	v := exchange.Decide(m.class, f.Observed)
	if v.Status == exchange.Verified && !f.Comparable {
		v.Status = exchange.AppliedUnverified
	}
	m.unread = f.Observed == exchange.Unreadable
	m.judge(v, f)
}

func (m *Machine) judge(v exchange.Verdict, f Finding) {
	o := f.Note
	o.Status, o.Changed, o.Observed = v.Status, v.Changed, f.Observed
	o.Class, o.HTTP, o.DeviceError, o.DeviceText = m.class, m.exchange.Status, m.exchange.ErrorNumber, m.exchange.Text
	if o.Status != exchange.Verified && o.Status != exchange.AppliedUnverified {
		m.explain(&o)
	}
	m.outcomes[m.at] = o
	m.todo = DoVerdict
}

func (m *Machine) explain(o *Outcome) {
	switch {
	case o.Status == exchange.OutcomeUnknown:
		o.Code = fault.OutcomeUnknown
	case m.class == exchange.Accepted:
		o.Code = fault.VerifyFailed
	default:
		o.Code = m.exchange.Code(m.class)
	}
	if o.Message == "" {
		o.Message = explanation(m.class, m.exchange)
	}
}

// VerdictRecorded answers DoVerdict.
func (m *Machine) VerdictRecorded(failed *fault.Error) {
	m.noteBroken(failed)
	o := m.outcomes[m.at]
	critical := m.ops[m.at].Critical && tookEffect(o)
	if (critical || m.unread) && m.class != exchange.WrongDevice {
		m.todo = DoProbe
		return
	}
	m.advance()
}

func tookEffect(o Outcome) bool {
	return !o.Skipped && (o.Status == exchange.Verified || o.Status == exchange.AppliedUnverified || o.Changed == exchange.ChangedYes)
}

// ProbeDone answers DoProbe. A record that failed ends the run.
func (m *Machine) ProbeDone(ok bool, failed *fault.Error) {
	m.noteBroken(failed)
	m.lost = m.lost || !ok
	m.advance()
}

// advance goes to the next operation, or ends the run at the first that is not
// plainly applied.
func (m *Machine) advance() {
	o := m.outcomes[m.at]
	applied := o.Status == exchange.Verified || (o.Status == exchange.AppliedUnverified && !m.unread)
	last := m.at == len(m.ops)-1
	if !applied || m.lost || m.broken != nil || last {
		m.todo = DoFinish
		return
	}
	m.at++
	m.unread, m.exchange, m.class = false, exchange.Exchange{}, ""
	m.todo = DoCheck
}
