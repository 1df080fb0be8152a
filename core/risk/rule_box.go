package risk

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// clusters is R-HA-01.
func clusters(_ *world, c *Change) []finding {
	switch c.Resource {
	case "system/global":
		if hit := c.touches("vdom-mode", "vdom-admin"); len(hit) == 0 {
			return nil
		}
	case "system/settings":
		if hit := c.touches("opmode", "vdom-type", "manageip", "manageip6"); len(hit) == 0 {
			return nil
		}
	}
	return fired(plan.Critical, "%s %s%s: it concerns the cluster, the VDOMs, the operation mode or the central management, and can stop the whole site", what(c), verb(c), c.updates())
}

// tunnels is R-VPN-01.
func tunnels(w *world, c *Change) []finding {
	carriers, known := w.carriers(c.VDOM)
	switch {
	case c.onlyRemarks():
	case slices.ContainsFunc(carriers, func(name string) bool { return w.runsThrough(c, name) }):
		return fired(plan.Critical, "%s %s: this connection runs through it, and a mistake cuts it", what(c), verb(c))
	case !known && c.Op != plan.OpCreate:
		return fired(plan.Critical, "%s %s, and whether this connection runs through it is not fully known", what(c), verb(c))
	}
	return fired(plan.High, "%s %s%s: it is part of a VPN, whose tunnels can go down", what(c), verb(c), c.updates())
}

// oneTunnel are the tables whose rows are about one tunnel each.
var oneTunnel = []string{
	"vpn.ipsec/{phase1,phase1-interface,phase2,phase2-interface,manualkey,manualkey-interface}",
	"system/{gre-tunnel,ipip-tunnel,sit-tunnel,ipv6-tunnel}",
}

// runsThrough reports whether a change is, or may be, about the tunnel that is
// the interface of a name.
func (w *world) runsThrough(c *Change, name string) bool {
	switch {
	case c.Key.String() == name:
		return true
	case slices.ContainsFunc(c.states(), func(o map[string]any) bool { return text(o["phase1name"]) == name }):
		return true
	case watches(oneTunnel, c.Resource):
		return false
	case matches("vpn.ssl*/*", c.Resource):
		return strings.HasPrefix(name, "ssl.")
	}
	s := w.object("system/interface", c.VDOM, operation.TextKey(name))
	return slices.ContainsFunc(s.objects, func(o map[string]any) bool { return text(o["type"]) == "tunnel" })
}

// actions is R-ACT-01.
func actions(_ *world, c *Change) []finding {
	class := ""
	if c.Call != nil {
		class = c.Call.Class
	}
	tier, known := Base(c.Resource)
	if c.Call != nil {
		tier = tier.Max(classTier(class))
	}
	switch {
	case !known:
		return fired(plan.Critical, "%s is an action that this version does not know", what(c))
	case tier == plan.Critical:
		return fired(tier, "%s cuts traffic, users or the device, or hands out secrets, at once", what(c))
	}
	return fired(tier.Max(plan.Medium), "%s acts at once; there is nothing to read back", what(c))
}

// logging is R-LOG-01.
func logging(w *world, c *Change) []finding {
	if watches(trafficPolicies, c.Resource) {
		return policyLogging(c)
	}
	if target, ok := strings.CutSuffix(strings.Replace(c.Resource, "override-", "", 1), "/setting"); ok && slices.Contains(logTargets, target) {
		if switchedOff(c) && !w.otherTarget(c, target) {
			return fired(plan.Critical, "%s is switched off, and no other log target is known to be on: logs are lost", what(c))
		}
	}
	return fired(plan.High, "%s %s%s: it decides what is logged, and where", what(c), verb(c), c.updates())
}

// logTargets keep logs. Memory does not count: it is lost at a restart.
var logTargets = []string{
	"log.syslogd", "log.syslogd2", "log.syslogd3", "log.syslogd4", "log.fortianalyzer", "log.fortianalyzer2",
	"log.fortianalyzer3", "log.fortianalyzer-cloud", "log.fortiguard", "log.disk",
}

func switchedOff(c *Change) bool {
	return c.After != nil && text(c.After["status"]) != "enable" && (c.Before == nil || !off(c.Before["status"]))
}

// otherTarget reports whether another log target is surely on, through the whole plan.
func (w *world) otherTarget(c *Change, target string) bool {
	for _, other := range logTargets {
		if other == target {
			continue
		}
		s := w.singleton(other+"/setting", c.VDOM)
		on := func(o map[string]any) bool { return text(o["status"]) == "enable" }
		if s.known && len(s.objects) > 0 && !slices.ContainsFunc(s.objects, func(o map[string]any) bool { return !on(o) }) {
			return true
		}
	}
	return false
}

// policyLogging reports a policy that logs less than before, or nothing.
func policyLogging(c *Change) []finding {
	if c.After == nil || c.Op == plan.OpMove {
		return nil
	}
	level := func(o map[string]any) int {
		return slices.Index([]string{"disable", "utm", "all"}, orDefault(o["logtraffic"], "utm"))
	}
	switch {
	case c.Op == plan.OpCreate && accepts(c, c.After) && level(c.After) == 0:
		return fired(plan.High, "%s accepts traffic and logs nothing", what(c))
	case c.Before == nil:
		return nil
	case level(c.After) < level(c.Before):
		return fired(plan.High, "%s logs less: logtraffic from %s to %s", what(c),
			quote(orDefault(c.Before["logtraffic"], "utm")), quote(orDefault(c.After["logtraffic"], "utm")))
	case !off(c.Before["logtraffic-start"]) && off(c.After["logtraffic-start"]):
		return fired(plan.High, "%s %s: the start of sessions is no longer logged", what(c), verb(c))
	}
	return nil
}
