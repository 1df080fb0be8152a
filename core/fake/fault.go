package fake

import (
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/wire"
)

// Match selects requests. Empty members match everything.
type Match struct {
	Call   Call
	Method string
	// Resource is a path such as "firewall/address" or "monitor/system/status",
	// and Key a row's key as text.
	Resource string
	Key      string
	// Skip lets this many matching requests pass first; Times is how many are
	// struck then, 0 for all.
	Skip, Times int
}

// Fault is what goes wrong. The zero Fault changes nothing. A fault of a read
// makes the read fail as those facts would.
type Fault struct {
	// NotArrived: the request never reaches the device.
	NotArrived bool
	// NoEffect: the device answers as if it had done what was asked, and has not.
	NoEffect bool
	// Alter changes the row that was written, after the write.
	Alter func(object map[string]any)
	// Facts rewrites what the client learns.
	Facts func(e *exchange.Exchange)
	// After is called when the answer is complete, without the device's lock.
	After func()
}

// Rule strikes the requests that it matches with a fault. Where several rules
// would strike a request, the first one does.
type Rule struct {
	Match Match
	Fault Fault
}

type liveRule struct {
	Rule
	seen int
}

// Fail adds rules after those that stand already.
func (d *Device) Fail(rules ...Rule) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range rules {
		d.rules = append(d.rules, &liveRule{Rule: r})
	}
}

// Heal removes all rules.
func (d *Device) Heal() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rules = nil
}

// strike finds the fault of a request and counts it.
func (d *Device) strike(call Call, r wire.Request) Fault {
	for _, rule := range d.rules {
		if !rule.Match.matches(call, r) {
			continue
		}
		rule.seen++
		n := rule.seen - rule.Match.Skip
		if n >= 1 && (rule.Match.Times == 0 || n <= rule.Match.Times) {
			return rule.Fault
		}
	}
	return Fault{}
}

func (m Match) matches(call Call, r wire.Request) bool {
	resource, key := addressed(r.Path)
	return (m.Call == "" || m.Call == call) && (m.Method == "" || m.Method == r.Method) &&
		(m.Resource == "" || m.Resource == resource) && (m.Key == "" || m.Key == key)
}

// addressed is the resource and the key that a path names.
func addressed(path string) (resource, key string) {
	segments, err := wire.Segments(path)
	switch {
	case err != nil:
		return "", ""
	case segments[0] == "monitor":
		for i, s := range segments {
			if i > 0 {
				resource += "/"
			}
			resource += s
		}
		return resource, ""
	case len(segments) < 3:
		return "", ""
	case len(segments) > 3:
		key = segments[3]
	}
	return segments[1] + "/" + segments[2], key
}

// Refused is a connection that cannot be made: nothing is sent.
func Refused() Fault { return unsent(exchange.FailDial) }

// BadCertificate is a handshake that fails: nothing is sent.
func BadCertificate() Fault { return unsent(exchange.FailTLS) }

func unsent(f exchange.Failure) Fault {
	return Fault{NotArrived: true, Facts: func(e *exchange.Exchange) { *e = exchange.Exchange{Failure: f} }}
}

// Lost is an answer that never comes; the request took effect or not.
func Lost(f exchange.Failure, effect bool) Fault {
	return Fault{NoEffect: !effect, Facts: func(e *exchange.Exchange) {
		*e = exchange.Exchange{Sent: true, Failure: f}
	}}
}

// ResetBefore is a connection reset before the request took effect.
func ResetBefore() Fault { return Lost(exchange.FailRead, false) }

// ResetAfter is a connection reset after the request took effect.
func ResetAfter() Fault { return Lost(exchange.FailRead, true) }

// HeaderTimeout is an answer that does not begin in time.
func HeaderTimeout(effect bool) Fault { return Lost(exchange.FailDeadline, effect) }

// Truncated is an answer whose body ends early.
func Truncated(effect bool) Fault {
	return Fault{NoEffect: !effect, Facts: func(e *exchange.Exchange) {
		*e = exchange.Exchange{Sent: true, Failure: exchange.FailBody, HeaderComplete: true, Status: e.Status, Body: exchange.BodyOther}
	}}
}

// Reply is an answer with another status and kind of body; an object is then one
// that says "error" and carries the device's serial.
func Reply(status int, body exchange.BodyKind, effect bool) Fault {
	return Fault{NoEffect: !effect, Facts: func(e *exchange.Exchange) {
		was := *e
		*e = exchange.Exchange{Sent: true, HeaderComplete: true, Status: status, Body: body, BodyComplete: true}
		if body == exchange.BodyObject {
			e.APIStatus, e.Serial, e.VDOM = "error", was.Serial, was.VDOM
		}
		if status == statusForbidden || status == statusUnauthorized {
			e.Serial, e.VDOM = "", ""
		}
		if status == statusOK && body == exchange.BodyObject {
			e.APIStatus = was.APIStatus
		}
	}}
}

// HTML is a page instead of an answer, as a log-in form or a portal gives.
func HTML(status int, effect bool) Fault { return Reply(status, exchange.BodyHTML, effect) }

// Redirected is a 302.
func Redirected(effect bool) Fault { return Reply(302, exchange.BodyNone, effect) }

// CLIError is a 500 with FortiOS's own error number, with or without effect.
func CLIError(number int, effect bool) Fault {
	f := Reply(statusCLI, exchange.BodyObject, effect)
	facts := f.Facts
	f.Facts = func(e *exchange.Exchange) {
		facts(e)
		e.ErrorNumber = number
	}
	return f
}

// OtherSerial is a whole answer that names another device.
func OtherSerial(serial string) Fault {
	return Fault{Facts: func(e *exchange.Exchange) { e.Serial = serial }}
}

// OtherVDOM is a whole answer that names another virtual domain.
func OtherVDOM(vdom string) Fault {
	return Fault{Facts: func(e *exchange.Exchange) { e.VDOM = vdom }}
}

// Ignored is success without effect.
func Ignored() Fault { return Fault{NoEffect: true} }

// Altered is success with another value of one attribute stored.
func Altered(attribute string, value any) Fault {
	return Fault{Alter: func(object map[string]any) {
		if v, err := plain(value); err == nil {
			object[attribute] = v
		}
	}}
}

// Shortened is success with the last entry of a list left out.
func Shortened(attribute string) Fault {
	return Fault{Alter: func(object map[string]any) {
		if list, ok := object[attribute].([]any); ok && len(list) > 0 {
			object[attribute] = list[:len(list)-1]
		}
	}}
}
