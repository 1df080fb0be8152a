package fake_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/wire"
)

// The device's ordered table behaves like a slice of keys, whatever is sent.
func TestATableIsAnOrderedListOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := fake.NewDevice(fake.DeviceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var model []int64
		send := func(r wire.Request, err error) exchange.Exchange {
			if err != nil {
				t.Fatal(err)
			}
			return d.Send(t.Context(), r, nil)
		}
		key := rapid.Int64Range(1, 6)
		want := func(e exchange.Exchange, ok bool) {
			if (e.APIStatus == "success") != ok {
				t.Fatalf("%+v with the rows %v", e, model)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"create": func(t *rapid.T) {
				k := key.Draw(t, "key")
				free := !slices.Contains(model, k)
				want(send(wire.Create("firewall/policy", "root", map[string]any{"policyid": k})), free)
				if free {
					model = append(model, k)
				}
			},
			"create anywhere": func(t *rapid.T) {
				next := int64(1)
				if len(model) > 0 {
					next = slices.Max(model) + 1
				}
				e := send(wire.Create("firewall/policy", "root", map[string]any{"policyid": 0}))
				want(e, true)
				if e.MKey != fmt.Sprint(next) {
					t.Fatalf("the key is %s, want %d", e.MKey, next)
				}
				model = append(model, next)
			},
			"delete": func(t *rapid.T) {
				i := slices.Index(model, key.Draw(t, "key"))
				if i < 0 {
					return
				}
				want(send(wire.Delete("firewall/policy", "root", fake.ID(model[i]))), true)
				model = slices.Delete(model, i, i+1)
			},
			"move": func(t *rapid.T) {
				k, anchor, before := key.Draw(t, "key"), key.Draw(t, "anchor"), rapid.Bool().Draw(t, "before")
				ok := slices.Contains(model, k) && slices.Contains(model, anchor)
				want(send(wire.Move("firewall/policy", "root", fake.ID(k), operation.Position{Before: before, Anchor: fake.ID(anchor)})), ok)
				if ok && k != anchor {
					model = slices.DeleteFunc(model, func(other int64) bool { return other == k })
					at := slices.Index(model, anchor)
					if !before {
						at++
					}
					model = slices.Insert(model, at, k)
				}
			},
			"": func(t *rapid.T) {
				var got []int64
				for _, k := range d.Keys(fake.At("firewall/policy")) {
					n, _ := k.Value().(int64)
					got = append(got, n)
				}
				if !slices.Equal(got, model) {
					t.Fatalf("the rows are %v, want %v", got, model)
				}
			},
		})
	})
}
