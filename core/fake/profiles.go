package fake

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// Profiles is an operator's configuration in memory.
type Profiles struct {
	mu          sync.Mutex
	list        map[string]profile.Profile
	defaultName string
	broken      error
}

var _ port.Profiles = (*Profiles)(nil)

// NewProfiles makes a configuration; defaultName may be "".
func NewProfiles(defaultName string, list ...profile.Profile) *Profiles {
	p := &Profiles{list: map[string]profile.Profile{}, defaultName: defaultName}
	for _, one := range list {
		p.list[one.Name] = one
	}
	return p
}

// Set adds or replaces a profile, as an operator who edits the file.
func (p *Profiles) Set(one profile.Profile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list[one.Name] = one
}

// Break makes every List fail with config for this reason; "" ends it.
func (p *Profiles) Break(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.broken = nil
	if reason != "" {
		p.broken = fault.New(fault.Config, "%s", reason)
	}
}

// List gives all profiles; see [port.Profiles].
func (p *Profiles) List(ctx context.Context) ([]profile.Profile, string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	if p.broken != nil {
		return nil, "", p.broken
	}
	list := make([]profile.Profile, 0, len(p.list))
	for _, one := range p.list {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b profile.Profile) int { return strings.Compare(a.Name, b.Name) })
	return list, p.defaultName, nil
}

// NamedSecrets is the operator's list of secrets in memory.
type NamedSecrets struct {
	mu     sync.Mutex
	values map[string]string
	broken map[string]bool
}

var _ port.NamedSecrets = (*NamedSecrets)(nil)

// NewNamedSecrets makes a list from names and values; the map is copied.
func NewNamedSecrets(values map[string]string) *NamedSecrets {
	n := &NamedSecrets{values: map[string]string{}, broken: map[string]bool{}}
	for name, v := range values {
		n.values[name] = v
	}
	return n
}

// Break makes the source of one listed secret fail.
func (n *NamedSecrets) Break(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broken[name] = true
}

// Names lists the names; see [port.NamedSecrets].
func (n *NamedSecrets) Names(ctx context.Context) ([]string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return sortedNames(n.values), ctx.Err()
}

// Value fetches one; see [port.NamedSecrets].
func (n *NamedSecrets) Value(ctx context.Context, name string) (redact.Secret, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v, listed := n.values[name]
	switch {
	case ctx.Err() != nil:
		return redact.Secret{}, ctx.Err()
	case !listed:
		return redact.Secret{}, fault.New(fault.NotFound, "no secret %q is listed; the operator lists them under \"secrets\"", name)
	case n.broken[name]:
		return redact.Secret{}, fault.New(fault.Config, "the source of the secret %q failed", name)
	}
	return redact.NewSecret(v), nil
}
