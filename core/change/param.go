package change

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/compare"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// Params checks the parameters of a monitor call.
func (c *Checker) Params(call *schema.Call, params map[string]any, at string) map[string]any {
	result := map[string]any{}
	var known []string
	for _, p := range call.Params {
		known = append(known, p.Name)
		if _, given := params[p.Name]; !given && p.Required {
			c.Problem(at+fault.Pointer(p.Name), "is required")
		}
	}
	for _, name := range canon.Keys(params) {
		here := at + fault.Pointer(name)
		i := slices.Index(known, name)
		if i < 0 {
			c.Problem(here, "unknown parameter; the call takes %s", orNone(known))
			continue
		}
		p, v := call.Params[i], params[name]
		if object, ok := v.(map[string]any); ok && p.Secret {
			if secret, is := c.named(&schema.Attribute{Name: name, Secret: true}, object, here); is {
				result[name] = secret
				continue
			}
		}
		if why := paramProblem(p, v); why != "" {
			c.Problem(here, "%s", why)
			continue
		}
		result[name] = v
	}
	return result
}

// standsFor finds a member that stands for a value of another place, at any depth: what
// a call sends must be what was written.
func standsFor(v any) string {
	switch x := v.(type) {
	case []any:
		for _, item := range x {
			if name := standsFor(item); name != "" {
				return name
			}
		}
	case map[string]any:
		for name, item := range x {
			if name == plan.SecretKey || name == keyOfMember {
				return name
			}
			if name := standsFor(item); name != "" {
				return name
			}
		}
	}
	return ""
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
	switch special := standsFor(v); {
	case special == plan.SecretKey:
		return plan.SecretKey + " is accepted for secrets only, as " + `{"$secret": {"name": "NAME"}}`
	case special != "":
		return special + " does not stand for a parameter"
	case !ok:
		return "must be of type " + p.Type
	case p.Secret && compare.LooksMasked(v):
		return "looks like a masked secret, which is never sent; give the real value or leave the parameter out"
	}
	text, isText := v.(string)
	if isText && len(p.Options) > 0 && !slices.Contains(p.Options, text) {
		return "must be one of " + strings.Join(p.Options, ", ")
	}
	return ""
}
