package fortifx

import (
	"context"

	"go.uber.org/fx"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/adapters/credential"
	"github.com/forti-mcp/forti/adapters/fortiosdevice"
	"github.com/forti-mcp/forti/adapters/sshsign"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// Module bundles the adapters and provides the engine.
func Module(o Options) fx.Option {
	return fx.Options(
		fx.Supply(o),
		Config(), Credential(), Device(), Signature(), State(), System(),
		fx.Module("engine", fx.Provide(newEngine)),
	)
}

// Config provides the operator's configuration, as itself and as port.Profiles.
func Config() fx.Option {
	return fx.Module("config", fx.Provide(
		func(o Options) *config.File { return config.Open(o.Home) },
		func(f *config.File) port.Profiles { return f },
	))
}

// Credential provides the sources of tokens and secrets, and port.NamedSecrets.
func Credential() fx.Option {
	return fx.Module("credential", fx.Provide(
		Sources,
		func(f *config.File, s *credential.Sources) port.NamedSecrets {
			return credential.NewNamed(s, secrets(f))
		},
	))
}

// Sources are the sources of secrets of a home. Its entries in the keyring are its
// own: two homes may have profiles of one name for different devices.
func Sources(o Options) *credential.Sources {
	return credential.New(&credential.Options{Service: o.service()})
}

// Device provides port.Devices over HTTPS and the compiled-in port.Catalog.
func Device() fx.Option {
	return fx.Module("fortiosdevice", fx.Provide(
		func(o Options, f *config.File, s *credential.Sources) port.Devices {
			return fortiosdevice.NewDevices(Access(f, s), &fortiosdevice.Options{ReadOnly: o.ReadOnly, UserAgent: o.userAgent()})
		},
		func() port.Catalog { return fortiosdevice.NewCatalog(catalog.Open()) },
	))
}

// Access finds what reaching a profile's device needs in the configuration.
func Access(f *config.File, s *credential.Sources) fortiosdevice.Accessor {
	return func(ctx context.Context, p profile.Profile) (fortiosdevice.Access, error) {
		c, err := f.Connection(ctx, p.Name)
		if err != nil {
			return fortiosdevice.Access{}, err
		}
		token := func(ctx context.Context) (redact.Secret, error) {
			return s.Token(ctx, credential.TokenEntry(p.Name), credential.Source(c.Token))
		}
		return fortiosdevice.Access{Token: token, CA: c.CA, Proxy: c.Proxy}, nil
	}
}

// secrets lists the named secrets of a configuration.
func secrets(f *config.File) credential.Lister {
	return func(ctx context.Context) (map[string]credential.Source, error) {
		list, err := f.Secrets(ctx)
		if err != nil {
			return nil, err
		}
		out := make(map[string]credential.Source, len(list))
		for name, s := range list {
			out[name] = credential.Source(s)
		}
		return out, nil
	}
}

// Signature provides port.Verifier for approvals signed with SSH keys.
func Signature() fx.Option {
	return fx.Module("sshsign", fx.Provide(func(c port.Clock) port.Verifier { return sshsign.New(c) }))
}

// ports is engine.Ports as fx fills it.
type ports struct {
	fx.In

	Profiles  port.Profiles
	Devices   port.Devices
	Catalog   port.Catalog
	Plans     port.Plans
	Secrets   port.PlanSecrets
	Approvals port.Approvals
	Journals  port.Journals
	Audit     port.AuditLog
	Backups   port.Backups
	Locks     port.Locks
	Named     port.NamedSecrets
	Verifier  port.Verifier
	Clock     port.Clock
	Random    port.Random
}

func newEngine(o Options, p ports) (*engine.Engine, error) {
	return engine.New(engine.Ports{
		Profiles: p.Profiles, Devices: p.Devices, Catalog: p.Catalog, Plans: p.Plans, Secrets: p.Secrets,
		Approvals: p.Approvals, Journals: p.Journals, Audit: p.Audit, Backups: p.Backups, Locks: p.Locks,
		Named: p.Named, Verifier: p.Verifier, Clock: p.Clock, Random: p.Random,
	}, o.engine())
}
