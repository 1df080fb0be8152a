package fake_test

import (
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
)

// bench is a device with the rows of an office.
type bench struct {
	*testing.T
	*fake.Device
}

func newBench(t *testing.T, change ...func(o *fake.DeviceOptions)) bench {
	t.Helper()
	o := fake.DeviceOptions{Rows: fake.Office(), VDOMs: []string{"root", "edge"}}
	for _, c := range change {
		c(&o)
	}
	d, err := fake.NewDevice(o)
	if err != nil {
		t.Fatal(err)
	}
	return bench{t, d}
}

func (b bench) send(r wire.Request, err error) exchange.Exchange {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	return b.Send(b.Context(), r, nil)
}

// create sends a row that has to be accepted.
func (b bench) create(resource string, object map[string]any) exchange.Exchange {
	b.Helper()
	e := b.send(wire.Create(resource, "root", object))
	if e.APIStatus != "success" {
		b.Fatalf("create %s: %+v", resource, e)
	}
	return e
}

// raw sends what the core cannot build.
func (b bench) raw(method, path string) exchange.Exchange {
	return b.Send(b.Context(), wire.Request{Method: method, Path: wire.Prefix + path}, nil)
}

func (b bench) names(resource string) []string {
	b.Helper()
	var list []string
	_, err := b.List(b.Context(), port.ListQuery{At: fake.At(resource)}, func(row map[string]any) bool {
		name, _ := row["name"].(string)
		list = append(list, name)
		return true
	})
	if err != nil {
		b.Fatal(err)
	}
	return list
}

func names(list ...string) []any {
	rows := make([]any, len(list))
	for i, n := range list {
		rows[i] = map[string]any{"name": n}
	}
	return rows
}
