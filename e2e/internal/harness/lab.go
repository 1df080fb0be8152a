// Package harness runs the real programs for tests: it builds them, gives them a
// home of their own, and starts the simulated FortiGate in the test's own process,
// where a test can look into it, hold its answers and count what it was sent.
//
//	lab := harness.New(t, nil)
//	plan := lab.Plan(`[{"op":"delete","resource":"firewall/address","key":"old-scanner"}]`)
//	lab.Approve(plan.PlanID)
//	lab.Apply(plan.PlanID)
//
// A test's package calls [Main] from its TestMain.
package harness

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
)

// Profile is the name of the profile that New configures.
const Profile = "branch"

// patience ends a program that hangs, so that the test can say what it had shown.
const patience = 2 * time.Minute

// Options adjust a lab. The zero value is a guarded profile whose token is in a
// file, on the simulator's own defaults.
type Options struct {
	// Device describes the simulated FortiGate.
	Device *fortisim.Options
	// Mode of the profile; guarded if empty.
	Mode string
	// Bare leaves the home empty: no profile is configured.
	Bare bool
}

// Lab is one test's world: a device and a person's home directory.
type Lab struct {
	TB     testing.TB
	Device *fortisim.Device
	Server *fortisim.Server
	// User is the value of HOME, Home the product's directory in it.
	User, Home string
	// Env is added to the environment of every program.
	Env []string
	// Flags come before the arguments of every program, such as --home.
	Flags []string
}

// New starts a device and configures a profile of it with the program's own
// command.
func New(tb testing.TB, o *Options) *Lab {
	tb.Helper()
	if o == nil {
		o = &Options{}
	}
	l := Empty(tb)
	l.Device, l.Server = fortisimtest.Start(tb, o.Device)
	l.Write("token", l.Server.Token+"\n")
	if !o.Bare {
		mode := o.Mode
		if mode == "" {
			mode = "guarded"
		}
		l.Configure(Profile, "--mode", mode)
		l.Device.ForgetRequests()
	}
	return l
}

// Empty is a lab without a device and without a configuration.
func Empty(tb testing.TB) *Lab {
	tb.Helper()
	user := tb.TempDir()
	return &Lab{TB: tb, User: user, Home: filepath.Join(user, ".forti")}
}

// Write puts a file of the user's alone into the user's directory and gives its
// path.
func (l *Lab) Write(name, content string) string {
	l.TB.Helper()
	path := filepath.Join(l.User, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		l.TB.Fatal(err)
	}
	return path
}

// Configure makes a profile of the lab's device. more may say something else than
// the usual flags; the last one counts.
func (l *Lab) Configure(name string, more ...string) {
	l.TB.Helper()
	args := []string{
		"configure", name, "--host", l.Server.Host, "--port", strconv.Itoa(l.Server.Port),
		"--token-file", filepath.Join(l.User, "token"), "--pin", l.Server.PinSHA256, "--default",
	}
	l.Forti(append(args, more...)...).Must(0)
}

// Inject makes the device misbehave.
func (l *Lab) Inject(m fortisim.Match, f fortisim.Fault) *fortisim.Injection {
	l.TB.Helper()
	in, err := l.Device.Inject(fortisim.Rule{Match: m, Do: f})
	if err != nil {
		l.TB.Fatal(err)
	}
	return in
}

// Hold keeps the requests that match waiting, before or after their effect, until
// its Release; the end of the test releases them.
func (l *Lab) Hold(m fortisim.Match, after bool) *fortisim.Hold {
	l.TB.Helper()
	h := fortisim.NewHold(after)
	l.TB.Cleanup(h.Release)
	l.Inject(m, h)
	return h
}

// WantWrites checks how many changes the device was sent.
func (l *Lab) WantWrites(n int) {
	l.TB.Helper()
	if got := l.Device.Writes(); got != n {
		l.TB.Errorf("the device was sent %d changes, want %d", got, n)
	}
}

// environment is what the programs see: nothing of the machine's own settings.
func (l *Lab) environment() []string {
	env := []string{"HOME=" + l.User, "PATH=" + os.Getenv("PATH"), "TERM=xterm", "TMPDIR=" + os.TempDir()}
	return append(env, l.Env...)
}

// limited is the context of a program: it ends with the test, or when patience does.
func (l *Lab) limited() context.Context {
	ctx, cancel := context.WithTimeout(l.TB.Context(), patience)
	l.TB.Cleanup(cancel)
	return ctx
}
