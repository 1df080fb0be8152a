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
	return For(attrs).Object(object)
}

// Objects masks objects that have the same attributes, such as the rows of a table. It is
// used by one goroutine at a time.
type Objects struct {
	byName map[string]*schema.Attribute
	below  map[string]*Objects
	// keyed: the key of the rows is itself a secret.
	keyed bool
}

// For prepares the masking of objects that have these attributes.
func For(attrs []schema.Attribute) *Objects {
	o := &Objects{byName: make(map[string]*schema.Attribute, len(attrs)), below: map[string]*Objects{}}
	for i := range attrs {
		o.byName[attrs[i].Name] = &attrs[i]
	}
	return o
}

// Object is [Object] for these attributes.
func (o *Objects) Object(object map[string]any) (masked map[string]any, pointers []string) {
	m := masker{name: SecretName}
	return m.object("", o, object), m.pointers
}

// attribute is what is known of a name, nil for nothing.
func attribute[T string | []byte](o *Objects, name T) *schema.Attribute {
	if o == nil {
		return nil
	}
	return o.byName[string(name)]
}

// in are the rules below an attribute.
func (o *Objects) in(a *schema.Attribute) *Objects {
	below := o.below[a.Name]
	if below == nil {
		below = For(a.Attributes)
		key := below.byName[a.Key]
		below.keyed = key != nil && key.Secret
		o.below[a.Name] = below
	}
	return below
}

// originKey is the member in which FortiOS repeats a row's key. It is not part of the
// configuration, and the schema does not have it.
const originKey = "q_origin_key"

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
	// name judges what no schema describes.
	name func(string) bool
}

// object masks an object whose attributes are known, or of which nothing is known.
func (m *masker) object(at string, known *Objects, object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	masked := make(map[string]any, len(object))
	for _, name := range canon.Keys(object) {
		masked[name] = m.member(at+fault.Pointer(name), name, known, object[name])
	}
	return masked
}

func (m *masker) member(at, name string, known *Objects, v any) any {
	if known == nil {
		known = &Objects{}
	}
	a := known.byName[name]
	switch {
	case a != nil && a.Secret, known.keyed && name == originKey:
		return m.secret(at, v)
	case a != nil && len(a.Attributes) == 0:
		return m.value(at, nil, v)
	case a != nil:
		return m.value(at, known.in(a), v)
	case m.name(name):
		return m.below(at, v)
	}
	return m.value(at, nil, v)
}

func (m *masker) value(at string, known *Objects, v any) any {
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
			list[i] = m.value(at+fault.Pointer(i), known, x[i])
		}
		return list
	case map[string]any:
		return m.object(at, known, x)
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
