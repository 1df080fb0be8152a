package fake

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/forti-mcp/forti/core/canon"
)

// plain copies a value into canonical form: ints become int64, lists of texts
// or objects become []any. Nothing in the copy is shared with v.
func plain(v any) (any, error) {
	switch x := v.(type) {
	case nil, bool, string, int64, canon.Number:
		return x, nil
	case int:
		return int64(x), nil
	case []any:
		return plainList(x)
	case []string:
		return plainList(x)
	case []map[string]any:
		return plainList(x)
	case map[string]any:
		return plainObject(x)
	}
	return nil, fmt.Errorf("fake: a %T is no JSON value that a device could hold", v)
}

func plainList[T any](list []T) (any, error) {
	out := make([]any, 0, len(list))
	for _, item := range list {
		v, err := plain(item)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func plainObject(object map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(object))
	for name, item := range object {
		v, err := plain(item)
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	return out, nil
}

// cloned copies a value that is canonical already.
func cloned(v any) any {
	switch x := v.(type) {
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = cloned(x[i])
		}
		return out
	case map[string]any:
		return clonedObject(x)
	}
	return v
}

func clonedObject(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for name, v := range object {
		out[name] = cloned(v)
	}
	return out
}

// text is a scalar as a FortiGate prints it; ok is false for anything else.
func text(v any) (s string, ok bool) {
	switch x := v.(type) {
	case string:
		return x, true
	case int64:
		return strconv.FormatInt(x, 10), true
	case bool:
		return strconv.FormatBool(x), true
	case canon.Number:
		return string(x), true
	}
	return "", false
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
