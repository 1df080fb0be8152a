package exchange

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/fault"
)

func TestAFailedExchangeHasACode(t *testing.T) {
	refused := func(status, number int) Exchange {
		return with(done(status, "error"), func(x *Exchange) { x.ErrorNumber = number })
	}
	tests := []struct {
		name  string
		x     Exchange
		class Class
		want  fault.Code
	}{
		{"nothing sent", Exchange{Failure: FailDial}, NotSent, fault.DeviceUnreachable},
		{"certificate", Exchange{Failure: FailTLS}, TLSFailed, fault.TLS},
		{"401", kind(401, BodyHTML), AuthRefused, fault.Auth},
		{"403", kind(403, BodyHTML), AuthRefused, fault.PermissionDenied},
		{"429 is the lock-out", kind(429, BodyHTML), LockedOut, fault.Auth},
		{"login page", kind(200, BodyHTML), NotAPI, fault.NotFortiOS},
		{"accepted and read back differently", done(200, "success"), Accepted, fault.VerifyFailed},
		{"key exists", refused(500, -5), RefusedDoubtful, fault.Conflict},
		{"duplicate", refused(500, -15), RefusedDoubtful, fault.Conflict},
		{"in use", refused(500, -23), RefusedDoubtful, fault.Conflict},
		{"in use by something else", refused(500, -97), RefusedDoubtful, fault.Conflict},
		{"duplicate with another status", refused(424, -5), Refused, fault.Conflict},
		{"permission refused with 500", refused(500, -37), RefusedDoubtful, fault.PermissionDenied},
		{"administrator's password needed", refused(500, -8102), RefusedDoubtful, fault.PermissionDenied},
		{"missing reference", refused(500, -3), RefusedDoubtful, fault.NotFound},
		{"404 without a number", refused(404, 0), Refused, fault.NotFound},
		{"405", refused(405, 0), Refused, fault.DeviceError},
		{"invalid value", refused(500, -651), RefusedDoubtful, fault.DeviceError},
		{"number nobody knows", refused(500, -4242), RefusedDoubtful, fault.DeviceError},
		{"redirect", kind(301, BodyHTML), Redirect, fault.DeviceError},
		{"no answer", Exchange{Sent: true, Failure: FailRead}, Ambiguous, fault.OutcomeUnknown},
		{"another device", done(200, "success"), WrongDevice, fault.OutcomeUnknown},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.x.Code(test.class); got != test.want {
				t.Errorf("Code = %s, want %s", got, test.want)
			}
		})
	}
}

func TestEveryClassHasAKnownCode(t *testing.T) {
	known := map[fault.Code]bool{}
	for _, code := range fault.Codes() {
		known[code] = true
	}
	for _, class := range classes {
		if code := (Exchange{}).Code(class); !known[code] {
			t.Errorf("%q: code %q", class, code)
		}
	}
}

func TestErrorNumbersAreExplained(t *testing.T) {
	for number, m := range numbers {
		text := Explain(number)
		switch {
		case number >= 0:
			t.Errorf("%d: FortiOS's numbers are negative", number)
		case text == "" || strings.HasSuffix(text, ".") || text[0] < 'a' || text[0] > 'z':
			t.Errorf("%d: %q does not end a sentence", number, text)
		case m.code == fault.Internal || m.code == fault.Usage:
			t.Errorf("%d: code %s", number, m.code)
		}
	}
	if got := Explain(-4242); got != "" {
		t.Errorf("an unknown number is explained: %q", got)
	}
	for n := -94; n >= -99; n-- {
		if Explain(n) == "" {
			t.Errorf("%d is not explained", n)
		}
	}
}
