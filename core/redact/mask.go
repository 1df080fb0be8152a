package redact

import (
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/schema"
)

// Object masks the secrets of a configuration object of a resource (or of one row
// of a child table) that has these attributes: the values of secret attributes
// at every depth, attributes that the schema does not have and whose name
// [SecretName] knows, and in every text what [SecretText] finds. An unset secret
// ("" or null) stays visible as unset. Everything else is left as it is.
//
// pointers are the places that were masked, as JSON pointers into the object, in
// a fixed order. The result shares nothing with the object, which holds
// canonical values.
func Object(attrs []schema.Attribute, object map[string]any) (masked map[string]any, pointers []string) {
	m := masker{typed: true, name: SecretName}
	return m.object("", attrs, object), m.pointers
}

// Untyped masks the secrets of a value that no schema describes, such as monitor
// data: everything below a name for which secretNames says so (pass [SecretName]
// where nothing better is known), and in every text what [SecretText] finds.
// Truth values, null and "" are never secrets. The result shares nothing with v.
func Untyped(v any, secretNames func(name string) bool) (any, []string) {
	m := masker{name: secretNames}
	return m.value("", nil, v), m.pointers
}

// masker walks one value and notes where it masked.
type masker struct {
	pointers []string
	// typed: the attributes at hand say which names are secret, name judges the rest.
	typed bool
	name  func(string) bool
}

func (m *masker) object(at string, attrs []schema.Attribute, object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	masked := make(map[string]any, len(object))
	for _, name := range canon.Keys(object) {
		masked[name] = m.member(at+fault.Pointer(name), name, attrs, object[name])
	}
	return masked
}

func (m *masker) member(at, name string, attrs []schema.Attribute, v any) any {
	if m.typed {
		for i := range attrs {
			if attrs[i].Name != name {
				continue
			}
			if attrs[i].Secret {
				return m.secret(at, v)
			}
			return m.value(at, attrs[i].Attributes, v)
		}
	}
	if m.name(name) {
		return m.below(at, v)
	}
	return m.value(at, nil, v)
}

func (m *masker) value(at string, attrs []schema.Attribute, v any) any {
	switch x := v.(type) {
	case string:
		text, found := maskText(x)
		if found {
			m.pointers = append(m.pointers, at)
		}
		return text
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = m.value(at+fault.Pointer(i), attrs, x[i])
		}
		return list
	case map[string]any:
		return m.object(at, attrs, x)
	}
	return v
}

// secret masks a secret attribute whole, whatever its shape: a secret in an
// unexpected shape is still one.
func (m *masker) secret(at string, v any) any {
	if v == nil || v == "" {
		return v
	}
	m.pointers = append(m.pointers, at)
	return Mask
}

// below masks every text and number under a name that promises a secret.
func (m *masker) below(at string, v any) any {
	switch x := v.(type) {
	case nil, bool:
		return v
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = m.below(at+fault.Pointer(i), x[i])
		}
		return list
	case map[string]any:
		masked := make(map[string]any, len(x))
		for _, name := range canon.Keys(x) {
			masked[name] = m.below(at+fault.Pointer(name), x[name])
		}
		return masked
	}
	return m.secret(at, v)
}
