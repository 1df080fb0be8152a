package porttest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

// ProfilesHarness is the harness of [RunProfiles].
type ProfilesHarness struct {
	// New makes a configuration of these profiles; Name, Host, Port, VDOM and Mode
	// are set and are compared.
	New func(t *testing.T, defaultName string, list []profile.Profile) port.Profiles
	// Broken makes a configuration that cannot be used.
	Broken func(t *testing.T) port.Profiles
	// Without may declare Breaking.
	Without Without
}

// RunProfiles checks [port.Profiles].
func RunProfiles(t *testing.T, h ProfilesHarness) {
	list := []profile.Profile{
		{Name: "home", Host: "192.0.2.1", Port: 443, VDOM: "root", Mode: profile.ReadOnly},
		{Name: "branch-2", Host: "fw.example.net", Port: 8443, VDOM: "edge", Mode: profile.Guarded},
		{Name: "Lab", Host: "198.51.100.1", Port: 443, VDOM: "root", Mode: profile.Autonomous},
	}
	t.Run("List gives all profiles, sorted by name", func(t *testing.T) {
		got, defaultName, err := h.New(t, "home", list).List(t.Context())
		must(t, err)
		if diff := cmp.Diff([]profile.Profile{list[2], list[1], list[0]}, essence(got)); diff != "" {
			t.Error(diff)
		}
		if defaultName != "home" {
			t.Errorf("the default is %q", defaultName)
		}
	})
	t.Run("there may be no default and no profile", func(t *testing.T) {
		_, defaultName, err := h.New(t, "", list[:2]).List(t.Context())
		must(t, err)
		if defaultName != "" {
			t.Errorf("the default is %q", defaultName)
		}
		got, _, err := h.New(t, "", nil).List(t.Context())
		must(t, err)
		if len(got) != 0 {
			t.Errorf("%d profiles", len(got))
		}
	})
	t.Run("the list belongs to the caller", func(t *testing.T) {
		p := h.New(t, "", list)
		first, _, err := p.List(t.Context())
		must(t, err)
		clear(first)
		second, _, err := p.List(t.Context())
		must(t, err)
		if len(second) != 3 || second[0].Name != "Lab" {
			t.Error("the configuration changed with the caller's list")
		}
	})
	t.Run("an unusable configuration is config", func(t *testing.T) {
		h.Without.need(t, Breaking, h.Broken != nil)
		_, _, err := h.Broken(t).List(t.Context())
		wantCode(t, err, fault.Config)
	})
}

// essence leaves the members that every configuration has.
func essence(list []profile.Profile) []profile.Profile {
	out := slices.Clone(list)
	for i, p := range list {
		out[i] = profile.Profile{Name: p.Name, Host: p.Host, Port: p.Port, VDOM: p.VDOM, Mode: p.Mode}
	}
	return out
}

// NamedSecretsHarness is the harness of [RunNamedSecrets].
type NamedSecretsHarness struct {
	// New lists secrets by name.
	New func(t *testing.T, values map[string]string) port.NamedSecrets
	// Broken lists one secret of this name whose source fails.
	Broken func(t *testing.T, name string) port.NamedSecrets
	// Without may declare Breaking.
	Without Without
}

// RunNamedSecrets checks [port.NamedSecrets].
func RunNamedSecrets(t *testing.T, h NamedSecretsHarness) {
	values := map[string]string{"vpn": "a b\"c", "admin": "x", "zone-1": "y"}
	t.Run("Names are sorted", func(t *testing.T) {
		got, err := h.New(t, values).Names(t.Context())
		must(t, err)
		if !slices.Equal(got, []string{"admin", "vpn", "zone-1"}) {
			t.Errorf("%v", got)
		}
		none, err := h.New(t, nil).Names(t.Context())
		must(t, err)
		if len(none) != 0 {
			t.Errorf("%v", none)
		}
	})
	t.Run("Value gives exactly the value", func(t *testing.T) {
		n := h.New(t, values)
		for name, want := range values {
			got, err := n.Value(t.Context(), name)
			must(t, err)
			if got.Reveal() != want {
				t.Errorf("the value of %s has %d bytes, want %d", name, got.Len(), len(want))
			}
		}
	})
	t.Run("a name that is not listed is not found", func(t *testing.T) {
		for _, name := range []string{"", "VPN", "../vpn", "PATH", "none"} {
			got, err := h.New(t, values).Value(t.Context(), name)
			wantCode(t, err, fault.NotFound)
			if !got.IsZero() {
				t.Errorf("%q has a value", name)
			}
		}
	})
	t.Run("a source that fails is config", func(t *testing.T) {
		h.Without.need(t, Breaking, h.Broken != nil)
		got, err := h.Broken(t, "vpn").Value(t.Context(), "vpn")
		wantCode(t, err, fault.Config)
		if !got.IsZero() {
			t.Error("there is a value")
		}
	})
}
