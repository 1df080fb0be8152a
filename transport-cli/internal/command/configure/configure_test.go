package configure_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/command/configure"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

const (
	pin         = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	fingerprint = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
)

// world is everything that the command works with.
type world struct {
	now     configure.Profile
	known   bool
	saved   *configure.Profile
	refuses error
	// person types this, each line once and the last one again and again, or is not there.
	typed  string
	lines  []string
	secret string
	stored []string
	absent bool
	ends   error
	drawn  strings.Builder
	asked  request.Discover
	device error
	// cured: the device answers once the key that it shows is trusted.
	cured bool
	// keyring is its failure.
	keyring error
	// recorded are the changes that the audit log was told of; log is its failure.
	recorded []string
	log      error
	certs    int
}

func (w *world) Profile(_ context.Context, name string) (configure.Profile, bool, error) {
	if w.known && (name == "" || name == w.now.Name) {
		return w.now, true, nil
	}
	return configure.Profile{Name: name}, false, nil
}

func (w *world) Save(_ context.Context, p configure.Profile) (string, error) {
	if w.refuses == nil {
		w.saved = &p
	}
	return "/h/config.json", w.refuses
}

func (w *world) Discover(_ context.Context, _ engine.Caller, r request.Discover) (engine.Found, error) {
	w.asked = r
	if w.cured && w.saved != nil && w.saved.Trust.Pin == pin {
		w.device = nil
	}
	return engine.Found{Data: map[string]any{"serial": "FGT1", "model": "M", "version": "v7"}}, w.device
}

func (w *world) RecordConfig(_ context.Context, _ engine.Caller, name string, m profile.Mode) error {
	w.recorded = append(w.recorded, name+" "+string(m))
	return w.log
}

func (w *world) Name() string              { return "/dev/pts/9" }
func (w *world) Size() (columns, rows int) { return 60, 20 }
func (w *world) Write(text string) error   { w.drawn.WriteString(text); return nil }
func (w *world) certificate() configure.Certificate {
	w.certs++
	return configure.Certificate{
		Subject: "CN=fw\x1b[2J", Issuer: "CN=ca", From: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Until: time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC),
		Fingerprint: fingerprint, Pin: pin,
	}
}

func (w *world) Ask(_ context.Context, prompt string) (string, error) {
	w.drawn.WriteString(prompt)
	if len(w.lines) > 0 {
		line := w.lines[0]
		w.lines = w.lines[1:]
		return line, w.ends
	}
	return w.typed, w.ends
}

func (w *world) Secret(_ context.Context, prompt string) (string, error) {
	w.drawn.WriteString(prompt)
	return w.secret, w.ends
}

func (w *world) Key(context.Context, string) (byte, error) { return 0, io.EOF }

func (w *world) run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out, errs bytes.Buffer
	c := configure.New(configure.Options{
		Frame:       &command.Frame{Out: &out, Err: &errs},
		Open:        func(context.Context) (configure.Engine, error) { return w, nil },
		Store:       func() (configure.Store, error) { return w, nil },
		Certificate: func(context.Context, string, int) (configure.Certificate, error) { return w.certificate(), nil },
		StoreToken: func(_ context.Context, name string, token redact.Secret) error {
			w.stored = append(w.stored, name+" "+token.Reveal())
			return w.keyring
		},
		Human: func() (configure.Person, func(), error) {
			if w.absent {
				return nil, nil, &terminal.NoTerminalError{Why: "standard input is not a terminal"}
			}
			return w, func() {}, nil
		},
		Absolute: func(path string) (string, error) { return "/here/" + path, nil },
	})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	return out.String() + errs.String(), err
}

func known() *world {
	return &world{known: true, now: configure.Profile{
		Name: "home", Host: "fw.example.com", Port: 8443, VDOM: "root", Mode: profile.Guarded,
		Token: configure.Token{Env: "TOKEN"}, Trust: configure.Trust{Pin: pin}, Timeout: 9 * time.Second,
	}}
}

func TestWhatIsNotGivenStays(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want func(p *configure.Profile)
	}{
		{"nothing", nil, func(*configure.Profile) {}},
		{"the mode", []string{"--mode", "read_only"}, func(p *configure.Profile) { p.Mode = profile.ReadOnly }},
		{"a token's file, seen from here", []string{"--token-file", "t"}, func(p *configure.Profile) { p.Token = configure.Token{File: "/here/t"} }},
		{"a token's program", []string{"--token-command", "pass", "--token-command", "show x"},
			func(p *configure.Profile) { p.Token = configure.Token{Command: []string{"pass", "show x"}} }},
		{"the keyring", []string{"--token-keyring"}, func(p *configure.Profile) { p.Token = configure.Token{Keyring: true} }},
		{"authorities instead of a pin", []string{"--ca-file", "ca.pem"}, func(p *configure.Profile) { p.Trust = configure.Trust{CAFile: "/here/ca.pem"} }},
		{"the system's authorities", []string{"--system-roots"}, func(p *configure.Profile) { p.Trust = configure.Trust{} }},
		{"a pin as programs print it", []string{"--pin", strings.ToUpper("AB:" + pin[2:])}, func(p *configure.Profile) { p.Trust = configure.Trust{Pin: "ab" + pin[2:]} }},
		{"virtual domain, limit, default", []string{"--vdom", "v", "--timeout", "5s", "--default"},
			func(p *configure.Profile) { p.VDOM, p.Timeout, p.Default = "v", 5*time.Second, true }},
		{"the same address again", []string{"--host", "fw.example.com"}, func(*configure.Profile) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := known()
			w.absent = true // nobody needs to be asked
			if out, err := w.run(t, append([]string{"home"}, tt.args...)...); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want := w.now
			tt.want(&want)
			if diff := cmp.Diff(&want, w.saved); diff != "" {
				t.Errorf("saved (-want +got):\n%s", diff)
			}
			if w.certs != 0 || w.asked.Profile != "home" || w.asked.What != request.Capabilities {
				t.Errorf("%d certificates fetched, asked %+v", w.certs, w.asked)
			}
		})
	}
}

func TestAKeyIsTrustedByAPersonsYesAlone(t *testing.T) {
	for _, tt := range []struct {
		name, typed string
		ends        error
		yes         bool
	}{
		{"yes", "yes", nil, true},
		{"yes with blanks", "  yes ", nil, true},
		{"y", "y", nil, false},
		{"YES", "YES", nil, false},
		{"nothing", "", nil, false},
		{"the end of input", "yes", io.EOF, false},
		{"an interrupt", "yes", context.Canceled, false},
		{"a broken terminal", "yes", errors.New("gone"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := known()
			w.typed, w.ends = tt.typed, tt.ends
			_, err := w.run(t, "home", "--host", "other.example.com")
			if (err == nil) != tt.yes || (w.saved != nil) != tt.yes {
				t.Errorf("saved %v, %v", w.saved, err)
			}
			if tt.yes && w.saved.Trust.Pin != pin {
				t.Errorf("trusts %+v", w.saved.Trust)
			}
			for _, text := range []string{"other.example.com port 8443", `CN=fw\x1b[2J`, fingerprint[:20], pin[:20], "2026-01-02 to 2027-01-02"} {
				if !strings.Contains(w.drawn.String(), text) {
					t.Errorf("%q is not shown:\n%s", text, w.drawn.String())
				}
			}
			if strings.Contains(w.drawn.String(), "\x1b") {
				t.Errorf("the certificate acts on the terminal: %q", w.drawn.String())
			}
		})
	}
}

func TestWithoutAPersonThePinIsToldAndNothingSaved(t *testing.T) {
	w := &world{absent: true}
	_, err := w.run(t, "new", "--host", "fw", "--mode", "guarded", "--token-env", "T")
	f := fault.From(err)
	if f == nil || f.Code != fault.Usage || f.Details["pin_sha256"] != pin || f.Details["fingerprint_sha256"] != fingerprint || w.saved != nil {
		t.Errorf("%v, saved %v", err, w.saved)
	}
}

func TestANewProfileHasNoModeThatNobodyChose(t *testing.T) {
	w := &world{absent: true}
	_, err := w.run(t, "new", "--host", "fw", "--token-env", "T", "--pin", pin)
	if fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), "--mode: is missing") || w.saved != nil {
		t.Errorf("%v, saved %v", err, w.saved)
	}
}

func TestRefusedValuesAreTheCallersMistake(t *testing.T) {
	w := known()
	problems := []fault.Problem{{Pointer: "/profiles/home/vdom", Problem: "is wrong"}}
	w.refuses = fault.New(fault.Config, "config.json cannot be used").With("problems", problems)
	if _, err := w.run(t, "home", "--vdom", "?"); fault.CodeOf(err) != fault.Usage || fault.From(err).Details["problems"] == nil {
		t.Error(err)
	}
	w.refuses = fault.New(fault.Config, "the disk is full")
	if _, err := w.run(t, "home"); fault.CodeOf(err) != fault.Config {
		t.Error(err)
	}
}

func TestAFailedTestSaysThatTheProfileIsSaved(t *testing.T) {
	w := known()
	w.device = fault.New(fault.Auth, "401")
	out, err := w.run(t, "home")
	if fault.CodeOf(err) != fault.Auth || w.saved == nil || !strings.Contains(out, "the profile is saved, but the test of the connection failed: /h/config.json") {
		t.Errorf("%v\n%s", err, out)
	}
	w.saved, w.asked = nil, request.Discover{}
	if out, err := w.run(t, "home", "--no-test"); err != nil || w.saved == nil || w.asked.What != "" {
		t.Errorf("%v, asked %+v\n%s", err, w.asked, out)
	}
}

func TestWhoSetWhichModeIsOnRecord(t *testing.T) {
	w := known()
	if _, err := w.run(t, "home", "--mode", "read_only"); err != nil || len(w.recorded) != 1 || w.recorded[0] != "home read_only" {
		t.Errorf("%v, recorded %q", err, w.recorded)
	}
	w.log = fault.New(fault.Config, "the log is full")
	out, err := w.run(t, "home", "--mode", "guarded")
	if err != nil || !strings.Contains(out, "the audit log could not take the change: the log is full") {
		t.Errorf("%v\n%s", err, out)
	}
}

const oldPin = "aaaa6789abcdef0123456789abcdef0123456789abcdef0123456789abcdaaaa"

// A device that shows another key than the trusted one: both are shown, and a person
// decides. The profile goes on trusting the old one unless the answer is yes.
func TestAReplacedKeyIsShownBesideTheTrustedOne(t *testing.T) {
	replaced := func() *world {
		w := known()
		w.now.Trust.Pin, w.device, w.cured = oldPin, fault.New(fault.TLS, "another key"), true
		return w
	}
	t.Run("yes", func(t *testing.T) {
		w := replaced()
		w.typed = "yes"
		out, err := w.run(t, "home")
		if err != nil || w.saved.Trust.Pin != pin || !strings.Contains(out, "FGT1") {
			t.Errorf("%v, saved %+v\n%s", err, w.saved, out)
		}
		for _, text := range []string{oldPin[:20], pin[:20], "ANOTHER KEY"} {
			if !strings.Contains(w.drawn.String(), text) {
				t.Errorf("%q is not shown:\n%s", text, w.drawn.String())
			}
		}
	})
	t.Run("no", func(t *testing.T) {
		w := replaced()
		_, err := w.run(t, "home")
		if fault.CodeOf(err) != fault.PolicyDenied || w.saved.Trust.Pin != oldPin {
			t.Errorf("%v, saved %+v", err, w.saved)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		w := replaced()
		w.absent = true
		_, err := w.run(t, "home")
		if f := fault.From(err); fault.CodeOf(err) != fault.TLS || w.saved.Trust.Pin != oldPin || !strings.Contains(f.Message, oldPin) || f.Details["pin_sha256"] != pin {
			t.Errorf("%v, saved %+v", err, w.saved)
		}
	})
	t.Run("trust that was given is not questioned", func(t *testing.T) {
		w := replaced()
		_, err := w.run(t, "home", "--pin", oldPin)
		if fault.CodeOf(err) != fault.TLS || w.certs != 0 {
			t.Errorf("%v, %d certificates", err, w.certs)
		}
	})
	t.Run("the key is the trusted one", func(t *testing.T) {
		w := replaced()
		w.now.Trust.Pin, w.cured = pin, false
		_, err := w.run(t, "home")
		if fault.CodeOf(err) != fault.TLS || w.drawn.Len() != 0 {
			t.Errorf("%v\n%s", err, w.drawn.String())
		}
	})
}

// A person is asked for what a new profile lacks, and for nothing that was given.
func TestAPersonIsAskedForWhatIsMissing(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  []string
		lines []string
		want  configure.Profile
	}{
		{"everything", nil, []string{"fw.example.com", "guarded", "env", "TOKEN", "yes"},
			configure.Profile{Name: "default", Host: "fw.example.com", Mode: profile.Guarded, Token: configure.Token{Env: "TOKEN"}, Trust: configure.Trust{Pin: pin}}},
		{"after answers of no use", []string{"home"}, []string{"http://fw/", "fw", "root", "", "read_only", "safe", "file", "t", "yes"},
			configure.Profile{Name: "home", Host: "fw", Mode: profile.ReadOnly, Token: configure.Token{File: "/here/t"}, Trust: configure.Trust{Pin: pin}}},
		{"the mode alone", []string{"home", "--host", "fw", "--token-env", "T", "--pin", pin}, []string{"autonomous"},
			configure.Profile{Name: "home", Host: "fw", Mode: profile.Autonomous, Token: configure.Token{Env: "T"}, Trust: configure.Trust{Pin: pin}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{lines: tt.lines}
			if out, err := w.run(t, tt.args...); err != nil {
				t.Fatalf("%v\n%s%s", err, out, w.drawn.String())
			}
			if diff := cmp.Diff(&tt.want, w.saved); diff != "" || len(w.lines) != 0 {
				t.Errorf("%q were not asked for, saved (-want +got):\n%s", w.lines, diff)
			}
		})
	}
	t.Run("three useless answers end it", func(t *testing.T) {
		w := &world{typed: "a b"}
		if _, err := w.run(t); fault.CodeOf(err) != fault.Usage || w.saved != nil || strings.Count(w.drawn.String(), "Name or address") != 3 {
			t.Errorf("%v, saved %v\n%s", err, w.saved, w.drawn.String())
		}
	})
	t.Run("the end of input is a no", func(t *testing.T) {
		w := &world{ends: io.EOF}
		if _, err := w.run(t); fault.CodeOf(err) != fault.PolicyDenied || w.saved != nil {
			t.Errorf("%v, saved %v", err, w.saved)
		}
	})
}

// A token that a person types goes to the keyring: it is not shown, not in the profile
// and not in what the command says.
func TestATypedTokenGoesToTheKeyringAlone(t *testing.T) {
	const token = "a-token-that-nobody-sees"
	t.Run("stored", func(t *testing.T) {
		w := known()
		w.secret = token
		out, err := w.run(t, "home", "--token-keyring")
		if err != nil || len(w.stored) != 1 || w.stored[0] != "home "+token || !w.saved.Token.Keyring || strings.Contains(out+w.drawn.String(), token) {
			t.Errorf("%v, stored %q, saved %+v\n%s", err, w.stored, w.saved, out)
		}
	})
	t.Run("none typed keeps the entry", func(t *testing.T) {
		w := known()
		if _, err := w.run(t, "home", "--token-keyring"); err != nil || len(w.stored) != 0 || w.saved == nil {
			t.Errorf("%v, stored %q", err, w.stored)
		}
	})
	t.Run("a keyring that refuses saves nothing", func(t *testing.T) {
		w := known()
		w.secret, w.keyring = token, fault.New(fault.Config, "no keyring")
		if _, err := w.run(t, "home", "--token-keyring"); fault.CodeOf(err) != fault.Config || w.saved != nil || strings.Contains(err.Error(), token) {
			t.Errorf("%v, saved %v", err, w.saved)
		}
	})
}
