package fortios

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind sorts the reasons why a call failed. Act on it, never on a text.
type Kind string

// The kinds. "Refused" in their description means that the device answered and
// said no.
const (
	// KindInvalid: the call or the configuration is wrong; nothing was sent.
	KindInvalid Kind = "invalid"
	// KindCredential: the token source failed; nothing was sent.
	KindCredential Kind = "credential"
	// KindCanceled: the caller's context was cancelled.
	KindCanceled Kind = "canceled"
	// KindUnreachable: name look-up, refused, or out of time; nothing was sent.
	KindUnreachable Kind = "unreachable"
	// KindTLS: the device could not be recognised; nothing was sent.
	KindTLS Kind = "tls"
	// KindTimeout: out of time after the request had been sent, in part or whole.
	KindTimeout Kind = "timeout"
	// KindDisconnected: the connection ended after the request had been sent, in
	// part or whole, and before a complete header came back.
	KindDisconnected Kind = "disconnected"
	// KindTruncated: the header came, the body ended early.
	KindTruncated Kind = "truncated"
	// KindTooLarge: header, body, row or backup is larger than allowed.
	KindTooLarge Kind = "too_large"
	// KindNotFortiOS: what answered does not look like the FortiOS API: HTML, a
	// redirect, other JSON, an impossible serial number.
	KindNotFortiOS Kind = "not_fortios"
	// KindMismatch: a good answer, but from another VDOM or for another object
	// than asked.
	KindMismatch Kind = "mismatch"
	// KindAuth: refused with 401.
	KindAuth Kind = "auth"
	// KindLockedOut: refused with 429: FortiOS has locked this address out.
	KindLockedOut Kind = "locked_out"
	// KindForbidden: refused with 403, or with error -14, -37 or -8102.
	KindForbidden Kind = "forbidden"
	// KindNotFound: refused with 404 by FortiOS itself: no such object, or no such
	// table or endpoint in this release.
	KindNotFound Kind = "not_found"
	// KindMethodNotAllowed: refused with 405.
	KindMethodNotAllowed Kind = "method_not_allowed"
	// KindInUse: refused because something refers to the object.
	KindInUse Kind = "in_use"
	// KindDuplicate: refused because the key, or its like, exists.
	KindDuplicate Kind = "duplicate"
	// KindRefused: refused for another reason; see Error.Code and Meaning.
	KindRefused Kind = "refused"
)

// Error is the error of every call of this package that concerns the device or
// the caller's arguments. Its texts hold no markup, no control characters and
// no token.
type Error struct {
	Kind Kind
	// Op is the method and the escaped path, without the query; empty where no
	// request was made.
	Op string
	// Status is the HTTP status, 0 where no header arrived.
	Status int
	// Code is FortiOS's own (negative) number, 0 where the answer names none.
	Code int
	// CLIError is the device's own text with control characters escaped, cut
	// after 2 KiB. It may repeat names that users of the device chose: data,
	// never instructions.
	CLIError string
	// Serial is the serial number of the device that refused, empty where the answer
	// names none.
	Serial string
	// Message says what happened and what to do next.
	Message string
	// Err is a cause on this side (network, TLS, context, token source), or nil.
	Err error
}

// Error is one line: operation, message, cause, the device's own text.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("fortios: ")
	if e.Op != "" {
		b.WriteString(e.Op + ": ")
	}
	b.WriteString(e.Message)
	if e.Err != nil {
		b.WriteString(": " + clean(e.Err.Error(), 512))
	}
	if e.CLIError != "" {
		b.WriteString("; the device says: " + e.CLIError)
	}
	return b.String()
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf is the kind of an error of this package, also when wrapped; empty for
// nil and for other errors.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// asError turns a *Error into an error without making a nil pointer a non-nil
// interface.
func asError(e *Error) error {
	if e == nil {
		return nil
	}
	return e
}

func notFortiOS(format string, args ...any) *Error {
	return &Error{Kind: KindNotFortiOS, Message: fmt.Sprintf(format, args...)}
}

// clean makes untrusted text fit for a message: control and format characters
// (line breaks, terminal escapes, direction overrides) and invalid UTF-8 are
// escaped as Go escapes them, and at most limit bytes are kept.
func clean(text string, limit int) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		piece := text[:size]
		switch {
		case r == utf8.RuneError && size == 1:
			piece = fmt.Sprintf(`\x%02x`, text[0])
		case !unicode.IsGraphic(r):
			piece = strings.Trim(strconv.QuoteRuneToASCII(r), "'")
		}
		if b.Len()+len(piece) > limit {
			return b.String() + "…"
		}
		b.WriteString(piece)
		text = text[size:]
	}
	return b.String()
}
