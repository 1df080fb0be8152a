package filestate

import (
	"context"
	"errors"
	"io/fs"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// PlanSecrets keeps the secret values of plans as secrets/<id>.json.
type PlanSecrets struct{ store *Store }

var _ port.PlanSecrets = (*PlanSecrets)(nil)

func secretsFile(id plan.ID) string { return secretsDir + "/" + id.String() + ".json" }

// Put stores a plan's secrets; conflict where it has some.
func (p *PlanSecrets) Put(ctx context.Context, id plan.ID, file []byte) error {
	v, err := p.store.in(ctx, secretsDir, writing)
	if err != nil {
		return err
	}
	defer v.leave()
	err = v.create(secretsFile(id), file)
	if errors.Is(err, fs.ErrExist) {
		return fault.New(fault.Conflict, "plan %s has its secrets already", id)
	}
	return err
}

// Get gives them back.
func (p *PlanSecrets) Get(ctx context.Context, id plan.ID) ([]byte, error) {
	return p.store.get(ctx, secretsDir, secretsFile(id), "plan %s has no secrets, or they were erased", id)
}

// Erase removes them.
func (p *PlanSecrets) Erase(ctx context.Context, id plan.ID) error {
	v, err := p.store.in(ctx, secretsDir, reading)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	defer v.leave()
	return v.remove(secretsFile(id))
}

// get reads one file of a plan; absence is not_found with the given text.
func (s *Store) get(ctx context.Context, dir, name, absent string, id plan.ID) ([]byte, error) {
	v, err := s.in(ctx, dir, reading)
	if err != nil {
		return nil, missing(err, absent, id)
	}
	defer v.leave()
	data, err := v.read(name)
	return data, missing(err, absent, id)
}

// put stores or replaces one file of a plan.
func (s *Store) put(ctx context.Context, dir, name string, data []byte) error {
	v, err := s.in(ctx, dir, writing)
	if err != nil {
		return err
	}
	defer v.leave()
	if err := v.replace(name, durable.Bytes(data)); err != nil {
		return trouble(err, "write", v.path(name))
	}
	return nil
}
