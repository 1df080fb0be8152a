package fortisim

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// plain turns what answers are made of into maps and lists of any.
func plain(o object) map[string]any {
	out := make(map[string]any, len(o))
	for _, m := range o {
		out[m.name] = plainValue(m.value)
	}
	return out
}

func plainValue(v any) any {
	switch v := v.(type) {
	case object:
		return plain(v)
	case []object:
		list := make([]any, 0, len(v))
		for _, o := range v {
			list = append(list, plain(o))
		}
		return list
	}
	return v
}

// wireValue turns Go values into those of a decoded body.
func wireValue(v any) any {
	switch v := v.(type) {
	case nil, string, bool, json.Number:
		return v
	case int:
		return json.Number(strconv.Itoa(v))
	case int64:
		return json.Number(strconv.FormatInt(v, 10))
	case float64:
		return json.Number(strconv.FormatFloat(v, 'f', -1, 64))
	case map[string]any:
		return bodyOf(v)
	case []map[string]any:
		return listOf(v)
	case []any:
		return listOf(v)
	case []string:
		return listOf(v)
	}
	return fmt.Sprint(v)
}

func listOf[T any](list []T) []any {
	out := make([]any, 0, len(list))
	for _, v := range list {
		out = append(out, wireValue(v))
	}
	return out
}
