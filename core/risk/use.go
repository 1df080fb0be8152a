package risk

import (
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// accepting is a policy that accepts, with the tier that its width gives it.
type accepting struct {
	row  map[string]any
	tier plan.Tier
}

// user is a policy that names something, itself or through groups; negated
// where it means everything but that.
type user struct {
	policy  *accepting
	negated bool
}

// users finds the policies that name a row, by its name. Those in unread name a
// group that could not be read, so they may name anything.
type users struct {
	byName map[string][]user
	unread []user
}

// indexed names an index of users: by the kind of group, and with or without
// the device's own policies.
type indexed struct {
	group, vdom string
	device      bool
}

// naming are the attributes of a policy that can name rows of a kind of group.
func naming(group string) []string {
	switch group {
	case "firewall.service/group":
		return []string{"service"}
	case "firewall/internet-service-custom-group":
		return []string{"internet-service-custom", "internet-service-custom-group",
			"internet-service-src-custom", "internet-service-src-custom-group"}
	}
	return []string{"srcaddr", "srcaddr4", "srcaddr6", "dstaddr", "dstaddr4", "dstaddr6"}
}

// usersOf lists the accepting policies that a changed row is part of: those on
// the device and those that the plan writes.
func (w *world) usersOf(c *Change, device policyRows) []user {
	at := indexed{groupOf(c.Resource), c.VDOM, len(device.rows) > 0}
	found, ok := w.users[at]
	if !ok {
		found = w.index(at.group, c.VDOM, append(w.changedPolicies(c.VDOM), device.rows...))
		w.users[at] = found
	}
	return append(found.unread[:len(found.unread):len(found.unread)], found.byName[c.Key.String()]...)
}

// feeds is the tier of a policy that means more through what it names.
func (w *world) feeds(vdom string, u user) plan.Tier {
	if u.policy.tier == "" {
		u.policy.tier = plan.Medium
		if _, f, yes := w.exposure(nil, policyTable, vdom, u.policy.row); yes {
			u.policy.tier = f.tier
		}
	}
	return u.policy.tier
}

func (w *world) index(group, vdom string, policies []map[string]any) users {
	out := users{byName: map[string][]user{}}
	for _, row := range policies {
		if !accepts(nil, row) {
			continue
		}
		p := &accepting{row: row}
		for _, a := range naming(group) {
			u := user{p, !off(row[strings.TrimSuffix(a, "4")+"-negate"])}
			reached, known := map[string]bool{}, true
			for _, name := range names(row[a]) {
				known = w.reach(group, vdom, name, reached) && known
			}
			for name := range reached {
				out.byName[name] = append(out.byName[name], u)
			}
			if !known {
				out.unread = append(out.unread, u)
			}
		}
	}
	return out
}

// reach collects a name and all names inside it; false means that a group could
// not be read.
func (w *world) reach(group, vdom, name string, into map[string]bool) bool {
	if into[name] {
		return true
	}
	into[name] = true
	s := w.object(group, vdom, operation.TextKey(name))
	known := s.known
	for _, o := range s.objects {
		for _, member := range names(o["member"]) {
			known = w.reach(group, vdom, member, into) && known
		}
	}
	return known
}

// groupOf is the table whose groups can hold rows of a resource.
func groupOf(resource string) string {
	switch {
	case matches("firewall.service/*", resource):
		return "firewall.service/group"
	case matches("firewall.wildcard-fqdn/*", resource):
		return "firewall.wildcard-fqdn/group"
	case matches("firewall/{vip,vipgrp}", resource):
		return "firewall/vipgrp"
	case matches("firewall/{vip6,vipgrp6}", resource):
		return "firewall/vipgrp6"
	case matches("firewall/internet-service-custom*", resource):
		return "firewall/internet-service-custom-group"
	case matches("firewall/{address6,addrgrp6}", resource):
		return "firewall/addrgrp6"
	case matches("firewall/proxy-*", resource):
		return "firewall/proxy-addrgrp"
	}
	return "firewall/addrgrp"
}
