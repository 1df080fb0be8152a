package fortifx

import (
	"context"
	"fmt"

	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

	"github.com/forti-mcp/forti/core/engine"
)

// Build puts an engine together and starts its graph. more adds what a program
// provides itself or wants to have (fx.Populate). The caller calls stop once. The
// error says which part is missing.
func Build(ctx context.Context, o Options, more ...fx.Option) (eng *engine.Engine, stop func(context.Context) error, err error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	app := fx.New(Module(o), Log(o), fx.Options(more...), fx.Populate(&eng))
	if err := app.Err(); err != nil {
		return nil, nil, fmt.Errorf("fortifx: %w", err)
	}
	if err := app.Start(ctx); err != nil {
		return nil, nil, fmt.Errorf("fortifx: %w", err)
	}
	return eng, app.Stop, nil
}

// Log says where fx tells what it does: to the logger where the program is
// verbose, else nowhere.
func Log(o Options) fx.Option {
	return fx.WithLogger(func() fxevent.Logger {
		if o.Verbose && o.Logger != nil {
			return &fxevent.ZapLogger{Logger: o.Logger}
		}
		return fxevent.NopLogger
	})
}
