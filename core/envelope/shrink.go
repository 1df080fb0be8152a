package envelope

import (
	"maps"
	"slices"
	"strings"

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
		pointer, list := longest(v)
		if len(list) == 0 {
			return nil, nil, false, nil
		}
		if _, seen := whole[pointer]; !seen {
			whole[pointer] = len(list)
		}
		v = replace(v, "", pointer, list[:len(list)/2])
	}
}

// longest finds the list to cut: of those with several items the one with the most
// bytes, else of those with one. A list that is the only item of another is cut before
// that item is lost.
func longest(v any) (pointer string, list []any) {
	best, several := 0, false
	walk(v, "", func(p string, items []any) {
		if len(items) == 0 || several && len(items) == 1 {
			return
		}
		n, err := Size(items)
		if err == nil && (n > best || len(items) > 1 && !several) {
			best, pointer, list, several = n, p, items, len(items) > 1
		}
	})
	return pointer, list
}

// walk visits the lists of a value, outer ones first.
func walk(v any, at string, visit func(pointer string, items []any)) {
	switch x := v.(type) {
	case []any:
		visit(at, x)
		for i, item := range x {
			walk(item, at+fault.Pointer(i), visit)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			walk(x[name], at+fault.Pointer(name), visit)
		}
	}
}

// replace puts a list at its pointer, into copies of what is above it.
func replace(v any, at, pointer string, list []any) any {
	if at == pointer {
		return list
	}
	if !strings.HasPrefix(pointer, at+"/") {
		return v
	}
	switch x := v.(type) {
	case []any:
		c := slices.Clone(x)
		for i, item := range c {
			c[i] = replace(item, at+fault.Pointer(i), pointer, list)
		}
		return c
	case map[string]any:
		c := maps.Clone(x)
		for name, inner := range c {
			c[name] = replace(inner, at+fault.Pointer(name), pointer, list)
		}
		return c
	}
	return v
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
