package config_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
	"github.com/forti-mcp/forti/core/profile"
)

// home is a directory of the user's alone that holds this configuration.
func home(t *testing.T, text string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "config.json"), text)
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestProfilesSuite(t *testing.T) {
	porttest.RunProfiles(t, porttest.ProfilesHarness{
		New: func(t *testing.T, byDefault string, list []profile.Profile) port.Profiles {
			file := config.Open(filepath.Join(t.TempDir(), "home"))
			err := file.Update(t.Context(), func(d *config.Document) error {
				d.DefaultProfile = byDefault
				for _, p := range list {
					d.Profiles[p.Name] = config.Entry{Host: p.Host, Port: p.Port, VDOM: p.VDOM, Mode: p.Mode, Token: config.Source{Env: "T"}}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return file
		},
		Broken: func(t *testing.T) port.Profiles { return config.Open(home(t, "{")) },
	})
}

func TestAMissingFileIsAConfigurationWithoutProfiles(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(t.TempDir(), "none"), empty} {
		file := config.Open(dir)
		list, byDefault, err := file.List(t.Context())
		if err != nil || len(list) != 0 || byDefault != "" {
			t.Errorf("got %v, %q, %v", list, byDefault, err)
		}
		if secrets, err := file.Secrets(t.Context()); err != nil || len(secrets) != 0 {
			t.Errorf("got %v, %v", secrets, err)
		}
		_, err = file.Connection(t.Context(), "x")
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("got %v", err)
		}
	}
	if _, err := os.Stat(filepath.Join(empty, "config.json")); !errors.Is(err, os.ErrNotExist) {
		t.Error("reading made a file")
	}
}

func TestDefaultsAreFilledIn(t *testing.T) {
	list, _, err := config.Open(home(t, with(""))).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []profile.Profile{{
		Name: "a", Host: "192.0.2.1", Port: 443, VDOM: "root", Mode: profile.Guarded, Trust: "system",
		Timeout: 30 * time.Second, ResultBytes: 40_000, MaxOperations: 500,
	}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
}

func TestAProfileCarriesWhatTheFileSays(t *testing.T) {
	dir := home(t, full)
	write(t, filepath.Join(dir, "ca.pem"), "authorities")
	sum := sha256.Sum256([]byte("authorities"))
	file := config.Open(dir)
	list, byDefault, err := file.List(t.Context())
	if err != nil || byDefault != "home" || len(list) != 2 {
		t.Fatalf("got %v, %q, %v", list, byDefault, err)
	}
	want := profile.Profile{
		Name: "home", Host: "192.0.2.1", Port: 8443, VDOM: "edge", Mode: profile.Guarded, Trust: "spki-sha256:" + pin,
		Timeout: 45 * time.Second, NoBackup: true, ResultBytes: 50_000, MaxOperations: 20,
		AltHosts: []string{"192.0.2.2", "fw.example.net"}, ManagementInterface: "mgmt", APIUser: "forti",
		AllowActions: []string{"monitor/system/os/reboot"}, Deny: []string{"system/admin"},
		Approval: profile.Approval{Signers: filepath.Join(dir, "signers"), Required: 2},
	}
	if diff := cmp.Diff(want, list[0]); diff != "" {
		t.Error(diff)
	}
	if want := "ca:" + hex.EncodeToString(sum[:]); list[1].Trust != want {
		t.Errorf("trust is %q, not %q", list[1].Trust, want)
	}
	c, err := file.Connection(t.Context(), "lab")
	if err != nil || string(c.CA) != "authorities" || c.Proxy != nil || len(c.Token.Command) != 3 {
		t.Errorf("got %+v, %v", c, err)
	}
	c, err = file.Connection(t.Context(), "home")
	if err != nil || !c.Token.Keyring || c.CA != nil || c.Proxy == nil || c.Proxy.Host != "proxy.example.net:3128" {
		t.Errorf("got %+v, %v", c, err)
	}
	secrets, err := file.Secrets(t.Context())
	if err != nil || secrets["psk"].Env != "PSK" || secrets["radius"].File != filepath.Join(dir, "radius.secret") {
		t.Errorf("got %v, %v", secrets, err)
	}
	if state, err := file.State(t.Context()); err != nil || !state.AllowNetworkFilesystem {
		t.Errorf("got %v, %v", state, err)
	}
}

func TestAMissingAuthorityMakesTheConfigurationUnusable(t *testing.T) {
	_, _, err := config.Open(home(t, full)).List(t.Context())
	if fault.CodeOf(err) != fault.Config || !strings.Contains(fault.From(err).Message, "ca.pem") {
		t.Errorf("got %v", err)
	}
}

func TestAnUnknownProfileListsTheOthers(t *testing.T) {
	_, err := config.Open(home(t, with(""))).Connection(t.Context(), "b")
	f := fault.From(err)
	if diff := cmp.Diff([]string{"a"}, f.Details["profiles"]); f.Code != fault.NotFound || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestAChangeOfTheOperatorsHoldsAtOnce(t *testing.T) {
	dir := home(t, with(""))
	file := config.Open(dir)
	if list, _, err := file.List(t.Context()); err != nil || list[0].Mode != profile.Guarded {
		t.Fatalf("got %v, %v", list, err)
	}
	write(t, filepath.Join(dir, "config.json"), strings.Replace(with(""), "guarded", "read_only", 1))
	if list, _, err := file.List(t.Context()); err != nil || list[0].Mode != profile.ReadOnly {
		t.Errorf("got %v, %v", list, err)
	}
}

func TestUpdateWritesAFileOfTheUsersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	file := config.Open(dir)
	err := file.Update(t.Context(), func(d *config.Document) error {
		*d = fullDocument()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file.Path())
	if err != nil || string(got) != full {
		t.Errorf("%v, %s", err, cmp.Diff(full, string(got)))
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, file.Path(): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 1 {
		t.Errorf("the directory holds %v, %v", names, err)
	}
}

func TestAnUpdateThatFailsLeavesTheFileAlone(t *testing.T) {
	no := errors.New("no")
	for name, c := range map[string]struct {
		change func(dir string, d *config.Document) error
		code   fault.Code
	}{
		"its own error":      {func(string, *config.Document) error { return no }, fault.Internal},
		"an unusable result": {func(_ string, d *config.Document) error { d.DefaultProfile = "x"; return nil }, fault.Config},
		"a change by another one": {func(dir string, _ *config.Document) error {
			return os.WriteFile(filepath.Join(dir, "config.json"), []byte(with("")+"\n"), 0o600)
		}, fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			dir := home(t, with(""))
			file := config.Open(dir)
			err := file.Update(t.Context(), func(d *config.Document) error { return c.change(dir, d) })
			if fault.CodeOf(err) != c.code {
				t.Errorf("got %v", err)
			}
			if got, err := os.ReadFile(file.Path()); err != nil || strings.TrimSpace(string(got)) != with("") {
				t.Errorf("the file says %s, %v", got, err)
			}
		})
	}
}

func TestACancelledContextReadsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := config.Open(home(t, with(""))).List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAHugeFileIsRefused(t *testing.T) {
	_, err := config.Open(home(t, strings.Repeat(" ", 2<<20))).Read(t.Context())
	if fault.CodeOf(err) != fault.Config {
		t.Errorf("got %v", err)
	}
}

// What the file says now counts, also where it was replaced by one of the same size
// within the same moment.
func TestEachReadSeesTheFileAsItIs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	f := config.Open(dir)
	set := func(mode profile.Mode) {
		t.Helper()
		err := f.Update(t.Context(), func(d *config.Document) error {
			d.Profiles["a"] = config.Entry{Host: "192.0.2.1", Mode: mode, Token: config.Source{Env: "X"}}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 50 {
		for _, mode := range []profile.Mode{profile.ReadOnly, profile.Guarded} {
			set(mode)
			d, err := f.Read(t.Context())
			if err != nil || d.Profiles["a"].Mode != mode {
				t.Fatalf("%v, %v, want %s", d.Profiles["a"].Mode, err, mode)
			}
			d.Profiles["b"] = config.Entry{} // is the reader's own
		}
	}
	if d, err := f.Read(t.Context()); err != nil || len(d.Profiles) != 1 {
		t.Errorf("%v, %v", d.Profiles, err)
	}
}

// A file that is not read again is still looked at: whose it is, and who else could
// change it.
func TestWhatIsKnownAlreadyIsLookedAtEachTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	f := config.Open(dir)
	err := f.Update(t.Context(), func(d *config.Document) error {
		d.Profiles["a"] = config.Entry{Host: "192.0.2.1", Mode: profile.Guarded, Token: config.Source{Env: "X"}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f.TrustAtOnce()
	for _, path := range []string{dir, filepath.Join(dir, "config.json")} {
		for range 2 {
			if _, err := f.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if runtime.GOOS == "linux" && !f.Remembers() {
			t.Fatal("the file is read each time")
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, info.Mode().Perm()|0o007); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Read(t.Context()); fault.CodeOf(err) != fault.Config {
			t.Errorf("%s is open to others: %v", path, err)
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
}
