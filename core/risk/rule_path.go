package risk

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// ownCertificate is the part of R-LOCKOUT-04 about the certificate that the device
// shows to those who manage it.
func ownCertificate(w *world, c *Change) []finding {
	if c.Op == plan.OpCreate || c.onlyRemarks() {
		return nil
	}
	s := w.singleton("system/global", c.VDOM)
	if len(s.objects) == 0 {
		return fired(plan.Critical, "%s %s, and whether the device shows it to this connection could not be read", what(c), verb(c))
	}
	for _, o := range s.objects {
		if name := text(o["admin-server-cert"]); name != "" && c.concerns(name) {
			return fired(plan.Critical, "%s %s: the device shows it to this connection, which refuses one that it does not know", what(c), verb(c))
		}
	}
	return nil
}

// ownPolicy is the part of R-LOCKOUT-05 about the policies that let our connection
// in. Only a loopback interface needs one; what else is the device's own is reached
// without.
func ownPolicy(w *world, c *Change) []finding {
	if !c.matchesAnew() {
		return nil
	}
	name := w.management().Interface
	var s states
	if name != "" {
		s = w.object("system/interface", c.VDOM, operation.TextKey(name))
	}
	if len(s.objects) == 0 {
		w.note("whether a policy lets this connection in to the device is not known: the interface that carries it could not be read")
	}
	if !slices.ContainsFunc(s.objects, func(o map[string]any) bool { return text(o["type"]) == "loopback" }) {
		return nil
	}
	takes := func(p map[string]any) bool { return p != nil && enabled(p) && w.leadsHere(c, p, name) }
	down := c.Op == plan.OpMove && movesDown(c)
	switch {
	case c.Op == plan.OpMove && c.After == nil:
		return fired(plan.Critical, "%s %s: it may be what lets this connection in to %s, or deny it; it was not read", what(c), verb(c), quote(name))
	case c.Before != nil && accepts(c, c.Before) && takes(c.Before) && (c.Op != plan.OpMove || down):
		return fired(plan.Critical, "%s %s: it may be what lets this connection in to %s", what(c), verb(c), quote(name))
	case c.After != nil && isDeny(c.After) && takes(c.After) && !down:
		return fired(plan.Critical, "%s %s: it denies what this connection needs to reach %s", what(c), verb(c), quote(name))
	}
	return nil
}

// leadsHere reports whether a policy is about traffic like ours to our interface.
func (w *world) leadsHere(c *Change, p map[string]any, port string) bool {
	into := slices.ContainsFunc(names(p["dstintf"]), func(name string) bool {
		return name == port || name == anyInterface || w.inZone(c.VDOM, name, port)
	})
	return into && w.side(c.Resource, c.VDOM, p, "src").holds(w.source) && w.side(c.Resource, c.VDOM, p, "dst").holds(w.remote())
}

// inZone reports whether an interface is, or may be, in a zone.
func (w *world) inZone(vdom, zone, port string) bool {
	s := w.object("system/zone", vdom, operation.TextKey(zone))
	return !s.known || slices.ContainsFunc(s.objects, func(o map[string]any) bool { return slices.Contains(names(o["interface"]), port) })
}

// remote is the address of the device that our connection goes to; invalid where
// it is not known.
func (w *world) remote() netip.Addr { return address(w.management().Remote).Unmap().WithZone("") }

// published is R-NAT-01. A virtual address that is the one we connect to takes our
// connection away from the device.
func published(w *world, c *Change) []finding {
	if c.After != nil && matches("firewall/{vip,vip46,vip6,vip64}", c.Resource) && w.takesOurs(c, c.After) {
		return fired(plan.Critical, "%s %s: it takes what comes to %s, the address that this connection goes to", what(c), verb(c), w.remote())
	}
	return fired(plan.High, "%s %s%s; it translates addresses and can publish what is inside", what(c), verb(c), c.updates())
}

// takesOurs reports whether a virtual address stands for the one that we connect to.
func (w *world) takesOurs(c *Change, vip map[string]any) bool {
	if !enabled(vip) || c.onlyRemarks() {
		return false
	}
	if !w.remote().IsValid() {
		w.note("whether a virtual address takes this connection is not known: the address that it goes to is not")
		return false
	}
	var e extent
	outside := text(vip["extip"])
	switch {
	case outside == "0.0.0.0" || outside == "::": // the address of the interface
		from := names(vip["extintf"])
		if !slices.Contains(from, w.management().Interface) && !slices.Contains(from, anyInterface) {
			return false
		}
	case !e.addSpan(outside) || !e.holds(w.remote()):
		return false
	}
	return off(vip["portforward"]) || w.takesPort(text(vip["extport"]))
}

// takesPort reports whether the port that we connect to is in a range.
func (w *world) takesPort(portRange string) bool {
	to, err := netip.ParseAddrPort(w.management().Remote)
	if err != nil {
		return true
	}
	var taken spans
	return !ports(&taken, strings.ReplaceAll(portRange, ",", " ")) || taken.contains(uint64(to.Port()))
}
