package fortifx_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
)

// combinations are the options that flags can make.
func combinations() map[string]fortifx.Options {
	all := map[string]fortifx.Options{}
	for bits := range 1 << 7 {
		on := func(bit int) bool { return bits&(1<<bit) != 0 }
		o := fortifx.Options{Home: "/nowhere/at/all", DefaultHome: on(0), ReadOnly: on(1), Verbose: on(2)}
		if on(3) {
			o.Visible = []string{"a", "b"}
		}
		if on(4) {
			o.ResultBytes = 4000
		}
		if on(5) {
			o.Version = "1.2.3"
		}
		if on(6) {
			o.Logger = zap.NewNop()
		}
		all[fmt.Sprintf("%07b", bits)] = o
	}
	return all
}

func TestTheGraphIsCompleteForEveryCombinationOfFlags(t *testing.T) {
	for name, o := range combinations() {
		if err := fx.ValidateApp(fortifx.Module(o), fortifx.Log(o), fx.Invoke(func(*engine.Engine) {})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		eng, stop, err := fortifx.Build(t.Context(), o)
		if err != nil || eng == nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := stop(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAMissingPartIsNoticed(t *testing.T) {
	o := fortifx.Options{Home: "/nowhere"}
	err := fx.ValidateApp(fx.NopLogger, fx.Supply(o), fortifx.Config(), fortifx.Device(), fx.Invoke(func(port.Devices) {}))
	if err == nil {
		t.Error("devices without credentials pass as complete")
	}
}

func TestTheGraphStartsAndStopsInATest(t *testing.T) {
	var eng *engine.Engine
	app := fxtest.New(t, fortifx.Module(fortifx.Options{Home: newHome(t)}), fx.Populate(&eng))
	app.RequireStart().RequireStop()
	if eng == nil {
		t.Error("there is no engine")
	}
}

func TestAHomeMustBeAbsolute(t *testing.T) {
	for _, home := range []string{"", "forti", "./forti", "~/.forti"} {
		if _, _, err := fortifx.Build(t.Context(), fortifx.Options{Home: home}); err == nil {
			t.Errorf("%q is taken", home)
		}
	}
}

// A broken configuration is the answer to a request, not the end of the program.
func TestStartingTouchesAndReadsNothing(t *testing.T) {
	home := newHome(t)
	build(t, fortifx.Options{Home: home})
	if _, err := os.Lstat(home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the home was touched: %v", err)
	}
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home, "config.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	eng := build(t, fortifx.Options{Home: home})
	for name, call := range map[string]func() error{
		"discover": func() error {
			_, err := eng.Discover(t.Context(), engine.Caller{}, request.Discover{What: request.Devices})
			return err
		},
		"list": func() error { _, err := eng.List(t.Context(), engine.Caller{}); return err },
	} {
		if err := call(); fault.CodeOf(err) != fault.Config || !strings.Contains(fault.From(err).Message, "config.json") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if names, err := os.ReadDir(home); err != nil || len(names) != 1 {
		t.Errorf("the home holds %v, %v", names, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if list, err := eng.List(t.Context(), engine.Caller{}); err != nil || len(list) != 0 {
		t.Errorf("a mended configuration needs a new start: %v, %v", list, err)
	}
}

func TestTheGraphTellsOfItselfOnlyWhenAsked(t *testing.T) {
	for verbose, want := range map[bool]bool{false: false, true: true} {
		core, logs := observer.New(zap.DebugLevel)
		build(t, fortifx.Options{Home: "/nowhere", Logger: zap.New(core), Verbose: verbose})
		if got := logs.Len() > 0; got != want {
			t.Errorf("verbose %v: %d lines", verbose, logs.Len())
		}
	}
	build(t, fortifx.Options{Home: "/nowhere", Verbose: true}) // without a logger: silence
}

func TestAProgramAddsWhatItProvidesAndTakesWhatItNeeds(t *testing.T) {
	var store *fortifx.Store
	broken := errors.New("no")
	_, _, err := fortifx.Build(t.Context(), fortifx.Options{Home: "/nowhere"}, fx.Populate(&store),
		fx.Invoke(func(lc fx.Lifecycle) { lc.Append(fx.StartHook(func(context.Context) error { return broken })) }))
	if !errors.Is(err, broken) || store == nil {
		t.Errorf("got %v, %v", store, err)
	}
}
