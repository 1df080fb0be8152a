package risk

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// accepting is a policy that accepts, with the tier that its width gives it.
type accepting struct {
	path string
	row  map[string]any
	tier plan.Tier
}

// name is the policy's number, and its table where that is not the usual one.
func (p *accepting) name() string {
	number := rowKey(p.row).String()
	if p.path == "" || p.path == policyTable {
		return number
	}
	return p.path + " " + number
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
	list := append(found.unread[:len(found.unread):len(found.unread)], found.byName[c.Key.String()]...)
	return append(list, w.usersElsewhere(c, at.group)...)
}

// usersElsewhere lists the accepting policies of other tables that name a changed row,
// as far as the device tells who uses it. One that could not be read may accept
// anything.
func (w *world) usersElsewhere(c *Change, group string) []user {
	var out []user
	for _, name := range c.UserNames {
		path, id, _ := strings.Cut(name, " ")
		n, isNumber := integer(id)
		if path == policyTable || !watches(trafficPolicies, path) || !isNumber {
			continue
		}
		s := w.object(path, c.VDOM, operation.IntegerKey(n))
		if len(s.objects) == 0 {
			out = append(out, user{policy: &accepting{path: path, row: map[string]any{"policyid": n}, tier: plan.Critical}})
		}
		for _, row := range s.objects {
			if accepts(nil, row) {
				out = append(out, user{&accepting{path: path, row: row}, negates(row, group, c.Key.String())})
			}
		}
	}
	return out
}

// negates reports whether a policy names a row in a list that it negates.
func negates(row map[string]any, group, name string) bool {
	return slices.ContainsFunc(naming(group), func(a string) bool {
		return negated(row, a) && slices.Contains(names(row[a]), name)
	})
}

func negated(row map[string]any, attribute string) bool {
	return !off(row[strings.TrimSuffix(attribute, "4")+"-negate"])
}

// feeds is the tier of a policy that means more through what it names.
func (w *world) feeds(vdom string, u user) plan.Tier {
	if u.policy.tier == "" {
		u.policy.tier = plan.Medium
		if _, f, yes := w.exposure(nil, orDefault(u.policy.path, policyTable), vdom, u.policy.row); yes {
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
			u := user{p, negated(row, a)}
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
