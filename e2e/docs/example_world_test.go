package docs

import (
	"testing"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/request"
)

func TestAPrinterIsAdded(t *testing.T) {
	world, err := fake.NewWorld(fake.WorldOptions{}) // a guarded profile of a small office's FortiGate
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Ports(world.Ports()), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, me := t.Context(), engine.Caller{Program: "test", User: "alice"}

	planned, err := e.Plan(ctx, me, request.Plan{Operations: []request.Operation{{
		Op: "create", Resource: "firewall/address", Object: map[string]any{"name": "printer", "subnet": "192.0.2.50/32"},
	}}})
	if err != nil {
		t.Fatal(err)
	}

	// Without an approval nothing is sent: the device counts what arrives.
	_, err = e.Apply(ctx, me, request.Apply{PlanID: planned.PlanID.String()}, nil)
	if fault.CodeOf(err) != fault.ApprovalRequired || len(world.Device.Writes()) != 0 {
		t.Fatalf("%v, and %d writes", err, len(world.Device.Writes()))
	}

	// Consent is to the digest of what was reviewed.
	review, err := e.Review(ctx, me, planned.PlanID, 80, false)
	if err != nil {
		t.Fatal(err)
	}
	evidence := engine.Evidence{Method: approval.Typed, Approver: approval.Approver{User: "alice"}}
	if _, err = e.Approve(ctx, me, planned.PlanID, review.Digest, evidence); err != nil {
		t.Fatal(err)
	}

	done, err := e.Apply(ctx, me, request.Apply{PlanID: planned.PlanID.String()}, nil)
	if err != nil || done.Verified != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	row, _ := world.Device.Row(fake.At("firewall/address"), fake.Key("printer"))
	if row["subnet"] != "192.0.2.50 255.255.255.255" {
		t.Errorf("the device has %v", row)
	}
}
