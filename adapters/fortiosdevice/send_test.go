package fortiosdevice_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/wire"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

const serial = "FGVMSIM000000001"

var target = exchange.Target{Serial: serial, VDOM: "root"}

func createAddress(t *testing.T, name string) wire.Request {
	return must(t)(wire.Create("firewall/address", "root", map[string]any{"name": name, "subnet": "192.0.2.7/32"}))
}

// The request that reaches the device is the plan's, byte for byte.
func TestSendSendsExactlyTheRequest(t *testing.T) {
	l := newLab(t, nil)
	l.inject(fortisim.Match{Method: "POST", Path: "monitor"}, fortisim.Answer{Status: 200,
		Body: `{"http_method":"POST","vdom":"root","action":"clear_counters","status":"success","serial":"` + serial + `"}`})
	device := l.open()
	for _, r := range []wire.Request{
		createAddress(t, "new one"),
		must(t)(wire.Create("firewall/address", "root", map[string]any{"name": "a/b?c", "comment": "ä <&> \"\\\n", "color": int64(3)})),
		must(t)(wire.Update("firewall/address", "root", key("new one"), map[string]any{"comment": "x"})),
		must(t)(wire.Update("firewall/address", "root", key("a/b?c"), map[string]any{"comment": "x"})),
		must(t)(wire.UpdateSingleton("system/global", "", map[string]any{"alias": "x"})),
		must(t)(wire.Delete("firewall/address", "root", key("new one"))),
		must(t)(wire.Move("firewall/policy", "root", operation.IntegerKey(5), operation.Position{Before: true, Anchor: operation.IntegerKey(2)})),
		must(t)(wire.Action("monitor/firewall/policy/clear_counters", "root", map[string]any{"policy": int64(1)})),
	} {
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			x := device.Send(t.Context(), r, nil)
			if class, _ := exchange.Classify(x, exchange.Target{Serial: serial}); class != exchange.Accepted {
				t.Errorf("the device took it for %s: %+v", class, x)
			}
			got := l.last()
			want, err := r.Payload()
			if err != nil {
				t.Fatal(err)
			}
			if got.Method != r.Method || got.Path != r.Path || got.Query != r.RawQuery() || string(got.Body) != string(want) {
				t.Errorf("sent %s %s?%s %s", got.Method, got.Path, got.Query, got.Body)
			}
		})
	}
}

func TestSendFillsTheSecretsIn(t *testing.T) {
	l := newLab(t, nil)
	r := must(t)(wire.Create("vpn.ipsec/phase1-interface", "root", map[string]any{
		"name": "t", "psksecret": map[string]any{"$secret": "s0"},
		"nested": []any{map[string]any{"deep": map[string]any{"$secret": "s1"}}, "plain"},
		"empty":  map[string]any{},
	}))
	l.open().Send(t.Context(), r, map[string]string{"s0": "one", "s1": "two \"quoted\""})
	var sent any
	if err := json.Unmarshal(l.last().Body, &sent); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"name": "t", "psksecret": "one", "empty": map[string]any{},
		"nested": []any{map[string]any{"deep": "two \"quoted\""}, "plain"},
	}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Error(diff)
	}
	if _, changed := r.Body["psksecret"].(string); changed {
		t.Error("the request itself was changed")
	}
}

func TestSendWithoutTheSecretsValueSendsNothing(t *testing.T) {
	l := newLab(t, nil)
	r := must(t)(wire.Create("user/local", "root", map[string]any{"name": "t", "passwd": map[string]any{"$secret": "s9"}}))
	x := l.open().Send(t.Context(), r, map[string]string{"s0": "one"})
	if class, _ := exchange.Classify(x, target); class != exchange.NotSent || len(l.sim.Requests()) != 0 {
		t.Errorf("%s, %d requests", class, len(l.sim.Requests()))
	}
}

func TestTheFactsOfASuccess(t *testing.T) {
	l := newLab(t, nil)
	x := l.open().Send(t.Context(), createAddress(t, "new"), nil)
	yes := true
	want := exchange.Exchange{
		Sent: true, HeaderComplete: true, Status: 200, Body: exchange.BodyObject, BodyComplete: true,
		APIStatus: "success", Serial: serial, VDOM: "root", MKey: "new", RevisionChanged: &yes,
	}
	if diff := cmp.Diff(want, x); diff != "" {
		t.Error(diff)
	}
}

func TestTheFactsOfARefusal(t *testing.T) {
	l := newLab(t, nil)
	x := l.open().Send(t.Context(), must(t)(wire.Delete("firewall/address", "root", key("net-lan"))), nil)
	class, _ := exchange.Classify(x, target)
	if class != exchange.RefusedDoubtful || x.Status != 500 || x.ErrorNumber != -23 || x.Serial != serial {
		t.Errorf("%s: %+v", class, x)
	}
}

// One request, one fault, one class: whatever happens on the wire.
func TestSendFailures(t *testing.T) {
	const page = "<html><body>log in</body></html>"
	envelope := func(members string) fortisim.Fault {
		return fortisim.Answer{Status: 200, Body: `{"http_method":"POST",` + members + `}`}
	}
	success := `"status":"success","serial":"` + serial + `","vdom":"root"`
	for _, c := range []struct {
		name    string
		fault   fortisim.Fault
		class   exchange.Class
		failure exchange.Failure
		body    exchange.BodyKind
	}{
		{"reset before the effect", fortisim.ResetBefore{}, exchange.Ambiguous, exchange.FailRead, exchange.BodyNone},
		{"reset after the effect", fortisim.ResetAfter{}, exchange.Ambiguous, exchange.FailRead, exchange.BodyNone},
		{"end without an answer", fortisim.Refuse{}, exchange.Ambiguous, exchange.FailRead, exchange.BodyNone},
		{"body cut", fortisim.Truncate{Bytes: 50}, exchange.Ambiguous, exchange.FailBody, exchange.BodyOther},
		{"log-in page", fortisim.LoginPage{}, exchange.NotAPI, exchange.FailNone, exchange.BodyHTML},
		{"redirect", fortisim.Redirect{To: "https://192.0.2.9/", Status: 308}, exchange.Redirect, exchange.FailNone, exchange.BodyNone},
		{"401", fortisim.Answer{Status: 401, Body: page, ContentType: "text/html"}, exchange.AuthRefused, exchange.FailNone, exchange.BodyHTML},
		{"403", fortisim.Answer{Status: 403, Body: `{"http_method":"POST","status":"error","http_status":403}`}, exchange.AuthRefused, exchange.FailNone, exchange.BodyObject},
		{"429", fortisim.Answer{Status: 429, Body: page, ContentType: "text/html"}, exchange.LockedOut, exchange.FailNone, exchange.BodyHTML},
		{"424 by FortiOS", fortisim.Answer{Status: 424, Body: `{"status":"error","http_method":"POST"}`}, exchange.Refused, exchange.FailNone, exchange.BodyObject},
		{"502", fortisim.Answer{Status: 502, Body: page, ContentType: "text/html"}, exchange.Ambiguous, exchange.FailNone, exchange.BodyHTML},
		{"another serial", fortisim.Serial{Value: "FGVMSIM000000002"}, exchange.WrongDevice, exchange.FailNone, exchange.BodyObject},
		{"another VDOM", envelope(`"status":"success","serial":"` + serial + `","vdom":"edge"`), exchange.WrongDevice, exchange.FailNone, exchange.BodyObject},
		{"success without a serial", envelope(`"status":"success"`), exchange.Ambiguous, exchange.FailNone, exchange.BodyObject},
		{"success that names status 500", envelope(success + `,"http_status":500`), exchange.Ambiguous, exchange.FailNone, exchange.BodyObject},
		{"two statuses", envelope(success + `,"status":"error"`), exchange.Ambiguous, exchange.FailNone, exchange.BodyObject},
		{"error with status 200", envelope(`"status":"error","error":-651`), exchange.RefusedDoubtful, exchange.FailNone, exchange.BodyObject},
		{"an object that is no envelope", fortisim.Answer{Status: 200, Body: `{"ok":true}`}, exchange.Ambiguous, exchange.FailNone, exchange.BodyObject},
		{"a list", fortisim.Answer{Status: 200, Body: `[{"status":"success"}]`}, exchange.Ambiguous, exchange.FailNone, exchange.BodyJSON},
		{"a number", fortisim.Answer{Status: 200, Body: `1`}, exchange.Ambiguous, exchange.FailNone, exchange.BodyJSON},
		{"no JSON", fortisim.Answer{Status: 200, Body: `{"status":`}, exchange.Ambiguous, exchange.FailNone, exchange.BodyOther},
		{"nothing", fortisim.Answer{Status: 200}, exchange.Ambiguous, exchange.FailNone, exchange.BodyNone},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t, nil)
			l.inject(fortisim.Match{}, c.fault)
			x := l.open().Send(t.Context(), createAddress(t, "new"), nil)
			class, _ := exchange.Classify(x, target)
			if class != c.class || x.Failure != c.failure || x.Body != c.body || !x.Sent {
				t.Errorf("%s from %+v", class, x)
			}
			if n := l.sim.Writes(); n != 1 {
				t.Errorf("the write reached the device %d times", n)
			}
		})
	}
}

func TestWhatFailsBeforeTheFirstByteIsNotSent(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*lab)
		want  exchange.Class
	}{
		"nobody listens": {func(l *lab) { _ = l.server.Close() }, exchange.NotSent},
		"another key":    {func(l *lab) { l.profile.Trust = "spki-sha256:" + hexSum(nil) }, exchange.TLSFailed},
		"no authority":   {func(l *lab) { l.profile.Trust = "system" }, exchange.TLSFailed},
		"no token":       {func(l *lab) { l.access.Token = token("") }, exchange.NotSent},
		"read only":      {func(l *lab) { l.options.ReadOnly = true }, exchange.NotSent},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, nil)
			c.spoil(l)
			x := l.open().Send(t.Context(), createAddress(t, "new"), nil)
			if class, _ := exchange.Classify(x, target); class != c.want || x.Sent {
				t.Errorf("%s from %+v", class, x)
			}
			if n := len(l.sim.Requests()); n != 0 {
				t.Errorf("%d requests reached the device", n)
			}
		})
	}
}

func TestACancelledSendIsNotSentAndALateOneIsFinished(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		l := newLab(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		x := l.open().Send(ctx, createAddress(t, "new"), nil)
		if class, _ := exchange.Classify(x, target); class != exchange.NotSent || len(l.sim.Requests()) != 0 {
			t.Errorf("%s, %d requests", class, len(l.sim.Requests()))
		}
	})
	t.Run("while the device works", func(t *testing.T) {
		l := newLab(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		hold := fortisim.NewHold(true)
		l.inject(fortisim.Match{}, hold)
		go func() { <-hold.Held(); cancel(); hold.Release() }()
		x := l.open().Send(ctx, createAddress(t, "new"), nil)
		if class, _ := exchange.Classify(x, target); class != exchange.Accepted || ctx.Err() == nil {
			t.Errorf("%s from %+v", class, x)
		}
	})
}

func TestTheProfilesTimeLimitEndsASend(t *testing.T) {
	l := newLab(t, nil)
	hold := fortisim.NewHold(false)
	l.inject(fortisim.Match{Method: "POST"}, hold)
	t.Cleanup(hold.Release)
	l.profile.Timeout = 100 * time.Millisecond
	x := l.open().Send(t.Context(), createAddress(t, "new"), nil)
	if class, _ := exchange.Classify(x, target); class != exchange.Ambiguous || x.Failure != exchange.FailDeadline || !x.Sent {
		t.Errorf("%s from %+v", class, x)
	}
}

func TestAnAnswerThatIsNotHTTPIsMalformed(t *testing.T) {
	l := newLab(t, nil)
	listener := tlsListener(t, "SSH-2.0-OpenSSH\r\n\r\n")
	host, number := splitAddr(t, listener)
	l.profile.Host, l.profile.Port, l.profile.Trust = host, number, "spki-sha256:"+listener.pin
	x := l.open().Send(t.Context(), createAddress(t, "new"), nil)
	if class, _ := exchange.Classify(x, target); class != exchange.Ambiguous || x.Failure != exchange.FailRefused {
		t.Errorf("%s from %+v", class, x)
	}
}

// A secret that a refusal repeats, whole or in part, reaches nobody.
func TestTheDevicesTextNeverRepeatsASecret(t *testing.T) {
	const secret = "Tr0ub4dor&3 \"correct\" \x07horse"
	for name, text := range map[string]string{
		"whole":              "value parse error before '" + secret + "'",
		"one word":           "value parse error before 'correct'",
		"the end of a word":  "value parse error before 'dor&3'",
		"inside other words": "xTr0ub4dor&3x",
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, nil)
			body, err := json.Marshal(map[string]any{"http_method": "POST", "status": "error", "error": -651, "cli_error": text, "serial": serial, "vdom": "root"})
			if err != nil {
				t.Fatal(err)
			}
			l.inject(fortisim.Match{}, fortisim.Answer{Status: 500, Body: string(body)})
			r := must(t)(wire.Create("user/local", "root", map[string]any{"name": "t", "passwd": map[string]any{"$secret": "s0"}}))
			x := l.open().Send(t.Context(), r, map[string]string{"s0": secret})
			for _, part := range []string{"Tr0ub", "dor&3", "correct", "horse"} {
				if strings.Contains(x.Text, part) {
					t.Errorf("the text shows %q: %s", part, x.Text)
				}
			}
			if !strings.Contains(x.Text, "<redacted>") || x.ErrorNumber != -651 {
				t.Errorf("got %+v", x)
			}
		})
	}
}

func TestTheDevicesTextIsEscapedAndCut(t *testing.T) {
	l := newLab(t, nil)
	l.inject(fortisim.Match{}, fortisim.Answer{Status: 500, Body: `{"http_method":"POST","status":"error","error":-1,
		"cli_error":"\u001b]52;c;aGk=\u0007\u202eline\nnext ` + repeat("ä", 3000) + `"}`})
	x := l.open().Send(t.Context(), createAddress(t, "new"), nil)
	if strings.ContainsAny(x.Text, "\x1b\x07\n\u202e") || len([]rune(x.Text)) > 300 || x.Text == "" {
		t.Errorf("got %q", x.Text)
	}
}

func TestAfterADoubtfulAnswerAFreshConnectionIsUsed(t *testing.T) {
	l := newLab(t, nil)
	device := l.open()
	first, err := device.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	device.Send(t.Context(), createAddress(t, "new"), nil)
	same, err := device.Identity(t.Context())
	if err != nil || same.Local != first.Local {
		t.Errorf("a good answer costs a connection: %s, then %s, %v", first.Local, same.Local, err)
	}
	device.Send(t.Context(), createAddress(t, "new"), nil) // refused: it exists
	other, err := device.Identity(t.Context())
	if err != nil || other.Local == first.Local {
		t.Errorf("the connection of a refusal is used again: %s, %v", other.Local, err)
	}
}

func TestAProbeHasAConnectionOfItsOwn(t *testing.T) {
	l := newLab(t, nil)
	device := l.open()
	before, err := device.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	probe, err := device.Probe(t.Context())
	if err != nil || probe.Local == before.Local || probe.Serial != before.Serial {
		t.Errorf("the probe came from %s as %s, %v; before %s", probe.Local, probe.Serial, err, before.Local)
	}
}

func TestBehindAProxyTheAddressesAreUnknown(t *testing.T) {
	l := newLab(t, nil)
	l.access.Proxy = connectProxy(t)
	id, err := l.open().Identity(t.Context())
	if err != nil || id.Serial != serial || id.Local != "" || id.Remote != "" {
		t.Errorf("got %+v, %v", id, err)
	}
}
