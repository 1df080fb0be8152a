package app

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/command/demo"
)

// liar is the engine with one use case that is not true.
type liar struct {
	demo.Engine
	plan    func(*engine.PlanView)
	apply   func(n int, x *engine.Execution, err error) (*engine.Execution, error)
	show    func(*engine.PlanView)
	verify  func(audit.Report) audit.Report
	applies int
}

func (l *liar) Plan(ctx context.Context, c engine.Caller, r request.Plan) (*engine.PlanView, error) {
	v, err := l.Engine.Plan(ctx, c, r)
	if l.plan != nil && err == nil {
		l.plan(v)
	}
	return v, err
}

func (l *liar) Show(ctx context.Context, c engine.Caller, id plan.ID) (*engine.PlanView, error) {
	v, err := l.Engine.Show(ctx, c, id)
	if l.show != nil && err == nil {
		l.show(v)
	}
	return v, err
}

func (l *liar) Apply(ctx context.Context, c engine.Caller, r request.Apply, p port.Progress) (*engine.Execution, error) {
	x, err := l.Engine.Apply(ctx, c, r, p)
	l.applies++
	if l.apply != nil {
		return l.apply(l.applies, x, err)
	}
	return x, err
}

func (l *liar) VerifyAudit(ctx context.Context) (audit.Report, error) {
	r, err := l.Engine.VerifyAudit(ctx)
	if l.verify != nil {
		r = l.verify(r)
	}
	return r, err
}

// The demonstration believes nothing: whatever turns out otherwise than it says
// ends it at that step, with a status that is not 0.
func TestTheDemonstrationFailsWhereAStepDoesNotDoWhatItSays(t *testing.T) {
	for _, tt := range []struct {
		name, step string
		sabotage   func(s *demo.Stage, l *liar)
	}{
		{"another device answers", "step 1 ", func(s *demo.Stage, _ *liar) { s.Serial = "FGVMSIM000000002" }},
		{"planning writes", "step 3 ", func(s *demo.Stage, _ *liar) { s.Writes = func() int { return 1 } }},
		{"planning changes the device", "step 3 ", func(s *demo.Stage, _ *liar) {
			n := 0
			s.Snapshot = func() string { n++; return strings.Repeat("x", n) }
		}},
		{"the plan lacks an operation", "step 3 ", func(_ *demo.Stage, l *liar) {
			l.plan = func(v *engine.PlanView) { v.Operations = v.Operations[1:] }
		}},
		{"an apply without approval is not refused", "step 4 ", func(_ *demo.Stage, l *liar) {
			l.apply = func(n int, x *engine.Execution, err error) (*engine.Execution, error) {
				if n == 1 {
					return &engine.Execution{Status: "applied"}, nil
				}
				return x, err
			}
		}},
		{"not everything was verified", "step 6 ", func(_ *demo.Stage, l *liar) {
			l.apply = func(n int, x *engine.Execution, err error) (*engine.Execution, error) {
				if n == 2 {
					x.Verified--
				}
				return x, err
			}
		}},
		{"no rollback was stored", "step 6 ", func(_ *demo.Stage, l *liar) {
			l.apply = func(n int, x *engine.Execution, err error) (*engine.Execution, error) {
				if n == 2 {
					x.Rollback = nil
				}
				return x, err
			}
		}},
		{"the audit log is broken", "step 8 ", func(_ *demo.Stage, l *liar) {
			l.verify = func(r audit.Report) audit.Report { r.BadSeq = 3; return r }
		}},
		{"the audit log is incomplete", "step 8 ", func(_ *demo.Stage, l *liar) {
			l.verify = func(r audit.Report) audit.Report { r.Incomplete = []string{"x"}; return r }
		}},
		{"the rollback undoes something else", "step 9 ", func(_ *demo.Stage, l *liar) {
			l.show = func(v *engine.PlanView) { v.Parent = plan.ID{} }
		}},
		{"the configuration is another one at the end", "step 10 ", func(s *demo.Stage, l *liar) {
			real := s.Snapshot
			s.Snapshot = func() string {
				if l.applies == 3 {
					return real() + "left over"
				}
				return real()
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			a := newApp([]string{"FORTI_HOME=" + t.TempDir()}, nil, &out, &errs)
			c := demo.New(demo.Options{Frame: a.frame, Session: a.session, Set: func(ctx context.Context) (*demo.Stage, error) {
				s, err := a.stage(ctx)
				if err != nil {
					return nil, err
				}
				l := &liar{Engine: s.Engine}
				s.Engine = l
				tt.sabotage(s, l)
				return s, nil
			}})
			c.SilenceErrors, c.SilenceUsage = true, true
			c.SetArgs([]string{"--yes"})
			a.running = true
			err := c.ExecuteContext(t.Context())
			if exit := a.report(err); exit != 1 || !strings.Contains(errs.String(), tt.step) {
				t.Errorf("exit status %d\n%s%s", exit, out.String(), errs.String())
			}
		})
	}
}
