package porttest_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

func brokenWorld() []broken {
	clock := func(wrap func(*fake.Clock) port.Clock) func(t *testing.T) {
		return func(t *testing.T) {
			porttest.RunClock(t, porttest.ClockHarness{
				New:     func(*testing.T) port.Clock { return wrap(fake.NewClock(fake.Start)) },
				Without: porttest.Without{porttest.RealTime},
			})
		}
	}
	random := func(wrap func(*fake.Random) port.Random) func(t *testing.T) {
		return func(t *testing.T) {
			porttest.RunRandom(t, porttest.RandomHarness{New: func(*testing.T) port.Random { return wrap(fake.NewRandom(1)) }})
		}
	}
	return []broken{
		{"clock sleeps on", "a cancelled Sleep returns the context's error", clock(func(c *fake.Clock) port.Clock { return deaf{c} })},
		{"clock does not wait", "Sleep lets the time pass on both clocks", clock(func(c *fake.Clock) port.Clock { return hasty{c} })},
		{"random repeats", "draws differ, also at once", random(func(r *fake.Random) port.Random { r.Constant(4); return r })},
		{"random is short", "it gives as many bytes as were asked for", random(func(r *fake.Random) port.Random { return short{r} })},
		{"profiles unsorted", "List gives all profiles, sorted by name", func(t *testing.T) {
			porttest.RunProfiles(t, porttest.ProfilesHarness{
				New: func(_ *testing.T, name string, list []profile.Profile) port.Profiles {
					return backwards{fake.NewProfiles(name, list...)}
				},
				Without: porttest.Without{porttest.Breaking},
			})
		}},
		{"secrets of the environment", "a name that is not listed is not found", func(t *testing.T) {
			porttest.RunNamedSecrets(t, porttest.NamedSecretsHarness{
				New: func(_ *testing.T, values map[string]string) port.NamedSecrets {
					return environment{fake.NewNamedSecrets(values)}
				},
				Without: porttest.Without{porttest.Breaking},
			})
		}},
		{"catalog without advice", "an unknown path is not found, with the nearest paths", catalogOn(func(c *fake.Catalog) port.Catalog { return curt{c} })},
		{"catalog of all kinds", "Search limits by kind", catalogOn(func(c *fake.Catalog) port.Catalog { return mixed{c} })},
	}
}

// deaf does not hear its context.
type deaf struct{ *fake.Clock }

func (d deaf) Sleep(_ context.Context, n time.Duration) error {
	return d.Clock.Sleep(context.Background(), n)
}

type hasty struct{ *fake.Clock }

func (hasty) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

type short struct{ *fake.Random }

func (s short) Bytes(n int) ([]byte, error) { return s.Random.Bytes(min(n, 32)) }

type backwards struct{ port.Profiles }

func (b backwards) List(ctx context.Context) ([]profile.Profile, string, error) {
	list, name, err := b.Profiles.List(ctx)
	slices.Reverse(list)
	return list, name, err
}

// environment gives any variable as a secret.
type environment struct{ port.NamedSecrets }

func (e environment) Value(ctx context.Context, name string) (redact.Secret, error) {
	s, err := e.NamedSecrets.Value(ctx, name)
	if v, set := os.LookupEnv(name); err != nil && set {
		return redact.NewSecret(v), nil
	}
	return s, err
}

func catalogOn(wrap func(*fake.Catalog) port.Catalog) func(t *testing.T) {
	return func(t *testing.T) {
		porttest.RunCatalog(t, porttest.CatalogHarness{
			New: func(t *testing.T) port.Catalog {
				c, err := fake.NewCatalog()
				if err != nil {
					t.Fatal(err)
				}
				return wrap(c)
			},
			Table: "firewall/address", Singleton: "system/global", Monitor: "monitor/system/status",
			Without: porttest.Without{porttest.Windows},
		})
	}
}

type curt struct{ port.Catalog }

func (c curt) Resource(path string, at schema.Version) (*schema.Resource, error) {
	r, err := c.Catalog.Resource(path, at)
	if err != nil {
		return nil, fault.New(fault.NotFound, "no")
	}
	return r, nil
}

type mixed struct{ port.Catalog }

func (m mixed) Search(query string, _ schema.Kind) []port.Hit { return m.Catalog.Search(query, "") }
