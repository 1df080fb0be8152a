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

// trust decides how the device is recognised: as given, as it was, or by the key
// of its certificate, if the person at the terminal says so.
func (o *Options) trust(ctx context.Context, p Profile, keep bool) (Profile, error) {
	given := o.Given.Trust.Pin != "" || o.Given.Trust.CAFile != "" || o.SystemRoots
	if given || keep {
		return p, nil
	}
	cert, err := o.Certificate(ctx, p.Host, port(p))
	if err != nil {
		return p, err
	}
	human, done, err := o.Human()
	if err != nil {
		return p, unasked(err, p, cert)
	}
	defer done()
	yes, err := pin(ctx, human, p, cert)
	if err != nil {
		return p, fault.Wrap(err, fault.Internal, "the terminal failed; nothing was saved")
	}
	if !yes {
		return p, fault.New(fault.PolicyDenied, "the certificate of %s was not accepted; nothing was saved", p.Host).
			With("reason", "certificate_not_accepted")
	}
	p.Trust = Trust{Pin: cert.Pin}
	return p, nil
}

// unasked is the refusal where nobody can be asked: with the pin, so that it can
// be compared and given.
func unasked(err error, p Profile, cert Certificate) error {
	why := "the terminal cannot be used"
	var none *terminal.NoTerminalError
	if errors.As(err, &none) {
		why = none.Why
	}
	problem := fmt.Sprintf("how is %s to be recognised? Its key has the pin %s; compare it with the device and give --pin, or give --ca-file or --system-roots (%s)", p.Host, cert.Pin, why)
	return fault.Wrap(err, fault.Usage, "--pin: %s", problem).
		With("problems", []fault.Problem{{Pointer: "--pin", Problem: problem}}).
		With("pin_sha256", cert.Pin).With("fingerprint_sha256", cert.Fingerprint)
}

// pin shows a certificate and asks whether its key is to be trusted.
func pin(ctx context.Context, human terminal.Terminal, p Profile, cert Certificate) (bool, error) {
	width, _ := human.Size()
	page := view.NewPage(view.Style{Width: width})
	page.Say("The device presents this certificate:")
	page.Text("  device       ", fmt.Sprintf("%s port %d", p.Host, port(p)))
	page.Text("  subject      ", cert.Subject)
	page.Text("  issuer       ", cert.Issuer)
	page.Text("  valid        ", cert.From.UTC().Format(time.DateOnly)+" to "+cert.Until.UTC().Format(time.DateOnly))
	page.Text("  fingerprint  ", cert.Fingerprint)
	page.Text("  pin          ", cert.Pin)
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
