package configure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// trustGiven reports whether the caller said how the device is recognised.
func (o *Options) trustGiven() bool {
	return o.Given.Trust.Pin != "" || o.Given.Trust.CAFile != "" || o.SystemRoots
}

// trust decides how the device is recognised: as given, as it was, or by the key
// of its certificate, if the person at the terminal says so.
func (o *Options) trust(ctx context.Context, p Profile, keep bool) (Profile, error) {
	if o.trustGiven() || keep {
		return p, nil
	}
	cert, err := o.Certificate(ctx, p.Host, port(p))
	if err != nil {
		return p, err
	}
	return o.confirm(ctx, p, cert, "")
}

// replaced deals with a saved profile whose device is not the one that it trusts: the
// key that answers is shown beside the trusted one, and where the person says so it is
// the trusted one from now on. failure is that of the test.
func (o *Options) replaced(ctx context.Context, store Store, p Profile, failure error) (Profile, any, error) {
	cert, err := o.Certificate(ctx, p.Host, port(p))
	if err != nil || cert.Pin == p.Trust.Pin {
		return p, nil, failure // the key is not what the test failed on
	}
	next, err := o.confirm(ctx, p, cert, trustedUntilNow(p))
	if err != nil {
		return p, nil, err
	}
	if _, err := o.save(ctx, store, next); err != nil {
		return p, nil, err
	}
	tested, err := o.test(ctx, next.Name)
	return next, tested, err
}

// trustedUntilNow says by what a profile recognises its device.
func trustedUntilNow(p Profile) string {
	switch {
	case p.Trust.Pin != "":
		return "the pin " + p.Trust.Pin
	case p.Trust.CAFile != "":
		return "the authorities in " + p.Trust.CAFile
	}
	return "the system's authorities"
}

// confirm asks the person whether a certificate's key is to be trusted. before is what
// was trusted until now, "" for a new profile or place.
func (o *Options) confirm(ctx context.Context, p Profile, cert Certificate, before string) (Profile, error) {
	human, done, err := o.Human()
	if err != nil {
		return p, unasked(err, p, cert, before)
	}
	defer done()
	yes, err := pin(ctx, human, p, cert, before)
	switch {
	case err != nil:
		return p, fault.Wrap(err, fault.Internal, "the terminal failed; the certificate was not accepted")
	case !yes && before != "":
		return p, fault.New(fault.PolicyDenied, "the new key of %s was not accepted; profile %q goes on trusting %s", p.Host, p.Name, before).
			With("reason", "certificate_not_accepted")
	case !yes:
		return p, fault.New(fault.PolicyDenied, "the certificate of %s was not accepted; nothing was saved", p.Host).
			With("reason", "certificate_not_accepted")
	}
	p.Trust = Trust{Pin: cert.Pin}
	return p, nil
}

// unasked is the refusal where nobody can be asked: with the pin, so that it can
// be compared and given.
func unasked(err error, p Profile, cert Certificate, before string) error {
	why := "the terminal cannot be used"
	var none *terminal.NoTerminalError
	if errors.As(err, &none) {
		why = none.Why
	}
	if before != "" {
		return fault.Wrap(err, fault.TLS, "%s shows another key than the one trusted until now (%s): %s; where its certificate was replaced on purpose, compare with the device and give --pin; otherwise something else answers there (nobody can be asked: %s)", p.Host, before, cert.Pin, why).
			With("pin_sha256", cert.Pin).With("fingerprint_sha256", cert.Fingerprint)
	}
	problem := fmt.Sprintf("how is %s to be recognised? Its key has the pin %s; compare it with the device and give --pin, or give --ca-file or --system-roots (%s)", p.Host, cert.Pin, why)
	return fault.Wrap(err, fault.Usage, "--pin: %s", problem).
		With("problems", []fault.Problem{{Pointer: "--pin", Problem: problem}}).
		With("pin_sha256", cert.Pin).With("fingerprint_sha256", cert.Fingerprint)
}

// pin shows a certificate and asks whether its key is to be trusted.
func pin(ctx context.Context, human terminal.Terminal, p Profile, cert Certificate, before string) (bool, error) {
	width, _ := human.Size()
	page := view.NewPage(view.Style{Width: width})
	page.Say("The device presents this certificate:")
	page.Text("  device       ", fmt.Sprintf("%s port %d", p.Host, port(p)))
	page.Text("  subject      ", cert.Subject)
	page.Text("  issuer       ", cert.Issuer)
	page.Text("  valid        ", cert.From.UTC().Format(time.DateOnly)+" to "+cert.Until.UTC().Format(time.DateOnly))
	page.Text("  fingerprint  ", cert.Fingerprint)
	page.Text("  pin          ", cert.Pin)
	if before != "" {
		page.Text("  until now    ", before)
		page.Say("THIS IS ANOTHER KEY than the one trusted until now. Unless its certificate was replaced on purpose, something else answers at this address: stop.")
	}
	page.Say("Compare the fingerprint (SHA-256) with the one that the device itself shows.")
	if err := human.Write(page.String()); err != nil {
		return false, err
	}
	answer, err := human.Ask(ctx, "Type  yes  to trust this key from now on, anything else to stop: ")
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false, nil
	case err != nil:
		return false, err
	}
	return strings.TrimSpace(answer) == "yes", nil
}
