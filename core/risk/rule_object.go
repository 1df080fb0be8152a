package risk

import (
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/plan"
)

// secrets is R-SEC-01.
func secrets(_ *world, c *Change) []finding {
	n := c.Secrets
	for _, a := range c.Touched {
		if n == 0 && c.Schema != nil {
			if s, ok := c.Schema.Attribute(a); ok && s.Secret {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return fired(plan.High, "%s %s with %s: that cannot be verified, nor rolled back", what(c), verb(c), counted(n, "secret"))
}

// shared is R-REF-01: how many objects refer to a changed one.
func shared(_ *world, c *Change) []finding {
	if c.Op != plan.OpUpdate && c.Op != plan.OpDelete || c.Key.IsZero() || !refersTo(c) {
		return nil
	}
	if c.onlyRemarks() {
		return sharedRemarks(c)
	}
	if c.Users == nil {
		return fired(plan.High, "%s %s, and how many objects use it is not known", what(c), verb(c))
	}
	n := *c.Users
	var tier plan.Tier
	switch {
	case n > 50:
		tier = plan.Critical
	case n > 5:
		tier = plan.High
	case n > 0:
		tier = plan.Medium
	default:
		return nil
	}
	names := ""
	if len(c.UserNames) > 0 {
		names = ": " + list(c.UserNames)
	}
	return fired(tier, "%s %s, and %s it%s", what(c), verb(c), usedBy(n), names)
}

func usedBy(n int) string {
	if n == 1 {
		return "1 other object uses"
	}
	return fmt.Sprintf("%d other objects use", n)
}

// sharedRemarks is the part of R-REF-01 about what is written for people to read: it
// counts, and however many use the object, no traffic passes otherwise.
func sharedRemarks(c *Change) []finding {
	switch {
	case c.Users == nil:
		return fired(plan.Medium, "%s %s%s, and how many objects use it is not known", what(c), verb(c), c.updates())
	case *c.Users > 0:
		return fired(plan.Medium, "%s %s%s, and %s it", what(c), verb(c), c.updates(), usedBy(*c.Users))
	}
	return nil
}

// unshared are tables whose rows nothing refers to.
var unshared = append([]string{
	"router/{static,static6,policy,policy6}", "system/{admin,api-user}", "firewall/{local-in-policy,local-in-policy6,central-snat-map}",
}, policyTables...)

// refersTo reports whether other objects can use the changed one.
func refersTo(c *Change) bool { return !watches(unshared, c.Resource) }

// widened is R-REF-02: an address or service that means more than before, or,
// where a policy negates it, less.
func widened(w *world, c *Change) []finding {
	if c.After == nil || c.Before == nil || c.onlyRemarks() {
		return nil
	}
	after, before := w.meaning(c, c.After), w.meaning(c, c.Before)
	more, less := after.exceeds(before), before.exceeds(after)
	if !more && !less {
		return nil
	}
	var used policyRows
	if c.Users == nil || *c.Users > 0 {
		used = w.policies(c.VDOM)
	} else {
		used.known = true // nothing uses it, except what the plan itself writes
	}
	if !used.known {
		return fired(plan.Critical, "%s means %s, and which policies use it could not be read", what(c), growth(before, after))
	}
	tier, policies := plan.Tier(""), []string{}
	for _, u := range w.usersOf(c, used) {
		if !more && !u.negated {
			continue
		}
		if t := w.feeds(c.VDOM, u); tier == "" || t.Rank() > tier.Rank() {
			tier = t
		}
		if name := u.policy.name(); !slices.Contains(policies, name) {
			policies = append(policies, name)
		}
	}
	if tier == "" {
		return nil
	}
	return fired(tier, "%s means %s; %s: %s", what(c), growth(before, after), letMore(len(policies)), list(policies))
}

func letMore(policies int) string {
	if policies == 1 {
		return "1 policy accepts more"
	}
	return fmt.Sprintf("%d policies accept more", policies)
}

// growth says how much more or less one meaning is than another.
func growth(before, after extent) string {
	direction := "more than before"
	if !after.exceeds(before) {
		direction = "less than before, and more where it is negated"
	}
	for _, x := range []struct {
		before, after spans
		top           uint64
		thing         string
	}{
		{before.v4, after.v4, maxV4, "IPv4 addresses"}, {before.tcp, after.tcp, maxPort, "TCP ports"}, {before.udp, after.udp, maxPort, "UDP ports"},
	} {
		from, to := x.before.within(0, x.top), x.after.within(0, x.top)
		if from != to && !before.unknown && !after.unknown {
			return fmt.Sprintf("%s (%s: %d instead of %d)", direction, x.thing, to, from)
		}
	}
	return direction
}

// meaning is what one state of an address or service stands for.
func (w *world) meaning(c *Change, o map[string]any) extent {
	if matches("firewall/internet-service-custom*", c.Resource) {
		return unclear("an internet service of the operator's own")
	}
	return w.walk(c.VDOM).object(c.Resource, o)
}

// changedPolicies are the policies that the plan itself writes.
func (w *world) changedPolicies(vdom string) []map[string]any {
	var out []map[string]any
	for i := range w.changes {
		c := &w.changes[i]
		if watches(trafficPolicies, c.Resource) && sameScope(c.VDOM, vdom) {
			out = append(out, c.states()...)
		}
	}
	return out
}

// irreversible is R-IRREV-01. Actions that only look, count or refresh are not
// counted: there is nothing in them to undo.
func irreversible(_ *world, c *Change) []finding {
	if c.Irreversible == "" {
		return nil
	}
	if c.Call != nil && slices.Contains([]string{"query", "counter", "operate"}, c.Call.Class) {
		return nil
	}
	return fired(plan.High, "%s %s, and there is no way back: %s", what(c), verb(c), redactLine(c.Irreversible))
}
