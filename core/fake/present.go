package fake

import (
	"slices"

	"github.com/forti-mcp/forti/core/schema"
)

// Masked is what a secret that is set reads as.
const Masked = "ENC XXXX"

// present is a row as the device shows it: secrets masked, q_origin_key added
// to it and to its child rows. fields limits the attributes; a name that the
// resource does not have makes the device show all of them.
func present(r *schema.Resource, stored row, fields []string) map[string]any {
	out := shown(r.Attributes, stored)
	if r.Key != "" {
		out["q_origin_key"] = stored[r.Key]
	}
	for _, f := range fields {
		if _, known := r.Attribute(f); !known {
			return out
		}
	}
	if len(fields) > 0 {
		for name := range out {
			if name != "q_origin_key" && !slices.Contains(fields, name) {
				delete(out, name)
			}
		}
	}
	return out
}

func shown(attributes []schema.Attribute, stored map[string]any) map[string]any {
	out := make(map[string]any, len(stored)+1)
	for name, v := range stored {
		a, known := attribute(attributes, name)
		if !known {
			out[name] = cloned(v)
			continue
		}
		out[name] = shownValue(a, v)
	}
	return out
}

func shownValue(a *schema.Attribute, v any) any {
	switch x := v.(type) {
	case string:
		if a.Secret && x != "" {
			return Masked
		}
	case map[string]any:
		return shown(a.Attributes, x)
	case []any:
		list := make([]any, len(x))
		for i, item := range x {
			child, _ := item.(map[string]any)
			object := shown(a.Attributes, child)
			object["q_origin_key"] = child[a.Key]
			list[i] = object
		}
		return list
	}
	return cloned(v)
}
