package fake_test

import (
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/wire"
)

func TestAWorldIsReadyAtOnce(t *testing.T) {
	w, err := fake.NewWorld(fake.WorldOptions{Named: map[string]string{"psk": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	list, name, err := w.Profiles.List(t.Context())
	if err != nil || len(list) != 1 || name != "demo" || list[0].Mode != profile.Guarded || list[0].Timeout != profile.DefaultTimeout {
		t.Fatalf("%+v, %q, %v", list, name, err)
	}
	d, err := w.Device.Open(t.Context(), list[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.Identity(t.Context()); err != nil || got.VDOM != "root" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := w.Named.Value(t.Context(), "psk"); err != nil || got.Reveal() != "x" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAWorldSurvivesItsProcess(t *testing.T) {
	w, err := fake.NewWorld(fake.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := w.Ports()
	if err := before.Plans.Put(t.Context(), port.StoredPlan{ID: id}); err != nil {
		t.Fatal(err)
	}
	w.State.Crash()
	r, err := wire.Create("firewall/address", "root", map[string]any{"name": "late"})
	if err != nil {
		t.Fatal(err)
	}
	if e := w.Device.Send(t.Context(), r, nil); e.Sent {
		t.Error("the dead process reached the device")
	}
	w.Restart()
	if e := w.Device.Send(t.Context(), r, nil); e.APIStatus != "success" {
		t.Errorf("%+v", e)
	}
	if err := before.Approvals.Revoke(t.Context(), id); err == nil {
		t.Error("a port of the dead process still works")
	}
	if _, err := w.Ports().Plans.Get(t.Context(), id); err != nil {
		t.Errorf("what was durable is gone: %v", err)
	}
}

func TestTheClocksDisagreeWhenTold(t *testing.T) {
	c := fake.NewClock(time.Time{})
	boot, since := c.Boot()
	c.Advance(time.Minute)
	c.Set(fake.Start.Add(-time.Hour))
	if again, later := c.Boot(); again != boot || later-since != time.Minute || !c.Now().Equal(fake.Start.Add(-time.Hour)) {
		t.Errorf("%q, %v, %v", again, later, c.Now())
	}
	c.Reboot()
	if again, later := c.Boot(); again == boot || later != 0 {
		t.Errorf("after a reboot %q, %v", again, later)
	}
	if err := c.Sleep(t.Context(), time.Second); err != nil || len(c.Sleeps()) != 1 || c.Sleeps()[0] != time.Second {
		t.Errorf("%v, %v", c.Sleeps(), err)
	}
}

func TestChanceIsTheSameInEveryRun(t *testing.T) {
	draw := func(seed uint64) string {
		b, err := fake.NewRandom(seed).Bytes(40)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if first, again := draw(1), draw(1); first != again || first == draw(2) {
		t.Error("a seed does not name one sequence")
	}
	r := fake.NewRandom(1)
	r.Constant(7)
	if b, err := r.Bytes(plan.RandomBytes); err != nil || string(b) != "\x07\x07\x07" {
		t.Errorf("%v, %v", b, err)
	}
	r.Break()
	if _, err := r.Bytes(1); err == nil {
		t.Error("a broken source gave bytes")
	}
}

func TestASignatureHoldsForItsSignerAndItsMessage(t *testing.T) {
	v := fake.NewVerifier("alice", "bob")
	grant := func(key, signature string) approval.Grant {
		return approval.Grant{Approver: approval.Approver{Key: key}, Signature: signature}
	}
	message := []byte("plan")
	for name, tt := range map[string]struct {
		grant approval.Grant
		code  fault.Code
	}{
		"a permitted signer":   {grant("alice", fake.Sign("alice", message)), ""},
		"another message":      {grant("alice", fake.Sign("alice", []byte("other"))), fault.PermissionDenied},
		"another's signature":  {grant("alice", fake.Sign("bob", message)), fault.PermissionDenied},
		"a stranger":           {grant("eve", fake.Sign("eve", message)), fault.PermissionDenied},
		"no signature":         {grant("alice", ""), fault.PermissionDenied},
		"no name of a signer":  {grant("", fake.Sign("", message)), fault.PermissionDenied},
		"a signer in capitals": {grant("ALICE", fake.Sign("alice", message)), fault.PermissionDenied},
	} {
		if _, err := v.Verify(t.Context(), profile.Profile{}, message, tt.grant); fault.CodeOf(err) != tt.code {
			t.Errorf("%s: %v, want %q", name, err, tt.code)
		}
	}
}

func TestProgressRemembersTheSteps(t *testing.T) {
	var p fake.Progress
	p.Step(t.Context(), port.Step{Stage: port.StageSend, Operation: 0, Of: 2})
	p.Step(t.Context(), port.Step{Stage: port.StageEnd, Operation: -1, Of: 2})
	if got := p.Steps(); len(got) != 2 || got[0].Stage != port.StageSend || got[1].Operation != -1 {
		t.Errorf("%+v", got)
	}
}

func TestACatalogRefusesPathsThatAreEmptyOrTwice(t *testing.T) {
	all := fake.Builtin()
	if _, err := fake.NewCatalog(all[0], all[0]); err == nil {
		t.Error("a path stands twice")
	}
	one := all[0]
	one.Path = ""
	if _, err := fake.NewCatalog(one); err == nil {
		t.Error("a path is empty")
	}
}
