package zaplog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/forti-mcp/forti/adapters/zaplog"
	"github.com/forti-mcp/forti/core/redact"
)

const hidden = "hunter2hunter2"

const keyBlock = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + hidden + "\n-----END OPENSSH PRIVATE KEY-----"

// still has a clock that stands still.
type still struct{}

func (still) Now() time.Time                       { return time.Date(2026, 10, 15, 10, 45, 12, 0, time.UTC) }
func (still) NewTicker(time.Duration) *time.Ticker { return nil }

func TestEntriesAreJSONLines(t *testing.T) {
	var out bytes.Buffer
	logger := zaplog.New(&out, zapcore.InfoLevel).WithOptions(zap.WithClock(still{})).Named("device")
	logger.Debug("not shown")
	logger.Info("connected", zap.String("host", "192.0.2.1"), zap.Int("port", 443), zap.Duration("took", 3*time.Millisecond),
		zap.Error(errors.New("line one\nline two")), zap.Namespace("tls"), zap.Strings("pins", []string{"a", "b"}))
	want := `{"level":"info","time":"2026-10-15T10:45:12Z","logger":"device","message":"connected","host":"192.0.2.1","port":443,` +
		`"took":"3ms","error":"line one\\nline two","tls":{"pins":["a","b"]}}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// credentials marshals itself as an object.
type credentials struct{ user, password string }

func (c credentials) MarshalLogObject(e zapcore.ObjectEncoder) error {
	e.AddString("user", c.user)
	e.AddString("password", c.password)
	return nil
}

type stringer string

func (s stringer) String() string { return string(s) }

type document struct {
	Name     string            `json:"name"`
	Password string            `json:"password"`
	Headers  map[string]string `json:"headers"`
	Secret   redact.Secret     `json:"value"`
}

// leaks are fields and messages that should never have been written.
func leaks() map[string]func(l *zap.Logger) {
	field := func(f zap.Field) func(l *zap.Logger) { return func(l *zap.Logger) { l.Info("m", f) } }
	message := func(text string) func(l *zap.Logger) { return func(l *zap.Logger) { l.Info(text) } }
	return map[string]func(l *zap.Logger){
		"a secret field":           field(zap.String("api_token", hidden)),
		"a secret number":          field(zap.Int("password", 77_147_714)),
		"a secret list":            field(zap.Strings("passwords-secret", []string{hidden})),
		"a header":                 field(zap.String("Authorization", hidden)),
		"an encrypted value":       field(zap.String("value", "ENC "+hidden+"==")),
		"an encrypted value deep":  field(zap.Any("row", map[string]any{"list": []any{map[string]any{"x": "set psk ENC " + hidden + "+=="}}})),
		"a private key":            field(zap.String("value", keyBlock)),
		"a private key as bytes":   field(zap.ByteString("value", []byte(keyBlock))),
		"a private key as binary":  field(zap.Binary("value", []byte(keyBlock))),
		"a bearer token":           field(zap.String("header", "Bearer "+hidden)),
		"a bearer token in a list": field(zap.Strings("headers", []string{"a", "bearer " + hidden})),
		"an error":                 field(zap.Error(fmt.Errorf("GET /x?access_token=%s: refused", hidden))),
		"a joined error":           field(zap.Errors("causes", []error{errors.New("Authorization: Bearer " + hidden)})),
		"a device's words":         field(zap.NamedError("cause", errors.New("the device says: fail! for psksecret "+hidden))),
		"behind an escaped end":    field(zap.NamedError("cause", errors.New(`the device says: a\nENC `+hidden+`==\nb`))),
		"the rest of a key":        message(hidden + `\n-----END PRIVATE KEY-----`),
		"a stringer":               field(zap.Stringer("what", stringer("Bearer "+hidden))),
		"an object":                field(zap.Object("who", credentials{"alice", hidden})),
		"an inline object":         field(zap.Inline(credentials{"alice", hidden})),
		"a struct":                 field(zap.Any("doc", document{Password: hidden, Headers: map[string]string{"Cookie": hidden}, Secret: redact.NewSecret(hidden)})),
		"a pointer":                field(zap.Reflect("doc", &document{Name: keyBlock})),
		"a secret value":           field(zap.Any("value", redact.NewSecret(hidden))),
		"a message":                message("sent Authorization: Basic " + hidden),
		"a message with a key":     message("read " + keyBlock),
		"a message with JSON":      message(`{"password": "` + hidden + `"}`),
		"a message with a URL":     message("proxy http://alice:" + hidden + "@192.0.2.1/"),
		"fields kept for later": func(l *zap.Logger) {
			l.With(zap.String("psksecret", hidden), zap.String("v", "Bearer "+hidden)).Info("m")
		},
		"fields kept lazily": func(l *zap.Logger) { l.WithLazy(zap.String("psksecret", hidden)).Info("m") },
		"sugared":            func(l *zap.Logger) { l.Sugar().Infow("m", "secret", hidden) },
		"formatted":          func(l *zap.Logger) { l.Sugar().Infof("token=%s", hidden) },
	}
}

func TestSecretsDoNotReachTheLog(t *testing.T) {
	for name, leak := range leaks() {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			leak(zaplog.New(&out, zapcore.DebugLevel))
			for _, bad := range []string{hidden, "aHVudGVyMmh1bnRlcjI", "77147714"} {
				if strings.Contains(out.String(), bad) {
					t.Error("the secret stands in the log")
				}
			}
			if !strings.Contains(out.String(), redact.Mask) {
				t.Errorf("nothing is masked: %s", out.String())
			}
			var entry map[string]any
			if err := json.Unmarshal(out.Bytes(), &entry); err != nil {
				t.Errorf("not one JSON object: %v", err)
			}
		})
	}
}

func TestTheLeaksOfTheTestLeakWithoutTheWall(t *testing.T) {
	for name, leak := range leaks() {
		if name == "a secret value" {
			continue // it masks itself
		}
		core, seen := observer.New(zapcore.DebugLevel)
		leak(zap.New(core))
		all := ""
		for _, e := range seen.All() {
			data, _ := json.Marshal(e.ContextMap())
			all += e.Message + string(data)
		}
		if !strings.Contains(all, hidden) && !strings.Contains(all, "aHVudGVyMmh1bnRlcjI") && !strings.Contains(all, "77147714") && name != "a private key as binary" {
			t.Errorf("%s leaks nothing: %s", name, all)
		}
	}
}

func TestWhatIsNoSecretPasses(t *testing.T) {
	core, seen := observer.New(zapcore.DebugLevel)
	logger := zap.New(zaplog.Redact(core))
	logger.Info("the token is about to expire; password-policy unchanged", zap.String("token_type", "rest"), zap.Bool("password", true),
		zap.String("secret", ""), zap.Int64("n", 7), zap.Time("at", still{}.Now()), zap.Float64("f", 0.5), zap.Any("map", map[string]int{"a": 1}))
	if n := len(seen.All()); n != 1 {
		t.Fatalf("%d entries", n)
	}
	got := seen.All()[0]
	want := map[string]any{
		"token_type": "rest", "password": true, "secret": "", "n": int64(7), "at": still{}.Now(), "f": 0.5, "map": map[string]any{"a": 1.0},
	}
	if diff := cmp.Diff(want, got.ContextMap()); diff != "" {
		t.Error(diff)
	}
	if want := "the token is about to expire; password-policy unchanged"; got.Message != want {
		t.Errorf("message %q, want %q", got.Message, want)
	}
}

func TestTextCannotMoveACursor(t *testing.T) {
	var out bytes.Buffer
	zaplog.New(&out, zapcore.InfoLevel).Info("a\x1b[2Jb\u009bc", zap.String("name\u202e", "x\r\ny\u202ez"))
	for _, r := range strings.TrimSuffix(out.String(), "\n") {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u202e' {
			t.Errorf("%U stands in the log", r)
		}
	}
}

func TestAValueThatCannotBeShownIsNotAReasonToLoseTheEntry(t *testing.T) {
	var out bytes.Buffer
	zaplog.New(&out, zapcore.InfoLevel).Info("m", zap.Any("v", func() {}), zap.Int("n", 1))
	if !strings.Contains(out.String(), `"message":"m"`) || !strings.Contains(out.String(), `"n":1`) {
		t.Errorf("%s", out.String())
	}
}
