package fortisim

import (
	"strconv"
	"strings"
)

// order is one sort parameter.
type order struct {
	key  []string
	down bool
}

// sorts says whether the release knows the parameter sort: from 6.4.2 (D).
func (d *Device) sorts() bool { return atLeast(d.options.Version, 6, 4, 2) }

// sortOrders reads "key", "key,asc" and "key,dsc" (D). An attribute that the
// table does not have orders nothing (?).
func (d *Device) sortOrders(q *query, s *shape) []order {
	if !d.sorts() {
		return nil
	}
	var out []order
	for _, o := range parseOrders(q.values["sort"]) {
		if s.byName[o.key[0]] != nil || o.key[0] == s.key {
			out = append(out, o)
		}
	}
	return out
}

func parseOrders(texts []string) []order {
	var out []order
	for _, text := range texts {
		name, direction, _ := strings.Cut(text, ",")
		if name != "" {
			out = append(out, order{key: splitKey(name), down: direction == "dsc"})
		}
	}
	return out
}

// compareValues compares numbers as numbers, else texts.
func compareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return strings.Compare(a, b)
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
