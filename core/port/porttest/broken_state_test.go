package porttest_test

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
)

// on makes a harness that wraps a port of a fake state.
func on[P any](wrap func(s *fake.State) P) porttest.State[P] {
	return porttest.State[P]{New: func(*testing.T) func() P {
		s := fake.NewState()
		return func() P { return wrap(s.Another()) }
	}}
}

func brokenState() []broken {
	return []broken{
		{"plans overwrite", "an id is taken once", func(t *testing.T) {
			porttest.RunPlans(t, on(func(s *fake.State) port.Plans { return overwriting{s.Plans(), &sync.Map{}} }))
		}},
		{"plans oldest first", "List gives all ids, newest first", func(t *testing.T) {
			porttest.RunPlans(t, on(func(s *fake.State) port.Plans { return oldestFirst{s.Plans()} }))
		}},
		{"plans share bytes", "bytes are not shared with the caller", func(t *testing.T) {
			porttest.RunPlans(t, on(func(s *fake.State) port.Plans { return &sharing{Plans: s.Plans(), last: map[plan.ID]port.StoredPlan{}} }))
		}},
		{"secrets stay", "Erase removes them for every process, and no others", func(t *testing.T) {
			porttest.RunPlanSecrets(t, on(func(s *fake.State) port.PlanSecrets { return staying{s.Secrets()} }))
		}},
		{"approval revives", "a revocation outlives every approval", func(t *testing.T) {
			porttest.RunApprovals(t, on(func(s *fake.State) port.Approvals { return &reviving{Approvals: s.Approvals()} }))
		}},
		{"claim looks before it leaps", "of many claims at once exactly one succeeds", func(t *testing.T) {
			porttest.RunJournals(t, on(func(s *fake.State) port.Journals { return careless{s.Journals()} }))
		}},
		{"journal keeps the torn line", "Continue cuts a torn line and goes on", func(t *testing.T) {
			porttest.RunJournals(t, on(func(s *fake.State) port.Journals { return uncut{s.Journals()} }))
		}},
		{"audit restarts its chain", "the chain verifies from its first link", func(t *testing.T) { porttest.RunAuditLog(t, auditOn(restarting)) }},
		{"audit forgets its anchor", "Append returns the head, and the anchor follows it", func(t *testing.T) {
			porttest.RunAuditLog(t, auditOn(func(s *fake.State) port.AuditLog { return unanchored{s.Audit()} }))
		}},
		{"backup keeps half", "nothing is kept where fill fails", func(t *testing.T) { porttest.RunBackups(t, keepingHalf()) }},
		{"lock within the process only", "a lock is held by one", func(t *testing.T) {
			porttest.RunLocks(t, porttest.LocksHarness{
				New: func(*testing.T) porttest.LocksFixture {
					return porttest.LocksFixture{Open: func() port.Locks { return fake.NewState().Locks() }}
				},
				Without: porttest.Without{porttest.Killing},
			})
		}},
		{"lock cannot be offered and is not declared", "a lock vanishes with its process", func(t *testing.T) {
			porttest.RunLocks(t, porttest.LocksHarness{New: func(*testing.T) porttest.LocksFixture {
				s := fake.NewState()
				return porttest.LocksFixture{Open: func() port.Locks { return s.Another().Locks() }}
			}})
		}},
	}
}

// overwriting takes an id again.
type overwriting struct {
	port.Plans
	later *sync.Map
}

func (o overwriting) Put(ctx context.Context, p port.StoredPlan) error {
	if o.Plans.Put(ctx, p) != nil {
		o.later.Store(p.ID, p)
	}
	return nil
}

func (o overwriting) Get(ctx context.Context, id plan.ID) (port.StoredPlan, error) {
	if v, ok := o.later.Load(id); ok {
		p, _ := v.(port.StoredPlan)
		return p, nil
	}
	return o.Plans.Get(ctx, id)
}

type oldestFirst struct{ port.Plans }

func (o oldestFirst) List(ctx context.Context) ([]plan.ID, error) {
	ids, err := o.Plans.List(ctx)
	slices.Reverse(ids)
	return ids, err
}

// sharing hands out the slices that it keeps.
type sharing struct {
	port.Plans
	last map[plan.ID]port.StoredPlan
}

func (s *sharing) Get(ctx context.Context, id plan.ID) (port.StoredPlan, error) {
	if p, ok := s.last[id]; ok {
		return p, nil
	}
	p, err := s.Plans.Get(ctx, id)
	if err == nil {
		s.last[id] = p
	}
	return p, err
}

type staying struct{ port.PlanSecrets }

func (staying) Erase(context.Context, plan.ID) error { return nil }

// reviving takes an approval for the end of a revocation.
type reviving struct {
	port.Approvals
	again map[plan.ID]bool
}

func (r *reviving) Put(ctx context.Context, id plan.ID, file []byte) error {
	if r.again == nil {
		r.again = map[plan.ID]bool{}
	}
	r.again[id] = true
	return r.Approvals.Put(ctx, id, file)
}

func (r *reviving) Revoke(ctx context.Context, id plan.ID) error {
	delete(r.again, id)
	return r.Approvals.Revoke(ctx, id)
}

func (r *reviving) Revoked(ctx context.Context, id plan.ID) (bool, error) {
	revoked, err := r.Approvals.Revoked(ctx, id)
	return revoked && !r.again[id], err
}

// careless finds that a plan is not claimed, or opens the journal that is there.
type careless struct{ port.Journals }

func (c careless) Claim(ctx context.Context, id plan.ID, first []byte) (port.Journal, error) {
	j, err := c.Journals.Claim(ctx, id, first)
	if fault.CodeOf(err) == fault.Conflict {
		return c.Continue(ctx, id, len(first))
	}
	return j, err
}

type uncut struct{ port.Journals }

func (u uncut) Continue(ctx context.Context, id plan.ID, _ int) (port.Journal, error) {
	data, err := u.Read(ctx, id)
	if err != nil {
		return nil, err
	}
	return u.Journals.Continue(ctx, id, len(data))
}

func auditOn(wrap func(*fake.State) port.AuditLog) porttest.AuditHarness {
	return porttest.AuditHarness{
		New: func(*testing.T) porttest.AuditFixture {
			s := fake.NewState()
			return porttest.AuditFixture{Open: func() port.AuditLog { return wrap(s.Another()) }}
		},
		Without: porttest.Without{porttest.Damage},
	}
}

// restarting begins at the first link each time.
func restarting(s *fake.State) port.AuditLog { return &unchained{s.Audit()} }

type unchained struct{ *fake.AuditLog }

func (u *unchained) Append(ctx context.Context, e audit.Entry) (audit.Head, error) {
	first, err := u.First(ctx)
	if err != nil {
		return audit.Head{}, err
	}
	line, head, err := audit.Seal(e, first)
	if err != nil {
		return audit.Head{}, err
	}
	return head, u.Tamper(func(data []byte) []byte { return append(data, line...) })
}

type unanchored struct{ port.AuditLog }

func (unanchored) Anchor(context.Context) (audit.Head, bool, error) { return audit.Head{}, false, nil }

// keepingHalf stores what was written before fill failed.
func keepingHalf() porttest.BackupsHarness {
	return porttest.BackupsHarness{New: func(*testing.T) porttest.BackupsFixture {
		b := fake.NewState().Backups()
		return porttest.BackupsFixture{Backups: eager{b}, Kept: func(*testing.T) map[string][]byte {
			kept := map[string][]byte{}
			for _, name := range b.Names() {
				kept[name], _ = b.Content(name)
			}
			return kept
		}}
	}}
}

type eager struct{ port.Backups }

func (e eager) Save(ctx context.Context, id plan.ID, fill func(io.Writer) error) (port.Backup, error) {
	var failed error
	saved, err := e.Backups.Save(ctx, id, func(w io.Writer) error {
		failed = fill(w)
		return nil
	})
	if failed != nil {
		err = failed
	}
	return saved, err
}
