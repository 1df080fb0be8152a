package fake_test

import (
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/wire"
)

func TestARuleStrikesTheRequestsItNames(t *testing.T) {
	tests := []struct {
		name  string
		match fake.Match
		want  string // which of five requests fail
	}{
		{"everything", fake.Match{}, "xxxxx"},
		{"a method", fake.Match{Method: "POST"}, "xx..."},
		{"a call", fake.Match{Call: fake.CallSend}, "xxx.."},
		{"a resource", fake.Match{Resource: "firewall/address"}, "x.xx."},
		{"a key", fake.Match{Key: "lan"}, "..xx."},
		{"a monitor endpoint", fake.Match{Resource: "monitor/system/status"}, "....x"},
		{"the second one", fake.Match{Skip: 1, Times: 1}, ".x..."},
		{"from the fourth on", fake.Match{Skip: 3}, "...xx"},
		{"the first of a kind", fake.Match{Call: fake.CallSend, Times: 1}, "x...."},
		{"another call", fake.Match{Call: fake.CallBackup}, "....."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.Fail(fake.Rule{Match: tt.match, Fault: fake.HTML(502, false)})
			b.send(wire.Create("firewall/address", "root", map[string]any{"name": "a"}))
			b.send(wire.Create("firewall/addrgrp", "root", map[string]any{"name": "g", "member": names("lan")}))
			b.send(wire.Update("firewall/address", "root", fake.Key("lan"), map[string]any{"color": 1}))
			_, _ = b.Object(t.Context(), fake.At("firewall/address"), fake.Key("lan"))
			_, _ = b.Identity(t.Context())
			got := ""
			for _, e := range b.Requests() {
				got += map[bool]string{true: "x", false: "."}[e.Exchange.Status == 502]
			}
			if got != tt.want {
				t.Errorf("struck %s, want %s", got, tt.want)
			}
		})
	}
}

func TestTheFirstRuleThatStrikesCounts(t *testing.T) {
	b := newBench(t)
	b.Fail(
		fake.Rule{Match: fake.Match{Skip: 1, Times: 1}, Fault: fake.HTML(401, false)},
		fake.Rule{Fault: fake.HTML(502, false)},
	)
	for i, want := range []fault.Code{fault.DeviceError, fault.Auth, fault.DeviceError} {
		if _, err := b.Identity(t.Context()); fault.CodeOf(err) != want {
			t.Errorf("request %d: %v, want %s", i, err, want)
		}
	}
	b.Heal()
	if _, err := b.Identity(t.Context()); err != nil {
		t.Errorf("after Heal: %v", err)
	}
}

func TestFaultsOfAWrite(t *testing.T) {
	tests := []struct {
		name  string
		fault fake.Fault
		// arrived and effect are what the device saw and did; comment what it keeps.
		arrived, effect bool
		comment         string
		success         bool
	}{
		{"refused", fake.Refused(), false, false, "", false},
		{"bad certificate", fake.BadCertificate(), false, false, "", false},
		{"reset before", fake.ResetBefore(), true, false, "", false},
		{"reset after", fake.ResetAfter(), true, true, "new", false},
		{"lost while writing", fake.Lost(exchange.FailWrite, true), true, true, "new", false},
		{"no answer, no effect", fake.HeaderTimeout(false), true, false, "", false},
		{"no answer", fake.HeaderTimeout(true), true, true, "new", false},
		{"cut", fake.Truncated(true), true, true, "new", false},
		{"a page", fake.HTML(200, false), true, false, "", false},
		{"a redirect with effect", fake.Redirected(true), true, true, "new", false},
		{"500 with effect", fake.CLIError(-651, true), true, true, "new", false},
		{"another serial", fake.OtherSerial("FGT60FTK20000009"), true, true, "new", true},
		{"another domain", fake.OtherVDOM("edge"), true, true, "new", true},
		{"success without effect", fake.Ignored(), true, false, "", true},
		{"another value", fake.Altered("comment", "other"), true, true, "other", true},
		{"nothing", fake.Fault{}, true, true, "new", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.Fail(fake.Rule{Match: fake.Match{Times: 1}, Fault: tt.fault})
			e := b.send(wire.Update("firewall/address", "root", fake.Key("lan"), map[string]any{"comment": "new"}))
			entry := b.Requests()[0]
			if entry.Arrived != tt.arrived || entry.Effect != tt.effect || e.Sent != tt.arrived || (e.APIStatus == "success") != tt.success {
				t.Errorf("arrived %v, effect %v, %+v", entry.Arrived, entry.Effect, e)
			}
			if n := len(b.Writes()); (n == 1) != tt.arrived {
				t.Errorf("%d writes", n)
			}
			if row, _ := b.Row(fake.At("firewall/address"), fake.Key("lan")); row["comment"] != tt.comment {
				t.Errorf("the device keeps %q, want %q", row["comment"], tt.comment)
			}
		})
	}
}

func TestAListCanComeOutShorter(t *testing.T) {
	b := newBench(t)
	b.Fail(fake.Rule{Fault: fake.Shortened("member")})
	b.create("firewall/addrgrp", map[string]any{"name": "g", "member": names("lan", "all")})
	if row, _ := b.Row(fake.At("firewall/addrgrp"), fake.Key("g")); len(row["member"].([]any)) != 1 { //nolint:forcetypeassert // a list, or the test panics
		t.Errorf("%v", row["member"])
	}
}

// What comes after the answer may change the device: the management path that is
// lost with the write that it follows, or a neighbour's change.
func TestSomethingCanHappenAfterTheAnswer(t *testing.T) {
	b := newBench(t)
	gone := fake.Fault{After: func() { b.Fail(fake.Rule{Match: fake.Match{Call: fake.CallProbe}, Fault: fake.Refused()}) }}
	b.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: gone})
	if _, err := b.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.create("firewall/address", map[string]any{"name": "x"})
	if _, err := b.Probe(t.Context()); fault.CodeOf(err) != fault.DeviceUnreachable {
		t.Errorf("Probe: %v", err)
	}
	if _, err := b.Identity(t.Context()); err != nil {
		t.Errorf("Identity: %v", err)
	}
}
