package risk

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// off reports whether an option is surely off. Absent counts as off, anything
// unusual does not: an odd spelling must never look safer than the plain one.
func off(v any) bool { return v == nil || text(v) == "disable" || text(v) == "" }

// text is a scalar as text; "" for anything else.
func text(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	case int:
		return strconv.Itoa(x)
	case json.Number:
		return x.String()
	}
	return ""
}

// integer reads a number, also one written as text.
func integer(v any) (int64, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(text(v)), 10, 64)
	return n, err == nil
}

// rows is a table attribute as its rows; a single object counts as one row.
// Scalars in the list become rows that have only a name.
func rows(v any) []map[string]any {
	switch x := v.(type) {
	case map[string]any:
		return []map[string]any{x}
	case []any:
		var out []map[string]any
		for _, e := range x {
			if row, ok := e.(map[string]any); ok {
				out = append(out, row)
			} else if t := text(e); t != "" {
				out = append(out, map[string]any{"name": t})
			}
		}
		return out
	case string:
		var out []map[string]any
		for _, w := range quoted(x) {
			out = append(out, map[string]any{"name": w})
		}
		return out
	}
	return nil
}

// nameAttributes are where a child row keeps the name that it refers to.
var nameAttributes = []string{"name", "interface-name", "interface", "q_origin_key", "id"}

// names lists what a list of references names, in whatever shape it comes: rows,
// texts, or one text. A row that names nothing gives "", which resolves to
// nothing known.
func names(v any) []string {
	list := rows(v)
	out := make([]string, 0, len(list))
	for _, row := range list {
		name := ""
		for _, a := range nameAttributes {
			if name = text(row[a]); name != "" {
				break
			}
		}
		out = append(out, name)
	}
	return out
}

// quoted splits `"port 9" "b"` at its quotes; text without quotes is one name.
func quoted(s string) []string {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	if !strings.Contains(s, `"`) {
		return []string{s}
	}
	var out []string
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// words splits a list of options, which comes as text with blanks or as a list.
func words(v any) []string {
	switch x := v.(type) {
	case string:
		return strings.Fields(strings.ReplaceAll(x, `"`, " "))
	case []any:
		return names(x)
	}
	return nil
}

// lost lists the words of before that after lacks.
func lost(before, after any) []string {
	have := words(after)
	var out []string
	for _, w := range words(before) {
		if !slices.Contains(have, w) {
			out = append(out, w)
		}
	}
	return out
}

// isAll reports whether a name is the built-in name for everything.
func isAll(name string) bool {
	return strings.EqualFold(name, "all") || strings.EqualFold(name, "any")
}
