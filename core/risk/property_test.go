package risk

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
	"pgregory.net/rapid"
)

// site is a small configuration that changes are applied to one by one.
type site struct {
	addresses map[string]string   // name to network
	groups    map[string][]string // name to members
	policies  map[int64]object
	order     []int64
	next      int64
	// always is what the schedule of that name is; logs are the targets that are on.
	always object
	logs   map[string]string
}

func drawSite(t *rapid.T) *site {
	s := &site{addresses: map[string]string{}, groups: map[string][]string{}, policies: map[int64]object{}, always: wholeWeek, logs: map[string]string{}, next: 10}
	s.addresses["all"] = rapid.SampledFrom([]string{"0.0.0.0/0", "0.0.0.0/0", "10.0.0.0/8"}).Draw(t, "all")
	for _, target := range []string{"log.syslogd", "log.disk"} {
		s.logs[target] = rapid.SampledFrom([]string{"enable", "disable"}).Draw(t, target)
	}
	for i := range 4 {
		s.addresses[fmt.Sprintf("a%d", i)] = drawNetwork(t)
	}
	for i := range 2 {
		s.groups[fmt.Sprintf("g%d", i)] = drawNames(t)
	}
	for id := int64(1); id <= 3; id++ {
		s.policies[id] = drawPolicy(t, id)
		s.order = append(s.order, id)
	}
	return s
}

func drawNetwork(t *rapid.T) string {
	return fmt.Sprintf("%d.0.0.0/%d", rapid.IntRange(0, 223).Draw(t, "byte"), rapid.SampledFrom([]int{0, 1, 2, 4, 8, 16, 24}).Draw(t, "bits"))
}

func drawNames(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"a0", "a1", "a2", "a3", "g0", "g1"}), 1, 3).Draw(t, "names")
}

// drawEnd is what a policy lists at one end: often everything, so that policies
// take each other's traffic.
func drawEnd(t *rapid.T) []string {
	if rapid.Bool().Draw(t, "everything") {
		return []string{"all"}
	}
	return drawNames(t)
}

func drawPolicy(t *rapid.T, id int64) object {
	return object{
		"policyid": id, "action": rapid.SampledFrom([]string{"accept", "deny"}).Draw(t, "action"),
		"status":         rapid.SampledFrom([]string{"enable", "disable"}).Draw(t, "status"),
		"srcaddr":        refs(drawEnd(t)...),
		"dstaddr":        refs(drawEnd(t)...),
		"service":        refs(rapid.SampledFrom([]string{"ALL", "HTTPS"}).Draw(t, "service")),
		"srcintf":        refs(rapid.SampledFrom([]string{"any", "port2", "wan1"}).Draw(t, "srcintf")),
		"dstintf":        refs(rapid.SampledFrom([]string{"any", "port2"}).Draw(t, "dstintf")),
		"schedule":       rapid.SampledFrom([]string{"always", "always", "nights"}).Draw(t, "schedule"),
		"srcaddr-negate": rapid.SampledFrom([]string{"enable", "disable", "disable"}).Draw(t, "negate"),
		"av-profile":     rapid.SampledFrom([]string{"", "default"}).Draw(t, "profile"),
		"logtraffic":     rapid.SampledFrom([]string{"all", "utm", "disable"}).Draw(t, "log"),
	}
}

func addressObject(name, network string) object {
	return object{"name": name, "type": "ipmask", "subnet": network}
}

func groupObject(name string, members []string) object {
	return object{"name": name, "member": refs(members...)}
}

// step applies one random change and gives it as the rules see it.
func (s *site) step(t *rapid.T) Change {
	names := slices.Sorted(maps.Keys(s.addresses))
	groups := slices.Sorted(maps.Keys(s.groups))
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		name := rapid.SampledFrom(names).Draw(t, "address")
		before, network := addressObject(name, s.addresses[name]), drawNetwork(t)
		s.addresses[name] = network
		return used(change("firewall/address", name, before, "subnet", network), 3)
	case 1:
		name := rapid.SampledFrom(groups).Draw(t, "group")
		before, members := groupObject(name, s.groups[name]), drawNames(t)
		s.groups[name] = members
		return used(change("firewall/addrgrp", name, before, "member", refs(members...)), 3)
	case 2:
		id := s.next
		s.next++
		s.policies[id] = drawPolicy(t, id)
		s.order = append(s.order, id)
		return create(policyTable, id, s.policies[id])
	case 3:
		return s.movePolicy(t)
	case 4:
		return s.deletePolicy(t)
	case 5:
		return change("system/interface", "port2", port2, "status", rapid.SampledFrom([]string{"up", "down"}).Draw(t, "port"))
	case 6:
		before, days := s.always, rapid.SampledFrom([]string{week, "monday"}).Draw(t, "days")
		s.always = with(before, "day", days)
		return used(change("firewall.schedule/recurring", "always", before, "day", days), 3)
	case 7:
		target := rapid.SampledFrom([]string{"log.syslogd", "log.disk"}).Draw(t, "target")
		before, status := object{"status": s.logs[target]}, rapid.SampledFrom([]string{"enable", "disable"}).Draw(t, "log")
		s.logs[target] = status
		return change(target+"/setting", nil, before, "status", status)
	}
	return s.updatePolicy(t)
}

func (s *site) somePolicy(t *rapid.T) (int64, bool) {
	if len(s.order) == 0 {
		return 0, false
	}
	return rapid.SampledFrom(s.order).Draw(t, "policy"), true
}

func (s *site) updatePolicy(t *rapid.T) Change {
	id, ok := s.somePolicy(t)
	if !ok {
		return create("firewall/address", "new", lan)
	}
	before, next := s.policies[id], drawPolicy(t, id)
	attribute := rapid.SampledFrom([]string{"srcaddr", "dstaddr", "service", "action", "status", "av-profile", "logtraffic", "srcaddr-negate",
		"srcintf", "schedule"}).Draw(t, "attribute")
	s.policies[id] = with(before, attribute, next[attribute])
	return change(policyTable, id, before, attribute, next[attribute])
}

func (s *site) deletePolicy(t *rapid.T) Change {
	id, ok := s.somePolicy(t)
	if !ok {
		return create("firewall/address", "new", lan)
	}
	c := remove(policyTable, id, s.policies[id])
	order := slices.Clone(s.order)
	s.order = slices.DeleteFunc(slices.Clone(s.order), func(x int64) bool { return x == id })
	delete(s.policies, id)
	if rapid.Bool().Draw(t, "ordered") { // planning always says where the row stood; a rollback need not
		c.Order = &plan.Order{Before: ids(order), After: ids(s.order)}
	}
	return c
}

func (s *site) movePolicy(t *rapid.T) Change {
	id, ok := s.somePolicy(t)
	if !ok {
		return create("firewall/address", "new", lan)
	}
	before := slices.Clone(s.order)
	rest := slices.DeleteFunc(slices.Clone(s.order), func(x int64) bool { return x == id })
	at := rapid.IntRange(0, len(rest)).Draw(t, "at")
	s.order = slices.Insert(rest, at, id)
	return move(id, s.policies[id], before, s.order)
}

// box is the device with the site's objects as they are now.
func (s *site) box() *box {
	b := newBox()
	for name, network := range s.addresses {
		b.set("firewall/address", name, addressObject(name, network))
	}
	for name, members := range s.groups {
		b.set("firewall/addrgrp", name, groupObject(name, members))
	}
	for _, id := range s.order {
		b.policies = append(b.policies, s.policies[id])
	}
	b.set("firewall.schedule/recurring", "always", s.always)
	for target, status := range s.logs {
		b.singleton(target+"/setting", object{"status": status})
	}
	return b
}

const week = "sunday monday tuesday wednesday thursday friday saturday"

var wholeWeek = object{"name": "always", "day": week, "start": "00:00", "end": "00:00"}

func TestAnotherOperationNeverLowersTheTier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		tier := plan.Low
		var changes []Change
		for range rapid.IntRange(1, 6).Draw(t, "operations") {
			changes = append(changes, s.step(t))
			v := s.box().assess(slices.Clone(changes)...)
			if v.Tier.Rank() < tier.Rank() {
				t.Fatalf("the tier falls from %s to %s with the last of\n%+v\nnow %+v", tier, v.Tier, changes, v.Reasons)
			}
			tier = v.Tier
		}
	})
}

// TestAnotherChangeOfThePolicyTableNeverLowersTheTier keeps to policies that mostly
// match everything, all the time: then they take each other's traffic.
func TestAnotherChangeOfThePolicyTableNeverLowersTheTier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		for id, p := range s.policies {
			s.policies[id] = with(p, "schedule", "always", "status", "enable", "action", "deny", "srcaddr-negate", "disable",
				"srcaddr", refs("all"), "dstaddr", refs("all"), "service", refs("ALL"), "srcintf", refs("any"), "dstintf", refs("any"))
		}
		tier := plan.Low
		var changes []Change
		for range rapid.IntRange(1, 4).Draw(t, "operations") {
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				changes = append(changes, s.movePolicy(t))
			case 1:
				changes = append(changes, s.deletePolicy(t))
			case 2:
				changes = append(changes, s.updatePolicy(t))
			}
			v := s.box().assess(slices.Clone(changes)...)
			if v.Tier.Rank() < tier.Rank() {
				t.Fatalf("the tier falls from %s to %s with the last of\n%+v\nnow %+v", tier, v.Tier, changes, v.Reasons)
			}
			tier = v.Tier
		}
	})
}

func TestTheVerdictIsTheWorstOfItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		var changes []Change
		for range rapid.IntRange(1, 4).Draw(t, "operations") {
			changes = append(changes, s.step(t))
		}
		v := s.box().assess(changes...)
		worst := plan.Low
		for _, j := range v.Operations {
			worst = worst.Max(j.Tier)
		}
		for _, r := range v.Reasons {
			worst = worst.Max(r.Tier)
		}
		if v.Tier != worst || len(v.Operations) != len(changes) {
			t.Fatalf("tier %s, its parts say %s", v.Tier, worst)
		}
	})
}

func TestAWiderAddressNeverLowersTheTier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		s.addresses["a0"] = "10.0.0.0/24"
		p := drawPolicy(t, 99)
		p["srcaddr-negate"] = "disable"
		before := s.box().assess(create(policyTable, int64(99), p)).Tier
		for _, bits := range []int{16, 8, 4, 2, 1, 0} {
			s.addresses["a0"] = fmt.Sprintf("10.0.0.0/%d", bits)
			after := s.box().assess(create(policyTable, int64(99), p)).Tier
			if after.Rank() < before.Rank() {
				t.Fatalf("a0 of /%d lowers %s to %s", bits, before, after)
			}
			before = after
		}
	})
}

func TestOneMoreDeleteNeverLowersTheTier(t *testing.T) {
	tier := plan.Low
	for n := range 40 {
		v := newBox().assess(deletes(n, 100)...)
		if v.Tier.Rank() < tier.Rank() {
			t.Errorf("%d deletes: %s after %s", n, v.Tier, tier)
		}
		tier = v.Tier
	}
	tier = plan.Low
	for users := range 60 {
		v := newBox().assess(used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), users))
		if v.Tier.Rank() < tier.Rank() {
			t.Errorf("%d users: %s after %s", users, v.Tier, tier)
		}
		tier = v.Tier
	}
}

// TestTheTierDependsOnMeaningAlone renames, reorders, splits and nests what a
// policy names, none of which changes what it lets through.
func TestTheTierDependsOnMeaningAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		p := drawPolicy(t, 99)
		want := s.box().assess(create(policyTable, int64(99), p)).Tier
		for _, x := range []struct {
			name      string
			transform func(*rapid.T, *site, object) (*site, object)
		}{{"renaming", renamed}, {"reordering", reordered}, {"splitting", halved}, {"nesting", nested}} {
			s2, p2 := x.transform(t, s.clone(), with(p))
			if got := s2.box().assess(create(policyTable, int64(99), p2)).Tier; got != want {
				t.Fatalf("%s changes %s to %s\n%v\n%v", x.name, want, got, p, p2)
			}
		}
	})
}

func (s *site) clone() *site {
	return &site{addresses: maps.Clone(s.addresses), groups: maps.Clone(s.groups), policies: maps.Clone(s.policies), order: slices.Clone(s.order),
		always: s.always, logs: s.logs}
}

func mapNames(v any, f func(string) string) []any {
	out := []any{}
	for _, n := range names(v) {
		out = append(out, object{"name": f(n)})
	}
	return out
}

func renamed(_ *rapid.T, s *site, p object) (*site, object) {
	f := func(n string) string { return "x" + strings.ToUpper(n) }
	out := s.clone()
	out.addresses, out.groups = map[string]string{}, map[string][]string{}
	for n, network := range s.addresses {
		out.addresses[f(n)] = network
	}
	for n, members := range s.groups {
		for _, m := range members {
			out.groups[f(n)] = append(out.groups[f(n)], f(m))
		}
	}
	for id, q := range s.policies {
		out.policies[id] = with(q, "srcaddr", mapNames(q["srcaddr"], f), "dstaddr", mapNames(q["dstaddr"], f))
	}
	return out, with(p, "srcaddr", mapNames(p["srcaddr"], f), "dstaddr", mapNames(p["dstaddr"], f))
}

func reordered(t *rapid.T, s *site, p object) (*site, object) {
	for name, members := range s.groups {
		s.groups[name] = rapid.Permutation(members).Draw(t, "members")
	}
	src, _ := p["srcaddr"].([]any)
	return s, with(p, "srcaddr", rapid.Permutation(src).Draw(t, "srcaddr"))
}

// halved puts the two halves of a0 into every list that names it.
func halved(_ *rapid.T, s *site, p object) (*site, object) {
	var octet, bits int
	if _, err := fmt.Sscanf(s.addresses["a0"], "%d.0.0.0/%d", &octet, &bits); err != nil {
		return s, p
	}
	var e extent
	e.addNetwork(s.addresses["a0"])
	low := e.v4[0].lo
	half := (e.v4[0].hi - low + 1) / 2
	dotted := func(n uint64) string {
		return fmt.Sprintf("%d.%d.%d.%d/%d", n>>24&255, n>>16&255, n>>8&255, n&255, bits+1)
	}
	s.addresses["low"], s.addresses["high"] = dotted(low), dotted(low+half)
	split := func(list []string) []string {
		var out []string
		for _, n := range list {
			if n == "a0" {
				out = append(out, "low", "high")
				continue
			}
			out = append(out, n)
		}
		return out
	}
	for name, members := range s.groups {
		s.groups[name] = split(members)
	}
	return s, with(p, "srcaddr", refs(split(names(p["srcaddr"]))...), "dstaddr", refs(split(names(p["dstaddr"]))...))
}

func nested(_ *rapid.T, s *site, p object) (*site, object) {
	s.groups["outer"] = names(p["srcaddr"])
	s.groups["outermost"] = []string{"outer"}
	return s, with(p, "srcaddr", refs("outermost"))
}

func TestAssessIsAFunctionOfItsArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		changes := []Change{s.step(t), s.step(t)}
		a, b := s.box().assess(changes...), s.box().assess(changes...)
		if fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
			t.Fatalf("two verdicts on one plan:\n%+v\n%+v", a, b)
		}
	})
}
