package change

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/schema"
)

// Params checks the parameters of a monitor call.
func (c *Checker) Params(call *schema.Call, params map[string]any, at string) map[string]any {
	result := map[string]any{}
	var known []string
	for _, p := range call.Params {
		known = append(known, p.Name)
		if _, given := params[p.Name]; !given && p.Required {
			c.problem(at+fault.Pointer(p.Name), "is required")
		}
	}
	for _, name := range canon.Keys(params) {
		here := at + fault.Pointer(name)
		i := slices.Index(known, name)
		if i < 0 {
			c.problem(here, "unknown parameter; the call takes %s", orNone(known))
			continue
		}
		if why := paramProblem(call.Params[i], params[name]); why != "" {
			c.problem(here, "%s", why)
			continue
		}
		result[name] = params[name]
	}
	return result
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func paramProblem(p schema.Param, v any) string {
	ok := true
	switch p.Type {
	case "integer", "int", "number":
		_, ok = v.(int64)
	case "boolean":
		_, ok = v.(bool)
	case "string":
		_, ok = v.(string)
	case "array":
		_, ok = v.([]any)
	case "object":
		_, ok = v.(map[string]any)
	}
	if !ok {
		return "must be of type " + p.Type
	}
	text, isText := v.(string)
	if isText && len(p.Options) > 0 && !slices.Contains(p.Options, text) {
		return "must be one of " + strings.Join(p.Options, ", ")
	}
	return ""
}
