package docs

import (
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

// autonomous is a world whose plans need no approval, and an engine over it.
func autonomous(t *testing.T) (*fake.World, *engine.Engine) {
	t.Helper()
	world, err := fake.NewWorld(fake.WorldOptions{Profile: profile.Profile{Mode: profile.Autonomous}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Ports(world.Ports()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return world, e
}

// change plans one new address.
func change(t *testing.T, e *engine.Engine) request.Apply {
	t.Helper()
	planned, err := e.Plan(t.Context(), engine.Caller{}, request.Plan{Operations: []request.Operation{{
		Op: "create", Resource: "firewall/address", Object: map[string]any{"name": "printer", "subnet": "192.0.2.50/32"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return request.Apply{PlanID: planned.PlanID.String()}
}

func TestAnAnswerThatIsLost(t *testing.T) {
	world, e := autonomous(t)
	apply := change(t, e)
	world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend}, Fault: fake.ResetAfter()})
	_, err := e.Apply(t.Context(), engine.Caller{}, apply, nil)
	if fault.CodeOf(err) != fault.OutcomeUnknown {
		t.Errorf("an outcome that nobody knows is told as %v", err)
	}
	_, err = e.Apply(t.Context(), engine.Caller{}, apply, nil)
	if fault.CodeOf(err) != fault.Conflict || len(world.Device.Writes()) != 1 {
		t.Errorf("%v, and %d writes", err, len(world.Device.Writes()))
	}
}

func TestTheProgramDies(t *testing.T) {
	world, e := autonomous(t)
	apply := change(t, e)
	// The intent is durable, the request has not left: later nobody can know that.
	world.State.Break(fake.Break{Step: fake.StepJournal, Nth: 1, How: fake.DieAfter})
	if _, err := e.Apply(t.Context(), engine.Caller{}, apply, nil); err == nil {
		t.Fatal("it did not die")
	}

	next, err := engine.New(engine.Ports(world.Restart().Ports()), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = next.Apply(t.Context(), engine.Caller{}, apply, nil)
	if fault.CodeOf(err) != fault.Conflict || len(world.Device.Writes()) != 0 {
		t.Errorf("%v, and %d writes", err, len(world.Device.Writes()))
	}
}
