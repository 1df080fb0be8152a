package fortifx_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/fx"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
)

// lab is a simulated FortiGate and a home with a profile of it.
type lab struct {
	t    *testing.T
	sim  *fortisim.Device
	home string
	file *config.File
}

func newLab(t *testing.T, mode profile.Mode) *lab {
	t.Helper()
	return newLabOf(t, mode, nil)
}

func newLabOf(t *testing.T, mode profile.Mode, device *fortisim.Options) *lab {
	t.Helper()
	sim, server := fortisimtest.Start(t, device)
	l := &lab{t: t, sim: sim, home: newHome(t)}
	l.file = config.Open(l.home)
	err := l.file.Update(t.Context(), func(d *config.Document) error {
		d.Profiles["lab"] = config.Entry{
			Host: server.Host, Port: server.Port, Mode: mode,
			TLS: config.TLS{PinSHA256: server.PinSHA256}, Token: config.Source{File: "token"},
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.home, "token"), []byte(server.Token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

// newHome names a directory that does not exist yet, below one of the user's alone.
func newHome(t *testing.T) string {
	t.Helper()
	above := t.TempDir()
	if err := os.Chmod(above, 0o700); err != nil { // #nosec G302 -- a directory
		t.Fatal(err)
	}
	return filepath.Join(above, "it's home")
}

func build(t *testing.T, o fortifx.Options, more ...fx.Option) *engine.Engine {
	t.Helper()
	eng, stop, err := fortifx.Build(t.Context(), o, more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(context.Background()); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return eng
}

func (l *lab) build() *engine.Engine {
	return build(l.t, fortifx.Options{Home: l.home, Version: "0.0.0-test"})
}
