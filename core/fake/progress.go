package fake

import (
	"context"
	"slices"
	"sync"

	"github.com/forti-mcp/forti/core/port"
)

// Progress remembers the news of an apply.
type Progress struct {
	mu    sync.Mutex
	steps []port.Step
}

var _ port.Progress = (*Progress)(nil)

// Step takes one piece of news.
func (p *Progress) Step(_ context.Context, s port.Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps = append(p.steps, s)
}

// Steps is the news so far.
func (p *Progress) Steps() []port.Step {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.steps)
}
