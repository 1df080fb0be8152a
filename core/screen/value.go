package screen

import (
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// show prints a value: texts in quotation marks with their meaning where they
// are addresses, rows and objects with their attributes, secrets never.
func (r *renderer) show(op *plan.Operation, v any, a *schema.Attribute) safe {
	if a != nil && a.Secret && !isSecret(v) {
		return "<secret, not shown>"
	}
	switch x := v.(type) {
	case nil:
		return "null"
	case bool:
		return safe(strconv.FormatBool(x))
	case int64:
		return safe(strconv.FormatInt(x, 10))
	case int:
		return safe(strconv.Itoa(x))
	case string:
		return `"` + safe(strings.ReplaceAll(string(r.value(x, r.Wide)), `"`, `\"`)) + `"` + safe(interpret(x))
	case []any:
		return r.listed(op, x, a)
	case map[string]any:
		return r.mapped(op, x, a)
	}
	return "a value that cannot be shown"
}

func (r *renderer) listed(op *plan.Operation, list []any, a *schema.Attribute) safe {
	if len(list) == 0 {
		return "empty list"
	}
	var text safe
	for i, e := range list {
		if i > 0 {
			text += ", "
		}
		text += r.row(op, e, a)
	}
	return text
}

// row prints one row of a list; a row that has only a key is just the key.
func (r *renderer) row(op *plan.Operation, row any, a *schema.Attribute) safe {
	o, ok := row.(map[string]any)
	if !ok {
		return r.show(op, row, nil)
	}
	if key := keyOf(row); key != "" && len(plain(o)) == 1 {
		return r.quoted(key)
	}
	return r.mapped(op, o, a)
}

// plain is a row without the device's own copy of its key.
func plain(o map[string]any) []string {
	var out []string
	for _, k := range canon.Keys(o) {
		if k != "q_origin_key" || len(o) == 1 {
			out = append(out, k)
		}
	}
	return out
}

func (r *renderer) mapped(op *plan.Operation, o map[string]any, a *schema.Attribute) safe {
	if isSecret(o) {
		return r.secret(op, o)
	}
	if n, ok := o["$num"].(string); ok && len(o) == 1 {
		return r.value(n, true)
	}
	var attributes []schema.Attribute
	if a != nil {
		attributes = a.Attributes
	}
	text := safe("{")
	for i, k := range plain(o) {
		if i > 0 {
			text += ", "
		}
		text += r.name(k) + ": " + r.show(op, o[k], find(attributes, k))
	}
	return text + "}"
}

// isSecret reports whether a value stands for a secret.
func isSecret(v any) bool {
	o, ok := v.(map[string]any)
	_, marked := o[plan.SecretKey]
	return ok && marked && len(o) == 1
}

func (r *renderer) secret(op *plan.Operation, o map[string]any) safe {
	if named, ok := o[plan.SecretKey].(map[string]any); ok {
		return r.secretRef(plan.SecretRef{Name: scalar(named["name"])})
	}
	if op != nil {
		for _, s := range op.Secrets {
			if s.Ref == scalar(o[plan.SecretKey]) {
				return r.secretRef(s)
			}
		}
	}
	return "<secret, not shown>"
}

func (r *renderer) secretRef(s plan.SecretRef) safe {
	if s.Name != "" {
		return "<secret " + r.quoted(s.Name) + " of the operator, not shown>"
	}
	return "<secret, " + safe(plural(s.Length, "character")) + ", not shown>"
}

// scalar is a text or a number as text.
func scalar(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	case int:
		return strconv.Itoa(x)
	}
	return ""
}
