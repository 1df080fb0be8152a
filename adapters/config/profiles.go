package config

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

var _ port.Profiles = (*File)(nil)

// List gives all profiles, sorted by name, and the default's name or "".
func (f *File) List(ctx context.Context) ([]profile.Profile, string, error) {
	d, err := f.Read(ctx)
	if err != nil {
		return nil, "", err
	}
	list := make([]profile.Profile, 0, len(d.Profiles))
	for _, name := range slices.Sorted(maps.Keys(d.Profiles)) {
		p, _, err := f.profile(name, d.Profiles[name])
		if err != nil {
			return nil, "", err
		}
		list = append(list, p)
	}
	return list, d.DefaultProfile, nil
}

// Connection is what reaching a profile's device needs besides the profile.
type Connection struct {
	// Token says where the API token comes from.
	Token Source
	// CA is the contents of ca_file; nil where none is set.
	CA []byte
	// Proxy is nil for none.
	Proxy *url.URL
}

// Connection gives the connection of a profile. Failures: config, not_found with
// details.profiles.
func (f *File) Connection(ctx context.Context, name string) (Connection, error) {
	d, err := f.Read(ctx)
	if err != nil {
		return Connection{}, err
	}
	e, ok := d.Profiles[name]
	if !ok {
		names := slices.Sorted(maps.Keys(d.Profiles))
		return Connection{}, fault.New(fault.NotFound, "there is no profile %q; the profiles are %s", name, strings.Join(names, ", ")).
			With("profiles", names)
	}
	_, ca, err := f.profile(name, e)
	if err != nil {
		return Connection{}, err
	}
	c := Connection{Token: f.absolute(e.Token), CA: ca}
	if e.Proxy != "" {
		c.Proxy, err = proxyURL(e.Proxy)
	}
	return c, err
}

// Secrets gives the sources of the named secrets. Failures: config.
func (f *File) Secrets(ctx context.Context) (map[string]Source, error) {
	d, err := f.Read(ctx)
	if err != nil {
		return nil, err
	}
	for name, s := range d.Secrets {
		d.Secrets[name] = f.absolute(s)
	}
	return d.Secrets, nil
}

// State gives what the file says about the state directory. Failures: config.
func (f *File) State(ctx context.Context) (State, error) {
	d, err := f.Read(ctx)
	return d.State, err
}

func (f *File) absolute(s Source) Source {
	s.File = f.at(s.File)
	return s
}

// at is a path of the file's, seen from home.
func (f *File) at(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.home, path)
}

// profile fills the defaults in. ca is the contents of the profile's ca_file.
func (f *File) profile(name string, e Entry) (p profile.Profile, ca []byte, err error) {
	p = profile.Profile{
		Name: name, Host: e.Host, Port: or(e.Port, profile.DefaultPort), VDOM: or(e.VDOM, profile.DefaultVDOM), Mode: e.Mode,
		Trust: "system", Timeout: or(e.Timeout, profile.DefaultTimeout), NoBackup: e.NoBackup,
		ResultBytes: or(e.MaxResultBytes, profile.DefaultResultBytes), MaxOperations: or(e.MaxOperations, profile.MaxOperations),
		AltHosts: e.AltHosts, ManagementInterface: e.ManagementInterface, APIUser: e.APIUser,
		AllowActions: e.AllowActions, Deny: e.Deny,
		Approval: profile.Approval{Signers: f.at(e.Approval.Signers), Required: e.Approval.Required},
	}
	switch {
	case e.TLS.PinSHA256 != "":
		p.Trust = "spki-sha256:" + strings.ToLower(e.TLS.PinSHA256)
	case e.TLS.CAFile != "":
		if ca, err = readCA(name, f.at(e.TLS.CAFile)); err != nil {
			return profile.Profile{}, nil, err
		}
		sum := sha256.Sum256(ca)
		p.Trust = "ca:" + hex.EncodeToString(sum[:])
	}
	return p, ca, nil
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// maxCA is far above any bundle of authorities, in bytes.
const maxCA = 4 << 20

// readCA reads a profile's authorities. They are public: anybody may read the
// file, and what it says is part of each plan.
func readCA(name, path string) ([]byte, error) {
	in, err := os.Open(path) // #nosec G304 -- the operator names the file
	if err != nil {
		return nil, fault.Wrap(err, fault.Config, "the ca_file %s of profile %q cannot be read", path, name).With("path", path)
	}
	defer in.Close() //nolint:errcheck // opened for reading only
	data, err := io.ReadAll(io.LimitReader(in, maxCA+1))
	if err != nil || len(data) > maxCA {
		return nil, fault.Wrap(err, fault.Config, "the ca_file %s of profile %q cannot be read, or is larger than 4 MiB", path, name).With("path", path)
	}
	return data, nil
}
