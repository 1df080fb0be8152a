package risk

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/plan"
)

// entry gives the resources of some patterns a base tier.
type entry struct {
	tier     plan.Tier
	patterns []string
}

// Base is the base tier of a resource, or of an action by its whole path such
// as "monitor/system/os/reboot". An unknown resource is high and an unknown
// action critical; known is then false.
func Base(path string) (tier plan.Tier, known bool) {
	path = call(path)
	for _, e := range base {
		if watches(e.patterns, path) {
			return e.tier, true
		}
	}
	if isAction(path) {
		return plan.Critical, false
	}
	return plan.High, false
}

// BaseAction is the base tier of a monitor call whose catalog class is known:
// never below what its class can do, critical where the call is unknown.
func BaseAction(path, class string) plan.Tier {
	tier, _ := Base(path)
	return tier.Max(classTier(class))
}

// classTier is the least tier of a class of calls; an unknown class is high.
func classTier(class string) plan.Tier {
	switch class {
	case "query", "counter", "operate":
		return plan.Medium
	case "session", "config", "file":
		return plan.High
	case "device":
		return plan.Critical
	}
	return plan.High
}

func isAction(path string) bool { return strings.HasPrefix(path, "monitor/") }

// Matches lists the patterns of the base table that match a path: exactly one
// for every resource and call of the catalog.
func Matches(path string) []string {
	path = call(path)
	var out []string
	for _, e := range base {
		for _, p := range e.patterns {
			if matches(p, path) {
				out = append(out, p)
			}
		}
	}
	return slices.Clip(out)
}
