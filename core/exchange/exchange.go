// Package exchange holds the facts of one write to a device and what they mean.
//
// Whether a write took effect is never read off an error text or a status
// alone: [Classify] sorts the facts, [Decide] adds what a read-back found. Both
// are pure, so the whole table is tested without a network.
package exchange

// Exchange is what is known of one request and its answer: facts, no verdict.
type Exchange struct {
	// Sent is false only where it is proved that no byte of the request left.
	Sent bool
	// Failure says what ended the exchange early; FailNone when nothing did.
	Failure Failure
	// HeaderComplete: a whole status line and header arrived.
	HeaderComplete bool
	// Status is the HTTP status, 0 when none arrived.
	Status int
	// Body is what kind of body came.
	Body BodyKind
	// BodyComplete: the body arrived whole and within bounds.
	BodyComplete bool
	// APIStatus is the envelope's status member ("success", "error") or "".
	APIStatus string
	// ErrorNumber is FortiOS's own error number, 0 when none.
	ErrorNumber int
	// Serial and VDOM are the envelope's, "" when absent.
	Serial string
	VDOM   string
	// MKey is the key of the row in the answer, "" when absent.
	MKey string
	// RevisionChanged is the envelope's member; nil when absent.
	RevisionChanged *bool
	// Text is the device's own words, escaped and capped. Untrusted.
	Text string
}

// Failure says where an exchange ended early.
type Failure string

// The failures. The first three are proved to come before the first byte.
const (
	FailNone     Failure = ""
	FailDial     Failure = "dial"      // name lookup, refused, unreachable, dial timeout
	FailTLS      Failure = "tls"       // certificate, pin or version
	FailDeadline Failure = "deadline"  // the time limit, before or after sending (see Sent)
	FailWrite    Failure = "write"     // an error while sending
	FailRead     Failure = "read"      // EOF or reset before a whole header
	FailBody     Failure = "body"      // body cut, stalled or over the cap
	FailRefused  Failure = "malformed" // an answer that is not HTTP
)

// BodyKind is what a body turned out to be.
type BodyKind string

// The kinds of body.
const (
	BodyNone   BodyKind = "none"
	BodyObject BodyKind = "object" // a JSON object
	BodyJSON   BodyKind = "json"   // JSON, but not an object
	BodyHTML   BodyKind = "html"
	BodyOther  BodyKind = "other"
)

// Class sorts exchanges.
type Class string

// The classes.
const (
	// NotSent: no byte of the request left.
	NotSent Class = "not_sent"
	// TLSFailed: the handshake failed; a security event.
	TLSFailed Class = "tls"
	// Ambiguous: the request may or may not have taken effect.
	Ambiguous Class = "ambiguous"
	// Accepted: the device said success.
	Accepted Class = "accepted"
	// Refused: the device said no.
	Refused Class = "refused"
	// RefusedDoubtful: FortiOS's usual 500, which has been seen with effect, or an
	// error told with status 200. Believed only where the object is seen unchanged.
	RefusedDoubtful Class = "refused_doubtful"
	// NotAPI: something answered that is not the API.
	NotAPI Class = "not_api"
	// Redirect: a 3xx; never followed.
	Redirect Class = "redirect"
	// AuthRefused: 401 or 403.
	AuthRefused Class = "auth"
	// LockedOut: 429, the login lock-out of this address.
	LockedOut Class = "locked_out"
	// WrongDevice: the answer names another serial or VDOM.
	WrongDevice Class = "wrong_device"
)

// Observed is what a read-back found.
type Observed string

// The observations.
const (
	Desired    Observed = "desired"
	Preimage   Observed = "preimage"
	Other      Observed = "other"
	Unreadable Observed = "unreadable"
	NotChecked Observed = "not_checked"
)

// Status is the end state of an operation.
type Status string

// The end states.
const (
	Verified          Status = "verified"
	AppliedUnverified Status = "applied_unverified"
	Failed            Status = "failed"
	OutcomeUnknown    Status = "outcome_unknown"
	NotAttempted      Status = "not_attempted"
)

// Changed says whether an operation took effect.
type Changed string

// Whether something changed.
const (
	ChangedYes     Changed = "yes"
	ChangedNo      Changed = "no"
	ChangedUnknown Changed = "unknown"
)

// Target is whom the request was meant for.
type Target struct {
	Serial string
	VDOM   string
}
