package risk

import (
	"slices"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
)

// trial is one statement about one rule: what happens, and the tier at which the
// rule fires, "" where it must not.
type trial struct {
	rule string
	what string
	want plan.Tier
	do   func(b *box) []Change
}

func (x trial) run() (Verdict, []Change) {
	b := newBox()
	changes := x.do(b)
	return b.assess(changes...), changes
}

func one(c Change) func(*box) []Change { return func(*box) []Change { return []Change{c} } }

func many(n int, make func(i int) Change) []Change {
	var out []Change
	for i := range n {
		out = append(out, make(i))
	}
	return out
}

func someAddress(i int) object {
	return object{"name": "a" + string(rune('a'+i%26)) + string(rune('a'+i/26)), "type": "ipmask", "subnet": "10.1.1.1 255.255.255.255"}
}

func creates(n int) []Change {
	return many(n, func(i int) Change { o := someAddress(i); return create("firewall/address", o["name"], o) })
}

func deletes(n, rows int) []Change {
	return many(n, func(i int) Change {
		o := someAddress(i)
		c := remove("firewall/address", o["name"], o)
		c.Rows = count(rows)
		return c
	})
}

var (
	port1   = object{"name": "port1", "type": "physical", "role": "lan", "allowaccess": "ping https", "ip": "192.0.2.1 255.255.255.0"}
	port2   = object{"name": "port2", "type": "physical", "role": "lan", "ip": "10.0.0.1 255.255.255.0"}
	apiUser = object{"name": "forti", "accprofile": "api", "schedule": "office"}
	lan     = object{"name": "lan", "type": "ipmask", "subnet": "10.0.0.0 255.255.255.0"}
	syslog  = object{"status": "enable", "server": "192.0.2.9"}
)

func hosts(networks ...string) []any {
	out := []any{}
	for i, n := range networks {
		out = append(out, object{"id": int64(i + 1), "type": "ipv4-trusthost", "ipv4-trusthost": n})
	}
	return out
}

func used(c Change, n int) Change {
	c.Users = count(n)
	return c
}

var trials = slices.Concat(lockoutTrials, boxTrials, policyTrials, objectTrials, planTrials, edgeTrials, shadowTrials, pathTrials, moreTrials)

func TestRules(t *testing.T) {
	for _, x := range trials {
		t.Run(x.rule+"/"+x.what, func(t *testing.T) {
			v, changes := x.run()
			if got := tierOf(v, x.rule); got != x.want {
				t.Errorf("fires at %q, want %q; reasons: %+v", got, x.want, v.Reasons)
			}
			if v.Tier.Rank() < x.want.Rank() && x.want != "" {
				t.Errorf("the plan is %s although a rule says %s", v.Tier, x.want)
			}
			for _, r := range v.Reasons {
				if r.Text == "" || r.Operation < -1 || r.Operation >= len(changes) {
					t.Errorf("a reason without text or operation: %+v", r)
				}
			}
		})
	}
}

func TestEveryRuleHasACaseForAndAgainst(t *testing.T) {
	fires, silent := map[string]bool{}, map[string]bool{}
	for _, x := range trials {
		if x.want == "" {
			silent[x.rule] = true
		} else {
			fires[x.rule] = true
		}
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.id] {
			t.Errorf("rule %s stands twice in the table", r.id)
		}
		seen[r.id] = true
		if !fires[r.id] || !silent[r.id] {
			t.Errorf("rule %s: fires %v, silent %v; both must be shown", r.id, fires[r.id], silent[r.id])
		}
	}
	if len(rules) != 29 {
		t.Errorf("the rule set has %d rules, want 29", len(rules))
	}
}
