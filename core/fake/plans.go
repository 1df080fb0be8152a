package fake

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// Plans is the plans of a [State].
type Plans struct{ state *State }

// PlanSecrets is the secrets of the plans of a [State].
type PlanSecrets struct{ state *State }

// Approvals is the approvals of a [State].
type Approvals struct{ state *State }

var (
	_ port.Plans       = (*Plans)(nil)
	_ port.PlanSecrets = (*PlanSecrets)(nil)
	_ port.Approvals   = (*Approvals)(nil)
)

// Plans is the port.
func (s *State) Plans() *Plans { return &Plans{s} }

// Secrets is the port.
func (s *State) Secrets() *PlanSecrets { return &PlanSecrets{s} }

// Approvals is the port.
func (s *State) Approvals() *Approvals { return &Approvals{s} }

func noPlan(id plan.ID, what string) error {
	return fault.New(fault.NotFound, "there is no %s of a plan %s", what, id)
}

// Put stores a plan; see [port.Plans].
func (p *Plans) Put(ctx context.Context, stored port.StoredPlan) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	free := func(d *disk) error {
		if _, taken := d.plans[stored.ID]; taken {
			return fault.New(fault.Conflict, "a plan %s exists already", stored.ID)
		}
		return nil
	}
	return p.state.durable(StepPlan, free, func(d *disk, torn bool) {
		if !torn {
			d.plans[stored.ID] = copiedPlan(stored)
		}
	})
}

func copiedPlan(p port.StoredPlan) port.StoredPlan {
	p.File, p.Remarks = bytes.Clone(p.File), bytes.Clone(p.Remarks)
	return p
}

// Get gives a plan; see [port.Plans].
func (p *Plans) Get(ctx context.Context, id plan.ID) (stored port.StoredPlan, err error) {
	if err := ctx.Err(); err != nil {
		return port.StoredPlan{}, err
	}
	err = p.state.locked(func(d *disk) error {
		found, ok := d.plans[id]
		if !ok {
			return noPlan(id, "file")
		}
		stored = copiedPlan(found)
		return nil
	})
	return stored, err
}

var _ port.PlanPruner = (*Plans)(nil)

// Prune forgets everything of a plan; see [port.PlanPruner].
func (p *Plans) Prune(ctx context.Context, id plan.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.state.locked(func(d *disk) error {
		delete(d.plans, id)
		delete(d.secrets, id)
		delete(d.approvals, id)
		delete(d.revoked, id)
		delete(d.journals, id)
		return nil
	})
}

// List gives the ids; see [port.Plans].
func (p *Plans) List(ctx context.Context) (ids []plan.ID, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = p.state.locked(func(d *disk) error {
		ids = newestFirst(maps.Keys(d.plans))
		return nil
	})
	return ids, err
}

func newestFirst(ids func(yield func(plan.ID) bool)) []plan.ID {
	list := slices.Collect(ids)
	slices.SortFunc(list, func(a, b plan.ID) int { return strings.Compare(b.String(), a.String()) })
	return list
}

// Put stores secrets; see [port.PlanSecrets].
func (p *PlanSecrets) Put(ctx context.Context, id plan.ID, file []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.state.durable(StepSecrets, nil, func(d *disk, torn bool) {
		if !torn {
			d.secrets[id] = bytes.Clone(file)
		}
	})
}

// Get gives them back; see [port.PlanSecrets].
func (p *PlanSecrets) Get(ctx context.Context, id plan.ID) (file []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = p.state.locked(func(d *disk) error {
		found, ok := d.secrets[id]
		if !ok {
			return noPlan(id, "secrets")
		}
		file = bytes.Clone(found)
		return nil
	})
	return file, err
}

// Erase removes them; see [port.PlanSecrets].
func (p *PlanSecrets) Erase(ctx context.Context, id plan.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.state.durable(StepEraseSecrets, nil, func(d *disk, torn bool) {
		if !torn {
			delete(d.secrets, id)
		}
	})
}

// Put stores or replaces an approval; see [port.Approvals].
func (a *Approvals) Put(ctx context.Context, id plan.ID, file []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.state.durable(StepApproval, nil, func(d *disk, torn bool) {
		if !torn {
			d.approvals[id] = bytes.Clone(file)
		}
	})
}

// Get gives the approval; see [port.Approvals].
func (a *Approvals) Get(ctx context.Context, id plan.ID) (file []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = a.state.locked(func(d *disk) error {
		found, ok := d.approvals[id]
		if !ok {
			return noPlan(id, "approval")
		}
		file = bytes.Clone(found)
		return nil
	})
	return file, err
}

// Revoke leaves the mark; see [port.Approvals].
func (a *Approvals) Revoke(ctx context.Context, id plan.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.state.durable(StepRevoke, nil, func(d *disk, torn bool) {
		if !torn {
			d.revoked[id] = true
		}
	})
}

// Revoked reports the mark; see [port.Approvals].
func (a *Approvals) Revoked(ctx context.Context, id plan.ID) (revoked bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	err = a.state.locked(func(d *disk) error {
		revoked = d.revoked[id]
		return nil
	})
	return revoked, err
}
