package engine

import (
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// hideLive masks the secrets in a device's own description of a resource: defaults of
// secret attributes, and what its form gives away in any text.
func hideLive(whole *schema.Resource, live map[string]any) map[string]any {
	clean, _ := redact.Untyped(live, func(string) bool { return false })
	description, _ := clean.(map[string]any)
	hideDefaults(whole.Attributes, description)
	return description
}

func hideDefaults(attributes []schema.Attribute, node map[string]any) {
	known := map[string]*schema.Attribute{}
	for i := range attributes {
		known[attributes[i].Name] = &attributes[i]
	}
	children, _ := node["children"].(map[string]any)
	for name, v := range children {
		child, _ := v.(map[string]any)
		a := known[name]
		secret := a == nil && redact.SecretName(name) || a != nil && a.Secret
		if value := child["default"]; secret && value != nil && value != "" {
			child["default"] = redact.Mask
		}
		if a == nil {
			a = &schema.Attribute{}
		}
		hideDefaults(a.Attributes, child)
	}
}
