//go:build linux || darwin

package credential_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/adapters/credential"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
	"github.com/forti-mcp/forti/core/redact"
)

const secret = "Kq3vT9xWm2Zr8LpYd5NcHb7JsG4fQe"

// wantConfig also proves that the error shows no secret.
func wantConfig(t *testing.T, got redact.Secret, err error, says string) {
	t.Helper()
	if fault.CodeOf(err) != fault.Config || !got.IsZero() {
		t.Fatalf("got %d bytes, %v", got.Len(), err)
	}
	f := fault.From(err)
	shown := fmt.Sprintf("%s %v %v", f.Message, f.Details, f.Err)
	if strings.Contains(shown, secret) {
		t.Errorf("the error shows the secret: %s", shown)
	}
	if !strings.Contains(f.Message, says) || !strings.Contains(f.Message, "the thing") {
		t.Errorf("the message is %s", f.Message)
	}
}

func wantSecret(t *testing.T, got redact.Secret, err error, want string) {
	t.Helper()
	if err != nil || got.Reveal() != want {
		t.Errorf("got %q, %v", got.Reveal(), err)
	}
}

func read(t *testing.T, o *credential.Options, from credential.Source) (redact.Secret, error) {
	t.Helper()
	return credential.New(o).Read(t.Context(), "the thing", from)
}

func TestASourceMustBeNamed(t *testing.T) {
	got, err := read(t, nil, credential.Source{})
	wantConfig(t, got, err, "no source")
}

func TestACancelledContextFetchesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k := &keyring{}
	if _, err := credential.New(&credential.Options{Keyring: k}).Read(ctx, "the thing", credential.Source{Keyring: true}); !errors.Is(err, context.Canceled) || k.calls != 0 {
		t.Errorf("%d calls, %v", k.calls, err)
	}
}

func TestVariable(t *testing.T) {
	o := &credential.Options{LookupEnv: func(name string) (string, bool) {
		value, ok := map[string]string{"SET": secret, "EMPTY": "", "LINE": secret + "\n", "BINARY": "a\x00b" + secret, "BAD": "\xff" + secret,
			"BIG": strings.Repeat("x", credential.MaxSecret+1)}[name]
		return value, ok
	}}
	for _, name := range []string{"SET", "LINE"} {
		got, err := read(t, o, credential.Source{Env: name})
		wantSecret(t, got, err, secret)
	}
	for name, says := range map[string]string{"NONE": "not set", "EMPTY": "is empty", "BINARY": "no text", "BAD": "no text", "BIG": "64 KiB"} {
		got, err := read(t, o, credential.Source{Env: name})
		wantConfig(t, got, err, "the variable "+name)
		wantConfig(t, got, err, says)
	}
}

func file(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFile(t *testing.T) {
	for text, want := range map[string]string{secret: secret, secret + "\n": secret, secret + "\r\n": secret, "two\nlines\n": "two\nlines", " kept ": " kept "} {
		got, err := read(t, nil, credential.Source{File: file(t, text, 0o600)})
		wantSecret(t, got, err, want)
	}
	full := strings.Repeat("x", credential.MaxSecret)
	got, err := read(t, nil, credential.Source{File: file(t, full+"\r\n", 0o400)})
	wantSecret(t, got, err, full)
}

func TestAFileThatIsNotTheUsersAloneIsRefused(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(file(t, secret, 0o600), link); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, says string }{
		"absent":         {filepath.Join(t.TempDir(), "none"), "does not exist"},
		"others read":    {file(t, secret, 0o640), "open to other users"},
		"anybody reads":  {file(t, secret, 0o604), "open to other users"},
		"a link":         {link, "not a regular file"},
		"a directory":    {t.TempDir(), "not a regular file"},
		"empty":          {file(t, "\n", 0o600), "is empty"},
		"too large":      {file(t, strings.Repeat("x", credential.MaxSecret+5), 0o600), "64 KiB"},
		"one byte large": {file(t, strings.Repeat("x", credential.MaxSecret+1), 0o600), "64 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t, nil, credential.Source{File: c.path})
			wantConfig(t, got, err, c.says)
		})
	}
	t.Run("another user's", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give files away")
		}
		path := file(t, secret, 0o600)
		if err := os.Chown(path, 12345, -1); err != nil {
			t.Fatal(err)
		}
		got, err := read(t, nil, credential.Source{File: path})
		wantConfig(t, got, err, "does not belong to this user")
	})
}

// program is this test binary as a helper.
func program(t *testing.T, how string, args ...string) credential.Source {
	t.Helper()
	t.Setenv(helperVariable, how)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return credential.Source{Command: append([]string{self}, args...)}
}

func TestProgram(t *testing.T) {
	for how, want := range map[string]string{
		"plain": secret, "noise": secret, "closes": secret, "reads": "0 bytes, <nil>",
	} {
		t.Run(how, func(t *testing.T) {
			got, err := read(t, nil, program(t, how))
			wantSecret(t, got, err, want)
		})
	}
	t.Run("arguments reach it as they are, and no shell", func(t *testing.T) {
		got, err := read(t, nil, program(t, "arguments", "a b", "$HOME", "; echo x", "*", ""))
		wantSecret(t, got, err, "a b|$HOME|; echo x|*|")
	})
}

func TestAProgramThatFails(t *testing.T) {
	for how, says := range map[string]string{"refuses": "exit status 3", "endless": "more than 64 KiB", "silent": "is empty"} {
		t.Run(how, func(t *testing.T) {
			got, err := read(t, nil, program(t, how))
			wantConfig(t, got, err, says)
		})
	}
	t.Run("does not exist", func(t *testing.T) {
		got, err := read(t, nil, credential.Source{Command: []string{filepath.Join(t.TempDir(), "none"), secret}})
		wantConfig(t, got, err, "cannot be run")
	})
	t.Run("hangs", func(t *testing.T) {
		got, err := read(t, &credential.Options{Timeout: 200 * time.Millisecond}, program(t, "hangs"))
		wantConfig(t, got, err, "did not end in time")
	})
	t.Run("its arguments are not told", func(t *testing.T) {
		got, err := read(t, nil, program(t, "refuses", "--password="+secret))
		wantConfig(t, got, err, "exit status 3")
	})
}

// An agent that a helper starts may go on; nobody waits for it.
func TestAChildThatHoldsTheOutputDoesNotHoldUs(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	t.Setenv("FORTI_TEST_PID", pid)
	got, err := read(t, nil, program(t, "leaves a child"))
	wantSecret(t, got, err, secret)
	text, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	child, err := os.FindProcess(number)
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Kill(); err != nil {
		t.Errorf("the child did not outlive its parent: %v", err)
	}
}

// The streams of the protocol are out of a helper's reach, whichever number they have.
func TestAProgramReachesNoOpenFile(t *testing.T) {
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(t, nil, program(t, "meddles"))
	wantSecret(t, got, err, secret)
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if written, err := io.ReadAll(out); err != nil || len(written) > 0 {
		t.Errorf("the program wrote %q into a pipe of ours, %v", written, err)
	}
}

func TestATokenIsOneWordOfVisibleASCII(t *testing.T) {
	lookup := func(value string) *credential.Options {
		return &credential.Options{LookupEnv: func(string) (string, bool) { return value, true }}
	}
	from := credential.Source{Env: "T"}
	got, err := credential.New(lookup(secret+"\n")).Token(t.Context(), "the thing", from)
	wantSecret(t, got, err, secret)
	for _, bad := range []string{secret + " ", " " + secret, "two " + secret, secret + "\n\n", "ä" + secret, secret + "\x7f", strings.Repeat(secret, 200)} {
		got, err := credential.New(lookup(bad)).Token(t.Context(), "the thing", from)
		wantConfig(t, got, err, "no API token")
	}
	t.Run("a banner in the output is no part of one", func(t *testing.T) {
		got, err := credential.New(nil).Token(t.Context(), "the thing", program(t, "two lines"))
		wantConfig(t, got, err, "must print the token alone")
	})
}

// keyring is a keyring in memory.
type keyring struct {
	entries map[string]string
	err     error
	wait    chan struct{}
	calls   int
}

func (k *keyring) Get(service, entry string) (string, error) {
	k.calls++
	if k.wait != nil {
		<-k.wait
	}
	value, ok := k.entries[service+"/"+entry]
	if k.err == nil && !ok {
		return "", credential.ErrNoEntry
	}
	return value, k.err
}

func (k *keyring) Set(service, entry, value string) error {
	if k.entries == nil {
		k.entries = map[string]string{}
	}
	k.entries[service+"/"+entry] = value
	return k.err
}

func (k *keyring) Delete(service, entry string) error {
	if _, ok := k.entries[service+"/"+entry]; !ok {
		return credential.ErrNoEntry
	}
	delete(k.entries, service+"/"+entry)
	return k.err
}

func TestKeyring(t *testing.T) {
	from := credential.Source{Keyring: true}
	k := &keyring{}
	s := credential.New(&credential.Options{Keyring: k, Service: "forti /home/a"})
	got, err := s.Read(t.Context(), "the thing", from)
	wantConfig(t, got, err, "forti configure")
	if err := s.Store(t.Context(), "the thing", redact.NewSecret(secret)); err != nil {
		t.Fatal(err)
	}
	if k.entries["forti /home/a/the thing"] != secret {
		t.Errorf("the entries are %d others", len(k.entries))
	}
	got, err = s.Read(t.Context(), "the thing", from)
	wantSecret(t, got, err, secret)
	got, err = credential.New(&credential.Options{Keyring: k, Service: "forti /home/b"}).Read(t.Context(), "the thing", from)
	wantConfig(t, got, err, "no entry")
	for range 2 {
		if err := s.Forget(t.Context(), "the thing"); err != nil {
			t.Error(err)
		}
	}
	if len(k.entries) != 0 {
		t.Error("the entry is still there")
	}
}

func TestAKeyringThatFails(t *testing.T) {
	for says, err := range map[string]error{
		"another source": credential.ErrNoKeyring, "refused": errors.New("cannot unlock with " + secret),
	} {
		got, err := read(t, &credential.Options{Keyring: &keyring{err: err}}, credential.Source{Keyring: true})
		if fault.CodeOf(err) != fault.Config || !got.IsZero() || !strings.Contains(fault.From(err).Message, says) || strings.Contains(fault.From(err).Message, secret) {
			t.Errorf("got %v", err)
		}
	}
}

func TestAKeyringThatWaitsForAPersonIsAskedOnce(t *testing.T) {
	k := &keyring{wait: make(chan struct{})}
	s := credential.New(&credential.Options{Keyring: k, Timeout: 50 * time.Millisecond})
	for range 3 {
		got, err := s.Read(t.Context(), "the thing", credential.Source{Keyring: true})
		wantConfig(t, got, err, "did not answer in time")
	}
	close(k.wait)
	got, err := s.Read(t.Context(), "the thing", credential.Source{Keyring: true})
	wantConfig(t, got, err, "no entry")
	if k.calls != 2 {
		t.Errorf("it was asked %d times", k.calls)
	}
}

func TestNamedSecretsSuite(t *testing.T) {
	porttest.RunNamedSecrets(t, porttest.NamedSecretsHarness{
		New: func(_ *testing.T, values map[string]string) port.NamedSecrets {
			list := map[string]credential.Source{}
			for name := range values {
				list[name] = credential.Source{Env: name}
			}
			lookup := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
			return credential.NewNamed(credential.New(&credential.Options{LookupEnv: lookup}), constant(list))
		},
		Broken: func(t *testing.T, name string) port.NamedSecrets {
			list := map[string]credential.Source{name: {File: filepath.Join(t.TempDir(), "none")}}
			return credential.NewNamed(credential.New(nil), constant(list))
		},
	})
}

func constant(list map[string]credential.Source) credential.Lister {
	return func(context.Context) (map[string]credential.Source, error) { return list, nil }
}

func TestNamedSecretsFailWithTheirList(t *testing.T) {
	broken := fault.New(fault.Config, "unusable")
	n := credential.NewNamed(credential.New(nil), func(context.Context) (map[string]credential.Source, error) { return nil, broken })
	if _, err := n.Names(t.Context()); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, err := n.Value(t.Context(), "x"); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestEntriesOfTokensAndSecretsDiffer(t *testing.T) {
	names := []string{credential.TokenEntry("a"), credential.SecretEntry("a"), credential.TokenEntry("b")}
	slices.Sort(names)
	if len(slices.Compact(names)) != 3 {
		t.Errorf("got %v", names)
	}
}
