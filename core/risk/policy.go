package risk

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

const policyTable = "firewall/policy"

// trafficPolicies decide which traffic passes.
var trafficPolicies = []string{
	"firewall/{policy,policy46,policy6,policy64,security-policy,proxy-policy,multicast-policy,multicast-policy6}",
	"firewall.consolidated/policy",
}

// accepts reports whether a policy lets something through. Whatever is not a
// plain deny does; a missing action is the device's default, deny, only where
// the policy already exists or the default is known.
func accepts(c *Change, p map[string]any) bool {
	action := text(p["action"])
	if p["action"] == nil && c != nil && c.Schema != nil {
		if a, ok := c.Schema.Attribute("action"); ok {
			action = text(a.Default)
		}
	}
	return action != "deny"
}

// isDeny reports whether a policy may be one that blocks.
func isDeny(p map[string]any) bool {
	return !slices.Contains([]string{"accept", "ipsec", "ssl-vpn", "redirect", "isolate"}, text(p["action"]))
}

func enabled(p map[string]any) bool { return text(p["status"]) != "disable" }

// openness is how wide a policy is.
type openness struct {
	source, destination, service bool
	why                          []string
}

func (o openness) count() int {
	n := 0
	for _, wide := range []bool{o.source, o.destination, o.service} {
		if wide {
			n++
		}
	}
	return n
}

// openness computes how wide a policy is from the objects that it names.
func (w *world) openness(path, vdom string, p map[string]any) openness {
	var o openness
	src, dst, svc := w.side(path, vdom, p, "src"), w.side(path, vdom, p, "dst"), w.policyServices(vdom, p)
	o.source, o.destination, o.service = src.wideAddresses(), dst.wideAddresses(), svc.wideServices()
	for _, x := range []struct {
		wide bool
		name string
		why  string
	}{{o.source, "source", src.why}, {o.destination, "destination", dst.why}, {o.service, "service", svc.why}} {
		if x.wide {
			o.why = append(o.why, x.name+" "+x.why)
		}
	}
	return o
}

// side is the addresses of a policy's source ("src") or destination ("dst"),
// both families together.
func (w *world) side(path, vdom string, p map[string]any, end string) extent {
	var e extent
	given := false
	for _, family := range []string{"", "6"} {
		if services, ok := w.internetServices(vdom, p, end, family); ok {
			given = true
			e.add(services)
			continue
		}
		for _, attribute := range familyAttributes(end, family) {
			if list := names(p[attribute]); len(list) > 0 {
				given = true
				flag := strings.TrimSuffix(attribute, "4") + "-negate"
				one := negatable(w.addresses(vdom, tablesOf(path, attribute), list), p[flag])
				if path == policyTable {
					one = onlyFamily(isSix(path, attribute), one)
				}
				e.add(one)
			}
		}
	}
	for _, proxy := range []string{"access-proxy", "access-proxy6", "ztna-proxy"} {
		if list := names(p[proxy]); end == "dst" && len(list) > 0 {
			given, e.names, e.loose = true, append(e.names, list...), true
		}
	}
	if !given {
		return everyAddress("not limited")
	}
	return e
}

func familyAttributes(end, family string) []string {
	if family == "6" {
		return []string{end + "addr6"}
	}
	return []string{end + "addr", end + "addr4"}
}

// isSix reports whether an attribute of a policy names IPv6 addresses.
func isSix(path, attribute string) bool {
	return strings.HasSuffix(attribute, "6") || path == "firewall/policy6" || path == "firewall/multicast-policy6" ||
		path == "firewall/policy64" && attribute == "srcaddr"
}

// onlyFamily drops what an attribute cannot mean: a list of IPv4 networks lets nothing
// of IPv6 through, nor does what a negated one leaves out.
func onlyFamily(six bool, e extent) extent {
	if six {
		e.v4 = nil
	} else {
		e.v6 = nil
	}
	return e
}

// tablesOf are where the names of a policy's address list come from.
func tablesOf(path, attribute string) []string {
	kind := ""
	tables := slices.Clone(address4Tables)
	if isSix(path, attribute) {
		kind, tables = "6", slices.Clone(address6Tables)
	}
	if path == "firewall/proxy-policy" && kind == "" {
		tables = append(tables, "firewall/proxy-address", "firewall/proxy-addrgrp")
	}
	if strings.HasPrefix(attribute, "dst") {
		switch path {
		case "firewall/multicast-policy", "firewall/multicast-policy6":
			return []string{"firewall/multicast-address" + kind}
		case "firewall/policy46", "firewall/policy64":
			kind = strings.TrimPrefix(path, policyTable)
		}
		tables = append(tables, "firewall/vip"+kind, "firewall/vipgrp"+kind)
	}
	return append(tables, "system/external-resource")
}

// negatable applies a negation flag; one that is neither on nor off counts as
// whichever is wider.
func negatable(e extent, flag any) extent {
	switch {
	case off(flag):
		return e
	case text(flag) == "enable":
		return e.negated()
	}
	n := e.negated()
	n.add(e)
	return n
}

// internetServices is one side and family of a policy where it is given by the
// device's database of internet services instead of addresses. The database's
// own entries are bounded; what an operator defined is looked up.
func (w *world) internetServices(vdom string, p map[string]any, end, family string) (extent, bool) {
	prefix := "internet-service" + family
	if end == "src" {
		prefix += "-src"
	}
	if off(p[prefix]) {
		return extent{}, false
	}
	e := extent{loose: true}
	for _, kind := range []string{"-name", "-id", "-group", "-fortiguard"} {
		e.names = append(e.names, names(p[prefix+kind])...)
	}
	for _, kind := range []string{"-custom", "-custom-group"} {
		e.add(w.customServices(vdom, kind, names(p[prefix+kind])))
	}
	if !off(p[prefix+"-negate"]) {
		e = unclear("everything but some internet services")
	}
	if text(p[prefix]) != "enable" {
		e.add(unclear("an unclear choice between addresses and internet services"))
	}
	return e, true
}

// customServices resolves internet services that the operator defined.
func (w *world) customServices(vdom, kind string, list []string) extent {
	var e extent
	for _, name := range list {
		s := w.object("firewall/internet-service"+kind, vdom, operation.TextKey(name))
		if !s.known || len(s.objects) == 0 {
			return unclear(quote(name) + ", which could not be read")
		}
		for _, o := range s.objects {
			if kind == "-custom-group" {
				e.add(w.customServices(vdom, "-custom", names(o["member"])))
				continue
			}
			for _, row := range rows(o["entry"]) {
				e.add(w.addresses(vdom, address4Tables, names(row["dst"])))
				e.add(w.addresses(vdom, address6Tables, names(row["dst6"])))
			}
		}
	}
	return e
}

// policyServices is the services of a policy.
func (w *world) policyServices(vdom string, p map[string]any) extent {
	list := names(p["service"])
	switch {
	case len(list) > 0:
		return negatable(w.services(vdom, list), p["service-negate"])
	case !off(p["internet-service"]) || !off(p["internet-service6"]):
		return extent{loose: true}
	}
	return everyService("not limited")
}

// exposure judges a policy by itself: the rule that its width fires.
func (w *world) exposure(c *Change, path, vdom string, p map[string]any) (rule string, f finding, yes bool) {
	if p == nil || !accepts(c, p) || !enabled(p) {
		return "", finding{}, false
	}
	o := w.openness(path, vdom, p)
	switch o.count() {
	case 3:
		return "R-POL-01", finding{plan.Critical, "lets nearly everything through: " + strings.Join(o.why, ", ")}, true
	case 2:
		return "R-POL-02", finding{plan.High, "lets much through: " + strings.Join(o.why, ", ")}, true
	}
	if from := w.fromWAN(vdom, p); from != "" {
		return "R-POL-02", finding{plan.High, "accepts traffic from " + from}, true
	}
	return "", finding{}, false
}

// fromWAN says from which interface towards the internet a policy's traffic comes
// in; one whose role cannot be told counts. "" where there is none.
func (w *world) fromWAN(vdom string, p map[string]any) string {
	for _, port := range names(p["srcintf"]) {
		if isAll(port) {
			return "any interface"
		}
		switch wan, known := w.isWAN(vdom, port); {
		case !known:
			return quote(port) + ", which may face the Internet: its role could not be read"
		case wan:
			return quote(port) + ", which faces the Internet"
		}
	}
	return ""
}

// isWAN reports whether an interface, a zone or what is in it faces the internet.
func (w *world) isWAN(vdom, port string) (yes, known bool) {
	s := w.object("system/interface", vdom, operation.TextKey(port))
	switch {
	case !s.known:
		return true, false
	case len(s.objects) > 0:
		return slices.ContainsFunc(s.objects, func(o map[string]any) bool { return text(o["role"]) == "wan" }), true
	}
	zone := w.object("system/zone", vdom, operation.TextKey(port))
	if !zone.known {
		return true, false
	}
	if len(zone.objects) == 0 {
		// What is neither an interface nor a zone is a zone of SD-WAN.
		return true, true
	}
	for _, o := range zone.objects {
		for _, member := range names(o["interface"]) {
			if member == port {
				continue
			}
			if wan, known := w.isWAN(vdom, member); wan {
				return true, known
			}
		}
	}
	return false, true
}
