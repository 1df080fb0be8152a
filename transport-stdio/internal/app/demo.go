package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// demoProfile is the profile of the simulated FortiGate, demoToken the file with
// its token, in the home directory.
const (
	demoProfile = "demo"
	demoToken   = "demo.token"
)

// demo is a simulated FortiGate, and a home with a profile that leads to it. The
// zero demo is none.
type demo struct {
	home string
	// made: the home is a temporary one, which goes with the demo.
	made   bool
	server *fortisim.Server
}

// startDemo serves a simulated FortiGate on a free port of this machine and writes
// its profile to home, or to a fresh temporary one where home is "".
func startDemo(home string) (d demo, err error) {
	d.home = home
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("the demo cannot be started: %w", err), d.close())
		}
	}()
	if home == "" {
		if d.home, err = os.MkdirTemp("", "forti-demo-"); err != nil {
			return d, err
		}
		d.made = true
	}
	device, err := fortisim.New(nil)
	if err != nil {
		return d, err
	}
	if d.server, err = device.Listen(context.Background(), "127.0.0.1:0"); err != nil {
		return d, err
	}
	return d, d.configure()
}

// configure writes the profile and its token.
func (d demo) configure() error {
	err := config.Open(d.home).Update(context.Background(), func(c *config.Document) error {
		if old, exists := c.Profiles[demoProfile]; exists && old.Host != d.server.Host {
			return fmt.Errorf("the configuration in %s has a profile %q for %s; choose another --home", d.home, demoProfile, old.Host)
		}
		if len(c.Profiles) == 0 {
			c.DefaultProfile = demoProfile
		}
		c.Profiles[demoProfile] = config.Entry{
			Host: d.server.Host, Port: d.server.Port, Mode: profile.Guarded,
			Token: config.Source{File: demoToken}, TLS: config.TLS{PinSHA256: d.server.PinSHA256},
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeToken(filepath.Join(d.home, demoToken), d.server.Token)
}

// writeToken replaces a file that only the user can read.
func writeToken(path, token string) error {
	f, err := os.CreateTemp(filepath.Dir(path), demoToken+"-")
	if err != nil {
		return err
	}
	_, err = f.WriteString(token + "\n")
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// notice tells the operator where the demo is.
func (d demo) notice() string {
	text := fmt.Sprintf("forti-mcp: demo: a simulated FortiGate on %s is profile %q in %s", d.server.Addr, demoProfile, d.home)
	if d.made {
		text += ", which is removed at the end"
	}
	return text
}

func (d demo) close() error {
	var errs []error
	if d.server != nil {
		errs = append(errs, d.server.Close())
	}
	if d.made {
		errs = append(errs, os.RemoveAll(d.home))
	}
	return errors.Join(errs...)
}
