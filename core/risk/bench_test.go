package risk

import (
	"fmt"
	"testing"
)

// BenchmarkLargePlan judges the largest plan there can be on a large device.
func BenchmarkLargePlan(b *testing.B) {
	for name, make := range map[string]func(x *box) []Change{
		"addresses": func(x *box) []Change {
			return many(500, func(i int) Change {
				n := fmt.Sprintf("n%d", i)
				x.address(n, "10.0.0.0/16")
				return used(change("firewall/address", n, object{"name": n, "subnet": "10.0.0.0/24"}, "subnet", "10.0.0.0/16"), 3)
			})
		},
		"moves": func(x *box) []Change {
			var order []int64
			for i := range int64(1000) {
				order = append(order, i+1)
			}
			return many(500, func(i int) Change { return move(int64(i+1), x.policies[i], order, order) })
		},
		"policies": func(x *box) []Change {
			return many(500, func(i int) Change { return change(policyTable, int64(i+1), x.policies[i], "dstaddr", refs("all")) })
		},
	} {
		b.Run(name, func(b *testing.B) {
			x := newBox()
			for i := range int64(1000) {
				x.policies = append(x.policies, allDay(policy(i+1, fmt.Sprintf("n%d", i%500), "lan", "HTTPS")))
			}
			x.policies[900] = allDay(deny(901))
			changes := make(x)
			for b.Loop() {
				x.assess(changes...)
			}
		})
	}
}
