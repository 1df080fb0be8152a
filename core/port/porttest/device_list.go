package porttest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// rows lists a table and gives the names of the rows.
func (b *bench) rows(q port.ListQuery) ([]string, port.ListInfo) {
	b.t.Helper()
	var names []string
	info, err := b.device.List(b.t.Context(), q, func(row map[string]any) bool {
		canonical(b.t, row)
		n, _ := row["name"].(string)
		names = append(names, n)
		return true
	})
	must(b.t, err)
	return names, info
}

// ours limits a list to the rows that the suite made.
func ours(more ...port.Clause) []port.Clause {
	return append([]port.Clause{{{Attribute: "name", Operator: "=@", Value: "pt-"}}}, more...)
}

func (h DeviceHarness) list(t *testing.T) {
	h.run(t, "rows come in the device's order", func(b *bench) {
		b.policies(905, 901, 903)
		names, _ := b.rows(port.ListQuery{At: b.at("firewall/policy"), Filter: ours()})
		if diff := cmp.Diff([]string{"pt-905", "pt-901", "pt-903"}, names); diff != "" {
			b.t.Error(diff)
		}
	})
	h.run(t, "yield is not called again after it said no", func(b *bench) {
		b.addresses("pt-a", "pt-b", "pt-c")
		calls := 0
		_, err := b.device.List(b.t.Context(), port.ListQuery{At: b.at("firewall/address")}, func(map[string]any) bool {
			calls++
			return calls < 2
		})
		must(b.t, err)
		if calls != 2 {
			b.t.Errorf("yield was called %d times", calls)
		}
		if _, err := b.device.Identity(b.t.Context()); err != nil {
			b.t.Errorf("the device cannot be used after a list that was ended early: %v", err)
		}
	})
	h.run(t, "start and count cut a page out", h.pages)
	h.run(t, "filters narrow", h.filters)
	h.run(t, "fields limit the attributes", func(b *bench) {
		b.addresses("pt-a")
		_, err := b.device.List(b.t.Context(), port.ListQuery{At: b.at("firewall/address"), Filter: ours(), Fields: []string{"name", "type"}}, func(row map[string]any) bool {
			delete(row, "q_origin_key")
			if diff := cmp.Diff(map[string]any{"name": "pt-a", "type": "ipmask"}, row); diff != "" {
				b.t.Error(diff)
			}
			return true
		})
		must(b.t, err)
	})
	h.run(t, "rows as text are the same rows", func(b *bench) {
		reader, ok := b.device.(port.RowReader)
		if !ok {
			return // nobody has to be one
		}
		b.addresses("pt-a", "pt-b", "pt-c")
		q := port.ListQuery{At: b.at("firewall/address"), Filter: ours(), Start: 1, Count: 2}
		want, _ := b.rows(q)
		var got []string
		_, err := reader.Rows(b.t.Context(), q, func(text []byte) bool {
			v, err := canon.DecodeLoose(text)
			must(b.t, err)
			row, _ := v.(map[string]any)
			n, _ := row["name"].(string)
			got = append(got, n)
			return true
		})
		must(b.t, err)
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			b.t.Errorf("as values and as text:\n%s", diff)
		}
	})
	h.run(t, "the numbers of rows are told where the release tells them", func(b *bench) {
		before, info := b.rows(port.ListQuery{At: b.at("firewall/address")})
		b.addresses("pt-a", "pt-b", "pt-c")
		_, after := b.rows(port.ListQuery{At: b.at("firewall/address"), Filter: ours(), Count: 1})
		switch {
		case info.Total == -1 && after.Total == -1 && after.Matched == -1:
		case info.Total != len(before) || after.Total != len(before)+3 || after.Matched != 3:
			b.t.Errorf("of %d rows and 3 more, 3 of them matched: %+v, %+v", len(before), info, after)
		}
	})
	h.run(t, "a table that does not exist is not found", func(b *bench) {
		_, err := b.device.List(b.t.Context(), port.ListQuery{At: b.at("firewall/no-such-table")}, func(map[string]any) bool {
			b.t.Error("a row was given")
			return true
		})
		wantCode(b.t, err, fault.NotFound)
	})
	h.run(t, "rows belong to the caller", func(b *bench) {
		b.addresses("pt-a", "pt-b")
		q := port.ListQuery{At: b.at("firewall/address"), Filter: ours()}
		_, err := b.device.List(b.t.Context(), q, func(row map[string]any) bool {
			clear(row)
			return true
		})
		must(b.t, err)
		if names, _ := b.rows(q); !slices.Equal(names, []string{"pt-a", "pt-b"}) {
			b.t.Errorf("the rows are now %q", names)
		}
	})
}

func (h DeviceHarness) pages(b *bench) {
	all := []string{"pt-0", "pt-1", "pt-2", "pt-3", "pt-4"}
	b.addresses(all...)
	for _, tt := range []struct {
		name         string
		start, count int
		want         []string
	}{
		{"everything", 0, 0, all},
		{"the first two", 0, 2, all[:2]},
		{"two in the middle", 1, 2, all[1:3]},
		{"from the third on", 2, 0, all[2:]},
		{"a page that reaches beyond the end", 3, 100, all[3:]},
		{"the last one", 4, 1, all[4:]},
		{"a page beyond the end", 5, 2, nil},
		{"far beyond the end", 1000, 1000, nil},
	} {
		got, _ := b.rows(port.ListQuery{At: b.at("firewall/address"), Filter: ours(), Start: tt.start, Count: tt.count})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			b.t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func (h DeviceHarness) filters(b *bench) {
	b.create("firewall/address", map[string]any{"name": "pt-a", "subnet": "192.0.2.0 255.255.255.0", "color": 3})
	b.create("firewall/address", map[string]any{"name": "pt-b", "type": "fqdn", "fqdn": "www.example.net", "color": 7})
	b.create("firewall/address", map[string]any{"name": "pt-c,d", "subnet": "198.51.100.0 255.255.255.0", "color": 20})
	is := func(attribute, operator, value string) port.Condition {
		return port.Condition{Attribute: attribute, Operator: operator, Value: value}
	}
	for _, tt := range []struct {
		name   string
		filter []port.Clause
		want   []string
	}{
		{"equal", []port.Clause{{is("name", "==", "pt-a")}}, []string{"pt-a"}},
		{"equal, none", []port.Clause{{is("name", "==", "pt-")}}, nil},
		{"not equal", ours(port.Clause{is("name", "!=", "pt-a")}), []string{"pt-b", "pt-c,d"}},
		{"contains", []port.Clause{{is("fqdn", "=@", "EXAMPLE")}}, []string{"pt-b"}},
		{"does not contain", ours(port.Clause{is("name", "!@", "PT-A")}), []string{"pt-b", "pt-c,d"}},
		{"greater", ours(port.Clause{is("color", ">", "7")}), []string{"pt-c,d"}},
		{"at least", ours(port.Clause{is("color", ">=", "7")}), []string{"pt-b", "pt-c,d"}},
		{"less", ours(port.Clause{is("color", "<", "7")}), []string{"pt-a"}},
		{"at most", ours(port.Clause{is("color", "<=", "7")}), []string{"pt-a", "pt-b"}},
		{"one of two", []port.Clause{{is("name", "==", "pt-a"), is("name", "==", "pt-b")}}, []string{"pt-a", "pt-b"}},
		{"both of two", ours(port.Clause{is("type", "==", "ipmask")}, port.Clause{is("color", ">", "3")}), []string{"pt-c,d"}},
	} {
		got, _ := b.rows(port.ListQuery{At: b.at("firewall/address"), Filter: tt.filter})
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			b.t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
