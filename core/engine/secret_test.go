package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

const password = "correct-horse-7<&battery"

// literal is a create with the password in it.
var literal = "[" + fmt.Sprintf(tunnel, `"`+password+`"`) + "]"

const fromList = `{"$secret":{"name":"psk"}}`

func listed(o *fake.WorldOptions) { o.Named = map[string]string{"psk": password} }

// kept is everything that the state has, but for the secrets of plans.
func (r *rig) kept() string {
	r.Helper()
	var b strings.Builder
	ctx, s := context.Background(), r.world.State
	ids, err := s.Plans().List(ctx)
	if err != nil {
		r.Fatal(err)
	}
	for _, id := range ids {
		p, err := s.Plans().Get(ctx, id)
		if err != nil {
			r.Fatal(err)
		}
		approval, _ := s.Approvals().Get(ctx, id) // there may be none
		journal, _ := s.Journals().Read(ctx, id)
		for _, part := range [][]byte{p.File, p.Remarks, approval, journal} {
			b.Write(part)
		}
	}
	for line, err := range s.Audit().Lines(ctx) {
		if err != nil {
			r.Fatal(err)
		}
		b.Write(line)
	}
	for _, name := range s.Backups().Names() {
		content, _ := s.Backups().Content(name)
		b.Write(content)
	}
	fmt.Fprintf(&b, "%+v %+v", r.world.Progress.Steps(), s.Steps())
	return b.String()
}

// silent wants that none of the texts holds the password, in whatever spelling.
func (r *rig) silent(texts ...string) {
	r.Helper()
	for _, text := range append(texts, r.kept()) {
		for _, spelling := range []string{"correct-horse", "battery"} {
			if i := strings.Index(text, spelling); i >= 0 {
				r.Fatalf("the secret shows: …%s…", text[max(0, i-200):min(len(text), i+40)])
			}
		}
	}
}

func (r *rig) secretsOf(id plan.ID) []byte {
	file, err := r.world.State.Secrets().Get(r.Context(), id)
	if err != nil {
		return nil
	}
	return file
}

// ST-05: the value is apart from everything else, is sent, and is gone afterwards.
func TestASecretIsKeptApartAndErasedAtTheEnd(t *testing.T) {
	r := newRig(t)
	v := r.mustPlan(literal)
	review, err := r.engine.Review(t.Context(), r.caller, v.PlanID, 80, true)
	if err != nil {
		t.Fatal(err)
	}
	r.silent(encoded(v, nil, nil), review.Screen, fmt.Sprintf("%+v %#v", v, v))
	if !bytes.Contains(r.secretsOf(v.PlanID), []byte("correct-horse")) {
		t.Fatal("the value was not kept for the apply")
	}
	r.approve(v.PlanID)
	x := r.mustApply(v.PlanID)
	if got := r.object("vpn.ipsec/phase1-interface", "hq")["psksecret"]; got != password {
		t.Fatal("the device has another secret")
	}
	if got := x.Operations[0]; got.Status != exchange.Verified || strings.Join(got.Unverified, " ") != "psksecret" {
		t.Fatalf("%s", show(got))
	}
	if r.secretsOf(v.PlanID) != nil {
		t.Fatal("the value is still there after the end")
	}
	r.silent(encoded(x, nil, nil), encoded(r.shown(v.PlanID), nil, nil))
	if _, err := r.engine.List(t.Context(), r.caller); err != nil {
		t.Fatal(err) // the plan can still be read and shown
	}
}

func TestASecretIsErasedWhateverTheEnd(t *testing.T) {
	tests := []struct {
		name string
		end  func(r *rig, id plan.ID)
	}{
		{"failed", func(r *rig, id plan.ID) {
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: fake.CLIError(-651, false)})
			_, _ = r.apply(id)
		}},
		{"unknown", func(r *rig, id plan.ID) {
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: fake.ResetAfter()})
			_, _ = r.apply(id)
		}},
		{"interrupted", func(r *rig, id plan.ID) {
			r.world.State.Break(fake.Break{Step: fake.StepJournal, Nth: 1, How: fake.DieAfter})
			_, _ = r.apply(id)
			r.world.Restart()
			r.start()
			_ = r.shown(id)
		}},
		{"revoked", func(r *rig, id plan.ID) { _ = r.engine.Revoke(r.Context(), r.caller, id) }},
		{"too old, seen when it is shown", func(r *rig, id plan.ID) {
			r.world.Clock.Advance(plan.Lifetime)
			_ = r.shown(id)
		}},
		{"too old, seen when it is applied", func(r *rig, id plan.ID) {
			r.world.Clock.Advance(plan.Lifetime)
			_, _ = r.apply(id)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			id := r.approved(literal)
			test.end(r, id)
			if r.secretsOf(id) != nil {
				t.Fatalf("the value is still there, the plan is %s", r.state(id))
			}
			r.silent(encoded(r.shown(id), nil, nil))
		})
	}
}

func TestASecretIsKeptWhileItsPlanCanStillBeApplied(t *testing.T) {
	r := newRig(t)
	id := r.approved(literal)
	r.world.Device.Fail(fake.Rule{Fault: fake.Refused()})
	_ = r.stops(id, fault.DeviceUnreachable, "")
	r.world.Device.Heal()
	r.mustApply(id)
}

func TestASecretOfAPlanThatWasNotStoredIsNotKept(t *testing.T) {
	r := newRig(t)
	r.world.State.Break(fake.Break{Step: fake.StepPlan, Nth: 1, How: fake.Refuse})
	_, err := r.plan(literal)
	_ = r.wantCode(err, fault.Config)
	r.silent(err.Error(), encoded(nil, nil, err))
	if got := r.world.State.Steps(); got[len(got)-1] != fake.StepEraseSecrets {
		t.Fatalf("steps: %v", got)
	}
}

func TestASwappedSecretIsTampering(t *testing.T) {
	tests := []struct {
		name string
		edit func(file []byte) []byte
	}{
		{"another value", func(f []byte) []byte { return bytes.Replace(f, []byte("battery"), []byte("staples"), 1) }},
		{"another salt", func(f []byte) []byte {
			i := bytes.Index(f, []byte(`"salt":"`)) + len(`"salt":"`)
			f[i] ^= 1
			return f
		}},
		{"another name", func(f []byte) []byte { return bytes.Replace(f, []byte(`"s0"`), []byte(`"s1"`), 1) }},
		{"no JSON", func([]byte) []byte { return []byte("{") }},
		{"nothing", func([]byte) []byte { return nil }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			everyMode(t, func(r *rig, ready func(string) plan.ID) {
				id := ready(literal)
				file := test.edit(r.secretsOf(id))
				if err := r.world.State.Secrets().Put(t.Context(), id, file); err != nil {
					t.Fatal(err)
				}
				r.world.Device.Forget()
				f := r.stops(id, fault.TamperedPlan, "")
				r.silent(f.Error(), encoded(nil, nil, f))
				if len(r.world.Device.Requests()) > 0 {
					t.Fatal("the device was asked")
				}
			})
		})
	}
	t.Run("gone", func(t *testing.T) {
		r := newRig(t)
		id := r.approved(literal)
		if err := r.world.State.Secrets().Erase(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		_ = r.stops(id, fault.TamperedPlan, "")
	})
}

func TestANamedSecretIsFetchedOnlyForSending(t *testing.T) {
	r := newRig(t, listed)
	id := r.approved("[" + fmt.Sprintf(tunnel, fromList) + "]")
	if r.secretsOf(id) != nil {
		t.Fatal("something was stored")
	}
	r.silent(encoded(r.shown(id), nil, nil))
	r.mustApply(id)
	if got := r.object("vpn.ipsec/phase1-interface", "hq")["psksecret"]; got != password {
		t.Fatal("the device has another secret")
	}
	r.silent(encoded(r.shown(id), nil, nil))
}

func TestANamedSecretThatCannotBeHadStopsBeforeAnythingIsSent(t *testing.T) {
	t.Run("its source fails", func(t *testing.T) {
		r := newRig(t, listed)
		id := r.approved("[" + fmt.Sprintf(tunnel, fromList) + "]")
		r.world.Named.Break("psk")
		_ = r.stops(id, fault.Config, "")
		r.usable(id)
	})
	t.Run("it is not listed any more", func(t *testing.T) {
		r := newRig(t, listed)
		id := r.approved("[" + fmt.Sprintf(tunnel, fromList) + "]")
		r.start(func(p *engine.Ports) { p.Named = fake.NewNamedSecrets(nil) })
		_ = r.stops(id, fault.NotFound, "")
	})
	t.Run("the program has no named secrets", func(t *testing.T) {
		r := newRig(t, listed)
		id := r.approved("[" + fmt.Sprintf(tunnel, fromList) + "]")
		r.start(func(p *engine.Ports) { p.Named = nil })
		_ = r.stops(id, fault.Config, "")
	})
	t.Run("the program keeps no secrets", func(t *testing.T) {
		r := newRig(t)
		r.start(func(p *engine.Ports) { p.Secrets = nil })
		_, err := r.plan(literal)
		_ = r.wantCode(err, fault.Config)
	})
}

// A device that repeats a secret in its refusal does not get it into a result.
func TestADeviceThatRepeatsASecretIsNotQuoted(t *testing.T) {
	tests := []struct{ name, text string }{
		{"as it is", "value parse error before '" + password + "'"},
		{"escaped", `value parse error before 'correct-horse-7\u003c\u0026battery'`},
		{"cut short", "value parse error before 'correct-horse…"},
		{"in capitals", "VALUE ERROR: CORRECT-HORSE-7<&BATTERY"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			id := r.approved(literal)
			says := fake.CLIError(-651, false)
			number := says.Facts
			says.Facts = func(e *exchange.Exchange) { number(e); e.Text = test.text }
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: says})
			_, err := r.apply(id)
			f := r.wantCode(err, fault.DeviceError)
			r.silent(f.Error(), strings.ToLower(encoded(nil, nil, f)), strings.ToLower(encoded(r.shown(id), nil, nil)), strings.ToLower(r.kept()))
		})
	}
	t.Run("other secrets in it are masked by their form", func(t *testing.T) {
		r := newRig(t)
		id := r.approved(literal)
		says := fake.CLIError(-651, false)
		number := says.Facts
		says.Facts = func(e *exchange.Exchange) { number(e); e.Text = "peer: ENC Ab3d9Zk0/otherSecret==; psk too short" }
		r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: says})
		_, err := r.apply(id)
		f := r.wantCode(err, fault.DeviceError)
		for _, text := range []string{show(f.Details), encoded(r.shown(id), nil, nil), r.kept()} {
			if strings.Contains(text, "Ab3d9Zk0") {
				t.Errorf("the secret is shown: %s", text)
			}
		}
		if !strings.Contains(encoded(nil, nil, f), "peer: <redacted>; psk too short") {
			t.Errorf("the words are lost: %s", show(f.Details))
		}
	})
	t.Run("another text is passed on", func(t *testing.T) {
		r := newRig(t)
		id := r.approved(literal)
		says := fake.CLIError(-651, false)
		number := says.Facts
		says.Facts = func(e *exchange.Exchange) { number(e); e.Text = "the interface is too short" }
		r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: says})
		_, err := r.apply(id)
		if f := r.wantCode(err, fault.DeviceError); !strings.Contains(show(f.Details), "the interface is too short") {
			t.Fatalf("%s", show(f.Details))
		}
	})
}

// uploads takes a list and an object, in which a reference could hide, and a secret.
var uploads = knows(schema.Resource{Path: "monitor/user/note", Kind: schema.Monitor, Calls: []schema.Call{{Method: "POST", Action: "send", Class: "operate", Params: []schema.Param{
	{Name: "list", Type: "array", In: "body"}, {Name: "object", Type: "object", In: "body"}, {Name: "any", In: "body"}, {Name: "pin", Type: "string", In: "body", Secret: true},
}}}})

// A reference is put only where a secret was given: a caller cannot write one into the
// parameters of another operation and have the secret sent there.
func TestNoParameterCanReferToASecret(t *testing.T) {
	const send = `{"op":"action","resource":"monitor/user/note/send","params":{%s}}`
	for _, param := range []string{
		`"list":[{"$secret":"s0"}]`, `"object":{"x":{"$secret":"s0"}}`, `"object":{"$secret":"s0"}`, `"any":{"$secret":"s0"}`,
		`"any":[[{"$secret":{"name":"psk"}}]]`, `"object":{"$secret":{"name":"psk"},"x":1}`,
	} {
		r := newRig(t, uploads, listed)
		_, err := r.plan("[" + fmt.Sprintf(tunnel, fromList) + "," + fmt.Sprintf(send, param) + "]")
		if fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), "$secret") {
			t.Errorf("%s: %v", param, err)
		}
	}
}

func TestASecretParameterOfAnActionIsKeptApart(t *testing.T) {
	r := newRig(t, uploads)
	var got any
	r.world.Device.OnAction("monitor/user/note/send", func(params map[string]any) error { got = params["pin"]; return nil })
	id := r.approved(`[{"op":"action","resource":"monitor/user/note/send","params":{"pin":"` + password + `"}}]`)
	r.silent(encoded(r.shown(id), nil, nil))
	r.mustApply(id)
	if got != password || r.secretsOf(id) != nil {
		t.Fatal("the secret was not sent, or not erased")
	}
	r.silent(encoded(r.shown(id), nil, nil))
}

// VR-07: a secret and a comment; the rollback restores the comment and names the secret.
func TestARollbackNamesTheSecretsThatItCannotRestore(t *testing.T) {
	r := newRig(t, row("vpn.ipsec/phase1-interface", map[string]any{"name": "hq", "interface": "port2", "psksecret": "old", "comments": "before"}))
	x := r.done(`[{"op":"update","resource":"vpn.ipsec/phase1-interface","key":"hq","set":{"psksecret":"` + password + `","comments":"after"}}]`)
	if x.Rollback.Complete || len(x.Rollback.NotReversible) != 1 || !strings.Contains(x.Rollback.NotReversible[0], "psksecret: a secret cannot be restored") {
		t.Fatalf("%s", show(x.Rollback))
	}
	undo := *x.Rollback.PlanID
	if v := r.shown(undo); len(v.NotReversible) != 1 || v.Kind != plan.Rollback || v.Parent != x.PlanID {
		t.Fatalf("%s", show(v))
	}
	r.approve(undo)
	r.mustApply(undo)
	if got := r.object("vpn.ipsec/phase1-interface", "hq"); got["comments"] != "before" || got["psksecret"] != password {
		t.Fatalf("comments %v", got["comments"])
	}
	for _, w := range r.world.Device.Writes() {
		if text := show(w); strings.Contains(text, "ENC") || strings.Contains(text, "redacted") || strings.Contains(text, "***") {
			t.Fatalf("a mask was sent: %s", text)
		}
	}
	r.silent(encoded(r.shown(undo), nil, nil))
}

// Where nothing can be undone there is no rollback plan, and whoever looks at the plan
// later is told what is lost as well.
func TestWhatCannotBeUndoneIsToldWithoutARollbackPlanToo(t *testing.T) {
	r := newRig(t, row("vpn.ipsec/phase1-interface", map[string]any{"name": "hq", "interface": "port2", "psksecret": "old"}))
	x := r.done(`[{"op":"update","resource":"vpn.ipsec/phase1-interface","key":"hq","set":{"psksecret":"` + password + `"}}]`)
	if x.Rollback == nil || x.Rollback.PlanID != nil || len(x.Rollback.NotReversible) != 1 {
		t.Fatalf("%s", show(x.Rollback))
	}
	if v := r.shown(x.PlanID); v.Execution == nil || show(v.Execution.Rollback) != show(x.Rollback) {
		t.Fatalf("got %s, want %s", show(v.Execution), show(x.Rollback))
	}
}

// The masked value that a read shows is refused, and nothing is written for it.
func TestAnUpdateBesideASecretLeavesItAlone(t *testing.T) {
	r := newRig(t, row("vpn.ipsec/phase1-interface", map[string]any{"name": "hq", "interface": "port2", "psksecret": password}))
	r.done(`[{"op":"update","resource":"vpn.ipsec/phase1-interface","key":"hq","set":{"comments":"x"}}]`)
	if got := show(r.world.Device.Writes()[0].Body); got != show(map[string]any{"comments": "x"}) {
		t.Fatalf("body %s", got)
	}
	found := r.mustRead(`{"resource":"vpn.ipsec/phase1-interface","key":"hq"}`)
	r.silent(encoded(found.Data, found.Meta, nil))
}
