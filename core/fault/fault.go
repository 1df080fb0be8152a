// Package fault is the product's one error type: a code that callers act on, a
// message for the reader, details for programs and the cause.
//
// Codes are stable; texts are not. Callers compare [CodeOf], never a text.
package fault

import (
	"context"
	"errors"
	"fmt"
	"maps"
)

// Code names a class of failure. Its text is what tools and programs see.
type Code string

// The codes. Each comment says when it is used.
const (
	// Usage: the caller can correct the arguments; details.problems lists them.
	Usage Code = "usage"
	// Config: configuration, credentials source or state directory unusable.
	Config Code = "config"
	// Auth: the device refused the token, or has locked this address out.
	Auth Code = "auth"
	// PermissionDenied: the device refused this resource to this token.
	PermissionDenied Code = "permission_denied"
	// PolicyDenied: refused by this product.
	PolicyDenied Code = "policy_denied"
	// ApprovalRequired: guarded mode and no valid approval.
	ApprovalRequired Code = "approval_required"
	// NotFound: no such resource, object, plan or profile.
	NotFound Code = "not_found"
	// Conflict: duplicate key, object in use, or another apply is at work.
	Conflict Code = "conflict"
	// StalePlan: an object, the serial or the version changed since planning.
	StalePlan Code = "stale_plan"
	// TamperedPlan: the stored plan is not what was planned.
	TamperedPlan Code = "tampered_plan"
	// DeviceUnreachable: nothing was sent.
	DeviceUnreachable Code = "device_unreachable"
	// TLS: the certificate is not trusted or the pin does not match.
	TLS Code = "tls"
	// NotFortiOS: what answered is not a FortiOS REST API.
	NotFortiOS Code = "not_fortios"
	// DeviceError: any other refusal by the device.
	DeviceError Code = "device_error"
	// PartialFailure: some operations were applied, one failed.
	PartialFailure Code = "partial_failure"
	// OutcomeUnknown: a write may or may not have reached the device.
	OutcomeUnknown Code = "outcome_unknown"
	// ManagementConnectivityLost: the probe after a critical operation failed.
	ManagementConnectivityLost Code = "management_connectivity_lost"
	// VerifyFailed: the device accepted a write and reads back something else.
	VerifyFailed Code = "verify_failed"
	// ResultTooLarge: one object exceeds the byte budget even when cut.
	ResultTooLarge Code = "result_too_large"
	// Internal: a defect of this product.
	Internal Code = "internal"
)

// Codes lists every code in the order of the documentation.
func Codes() []Code {
	return []Code{
		Usage, Config, Auth, PermissionDenied, PolicyDenied, ApprovalRequired, NotFound, Conflict,
		StalePlan, TamperedPlan, DeviceUnreachable, TLS, NotFortiOS, DeviceError, PartialFailure,
		OutcomeUnknown, ManagementConnectivityLost, VerifyFailed, ResultTooLarge, Internal,
	}
}

// Error is a failure with everything a reader or a program needs of it. Message
// and Details never hold a secret or a device's unescaped text.
type Error struct {
	Code    Code
	Message string
	Details map[string]any
	// Err is the cause. It is for logs and errors.Is; its text is not shown.
	Err error
}

// New makes an error; format and args become its message.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap makes an error with a cause.
func Wrap(err error, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Err: err}
}

// With returns a copy of e with one more detail.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Details = maps.Clone(e.Details)
	if c.Details == nil {
		c.Details = map[string]any{}
	}
	c.Details[key] = value
	return &c
}

// Error is the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf is the code of any error: context errors count as unreachable devices,
// what is unknown is internal, nil has the empty code.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return From(err).Code
}

// From turns any error into an *Error. The text of an unknown error is not
// shown: it may hold what must not leave the process.
func From(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return Wrap(err, DeviceUnreachable, "the time limit ran out before the device answered; try again or raise the profile's timeout")
	case errors.Is(err, context.Canceled):
		return Wrap(err, DeviceUnreachable, "the request was cancelled before the device answered")
	default:
		return Wrap(err, Internal, "an internal error occurred; the diagnostics are on stderr")
	}
}
