package fake

import (
	"fmt"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/redact"
)

// The statuses that something depends on.
const (
	statusOK           = 200
	statusUnauthorized = 401
	statusForbidden    = 403
	statusNotFound     = 404
	statusLockedOut    = 429
	// statusCLI is FortiOS's usual answer to what its command line would not take.
	statusCLI = 500
)

// answer is what the device says to one request, before any fault.
type answer struct {
	status int
	number int
	cli    string
	vdom   string
	mkey   string
	// results are those of a read.
	results any
	// changed is set for answers to writes.
	changed *bool
	// nameless answers carry no serial (a 403 does not).
	nameless bool
}

// refusal is the device's "no".
type refusal struct {
	status   int
	number   int
	cli      string
	nameless bool
}

func (r *refusal) Error() string {
	return fmt.Sprintf("fake: HTTP %d, error %d: %s", r.status, r.number, r.cli)
}

func (r *refusal) answer() answer {
	return answer{status: r.status, number: r.number, cli: r.cli, nameless: r.nameless}
}

func missing() *refusal   { return &refusal{status: statusNotFound} }
func wrongVerb() *refusal { return &refusal{status: 405} }
func badPath() *refusal   { return &refusal{status: 400} }

// forbidden names no serial and no error number: what a FortiGate says for a
// virtual domain that is not the token's, or is not there.
func forbidden() *refusal { return &refusal{status: statusForbidden, nameless: true} }

// refused is FortiOS's usual answer to what its command line would not take.
func refused(number int, format string, args ...any) *refusal {
	return &refusal{status: statusCLI, number: number, cli: fmt.Sprintf(format, args...)}
}

func badValue(attribute, value string) *refusal {
	return refused(-651, "node_check_object fail! for %s %s\nvalue parse error before '%s'\n", attribute, value, value)
}

func tooLong(attribute string) *refusal {
	return refused(-1, "node_check_object fail! for %s\n", attribute)
}

func mustBeSet(attribute string) *refusal {
	return refused(-56, "Attribute '%s' MUST be set.\n", attribute)
}

func canNotEdit(attribute string) *refusal {
	return refused(-37, "Can not edit %s. this operation is not permitted.\n", attribute)
}

func unknownAttribute(attribute string) *refusal {
	return refused(-61, "command parse error before '%s'\n", attribute)
}

func duplicate() *refusal { return refused(-5, "A duplicate entry already exists.\n") }

func inUse(users int) *refusal {
	return refused(-23, "The entry is used by other %d entries\n", users)
}

// textColumns is how much of a device's text is passed on.
const textColumns = 300

// exchange turns the answer into the facts that a client would have.
func (a answer) exchange(serial string) exchange.Exchange {
	e := exchange.Exchange{
		Sent: true, HeaderComplete: true, Status: a.status, Body: exchange.BodyObject, BodyComplete: true,
		APIStatus: "success", ErrorNumber: a.number, Serial: serial, VDOM: a.vdom,
		MKey: a.mkey, RevisionChanged: a.changed, Text: redact.Line(redact.Text(a.cli), textColumns),
	}
	if a.status != statusOK {
		e.APIStatus = "error"
	}
	if a.nameless {
		e.Serial = ""
	}
	return e
}
