package change

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/schema"
)

// table checks a list of child rows. A list of plain keys is taken for rows.
func (c *Checker) table(r *schema.Resource, a *schema.Attribute, under string, v any, at string) any {
	list, ok := c.listed(a, v, at)
	if !ok {
		return nil
	}
	rows := make([]any, 0, len(list))
	seen := map[operation.Key]bool{}
	bare := false
	for i, item := range list {
		here := at + fault.Pointer(i)
		object, isObject := item.(map[string]any)
		if isObject && object[keyOfMember] != nil {
			object, isObject = map[string]any{keyName(a): item}, true
		}
		if !isObject {
			object, bare = map[string]any{keyName(a): item}, true
		}
		row := c.object(r, a.Attributes, under, object, here)
		if key, ok := rowKey(a, row); ok {
			if seen[key] {
				c.Note(here, "%q stands twice in the list; the second was left out", key)
				continue
			}
			seen[key] = true
		} else if _, given := object[a.Key]; a.KeyType != "integer" && a.Key != "" && !given {
			c.Problem(here, "the key %q is missing", a.Key)
		}
		rows = append(rows, row)
	}
	if bare {
		c.Note(at, "plain names were taken as rows [{%q: …}]", keyName(a))
	}
	return rows
}

func keyName(a *schema.Attribute) string {
	if a.Key == "" {
		return "name"
	}
	return a.Key
}

func rowKey(a *schema.Attribute, row any) (operation.Key, bool) {
	object, ok := row.(map[string]any)
	if !ok {
		return operation.Key{}, false
	}
	key, err := operation.KeyOf(object[keyName(a)])
	if err != nil || (key.IsInteger() && key.Value() == int64(0)) {
		return operation.Key{}, false
	}
	return key.As(a.KeyType == "integer"), true
}

// Edit adds entries to a list attribute and removes entries from it, against its
// current value. Entries are checked; removing what is not there is a note, since
// the wanted state holds.
func (c *Checker) Edit(r *schema.Resource, a *schema.Attribute, current any, add, remove []any, at [2]string) any {
	switch {
	case a.HoldsSecret():
		c.Problem(at[0], "holds secrets, which cannot be read back and would be lost; use set with the whole list")
		return nil
	case a.IsTable():
		return c.editRows(r, a, current, add, remove, at)
	case a.Multi:
		return c.editWords(a, current, add, remove, at)
	}
	c.Problem(at[0], "is not a list; use set")
	return nil
}

func (c *Checker) editRows(r *schema.Resource, a *schema.Attribute, current any, add, remove []any, at [2]string) any {
	rows := clean(a, current)
	added, _ := c.table(r, a, a.Name+"/", add, at[0]).([]any)
	for _, row := range added {
		key, ok := rowKey(a, row)
		if i := indexOf(a, rows, key); ok && i >= 0 {
			c.Note(at[0], "%q is in the list already", key)
			rows[i] = With(rows[i].(map[string]any), row.(map[string]any)) //nolint:forcetypeassert // table and clean make objects only
			continue
		}
		rows = append(rows, row)
	}
	gone, _ := c.table(r, a, a.Name+"/", remove, at[1]).([]any)
	for _, row := range gone {
		key, ok := rowKey(a, row)
		i := indexOf(a, rows, key)
		if !ok || i < 0 {
			c.Note(at[1], "%q is not in the list", key)
			continue
		}
		rows = slices.Delete(rows, i, i+1)
	}
	return rows
}

func indexOf(a *schema.Attribute, rows []any, key operation.Key) int {
	if key.IsZero() {
		return -1
	}
	return slices.IndexFunc(rows, func(row any) bool {
		k, ok := rowKey(a, row)
		return ok && k == key
	})
}

// clean copies a list of the device's rows without what is not configuration: metadata,
// read-only attributes and attributes that the release does not list.
func clean(a *schema.Attribute, current any) []any {
	list, _ := current.([]any)
	rows := make([]any, 0, len(list))
	for _, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			continue
		}
		rows = append(rows, writable(a.Attributes, object))
	}
	return rows
}

func writable(attrs []schema.Attribute, object map[string]any) map[string]any {
	row := map[string]any{}
	for name, v := range object {
		a := find(attrs, name)
		if a == nil || a.ReadOnly || a.Secret || a.Type == "uuid" {
			continue
		}
		row[name] = WritableValue(a, v)
	}
	return row
}

// WritableValue is one attribute's value as it can be written again.
func WritableValue(a *schema.Attribute, v any) any {
	switch {
	case a.IsTable():
		return clean(a, v)
	case a.Type == "complex":
		if inner, ok := v.(map[string]any); ok {
			return writable(a.Attributes, inner)
		}
	}
	return v
}

// Writable is the part of a device's object that can be written again: without
// metadata, secrets, read-only attributes and uuids.
func Writable(r *schema.Resource, object map[string]any) map[string]any {
	return writable(r.Attributes, object)
}

func (c *Checker) editWords(a *schema.Attribute, current any, add, remove []any, at [2]string) any {
	text, _ := current.(string)
	list := strings.Fields(text)
	more, _ := c.words(a, add, at[0]).(string)
	for _, word := range strings.Fields(more) {
		if !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	less, _ := c.words(a, remove, at[1]).(string)
	for _, word := range strings.Fields(less) {
		list = slices.DeleteFunc(list, func(w string) bool { return w == word })
	}
	return strings.Join(list, " ")
}

// Default is the value that clears an attribute: its default, or the empty value
// of its kind. why is set where it cannot be cleared.
func Default(a *schema.Attribute) (v any, why string) {
	switch {
	case a.Required:
		return nil, "is required and cannot be cleared"
	case a.Secret:
		return "", ""
	case a.Default != nil:
		return a.Default, ""
	case a.IsTable():
		return []any{}, ""
	case a.Type == "string" || a.Type == "var-string" || a.Type == "user":
		return "", ""
	}
	return nil, "has no known default; set a value instead"
}

// Removed lists the keys of rows that are in the current list and not in the
// wanted one, in the current order.
func Removed(a *schema.Attribute, current, wanted any) []string {
	kept := map[operation.Key]bool{}
	list, _ := wanted.([]any)
	for _, item := range list {
		if key, ok := rowKey(a, item); ok {
			kept[key] = true
		} else if key, err := operation.KeyOf(item); err == nil {
			kept[key.As(a.KeyType == "integer")] = true
		}
	}
	var gone []string
	rows, _ := current.([]any)
	for _, row := range rows {
		if key, ok := rowKey(a, row); ok && !kept[key] {
			gone = append(gone, key.String())
		}
	}
	return gone
}
