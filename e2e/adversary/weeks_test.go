package adversary

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/fx"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
)

// later is a clock that a test sets forward.
type later struct {
	port.Clock
	by *atomic.Int64
}

func (l later) Now() time.Time { return l.Clock.Now().Add(time.Duration(l.by.Load())) }

func (l later) Boot() (id string, since time.Duration) {
	id, since = l.Clock.Boot()
	return id, since + time.Duration(l.by.Load())
}

func (l later) advance(d time.Duration) { l.by.Add(int64(d)) }

// colleague is a human's side that shares the clock of the server.
type colleague struct {
	t    *testing.T
	eng  *engine.Engine
	week int
}

var alice = engine.Caller{Program: "test", User: "alice"}

func (c colleague) id(text string) plan.ID {
	c.t.Helper()
	id, err := plan.ParseID(text)
	c.must(err)
	return id
}

func (c colleague) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c colleague) plan(comment string) string {
	c.t.Helper()
	var in request.Plan
	c.must(c.eng.Decode([]byte(`{"operations":`+edit(fmt.Sprint(comment, " ", c.week))+`}`), &in))
	v, err := c.eng.Plan(c.t.Context(), alice, in)
	c.must(err)
	return v.PlanID.String()
}

func (c colleague) approve(id string) {
	c.t.Helper()
	r, err := c.eng.Review(c.t.Context(), alice, c.id(id), 80, false)
	c.must(err)
	_, err = c.eng.Approve(c.t.Context(), alice, r.PlanID, r.Digest, engine.Evidence{Method: approval.Typed, Approver: approval.Approver{User: "alice"}})
	c.must(err)
}

func (c colleague) apply(id string) {
	c.t.Helper()
	_, err := c.eng.Apply(c.t.Context(), alice, request.Apply{PlanID: id}, nil)
	c.must(err)
}

func (c colleague) revoke(id string) {
	c.t.Helper()
	c.must(c.eng.Revoke(c.t.Context(), alice, c.id(id)))
}

const (
	weeks = 5
	day   = 24 * time.Hour
)

// An adversary that stays for weeks meets plans that come and go: each week has new ones,
// an approval that ran out by the clock among them, and those of the week before are
// removed, so that neither a full store nor an old plan is what holds it.
func TestNoCallGetsAWriteThroughWeeksInWhichPlansArePruned(t *testing.T) {
	t.Parallel()
	lab := newLab(t)
	clock := later{by: new(atomic.Int64)}
	eng := build(t, lab.Home, fx.Decorate(func(c port.Clock) port.Clock { clock.Clock = c; return clock }))
	s, c := serve(t, eng), newCampaign()
	for week := range weeks {
		human := colleague{t, eng, week}
		late := human.plan("late")
		human.approve(late)
		clock.advance(day)
		plans := targets(t, lab, human)
		plans["expired"] = late
		if c.run(t, calls/weeks, s, lab.Device, plans) {
			t.Fatalf("week %d: the device was written to: %+v", week, lab.Device.Requests())
		}
		clock.advance(8 * day)
		done, err := eng.Prune(t.Context(), alice, false)
		human.must(err)
		gone := map[string]bool{}
		for _, p := range done.Plans {
			gone[p.PlanID.String()] = true
		}
		for reason, id := range plans {
			if reason != "used" && !gone[id] {
				t.Errorf("week %d: the plan %s was not removed", week, reason)
			}
			if told := reasonOf(t, s.ask(t, applyOf(id))); gone[id] && told != "not_found " {
				t.Errorf("week %d: an apply of the removed plan %s says %s", week, reason, told)
			}
		}
		if n := lab.Device.Writes(); n > 0 {
			t.Fatalf("week %d: %d writes by applies of removed plans", week, n)
		}
	}
	c.held(t)
}
