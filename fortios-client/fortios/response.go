package fortios

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"mime"
	"net/http"
	"strconv"
)

// Response holds the facts of one exchange. It has no opinion on the answer;
// Fault has.
type Response struct {
	// Sent false proves that no byte of the request was handed to TLS. True says
	// no more than that some may have been.
	Sent bool
	// HeaderOK reports that a complete header arrived; Status and ContentType
	// mean something only then.
	HeaderOK    bool
	Status      int
	ContentType string
	// Body is what arrived, at most Config.MaxBody bytes. It is the caller's. Where
	// it repeats an API token of 16 characters or more, asterisks stand instead.
	Body []byte
	// BodyComplete reports that the body ended as announced and fits into
	// MaxBody. A body that the end of the connection ends counts only with the
	// farewell of TLS.
	BodyComplete bool
	// Err is nil where a complete answer arrived, whatever it says, and
	// otherwise an [*Error] that says why none did.
	Err error
	// Local and Remote are the addresses of the connection; the remote one is
	// the proxy's where there is one. Empty where there was no connection.
	Local, Remote string
}

// Do sends exactly this request, once, and returns the facts. Nothing is
// retried, followed or decompressed, and cancelling ctx ends the exchange
// wherever it stands: a caller for whom a write must not be cut in the middle
// passes a context that is not cancelled.
func (c *Client) Do(ctx context.Context, req Request) Response {
	x := c.open(ctx, req)
	defer x.close()
	x.readAll(c.maxBody)
	return x.Response
}

// IsHTML reports whether the answer is a page: by its content type, or because
// its body begins with "<".
func (r Response) IsHTML() bool {
	media, _, err := mime.ParseMediaType(r.ContentType)
	if err == nil && (media == "text/html" || media == "application/xhtml+xml") {
		return true
	}
	return bytes.HasPrefix(bytes.TrimLeft(r.Body, " \t\r\n\ufeff"), []byte("<"))
}

// Fault is nil where the answer is a complete HTTP 200 in which FortiOS reports
// success (of every VDOM, where it answers with a list), and otherwise an
// [*Error] that says what is wrong.
func (r Response) Fault() error {
	_, fault := r.decode()
	return asError(fault)
}

// decode returns the envelopes also with a fault, where there are any.
func (r Response) decode() ([]Envelope, *Error) {
	if r.Err != nil {
		return nil, faultOf(r.Err)
	}
	if r.Status/100 == 3 {
		return nil, r.stamp(notFortiOS("answered with a redirect (HTTP %d), which is never followed: host and port must be those of the HTTPS administration itself", r.Status))
	}
	envelopes, bad := r.envelopes()
	if fault := refusedByStatus(r.Status); fault != nil {
		if len(envelopes) > 0 {
			fault.Code, fault.CLIError = envelopes[0].Error, envelopes[0].CLIError
		}
		return envelopes, r.stamp(fault)
	}
	if bad != nil {
		return nil, r.stamp(bad)
	}
	for i := range envelopes {
		if fault := envelopes[i].fault(r.Status); fault != nil {
			return envelopes, fault
		}
	}
	return envelopes, nil
}

// foreign is what the beginning of an answer gives away: a page, or something packed.
func (r Response) foreign() *Error {
	switch {
	case r.IsHTML():
		return notFortiOS("answered HTTP %d with an HTML page instead of the API's JSON: check that host and port are those of the HTTPS administration and that nothing stands in between", r.Status)
	case bytes.HasPrefix(r.Body, []byte{0x1f, 0x8b}): // whatever the label: FortiOS puts one on plain bodies
		return notFortiOS("answered HTTP %d with a compressed body, which was not asked for: something in between changes it", r.Status)
	}
	return nil
}

func (r Response) envelopes() ([]Envelope, *Error) {
	if fault := r.foreign(); fault != nil {
		return nil, fault
	}
	envelopes, err := DecodeEnvelope(r.Body)
	if err != nil {
		return nil, faultOf(err)
	}
	return envelopes, nil
}

func (r Response) stamp(fault *Error) *Error {
	fault.Status = r.Status
	return fault
}

// refusedByStatus judges what FortiOS answers as a page as well as in JSON.
func refusedByStatus(status int) *Error {
	kind, known := map[int]Kind{
		http.StatusUnauthorized: KindAuth, http.StatusTooManyRequests: KindLockedOut, http.StatusForbidden: KindForbidden,
	}[status]
	if !known {
		return nil
	}
	return &Error{Kind: kind, Message: StatusMeaning(status) + " (" + errorText(status, 0) + ")"}
}

// fault judges one envelope. httpStatus is that of the whole answer; an envelope
// in a list has its own.
func (e *Envelope) fault(httpStatus int) *Error {
	status := httpStatus
	if e.HTTPStatus != 0 && httpStatus/100 == 2 {
		status = e.HTTPStatus
	}
	f := &Error{Status: status, Code: e.Error, CLIError: e.CLIError, Serial: e.Serial}
	switch {
	case status == http.StatusOK && e.Status == "success":
		return nil
	case e.Status == "":
		f.Kind, f.Message = KindNotFortiOS, "the answer does not say whether it succeeded (no member status): check that host and port are those of the HTTPS administration"
	case refusedByStatus(status) != nil:
		f.Kind, f.Message = refusedByStatus(status).Kind, refusedByStatus(status).Message
	case status/100 == 2 && e.Status == "success":
		f.Kind, f.Message = KindNotFortiOS, "answered "+errorText(status, 0)+", which FortiOS does not use for success"
	case status == http.StatusNotFound && e.Error == 0:
		f.Kind, f.Message = KindNotFound, refusal(status, 0)
	case status == http.StatusMethodNotAllowed && e.Error == 0:
		f.Kind, f.Message = KindMethodNotAllowed, refusal(status, 0)
	default:
		f.Kind, f.Message = refusalKind(e.Error), refusal(status, e.Error)
	}
	return f
}

// refusal explains a refusal: the number says more than the status.
func refusal(status, code int) string {
	meaning := cmp.Or(Meaning(code), StatusMeaning(status))
	if meaning == "" {
		return "the device refused the request (" + errorText(status, code) + ")"
	}
	return "the device refused the request: " + meaning + " (" + errorText(status, code) + ")"
}

func errorText(status, code int) string {
	text := "HTTP " + strconv.Itoa(status)
	if code != 0 {
		text += ", error " + strconv.Itoa(code)
	}
	return text
}

// faultOf is for errors that this package made.
func faultOf(err error) *Error {
	if fault, ok := errors.AsType[*Error](err); ok {
		return fault
	}
	return &Error{Kind: KindNotFortiOS, Message: "the answer cannot be read", Err: err}
}
