package fake

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// List streams rows; see [port.DeviceReader]. yield runs without the device's
// lock, over the rows as they were when the question arrived.
func (d *Device) List(ctx context.Context, q port.ListQuery, yield func(row map[string]any) bool) (port.ListInfo, error) {
	r := listRequest(q)
	var page []row
	var resource *schema.Resource
	info := port.ListInfo{Total: -1, Matched: -1}
	e, _ := d.do(ctx, CallList, r, func() answer {
		return d.ask(r, func(t target) answer {
			if t.resource.Kind != schema.Table {
				return wrongVerb().answer()
			}
			resource = t.resource
			page, info = d.page(t, q)
			return answer{}
		})
	})
	if cut := e.Failure == exchange.FailBody && e.Status == statusOK; cut {
		page = page[:len(page)/2]
	} else if err := readError(e, r); err != nil {
		return port.ListInfo{}, err
	}
	for _, stored := range page {
		if ctx.Err() != nil {
			return port.ListInfo{}, ctx.Err()
		}
		if !yield(present(resource, stored, q.Fields)) {
			return info, nil
		}
	}
	return info, readError(e, r)
}

func listRequest(q port.ListQuery) wire.Request {
	r := get(q.At.Resource, q.At.VDOM)
	for _, clause := range q.Filter {
		parts := make([]string, len(clause))
		for i, c := range clause {
			parts[i] = strings.NewReplacer(".", `\.`, "/", ".").Replace(c.Attribute) + c.Operator + c.Value
		}
		r.Query = append(r.Query, wire.Pair{Name: "filter", Value: strings.Join(parts, ",")})
	}
	if len(q.Fields) > 0 {
		r.Query = append(r.Query, wire.Pair{Name: "format", Value: strings.Join(q.Fields, "|")})
	}
	if q.Start > 0 || q.Count > 0 {
		r.Query = append(r.Query, wire.Pair{Name: "start", Value: strconv.Itoa(q.Start)}, wire.Pair{Name: "count", Value: strconv.Itoa(q.Count)})
	}
	return r
}

func (d *Device) page(t target, q port.ListQuery) ([]row, port.ListInfo) {
	all := d.rows[t.at]
	matched := make([]row, 0, len(all))
	for _, r := range all {
		if passes(r, q.Filter) {
			matched = append(matched, r)
		}
	}
	info := port.ListInfo{Total: len(all), Matched: len(matched)}
	if v := d.identity.Release(); v.Major < 7 {
		info = port.ListInfo{Total: -1, Matched: -1} // older releases do not count
	}
	start := min(max(q.Start, 0), len(matched))
	end := len(matched)
	if q.Count > 0 {
		end = min(start+q.Count, end)
	}
	return matched[start:end], info
}

// passes: all clauses hold, and of each clause one alternative.
func passes(r row, filter []port.Clause) bool {
	for _, clause := range filter {
		if !slices.ContainsFunc(clause, func(c port.Condition) bool { return holds(under(r, strings.Split(c.Attribute, "/")), c) }) {
			return false
		}
	}
	return true
}

// under is what stands below a path of names, in all rows on the way.
func under(v any, path []string) any {
	switch {
	case len(path) == 0:
		return v
	case v == nil:
		return nil
	}
	switch x := v.(type) {
	case row:
		return under(x[path[0]], path[1:])
	case map[string]any:
		return under(x[path[0]], path[1:])
	case []any:
		var all []any
		for _, item := range x {
			all = append(all, under(item, path))
		}
		return all
	}
	return nil
}

// holds compares one attribute; of a list, any entry may fit, and with the
// negative operators none may.
func holds(v any, c port.Condition) bool {
	texts := scalars(v)
	switch c.Operator {
	case "!=":
		return !slices.Contains(texts, c.Value)
	case "!@":
		return !slices.ContainsFunc(texts, func(s string) bool { return containsFold(s, c.Value) })
	case "!*":
		return !slices.ContainsFunc(texts, func(s string) bool { return wildcard(c.Value, s) })
	}
	return slices.ContainsFunc(texts, func(s string) bool { return fits(s, c) })
}

func fits(s string, c port.Condition) bool {
	switch c.Operator {
	case "==":
		return s == c.Value
	case "=@":
		return containsFold(s, c.Value)
	case "=*":
		return wildcard(c.Value, s)
	case "<":
		return order(s, c.Value) < 0
	case "<=":
		return order(s, c.Value) <= 0
	case ">":
		return order(s, c.Value) > 0
	case ">=":
		return order(s, c.Value) >= 0
	}
	return false
}

// scalars are the texts of a value, those of nested rows included.
func scalars(v any) []string {
	switch x := v.(type) {
	case nil:
		return []string{""}
	case []any:
		var out []string
		for _, item := range x {
			out = append(out, scalars(item)...)
		}
		return out
	case map[string]any:
		var out []string
		for _, name := range sortedNames(x) {
			out = append(out, scalars(x[name])...)
		}
		return out
	}
	return []string{plainText(v)}
}

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// order compares numbers as numbers and everything else as text.
func order(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	switch {
	case errX != nil || errY != nil:
		return strings.Compare(a, b)
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// wildcard matches a pattern with "*" against a whole text.
func wildcard(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	if !strings.HasPrefix(s, parts[0]) {
		return false
	}
	s = s[len(parts[0]):]
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return strings.HasSuffix(s, parts[last])
}
