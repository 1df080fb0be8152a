package app

import (
	"context"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/transport-cli/internal/command/configure"
)

// store gives the command configure the operator's file.
func (a *app) store() (configure.Store, error) {
	home, _, err := a.home()
	if err != nil {
		return nil, err
	}
	return settings{config.Open(home)}, nil
}

// settings is the operator's configuration as configure sees it.
type settings struct{ file *config.File }

var _ configure.Store = settings{}

// Profile is what a profile is set to.
func (s settings) Profile(ctx context.Context, name string) (configure.Profile, bool, error) {
	d, err := s.file.Read(ctx)
	if err != nil {
		return configure.Profile{}, false, err
	}
	if name == "" {
		name = d.DefaultProfile
	}
	e, known := d.Profiles[name]
	return configure.Profile{
		Name: name, Host: e.Host, Port: e.Port, VDOM: e.VDOM, Mode: e.Mode, Token: configure.Token(e.Token),
		Trust: configure.Trust{Pin: e.TLS.PinSHA256, CAFile: e.TLS.CAFile}, Timeout: e.Timeout,
	}, known, nil
}

// Save makes or replaces a profile; what configure does not set stays.
func (s settings) Save(ctx context.Context, p configure.Profile) (string, error) {
	err := s.file.Update(ctx, func(d *config.Document) error {
		e := d.Profiles[p.Name]
		e.Host, e.Port, e.VDOM, e.Mode, e.Timeout = p.Host, p.Port, p.VDOM, p.Mode, p.Timeout
		e.Token = config.Source(p.Token)
		e.TLS = config.TLS{CAFile: p.Trust.CAFile, PinSHA256: p.Trust.Pin}
		d.Profiles[p.Name] = e
		if p.Default {
			d.DefaultProfile = p.Name
		}
		return nil
	})
	return s.file.Path(), err
}
