package risk

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// staticTables are routes that say themselves what they cover.
var staticTables = []string{"router/{static,static6,policy,policy6}"}

// ownRoute is R-RT-01: the default route, and routes that cover our address.
func ownRoute(w *world, c *Change) []finding {
	if c.onlyRemarks() {
		return nil
	}
	static := matches("router/{static,static6}", c.Resource)
	for _, o := range c.states() {
		switch e := w.destinations(c, o); {
		case static && isDefault(e, c.Resource):
			return fired(plan.Critical, "%s %s%s: it is a default route, and decides where everything without a better route goes", what(c), verb(c), c.updates())
		case !w.source.IsValid():
			return fired(plan.Critical, "%s %s, and whether it covers the address of this connection is not known", what(c), verb(c))
		case e.unknown:
			return fired(plan.Critical, "%s %s: it may cover %s, the address of this connection", what(c), verb(c), w.source)
		case e.holds(w.source):
			return fired(plan.Critical, "%s %s%s: it covers %s, the address of this connection, so that the answers may go elsewhere", what(c), verb(c), c.updates(), w.source)
		}
	}
	return nil
}

// destinations is where a route or policy route leads.
func (w *world) destinations(c *Change, o map[string]any) extent {
	six := matches("router/*6", c.Resource)
	tables := address4Tables
	if six {
		tables = address6Tables
	}
	var e extent
	given := false
	if list := names(o["dstaddr"]); len(list) > 0 {
		given = true
		e.add(w.addresses(c.VDOM, tables, list))
	}
	if n, _ := integer(o["internet-service"]); n != 0 || text(o["internet-service-custom"]) != "" {
		// A route to an internet service leads to addresses that only the device knows.
		return unclear("an internet service")
	}
	if policy := matches("router/{policy,policy6}", c.Resource); policy {
		if list := rows(o["dst"]); len(list) > 0 {
			given = true
			e.add(prefixes(list, "subnet", "addr6"))
		}
		if !given {
			e = everyAddress("no destination")
		}
		return negatable(e, o["dst-negate"])
	}
	if !given && !e.addNetwork(orDefault(o["dst"], map[bool]string{false: "0.0.0.0/0", true: "::/0"}[six])) {
		return unclear("a destination that cannot be read")
	}
	return e
}

func isDefault(e extent, resource string) bool {
	if matches("*/*6", resource) {
		return e.v6.covers(spans{{0, maxV6}})
	}
	return e.v4.covers(spans{{0, maxV4}})
}

// otherRouting is R-RT-02.
func otherRouting(w *world, c *Change) []finding {
	if c.onlyRemarks() {
		return nil
	}
	static := watches(staticTables, c.Resource)
	switch {
	case static && len(ownRoute(w, c)) > 0:
		return nil
	case static, w.connected(c.VDOM):
		return fired(plan.High, "%s %s%s: it decides where traffic goes", what(c), verb(c), c.updates())
	}
	return fired(plan.Critical, "%s %s: it can change the way back to this connection, which is not known to be directly connected",
		what(c), verb(c))
}

// connected reports whether our address is surely in the subnet of the interface
// that our connection enters: then no route can take the answers elsewhere.
func (w *world) connected(vdom string) bool {
	name := w.management().Interface
	if name == "" || !w.source.IsValid() {
		return false
	}
	s := w.object("system/interface", vdom, operation.TextKey(name))
	if !s.known || len(s.objects) == 0 {
		return false
	}
	return !slices.ContainsFunc(s.objects, func(o map[string]any) bool {
		return !slices.ContainsFunc(InterfaceAddresses(o), func(network string) bool {
			var e extent
			return e.addNetwork(network) && e.holds(w.source)
		})
	})
}

// InterfaceFields are the attributes of system/interface that hold its addresses.
func InterfaceFields() []string { return []string{"ip", "secondaryip", "management-ip", "ipv6"} }

// InterfaceAddresses lists the addresses of an interface in both families, each with
// its network as the device writes it. The device's placeholder for none is left out.
func InterfaceAddresses(o map[string]any) []string {
	six, _ := o["ipv6"].(map[string]any)
	list := []string{text(o["ip"]), text(o["management-ip"]), text(six["ip6-address"])}
	for _, row := range rows(o["secondaryip"]) {
		list = append(list, text(row["ip"]))
	}
	for _, row := range rows(six["ip6-extra-addr"]) {
		list = append(list, text(row["prefix"]))
	}
	return slices.DeleteFunc(list, func(s string) bool {
		return s == "" || strings.HasPrefix(s, "0.0.0.0") || strings.HasPrefix(s, "::/")
	})
}
