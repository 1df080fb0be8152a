package demo

import (
	"context"
	"fmt"
	"strings"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/approve"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// story goes through the workflow. Each step leaves what the next ones need.
type story struct {
	*Options
	*Stage
	human  terminal.Terminal
	before string
	told   []Told

	plan     *engine.PlanView
	result   *engine.Execution
	rollback plan.ID
}

type step struct {
	title string
	run   func(ctx context.Context) error
}

func (s *story) steps() []step {
	return []step{
		{"Discover: who answers, and what may be done with it", s.discover},
		{"Read: what is there now", s.read},
		{"Plan: work the change out, store it, touch nothing", s.makePlan},
		{"Apply without an approval: refused", s.refused},
		{"Approve: a person sees the plan and types a code", s.approve},
		{"Apply: one operation after the other, each one verified", s.apply},
		{"Read back: the device has what was planned", s.readBack},
		{"Audit: who did what, in a chain of hashes", s.audit},
		{"Roll back: a plan like any other, approved and applied", s.rollBack},
		{"The configuration is as it was found", s.asBefore},
	}
}

func (s *story) tell(ctx context.Context) error {
	s.opening()
	for i, step := range s.steps() {
		s.told = append(s.told, Told{Title: step.title, Lines: []string{}})
		if err := s.Draw(func(p *view.Page) {
			p.Say("")
			p.Headline(i+1, step.title)
		}); err != nil {
			return err
		}
		if err := step.run(ctx); err != nil {
			f := fault.From(err)
			return fault.Wrap(f, f.Code, "step %d of the demonstration (%s): %s", i+1, step.title, f.Message)
		}
	}
	return nil
}

func (s *story) opening() {
	_ = s.Draw(func(p *view.Page) { // a broken output shows at the first step
		p.Title("forti, from discovery to rollback")
		p.Text("", fmt.Sprintf("A simulated FortiGate (%s) listens on %s:%d with a certificate of its own. A throw-away home has the guarded profile %q: nothing is applied without a person's approval.",
			s.Serial, s.Host, s.Port, s.Profile))
	})
}

// say tells one line of the current step.
func (s *story) say(format string, args ...any) error {
	line := fmt.Sprintf(format, args...)
	now := &s.told[len(s.told)-1]
	now.Lines = append(now.Lines, line)
	return s.Draw(func(p *view.Page) { p.Text("  ", line) })
}

// claim ends the demonstration where something that it says is not so.
func claim(holds bool, format string, args ...any) error {
	if holds {
		return nil
	}
	return fault.New(fault.Internal, "this should be so and is not: "+format, args...)
}

// get reads and gives canonical values.
func (s *story) get(ctx context.Context, r request.Read) (any, error) {
	r.Profile = s.Profile
	found, err := s.Engine.Read(ctx, s.Caller, r)
	if err != nil {
		return nil, err
	}
	return view.Plain(found.Data)
}

// consent has a plan approved as the command plan approve does it.
func (s *story) consent(ctx context.Context, id plan.ID) (*engine.Approved, error) {
	session, err := s.Session()
	if err != nil {
		return nil, err
	}
	if _, scripted := s.human.(*script); scripted {
		session.Clock = hurry{}
	}
	c := approve.Ceremony{Engine: s.Engine, Terminal: s.human, Session: session, Caller: s.Caller}
	return c.Run(ctx, id)
}

// execute applies a plan and tells of each operation as it ends.
func (s *story) execute(ctx context.Context, id plan.ID) (*engine.Execution, error) {
	x, err := s.Engine.Apply(ctx, s.Caller, request.Apply{PlanID: id.String()}, progress{s})
	if err != nil {
		return nil, err
	}
	err = claim(x.Status == "applied" && x.Verified == len(x.Operations) && x.AuditError == "",
		"plan %s is applied and all of it verified (%s, %d of %d)", id, x.Status, x.Verified, len(x.Operations))
	return x, err
}

// names lists one attribute of rows.
func names(rows any, attribute string) []string {
	list, _ := rows.([]any)
	var found []string
	for _, row := range view.Objects(list) {
		found = append(found, view.Word(row[attribute]))
	}
	return found
}

func joined(words []string) string { return strings.Join(words, ", ") }
