package fortiosdevice

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// Columns of untrusted text in messages and details.
const (
	nameColumns = 120
	textColumns = 300
)

func shorten(name string) string { return redact.Line(name, nameColumns) }

// failure turns an error of the client into one of the port. what names what was
// asked for and is safe to print.
func failure(err error, what string) error {
	if err == nil {
		return nil
	}
	var known *fault.Error
	if errors.As(err, &known) { // the source of the token has said what is wrong
		return known
	}
	var e *fortios.Error
	if !errors.As(err, &e) {
		return fault.Wrap(err, fault.Internal, "%s: the exchange with the device failed", what)
	}
	if errors.Is(err, context.Canceled) || e.Kind == fortios.KindCanceled {
		return fault.Wrap(err, fault.DeviceUnreachable, "%s: cancelled before the device had answered", what)
	}
	return told(fault.Wrap(err, code(e), "%s: %s", what, redact.Text(message(e))), e)
}

// code sorts the client's kinds.
func code(e *fortios.Error) fault.Code {
	switch e.Kind {
	case fortios.KindInvalid:
		return fault.Usage
	case fortios.KindCredential:
		return fault.Config
	case fortios.KindUnreachable, fortios.KindTimeout, fortios.KindDisconnected, fortios.KindTruncated, fortios.KindCanceled:
		return fault.DeviceUnreachable
	case fortios.KindTLS:
		return fault.TLS
	case fortios.KindNotFortiOS:
		if e.Status >= http.StatusInternalServerError { // something in between, for the time being
			return fault.DeviceError
		}
		return fault.NotFortiOS
	case fortios.KindAuth, fortios.KindLockedOut:
		return fault.Auth
	case fortios.KindForbidden:
		return fault.PermissionDenied
	case fortios.KindNotFound:
		return fault.NotFound
	case fortios.KindInUse, fortios.KindDuplicate:
		return fault.Conflict
	case fortios.KindTooLarge, fortios.KindMismatch, fortios.KindMethodNotAllowed, fortios.KindRefused:
	}
	return fault.DeviceError
}

// message is the client's, except where that speaks to a programmer.
func message(e *fortios.Error) string {
	switch e.Kind {
	case fortios.KindTLS:
		return distrust(e)
	case fortios.KindTooLarge:
		return "the answer is larger than this program takes; ask for less: fewer fields, fewer rows, or a filter"
	case fortios.KindCredential:
		return "the API token could not be used; check its source in the profile"
	case fortios.KindInvalid, fortios.KindCanceled, fortios.KindUnreachable, fortios.KindTimeout, fortios.KindDisconnected,
		fortios.KindTruncated, fortios.KindNotFortiOS, fortios.KindMismatch, fortios.KindAuth, fortios.KindLockedOut,
		fortios.KindForbidden, fortios.KindNotFound, fortios.KindMethodNotAllowed, fortios.KindInUse, fortios.KindDuplicate,
		fortios.KindRefused:
	}
	return e.Message
}

const pinInstead = "pin the device's key in the profile (tls.pin_sha256; forti configure shows it to compare with the device's own)"

// distrust explains a failed handshake and names the remedy in the profile.
func distrust(e *fortios.Error) string {
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var notTLS tls.RecordHeaderError
	switch {
	case errors.As(e, &name):
		return "the device's certificate is not for this host, as a FortiGate's own never is; nothing was sent; " + pinInstead
	case errors.As(e, &authority):
		return "the device's certificate is not signed by a trusted authority; nothing was sent; name the authority (tls.ca_file) or " + pinInstead
	case errors.As(e, &invalid):
		return "the device's certificate is not valid; nothing was sent; renew it or " + pinInstead
	case errors.Is(e, fortios.ErrOtherKey):
		return "the device's key is not the one that the profile pins (tls.pin_sha256); nothing was sent; either its certificate was replaced, then forti configure with the profile's name shows the new key beside the old one, or something else answers at this address"
	case errors.As(e, &notTLS):
	}
	return e.Message
}

// told adds what the device said to an error.
func told(f *fault.Error, e *fortios.Error) *fault.Error {
	if e.Kind == fortios.KindLockedOut {
		f = f.With("reason", "locked_out")
	}
	if e.Status != 0 && e.Status != http.StatusOK {
		f = f.With("http_status", e.Status)
	}
	if e.Code != 0 {
		f = f.With("device_error", e.Code)
		if meaning := exchange.Explain(e.Code); meaning != "" {
			f = f.With("meaning", meaning)
		}
	}
	if e.CLIError != "" {
		f = f.With("device_message", redact.Line(redact.Text(e.CLIError), textColumns))
	}
	return f
}

// strange is an answer that looks like FortiOS and cannot be used.
func strange(what, why string) error {
	return fault.New(fault.DeviceError, "%s: %s", what, why)
}
