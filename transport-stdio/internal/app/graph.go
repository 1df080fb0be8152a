package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/adapters/zaplog"
)

// build says of what the engine is made; it is put together by the first call. Neither
// reads the configuration or touches state, unless a demo is asked for.
func build(o Options, errs io.Writer) (graph, error) {
	home, usual, err := config.ResolveHome(os.Getenv, o.Home)
	if err != nil && !o.Demo {
		return graph{}, err
	}
	var d demo
	if o.Demo {
		if usual || err != nil {
			home, usual = "", false // the operator's own home is not for demos
		}
		if d, err = startDemo(home); err != nil {
			return graph{}, err
		}
		home = d.home
		_, _ = fmt.Fprintln(errs, d.notice())
		if len(o.Profiles) == 0 {
			o.Profiles = []string{demoProfile}
		}
	}
	g := graph{logger: zaplog.New(errs, o.LogLevel)}
	e := &lazy{options: fortifx.Options{
		Home: home, DefaultHome: usual, ReadOnly: o.ReadOnly, Visible: o.Profiles, ResultBytes: o.ResultBytes, Version: Version, Logger: g.logger,
	}}
	g.engine = e
	g.stop = func(ctx context.Context) error { return errors.Join(e.close(ctx), d.close()) }
	return g, nil
}
