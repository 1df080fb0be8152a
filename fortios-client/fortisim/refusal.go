package fortisim

import (
	"fmt"
	"net/http"
)

// Refusal is the device's own "no". Put, Delete and Move return it; clients get
// it as the answer to a request.
type Refusal struct {
	// Status is the HTTP status: 500 for what the CLI refuses (R), 404 for a
	// missing object, 405 for a verb, 424 for a feature that is not set up.
	Status int
	// Number is the FortiOS error number; 0 if the answer carries none.
	Number int
	// CLI is the text of cli_error, lines ending in newlines; empty if the
	// answer has none.
	CLI string
	// Where is the configuration path it is about.
	Where string

	reference bool // the refusal is about a reference that does not exist
}

// Error says status, number and text.
func (r *Refusal) Error() string {
	return fmt.Sprintf("fortisim: %s: HTTP %d, error %d: %q", r.Where, r.Status, r.Number, r.CLI)
}

// missing: a 404 carries no number (R).
func missing() *Refusal { return &Refusal{Status: http.StatusNotFound} }

// wrongVerb: so does a 405 (R).
func wrongVerb() *Refusal { return &Refusal{Status: http.StatusMethodNotAllowed} }

// notUnderstood is a path that leads nowhere (U).
func notUnderstood() *Refusal { return &Refusal{Status: http.StatusBadRequest} }

func refused(number int, lines string) *Refusal {
	return &Refusal{
		Status: http.StatusInternalServerError,
		Number: number,
		CLI:    fmt.Sprintf("%sCommand fail. Return code %d\n", lines, number),
	}
}

// badReference has the recorded text (R).
func badReference(attribute, value string) *Refusal {
	no := badValue(-651, attribute, value)
	no.reference = true
	return no
}

// badValue is a value that the attribute does not take (U).
func badValue(number int, attribute, value string) *Refusal {
	return refused(number, fmt.Sprintf("node_check_object fail! for %s %s\n\nvalue parse error before '%s'\n", attribute, value, value))
}

// unknownAttribute is a name that the release does not have (?).
func unknownAttribute(name string) *Refusal {
	return refused(-61, "command parse error before '"+name+"'\n")
}

// mustBeSet is an attribute without which the device takes no object (U).
func mustBeSet(attribute string) *Refusal {
	return refused(-56, fmt.Sprintf("node_check_object fail! for %s\n\nAttribute '%s' MUST be set.\n", attribute, attribute))
}

// canNotEdit is a read-only attribute (U; the number is a guess, ?).
func canNotEdit(attribute string) *Refusal {
	return refused(-37, fmt.Sprintf("Can not edit %s. this operation is not permitted.\n", attribute))
}

// inUse: text and number from traces (U).
func inUse(users int) *Refusal {
	return refused(-23, fmt.Sprintf("The entry is used by other %d entries\n", users))
}

// duplicate: -5 is "key exists" in the tables of numbers (?).
func duplicate() *Refusal { return refused(-5, "A duplicate entry already exists.\n") }
