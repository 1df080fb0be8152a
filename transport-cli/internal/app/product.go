package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
)

// product is the engine over the real adapters, put together when the first
// command asks for it.
type product struct {
	engine *engine.Engine
	stop   func(context.Context) error
}

func (p *product) close() error {
	if p.stop == nil {
		return nil
	}
	return p.stop(context.Background())
}

// assemble puts an engine together over a home.
func assemble(ctx context.Context, home string, isDefault bool) (product, error) {
	e, stop, err := fortifx.Build(ctx, fortifx.Options{Home: home, DefaultHome: isDefault, Version: number})
	if err != nil {
		return product{}, fault.Wrap(err, fault.Internal, "the program could not be put together")
	}
	return product{engine: e, stop: stop}, nil
}

// open gives a command its part of the engine.
func open[E any](a *app) command.Open[E] {
	return func(ctx context.Context) (E, error) {
		var none E
		if a.product.engine == nil {
			home, isDefault, err := a.home()
			if err != nil {
				return none, err
			}
			if a.product, err = assemble(ctx, home, isDefault); err != nil {
				return none, err
			}
		}
		part, ok := any(a.product.engine).(E)
		if !ok { // each command asserts at compile time that the engine has its part
			return none, fault.New(fault.Internal, "the engine lacks what this command needs")
		}
		return part, nil
	}
}

// home is where configuration and state are.
func (a *app) home() (path string, isDefault bool, err error) {
	return config.ResolveHome(a.getenv, a.flags.home)
}

// existing is the home, which exists.
func (a *app) existing() (string, error) {
	if err := a.exists(); err != nil {
		return "", err
	}
	path, _, err := a.home()
	return path, err
}

// exists fails where there is no home at all.
func (a *app) exists() error {
	path, _, err := a.home()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(err, fault.Config, "there is no home at %s, so nothing was ever recorded there; check --home and FORTI_HOME", path).With("path", path)
	}
	return nil
}

// otherHome is the home, or "" where it is the usual one.
func (a *app) otherHome() string {
	path, isDefault, err := a.home()
	if err != nil || isDefault {
		return ""
	}
	return path
}

// suffix is what a command needs to find the same home.
func (a *app) suffix() string {
	home := a.otherHome()
	return fortifx.Suffix(home, home == "")
}

func absolute(path string) (string, error) { return filepath.Abs(path) }
