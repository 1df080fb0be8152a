package risk

import (
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
	return fired(plan.High, "%s: %d secret value(s) are written, which cannot be verified or rolled back", what(c), n)
}

// shared is R-REF-01: how many objects refer to a changed one.
func shared(_ *world, c *Change) []finding {
	if c.Op != plan.OpUpdate && c.Op != plan.OpDelete || c.Key.IsZero() || c.onlyRemarks() || !refersTo(c) {
		return nil
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
	return fired(tier, "%s %s and %d other object(s) use it%s", what(c), verb(c), n, names)
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
		tier := plan.High
		if isService(c.Resource) && after.wideServices() || !isService(c.Resource) && after.wideAddresses() {
			tier = plan.Critical
		}
		return fired(tier, "%s changes its meaning, and which policies use it could not be read", what(c))
	}
	var worst *user
	for _, u := range w.usersOf(c, used) {
		if (more || less && u.negated) && (worst == nil || w.feeds(c.VDOM, u).Rank() > w.feeds(c.VDOM, *worst).Rank()) {
			worst = &u
		}
	}
	if worst == nil {
		return nil
	}
	return fired(w.feeds(c.VDOM, *worst), "%s means more than before, and policy %s, which accepts, uses it",
		what(c), quote(rowKey(worst.policy.row).String()))
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
	return fired(plan.High, "%s: %s", what(c), redactLine(c.Irreversible))
}
