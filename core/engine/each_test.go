package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/request"
)

// hosts adds rows to the addresses.
func hosts(n int) setting {
	return func(o *fake.WorldOptions) {
		for i := range n {
			o.Device.Rows = append(o.Device.Rows, fake.Row{
				At: fake.At("firewall/address"), Object: map[string]any{"name": fmt.Sprintf("host-%05d", i), "subnet": "192.0.2.1/32"},
			})
		}
	}
}

func TestAWholeTableIsReadRowByRowWithoutGapOrRepeat(t *testing.T) {
	r := newRig(t, hosts(3500))
	seen := map[any]int{}
	done, err := r.engine.Each(t.Context(), r.caller, request.Read{Resource: "firewall/address", Fields: []string{"name"}}, func(row map[string]any) error {
		seen[row["name"]]++
		return nil
	})
	if err != nil || done.Moved || done.Rows != len(seen) || done.Rows < 3500 {
		t.Fatalf("%+v, %d seen, %v", done, len(seen), err)
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%v came %d times", name, n)
		}
	}
	lists := 0
	for _, e := range r.world.Device.Requests() {
		if e.Call == fake.CallList {
			lists++
		}
	}
	if lists != 4 {
		t.Errorf("%d listings for %d rows", lists, done.Rows)
	}
}

// Rows that are added at the end while a table is read come too; none comes twice.
func TestRowsThatAreAddedWhileATableIsReadDoNoHarm(t *testing.T) {
	r := newRig(t, hosts(1500))
	seen := map[any]int{}
	done, err := r.engine.Each(t.Context(), r.caller, request.Read{Resource: "firewall/address"}, func(row map[string]any) error {
		if seen[row["name"]]++; len(seen) == 500 {
			return r.world.Device.Put(fake.At("firewall/address"), map[string]any{"name": "late", "subnet": "192.0.2.9/32"})
		}
		return nil
	})
	if err != nil || seen["late"] != 1 || !done.Moved {
		t.Fatalf("%+v, late came %d times, %v", done, seen["late"], err)
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%v came %d times", name, n)
		}
	}
}

func TestWhatEndsTheReadingOfAWholeTable(t *testing.T) {
	r := newRig(t, hosts(20))
	enough := errors.New("enough")
	if _, err := r.engine.Each(t.Context(), r.caller, request.Read{Resource: "firewall/address"}, func(map[string]any) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("the reader's own end: %v", err)
	}
	never := func(map[string]any) error { t.Error("a row came"); return nil }
	for name, q := range map[string]request.Read{
		"a key":              {Resource: "firewall/address", Key: operation.TextKey("lan")},
		"a count":            {Resource: "firewall/address", Count: 3},
		"a singleton":        {Resource: "system/global"},
		"a monitor endpoint": {Resource: "monitor/system/status"},
		"an unknown field":   {Resource: "firewall/address", Fields: []string{"nmae"}},
		"no such resource":   {Resource: "firewall/adress"},
	} {
		if _, err := r.engine.Each(t.Context(), r.caller, q, never); fault.CodeOf(err) != fault.Usage && fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}
