package engine_test

import (
	"context"
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
)

// Each request goes out with the context of a run that cannot be cancelled in its
// middle: cancelling ends the run between two operations.
func TestCancellingEndsARunBetweenTwoOperations(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "," + address("b") + "]")
	ctx, cancel := context.WithCancel(context.Background())
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: fake.Fault{After: cancel}})
	_, err := r.engine.Apply(ctx, r.caller, request.Apply{PlanID: id.String()}, nil)
	f := r.wantCode(err, fault.PartialFailure)
	ops := r.shown(id).Execution.Operations
	if ops[0].Status != exchange.Verified || ops[1].Status != exchange.NotAttempted || r.writes() != 1 {
		t.Fatalf("%v %s", f, show(ops))
	}
	r.sound()
}

// The same where the next operation has no object to look at.
func TestCancellingKeepsAnActionFromBeingCalled(t *testing.T) {
	r := counterRig(t)
	id := r.approved("[" + address("a") + `,{"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"policy":1}}]`)
	ctx, cancel := context.WithCancel(context.Background())
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: fake.Fault{After: cancel}})
	_, err := r.engine.Apply(ctx, r.caller, request.Apply{PlanID: id.String()}, nil)
	if _ = r.wantCode(err, fault.PartialFailure); r.writes() != 1 {
		t.Fatalf("%d writes", r.writes())
	}
}

// canceller cancels when an operation is about to be sent.
type canceller struct{ cancel context.CancelFunc }

func (c canceller) Step(_ context.Context, s port.Step) {
	if s.Stage == port.StageSend {
		c.cancel()
	}
}

// What was begun is finished: a request whose intent is on record goes out and is read
// back, whatever becomes of the caller.
func TestAnOperationThatWasBegunIsFinished(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "," + address("b") + "]")
	ctx, cancel := context.WithCancel(context.Background())
	_, err := r.engine.Apply(ctx, r.caller, request.Apply{PlanID: id.String()}, canceller{cancel})
	_ = r.wantCode(err, fault.PartialFailure)
	ops := r.shown(id).Execution.Operations
	if ops[0].Status != exchange.Verified || ops[1].Status != exchange.NotAttempted || r.writes() != 1 {
		t.Fatalf("%s", show(ops))
	}
	r.sound()
}

func TestARunThatIsCancelledBeforeItBeginsSendsNothing(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	ctx, cancel := context.WithCancel(context.Background())
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallIdentity, Times: 1}, Fault: fake.Fault{After: cancel}})
	_, err := r.engine.Apply(ctx, r.caller, request.Apply{PlanID: id.String()}, nil)
	if fault.CodeOf(err) != fault.DeviceUnreachable || r.writes() != 0 {
		t.Fatalf("%v, %d writes", err, r.writes())
	}
	r.usable(id)
}
