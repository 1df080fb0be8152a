package fortiosdevice_test

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// values are, for each type of attribute that the catalog has, what is taken and what
// is refused. A type that is not here fails the test below.
var values = map[string]struct{ good, bad []any }{
	"option":                 {good: []any{"enable"}, bad: []any{"perhaps", int64(1), []any{"enable"}, nil}},
	"string":                 {good: []any{"x", int64(7)}, bad: []any{strings.Repeat("x", 300), true, []any{"x"}, map[string]any{}, nil}},
	"var-string":             {good: []any{"x", "two\nlines"}, bad: []any{true, []any{"x"}, nil}},
	"integer":                {good: []any{int64(5), "5"}, bad: []any{int64(1) << 40, "five", true, []any{int64(5)}, nil}},
	"table":                  {good: []any{[]any{map[string]any{"name": "x"}}, []any{"x"}, "x", []any{}}, bad: []any{"x y", int64(1), []any{nil}, []any{map[string]any{"nmae": "x"}}, nil}},
	"complex":                {good: []any{map[string]any{"n": int64(1)}}, bad: []any{"x", []any{}, map[string]any{"m": int64(1)}, nil}},
	"user":                   {good: []any{"port1"}, bad: []any{true, nil}},
	"key":                    {good: []any{"x"}, bad: []any{true, nil}},
	"value":                  {good: []any{"x"}, bad: []any{true, nil}},
	"ether-type":             {good: []any{"x"}, bad: []any{true, nil}},
	"ipv4-address":           {good: []any{"192.0.2.1", ""}, bad: []any{"192.0.2.300", "192.0.2", "192.0.2.1/24", "2001:db8::1", int64(1), nil}},
	"ipv4-address-any":       {good: []any{"192.0.2.1"}, bad: []any{"192.0.2.300", "x", nil}},
	"ipv4-address-multicast": {good: []any{"224.0.1.1"}, bad: []any{"224.0.1", "x", nil}},
	"ipv4-netmask":           {good: []any{"255.255.255.0"}, bad: []any{"255.0.255.0", "24", "x", nil}},
	"ipv4-netmask-any":       {good: []any{"255.255.255.0"}, bad: []any{"255.0.255.0", "x", nil}},
	"ipv4-classnet":          {good: []any{"192.0.2.0/24", "192.0.2.0 255.255.255.0", "192.0.2.1"}, bad: []any{"192.0.2.0/33", "192.0.2.0 255.0.255.0", "x", "2001:db8::/32", nil}},
	"ipv4-classnet-any":      {good: []any{"0.0.0.0/0", "192.0.2.0 255.255.255.0"}, bad: []any{"192.0.2.0/33", "x", nil}},
	"ipv4-classnet-host":     {good: []any{"192.0.2.1/24"}, bad: []any{"192.0.2.300/24", "x", nil}},
	"ipv6-address":           {good: []any{"2001:db8::1"}, bad: []any{"2001:db8:::1", "192.0.2.1", "x", nil}},
	"ipv6-prefix":            {good: []any{"2001:db8::/32"}, bad: []any{"2001:db8::/129", "10.0.0.0/8", "x", nil}},
	"ipv6-network":           {good: []any{"2001:db8::/32"}, bad: []any{"2001:db8::/129", "x", nil}},
	"ipv6-wildcard":          {good: []any{"2001:db8:: ffff::"}, bad: []any{"2001:db8::", "x", nil}},
	"mac-address":            {good: []any{"00:00:5e:00:53:01"}, bad: []any{"00:00:5e:00:53", "x", nil}},
	"uuid":                   {good: []any{"01234567-89ab-cdef-0123-456789abcdef"}, bad: []any{"0123456789abcdef0123456789abcdef", "x", nil}},
	"datetime":               {good: []any{"2026-10-15 10:45:12"}, bad: []any{"2026-02-30 10:45:12", "soon", nil}},
	"password":               {good: []any{"x"}, bad: []any{"ENC x", "****", true, nil}},
	"password-2":             {good: []any{"x"}, bad: []any{"ENC x", true, nil}},
	"password-3":             {good: []any{"x"}, bad: []any{"ENC x", true, nil}},
	"password_aes256":        {good: []any{"x"}, bad: []any{"ENC x", true, nil}},
	"varlen_password":        {good: []any{"x"}, bad: []any{"ENC x", true, nil}},
}

// typesOf adds the types of attributes, at any depth.
func typesOf(attributes []catalog.Attribute, into map[string]bool) {
	for _, a := range attributes {
		into[a.Type] = true
		typesOf(a.Attributes, into)
	}
}

// sample is an attribute of a type, with what the type needs to be judged.
func sample(kind string) schema.Attribute {
	a := schema.Attribute{Name: "a", Type: kind, Secret: strings.Contains(kind, "password")}
	switch kind {
	case "option":
		a.Options = []schema.Option{{Value: "enable"}, {Value: "disable"}}
	case "string":
		a.Size = 255
	case "integer":
		a.Min, a.Max = new(int64(0)), new(int64(65535))
	case "table":
		a.Key, a.KeyType, a.Attributes = "name", "string", []schema.Attribute{{Name: "name", Type: "string"}}
	case "complex":
		a.Attributes = []schema.Attribute{{Name: "n", Type: "integer"}}
	}
	return a
}

func TestEveryTypeOfTheCatalogHasValuesThatAreTakenAndRefused(t *testing.T) {
	types := map[string]bool{}
	facts := catalog.Open()
	for e := range facts.Entries("") {
		if e.Kind == catalog.Monitor {
			continue
		}
		r, err := facts.Resource(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		typesOf(r.Attributes, types)
	}
	for kind := range types {
		v, known := values[kind]
		if !known || len(v.good) == 0 || len(v.bad) == 0 {
			t.Errorf("the type %q has no values here", kind)
			continue
		}
		resource := &schema.Resource{Path: "test/table", Kind: schema.Table, Key: "name", Attributes: []schema.Attribute{sample(kind)}}
		check := func(value any) []string {
			c := change.Checker{}
			c.Object(resource, map[string]any{"a": value}, "")
			var out []string
			for _, p := range c.Problems {
				out = append(out, p.String())
			}
			return out
		}
		for _, value := range v.good {
			if problems := check(value); len(problems) > 0 {
				t.Errorf("%s: %v is refused: %q", kind, value, problems)
			}
		}
		for _, value := range v.bad {
			problems := check(value)
			if len(problems) == 0 {
				t.Errorf("%s: %v is taken", kind, value)
			}
			for _, p := range problems {
				if !strings.HasPrefix(p, "/a") {
					t.Errorf("%s: %v: the problem is told of %q", kind, value, p)
				}
			}
		}
	}
	for kind := range values {
		if !types[kind] {
			t.Errorf("the catalog has no type %q any more", kind)
		}
	}
}
