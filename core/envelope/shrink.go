package envelope

import (
	"maps"
	"slices"

	"github.com/forti-mcp/forti/core/fault"
)

// Shrink halves the longest lists of a value, whatever their depth, until it fits
// into a number of bytes. It returns what is left, what was cut, and whether it fits;
// the value itself stays as it is.
func Shrink(v any, limit int) (shrunk any, cuts []Cut, fits bool, err error) {
	whole := map[string]int{}
	for {
		size, err := Size(v)
		if err != nil {
			return nil, nil, false, err
		}
		if size <= limit {
			return v, report(v, whole), true, nil
		}
		pointer, list := longest(v, "")
		if len(list) == 0 {
			return nil, nil, false, nil
		}
		if _, seen := whole[pointer]; !seen {
			whole[pointer] = len(list)
		}
		v = replace(v, "", pointer, list[:len(list)/2])
	}
}

// longest finds the list with the most bytes that is not inside another one: its
// pointer and its items.
func longest(v any, at string) (pointer string, list []any) {
	best := 0
	walk(v, at, func(p string, items []any) {
		if n, err := Size(items); err == nil && len(items) > 0 && n > best {
			best, pointer, list = n, p, items
		}
	})
	return pointer, list
}

func walk(v any, at string, visit func(pointer string, items []any)) {
	switch x := v.(type) {
	case []any:
		visit(at, x)
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			walk(x[name], at+fault.Pointer(name), visit)
		}
	}
}

func replace(v any, at, pointer string, list []any) any {
	if at == pointer {
		return list
	}
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	c := maps.Clone(object)
	for name, inner := range c {
		c[name] = replace(inner, at+fault.Pointer(name), pointer, list)
	}
	return c
}

func report(v any, whole map[string]int) []Cut {
	var cuts []Cut
	walk(v, "", func(pointer string, items []any) {
		if total, cut := whole[pointer]; cut {
			cuts = append(cuts, Cut{Pointer: pointer, Kept: len(items), Total: total})
		}
	})
	return cuts
}
