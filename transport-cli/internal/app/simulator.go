package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/fortios-client/fortios"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/transport-cli/internal/command/configure"
	"github.com/forti-mcp/forti/transport-cli/internal/command/demo"
)

// certificate fetches what a device presents, for a person to compare.
func certificate(ctx context.Context, host string, port int) (configure.Certificate, error) {
	c, err := fortios.FetchCertificate(ctx, host, port)
	if err != nil {
		return configure.Certificate{}, fault.Wrap(err, unreachable(err), "%s port %d shows no certificate; check the address and that HTTPS administration is on", host, port)
	}
	sum := sha256.Sum256(c.Raw)
	return configure.Certificate{
		Subject: c.Subject.String(), Issuer: c.Issuer.String(), From: c.NotBefore, Until: c.NotAfter,
		Fingerprint: colons(sum[:]), Pin: fortios.PinOf(c),
	}, nil
}

// colons writes bytes as devices show fingerprints: AB:CD:EF.
func colons(sum []byte) string {
	parts := make([]string, 0, len(sum))
	for _, b := range sum {
		parts = append(parts, fmt.Sprintf("%02X", b))
	}
	return strings.Join(parts, ":")
}

// unreachable is the code of a certificate that could not be fetched.
func unreachable(err error) fault.Code {
	switch fortios.KindOf(err) {
	case fortios.KindInvalid:
		return fault.Usage
	case fortios.KindTLS:
		return fault.TLS
	default:
		return fault.DeviceUnreachable
	}
}

func listen(ctx context.Context, addr string) (*fortisim.Device, *fortisim.Server, error) {
	device, err := fortisim.New(nil)
	if err != nil {
		return nil, nil, err
	}
	server, err := device.Listen(ctx, addr)
	return device, server, err
}

// stage sets the demonstration up: a device on loopback and a home of its own.
func (a *app) stage(ctx context.Context) (*demo.Stage, error) {
	// The device outlives an interrupt, so that what was begun can be finished.
	device, server, err := listen(context.WithoutCancel(ctx), "127.0.0.1:0")
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the simulated FortiGate could not be started")
	}
	home, err := throwAway(ctx, server)
	if err != nil {
		return nil, errors.Join(err, server.Close())
	}
	p, err := assemble(ctx, home, false)
	if err != nil {
		return nil, errors.Join(err, server.Close(), os.RemoveAll(home))
	}
	return &demo.Stage{
		Engine: p.engine, Profile: demoProfile, Serial: device.Serial(), Host: server.Host, Port: server.Port,
		Snapshot: device.Snapshot, Writes: device.Writes,
		Close: func() error { return errors.Join(p.close(), server.Close(), os.RemoveAll(home)) },
	}, nil
}

const demoProfile = "demo"

// throwAway makes a home with a guarded profile of a device. Its token stands in a
// file that the user alone can read.
func throwAway(ctx context.Context, server *fortisim.Server) (home string, err error) {
	home, err = os.MkdirTemp("", "forti-demo-")
	if err != nil {
		return "", fault.Wrap(err, fault.Config, "no temporary directory could be made; set TMPDIR")
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(home))
		}
	}()
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return home, fault.Wrap(err, fault.Config, "the temporary directory cannot be used; set TMPDIR")
	}
	token := filepath.Join(home, "token")
	if err := os.WriteFile(token, []byte(server.Token+"\n"), 0o600); err != nil {
		return home, fault.Wrap(err, fault.Config, "the temporary directory cannot be written; set TMPDIR")
	}
	return home, config.Open(home).Update(ctx, func(d *config.Document) error {
		d.DefaultProfile = demoProfile
		d.Profiles[demoProfile] = config.Entry{
			Host: server.Host, Port: server.Port, Mode: profile.Guarded,
			Token: config.Source{File: token}, TLS: config.TLS{PinSHA256: server.PinSHA256},
		}
		return nil
	})
}
