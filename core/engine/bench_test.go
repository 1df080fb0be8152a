package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/plan/planfile"
)

// digestGoal is what the digest and the diff of the largest plan may take.
const digestGoal = 50 * time.Millisecond

// BenchmarkDigestAndDiff digests and shows plans of as many operations as there can be:
// 500 addresses, and 500 policies of a usual size with two lists changed. Encoding the
// plan is most of it, since what is digested is the stored form, which is read back.
// It reports the share of the goal that all of it takes.
func BenchmarkDigestAndDiff(b *testing.B) {
	for name, p := range map[string]*plan.Plan{"addresses": largestPlan(b, addressUpdate), "policies": largestPlan(b, policyUpdate)} {
		b.Run(name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				data, _, err := planfile.Encode(p)
				if err != nil {
					b.Fatal(err)
				}
				size = len(data)
				for _, op := range p.Operations {
					if len(differences(op)) != len(op.Expect) {
						b.Fatal("a diff has not all attributes")
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(digestGoal), "of-the-goal")
			b.ReportMetric(float64(size), "bytes")
		})
	}
}

func rowsOf(prefix string, n int) []any {
	var out []any
	for i := range n {
		out = append(out, map[string]any{"name": fmt.Sprintf("%s-%d", prefix, i)})
	}
	return out
}

func addressUpdate(i int) plan.Operation {
	name := fmt.Sprintf("host-%d", i)
	return plan.Operation{
		Resource: "firewall/address", Key: operation.TextKey(name), Tier: plan.Medium, Rules: []string{"R-REF-01"},
		Before: map[string]any{
			"name": name, "uuid": "51d20b58-0000-51ee-0000-000000000000", "type": "ipmask", "subnet": "10.0.0.1 255.255.255.255", "color": int64(0),
			"allow-routing": "disable", "fabric-object": "disable", "comment": "ticket 4711", "associated-interface": "",
		},
		Expect: map[string]any{"subnet": "10.0.0.2 255.255.255.255"},
	}
}

func policyUpdate(i int) plan.Operation {
	return plan.Operation{
		Resource: "firewall/policy", Key: operation.IntegerKey(int64(i + 1)), Tier: plan.High, Rules: []string{"R-POL-03"},
		Before: map[string]any{
			"policyid": int64(i + 1), "name": fmt.Sprintf("policy-%d", i), "uuid": "51d20b58-0000-51ee-0000-000000000000", "status": "enable",
			"srcintf": rowsOf("port", 2), "dstintf": rowsOf("port", 2), "srcaddr": rowsOf("net", 10), "dstaddr": rowsOf("srv", 10), "service": rowsOf("svc", 5),
			"action": "accept", "schedule": "always", "logtraffic": "all", "nat": "enable", "utm-status": "enable", "ssl-ssh-profile": "certificate-inspection",
			"av-profile": "default", "ips-sensor": "default", "comments": "ticket 4711, asked for by the laboratory",
		},
		Expect: map[string]any{"srcaddr": rowsOf("net", 11), "service": rowsOf("svc", 6)},
	}
}

func largestPlan(b *testing.B, update func(i int) plan.Operation) *plan.Plan {
	b.Helper()
	created := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	p := &plan.Plan{
		ID: plan.NewID(created, [plan.RandomBytes]byte{1}), Kind: plan.Change, CreatedAt: created, Engine: "0.1.0", Catalog: canon.Sum([]byte("x")), Rules: "1",
		Device:     plan.Target{Profile: "home", Host: "192.0.2.1", Port: 443, VDOM: "root", Serial: "FGT60FTK20000001", Version: "v7.4.8", Build: 2795, Model: "FGT60F", Trust: "x"},
		Management: plan.Management{Save: "automatic"}, Risk: plan.Risk{Tier: plan.High},
	}
	for i := range 500 {
		op := update(i)
		op.Index, op.Op, op.Source, op.VDOM = i, plan.OpUpdate, fmt.Sprintf("/operations/%d", i), "root"
		op.Pre, op.Wire.Body = []plan.Precondition{{Then: plan.Send, Object: canon.Sum([]byte("x"))}}, op.Expect
		built, err := planfile.Build(op)
		if err != nil {
			b.Fatal(err)
		}
		op.Wire = built
		p.Operations = append(p.Operations, op)
	}
	return p
}
