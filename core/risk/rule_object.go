package risk

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

func mapKeys(o map[string]any) iter.Seq[string] { return maps.Keys(o) }

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
	worst, found := finding{tier: plan.Low}, false
	for _, p := range append(w.changedPolicies(c.VDOM), used.rows...) {
		negated, uses := w.uses(c, p)
		if !uses || !accepts(nil, p) || !(more || less && negated) {
			continue
		}
		tier := plan.Medium
		if _, f, yes := w.exposure(nil, policyTable, c.VDOM, p); yes {
			tier = f.tier
		}
		if !found || tier.Rank() > worst.tier.Rank() {
			worst = finding{tier, fmt.Sprintf("%s means more than before, and policy %s, which accepts, uses it", what(c), quote(rowKey(p).String()))}
		}
		found = true
	}
	if !found {
		return nil
	}
	return []finding{worst}
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

// uses reports whether a policy names the changed object, itself or through
// groups, and whether anywhere behind a negation.
func (w *world) uses(c *Change, p map[string]any) (negated, yes bool) {
	for _, a := range []string{"srcaddr", "srcaddr4", "srcaddr6", "dstaddr", "dstaddr4", "dstaddr6", "service",
		"internet-service-custom", "internet-service-custom-group", "internet-service-src-custom", "internet-service-src-custom-group"} {
		if w.reaches(c, names(p[a]), map[string]bool{}) {
			yes = true
			negated = negated || !off(p[strings.TrimSuffix(a, "4")+"-negate"])
		}
	}
	return negated, yes
}

// groupsOf are the tables whose groups can hold rows of a resource.
func groupsOf(resource string) []string {
	switch {
	case matches("firewall.service/*", resource):
		return []string{"firewall.service/group"}
	case matches("firewall.wildcard-fqdn/*", resource):
		return []string{"firewall.wildcard-fqdn/group"}
	case matches("firewall/{vip,vipgrp}", resource):
		return []string{"firewall/vipgrp"}
	case matches("firewall/{vip6,vipgrp6}", resource):
		return []string{"firewall/vipgrp6"}
	case matches("firewall/internet-service-custom*", resource):
		return []string{"firewall/internet-service-custom-group"}
	case matches("firewall/{address6,addrgrp6}", resource):
		return []string{"firewall/addrgrp6"}
	case matches("firewall/proxy-*", resource):
		return []string{"firewall/proxy-addrgrp"}
	}
	return []string{"firewall/addrgrp"}
}

func (w *world) reaches(c *Change, list []string, seen map[string]bool) bool {
	for _, name := range list {
		if name == c.Key.String() {
			return true
		}
		if seen[name] || isAll(name) {
			continue
		}
		seen[name] = true
		for _, table := range groupsOf(c.Resource) {
			s := w.object(table, c.VDOM, operation.TextKey(name))
			if !s.known {
				return true
			}
			for _, o := range s.objects {
				if w.reaches(c, names(o["member"]), seen) {
					return true
				}
			}
		}
	}
	return false
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
