package catalog

import (
	"maps"
	"testing"
)

// count counts what the fact table's own documentation counts.
func count(t *testing.T, c *Catalog) map[string]int {
	t.Helper()
	n := make(map[string]int)
	for e := range c.Entries("") {
		if e.Kind == Monitor {
			endpoint, err := c.Endpoint(e.Path)
			if err != nil {
				t.Fatal(err)
			}
			countCalls(n, endpoint)
			continue
		}
		r, err := c.Resource(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		add(n, string(r.Kind), true)
		add(n, "movable resource", r.Movable)
		add(n, "newer resource", r.Since != "")
		add(n, "older resource", r.Until != "")
		countAttributes(n, r.Attributes)
	}
	return n
}

func add(n map[string]int, what string, is bool) {
	if is {
		n[what]++
	}
}

func countCalls(n map[string]int, e *Endpoint) {
	n["endpoint"]++
	for _, c := range e.Calls {
		n["call"]++
		n[c.Method]++
		add(n, "POST "+c.Class, c.Method == "POST")
		for _, p := range c.Params {
			n["parameter"]++
			add(n, "secret parameter", p.Secret)
		}
	}
}

func countAttributes(n map[string]int, list []Attribute) {
	for _, a := range list {
		n["attribute"]++
		add(n, "since", a.Since != "")
		add(n, "until", a.Until != "")
		add(n, "windows", len(a.Spans) > 0)
		add(n, "was", len(a.Was) > 0)
		add(n, "model", a.Model)
		add(n, "references", len(a.Refs) > 0)
		add(n, "default", len(a.Default) > 0)
		add(n, "required", a.Required)
		add(n, "read-only", a.ReadOnly)
		add(n, "secret", a.Secret)
		add(n, "movable child table", a.Movable)
		for _, o := range a.Options {
			n["option"]++
			add(n, "option with a window", o.Since != "" || o.Until != "" || len(o.Spans) > 0)
		}
		countAttributes(n, a.Attributes)
	}
}

// The numbers are those that the fact table's documentation gives: a fact that
// the decoder loses changes one of them.
func TestCatalogHasAllFactsOfTheTable(t *testing.T) {
	want := map[string]int{
		"table": 483, "singleton": 229, "older resource": 82, "newer resource": 249,
		"attribute": 17909, "since": 4968, "until": 1826, "windows": 126, "was": 909, "model": 110,
		"option": 24428, "option with a window": 2029,
		"references": 1735, "default": 9406, "required": 2272, "read-only": 192, "secret": 285,
		"movable resource": 34, "movable child table": 48,
		"endpoint": 424, "call": 580, "GET": 355, "POST": 225, "parameter": 1099, "secret parameter": 58,
		"POST config": 73, "POST operate": 39, "POST session": 36, "POST counter": 30, "POST device": 27, "POST file": 10, "POST query": 10,
	}
	got := count(t, Open())
	if !maps.Equal(got, want) {
		for what, n := range want {
			if got[what] != n {
				t.Errorf("%s: %d, the table has %d", what, got[what], n)
			}
			delete(got, what)
		}
		if len(got) > 0 {
			t.Errorf("not in the table: %v", got)
		}
	}
}
