package risk

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
	"pgregory.net/rapid"
)

// unrelated are changes of which none touches what another is about.
func unrelated() []Change {
	second := with(apiUser, "name", "other")
	return []Change{
		create("firewall/address", "new", with(lan, "name", "new")),
		used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 7),
		change("system/interface", "port2", port2, "status", "down"),
		change("log.syslogd/setting", nil, syslog, "server", "192.0.2.10"),
		create("user/local", "u", object{"name": "u"}),
		create("router/static", int64(9), route("10.9.0.0 255.255.0.0")),
		create("firewall/vip", "web", object{"name": "web", "extip": "203.0.113.9"}),
		change("system/api-user", "other", second, "comments", "x"),
		change(policyTable, int64(1), policy(1, "host", "host", "HTTPS"), "comments", "x"),
		remove("firewall/addrgrp", "old", object{"name": "old"}),
		action("monitor/firewall/policy/reset", "counter"),
	}
}

func TestTheOrderOfUnrelatedOperationsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfNDistinct(rapid.IntRange(0, len(unrelated())-1), 1, -1, rapid.ID[int]).Draw(t, "operations")
		var list []Change
		for _, i := range slices.Sorted(slices.Values(some)) {
			list = append(list, unrelated()[i])
		}
		shuffled := rapid.Permutation(list).Draw(t, "order")
		if a, b := outcome(list), outcome(shuffled); a != b {
			t.Fatalf("in one order:\n%s\nin another:\n%s", a, b)
		}
	})
}

// outcome is a verdict without the numbers of the operations.
func outcome(list []Change) string {
	b := newBox()
	b.policies = []map[string]any{policy(1, "host", "host", "HTTPS")}
	v := b.assess(slices.Clone(list)...)
	var said []string
	for _, r := range v.Reasons {
		said = append(said, fmt.Sprintf("%s %s %s", r.Rule, r.Tier, r.Text))
	}
	slices.Sort(said)
	return fmt.Sprintf("%s %q", v.Tier, said)
}

// TestTheTierOfAPlanIsTheWorstOfItsUnrelatedOperations: apart from what counts the
// operations, a plan is as grave as its gravest operation alone.
func TestTheTierOfAPlanIsTheWorstOfItsUnrelatedOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfNDistinct(rapid.IntRange(0, len(unrelated())-1), 1, -1, rapid.ID[int]).Draw(t, "operations")
		var list []Change
		worst := plan.Low
		for _, i := range some {
			c := unrelated()[i]
			list = append(list, c)
			worst = worst.Max(newBox().assess(c).Tier)
		}
		if got := newBox().assess(list...).Tier; got != worst {
			t.Fatalf("alone they are %s, together %s: %+v", worst, got, list)
		}
	})
}

// TestSplittingAnUpdateNeverLowersTheTier: two attributes in one request or in two.
func TestSplittingAnUpdateNeverLowersTheTier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		id := rapid.SampledFrom(s.order).Draw(t, "policy")
		before, next := s.policies[id], drawPolicy(t, id)
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(with(before, "policyid", nil)))), 2, 2, rapid.ID[string]).Draw(t, "attributes")
		middle := with(before, names[0], next[names[0]])
		after := with(middle, names[1], next[names[1]])
		s.policies[id] = after
		whole := change(policyTable, id, before, names[0], after[names[0]], names[1], after[names[1]])
		halves := []Change{change(policyTable, id, before, names[0], after[names[0]]), change(policyTable, id, middle, names[1], after[names[1]])}
		if one, two := s.box().assess(whole).Tier, s.box().assess(halves...).Tier; two.Rank() < one.Rank() {
			t.Fatalf("one update of %v is %s, two are %s", names, one, two)
		}
	})
}

// TestNoObjectOfOneVDOMCountsInAnother: policies of the same numbers stand in both.
func TestNoObjectOfOneVDOMCountsInAnother(t *testing.T) {
	b := newBox()
	low := allDay(policy(1, "lan", "lan", "HTTPS"))
	f := b.facts
	f.Lookup = b.lookup
	f.Policies = func(vdom string) ([]map[string]any, bool) {
		if vdom == "edge" {
			return []map[string]any{block(2, "all")}, true
		}
		return []map[string]any{low}, true
	}
	at := func(vdom string, c Change) Verdict {
		c.VDOM = vdom
		return Assess([]Change{c}, f)
	}
	for _, rule := range []string{"R-POL-03", "R-POL-06"} {
		if v := at("root", create(policyTable, int64(1), low)); tierOf(v, rule) != "" {
			t.Errorf("%s fires on a policy for one of another VDOM: %+v", rule, v.Reasons)
		}
	}
	c := move(2, block(2, "all"), []int64{1, 2}, []int64{2, 1})
	if v := at("edge", c); tierOf(v, "R-POL-06") != "" {
		t.Errorf("a policy takes traffic of another VDOM: %+v", v.Reasons)
	}
	grown := used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1)
	if v := at("root", grown); tierOf(v, "R-REF-02") != plan.Medium {
		t.Errorf("an address of this VDOM's policy: %+v", v.Reasons)
	}
	if v := at("edge", grown); tierOf(v, "R-REF-02") != "" {
		t.Errorf("an address of another VDOM's policy: %+v", v.Reasons)
	}
}

// TestWhatCannotBeReadNeverLowersTheTier: a table that the token may not see, the
// policies, or all of it.
func TestWhatCannotBeReadNeverLowersTheTier(t *testing.T) {
	tables := []string{"firewall/address", "firewall/addrgrp", "firewall.service/custom", "firewall.service/group", "firewall.schedule/recurring",
		"system/interface", "system/zone", "system/global", "system/api-user", "log.syslogd/setting", "log.disk/setting", policyTable, "everything"}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		var changes []Change
		for range rapid.IntRange(1, 3).Draw(t, "operations") {
			changes = append(changes, s.step(t))
		}
		seen := s.box().assess(slices.Clone(changes)...)
		for _, table := range tables {
			b := s.box()
			b.hidden, b.blind, b.unordered = table, table == "everything", table == policyTable
			if v := b.assess(slices.Clone(changes)...); v.Tier.Rank() < seen.Tier.Rank() {
				t.Fatalf("without %s %s becomes %s\n%+v\n%+v", table, seen.Tier, v.Tier, seen.Reasons, v.Reasons)
			}
		}
	})
}

// TestWhatIsNotKnownOfTheConnectionNeverLowersTheTier: each fact about our own way in.
func TestWhatIsNotKnownOfTheConnectionNeverLowersTheTier(t *testing.T) {
	for _, x := range trials {
		if !slices.Contains([]string{"R-LOCKOUT-01", "R-LOCKOUT-02", "R-LOCKOUT-03", "R-RT-01", "R-RT-02", "R-VPN-01"}, x.rule) || x.want == "" {
			continue
		}
		b := newBox()
		changes := x.do(b)
		seen := b.assess(changes...).Tier
		for fact, forget := range map[string]func(m *plan.Management){
			"our address": func(m *plan.Management) { m.Local = "" }, "our interface": func(m *plan.Management) { m.Interface = "" },
			"our user": func(m *plan.Management) { m.APIUser = "" },
		} {
			b := newBox()
			changes := x.do(b)
			forget(&b.facts.Management)
			if fact == "our address" {
				b.facts.Source = netip.Addr{}
			}
			if v := b.assess(changes...); v.Tier.Rank() < seen.Rank() {
				t.Errorf("%s: %s: without %s %s becomes %s: %+v", x.rule, x.what, fact, seen, v.Tier, v.Reasons)
			}
		}
	}
}
