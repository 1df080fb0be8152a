package docs

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
)

// vault keeps the secrets of plans: an adapter of one's own.
type vault struct {
	mu    sync.Mutex
	files map[plan.ID][]byte
}

var _ port.PlanSecrets = (*vault)(nil)

func (v *vault) Put(_ context.Context, id plan.ID, file []byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.files[id] = bytes.Clone(file) // slices belong to the caller
	return nil
}

func (v *vault) Get(_ context.Context, id plan.ID) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	file, ok := v.files[id]
	if !ok {
		return nil, fault.New(fault.NotFound, "plan %s has no secrets here", id)
	}
	return bytes.Clone(file), nil
}

func (v *vault) Erase(_ context.Context, id plan.ID) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.files, id)
	return nil
}

func TestTheVaultKeepsTheContract(t *testing.T) {
	porttest.RunPlanSecrets(t, porttest.State[port.PlanSecrets]{New: func(*testing.T) func() port.PlanSecrets {
		v := &vault{files: map[plan.ID][]byte{}}
		return func() port.PlanSecrets { return v } // each call is one more process on the same store
	}})
}
