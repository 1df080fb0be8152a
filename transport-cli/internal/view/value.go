package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
)

// Word is a JSON value in one line: texts as they are, lists of rows that have
// one name each as the names, everything else as compact JSON. The result is not
// escaped yet; a page does that.
func Word(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case bool, int64, canon.Number:
		return fmt.Sprint(x)
	case []any:
		return list(x)
	case map[string]any:
		if name, ok := nameOf(x); ok {
			return name
		}
	}
	return compact(v)
}

func list(items []any) string {
	names := make([]string, 0, len(items))
	for _, item := range items {
		switch x := item.(type) {
		case map[string]any:
			name, ok := nameOf(x)
			if !ok {
				return compact(items)
			}
			names = append(names, name)
		case []any:
			return compact(items)
		default:
			names = append(names, Word(x))
		}
	}
	return strings.Join(names, ", ")
}

// nameOf is the name of a row that says nothing else: FortiOS repeats the key of
// a row in q_origin_key.
func nameOf(row map[string]any) (string, bool) {
	name := ""
	for key, v := range row {
		if key == "q_origin_key" {
			continue
		}
		if name != "" {
			return "", false
		}
		switch x := v.(type) {
		case string, int64:
			name = fmt.Sprint(x)
		default:
			return "", false
		}
	}
	return name, name != ""
}

func compact(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprintf("(%T)", v) // canonical values always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Plain is a value as canonical JSON values, by way of its JSON tags.
func Plain(v any) (any, error) {
	plain, err := canon.DecodeLoose([]byte(compact(v)))
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "an answer could not be encoded")
	}
	return plain, nil
}

// Objects are the objects of a list of canonical values.
func Objects(list []any) []map[string]any {
	objects := make([]map[string]any, 0, len(list))
	for _, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			object = map[string]any{"value": item}
		}
		objects = append(objects, object)
	}
	return objects
}
