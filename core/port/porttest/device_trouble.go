package porttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
)

// Trouble is something that a fixture can let happen to requests. Declared in
// Without by its name, it is skipped.
type Trouble Ability

// The troubles.
const (
	RefusedConnection Trouble = "refused connection"
	BadCertificate    Trouble = "bad certificate"
	ResetBefore       Trouble = "reset before the effect"
	ResetAfter        Trouble = "reset after the effect"
	// NoAnswer: nothing comes until the profile's time limit; no effect.
	NoAnswer Trouble = "no answer"
	// CutBody: a 200 whose body ends early, after the effect.
	CutBody Trouble = "cut body"
	// LoginPage: a 200 with HTML; no effect.
	LoginPage Trouble = "login page"
	// RedirectTo: a 302 to another path; no effect.
	RedirectTo Trouble = "redirect"
	// Unauthorized, Forbidden, LockedOut: 401, 403, 429 with an HTML body.
	Unauthorized Trouble = "unauthorized"
	Forbidden    Trouble = "forbidden"
	LockedOut    Trouble = "locked out"
	// BadGateway: a 502 with HTML; no effect.
	BadGateway Trouble = "bad gateway"
	// NoStatus: a 200 with a JSON object that lacks status; no effect.
	NoStatus Trouble = "answer without status"
	// AnotherSerial: a whole answer that names the serial FGT60FTK29999999.
	AnotherSerial Trouble = "another serial"
)

// OtherSerial is the serial of [AnotherSerial].
const OtherSerial = "FGT60FTK29999999"

// expectation is what a trouble makes of writes and reads.
type expectation struct {
	trouble Trouble
	facts   exchange.Exchange
	// effect: the write took effect.
	effect bool
	// read is the code of a failed read; "" where reads go on.
	read fault.Code
}

func expectations() []expectation {
	page := func(status int, kind exchange.BodyKind) exchange.Exchange {
		return exchange.Exchange{Sent: true, HeaderComplete: true, Status: status, Body: kind, BodyComplete: true}
	}
	lost := func(f exchange.Failure) exchange.Exchange { return exchange.Exchange{Sent: true, Failure: f} }
	other := page(200, exchange.BodyObject)
	other.APIStatus, other.Serial = "success", OtherSerial
	return []expectation{
		{RefusedConnection, exchange.Exchange{Failure: exchange.FailDial}, false, fault.DeviceUnreachable},
		{BadCertificate, exchange.Exchange{Failure: exchange.FailTLS}, false, fault.TLS},
		{ResetBefore, lost(exchange.FailRead), false, fault.DeviceUnreachable},
		{ResetAfter, lost(exchange.FailRead), true, fault.DeviceUnreachable},
		{NoAnswer, lost(exchange.FailDeadline), false, fault.DeviceUnreachable},
		{CutBody, exchange.Exchange{Sent: true, HeaderComplete: true, Status: 200, Failure: exchange.FailBody}, true, fault.DeviceUnreachable},
		{LoginPage, page(200, exchange.BodyHTML), false, fault.NotFortiOS},
		{RedirectTo, page(302, exchange.BodyNone), false, fault.NotFortiOS},
		{Unauthorized, page(401, exchange.BodyHTML), false, fault.Auth},
		{Forbidden, page(403, exchange.BodyHTML), false, fault.PermissionDenied},
		{LockedOut, page(429, exchange.BodyHTML), false, fault.Auth},
		{BadGateway, page(502, exchange.BodyHTML), false, fault.DeviceError},
		{NoStatus, page(200, exchange.BodyObject), false, fault.NotFortiOS},
		{AnotherSerial, other, true, ""},
	}
}

func (h DeviceHarness) trouble(t *testing.T) {
	for _, x := range expectations() {
		h.run(t, "write, "+string(x.trouble), func(b *bench) { h.writeMeets(b, x) })
		h.run(t, "read, "+string(x.trouble), func(b *bench) { h.readMeets(b, x) })
	}
}

func (b *bench) arrange(x Trouble) (calm func()) {
	b.t.Helper()
	calm, ok := func() {}, false
	if b.Arrange != nil {
		calm, ok = b.Arrange(b.t, x)
	}
	if calm != nil {
		b.t.Cleanup(calm)
	}
	b.harness.Without.need(b.t, Ability(x), ok)
	return calm
}

// writeMeets: the facts tell the trouble, the request was sent at most once, and
// the next one goes its own way.
func (h DeviceHarness) writeMeets(b *bench, x expectation) {
	r := b.request(wire.Create("firewall/address", b.Profile.VDOM, map[string]any{"name": "pt-a"}))
	arrived := 0
	if b.Arrived != nil {
		arrived = b.Arrived()
	}
	calm := b.arrange(x.trouble)
	got := b.device.Send(b.t.Context(), r, nil)
	calm()
	if diff := cmp.Diff(x.facts, settled(got, x.facts)); diff != "" {
		b.t.Error(diff)
	}
	if b.Arrived != nil && b.Arrived()-arrived > 1 {
		b.t.Errorf("the request arrived %d times", b.Arrived()-arrived)
	}
	if x.effect {
		b.read("firewall/address", text("pt-a"))
	} else {
		b.gone("firewall/address", text("pt-a"))
	}
	b.create("firewall/address", map[string]any{"name": "pt-next"})
}

// settled leaves the facts that are the same on every transport: a request
// that was lost can fail while it is written as well as while its answer is read,
// and what is known of half an answer depends on where it was cut.
func settled(got, want exchange.Exchange) exchange.Exchange {
	got.Text, got.RevisionChanged, got.MKey, got.ErrorNumber = "", nil, "", 0
	if want.Failure == exchange.FailRead && got.Failure == exchange.FailWrite {
		got.Failure = exchange.FailRead
	}
	if want.Serial == "" && want.Body != exchange.BodyObject || want.APIStatus == "" {
		got.Serial = ""
	}
	got.VDOM = ""
	if want.Body == "" || want.Body == exchange.BodyNone {
		got.Body = want.Body
	}
	return got
}

// readMeets: every kind of read fails with the same code, and the next one works.
func (h DeviceHarness) readMeets(b *bench, x expectation) {
	ctx := b.t.Context()
	b.addresses("pt-a", "pt-b")
	calm := b.arrange(x.trouble)
	who, identityErr := b.device.Identity(ctx)
	_, probeErr := b.device.Probe(ctx)
	_, objectErr := b.device.Object(ctx, b.at("firewall/address"), text("pt-a"))
	seen := 0
	_, listErr := b.device.List(ctx, port.ListQuery{At: b.at("firewall/address")}, func(map[string]any) bool { seen++; return true })
	_, monitorErr := b.device.Monitor(ctx, port.MonitorQuery{At: b.at("monitor/system/status")})
	calm()
	for name, err := range map[string]error{"Identity": identityErr, "Probe": probeErr, "Object": objectErr, "List": listErr, "Monitor": monitorErr} {
		if got := fault.CodeOf(err); got != x.read {
			b.t.Errorf("%s: code %q (%v), want %q", name, got, err, x.read)
		}
	}
	if x.trouble == AnotherSerial && who.Serial != OtherSerial {
		b.t.Errorf("the identity is %q, the device said %q", who.Serial, OtherSerial)
	}
	if x.trouble != CutBody && x.read != "" && seen > 0 {
		b.t.Errorf("%d rows came out of %s", seen, x.trouble)
	}
	if _, err := b.device.Identity(ctx); err != nil { // who answers from here on is who says so now
		b.t.Error(err)
	}
	b.read("system/global", operation.Key{})
}
