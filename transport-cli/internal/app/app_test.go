package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

func TestEveryCodeHasItsExitStatus(t *testing.T) {
	want := map[fault.Code]int{
		fault.Usage: 2, fault.Config: 3, fault.Auth: 4, fault.PermissionDenied: 4, fault.PolicyDenied: 5, fault.ApprovalRequired: 6,
		fault.NotFound: 7, fault.Conflict: 8, fault.StalePlan: 9, fault.TamperedPlan: 9, fault.DeviceUnreachable: 10, fault.TLS: 10,
		fault.NotFortiOS: 10, fault.DeviceError: 11, fault.PartialFailure: 12, fault.VerifyFailed: 12, fault.OutcomeUnknown: 13,
		fault.ManagementConnectivityLost: 13, fault.ResultTooLarge: 2, fault.Internal: 1,
	}
	for _, code := range fault.Codes() {
		if got, known := want[code]; !known || status(code) != got {
			t.Errorf("%s exits with %d, want %d (known: %v)", code, status(code), got, known)
		}
	}
	if len(want) != len(fault.Codes()) {
		t.Errorf("%d codes are expected, there are %d", len(want), len(fault.Codes()))
	}
}

// failing is a program whose only command fails.
func failing(err error, out, errs *bytes.Buffer, args ...string) int {
	a := newApp(nil, nil, out, errs)
	a.flags.output = "table"
	for _, arg := range args {
		a.flags.output = strings.TrimPrefix(arg, "-o=")
	}
	a.frame.Format = view.Format(a.flags.output)
	a.running = true
	return a.report(err)
}

func TestEveryFailureIsToldOnceWithItsStatus(t *testing.T) {
	for _, code := range fault.Codes() {
		t.Run(string(code), func(t *testing.T) {
			err := fmt.Errorf("wrapped: %w", fault.Wrap(errors.New("inner cause"), code, "what happened to %s", "x\x1b[2J").With("reason", "why"))
			var out, errs bytes.Buffer
			if got := failing(err, &out, &errs, "-o=json"); got != status(code) {
				t.Errorf("exit status %d, want %d", got, status(code))
			}
			var e struct {
				OK    *bool
				Error struct {
					Code, Message string
					Details       map[string]any
				}
			}
			if err := json.Unmarshal(out.Bytes(), &e); err != nil {
				t.Fatalf("%v: %s", err, out.String())
			}
			if e.OK == nil || *e.OK || e.Error.Code != string(code) || e.Error.Message != "what happened to x\x1b[2J" || e.Error.Details["reason"] != "why" {
				t.Errorf("envelope %s", out.String())
			}
			first := "error (" + string(code) + `): what happened to x\x1b[2J` + "\n"
			if !strings.HasPrefix(errs.String(), first) {
				t.Errorf("stderr %q", errs.String())
			}
			if shown := strings.Contains(errs.String(), "inner cause"); shown != (code == fault.Internal) {
				t.Errorf("the cause is shown: %v\n%s", shown, errs.String())
			}
		})
	}
}

func TestFailuresOfOtherKinds(t *testing.T) {
	var problems fault.Problems
	problems.Add("/operations/0/op", "must be one of a, b")
	problems.Add("/operations/1", "is \x07 wrong")
	for _, tt := range []struct {
		name   string
		err    error
		status int
		stderr string
	}{
		{"none", nil, 0, ""},
		{"a status of its own", &command.ExitError{Status: 3}, 3, ""},
		{"a status beside the code's", &command.StatusError{Status: 1, Err: fault.New(fault.Config, "no")}, 1, "error (config): no\n"},
		{"several problems, a line each", problems.Err(), 2,
			"error (usage): the request has mistakes:\n  /operations/0/op: must be one of a, b\n  /operations/1: is \\x07 wrong\n"},
		{"the device's words are quoted", fault.New(fault.DeviceError, "refused").With("device_message", "no\x1b[2J"), 11,
			"error (device_error): refused\n  device says: no\\x1b[2J\n"},
		{"secrets in its words are masked before they are cut", fault.New(fault.DeviceError, "no ENC Ab3d9Zk0w==").
			With("device_message", strings.Repeat("x", 280)+" -----BEGIN PRIVATE KEY-----\nMIIE"), 11,
			"error (device_error): no <redacted>\n  device says: " + strings.Repeat("x", 280) + " <redacted>\n"},
		{"secrets in a cause are masked", fault.Wrap(errors.New("fail! for psksecret hunter2"), fault.Internal, "no"), 1,
			"error (internal): no\n  cause: fail! for psksecret <redacted>\n"},
		{"a context that ended", context.DeadlineExceeded, 10, ""},
		{"something unknown hides its text", errors.New("password=hunter2"), 1, ""},
		{"an output that cannot be written", &command.OutputError{Err: errors.New("disk full")}, 1, "error: standard output cannot be written: disk full\n"},
		{"a reader that went away", &command.OutputError{Err: syscall.EPIPE}, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if got := failing(tt.err, &out, &errs); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			if tt.stderr != "" && errs.String() != tt.stderr {
				t.Errorf("stderr (-want +got):\n%s", cmp.Diff(tt.stderr, errs.String()))
			}
			if out.Len() > 0 {
				t.Errorf("stdout %q", out.String())
			}
		})
	}
}

func TestTheFormatIsFoundInArgumentsThatAreWrong(t *testing.T) {
	for _, tt := range []struct {
		args string
		want view.Format
	}{
		{"read", view.Table}, {"read --bogus -o json", view.JSON}, {"-ojson read --bogus", view.JSON}, {"-o=yaml x", view.YAML},
		{"--output json --bogus", view.JSON}, {"--output=yaml --bogus", view.YAML}, {"-o xml --bogus", view.Table}, {"-o", view.Table},
	} {
		if got := wanted(strings.Fields(tt.args), view.Table); got != tt.want {
			t.Errorf("%q gives %s, want %s", tt.args, got, tt.want)
		}
	}
}

// bomb is an output whose use is a defect.
type bomb struct{}

func (bomb) Write([]byte) (int, error) { panic("the bomb went off") }

func TestAPanicIsAnInternalErrorWithItsStackOnStderr(t *testing.T) {
	var errs bytes.Buffer
	a := newApp([]string{"FORTI_HOME=" + t.TempDir()}, nil, bomb{}, &errs)
	if exit := a.run(t.Context(), []string{"version"}); exit != 1 {
		t.Errorf("exit status %d, want 1", exit)
	}
	for _, text := range []string{"the bomb went off", "app_test.go", "error (internal): an internal error occurred"} {
		if !strings.Contains(errs.String(), text) {
			t.Errorf("stderr does not say %q:\n%s", text, errs.String())
		}
	}
}

func walk(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, below := range c.Commands() {
		walk(below, visit)
	}
}

func TestNothingButTheDemoAnswersForAPerson(t *testing.T) {
	found := 0
	walk(newApp(nil, nil, nil, nil).root(), func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			switch f.Name {
			case "yes", "force", "assume-yes", "auto-approve", "non-interactive", "batch":
				found++
				if c.CommandPath() != "forti demo" || f.Name != "yes" {
					t.Errorf("%s takes --%s", c.CommandPath(), f.Name)
				}
			}
			if f.Shorthand == "y" {
				t.Errorf("%s takes -y", c.CommandPath())
			}
		})
	})
	if found != 1 {
		t.Errorf("%d flags answer for a person, want the demo's alone", found)
	}
}

// The packages between a person and an approval look into no environment.
func TestNoVariableAnswersForAPerson(t *testing.T) {
	for _, dir := range []string{"../terminal", "../command/plan/approve"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range []string{"Getenv", "LookupEnv", "Environ", "demo"} {
				if bytes.Contains(text, []byte(word)) {
					t.Errorf("%s names %s", path, word)
				}
			}
		}
	}
}

func TestEveryCommandSaysWhatItDoes(t *testing.T) {
	walk(newApp(nil, nil, nil, nil).root(), func(c *cobra.Command) {
		if c.Short == "" || c.RunE == nil && c.Run == nil {
			t.Errorf("%s has no text or does nothing", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s has no text", c.CommandPath(), f.Name)
			}
		})
	})
}

// lab is a simulated FortiGate and a home with a profile of it.
type lab struct {
	device *fortisim.Device
	server *fortisim.Server
	home   string
}

func newLab(t *testing.T, mode profile.Mode, o *fortisim.Options) *lab {
	t.Helper()
	l := &lab{home: filepath.Join(t.TempDir(), "home")}
	l.device, l.server = fortisimtest.Start(t, o)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(l.server.Token), 0o600); err != nil {
		t.Fatal(err)
	}
	err := config.Open(l.home).Update(t.Context(), func(d *config.Document) error {
		d.Profiles["lab"] = config.Entry{
			Host: l.server.Host, Port: l.server.Port, Mode: mode,
			Token: config.Source{File: token}, TLS: config.TLS{PinSHA256: l.server.PinSHA256},
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// forti runs the program in this process.
func (l *lab) forti(t *testing.T, stdin string, args ...string) (out, errs string, exit int) {
	t.Helper()
	var o, e bytes.Buffer
	a := newApp([]string{"FORTI_HOME=" + l.home}, strings.NewReader(stdin), &o, &e)
	exit = a.run(t.Context(), args)
	return o.String(), e.String(), exit
}

// planned makes a plan and gives its id.
func (l *lab) planned(t *testing.T, operations string) string {
	t.Helper()
	out, errs, exit := l.forti(t, operations, "plan", "create", "-f", "-", "-o", "json")
	var e struct {
		Data struct {
			PlanID string `json:"plan_id"`
		}
	}
	if err := json.Unmarshal([]byte(out), &e); err != nil || exit != 0 {
		t.Fatalf("exit status %d, %v\n%s%s", exit, err, out, errs)
	}
	return e.Data.PlanID
}

const twoAddresses = `[
 {"op": "create", "resource": "firewall/address", "object": {"name": "one", "subnet": "192.0.2.1/32"}},
 {"op": "create", "resource": "firewall/address", "object": {"name": "two", "subnet": "192.0.2.2/32"}}
]`
