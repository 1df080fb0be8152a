package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

// garden is the tables that the property works on; the order counts in the ordered ones.
var garden = map[string]bool{
	"firewall/address": false, "firewall/addrgrp": false, "firewall.service/custom": true, "firewall/policy": true,
	"router/static": false, "system/interface": false, "vpn.ipsec/phase1-interface": false, "system/global": false,
}

// planted adds rows to change, delete and move.
func planted(o *fake.WorldOptions) {
	for i := range 4 {
		row("firewall/address", map[string]any{"name": fmt.Sprintf("a%d", i), "subnet": fmt.Sprintf("10.0.%d.0/24", i), "comment": "here", "color": 3})(o)
		row("firewall.service/custom", map[string]any{"name": fmt.Sprintf("s%d", i), "tcp-portrange": "80"})(o)
	}
	row("firewall/addrgrp", map[string]any{"name": "g0", "member": []any{map[string]any{"name": "a0"}, map[string]any{"name": "a1"}}})(o)
	row("firewall/addrgrp", map[string]any{"name": "g1", "member": []any{map[string]any{"name": "a1"}}, "comment": "free"})(o)
	for i := range 4 {
		row("firewall/policy", map[string]any{
			"policyid": 10 * (i + 1), "name": fmt.Sprintf("p%d", i), "srcaddr": []any{map[string]any{"name": "a0"}}, "action": "accept", "schedule": "always", "comments": "here",
		})(o)
	}
	row("vpn.ipsec/phase1-interface", map[string]any{"name": "hq", "interface": "port2", "psksecret": "old-secret", "comments": "here"})(o)
}

// operations draws operations. They need not be possible: what cannot be planned after
// the others is thrown away, and what the device refuses is a failure to recover from.
func operations(t *rapid.T) []string {
	pick := func(name string, list ...string) string { return rapid.SampledFrom(list).Draw(t, name) }
	addr := func() string { return pick("address", "a0", "a1", "a2", "a3", "new0", "new1") }
	serv := func() string { return pick("service", "s0", "s1", "s2", "s3", "new2") }
	pol := func() string { return pick("policy", "1", "10", "20", "30", "40") }
	where := func() string { return pick("where", "before", "after") }
	draw := func(int) string {
		switch rapid.IntRange(0, 17).Draw(t, "kind") {
		case 0, 1:
			return fmt.Sprintf(`{"op":"create","resource":"firewall/address","object":{"name":%q,"subnet":"192.0.2.7/32","color":%d}}`, addr(), rapid.IntRange(0, 32).Draw(t, "color"))
		case 2:
			return fmt.Sprintf(`{"op":"update","resource":"firewall/address","key":%q,"set":{"comment":%q,"color":5}}`, addr(), pick("comment", "here", "x", ""))
		case 3:
			return fmt.Sprintf(`{"op":"update","resource":"firewall/address","key":%q,"clear":["comment","color"]}`, addr())
		case 4, 5:
			return fmt.Sprintf(`{"op":"delete","resource":"firewall/address","key":%q}`, addr())
		case 6:
			return fmt.Sprintf(`{"op":"update","resource":"firewall/addrgrp","key":%q,"add":{"member":[%q]},"remove":{}}`, pick("group", "g0", "g1"), addr())
		case 7:
			return fmt.Sprintf(`{"op":"update","resource":"firewall/addrgrp","key":%q,"set":{"member":[%q,%q]}}`, pick("group", "g0", "g1"), addr(), addr())
		case 8:
			return fmt.Sprintf(`{"op":"delete","resource":"firewall/addrgrp","key":%q}`, pick("group", "g0", "g1"))
		case 9, 10:
			return fmt.Sprintf(`{"op":"create","resource":"firewall/policy","object":{"name":%q,"srcaddr":[%q],"schedule":"always","action":"accept"},"position":{%q:%s}}`, "new", addr(), where(), pol())
		case 11, 12:
			return fmt.Sprintf(`{"op":"update","resource":"firewall/policy","key":%s,"position":{%q:%s}}`, pol(), where(), pol())
		case 13:
			return fmt.Sprintf(`{"op":"delete","resource":"firewall/policy","key":%s}`, pol())
		case 14:
			return fmt.Sprintf(`{"op":"update","resource":"firewall/policy","key":%s,"set":{"comments":"x","nat":"enable"},"position":{%q:%s}}`, pol(), where(), pol())
		case 15:
			return fmt.Sprintf(`{"op":"delete","resource":"firewall.service/custom","key":%q}`, serv())
		case 16:
			return fmt.Sprintf(`{"op":"create","resource":"firewall.service/custom","object":{"name":%q,"tcp-portrange":"1"},"position":{%q:"s1"}}`, serv(), where())
		}
		return pick("single",
			`{"op":"update","resource":"system/global","set":{"hostname":"renamed","admintimeout":30}}`,
			`{"op":"update","resource":"vpn.ipsec/phase1-interface","key":"hq","set":{"comments":"x"}}`,
			`{"op":"update","resource":"vpn.ipsec/phase1-interface","key":"hq","set":{"comments":"y","psksecret":"new-secret"}}`,
			`{"op":"delete","resource":"vpn.ipsec/phase1-interface","key":"hq"}`,
			`{"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"policy":1}}`,
			`{"op":"update","resource":"system/interface","key":"port2","set":{"allowaccess":"ping"}}`)
	}
	n := rapid.IntRange(1, 6).Draw(t, "n")
	ops := make([]string, n)
	for i := range ops {
		ops[i] = draw(i)
	}
	return ops
}

// possible plans as many of the operations as can be planned one after the other.
func (r *rig) possible(t *rapid.T, all []string) (*engine.PlanView, string) {
	var kept []string
	var last *engine.PlanView
	for _, op := range all {
		v, err := r.plan("[" + strings.Join(append(kept[:len(kept):len(kept)], op), ",") + "]")
		if fault.CodeOf(err) == fault.Internal {
			t.Fatalf("plan: %v", err)
		}
		if err == nil && v.Status != "no_change" {
			kept, last = append(kept, op), v
		}
	}
	return last, strings.Join(kept, "\n")
}

// troubles are what can happen to a write, by name.
var troubles = map[string]fake.Fault{
	"none": {}, "refused": fake.CLIError(-651, false), "refused with effect": fake.CLIError(-651, true), "down": fake.Refused(),
	"reset before": fake.ResetBefore(), "reset after": fake.ResetAfter(), "ignored": fake.Ignored(), "502 with effect": fake.HTML(502, true),
	"502": fake.HTML(502, false), "another device": {NoEffect: true, Facts: fake.OtherSerial("FGT60FTK00000099").Facts}, "locked out": fake.HTML(429, false), "redirect with effect": fake.Redirected(true),
	"shortened": fake.Shortened("member"), "another value": {Alter: func(o map[string]any) {
		if _, isAddress := o["subnet"]; isAddress && o["color"] != int64(3) { // then it was asked for
			o["color"] = int64(9)
		}
	}},
}

// picture is the rows of the garden without what the device numbers by itself, and the
// order of the ordered tables.
type picture struct {
	Rows   map[string]map[string]any
	Orders map[string][]string
}

func (r *rig) picture() picture {
	p := picture{Rows: map[string]map[string]any{}, Orders: map[string][]string{}}
	for path, ordered := range garden {
		keys := r.world.Device.Keys(fake.At(path))
		if path == "system/global" {
			keys = []operation.Key{{}}
		}
		for _, k := range keys {
			object, _ := r.world.Device.Row(fake.At(path), k)
			delete(object, "uuid")
			p.Rows[strings.TrimSpace(path+" "+k.String())] = object
			if ordered {
				p.Orders[path] = append(p.Orders[path], k.String())
			}
		}
	}
	return p
}

// without leaves out what a rollback said that it cannot restore: those rows, and the
// order of their tables.
func (p picture) without(named []string) picture {
	for _, text := range named {
		what, _, _ := strings.Cut(text, ": ")
		_, what, _ = strings.Cut(what, " ") // the kind of operation
		path, _, _ := strings.Cut(what, " ")
		delete(p.Rows, what)
		delete(p.Orders, path)
	}
	return p
}

// TestARollbackRestoresWhatItDoesNotName: whatever was planned, and however its apply
// ended, the rollback plan can be applied and leaves the configuration as it was, apart
// from what it says that it cannot restore; and so does the rollback of a rollback where nothing went wrong.
func TestARollbackRestoresWhatItDoesNotName(t *testing.T) {
	names := slices.Sorted(maps.Keys(troubles))
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, mode(profile.Autonomous), planted)
		r.world.Device.OnAction("monitor/firewall/policy/clear_counters", func(map[string]any) error { return nil })
		v, ops := r.possible(rt, operations(rt))
		if v == nil {
			return
		}
		trouble, at := rapid.SampledFrom(names).Draw(rt, "trouble"), rapid.IntRange(0, len(v.Operations)-1).Draw(rt, "at")
		first := r.picture()
		if trouble != "none" {
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Skip: at, Times: 1}, Fault: troubles[trouble]})
		}
		undo, named := r.ran(rt, v.PlanID)
		second := r.picture()
		restores := func(undo *plan.ID, named []string, want picture) (*plan.ID, []string) {
			r.world.Device.Heal()
			var again *plan.ID
			var more []string
			if undo != nil {
				x, err := r.apply(*undo)
				if err != nil {
					rt.Fatalf("%s struck at %d of\n%s\nits rollback: %v", trouble, at, ops, err)
				}
				again, more = rollbackOf(rt, x, nil)
			}
			if diff := cmp.Diff(want.without(named), r.picture().without(named)); diff != "" {
				rt.Fatalf("%s struck at %d of\n%s\nnot restored: %v (-before +after the rollback):\n%s", trouble, at, ops, named, diff)
			}
			return again, more
		}
		redo, missing := restores(undo, named, first)
		if redo != nil && trouble == "none" {
			restores(redo, append(missing, named...), second)
		}
	})
}

// ran applies a plan in whatever trouble.
func (r *rig) ran(t *rapid.T, id plan.ID) (undo *plan.ID, named []string) {
	x, err := r.apply(id)
	if fault.CodeOf(err) == fault.Internal {
		t.Fatalf("apply: %v", err)
	}
	return rollbackOf(t, x, err)
}

// rollbackOf is the rollback plan that a run made, if any, and what it does not restore.
func rollbackOf(t *rapid.T, x *engine.Execution, err error) (undo *plan.ID, named []string) {
	if err == nil {
		if x.Rollback == nil {
			return nil, nil
		}
		return x.Rollback.PlanID, x.Rollback.NotReversible
	}
	ref, _ := fault.From(err).Details["rollback"].(map[string]any)
	list, _ := ref["not_reversible"].([]any)
	for _, text := range list {
		named = append(named, text.(string))
	}
	text, ok := ref["plan_id"].(string)
	if !ok {
		return nil, named
	}
	id, bad := plan.ParseID(text)
	if bad != nil {
		t.Fatal(bad)
	}
	return &id, named
}

// keychain is a table with a list whose rows may hold a secret.
func keychain(secret string) []setting {
	return []setting{
		knows(schema.Resource{Path: "user/keyring", Kind: schema.Table, Key: "name", KeyType: "string", Attributes: []schema.Attribute{
			{Name: "name", Type: "string"}, {Name: "comment", Type: "string"},
			{Name: "keys", Type: "table", Key: "id", KeyType: "integer", Attributes: []schema.Attribute{
				{Name: "id", Type: "integer"}, {Name: "label", Type: "string"}, {Name: "key", Type: "password", Secret: true},
			}},
		}}),
		row("user/keyring", map[string]any{"name": "one", "keys": []any{map[string]any{"id": 1, "label": "a", "key": secret}}}),
	}
}

// A secret that is not set reads as empty, so that nothing of it is lost; one that is set
// is named, in a list as well, and also where its row is deleted.
func TestOnlySecretsThatAreSetCannotBeRestored(t *testing.T) {
	for name, change := range map[string]string{
		"the list is replaced": `[{"op":"update","resource":"user/keyring","key":"one","set":{"keys":[{"id":2,"label":"b"}]}}]`,
		"the row is deleted":   `[{"op":"delete","resource":"user/keyring","key":"one"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, keychain("")...)
			before := r.object("user/keyring", "one")
			x := r.done(change)
			if !x.Rollback.Complete {
				t.Fatalf("nothing is lost: %s", show(x.Rollback))
			}
			r.approve(*x.Rollback.PlanID)
			r.mustApply(*x.Rollback.PlanID)
			if diff := cmp.Diff(before, r.object("user/keyring", "one")); diff != "" {
				t.Errorf("not restored (-before +after):\n%s", diff)
			}
			r = newRig(t, keychain("set-secret")...)
			x = r.done(change)
			if x.Rollback.Complete || len(x.Rollback.NotReversible) != 1 || !strings.Contains(x.Rollback.NotReversible[0], "keys: a secret cannot be restored") {
				t.Errorf("a secret is lost: %s", show(x.Rollback))
			}
		})
	}
}

// A rollback that was made without a sight of the object restores what was asked for and
// does not claim to be complete: what the device changed beside it is not known.
func TestARollbackWithoutASightOfTheObjectIsNotComplete(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id := ready(comment)
		r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallObject, Resource: "firewall/address", Skip: 2}, Fault: fake.Refused()})
		_, _ = r.apply(id) // accepted and not read back, which is told as it is
		if status := r.shown(id).Execution.Operations[0].Status; status != exchange.AppliedUnverified {
			r.Fatalf("the operation is %s", status)
		}
		r.world.Device.Heal()
		undo := r.shown(id).Execution.Rollback
		if undo == nil || undo.PlanID == nil || undo.Complete || !strings.Contains(strings.Join(undo.NotReversible, "\n"), "what the device changed beside comment was not seen") {
			r.Errorf("%s", show(undo))
		}
	})
}

// A rollback is judged as a plan that does the same: a move by the row that it moves.
func TestTheRollbackOfAMoveHasTheRiskOfAMove(t *testing.T) {
	policy := func(id int64, action string) setting {
		return row("firewall/policy", map[string]any{
			"policyid": id, "name": fmt.Sprint("p", id), "status": "enable", "action": action, "schedule": "always",
			"srcintf": []any{map[string]any{"name": "port1"}}, "dstintf": []any{map[string]any{"name": "port2"}},
			"srcaddr": []any{map[string]any{"name": "lan"}}, "dstaddr": []any{map[string]any{"name": "all"}}, "service": []any{map[string]any{"name": "HTTPS"}},
		})
	}
	r := newRig(t, policy(910, "accept"), policy(920, "accept"), policy(999, "deny"))
	x := r.done(`[{"op":"update","resource":"firewall/policy","key":910,"position":{"after":999}}]`)
	undo := r.shown(*x.Rollback.PlanID)
	again := r.mustPlan(`[{"op":"update","resource":"firewall/policy","key":910,"position":{"before":920}}]`)
	if undo.Risk.Tier != again.Risk.Tier || !strings.Contains(show(undo.Risk.Reasons), "R-POL-03") {
		t.Errorf("the rollback: %s\nthe same as a plan: %s", show(undo.Risk), show(again.Risk))
	}
}
