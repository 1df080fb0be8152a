package fortisim

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// filter is one filter parameter: alternatives of which one must hold.
// Several parameters must all hold (D).
type filter []term

type term struct {
	key      []string
	operator string
	pattern  string
}

// operators, the longer ones first. =* and !* compare without case (C); whether
// "*" is a wildcard in them: ?.
var operators = []string{"==", "!=", "=@", "!@", "=*", "!*", "<=", ">=", "<", ">"}

// parseFilters reads the filter parameters. "key==a,key==b" is an OR; a part
// without an operator repeats key and operator of the one before (D).
func parseFilters(texts []string) ([]filter, *Refusal) {
	var out []filter
	for _, text := range texts {
		if text == "" {
			continue
		}
		var f filter
		for _, part := range splitEscaped(text, ',') {
			t, ok := parseTerm(part)
			switch {
			case !ok && len(f) == 0:
				return nil, invalidRequest()
			case !ok:
				t = f[len(f)-1]
				t.pattern = unescape(part)
			}
			f = append(f, t)
		}
		out = append(out, f)
	}
	return out, nil
}

func parseTerm(text string) (term, bool) {
	at, operator := -1, ""
	for _, op := range operators {
		if i := strings.Index(text, op); i > 0 && (at < 0 || i < at) {
			at, operator = i, op
		}
	}
	if at < 0 {
		return term{}, false
	}
	return term{key: splitKey(text[:at]), operator: operator, pattern: unescape(text[at+len(operator):])}, true
}

// splitKey splits a dotted name; a dot that is part of a name is escaped (D).
func splitKey(text string) []string {
	var key []string
	for _, part := range splitEscaped(text, '.') {
		key = append(key, unescape(part))
	}
	return key
}

// sieve is all that narrows a listing.
type sieve struct {
	filters []filter
	search  string // a part of any value, without case (D)
	key     string // the attribute that must have the value pattern (D)
	pattern string
}

func (s sieve) empty() bool { return len(s.filters) == 0 && s.search == "" && s.key == "" }

func parseSieve(values url.Values) (sieve, *Refusal) {
	filters, no := parseFilters(values["filter"])
	s := sieve{filters: filters, search: values.Get("search"), key: values.Get("key"), pattern: values.Get("pattern")}
	return s, no
}

func (d *Device) passes(s *shape, e *entry, by sieve) bool {
	if by.search != "" {
		found := slices.ContainsFunc(d.valuesAt(s, e, nil), func(v string) bool { return d.compare(v, "=@", by.search) })
		if !found {
			return false
		}
	}
	if by.key != "" && !slices.Contains(d.valuesAt(s, e, []string{by.key}), by.pattern) {
		return false
	}
	return d.matches(s, e, by.filters)
}

// splitEscaped splits at sep unless a backslash stands before it.
func splitEscaped(text string, sep byte) []string {
	var out []string
	begin := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case sep:
			out = append(out, text[begin:i])
			begin = i + 1
		}
	}
	return append(out, text[begin:])
}

func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func (d *Device) matches(s *shape, e *entry, filters []filter) bool {
	for _, f := range filters {
		if !slices.ContainsFunc(f, func(t term) bool { return d.holds(s, e, t) }) {
			return false
		}
	}
	return true
}

// holds compares an attribute; of a child table one row that fits is enough,
// and for a negated operator none may fit (I).
func (d *Device) holds(s *shape, e *entry, t term) bool {
	return d.termHolds(d.valuesAt(s, e, t.key), t)
}

func (d *Device) termHolds(values []string, t term) bool {
	positive, negated := strings.CutPrefix(t.operator, "!")
	if negated {
		positive = map[string]string{"=": "==", "@": "=@", "*": "=*"}[positive]
	} else {
		positive = t.operator
	}
	fits := slices.ContainsFunc(values, func(v string) bool { return d.compare(v, positive, t.pattern) })
	return fits != negated
}

// valuesAt are the values under a key; the name of a child table alone means
// all values in its rows: the configuration is searched in nested rows too (D).
func (d *Device) valuesAt(s *shape, e *entry, key []string) []string {
	if len(key) == 0 {
		var all []string
		for _, f := range s.fields {
			all = append(all, d.valuesAt(s, e, []string{f.Name})...)
		}
		return all
	}
	f := s.byName[key[0]]
	if f == nil {
		return d.valuesBelow(s, e, key)
	}
	switch v := e.value(f).(type) {
	case []*entry:
		var all []string
		for _, row := range v {
			all = append(all, d.valuesAt(f.child, row, key[1:])...)
		}
		return all
	case *entry:
		if v == nil {
			return nil
		}
		return d.valuesAt(f.child, v, key[1:])
	default:
		return []string{keyText(d.wire(f, v, aspect{}))}
	}
}

// valuesBelow are the values of attributes of that name in nested rows: the
// configuration is searched in depth (D).
func (d *Device) valuesBelow(s *shape, e *entry, key []string) []string {
	var all []string
	for _, f := range s.fields {
		if f.child == nil || f.child.byName[key[0]] == nil {
			continue
		}
		switch v := e.value(f).(type) {
		case []*entry:
			for _, row := range v {
				all = append(all, d.valuesAt(f.child, row, key)...)
			}
		case *entry:
			all = append(all, d.valuesAt(f.child, v, key)...)
		}
	}
	return all
}

func (d *Device) compare(value, operator, pattern string) bool {
	lower, lowerPattern := strings.ToLower(value), strings.ToLower(pattern)
	switch operator {
	case "==":
		if d.behaviour().FoldEqual {
			return lower == lowerPattern
		}
		return value == pattern
	case "=@":
		return strings.Contains(lower, lowerPattern)
	case "=*":
		if d.behaviour().StarIsLiteral {
			return lower == lowerPattern
		}
		ok, err := path.Match(lowerPattern, lower)
		return err == nil && ok
	}
	return ordered(value, operator, pattern)
}

// ordered compares numbers as numbers, else texts.
func ordered(value, operator, pattern string) bool {
	c := compareValues(value, pattern)
	switch operator {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}
