package fake

import (
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/schema"
)

// change applies the named attributes of body to a copy of old, checked and
// spelled as the device does it. Attributes that body does not name stay.
func (d *Device) change(attributes []schema.Attribute, key string, old, body map[string]any, vdom string) (map[string]any, *refusal) {
	out := clonedObject(old)
	for _, name := range sortedNames(body) {
		if name == key || strings.HasPrefix(name, "q_") {
			continue
		}
		a, known := attribute(attributes, name)
		if !known {
			return nil, unknownAttribute(name)
		}
		v, no := d.coerce(a, body[name], old[name], vdom)
		if no != nil {
			return nil, no
		}
		if before, was := text(old[name]); a.ReadOnly && !(was && before == plainText(v)) {
			return nil, canNotEdit(name)
		}
		out[name] = v
	}
	return out, nil
}

func plainText(v any) string {
	s, _ := text(v)
	return s
}

func attribute(list []schema.Attribute, name string) (*schema.Attribute, bool) {
	for i := range list {
		if list[i].Name == name {
			return &list[i], true
		}
	}
	return nil, false
}

// coerce checks one value and gives it as the device keeps it.
func (d *Device) coerce(a *schema.Attribute, v, old any, vdom string) (any, *refusal) {
	switch a.Type {
	case "table":
		return d.coerceRows(a, v, vdom)
	case "complex":
		object, ok := v.(map[string]any)
		if !ok {
			return nil, badValue(a.Name, plainText(v))
		}
		before, _ := old.(map[string]any)
		return asAny(d.change(a.Attributes, "", before, object, vdom))
	}
	s, scalar := text(v)
	if !scalar {
		return nil, badValue(a.Name, "")
	}
	out, no := coerceScalar(a, s)
	if no == nil && !d.refers(a, s, vdom) {
		no = badValue(a.Name, s)
	}
	return out, no
}

func asAny(object map[string]any, no *refusal) (any, *refusal) {
	if no != nil {
		return nil, no
	}
	return object, nil
}

func coerceScalar(a *schema.Attribute, s string) (any, *refusal) {
	unset, isAddress := unsetAddress(a.Type)
	switch {
	case a.Type == "integer":
		return coerceInteger(a, s)
	case a.Type == "option" && a.Multi:
		return coerceWords(a, s)
	case a.Type == "option":
		if len(a.Options) > 0 && s != plainText(a.Default) && !hasOption(a, s) {
			return nil, badValue(a.Name, s)
		}
		return s, nil
	case isAddress && s == "":
		return unset, nil
	case isAddress:
		spelled, ok := address(a.Type, s)
		if !ok {
			return nil, badValue(a.Name, s)
		}
		return spelled, nil
	case a.Size > 0 && len(s) > a.Size:
		return nil, tooLong(a.Name)
	}
	return s, nil
}

func coerceInteger(a *schema.Attribute, s string) (any, *refusal) {
	if s == plainText(a.Default) {
		if _, word := a.Default.(string); word {
			return s, nil // a default in words, such as "unspecified"
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil, badValue(a.Name, s)
	}
	if s != plainText(a.Default) && (a.Min != nil && n < *a.Min || a.Max != nil && n > *a.Max) {
		return nil, badValue(a.Name, s)
	}
	return n, nil
}

// coerceWords checks a set of options and puts it in the device's own order.
func coerceWords(a *schema.Attribute, s string) (any, *refusal) {
	words := strings.Fields(s)
	if len(a.Options) == 0 {
		return strings.Join(words, " "), nil
	}
	for _, w := range words {
		if !hasOption(a, w) {
			return nil, badValue(a.Name, w)
		}
	}
	var ordered []string
	for _, o := range a.Options {
		if slices.Contains(words, o.Value) {
			ordered = append(ordered, o.Value)
		}
	}
	return strings.Join(ordered, " "), nil
}

func hasOption(a *schema.Attribute, value string) bool {
	return slices.ContainsFunc(a.Options, func(o schema.Option) bool { return o.Value == value })
}

// coerceRows takes the whole new list of a child table. Rows without an id get
// one; a row that is named twice is kept once.
func (d *Device) coerceRows(a *schema.Attribute, v any, vdom string) (any, *refusal) {
	list, ok := v.([]any)
	if !ok {
		return nil, badValue(a.Name, plainText(v))
	}
	var rows []row
	for _, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			return nil, badValue(a.Name, plainText(item))
		}
		r, no := d.child(a, rows, object, vdom)
		if no != nil {
			return nil, no
		}
		if i := slices.IndexFunc(rows, func(o row) bool { return keyText(o, a.Key) == keyText(r, a.Key) }); i >= 0 {
			rows[i] = r
			continue
		}
		rows = append(rows, r)
	}
	out := make([]any, len(rows))
	for i, r := range rows {
		out[i] = map[string]any(r)
	}
	return out, nil
}

func (d *Device) child(a *schema.Attribute, rows []row, object map[string]any, vdom string) (row, *refusal) {
	key := object[a.Key]
	if s := plainText(key); a.KeyType == "integer" && (s == "" || s == "0") {
		key = nextID(rows, a.Key)
	}
	if plainText(key) == "" {
		return nil, mustBeSet(a.Key)
	}
	if ka, known := attribute(a.Attributes, a.Key); known {
		var no *refusal
		if key, no = d.coerce(ka, key, nil, vdom); no != nil {
			return nil, no
		}
	}
	filled := d.defaults(a.Attributes)
	filled[a.Key] = key
	out, no := d.change(a.Attributes, a.Key, filled, object, vdom)
	return out, no
}

// defaults are the attributes of a new row.
func (d *Device) defaults(attributes []schema.Attribute) map[string]any {
	out := make(map[string]any, len(attributes))
	for i := range attributes {
		out[attributes[i].Name] = d.initial(&attributes[i])
	}
	return out
}

func (d *Device) initial(a *schema.Attribute) any {
	unset, isAddress := unsetAddress(a.Type)
	switch {
	case a.Type == "table":
		return []any{}
	case a.Type == "complex":
		return d.defaults(a.Attributes)
	case a.Type == "uuid":
		return d.uuid()
	case a.Default != nil:
		v, err := plain(a.Default)
		if err != nil {
			return ""
		}
		return v
	case isAddress:
		return unset
	case a.Type == "integer":
		return int64(0)
	}
	return ""
}
