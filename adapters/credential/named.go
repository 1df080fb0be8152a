package credential

import (
	"context"
	"maps"
	"slices"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
)

// Lister gives the sources of the secrets that plans may use, by name. Failures:
// config.
type Lister func(ctx context.Context) (map[string]Source, error)

// Named gives the secrets that an operator listed by name. It is safe for
// concurrent use.
type Named struct {
	sources *Sources
	list    Lister
}

var _ port.NamedSecrets = (*Named)(nil)

// NewNamed makes named secrets of a list that is asked at each use.
func NewNamed(sources *Sources, list Lister) *Named { return &Named{sources: sources, list: list} }

// Names lists them, sorted.
func (n *Named) Names(ctx context.Context) ([]string, error) {
	list, err := n.list(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(list)), nil
}

// Value fetches one; not_found where it is not listed, config where its source
// fails.
func (n *Named) Value(ctx context.Context, name string) (redact.Secret, error) {
	list, err := n.list(ctx)
	if err != nil {
		return redact.Secret{}, err
	}
	from, ok := list[name]
	if !ok {
		return redact.Secret{}, fault.New(fault.NotFound,
			"no secret %s is listed; the operator lists secrets by name under \"secrets\" in config.json", redact.Line(name, 80))
	}
	return n.sources.Read(ctx, SecretEntry(name), from)
}

// SecretEntry is what a named secret is called in errors and in the keyring.
func SecretEntry(name string) string { return "secret " + name }

// TokenEntry is what a profile's API token is called in errors and in the keyring.
func TokenEntry(profile string) string { return "token of profile " + profile }
